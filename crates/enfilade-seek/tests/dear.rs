//! Dear cells: few of a grid are solved, and the designs found are those of the whole grid, whose
//! odds are computed here by other means.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_seek::seek_answer::{SeekAnswer, answer_search};
use enfilade_seek::seek_document::answer_as_document;
use enfilade_seek::seek_question::SeekQuestion;
use enfilade_study::file::{rulebook_loader, source_document::SourceInput};
use enfilade_study::solve::NoObserver;

mod odds;

use odds::{battle, duel};

/// Reads a question of the folder, with a limit of states.
fn read(name: &str, work: Option<u64>) -> SeekQuestion {
    let mut question = read_changed(name, &str::to_owned);
    question.work = work;
    question
}

/// Reads a question of the folder after a change of its text.
fn read_changed(name: &str, change: &dyn Fn(&str) -> String) -> SeekQuestion {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/questions/{name}.toml"));
    let input = SourceInput::read_path_or_stdin(&file).expect("it lies there");
    let catalogue = rulebook_loader::catalogue_with_rulebook_files(
        &enfilade_games::built_in_catalogue(),
        &[],
        Some(&input),
    )
    .expect("rules");
    let text = change(&input.text);
    let question = SeekQuestion::read_or_cancel(&catalogue, &input.name, &text, &NEVER_CANCELLED);
    question.unwrap_or_else(|error| panic!("{name}: {error:?}"))
}

fn answer(name: &str, work: u64) -> (SeekQuestion, SeekAnswer) {
    let mut question = read(name, Some(work));
    let answer = answer_search(&mut question, &NoObserver);
    let answer = answer.unwrap_or_else(|error| panic!("{name}: {error}"));
    (question, answer)
}

fn values(question: &SeekQuestion, design: &[u16]) -> Vec<i64> {
    let numbers = question.numbers.iter().zip(design);
    numbers
        .map(|(number, at)| number.format_value(usize::from(*at)).parse().expect("a number"))
        .collect()
}

fn found(question: &SeekQuestion, answer: &SeekAnswer) -> BTreeSet<Vec<i64>> {
    answer.best_designs.iter().map(|design| values(question, &design.values)).collect()
}

fn grid(ranges: [std::ops::RangeInclusive<i64>; 4]) -> Vec<[i64; 4]> {
    let [a, b, c, d] = ranges;
    let mut all = Vec::new();
    for a in a {
        for b in b.clone() {
            for c in c.clone() {
                all.extend(d.clone().map(|d| [a, b, c, d]));
            }
        }
    }
    all
}

fn within(value: f64, target: f64, tolerance: f64) -> bool {
    (value - target).abs() <= tolerance + 1e-12
}

/// The battles that are wanted: won in 65 ± 2 %, with 3.5 men left.
fn wanted_battles() -> BTreeSet<Vec<i64>> {
    let fits = |design: &[i64; 4]| {
        let [men, theirs, hit, save] = *design;
        let (won, left) = battle(men as usize, theirs as usize, hit, save);
        within(won, 0.65, 0.02) && left >= 3.5 - 1e-12
    };
    let all = grid([4..=12, 4..=12, 2..=6, 2..=6]);
    all.into_iter().filter(fits).map(Vec::from).collect()
}

#[test]
fn a_battle_without_end_takes_a_fifth_of_its_cells() {
    let (question, answer) = answer("11_battle", 2_000_000);
    let expected = wanted_battles();
    assert_eq!((found(&question, &answer), expected.len()), (expected, 13));
    let fence = answer.fence.as_ref().expect("its cells are dear");
    println!("11: {} of 2 025 cells, {fence:?}", answer.solved_contests);
    assert!(answer.solved_contests * 5 <= 2025, "{}", answer.solved_contests);
    assert_eq!((answer.completeness_word(), &fence.both_ways[..]), ("all, if monotone", &[][..]));
    // One man more of theirs, and a better aim: the nearest, in few cells.
    assert_eq!(values(&question, &answer.best_designs[0].values), [10, 11, 4, 4]);
    let to_first = fence.cells_to_first.expect("it was proved");
    assert!(to_first <= 30, "{to_first}");
    // Steps of the first design have their own cells, and not bounds.
    for step in &answer.steps {
        let mut design = values(&question, &answer.best_designs[0].values);
        design[step.number] += if step.up { 1 } else { -1 };
        let (won, left) = battle(design[0] as usize, design[1] as usize, design[2], design[3]);
        let fits = within(won, 0.65, 0.02) && left >= 3.5;
        assert_eq!(step.lost_want.is_none(), fits, "{design:?}");
        if let Some((want, value)) = step.lost_want {
            assert!(within(value, [won, left][want], 1e-9), "{design:?}");
        }
    }
}

#[test]
fn little_work_decides_the_designs_with_few_changes() {
    let (question, answer) = answer("11_battle", 40 * 3_000);
    let fence = answer.fence.as_ref().expect("a fence");
    let changes = fence.decided_changes.expect("not all were decided");
    assert!(changes >= 1 && answer.completeness_word() == "nearest", "{fence:?}");
    let now = [10, 10, 5, 4];
    let few = |design: &&Vec<i64>| {
        design.iter().zip(now).filter(|(a, b)| **a != *b).count() as u64 <= changes
    };
    let wanted = wanted_battles();
    let found = found(&question, &answer);
    assert!(found.is_subset(&wanted));
    let expected: BTreeSet<&Vec<i64>> = wanted.iter().filter(few).collect();
    assert_eq!(found.iter().filter(few).collect::<BTreeSet<_>>(), expected);
    let sentence = answer.summary_sentence(&question);
    assert!(sentence.contains("are decided"), "{sentence}");
    // The work that it names decides all: the same designs as by brute force.
    let remark = answer.remaining_work_remark(&question).expect("not all were decided");
    let named = "\"battle\" reads 4 numbers, 2 025 cells of ";
    assert!(
        remark.starts_with(named) && remark.contains("men (9), theirs (9), hit (5), save (5)"),
        "{remark}"
    );
    let states = answer.state_limit_to_decide_all().expect("not all were decided");
    assert!(remark.ends_with(&format!("; or --work {states} decides all designs")), "{remark}");
    let work: f64 = states.parse().expect("a number");
    let (question, all) = self::answer("11_battle", work as u64);
    assert_eq!((all.complete, self::found(&question, &all)), (true, wanted));
    assert_eq!(all.remaining_work_remark(&question), None);
}

#[test]
fn threads_change_no_byte_of_a_fence() {
    let documents = [1, 2, 7].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let (question, answer) = pool.install(|| answer("13_duel", DUEL_WORK));
        serde_json::to_string(&answer_as_document(&question, &answer, 100)).expect("JSON")
    });
    assert!(documents.iter().all(|one| *one == documents[0]));
}

/// Fewer states than the whole grid of duels has, without fate and with it.
const DUEL_WORK: u64 = 600_000;
const FATE_WORK: u64 = 1_200_000;

/// The chance to win each duel.
fn duel_chances(fate: u32) -> BTreeMap<Vec<i64>, f64> {
    let all = grid([0..=6, 0..=4, 0..=6, 0..=4]);
    let won = |d: [i64; 4]| (d.to_vec(), duel([d[0], d[1]], [d[2], d[3]], fate).0);
    all.into_iter().map(won).collect()
}

/// The duels that meet each want: won in 40 ± 2 %, lost in 35 % at most.
fn duels(fate: u32) -> BTreeMap<Vec<i64>, [bool; 2]> {
    let all = grid([0..=6, 0..=4, 0..=6, 0..=4]);
    let judge = |design: [i64; 4]| {
        let (won, lost) = duel([design[0], design[1]], [design[2], design[3]], fate);
        (design.to_vec(), [within(won, 0.4, 0.02), lost <= 0.35 + 1e-12])
    };
    all.into_iter().map(judge).collect()
}

#[test]
fn a_duel_won_in_two_of_five() {
    let (question, answer) = answer("13_duel", DUEL_WORK);
    let fits = duels(0).into_iter().filter(|(_, wants)| wants.iter().all(|met| *met));
    let expected: BTreeSet<Vec<i64>> = fits.map(|(design, _)| design).collect();
    assert_eq!((found(&question, &answer), expected.len()), (expected, 13));
    println!("13: {} of 1 225 cells, {:?}", answer.solved_contests, answer.fence);
    // Their armour alone: 0 in place of 1.
    assert_eq!(values(&question, &answer.best_designs[0].values), [2, 1, 2, 0]);
    assert!(answer.solved_contests < 400, "{}", answer.solved_contests);
}

#[test]
fn a_player_who_chooses_is_not_monotone() {
    let (question, answer) = answer("14_fate", FATE_WORK);
    let judged = duels(1);
    let count =
        |test: &dyn Fn(&[bool; 2]) -> bool| judged.values().filter(|w| test(w)).count() as u64;
    assert_eq!((answer.fits, count(&|w| w[0] && w[1])), (0, 0));
    println!("14: {} of 1 225 cells, {:?}", answer.solved_contests, answer.fence);
    // No design has the first want alone.
    assert_eq!((count(&|w| w[0]), count(&|w| w[1])), (0, 950));
    let missing = answer.no_fit.as_ref().expect("why");
    assert_eq!(missing.impossible.as_ref().map(|(want, _)| *want), Some(0));
    let alone: Vec<u64> = missing.excluding.iter().map(|one| one.alone).collect();
    assert_eq!(alone, [0]);
    // The nearest to it, of all 1 225.
    let near = &missing.nearest.as_ref().expect("one").reached[0];
    let misses = duel_chances(1).into_values().map(|won| (won - 0.4).abs());
    assert!(within((near.value - 0.4).abs(), misses.fold(1.0, f64::min), 1e-9), "{near:?}");
    let names: Vec<&str> = answer
        .fence
        .as_ref()
        .expect("a fence")
        .both_ways
        .iter()
        .map(|at| question.numbers[*at].name.as_str())
        .collect();
    assert!(names.contains(&"ours.armour"), "{names:?}");
    let sentence = answer.summary_sentence(&question);
    assert!(sentence.contains("if monotone but for "), "{sentence}");
}

#[test]
fn a_chance_that_goes_both_ways_is_solved_everywhere() {
    // The grid has 715 cells; one state fewer than all of them have makes a fence of it.
    let mut whole = read("15_pins", None);
    let all = answer_search(&mut whole, &NoObserver).expect("the whole grid");
    assert_eq!((all.solved_contests, all.completeness_word()), (715, "all"));
    let (question, fenced) = answer("15_pins", 7_800);
    println!("15: {} of 715 cells, {:?}", fenced.solved_contests, fenced.fence);
    assert_eq!(found_texts(&question, &fenced), found_texts(&whole, &all));
    assert_eq!(fenced.fits, 22);
    assert_eq!(fenced.solved_contests, 715);
}

fn found_texts(question: &SeekQuestion, answer: &SeekAnswer) -> BTreeSet<Vec<String>> {
    let text = |design: &[u16]| -> Vec<String> {
        let numbers = question.numbers.iter().zip(design);
        numbers.map(|(number, at)| number.format_value(usize::from(*at))).collect()
    };
    answer.best_designs.iter().map(|design| text(&design.values)).collect()
}

/// A search for one battle alone, with little work.
fn battle_with_little_work(men: usize, theirs: usize, hit: i64, save: i64) -> SeekAnswer {
    let (won, left) = battle(men, theirs, hit, save);
    let mut question = read_changed("11_battle", &|text| {
        text.replace("p_win of battle = 65 % ± 2 %", &format!("p_win of battle = {won:.9} ± 0.1 %"))
            .replace("e_left of battle >= 3.5", &format!("e_left of battle = {left:.9} ± 0.02"))
    });
    question.work = Some(6 * 12_000);
    answer_search(&mut question, &NoObserver).expect("it is answered")
}

#[test]
fn steps_find_what_lies_beyond_the_radius() {
    // All four numbers differ from 10, 10, 5 and 4, and the work decides the designs with few
    // changes.
    let answer = battle_with_little_work(8, 8, 4, 5);
    let fence = answer.fence.as_ref().expect("a fence");
    println!("steps: {} cells, {fence:?}", answer.solved_contests);
    assert!(fence.decided_changes.expect("not all were decided") < 4, "{fence:?}");
    assert!(fence.found_by_steps && answer.fits >= 1, "{fence:?}");
    assert_eq!(answer.completeness_word(), "found");
    let found = &answer.best_designs[0];
    assert!(found.reached.iter().all(|want| want.is_met), "{found:?}");
}
