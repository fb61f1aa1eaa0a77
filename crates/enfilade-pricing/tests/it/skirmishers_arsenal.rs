//! Arsenals of skirmishers: what explodes, rules that are changed, distances out of reach. Expected
//! numbers are counted by hand.

use enfilade_pricing::battle_runs::BattleSettings;
use enfilade_pricing::evidence::BattleEvidence;
use enfilade_pricing::price::price_changes::compare_pricings;
use enfilade_pricing::price::{self, ArsenalPrices, prices_from_evidence};

use crate::arsenals::{chance, gathered, read, refused, staged};
use crate::exploding::EXPLODING;

/// One weapon in a scenario of four moves.
fn text(weapon: &str, scenario: &str) -> String {
    format!(
        "system = 'skirmishers'\n[[weapon]]\n{weapon}\n[[scenario]]\nname = 'a'\nmoves = 4\n{scenario}\n"
    )
}

/// What an activation of the weapon takes of each man near.
fn taken(weapon: &str, scenario: &str) -> (u32, f64) {
    let round = &staged(&text(weapon, scenario)).rounds[0];
    (round.weapon_shots, round.by_weapon[0][1].1)
}

/// The chance that 4X end an unharmed man: the cell is 4 or less.
const FOUR: f64 = 6.0 / 36.0;

#[test]
fn what_explodes_scatters_among_men_who_stand_in_a_group() {
    let own = "name = 'own'\ndamage = '4X/1X'\nshort = 50\nlong = 90\nap = 8";
    let near = |men: i32| format!("range = [40]\ntarget = {{ troopers = {men} }}");
    let close = |found: (u32, f64), shots: u32, expected: f64| {
        assert_eq!(found.0, shots);
        assert!((found.1 - expected).abs() < 1e-12, "{found:?} {expected}");
    };
    // One man: only a hit on him, since 1X ends nobody who is whole and a miss scatters a dot.
    close(taken(own, &near(1)), 1, chance(6) * FOUR);
    // A neighbour on the next dot but one: a dot of scatter reaches neither.
    close(taken(own, &near(2)), 2, chance(6) * FOUR / 2.0);
    // On the very next dot: one of the six dots a miss can scatter to is his.
    let tight = format!("{own}\n[assumptions]\nspacing = [1, 1, 1]");
    let both = (chance(6) + (1.0 - chance(6)) / 6.0) * FOUR;
    close(taken(&tight, &near(2)), 2, both / 2.0);
    // Eight men: the one aimed at and six around him, spread two dots apart.
    close(taken(own, &near(8)), 7, chance(6) * FOUR / 7.0);
    // Beyond long range every shot scatters, and nobody stands that near.
    close(taken(own, "range = [91]\ntarget = { troopers = 1 }"), 1, 0.0);
}

#[test]
fn rounds_and_action_points_say_how_often_it_is_fired() {
    let there = "range = [40]\ntarget = { troopers = 1 }";
    let own = |more: &str| {
        let own = format!("name = 'own'\ndamage = '4X/1X'\nshort = 50\nlong = 90\n{more}");
        taken(&own, there).1
    };
    let (once, twice) = (chance(6) * FOUR, 1.0 - (1.0 - chance(6) * FOUR).powi(2));
    // 3 of 8 action points: two attacks; 5: one.
    assert!((own("ap = 3") - twice).abs() < 1e-12);
    assert!((own("ap = 5") - once).abs() < 1e-12);
    // Two rounds for four activations of one attack; four for four of two.
    assert!((own("ap = 5\nammo = 2") - 0.5 * once).abs() < 1e-12);
    assert!((own("ap = 3\nammo = 4") - 0.5 * twice).abs() < 1e-12);
    // As printed: 4X/2X/1X, 3 action points, four rounds, 2X end a man where the cell is 2.
    let printed = taken("name = 'grenade launcher'", "range = [19]\ntarget = { troopers = 1 }").1;
    assert!((printed - 0.5 * twice).abs() < 0.01, "{printed}");
}

#[test]
fn what_is_thrown_goes_as_far_as_is_assumed() {
    let at = |range: i32| {
        taken("name = 'hand grenade'", &format!("range = [{range}]\ntarget = {{ troopers = 1 }}")).1
    };
    // 6X end a man on 6 or less, 3X beside him on 3 or less: 15 and 3 of 36; four rounds, four
    // moves. A throw of six dots takes 6 AP, and hits on as much; one of three dots 3.
    let whole = |needed: i32| chance(needed) * 15.0 / 36.0 + (1.0 - chance(needed)) * 3.0 / 36.0;
    for range in [3, 6] {
        assert!((at(range) - whole(range)).abs() < 1e-12, "{range}: {}", at(range));
    }
    assert_eq!(at(7), 0.0);
    let far = "name = 'hand grenade'\n[assumptions]\nthrow = [8, 8, 8]";
    let far = taken(far, "range = [8]\ntarget = { troopers = 1 }").1;
    assert!((far - whole(8)).abs() < 1e-12, "{far}");
}

/// "Can be fired into the same firing arc an unlimited number of times": one attack a move is the
/// least.
#[test]
fn how_often_each_man_in_the_arc_is_fired_at_is_assumed() {
    let there = "range = [30]\ntarget = { troopers = 4 }";
    let shots = |more: &str| taken(&format!("name = 'HMG'{more}"), there).0;
    // Two men move, each drawing one attack.
    assert_eq!(shots(""), 2);
    assert_eq!(shots("\n[assumptions]\nattacks = [1, 3, 8]"), 6);
    assert_eq!(shots("\n[assumptions]\narc = [1, 4, 4]\nattacks = [2, 2, 2]"), 8);
    let arsenal = read(&text("name = 'HMG'", there));
    let assumed = arsenal.assumptions.iter().find(|assumed| assumed.name == "attacks");
    let assumed = assumed.expect("it has a range");
    assert_eq!([assumed.low, assumed.default, assumed.high], [1.0, 1.0, 4.0]);
}

#[test]
fn every_printed_weapon_that_is_fired_or_thrown_is_priced() {
    for name in EXPLODING {
        let near = text(&format!("name = '{name}'"), "range = [6]\ntarget = { troopers = 4 }");
        let arsenal = read(&near);
        assert!(arsenal.weapons[0].price.is_some(), "{name}");
        let named: Vec<_> = arsenal.assumptions.iter().map(|a| a.name.as_str()).collect();
        let thrown = ["incendiary grenade", "hand grenade", "satchel"].contains(&name);
        assert!(
            named.contains(&"spacing") && named.contains(&"throw") == thrown,
            "{name} {named:?}"
        );
        assert!(staged(&near).rounds[0].by_weapon[0][1].1 > 0.0, "{name}");
    }
    let (path, problem, _) = refused(&text("name = 'sword'", "target = {}")).remove(0);
    assert!(path == "weapon[0].name" && problem.contains("fired or thrown"), "{path} {problem}");
    let armed =
        text("name = 'HMG'", "range = [9]\ntarget = { weapon = 'satchel', points_each = 9 }");
    let (path, problem, _) = refused(&armed).remove(0);
    assert!(
        path == "scenario[0].target.weapon" && problem.contains("explodes"),
        "{path} {problem}"
    );
}

#[test]
fn prices_move_with_the_rules() {
    let changed = |change: &str| {
        let text =
            text("name = 'heavy semi-portable laser'", "range = [60]\ntarget = { troopers = 4 }");
        format!("{change}\n{text}")
    };
    // 13X ends everybody it hits; short range.
    for (change, needed) in [("", 6), ("change.base_ranged = 7", 7), ("change.base_ranged = 4", 4)]
    {
        let found = staged(&changed(change)).rounds[0].by_weapon[0][1].1;
        assert!((found - chance(needed)).abs() < 1e-9, "{change} {found}");
    }
    let said = |change: &str| refused(&changed(change)).remove(0);
    let (path, problem, help) = said("change.base_rangd = 7");
    assert_eq!(path, "change.base_rangd");
    assert!(problem.contains("no number or table") && help.contains("base_ranged"), "{help}");
    let (path, problem, _) = said("change.base_ranged = 'seven'");
    assert!(path == "change.base_ranged" && problem.contains("expected"), "{path} {problem}");
    // Known, and of no attack that is asked for.
    let (path, problem, _) = said("change.scatter_distance = 2");
    assert!(
        path == "change.scatter_distance" && problem.contains("no contest of this arsenal uses"),
        "{path} {problem}"
    );
    let (path, _, help) = said("rules.base_ranged = 7");
    assert!(path == "rules" && help.contains("[change]"), "{path} {help}");
}

fn remarks(scenario: &str, change: &str) -> Vec<String> {
    let text = text("name = 'SMG'", scenario);
    let evidence: BattleEvidence =
        gathered(&format!("{change}\n{text}"), &BattleSettings::default());
    evidence.remarks
}

#[test]
fn distances_out_of_reach_and_changed_rules_are_remarked() {
    let near = "range = [10]\ntarget = { troopers = 2 }";
    assert_eq!(remarks(near, ""), [""; 0]);
    let [far] = &remarks("range = [200, 100]\ntarget = { troopers = 2 }", "")[..] else {
        panic!("one remark")
    };
    assert!(far.contains("\"a\"") && far.contains("at 200, 100"), "{far}");
    let [changed] = &remarks(near, "change.base_ranged = 7")[..] else { panic!("one remark") };
    assert!(changed.contains("base_ranged = 7"), "{changed}");
}

/// Three opponents, a rifle and a gun.
fn arms(gun: &str, change: &str) -> ArsenalPrices {
    let foes = ["none", "basic", "standard"].map(|armour| {
        format!(
            "[[scenario]]\nname = '{armour}'\nrange = [20]\nmoves = 2\n\
             target = {{ troopers = 2, armour = '{armour}' }}\n"
        )
    });
    let text = format!(
        "system = 'skirmishers'\n{change}\n[[weapon]]\nname = 'rifle'\n[[weapon]]\n{gun}\n{}",
        foes.concat()
    );
    prices_from_evidence(
        &gathered(&text, &BattleSettings::default()),
        &price::PricingSettings::default(),
    )
    .expect("it is whole")
}

/// Set side by side: what is the same has not moved, a gun that does more has, a rifle is worth a
/// rifle under any rules.
#[test]
fn two_arsenals_are_compared_weapon_by_weapon() {
    let gun = "name = 'gun'\ndamage = '5X'\nshort = 40\nlong = 90\ncrew = 2";
    let a = arms(gun, "");
    let change = |b: &ArsenalPrices| {
        let sides = compare_pricings(&a, b);
        assert_eq!((sides.scenarios.len(), sides.only_a.len(), sides.only_b.len()), (3, 0, 0));
        sides
            .changes
            .iter()
            .map(|m| (m.change.expect("scenarios are shared"), m.is_significant))
            .collect::<Vec<_>>()
    };
    for (worth, sure) in change(&arms(gun, "")) {
        assert_eq!(
            ((worth.best, worth.low, worth.high), sure),
            ((1.0, Some(1.0), Some(1.0)), false)
        );
    }
    let more = change(&arms(&gun.replace("5X", "9X"), ""));
    assert!(more[1].0.low > Some(1.1) && more[1].1, "{more:?}");
    assert!(!more[0].1, "{more:?}");
    let easier = change(&arms(gun, "change.base_ranged = 4"));
    assert!((easier[0].0.best - 1.0).abs() < 1e-9 && !easier[0].1, "{easier:?}");
    let other = arms(&gun.replace("'gun'", "'cannon'"), "");
    let sides = compare_pricings(&a, &other);
    assert_eq!((&sides.only_a[..], &sides.only_b[..]), (&["gun"][..], &["cannon"][..]));
}
