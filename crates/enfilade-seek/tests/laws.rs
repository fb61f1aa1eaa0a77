//! Properties of every search, planted designs, and random rulebooks.

use std::collections::BTreeSet;

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_model::catalogue::Catalogue;
use enfilade_seek::seek_answer::{SeekAnswer, answer_search};
use enfilade_seek::seek_question::SeekQuestion;
use enfilade_seek::{design_file, seek_document};
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::settings::SolverSettings;
use enfilade_study::solve::{NoObserver, solve_experiment};

mod odds;

use odds::rout;

const BRIDGEHEAD: &str = include_str!("questions/bridgehead.rules");

/// Random numbers, the same on every run.
struct Lot(u64);

impl Lot {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn catalogue(id: &str, rules: &str) -> Catalogue {
    let none = |_: &str| Err("no files".to_owned());
    let book = enfilade_rules::read_without_built_in_base(id, "x.rules", rules, &none);
    Catalogue::default()
        .with_rulebook(book.unwrap_or_else(|error| panic!("{error:?}\n{rules}")).system)
}

fn sought(catalogue: &Catalogue, file: &str) -> (SeekQuestion, SeekAnswer) {
    let question = SeekQuestion::read_or_cancel(catalogue, "x.toml", file, &NEVER_CANCELLED);
    let mut question = question.unwrap_or_else(|error| panic!("{error:?}\n{file}"));
    let answer =
        answer_search(&mut question, &NoObserver).unwrap_or_else(|error| panic!("{error}\n{file}"));
    (question, answer)
}

/// Designs by the names of their numbers, independent of the order of the file.
fn designs(question: &SeekQuestion, answer: &SeekAnswer) -> BTreeSet<String> {
    let told = answer.best_designs.iter().map(|design| {
        let numbers = question.numbers.iter().zip(&design.values);
        let mut named: Vec<String> = numbers
            .map(|(n, at)| format!("{} {}", n.name, n.format_value(usize::from(*at))))
            .collect();
        named.sort();
        named.join(", ")
    });
    told.collect()
}

const CONTESTS: [&str; 2] = [
    "[[contest]]\nsystem = 'bridgehead'\nname = 'rifles'\naction = 'fire'\nweapon = 'rifles'\ncover = [0, 1, 3]\n",
    "[[contest]]\nsystem = 'bridgehead'\nname = 'lmg'\naction = 'fire'\nweapon = 'lmg'\ncover = 1\n",
];
const CHANGES: [&str; 5] = [
    "to_hit.close.0 = [2, 3, 4, 5]\n",
    "to_hit.close.1 = [2, 3, 4, 5]\n",
    "weapons.rifles.shots = [1, 2]\n",
    "weapons.lmg.shots = [1, 2, 3, 4]\n",
    "weapons.lmg.power = [0, 1, 2]\n",
];

fn file(contests: &[&str], wants: &[&str], changes: &[&str]) -> String {
    let wants: Vec<String> = wants.iter().map(|want| format!("'{want}'")).collect();
    format!(
        "{}[seek]\nso_that = [{}]\n[seek.change]\n{}",
        contests.concat(),
        wants.join(", "),
        changes.concat()
    )
}

#[test]
fn laws_of_every_search() {
    let catalogue = catalogue("bridgehead", BRIDGEHEAD);
    let of = |wants: &[&str]| {
        let (question, answer) = sought(&catalogue, &file(&CONTESTS, wants, &CHANGES));
        (designs(&question, &answer), answer)
    };
    let wants = [
        "p_rout of rifles [cover == 0] >= 15 %",
        "p_rout of lmg = 40 % ± 15 %",
        "mean p_rout of rifles <= 20 %",
    ];
    let (some, whole) = of(&wants[..2]);
    let (all, _) = of(&wants);
    assert!(!all.is_empty() && all.len() < some.len());
    assert!(all.is_subset(&some), "a want more never gives more designs");
    let (narrow, _) = of(&[wants[0], "p_rout of lmg = 40 % ± 5 %"]);
    assert!(narrow.is_subset(&some) && narrow.len() < some.len(), "a wider tolerance never fewer");
    // The order of contests, wants and keys changes nothing.
    let turned: Vec<&str> = CHANGES.iter().rev().copied().collect();
    let other = file(&[CONTESTS[1], CONTESTS[0]], &[wants[2], wants[1], wants[0]], &turned);
    let (question, answer) = sought(&catalogue, &other);
    assert_eq!(designs(&question, &answer), all);
    // A number that nothing reads multiplies the count.
    let more = [&CHANGES[..], &["to_hit.long.0 = [4, 5, 6]\n"]].concat();
    let (_, tripled) = sought(&catalogue, &file(&CONTESTS, &wants[..2], &more));
    assert_eq!((tripled.designs, tripled.fits), (3 * whole.designs, 3 * whole.fits));
    // At least and less split the designs in two.
    let (high, _) = of(&["p_rout of lmg >= 40 %"]);
    let (low, _) = of(&["p_rout of lmg < 40 %"]);
    assert!(high.is_disjoint(&low));
    assert_eq!(high.len() + low.len(), 4 * 4 * 2 * 4 * 3 / (4 * 2));
}

#[test]
fn threads_change_no_byte() {
    let catalogue = catalogue("bridgehead", BRIDGEHEAD);
    let file = file(
        &CONTESTS,
        &["p_rout of lmg = 40 % ± 15 %", "p_rout of rifles [cover == 1] <= 15 %"],
        &CHANGES,
    );
    let told = [1, 2, 7].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let (question, answer) = pool.install(|| sought(&catalogue, &file));
        assert!(answer.fits > 0);
        serde_json::to_string(&seek_document::answer_as_document(&question, &answer, 1000))
            .expect("it is JSON")
    });
    assert!(told.iter().all(|one| *one == told[0]));
}

#[test]
fn a_design_that_is_pasted_keeps_its_promise() {
    let catalogue = catalogue("bridgehead", BRIDGEHEAD);
    let wants = ["p_rout of rifles [cover == 0] = 20 % ± 8 %", "p_rout of lmg = 40 % ± 15 %"];
    let changes = [&CHANGES[..], &["models = { from = 4, to = 8, of = 'lmg' }\n"]].concat();
    let (question, answer) = sought(&catalogue, &file(&CONTESTS, &wants, &changes));
    assert!(answer.fits > 10);
    for design in answer.best_designs.iter().step_by(answer.best_designs.len() / 7) {
        let text = design_file::render_design_as_contest_file(&question, &answer, design);
        let experiment = Experiment::read_experiment_text(&catalogue, "x.toml", &text);
        let experiment = experiment.unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let answers = solve_experiment(&experiment, &SolverSettings::for_exact_only())
            .expect("they are solved");
        let value = |name: &str, cover: &str| {
            let is = |answer: &&enfilade_study::answer::Answer| {
                answer.name == name
                    && answer.axes.iter().all(|(_, value)| value.to_string() == cover)
            };
            let found = answers.iter().find(is).expect("the cell");
            found
                .measure_answer_by_name("p_rout")
                .and_then(|measure| measure.exact)
                .expect("a number")
        };
        let promised: Vec<f64> = design.reached.iter().map(|reached| reached.value).collect();
        assert_eq!([value("rifles", "0"), value("lmg", "")], promised[..], "{text}");
    }
}

#[test]
fn planted_designs_are_found() {
    let catalogue = catalogue("bridgehead", BRIDGEHEAD);
    let mut lot = Lot(5);
    for _ in 0..8 {
        let (c0, c1) = (2 + lot.below(4) as i64, 2 + lot.below(4) as i64);
        let (rifles, lmg, power) =
            (1 + lot.below(2) as i64, 1 + lot.below(4) as i64, lot.below(3) as i64);
        let odds = |c0: i64, c1: i64, rifles: i64, lmg: i64, power: i64| {
            [rout(4 * rifles, c0, 0), rout(4 * rifles, c1, 0), rout(4 * lmg, c1, power)]
        };
        let planted = odds(c0, c1, rifles, lmg, power);
        let names = ["rifles [cover == 0]", "rifles [cover == 1]", "lmg"];
        let wants: Vec<String> = names
            .iter()
            .zip(planted)
            .map(|(name, value)| format!("p_rout of {name} = {value} ± 0.0000000001"))
            .collect();
        let wants: Vec<&str> = wants.iter().map(String::as_str).collect();
        let (question, answer) = sought(&catalogue, &file(&CONTESTS, &wants, &CHANGES));
        let mut expected = BTreeSet::new();
        for c0 in 2..6 {
            for c1 in 2..6 {
                for rifles in 1..3 {
                    for lmg in 1..5 {
                        for power in 0..3 {
                            let own = odds(c0, c1, rifles, lmg, power);
                            if own.iter().zip(planted).all(|(a, b)| (a - b).abs() < 1e-10) {
                                expected.insert(format!(
                                    "to_hit.close.0 {c0}, to_hit.close.1 {c1}, weapons.lmg.power {power}, weapons.lmg.shots {lmg}, weapons.rifles.shots {rifles}"
                                ));
                            }
                        }
                    }
                }
            }
        }
        let told = format!(
            "to_hit.close.0 {c0}, to_hit.close.1 {c1}, weapons.lmg.power {power}, weapons.lmg.shots {lmg}, weapons.rifles.shots {rifles}"
        );
        assert!(expected.contains(&told));
        assert_eq!(designs(&question, &answer), expected, "{wants:?}");
    }
}

#[test]
fn a_want_in_a_gap_is_the_one_that_nothing_meets() {
    let catalogue = catalogue("bridgehead", BRIDGEHEAD);
    let mut values: Vec<f64> = (2..6)
        .flat_map(|need| {
            (1..5).flat_map(move |shots| (0..3).map(move |power| rout(4 * shots, need, power)))
        })
        .collect();
    values.sort_by(f64::total_cmp);
    let gap =
        values.windows(2).max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0]))).expect("some");
    let want =
        format!("p_rout of lmg = {:.6} ± {:.6}", (gap[0] + gap[1]) / 2.0, (gap[1] - gap[0]) / 3.0);
    let wants = ["p_rout of rifles [cover == 0] >= 5 %", &want, "mean p_rout of rifles <= 60 %"];
    let (_, answer) = sought(&catalogue, &file(&CONTESTS, &wants, &CHANGES));
    let missing = answer.no_fit.expect("none fits");
    assert_eq!(missing.impossible.map(|(want, _)| want), Some(1));
    let set: Vec<&str> = missing.excluding.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(set, [want.as_str()]);
}

/// Writes a random rulebook with six numbers, some of which its action reads.
fn by_lot(lot: &mut Lot) -> String {
    let mut body = String::from("    x = d6\n");
    for _ in 0..2 + lot.below(3) {
        let (a, b) = (["f", "g", "h"][lot.below(3) as usize], 1 + lot.below(5));
        let line = match lot.below(9) {
            0 => format!("    x = x + {a}\n"),
            1 => format!("    if d6 > {b}: x = x + t(d6, {a})\n"),
            2 => format!("    if {a} > {}: x = x + row.p\n", lot.below(3)),
            3 => "    x = x + u(d4)\n".to_owned(),
            4 => format!("    x = x + count({b} d6 >= 1 + {a} + row.q)\n"),
            5 => format!("    x = x - u({a} + 1)\n"),
            6 => format!("    if x > {b} and {a} == 1: x = x + u(1)\n"),
            7 => format!("    for i in 1..{a} + 1: x = x + count(1 d6 >= row.p)\n"),
            _ => format!("    x = x + t(x at least 1 at most 6, {})\n", lot.below(3)),
        };
        body += &line;
    }
    format!(
        "game \"Lot\"\ndata rows:\n    name  p  q\n    one   1  0\n    two   2  1\nfield row: one of rows = one\nfield f: 0..2 = \
         {}\nfield g: 0..2 = 1\nfield h: 0..2 = min(2, f + 1)\ntable t:\n    columns  0  1  2\n    1        0  1  2\n    3        1  \
         1  0\n    5        2  0  1\ntable u:\n    1  1\n    2  0\n    3  2\naction a \"a\":\n{body}    show x \"x\"\n    measure p = \
         chance(x > 5)\n    measure e = mean(x)\n",
        lot.below(3)
    )
}

const LOTS: [&str; 6] = ["f", "g", "t.3.1", "u.1", "rows.one.p", "rows.two.q"];

#[test]
fn rulebooks_by_lot_are_joined_as_their_whole_grid() {
    let count = std::env::var("ENFILADE_LOTS").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let (mut lot, mut less, mut none, mut some) = (Lot(11), 0, 0, 0);
    for _ in 0..count {
        let rules = by_lot(&mut lot);
        let none_near = |_: &str| Err("no files".to_owned());
        let Ok(book) =
            enfilade_rules::read_without_built_in_base("lot", "lot.rules", &rules, &none_near)
        else {
            none += 1;
            continue;
        };
        let catalogue = Catalogue::default().with_rulebook(book.system);
        let axis = |name: &str| match name {
            "f" | "g" => format!("{name} = [0, 1, 2]\n"),
            name => format!("change.{name} = [0, 1, 2]\n"),
        };
        // A field that no line reads is not a field of the action.
        let fields = &catalogue.action("lot", "a").expect("it is there").fields;
        let is_there = |name: &&&str| name.contains('.') || fields.get(name).is_some();
        let names: Vec<&str> = LOTS.iter().filter(is_there).copied().collect();
        let rows = if fields.get("row").is_some() { "row = ['one', 'two']\n" } else { "" };
        let axes: String = names.iter().map(|name| axis(name)).collect();
        let contest = format!("[[contest]]\nsystem = 'lot'\naction = 'a'\n{rows}");
        let grid = format!("{contest}{axes}");
        let experiment =
            Experiment::read_experiment_text(&catalogue, "grid", &grid).expect("a grid");
        let Ok(answers) = solve_experiment(&experiment, &SolverSettings::for_exact_only()) else {
            none += 1;
            continue;
        };
        let value = |answer: &enfilade_study::answer::Answer, measure: &str| {
            answer.measure_answer_by_name(measure).and_then(|measure| measure.exact)
        };
        let size = 3_usize.pow(names.len() as u32);
        let times = if rows.is_empty() { 1 } else { 2 };
        let all = |at: usize, measure: &str| -> Option<Vec<f64>> {
            (0..times).map(|place| value(&answers[place * size + at], measure)).collect()
        };
        let fits = |at: usize| {
            let (Some(p), Some(e)) = (all(at, "p"), all(at, "e")) else { return false };
            let mean = e.iter().sum::<f64>() / times as f64;
            p.iter().all(|p| *p <= 0.45 + 1e-9) && (mean - 4.5).abs() <= 1.0 + 1e-9
        };
        let expected = (0..size).filter(|at| fits(*at)).count() as u64;
        let changes: String = names.iter().map(|name| format!("{name} = [0, 1, 2]\n")).collect();
        let wants = "'every p <= 45 %', 'mean e = 4.5 ± 1'";
        let file = format!("{contest}[seek]\nso_that = [{wants}]\n[seek.change]\n{changes}");
        let mut question = SeekQuestion::read_or_cancel(&catalogue, "x", &file, &NEVER_CANCELLED)
            .expect("in order");
        let Ok(answer) = answer_search(&mut question, &NoObserver) else { continue };
        assert_eq!((answer.designs, answer.fits), (size as u64, expected), "{rules}");
        less += usize::from(answer.solved_contests < (times * size) as u64);
        some += usize::from(expected > 0);
    }
    println!(
        "{count} rulebooks, {less} with scopes below their grid, {some} with designs, {none} without an answer"
    );
    assert!(
        less * 3 > count && some * 4 > count && none * 2 < count,
        "{less} {some} {none} of {count}"
    );
}

#[test]
fn a_sweep_is_a_search_of_all_its_axes() {
    let catalogue = catalogue("bridgehead", BRIDGEHEAD);
    let contest = "[[contest]]\nsystem = 'bridgehead'\naction = 'fire'\nweapon = 'lmg'\ncover = [0, 1, 3]\n\
                   models = [4, 5, 6]\nchange.weapons.lmg.shots = [1, 2, 3, 4]\n";
    let experiment = Experiment::read_experiment_text(&catalogue, "grid", contest).expect("a grid");
    let answers = solve_experiment(&experiment, &SolverSettings::for_exact_only()).expect("solved");
    let value = |answer: &enfilade_study::answer::Answer, name: &str| {
        answer.measure_answer_by_name(name).and_then(|own| own.exact).expect("a number")
    };
    let mut lost: Vec<f64> = answers.iter().map(|answer| value(answer, "e_lost")).collect();
    lost.sort_by(f64::total_cmp);
    // Between two rows in the middle.
    let middle = lost.windows(2).skip(answers.len() / 2).find(|pair| pair[1] - pair[0] > 1e-3);
    let middle = middle.map(|pair| (pair[0] + pair[1]) / 2.0).expect("they differ");
    let sweep =
        format!("[sweep]\nkeep = 'e_lost < {middle:.5}'\nbest = {{ count = 5, by = '-e_lost' }}\n");
    let (question, answer) = sought(&catalogue, &format!("{contest}{sweep}"));
    let fits = |answer: &&enfilade_study::answer::Answer| value(answer, "e_lost") < middle;
    let rows: Vec<_> = answers.iter().filter(fits).collect();
    assert_eq!((answer.designs, answer.fits), (3 * 3 * 4, rows.len() as u64));
    assert!(!rows.is_empty() && rows.len() < answers.len());
    // The rows of the grid, and the best of them first.
    let least = rows.iter().map(|row| value(row, "e_lost")).fold(f64::INFINITY, f64::min);
    let reached = &answer.best_designs[0].reached;
    assert!((reached[0].value - least).abs() < 1e-12, "{reached:?}");
    let names: Vec<&str> = question.numbers.iter().map(|number| number.name.as_str()).collect();
    assert_eq!((names.len(), question.best), (3, Some(5)), "{names:?}");
}
