//! Questions of designers, each compared with all possible designs: odds by formulas of this file,
//! or by the whole grid of a contest, and predicates written by hand. Nothing here uses scopes or
//! joins.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_seek::seek_answer::{SeekAnswer, answer_search};
use enfilade_seek::seek_question::SeekQuestion;
use enfilade_study::experiment::Experiment;
use enfilade_study::file::{rulebook_loader as shelf, source_document::SourceInput};
use enfilade_study::solve::settings::SolverSettings;
use enfilade_study::solve::{NoObserver, solve_experiment};

mod odds;

use odds::{arena, at_least, blast, rout, walker};

/// Reads and answers a question of the folder.
fn asked(name: &str) -> (SeekQuestion, SeekAnswer) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/questions/{name}.toml"));
    let input = SourceInput::read_path_or_stdin(&file).expect("it lies there");
    let catalogue = shelf::catalogue_with_rulebook_files(
        &enfilade_games::built_in_catalogue(),
        &[],
        Some(&input),
    )
    .expect("rules");
    let question =
        SeekQuestion::read_or_cancel(&catalogue, &input.name, &input.text, &NEVER_CANCELLED);
    let mut question = question.unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let answer =
        answer_search(&mut question, &NoObserver).unwrap_or_else(|error| panic!("{name}: {error}"));
    (question, answer)
}

/// A design as its values in the order of the file.
type Values = Vec<String>;

fn values(question: &SeekQuestion, design: &[u16]) -> Values {
    let numbers = question.numbers.iter().zip(design);
    numbers.map(|(number, at)| number.format_value(usize::from(*at))).collect()
}

fn found(question: &SeekQuestion, answer: &SeekAnswer) -> BTreeSet<Values> {
    answer.best_designs.iter().map(|design| values(question, &design.values)).collect()
}

/// All combinations of values.
fn all(ranges: &[Vec<i64>]) -> Vec<Vec<i64>> {
    ranges.iter().fold(vec![Vec::new()], |designs, range| {
        let with = |design: &Vec<i64>| {
            let design = design.clone();
            range
                .iter()
                .map(move |value| [design.clone(), vec![*value]].concat())
                .collect::<Vec<_>>()
        };
        designs.iter().flat_map(with).collect()
    })
}

fn span(from: i64, to: i64) -> Vec<i64> {
    (from..=to).collect()
}

fn written(designs: impl Iterator<Item = Vec<i64>>) -> BTreeSet<Values> {
    designs.map(|design| design.iter().map(i64::to_string).collect()).collect()
}

fn within(value: f64, target: f64, tolerance: f64) -> bool {
    (value - target).abs() <= tolerance + 1e-12
}

#[test]
fn five_routs_and_one_three_times_another() {
    let (question, answer) = asked("01_rout");
    let ranges = [span(2, 6), span(2, 6), span(2, 6), span(1, 2), span(1, 5), span(0, 2)];
    let fits = |d: &Vec<i64>| {
        let [close_0, close_1, close_3] = [d[0], d[1], d[2]];
        let rifles = |need| rout(4 * d[3], need, 0);
        close_0 <= close_1
            && close_1 <= close_3
            && within(rifles(close_0), 0.18, 0.03)
            && within(rifles(close_1), 0.12, 0.02)
            && within(rifles(close_3), 0.05, 0.03)
            && within(rout(4 * d[4], close_1, 0), 3.0 * rifles(close_1), 0.08)
            && within(rout(8, close_3, d[5]), 0.33, 0.08)
    };
    let expected = written(all(&ranges).into_iter().filter(fits));
    assert_eq!(found(&question, &answer), expected);
    assert_eq!((expected.len(), answer.designs), (2, 3750));
    // The nearest changes one number: `to_hit.close.1 = 4`.
    assert_eq!((answer.best_designs[0].changes, answer.best_designs[0].values[1]), (1, 2));
    assert!(
        answer.solved_contests * 20 <= answer.all_contests,
        "{} of {}",
        answer.solved_contests,
        answer.all_contests
    );
    assert_eq!((answer.solved_contests, answer.all_contests), (70, 18_750));
}

#[test]
fn ten_numbers_and_five_routs() {
    let started = std::time::Instant::now();
    let (question, answer) = asked("16_big");
    println!("16: {:?}, {} cells", started.elapsed(), answer.solved_contests);
    let hit = span(2, 7);
    let mut expected = BTreeSet::new();
    // By contest, so that 3 779 136 designs are visited in a moment.
    for close in all(&[hit.clone(), hit.clone(), hit.clone(), hit]) {
        if !close.is_sorted() {
            continue;
        }
        for (shots, power) in pairs(3, 2) {
            let rifles = |at: usize| rout(4 * shots, close[at], power);
            let odds = [(0, 0.2, 0.03), (1, 0.13, 0.02), (3, 0.05, 0.02)];
            if !odds.iter().all(|(at, target, tolerance)| within(rifles(*at), *target, *tolerance))
            {
                continue;
            }
            for (lmg, lmg_power) in pairs(6, 2) {
                for (mortar, mortar_power) in pairs(6, 2) {
                    if within(rout(4 * lmg, close[1], lmg_power), 0.4, 0.03)
                        && within(rout(4 * mortar, close[3], mortar_power), 0.33, 0.03)
                    {
                        let more = [shots, power, lmg, lmg_power, mortar, mortar_power];
                        let design = close.iter().chain(&more).map(i64::to_string);
                        expected.insert(design.collect::<Values>());
                    }
                }
            }
        }
    }
    assert_eq!(found(&question, &answer), expected);
    assert_eq!((expected.len(), answer.designs, answer.solved_contests), (28, 3_779_136, 378));
}

fn pairs(shots: i64, power: i64) -> impl Iterator<Item = (i64, i64)> {
    (1..=shots).flat_map(move |shots| (0..=power).map(move |power| (shots, power)))
}

#[test]
fn the_best_load_under_forty_tons() {
    let (question, answer) = asked("05_walker");
    let guns = ["none", "mg", "laser", "missiles", "autocannon", "lance", "gauss"];
    let tons = [0, 2, 4, 7, 9, 8, 14];
    let heat = [0, 0, 3, 3, 1, 6, 1];
    let mut expected: Vec<(i64, i64, Vec<usize>, i64)> = Vec::new();
    for load in all(&[span(0, 6), span(0, 6), span(0, 6), span(0, 6)]) {
        let load: Vec<usize> = load.iter().map(|gun| *gun as usize).collect();
        let sum = |of: &[i64; 7]| load.iter().map(|gun| of[*gun]).sum::<i64>();
        if !load.is_sorted() || sum(&heat) > 8 {
            continue;
        }
        let kill = (walker(&load, 8) + walker(&load, 12)) / 2.0;
        for armour in 4..=20 {
            // Six dice, four points each: it holds where fewer than armour / 4 of them hit.
            let holds = 1.0 - at_least(6, 0.5, (armour + 3) / 4);
            if sum(&tons) + armour <= 40 && holds >= 0.5 - 1e-12 {
                let key = -((kill * 1e9).round() as i64);
                expected.push((key, sum(&tons) + armour, load.clone(), armour));
            }
        }
    }
    expected.sort();
    let told = |(_, _, load, armour): &(i64, i64, Vec<usize>, i64)| -> Values {
        load.iter().map(|gun| guns[*gun].to_owned()).chain([armour.to_string()]).collect()
    };
    assert_eq!(found(&question, &answer), expected.iter().map(told).collect());
    assert_eq!(expected.len(), 495);
    let first = values(&question, &answer.best_designs[0].values);
    assert_eq!(first, told(&expected[0]));
    assert_eq!(first, ["mg", "missiles", "missiles", "autocannon", "13"]);
    // One order of each load is solved, and sixteen others to check that the order does not matter.
    assert!(answer.solved_contests <= 2 * (210 + 16) + 17, "{}", answer.solved_contests);
}

#[test]
fn four_fighters_and_no_pairing_beyond_sixty_to_forty() {
    let (question, answer) = asked("08_roster");
    let ranges = [
        span(4, 6),
        span(2, 3),
        span(2, 4),
        span(3, 4),
        span(4, 6),
        span(2, 3),
        span(4, 6),
        span(2, 4),
    ];
    let hits = [5, 4, 3, 5];
    let mut known = BTreeMap::new();
    let mut fits = |d: &Vec<i64>| {
        (0..4).all(|mine| {
            (0..4).filter(|theirs| *theirs != mine).all(|theirs| {
                let fighter = |who: usize| (d[2 * who + 1], hits[who], d[2 * who]);
                let pair = (fighter(mine), fighter(theirs));
                let score = known.entry(pair).or_insert_with(|| arena(pair.0, pair.1));
                within(*score, 0.5, 0.1)
            })
        })
    };
    let expected = written(all(&ranges).into_iter().filter(|design| fits(design)));
    assert_eq!(found(&question, &answer), expected);
    assert_eq!((expected.len(), answer.solved_contests), (2, 540));
    assert!(
        answer.solved_contests * 20 <= answer.all_contests,
        "{} of {}",
        answer.solved_contests,
        answer.all_contests
    );
}

#[test]
fn a_tie_is_a_tie() {
    let (question, answer) = asked("09_tie");
    let fits = |d: &Vec<i64>| {
        let (ways, total) = blast(d[0], d[1]);
        2 * ways >= total
    };
    let expected = written(all(&[span(1, 11), span(1, 60)]).into_iter().filter(fits));
    assert_eq!(found(&question, &answer), expected);
    assert_eq!(expected.len(), 234);
    assert_eq!(values(&question, &answer.best_designs[0].values), ["11", "39"]);
    let mark = answer.best_designs[0].reached[0].mark.map(|mark| mark.printed_sign());
    assert_eq!(mark, Some("="), "an exact half");
    // Every design of one half is marked, and no other.
    for design in &answer.best_designs {
        let now = values(&question, &design.values);
        let (ways, total) = blast(now[0].parse().expect("dice"), now[1].parse().expect("points"));
        assert_eq!(design.reached[0].mark.is_some(), 2 * ways == total, "{now:?}");
    }
}

#[test]
fn a_results_table_of_nine_cells() {
    let (question, answer) = asked("12_crt");
    let ranges = vec![span(0, 2); 9];
    // In the order of the file: 1.1, 3.1, 5.1, then the second column, then the third; of a d6 two
    // faces a row.
    let hurt =
        |d: &[i64], column: usize| d[3 * column..][..3].iter().filter(|what| **what > 0).count();
    let gone =
        |d: &[i64], column: usize| d[3 * column..][..3].iter().filter(|what| **what > 1).count();
    let fits = |d: &Vec<i64>| {
        (0..3).all(|column| d[3 * column..][..3].is_sorted())
            && d[0] <= d[3]
            && d[3] <= d[6]
            && hurt(d, 0) == 1
            && hurt(d, 1) == hurt(d, 0) + 1
            && gone(d, 0) == 0
            && gone(d, 2) >= gone(d, 1)
    };
    let expected = written(all(&ranges).into_iter().filter(fits));
    assert_eq!(found(&question, &answer), expected);
    assert_eq!((expected.len(), answer.solved_contests), (19, 81));
    assert!(
        answer.solved_contests * 20 <= answer.all_contests,
        "{} of {}",
        answer.solved_contests,
        answer.all_contests
    );
}

/// A whole grid: by the values on its axes, the measures of each cell.
struct Grid(BTreeMap<String, BTreeMap<String, f64>>);

impl Grid {
    fn of(contest: &str) -> Grid {
        let text = format!("[[contest]]\n{contest}");
        let experiment =
            Experiment::read_experiment_text(&enfilade_games::built_in_catalogue(), "grid", &text)
                .expect("a grid");
        let answers = solve_experiment(&experiment, &SolverSettings::for_exact_only())
            .expect("they are solved");
        let row = |answer: &enfilade_study::answer::Answer| {
            let at: Vec<String> = answer.axes.iter().map(|(_, value)| value.to_string()).collect();
            let measures = answer.measures.iter();
            let measures = measures.filter_map(|m| Some((m.head.name.to_string(), m.exact?)));
            (at.join(" "), measures.collect())
        };
        Grid(answers.iter().map(row).collect())
    }

    fn at(&self, values: &[&str], measure: &str) -> f64 {
        self.0[&values.join(" ")][measure]
    }
}

/// All combinations of words.
fn words(lists: &[&[&str]]) -> Vec<Values> {
    lists.iter().fold(vec![Vec::new()], |designs, list| {
        let with = |design: &Values| {
            let design = design.clone();
            list.iter()
                .map(move |word| [design.clone(), vec![(*word).to_owned()]].concat())
                .collect::<Vec<_>>()
        };
        designs.iter().flat_map(with).collect()
    })
}

#[test]
fn broken_in_a_third_and_hardly_ever_killed() {
    let (_, answer) = asked("02_break");
    let fp = ["1", "2", "4", "6", "8", "12", "16", "20", "24", "30", "36"];
    let drm = ["-4", "-3", "-2", "-1", "0", "1", "2", "3", "4", "5", "6", "7", "8"];
    let leader = ["10-2", "9-2", "9-1", "8-0"];
    let grid = Grid::of(
        "system = 'asl'\naction = 'fire'\nfp = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36]\ndrm = { from = -4, to = 8 }\n\
         leader = ['10-2', '9-2', '9-1', '8-0']\ntarget = { kind = 'squad', morale = [6, 7, 8] }\n",
    );
    let odds = |d: &Values, measure: &str| -> Vec<f64> {
        ["6", "7", "8"].map(|morale| grid.at(&[&d[0], &d[1], &d[2], morale], measure)).into()
    };
    let mean = |d: &Values| within(odds(d, "p_break").iter().sum::<f64>() / 3.0, 0.35, 0.02);
    let killed = |d: &Values| odds(d, "p_kill").iter().all(|p| *p <= 0.08 + 1e-12);
    let least = |d: &Values| odds(d, "p_break").iter().all(|p| *p >= 0.28 - 1e-12);
    let all = words(&[&fp, &drm, &leader]);
    let count = |fits: &dyn Fn(&Values) -> bool| all.iter().filter(|d| fits(d)).count() as u64;
    assert_eq!(
        (answer.designs, answer.fits, count(&|d| mean(d) && killed(d) && least(d))),
        (572, 0, 0)
    );
    let missing = answer.no_fit.expect("why");
    let told: Vec<_> = missing.excluding.iter().map(|one| (one.alone, one.without)).collect();
    let expected = vec![
        (count(&mean), count(&|d| killed(d) && least(d))),
        (count(&killed), count(&|d| mean(d) && least(d))),
        (count(&least), count(&|d| mean(d) && killed(d))),
    ];
    assert_eq!(told, expected);
    assert_eq!(told, [(49, 40), (269, 16), (212, 26)]);
}

#[test]
fn a_gun_against_three_armours() {
    let (question, answer) = asked("03_gun");
    let grid = Grid::of(
        "system = 'dropzone'\naction = 'shoot'\ntarget = 'UCM/Gladius'\nrange = 12\nclose_quarters = false\n\
         shots = { from = 1, to = 8 }\naccuracy = { from = 2, to = 6 }\nenergy = { from = 3, to = 8 }\narmour = [6, 8, 10]\n",
    );
    let all = all(&[span(1, 8), span(2, 6), span(3, 8)]);
    let fits = |d: &Vec<i64>| {
        let own: Values = d.iter().map(i64::to_string).collect();
        let kill = |armour: &str| grid.at(&[&own[0], &own[1], &own[2], armour], "p_kill");
        let mean = (kill("6") + kill("8") + kill("10")) / 3.0;
        kill("6") >= 0.6 - 1e-12 && within(mean, 0.35, 0.03) && kill("10") <= 0.1 + 1e-12
    };
    let expected = written(all.into_iter().filter(fits));
    assert_eq!(found(&question, &answer), expected);
    assert_eq!(expected.len(), 5);
    assert_eq!(values(&question, &answer.best_designs[0].values), ["4", "3", "3"]);
}

#[test]
fn a_moving_target_is_as_hard_as_one_in_cover() {
    let (question, answer) = asked("04_cover");
    // A d20 that shows the skill with its modifiers or less.
    let hit = |skill: i64| skill.clamp(0, 20) as f64 / 20.0;
    let fits = |d: &Vec<i64>| {
        let [cover, moving, extra] = [d[0], d[1], d[2]];
        [11, 14].iter().all(|skill| {
            within(hit(skill + moving), hit(skill + cover), 0.05)
                && within(hit(skill + cover + 2 * extra), hit(*skill), 0.001)
                && hit(skill + cover) <= 0.67 * hit(*skill) + 1e-12
        })
    };
    let all = all(&[span(-10, 0), span(-10, 0), span(0, 6)]);
    assert_eq!(all.len() as u64, answer.designs);
    let expected = written(all.into_iter().filter(fits));
    assert_eq!(found(&question, &answer), expected);
    assert_eq!(expected.len(), 8);
    // Cover is -10, -8 or -6, and two extra points are worth half of it.
    for design in &expected {
        let [cover, extra] = [&design[0], &design[2]].map(|n| n.parse::<i64>().expect("a number"));
        assert!([-10, -8, -6].contains(&cover) && 2 * extra == -cover, "{design:?}");
    }
}

#[test]
fn pinned_in_sixteen_percent() {
    let (question, answer) = asked("15_pins");
    let grid = Grid::of(
        "system = 'asl'\naction = 'fire'\nfp = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36]\ndrm = { from = -4, to = 8 }\n\
         target.morale = { from = 5, to = 9 }\n",
    );
    let fp = vec![1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36];
    let fits = |d: &Vec<i64>| {
        let own: Values = d.iter().map(i64::to_string).collect();
        within(grid.at(&[&own[0], &own[1], &own[2]], "p_pin"), 0.16, 0.01)
    };
    let expected = written(all(&[fp, span(-4, 8), span(5, 9)]).into_iter().filter(fits));
    assert_eq!(found(&question, &answer), expected);
    assert_eq!(expected.len(), 22);
}

#[test]
fn killed_on_weighed_average() {
    let (question, answer) = asked("17_skirmish");
    let grid = Grid::of(
        "system = 'skirmishers'\naction = 'attack'\nweapon = 'LMG'\nbase_ranged = { from = 4, to = 9 }\n\
         shots = { from = 1, to = 8 }\nshort = [20, 40, 60, 80]\nrange = [20, 60, 90]\n",
    );
    let all = all(&[span(4, 9), span(1, 8), vec![20, 40, 60, 80]]);
    let fits = |d: &Vec<i64>| {
        let own: Values = d.iter().map(i64::to_string).collect();
        let kill = |range: &str| grid.at(&[&own[0], &own[1], &own[2], range], "p_kill");
        let [near, middle, far] = ["20", "60", "90"].map(kill);
        within((2.0 * near + middle + far) / 4.0, 0.4, 0.03)
            && near.min(middle).min(far) >= 0.15 - 1e-12
            && near <= 2.0 * middle + 1e-12
    };
    let expected = written(all.into_iter().filter(fits));
    assert_eq!(found(&question, &answer), expected);
    assert_eq!(expected.len(), 4);
}

#[test]
fn two_wants_that_exclude_each_other() {
    let (question, answer) = asked("10_exclude");
    let grid = Grid::of(
        "system = 'aic'\naction = 'fire'\nattacker = { weapon = 'd8', experience = ['d4', 'd6', 'd8', 'd10', 'd12'], \
         figures = { from = 1, to = 8 } }\ndefender = { figures = 4, defense = { from = 4, to = 14 } }\n",
    );
    let dice = ["d4", "d6", "d8", "d10", "d12"];
    let figures: Vec<String> = (1..=8).map(|n: i64| n.to_string()).collect();
    let defense: Vec<String> = (4..=14).map(|n: i64| n.to_string()).collect();
    let of = |texts: &[String]| texts.iter().map(|t| t.clone().leak() as &str).collect::<Vec<_>>();
    let all = words(&[&dice, &of(&figures), &of(&defense)]);
    let odds = |d: &Values, measure: &str| grid.at(&[&d[0], &d[1], &d[2]], measure);
    let kill = |d: &Values| odds(d, "p_kill") >= 0.5 - 1e-12;
    let few = |d: &Values| odds(d, "e_kia") <= 0.5 + 1e-12;
    let count = |fits: &dyn Fn(&Values) -> bool| all.iter().filter(|d| fits(d)).count() as u64;
    assert_eq!((answer.fits, count(&|d| kill(d) && few(d))), (0, 0));
    let missing = answer.no_fit.expect("why");
    let alone: Vec<u64> = missing.excluding.iter().map(|one| one.alone).collect();
    assert_eq!(alone, [count(&kill), count(&few)]);
    assert_eq!(alone, [127, 253]);
    let nearest = values(&question, &missing.nearest.expect("one").values);
    assert_eq!(nearest, ["d12", "1", "7"]);
}
