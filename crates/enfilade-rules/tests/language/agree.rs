//! Programs by lot, played by the program and by the second evaluator: the same law, as whole
//! numbers.
//!
//! `ENFILADE_PROGRAMS` says how many, `ENFILADE_FIRST` the seed of the first; `ENFILADE_SHOWN` is a
//! folder for the programs on which the two do not agree.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use dashu_int::{IBig, UBig};
use enfilade_engine::exact::measure_fraction::FractionOrRoot;
use enfilade_engine::graph::CompiledContestLimits;
use enfilade_model::dice::Dice;
use enfilade_rules::OptimizationFlags;
use enfilade_rules::diagnostics::Faults;
use enfilade_rules::syntax::ast::RulebookAst;
use enfilade_rules::syntax::parser::parse_rulebook_file;

use super::engine::{Played, engine_combat, engine_law};
use super::made::{Made, made};
use super::oracle::{Law, Patience, Told, extended, law, worth};

const LIMITS: CompiledContestLimits =
    CompiledContestLimits { states: 1 << 16, endless: 0, nodes: 1 << 18, sequences: 1 << 22 };

/// A number of the environment.
pub fn number(name: &str, otherwise: u64) -> u64 {
    let said = std::env::var(name).ok();
    said.and_then(|said| said.parse().ok()).unwrap_or(otherwise)
}

/// What the two say of a program; where they do not agree, in what.
fn compared(made: &Made) -> (&'static str, Option<String>) {
    let mut faults = Faults::default();
    let mut file = parse_rulebook_file(&made.text, &mut faults);
    if let Some(base) = &made.base {
        file = extended(parse_rulebook_file(base, &mut faults), file);
    }
    let faults = faults.into_sorted();
    if !faults.is_empty() {
        return ("unparsed", Some(format!("{faults:?}")));
    }
    let contest = toml::from_str(&made.contest).unwrap_or_else(|e| panic!("{e}\n{}", made.told()));
    let patience = match made.endless {
        true => Patience::SHORT,
        false => Patience::USUAL,
    };
    let played = engine_law(made, &contest, LIMITS);
    if made.weighed {
        return weighed(made, &file, &contest, &played);
    }
    let expected = law(&file, "a", &contest, patience);
    match (&expected, &played) {
        (Told::TooLarge, _) => ("too large", None),
        (Told::Senseless(what), _) => ("senseless", Some(what.clone())),
        (Told::Law(law), Played::Law(settled)) if law.open == 0 => {
            let columns = settled.columns == law.shows;
            let agrees = columns && same_law(law, &settled.ways, &settled.all);
            let why = match (columns, agrees) {
                (false, _) => Some(format!("columns {:?}\n{:?}", law.shows, settled.columns)),
                (_, false) => Some(format!(
                    "the second evaluator: {}\nthe program:          {}",
                    told(law),
                    told_of(&settled.ways, &settled.all)
                )),
                _ => measures(law, &settled.measures).or_else(|| retold(made, &contest)),
            };
            ("laws", why)
        }
        (Told::Law(law), Played::Endless(_, ways, _)) if made.endless => {
            ("endless", bounds(law, ways))
        }
        // A loop without end whose dice turn out to matter to nothing.
        (Told::Law(law), Played::Law(settled)) if made.endless => {
            let all = &settled.all;
            let float = |ways: &UBig| ways.to_f64().value() / all.to_f64().value();
            let ways = settled.ways.iter().map(|(row, ways)| (row.clone(), float(ways)));
            ("endless", bounds(law, &ways.collect()))
        }
        (Told::Fault(..), Played::Mishap(_)) => ("faults while rolling", None),
        // What would surely be wrong is refused when the file is read, though no path comes there.
        (Told::Law(_) | Told::Refused(_), Played::Unread(why) | Played::Mishap(why))
            if is_sure(why) =>
        {
            ("refused when read", None)
        }
        (Told::Fault(..), Played::Unread(_) | Played::Refused(_)) => ("faults before", None),
        (Told::Refused(_), Played::Refused(_)) => ("refused", None),
        _ => (
            "different ends",
            Some(format!(
                "the second evaluator: {}\nthe program: {}",
                short(&expected),
                short(&played)
            )),
        ),
    }
}

/// What the two say that best play is worth, where its law is not the only one.
fn weighed(
    made: &Made,
    file: &RulebookAst,
    contest: &toml::Table,
    played: &Played,
) -> (&'static str, Option<String>) {
    // A goal of the loop is within these numbers, and it is the last that is done.
    let patience = if made.endless { Patience::LOOP } else { Patience::USUAL };
    let expected = match worth(file, "a", contest, patience, (-4, 9)) {
        Ok(expected) => expected,
        Err(Told::TooLarge) => return ("too large", None),
        Err(Told::Senseless(what)) => return ("senseless", Some(what)),
        Err(_) => {
            let is_refused =
                matches!(played, Played::Unread(_) | Played::Refused(_) | Played::Mishap(_));
            return match is_refused {
                true => ("faults", None),
                false => ("different ends", Some(short(played))),
            };
        }
    };
    let (columns, ways) = match played {
        Played::Law(settled) => {
            let all = settled.all.to_f64().value();
            let float = |ways: &UBig| ways.to_f64().value() / all;
            let ways = settled.ways.iter().map(|(row, ways)| (row.clone(), float(ways)));
            (settled.columns.clone(), ways.collect())
        }
        Played::Endless(columns, ways, _) => (columns.clone(), ways.clone()),
        Played::Unread(why) | Played::Mishap(why) if is_sure(why) => {
            return ("refused when read", None);
        }
        other => return ("different ends", Some(short(other))),
    };
    let Some(at) = columns.iter().position(|name| *name == expected.goal) else {
        return ("different ends", Some(format!("no {} in {columns:?}", expected.goal)));
    };
    let mean: f64 = ways.iter().map(|(row, p): (&Vec<i64>, &f64)| row[at] as f64 * p).sum();
    let [least, most] = [expected.least, expected.most].map(|(n, d)| n as f64 / d as f64);
    let fits = mean >= least - 1e-7 && mean <= most + 1e-7;
    let kind = if made.endless { "decisions in endless loops" } else { "hidden choices" };
    (kind, (!fits).then(|| format!("{mean} is not between {least} and {most}")))
}

/// Whether a file is refused for what no path of this contest may come by, or for a limit.
fn is_sure(why: &str) -> bool {
    let sure = [
        "the list has places",
        "has no such key",
        "has no key",
        "the cell is blank",
        "the changing values of these items have too wide a range",
    ];
    sure.iter().any(|sure| why.contains(sure))
}

fn short(told: &impl std::fmt::Debug) -> String {
    format!("{told:?}").chars().take(3000).collect()
}

fn same_law(law: &Law, ways: &BTreeMap<Vec<i64>, UBig>, all: &UBig) -> bool {
    let expected = law.of_shows();
    let same = |(row, count): (&Vec<i64>, &u128)| {
        ways.get(row).is_some_and(|found| found * UBig::from(law.all) == UBig::from(*count) * all)
    };
    expected.len() == ways.len() && expected.iter().all(same)
}

/// What is told of a trial ends as what is played: in what not, with the same faces.
fn retold(made: &Made, contest: &toml::Table) -> Option<String> {
    let combat = engine_combat(made, contest, OptimizationFlags::default()).ok()?;
    if !combat.decisions().is_empty() {
        // Nobody has decided yet.
        return None;
    }
    let faces: Vec<u8> = (0..64_u8).map(|n| n.wrapping_mul(53) % 97 + 1).collect();
    let played = combat.play_one_trial(&mut Turning(faces.iter().cycle()), 64);
    let told = combat.play_with_step_listener(&mut Turning(faces.iter().cycle()), &mut |_, _| true);
    (played != told).then(|| format!("told: {told:?}\nplayed: {played:?}"))
}

/// Dice that show faces in turn, each within its sides.
struct Turning<'f>(std::iter::Cycle<std::slice::Iter<'f, u8>>);

impl Dice for Turning<'_> {
    fn die(&mut self, sides: u8) -> u8 {
        let face = self.0.next().expect("they never end");
        face % sides + 1
    }
}

fn told(law: &Law) -> String {
    let ways = law.of_shows().into_iter();
    let ways = ways.map(|(row, ways)| (row, UBig::from(ways))).collect();
    told_of(&ways, &UBig::from(law.all))
}

fn told_of(ways: &BTreeMap<Vec<i64>, UBig>, all: &UBig) -> String {
    let mut told = format!("of {all}:");
    for (row, ways) in ways.iter().take(40) {
        let row: Vec<String> = row.iter().map(i64::to_string).collect();
        write!(told, " {}: {ways};", row.join(" ")).expect("a string takes all");
    }
    told
}

fn measures(law: &Law, found: &[(String, Option<FractionOrRoot>)]) -> Option<String> {
    for (index, name) in law.measures.iter().enumerate() {
        let (_, figure) = found.iter().find(|(known, _)| known == name)?;
        let whole = |n: i128| UBig::try_from(n).expect("positive");
        let expected = match law.variance(index) {
            Some((above, below)) => Some(FractionOrRoot::from_root(whole(above), whole(below))),
            None => {
                let value = law.value(index)?;
                value.map(|(above, below)| {
                    FractionOrRoot::from_fraction(IBig::from(above), whole(below))
                })
            }
        };
        if *figure != expected {
            return Some(format!(
                "measure {name}: {expected:?} by the second evaluator, {figure:?}"
            ));
        }
    }
    (law.measures.len() != found.len()).then(|| "the measures are not as many".to_owned())
}

/// What was followed to its end is a bound of each probability, from both sides.
fn bounds(law: &Law, ways: &BTreeMap<Vec<i64>, f64>) -> Option<String> {
    let share = |count: u128| count as f64 / law.all as f64;
    let expected = law.of_shows();
    let rows = expected.keys().chain(ways.keys());
    let open = share(law.open);
    for row in rows {
        let least = share(expected.get(row).copied().unwrap_or(0));
        let found = ways.get(row).copied().unwrap_or(0.0);
        if found < least - 1e-9 || found > least + open + 1e-9 {
            return Some(format!("{row:?}: {found} is not in {least} + {open}"));
        }
    }
    None
}

/// What `end` leaves open is closed: a part that reports goes through all things again.
#[test]
fn a_part_that_reports_sees_every_thing_after_an_end_within_a_loop() {
    let text = "game \"m\"\npart told(units):\n    n = 0\n    each u in units: n += 1\n    show n\n\
                action a:\n    units = bag of 3 with hurt = 0\n    each u in units:\n        u.hurt = d2\n        \
                if u.hurt == 2: end\n    show z = 1\n    told(units)\n";
    let made = Made { text: text.to_owned(), ..Made::default() };
    assert_eq!(compared(&made), ("laws", None));
    let Played::Law(law) = engine_law(&made, &toml::Table::new(), LIMITS) else {
        panic!("it has a law");
    };
    assert_eq!(law.ways.keys().collect::<Vec<_>>(), [&vec![1, 3]]);
}

/// Things are counted at once only where each is asked for a value of its own, and that decides.
#[test]
fn things_are_counted_by_the_whole_condition() {
    let text = "game \"m\"\naction a:\n    units = bag of 3 with hurt = 0\n    each u in units: u.hurt = d2\n    \
                n = 0\n    m = 0\n    each u in units:\n        n += count(v in units where u.hurt == 2)\n        \
                m += count(v in units where v.hurt == 2 or 4 > 3)\n    show n\n    show m\n    \
                show k = count(v in units where v.hurt == 2)\n";
    let made = Made { text: text.to_owned(), ..Made::default() };
    assert_eq!(compared(&made), ("laws", None));
}

#[test]
fn programs_by_lot_agree() {
    let first = number("ENFILADE_FIRST", 0);
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for seed in first..first + number("ENFILADE_PROGRAMS", 1_000) {
        let made = made(seed);
        if let Ok(folder) = std::env::var("ENFILADE_SHOWN") {
            // Whoever hangs or dies here has been seen.
            std::fs::write(format!("{folder}/last"), made.told()).expect("it can be written");
        }
        let (end, why) = compared(&made);
        *ends.entry(end).or_default() += 1;
        if let Some(why) = why {
            let why = format!("{end}: {why}");
            if let Ok(folder) = std::env::var("ENFILADE_SHOWN") {
                let told = format!("{}---- why ----\n{why}\n", made.told());
                std::fs::write(format!("{folder}/{seed}.rules"), told).expect("it can be written");
            }
            let brief: String = why.chars().take(160).collect();
            wrong.push((seed, brief, made.told() + &why));
        }
    }
    println!("{ends:?}");
    let briefs: Vec<String> = wrong.iter().map(|(seed, why, _)| format!("{seed}: {why}")).collect();
    if let Some((_, _, told)) = wrong.iter().min_by_key(|(_, _, told)| told.len()) {
        panic!("{} differ\n{}\nthe shortest:\n{told}", wrong.len(), briefs.join("\n"));
    }
}
