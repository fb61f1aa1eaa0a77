//! A rule in a text, its contest and its odds.

use enfilade_engine::graph::CompiledContestLimits;
use enfilade_engine::odds::Odds;
use enfilade_model::catalogue::Catalogue;
use enfilade_model::combat::AnyCombat;
use enfilade_model::error::FaultWithByteSpan;
use enfilade_model::error::InputError;
use enfilade_model::form::Form;
use enfilade_rules::Rulebook;

/// Reads a text as a rulebook.
pub fn read(text: &str) -> Result<Rulebook, InputError> {
    let none = |_: &str| Err("there are no files".to_owned());
    enfilade_rules::read_without_built_in_base("g", "g.rules", text, &none)
}

/// The built-in rulebooks, and that of a text.
pub fn catalogue(text: &str) -> Catalogue {
    let book = read(text).unwrap_or_else(|error| panic!("{error}"));
    enfilade_games::built_in_catalogue().with_rulebook(book.system)
}

/// The contest of the only action of a text.
pub fn combat(text: &str, contest: &str) -> AnyCombat {
    let book = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let action = &book.system.actions[0];
    let table = contest.parse::<toml::Table>().expect("a table");
    let form = Form::from_table_with_defaults(&action.fields, &table).expect("a contest");
    action.build_contest(&form).expect("it can be played").combat
}

/// The odds of the only action of a text.
pub fn odds(text: &str, contest: &str) -> Odds {
    let combat = combat(text, contest);
    let limits = CompiledContestLimits { endless: 1 << 20, ..CompiledContestLimits::default() };
    Odds::compile(combat, limits).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A measure in full: as a fraction where there is one.
pub fn exact(odds: &Odds, measure: &str) -> String {
    odds.exact().fraction(measure).expect("it is measured").to_string()
}

/// A measure as a number.
pub fn value(odds: &Odds, measure: &str) -> f64 {
    odds.exact().value(measure).expect("it is measured")
}

#[track_caller]
pub fn near(found: f64, expected: f64, off: f64) {
    assert!((found - expected).abs() <= off, "{found} and {expected}");
}

/// The faults of a text with their places.
pub fn located(text: &str) -> Vec<FaultWithByteSpan> {
    match read(text) {
        Ok(_) => Vec::new(),
        Err(error) => error.faults,
    }
}

/// The faults of a text: what is wrong, and the way out.
pub fn faults(text: &str) -> Vec<(String, String)> {
    let told = |FaultWithByteSpan { fault, .. }: FaultWithByteSpan| (fault.problem, fault.help);
    let all = located(text).into_iter().map(told);
    all.map(|(problem, help)| (problem, help.unwrap_or_default())).collect()
}
