//! Cells that a contest changes, and rulebooks that extend others: laws reckoned by hand.

use dashu_int::UBig;
use enfilade_engine::graph::CompiledContestLimits;

use super::engine::{Played, engine_law};
use super::made::Made;

const LIMITS: CompiledContestLimits =
    CompiledContestLimits { states: 1 << 10, endless: 0, nodes: 1 << 12, sequences: 1 << 14 };

/// Ways in which the only show of `text` is 1, of how many.
fn ways(base: Option<&str>, text: &str, contest: &str) -> (UBig, UBig) {
    let made = Made { text: text.to_owned(), base: base.map(str::to_owned), ..Made::default() };
    let contest = toml::from_str(contest).expect("a table");
    match engine_law(&made, &contest, LIMITS) {
        Played::Law(law) => (law.ways.get(&vec![1]).cloned().unwrap_or_default(), law.all),
        other => panic!("{other:?}"),
    }
}

const NEEDED: &str = "game \"m\"\ntable needed:\n    close 3\n    far 5\nfield reach: close or far = far\n\
    action a:\n    hit = d6 >= needed(reach)\n    show hit\n";

fn of_six(ways: u8) -> (UBig, UBig) {
    (ways.into(), 6_u8.into())
}

#[test]
fn a_row_of_a_table_without_columns_is_a_cell() {
    assert_eq!(ways(None, NEEDED, ""), of_six(2));
    assert_eq!(ways(None, NEEDED, "change.needed.far = 6"), of_six(1));
    assert_eq!(ways(None, NEEDED, "change.needed.close = 6"), of_six(2));
    let legend = "game \"m\"\ntable result:\n    cell #K kill\n    cell - miss\n    ..3 -\n    4..6 1K\n\
        action a:\n    hit = no\n    match result(d6):\n        kill n: hit = n > 1\n        miss:\n    show hit\n";
    assert_eq!(ways(None, legend, "").0, 0_u8.into());
    assert_eq!(ways(None, legend, "change.result.\"4..6\" = '2K'"), of_six(3));
}

#[test]
fn an_extension_changes_what_it_names() {
    let more = |change: &str| format!("game \"n\" extends \"base.rules\"\n{change}\n");
    let base = Some(NEEDED);
    assert_eq!(ways(base, &more("change field reach = close"), ""), of_six(4));
    assert_eq!(ways(base, &more("change table needed:\n    far 4"), ""), of_six(3));
    let action = "change action a:\n    hit = d6 > needed(reach)\n    show hit";
    assert_eq!(ways(base, &more(action), ""), of_six(1));
}
