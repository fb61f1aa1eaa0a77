//! `d20` against an independent implementation of its rules.
//!
//! The oracle spreads whole counts over the faces of one d20 after another, the same dice whether
//! they matter or not, so that every distribution has the scale 20^n. It uses no states, steps or
//! die graphs, and imports no rule.

use std::collections::BTreeMap;

use crate::harness::play::contest;
use crate::harness::walk::{CountedDistribution, count_fields};

/// Counts by the events so far.
pub type Counts<S> = BTreeMap<S, u128>;

/// Rolls one d20 for every count.
pub fn d20<S: Ord + Copy>(counts: Counts<S>, fall: impl Fn(S, i32) -> S) -> Counts<S> {
    let mut after = Counts::new();
    for (state, n) in counts {
        for face in 1..=20 {
            *after.entry(fall(state, face)).or_insert(0) += n;
        }
    }
    after
}

pub fn rows<S: Ord + Copy>(counts: Counts<S>, row: impl Fn(S) -> Vec<i32>) -> CountedDistribution {
    let mut rows = BTreeMap::new();
    for (state, n) in counts {
        *rows.entry(row(state)).or_insert(0) += n;
    }
    CountedDistribution::from_rows(rows)
}

/// Returns whether a roll is at or under the skill; 1 always is, 20 never.
pub fn passes(roll: i32, skill: i32) -> bool {
    roll != 20 && (roll == 1 || roll <= skill)
}

/// Target under fire.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Fire {
    spotted: bool,
    /// Whether this shot hits.
    hits: bool,
    /// Whether the character being hit has saved.
    saved: bool,
    /// Whether that character is a casualty, and cannot be one again.
    down: bool,
    any_hit: bool,
    lost: i32,
    /// 0, 1 Hesitant, 2 Pinned.
    status: i32,
    ended: i32,
}

#[derive(Clone, Copy)]
struct Gun {
    shooters: i32,
    spot: i32,
    shoot: i32,
    raise: i32,
    save: bool,
    /// Whether a character is one casualty at most.
    once: bool,
    /// Dice of each character hit.
    hit: &'static [i32],
    figures: i32,
}

fn fire(gun: &Gun) -> Counts<Fire> {
    let mut counts = Counts::from([(Fire::default(), 1)]);
    for _ in 0..gun.shooters {
        counts = d20(counts, |f, roll| Fire { spotted: passes(roll, gun.spot), ..f });
        counts = d20(counts, |f, roll| {
            let hits = f.spotted && f.lost < gun.figures && passes(roll, gun.shoot);
            Fire { hits, any_hit: f.any_hit || hits, spotted: false, ..f }
        });
        for dice in gun.hit {
            if gun.save {
                counts = d20(counts, |f, roll| Fire { saved: roll <= 2, ..f });
            }
            for _ in 0..*dice {
                counts = d20(counts, |f, roll| die(gun, f, roll + gun.raise));
            }
            counts = counts.into_iter().fold(Counts::new(), |mut sum, (f, n)| {
                *sum.entry(Fire { saved: false, down: false, ..f }).or_insert(0) += n;
                sum
            });
        }
    }
    counts
}

fn die(gun: &Gun, f: Fire, value: i32) -> Fire {
    if !f.hits || f.saved || f.down || f.lost == gun.figures {
        return f;
    }
    match value {
        13.. => Fire { lost: f.lost + 1, status: 2, down: gun.once, ..f },
        7..=12 => Fire { status: 2, ..f },
        _ => Fire { status: f.status.max(1), ..f },
    }
}

fn attack_row(f: Fire) -> Vec<i32> {
    let flag = i32::from;
    vec![flag(f.any_hit), f.lost, flag(f.status == 1), flag(f.status == 2)]
}

const ATTACK: &[&str] = &["hit", "casualties", "hesitant", "pinned"];

#[test]
fn shooting_is_the_enumerated_law() {
    let base = Gun {
        shooters: 1,
        spot: 12,
        shoot: 11,
        raise: 0,
        save: false,
        once: true,
        hit: &[1],
        figures: 5,
    };
    let cases = [
        ("weapon = 'bolt-action rifle'\nfigures = 3", Gun { shooters: 3, ..base }),
        (
            "weapon = 'LMG'\ntarget_figures = 2\nfigures = 2",
            Gun { shooters: 2, hit: &[3], figures: 2, ..base },
        ),
        (
            "weapon = 'LMG'\ntarget_figures = 3\none_casualty_per_character = false",
            Gun { once: false, hit: &[3], figures: 3, ..base },
        ),
        (
            "weapon = 'SMG'\nfigures = 2\nextra_ap = 1",
            Gun { shooters: 2, shoot: 15, save: true, hit: &[2], ..base },
        ),
        (
            "weapon = 'SMG'\nfigures = 2\nextra_ap = 1\nextra_ap_on = 'both'",
            Gun { shooters: 2, spot: 16, shoot: 15, save: true, hit: &[2], ..base },
        ),
        ("weapon = 'sniper rifle'\nfirearms = 23", Gun { shoot: 23, raise: 7, ..base }),
        (
            "weapon = 'grenade'\ntargets_in_area = 2\ntargets_in_danger_zone = 1\nconcealed = true\nin_cover = true",
            Gun { spot: 6, shoot: 5, save: true, hit: &[2, 2, 1], ..base },
        ),
        (
            "weapon = 'HMG'\nhidden = true\ntarget_moving = true",
            Gun { spot: 1, shoot: -8, hit: &[3], ..base },
        ),
    ];
    for (toml, gun) in cases {
        let more = if toml.contains("firearms") { "spot = 12" } else { "spot = 12\nfirearms = 11" };
        let combat = contest("d20", "shoot", &format!("{toml}\n{more}"));
        assert_eq!(count_fields(&combat, ATTACK), rows(fire(&gun), attack_row), "{toml}");
    }
}

/// Returns the band of a morale roll: 1 Let Loose … 5 Pinned, 0 passed.
fn band(roll: i32, morale: i32) -> i32 {
    let by = (roll - morale).max(1);
    match by {
        _ if passes(roll, morale) => 0,
        1 | 2 => 1,
        3 | 4 => 2,
        5 | 6 => 3,
        7 | 8 => 4,
        _ => 5,
    }
}

const MORALE: &[&str] = &["casualties", "let_loose", "hesitant", "go_firm", "withdraw", "pinned"];

fn tested(f: Fire, due: bool, figures: i32, morale: i32, roll: i32) -> Fire {
    let ended = match due && f.lost < figures {
        // Pinned and not passed: Pinned.
        true if f.status == 2 => 5 * band(roll, morale - 2 * f.lost).min(1),
        true => band(roll, morale - 2 * f.lost),
        // Untested: Hesitant or Pinned by fire.
        false => [0, 2, 5][f.status as usize],
    };
    Fire { ended, ..f }
}

fn morale_row(f: Fire) -> Vec<i32> {
    let mut row = vec![f.lost, 0, 0, 0, 0, 0];
    if f.ended > 0 {
        row[f.ended as usize] = 1;
    }
    row
}

#[test]
fn fire_and_morale_is_the_enumerated_law() {
    // Contest D: spot 12, shoot 11, 3d20, save, morale 12.
    let gun = Gun {
        shooters: 1,
        spot: 12,
        shoot: 11,
        raise: 0,
        save: true,
        once: true,
        hit: &[3],
        figures: 5,
    };
    let toml = "spot = 12\nfirearms = 11\ndamage_dice = 3\nsaves = true\nmorale = 12\n";
    let by_pin = d20(fire(&gun), |f, roll| tested(f, f.status == 2, 5, 12, roll));
    let combat = contest("d20", "fire-and-morale", toml);
    assert_eq!(count_fields(&combat, MORALE), rows(by_pin, morale_row));
    let always = d20(fire(&gun), |f, roll| tested(f, true, 5, 12, roll));
    let combat = contest("d20", "fire-and-morale", &format!("{toml}tests = 'always'"));
    assert_eq!(count_fields(&combat, MORALE), rows(always.clone(), morale_row));
    // By its margin, as an element that is not Pinned.
    let by_margin = d20(fire(&gun), |f, roll| {
        let ended = tested(Fire { status: 0, ..f }, true, 5, 12, roll).ended;
        Fire { ended, ..f }
    });
    let more = "tests = 'always'\npinned_stays_pinned = false";
    let combat = contest("d20", "fire-and-morale", &format!("{toml}{more}"));
    assert_eq!(count_fields(&combat, MORALE), rows(by_margin, morale_row));
    // A Suppression marker (-6), a veteran leader (+3), cover (+2, and -6 to hit), one lost before
    // (-2).
    let covered = Gun { shoot: 5, ..gun };
    let marked = d20(fire(&covered), |f, roll| tested(f, true, 5, 9, roll));
    let more = "suppression_markers = 1\nleader = 'veteran'\nin_cover = true\ncasualties = 1";
    let combat = contest("d20", "fire-and-morale", &format!("{toml}{more}"));
    assert_eq!(count_fields(&combat, MORALE), rows(marked, morale_row));
}

#[test]
fn an_interrupt_is_answered_by_whoever_was_fired_at() {
    let gun = Gun {
        shooters: 2,
        spot: 12,
        shoot: 11,
        raise: 0,
        save: false,
        once: false,
        hit: &[1],
        figures: 2,
    };
    // `ended` counts here whether any shot was fired: a shooter that spots fires.
    let mut counts = Counts::from([(Fire::default(), 1)]);
    for _ in 0..2 {
        counts = d20(counts, |f, roll| {
            let spotted = f.lost < 2 && passes(roll, gun.spot);
            Fire { spotted, ended: f.ended.max(i32::from(spotted)), ..f }
        });
        counts = d20(counts, |f, roll| Fire { hits: f.spotted && passes(roll, gun.shoot), ..f });
        counts = d20(counts, |f, roll| die(&gun, f, roll));
    }
    // One roll for each character that is left, or one while any is; then `ended` is 1 more than
    // the failures.
    let answered = |rolls: i32| {
        (0..rolls).fold(counts.clone(), |counts, character| {
            d20(counts, |f, roll| {
                let rolls = f.ended > 0 && character < 2 - f.lost;
                let failed = i32::from(rolls && !passes(roll, 13));
                Fire { ended: f.ended + failed, ..f }
            })
        })
    };
    let fields = ["casualties", "hesitant", "pinned", "suppressed", "reactions_failed"];
    let row = |f: Fire| {
        vec![
            f.lost,
            i32::from(f.status == 1),
            i32::from(f.status == 2),
            i32::from(f.ended > 1),
            (f.ended - 1).max(0),
        ]
    };
    for (reaction, rolls) in [("each", 2), ("element", 1)] {
        let toml = format!(
            "weapon = 'pistol'\nsaves = false\nfigures = 2\ntarget_figures = 2\nspot = 12\nfirearms = 11\n\
             morale = 13\nreaction = '{reaction}'"
        );
        let combat = contest("d20", "interrupt", &toml);
        let expected = rows(answered(rolls), row);
        assert_eq!(count_fields(&combat, &fields), expected, "{reaction}");
    }
}

#[test]
fn a_pinned_element_stays_pinned_or_surrenders() {
    // An HMG at 15: 3/4 hits; of 20^3 falls 6^3 leave the element Hesitant, so 0.72975 pin it.
    let toml = "weapon = 'HMG'\nspotted = true\nfirearms = 15\nmorale = 12\none_casualty_per_character = false\n";
    let found = |more: &str| {
        let combat = contest("d20", "fire-and-morale", &format!("{toml}{more}"));
        let fields = ["casualties", "pinned", "surrendered"];
        count_fields(&combat, &fields)
    };
    let near = |p: f64, expected: f64| assert!((p - expected).abs() < 5e-5, "{p} {expected}");
    let pinned = |row: &[i32]| row[1] == 1;
    let surrendered = |row: &[i32]| row[2] == 1;
    let one_lost = |row: &[i32]| row[0] == 1 && row[1] == 1;
    near(found("").chance_over_rows(pinned), 0.3819);
    near(found("").chance_over_rows(one_lost), 0.1620);
    near(found("").chance_over_rows(surrendered), 0.0);
    near(found("pinned_stays_pinned = false").chance_over_rows(pinned), 0.0900);
    near(found("pinned_stays_pinned = false").chance_over_rows(one_lost), 0.0324);
    let beside = "enemy_within_4 = true\n";
    near(found(beside).chance_over_rows(surrendered), 0.729_75);
    near(found(beside).chance_over_rows(pinned), 0.729_75);
    let failing = format!("{beside}surrender = 'after-failing'\n");
    near(found(&failing).chance_over_rows(surrendered), 0.3819);
    let by_margin = format!("{failing}pinned_stays_pinned = false");
    near(found(&by_margin).chance_over_rows(surrendered), 0.0900);
    // Fire alone, and fire that interrupts: the same as far as it goes.
    for action in ["shoot", "interrupt", "action-points"] {
        let spend = if action == "action-points" { "spend = 'fire'" } else { "" };
        let toml = format!("weapon = 'HMG'\nspotted = true\nfirearms = 15\n{beside}{spend}");
        let law = count_fields(&contest("d20", action, &toml), &["surrendered"]);
        near(law.chance_over_rows(|row| row[0] == 1), 0.729_75);
    }
}

#[test]
fn each_character_left_reacts_to_an_interrupt() {
    let unhurt = |more: &str| {
        let toml = format!(
            "weapon = 'bolt-action rifle'\nspotted = true\nfirearms = 11\nmorale = 12\n{more}"
        );
        let combat = contest("d20", "interrupt", &toml);
        count_fields(&combat, &["casualties", "suppressed"])
    };
    let near = |p: f64, expected: f64| assert!((p - expected).abs() < 1e-12, "{p} {expected}");
    // 11/20 of the shots hit, 8/20 of the hits fell one: 0.78 x 0.6 x 0.6, or x 0.6.
    let steady = |row: &[i32]| row == [0, 0];
    near(unhurt("target_figures = 2").chance_over_rows(steady), 0.2808);
    let one = unhurt("target_figures = 2\nreaction = 'element'");
    near(one.chance_over_rows(steady), 0.468);
    // Five figures: 0.78 + 0.22 x (four left).
    let none = 0.78 * 0.6_f64.powi(5) + 0.22 * 0.6_f64.powi(4);
    near(unhurt("").chance_over_rows(|row| row[1] == 0), none);
}

#[test]
fn every_morale_value_gives_its_bands() {
    for morale in 0..=30 {
        let counts = d20(Counts::from([(0, 1)]), |_, roll| band(roll, morale));
        let row = |ended: i32| (1..=5).map(|b| i32::from(b == ended)).collect();
        let combat = contest("d20", "morale", &format!("morale = {morale}"));
        let fields = ["let_loose", "hesitant", "go_firm", "withdraw", "pinned"];
        assert_eq!(count_fields(&combat, &fields), rows(counts, row), "morale {morale}");
    }
}

#[test]
fn a_split_of_action_points_is_its_rolls_in_order() {
    // aim-1-fire-fire at a spotted target, 4 AP: 15, then 11; a 20 loses the second shot.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    struct Shots {
        fire: Fire,
        stopped: bool,
    }
    let gun = Gun {
        shooters: 1,
        spot: 0,
        shoot: 0,
        raise: 0,
        save: false,
        once: false,
        hit: &[1],
        figures: 5,
    };
    for (toggle, loses) in [("", true), ("\ntwenty_loses_ap = false", false)] {
        let mut counts = Counts::from([(Shots { fire: Fire::default(), stopped: false }, 1)]);
        for skill in [15, 11] {
            counts = d20(counts, |s, roll| {
                let hits = !s.stopped && passes(roll, skill);
                let any_hit = s.fire.any_hit || hits;
                Shots {
                    fire: Fire { hits, any_hit, ..s.fire },
                    stopped: s.stopped || (loses && roll == 20),
                }
            });
            counts = d20(counts, |s, roll| Shots { fire: die(&gun, s.fire, roll), ..s });
        }
        let toml = format!(
            "weapon = 'bolt-action rifle'\nspotted = true\nfirearms = 11\nap = 4\nspend = 'aim-1-fire-fire'{toggle}"
        );
        let combat = contest("d20", "action-points", &toml);
        assert_eq!(count_fields(&combat, ATTACK), rows(counts, |s| attack_row(s.fire)));
    }
}
