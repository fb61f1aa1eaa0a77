//! Programs by lot: every fraction is within the bound of the number that stands for it.
//! `ENFILADE_PROGRAMS` says for how many.

use enfilade_engine::graph::DieGraph;
use enfilade_rules::OptimizationFlags;

use super::agree::number;
use super::engine::engine_combat;
use super::made::made;
use super::thrift::LIMITS;

#[test]
fn fractions_of_programs_by_lot_are_within_their_bounds() {
    let first = number("ENFILADE_FIRST", 0);
    let (mut programs, mut compared) = (0, 0);
    for seed in first..first + number("ENFILADE_PROGRAMS", 300) {
        let made = made(seed);
        let contest = toml::from_str(&made.contest).expect("a table");
        let Ok(combat) = engine_combat(&made, &contest, OptimizationFlags::default()) else {
            continue;
        };
        let small = DieGraph::compile_within_limits(&combat, LIMITS).is_ok()
            && combat.recorded_rule_fault().is_none();
        if !small {
            continue;
        }
        let values =
            enfilade_testkit::error_bounds::count_values_within_bounds(&made.told(), &combat);
        programs += usize::from(values.is_some());
        compared += values.unwrap_or(0);
    }
    println!("{programs} programs, {compared} numbers");
    assert!(programs > 100 && compared > 10 * programs, "{programs} {compared}");
}
