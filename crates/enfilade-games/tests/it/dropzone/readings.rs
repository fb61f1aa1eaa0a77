//! Readings of `dropzone` where the quick reference is open: each under its name, with chances
//! counted by hand both ways.

use std::collections::BTreeMap;

use crate::asl::play::{play_contest, told};
use crate::harness::play::try_contest;
use crate::harness::walk::{CountedDistribution, law_in};

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
}

fn damage(action: &str, toml: &str) -> CountedDistribution {
    law_in("dropzone", action, toml, &["damage"])
}

const CLOSE: &str = "shots = 4\naccuracy = 0\nclose_quarters = true\nenergy = 4\narmour = 7\n\
                     damage_points = 50\nrounds = 2\nentered_garrison = true\n";

/// A die of 3 and 4 does 1 damage, 5 and 6 do 2: 1 a hit. Rolled again when it damages, 4/6.
#[test]
fn damage_is_rolled_again_on_the_turn_of_entry_only() {
    let told = damage("engagement", CLOSE);
    near(told.mean_over_rows(|o| o[0]), 4.0 * 4.0 / 6.0 + 4.0);
    let spared = (5.0_f64 / 9.0).powi(4) * (1.0_f64 / 3.0).powi(4);
    near(told.chance_over_rows(|o| o[0] == 0), spared);
    // One round is the volley of `shoot`.
    let volley = CLOSE.replace("rounds = 2\n", "");
    let one = CLOSE.replace("rounds = 2", "rounds = 1");
    assert_eq!(damage("engagement", &one), damage("shoot", &volley));
    // The other side's entry is its own.
    let back = "shots = 1\naccuracy = 7\nenergy = 1\narmour = 20\nrounds = 2\n\
                [shooter]\narmour = 7\ndamage_points = 50\n\
                [return_fire]\nshots = 4\naccuracy = 0\nclose_quarters = true\nenergy = 4\n\
                entered_garrison = true";
    let suffered = law_in("dropzone", "engagement", back, &["shooter_damage"]);
    near(suffered.chance_over_rows(|o| o[0] == 0), spared);
}

/// Four shots at 3+ do 1 damage each in the mean when they hit: 4/6, and at 5+ 2/6.
#[test]
fn who_disembarked_shoots_badly_in_the_first_round() {
    let base =
        "shots = 4\naccuracy = 3\nenergy = 4\narmour = 7\ndamage_points = 50\ndisembarked = true\n";
    let mean =
        |rules: &str| damage("engagement", &format!("{base}{rules}")).mean_over_rows(|o| o[0]);
    near(mean("rounds = 1"), 8.0 / 6.0);
    near(mean("rounds = 2"), 4.0);
    near(mean("rounds = 3\ndisembarked_rounds = 2"), 32.0 / 6.0);
    near(mean("rounds = 2\ndisembarked_rounds = 2"), 16.0 / 6.0);
}

/// `explain` names the face needed in each round.
#[test]
fn the_number_needed_changes_after_the_first_round() {
    let toml = "shots = 1\naccuracy = 3\nenergy = 4\narmour = 7\ndamage_points = 9\nrounds = 2\n\
                disembarked = true";
    let contest = try_contest("dropzone", "engagement", toml).expect("sound");
    play_contest(&contest, &[4, 4, 1]);
    let texts: Vec<_> = told(&contest, &[4, 4, 1]).into_iter().map(|(_, text)| text).collect();
    assert_eq!(
        texts,
        [
            "Round 1, the attackers fire. Hit die 4, 5 or more needed (3 + 2 disembarked): a miss.",
            "Round 2, the attackers fire. Hit die 4, 3 or more needed: a hit.",
            "Round 2, the attackers fire. Damage die 1 + 4 = 5 against 7: no damage.",
        ]
    );
}

/// Accuracy 3 in soft cover and hull down needs 7, which no die shows.
#[test]
fn a_destroyer_hits_what_needs_more_than_its_face_where_told_so() {
    let base = "shots = 1\naccuracy = 3\nenergy = 1\narmour = 20\ndamage_points = 9\nhull_down = true\n\
                soft_cover = true\nspecials = ['Destroyer 6+']\n";
    let hurt = |extra: &str| damage("shoot", &format!("{base}{extra}")).rows_over_sixths(1);
    assert_eq!(hurt(""), BTreeMap::from([(vec![0], 6)]));
    let hits = "destroyer_hits = true\n";
    let critical = BTreeMap::from([(vec![0], 5), (vec![2], 1)]);
    assert_eq!(hurt(hits), critical);
    // A natural 1 that misses misses, whatever destroys.
    let from_one =
        "specials = ['Destroyer 1+']\nnatural_one_misses = true\ndestroyer_hits = true\n";
    let one = base.replace("specials = ['Destroyer 6+']\n", from_one);
    let told = damage("shoot", &one).rows_over_sixths(1);
    assert_eq!(told, BTreeMap::from([(vec![0], 1), (vec![2], 5)]));
}

/// Two models of 1 point in two squads, each destroyed by a hit of the fall on a 6 alone.
#[test]
fn the_hits_of_a_fall_are_rolled_for_each_squad_or_once() {
    let toml = "shots = 1\naccuracy = 0\nclose_quarters = true\nenergy = 10\narmour = 10\ndamage_points = 1\n\
                rubble = 'RUBBLE'\n[[occupant]]\narmour = 16\n[[occupant]]\narmour = 16";
    let saved = |rubble: &str| {
        let toml = toml.replace("RUBBLE", rubble);
        law_in("dropzone", "demolish", &toml, &["occupant_damage"]).chance_over_rows(|o| o[0] == 0)
    };
    // 2 to 6 hits as 1 : 2 : 3 : 2 : 1, each survived with 5/6.
    let spared = |squads: i32| {
        let ways = [(2, 1.0), (3, 2.0), (4, 3.0), (5, 2.0), (6, 1.0)];
        let each = ways.map(|(hits, n)| n / 9.0 * (5.0_f64 / 6.0).powi(hits * squads));
        each.iter().sum::<f64>()
    };
    near(saved("each"), spared(1).powi(2));
    near(saved("once"), spared(2));
}

/// The hits of the fall are explained once, and the second squad rolls no die for them.
#[test]
fn the_fall_of_a_garrison_is_told_once_for_all() {
    let toml = "shots = 1\naccuracy = 0\nclose_quarters = true\nenergy = 10\narmour = 10\ndamage_points = 1\n\
                rubble = 'once'\n[[occupant]]\narmour = 16\ndamage_points = 9\n\
                [[occupant]]\narmour = 16\ndamage_points = 9";
    let contest = try_contest("dropzone", "demolish", toml).expect("sound");
    // Damage die, D3 of the fall, 1 + 1 hits, two dice for each squad.
    let dice = [1, 3, 1, 1, 6, 5, 6, 6];
    play_contest(&contest, &dice);
    let all = "Hits on every squad inside, 2D3 1, 1: the piece has 0 points and 0 tokens, those inside 18 points.";
    let texts = told(&contest, &dice);
    assert_eq!(texts.iter().filter(|(_, text)| text == all).count(), 1);
    let left = texts.last().map(|(_, text)| text.as_str());
    let crushed =
        "Die for the squad inside 6: the piece has 0 points and 0 tokens, those inside 15 points.";
    assert_eq!(left, Some(crushed));
}

/// A shot on 2+ with energy 8 at armour 10 that burns leaves 0, 1 and 2 tokens in 11, 10 and 15 of
/// 36, which count at once. Legionnaires, armour 7: energy 2 damages on 5 and 6, energy 4 on 3 and
/// more.
#[test]
fn the_energy_on_what_burns_is_that_of_the_squad_inside_unless_told_otherwise() {
    let toml = "shots = 1\naccuracy = 6\nenergy = 8\nspecials = ['Flame']\nflammable = true\narmour = 10\n\
                damage_points = 9\nflammable_inside = INSIDE\n[occupant]\ntarget = 'UCM/Legionnaires'";
    let unhurt = |inside: &str| {
        let toml = toml.replace("INSIDE", inside);
        law_in("dropzone", "demolish", &toml, &["occupant_damage"]).chance_over_rows(|o| o[0] == 0)
    };
    let spared = |p: f64| (11.0 + 10.0 * p + 15.0 * p * p) / 36.0;
    near(unhurt("true"), spared(4.0 / 6.0));
    near(unhurt("false"), spared(2.0 / 6.0));
    near(spared(2.0 / 6.0), 4.0 / 9.0);
    let left_out = toml.replace("flammable_inside = INSIDE\n", "");
    let told = law_in("dropzone", "demolish", &left_out, &["occupant_damage"]);
    near(told.chance_over_rows(|o| o[0] == 0), 219.0 / 324.0);
    // In the mean three times as much: 2/6 of a point against 2/6 + 2 · 2/6.
    let mean = |inside: &str| {
        let toml = toml.replace("INSIDE", inside);
        law_in("dropzone", "demolish", &toml, &["occupant_damage"]).mean_over_rows(|o| o[0])
    };
    near(mean("false") / mean("true"), 3.0);
}

/// Energy 4 on armour 8: 4 and 5 damage, a 6 is a Critical.
#[test]
fn a_token_leaves_no_token_unless_told_so() {
    let burnt = |extra: &str| {
        let toml = format!("armour = 8\ndamage_points = 9\n{extra}");
        law_in("dropzone", "collateral", &toml, &["damage", "tokens"])
    };
    let once = BTreeMap::from([(vec![0, 0], 3), (vec![1, 1], 3)]);
    assert_eq!(burnt("").rows_over_sixths(1), once);
    let bred = BTreeMap::from([(vec![0, 0], 3), (vec![1, 1], 2), (vec![1, 2], 1)]);
    assert_eq!(burnt("token_criticals = 1").rows_over_sixths(1), bred);
    // With somebody inside, a 6 sets both off at once; with two more points the piece then falls.
    let toml = "armour = 8\ndamage_points = 3\ntoken_criticals = 1\n[occupant]\narmour = 20\ndamage_points = 9";
    let after = |dice: &[u8]| {
        let contest = try_contest("dropzone", "collateral", toml).expect("sound");
        play_contest(&contest, dice)[..3].to_vec()
    };
    // A plain hit: a die for the piece and one for the squad.
    assert_eq!(after(&[5, 1]), [1, 0, 1]);
    // A Critical: two tokens are due, of which the first goes and the second burns.
    assert_eq!(after(&[6, 1, 1, 1, 4, 1]), [2, 0, 1]);
    // Two Criticals and a plain hit bring it down; D3, and the 2D3 hits of energy 8 do nothing.
    assert_eq!(after(&[6, 1, 6, 1, 4, 1, 2, 1, 1, 1, 1]), [3, 1, 0]);
}

/// Four hits in pairs of energy 8 + 2 on armour 10: a damage die of 2 is a Critical, and its token
/// burns before the next pair is rolled.
#[test]
fn a_token_burns_before_the_next_merged_hits_are_rolled() {
    let toml = "shots = 4\naccuracy = 3\nenergy = 8\nspecials = ['Focus-2']\nfocus_merge = 2\narmour = 10\n\
                damage_points = 9\n[occupant]\narmour = 7\ndamage_points = 5";
    let contest = try_contest("dropzone", "demolish", toml).expect("sound");
    // Four hit dice; a Critical of the first pair; the token fails on the piece, hits who is inside
    // with 3 + 4; the second pair damages on a 1.
    let dice = [2, 3, 4, 5, 2, 5, 3, 1];
    play_contest(&contest, &dice);
    let texts: Vec<_> = told(&contest, &dice).into_iter().map(|(_, text)| text).collect();
    assert_eq!(
        texts[4..],
        [
            "Damage die of 2 hits merged at the piece 2: the piece has 8 points and 1 tokens, those inside 5 points.",
            "Damage die of a token at the piece 5: the piece has 8 points and 0 tokens, those inside 5 points.",
            "Die for the squad inside 3: the piece has 8 points and 0 tokens, those inside 4 points.",
            "Damage die of 2 hits merged at the piece 1: the piece has 7 points and 0 tokens, those inside 4 points.",
        ]
    );
}
