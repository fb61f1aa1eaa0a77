//! Firers and their weapons: cowering, leaders, support weapons, machine guns, circumstances.

use crate::asl::play::{law_of, right, ways};
use crate::harness::play::trace_play_with_spare;

const SQUAD: &str = "[[target]]\nkind = 'squad'\nmorale = 7\n";

/// Returns the first explanation of an attack with these dice.
fn telling(fields: &str, dice: [u8; 2]) -> String {
    let mut faces = dice.to_vec();
    faces.extend([1; 60]);
    let contest = right("fire", &format!("{fields}\n{SQUAD}"));
    trace_play_with_spare(&contest.combat, &faces).0[0].1.clone()
}

#[test]
fn who_cowers_and_who_does_not() {
    let unit =
        |unit: &str, nation: &str| format!("[[firer]]\nunit = '{unit}'\nnation = '{nation}'\n");
    let firer = |fields: &str| format!("[[firer]]\n{fields}\n");
    let steady = [
        unit("6-4-8", "British"),
        unit("4-5-8", "British"),
        unit("4-5-7", "British"),
        unit("8-3-8", "Finnish"),
        unit("6-4-8", "Finnish"),
        unit("5-3-8", "Finnish"),
        firer("fp = 4\nunit_kind = 'hero'"),
        firer("fp = 4\nunit_kind = 'leader'"),
        firer("fp = 4\nkind = 'ordnance'"),
        firer("fp = 4\nkind = 'canister'"),
        firer("fp = 4\nkind = 'ife'"),
        firer("fp = 4\nexempt = 'berserk'"),
        firer("fp = 4\nexempt = 'fanatic'"),
        firer("fp = 4\nexempt = 'fire-lane'"),
        firer("fp = 4\nexempt = 'aircraft'"),
        firer("fp = 4\nexempt = 'vehicle'"),
        firer("fp = 4\nexempt = 'sniper'"),
        "fp = 4\ncowers = false".to_owned(),
        "fp = 4\nleader = '8-0'".to_owned(),
        unit("4-5-7", "British") + &firer("weapon = 'LMG'\nnation = 'British'"),
    ];
    let nervous = [
        unit("4-4-7", "British"),
        unit("4-3-6", "British"),
        unit("4-6-8", "German"),
        unit("4-5-7", "French"),
        firer("fp = 4\nkind = 'mg'"),
        firer("fp = 4\nkind = 'flamethrower'"),
        firer("fp = 4\nunit_kind = 'crew'"),
        firer("weapon = 'LMG'\nnation = 'British'"),
        unit("4-5-7", "British") + &unit("4-4-7", "British"),
        "fp = 4".to_owned(),
    ];
    for fields in steady {
        let text = telling(&fields, [2, 2]);
        assert!(!text.contains("cowers"), "{fields}: {text}");
    }
    for fields in nervous {
        let text = telling(&fields, [2, 2]);
        assert!(text.contains("cowers"), "{fields}: {text}");
        assert!(!telling(&fields, [1, 3]).contains("cowers"), "{fields}");
    }
}

#[test]
fn a_leader_directs_only_if_every_location_has_one() {
    let two = "fp = 4\nlocations = 2\nleaders = ['9-2', '8-0']";
    assert!(telling(two, [1, 3]).contains("DRM +0"), "the worst one counts");
    assert!(!telling(two, [2, 2]).contains("cowers"));
    let one = "fp = 4\nlocations = 2\nleader = '9-2'";
    assert!(telling(one, [2, 2]).contains("DRM +0"));
    assert!(telling(one, [2, 2]).contains("cowers"));
    let contest = right("fire", &format!("{one}\n{SQUAD}"));
    assert!(contest.notes[0].contains("A7.531"));
    assert!(telling("fp = 4\nleader = '6+1'", [1, 3]).contains("DRM +1"));
}

#[test]
fn in_one_location_the_best_leader_directs() {
    // A7.531: the lowest quality counts for a group in several Locations; in one, one leader
    // directs.
    for leaders in ["['9-2', '8-0']", "['8-0', '9-2']"] {
        let one = format!("fp = 4\nleaders = {leaders}");
        assert!(telling(&one, [1, 3]).contains("DRM -2"), "{leaders}");
        let contest = right("fire", &format!("{one}\n{SQUAD}"));
        assert_eq!(
            contest.notes,
            ["several leaders for one Location: the best one directs the fire (A7.531); a \
              group may fire from more than one"]
        );
    }
    for quiet in ["leaders = ['9-2']", "locations = 2\nleaders = ['9-2', '8-0']"] {
        let contest = right("fire", &format!("fp = 4\n{quiet}\n{SQUAD}"));
        assert!(contest.notes.is_empty(), "{quiet}: {:?}", contest.notes);
    }
    // The places of the three are unknown: the worst of them may be alone in a Location.
    let three = "fp = 4\nlocations = 2\nleaders = ['9-2', '8-0', '9-1']";
    assert!(telling(three, [1, 3]).contains("DRM +0"));
}

#[test]
fn what_a_firer_says_in_vain_is_noted() {
    let notes = |fields: &str| right("fire", &format!("{fields}\n{SQUAD}")).notes;
    let german = "[[firer]]\nunit = '5-4-8'\nnation = 'German SS'\n";
    let plain = "[[firer]]\nunit = '4-6-7'\n";
    let only = |notes: Vec<String>, said: &str| {
        assert!(notes.len() == 1 && notes[0].starts_with(said), "{notes:?}");
    };
    // A7.36: the Advancing Fire phase, a squad that has it, its normal range of 4, no Opportunity
    // Fire.
    let advancing = "phase = 'advancing'\nassault_fire = true\n";
    assert!(notes(&format!("{advancing}{german}")).is_empty());
    assert!(notes(&format!("{advancing}{german}{plain}")).is_empty());
    for fields in [
        format!("assault_fire = true\n{german}"),
        format!("{german}assault_fire = true\n"),
        format!("{advancing}{plain}"),
        format!("{advancing}range = 5\n{german}"),
        format!("{advancing}opportunity_fire = true\n{german}"),
        format!("{advancing}[[firer]]\nunit_kind = 'crew'\nfp = 4\n"),
    ] {
        only(notes(&fields), "`assault_fire` adds nothing");
    }
    // A7.25, once for all who choose it.
    assert!(notes(&format!("phase = 'advancing'\nopportunity_fire = true\n{plain}")).is_empty());
    let two = format!("{plain}opportunity_fire = true\n").repeat(2);
    for fields in [format!("phase = 'prep'\nopportunity_fire = true\n{plain}"), two] {
        only(notes(&fields), "`opportunity_fire` changes nothing");
    }
    // A7.22: the example of the rules page has the printed range as `range`.
    only(notes("firer = [{ fp = 4, range = 6 }]"), "`range` of a firer is hexes to the target");
    assert!(notes("firer = [{ fp = 4, range = 6, normal_range = 3 }]").is_empty());
    assert!(notes("range = 6\nfirer = [{ fp = 4 }]").is_empty());
}

#[test]
fn poor_squads_cower_once_unless_said_to_be_inexperienced() {
    // A7.9 doubles the penalty for the Inexperienced; the section does not define them (A19.33).
    let note = |fields: &str| right("fire", &format!("{fields}\n{SQUAD}")).notes;
    let firer =
        |unit: &str, nation: &str| format!("[[firer]]\nunit = '{unit}'\nnation = '{nation}'\n");
    for (unit, nation, class) in [
        ("4-3-6", "German", "C"),
        ("2-3-6", "German", "C"),
        ("4-2-6", "Russian", "C"),
        ("5-3-6", "American", "G"),
    ] {
        let firer = firer(unit, nation);
        let said = format!(
            "whether the {unit} (class {class}) is inexperienced is not derived from its class: say \
             so with `inexperienced` (A7.9, A19.33)"
        );
        assert_eq!(note(&firer), [said]);
        for settled in [
            "inexperienced = false\n",
            "inexperienced = true\n",
            "leader = '8-0'\n",
            "cowers = false\n",
        ] {
            assert!(note(&format!("{settled}{firer}")).is_empty(), "{settled}");
        }
    }
    assert_eq!(note(&firer("4-3-6", "German").repeat(2)).len(), 1);
    assert!(note(&firer("4-6-7", "German")).is_empty());
    assert!(note(&firer("5-3-8", "Finnish")).is_empty(), "they do not cower");
    let poor = firer("4-3-6", "German");
    assert!(telling(&poor, [2, 2]).contains("cowers to the 2 column"));
    let raw = format!("inexperienced = true\n{poor}");
    assert!(telling(&raw, [2, 2]).contains("cowers to the 1 column"));
}

#[test]
fn an_anti_tank_rifle_fires_on_when_its_firer_is_pinned() {
    // A7.8 halves inherent firepower, A7.81 MG, IFE and Canister; neither names the ATR, A7.24
    // does.
    let fired = |fields: &str| telling(&format!("{fields}\nfp = 4\n"), [1, 2]);
    let rifle = "[[firer]]\nkind = 'atr'";
    assert!(fired(&format!("{rifle}\npinned = true")).starts_with("atr 4: 4 firepower"));
    let advancing = format!("phase = 'advancing'\n{rifle}\npinned = true");
    assert!(fired(&advancing).starts_with("atr 2: 2 firepower"));
    let halved = format!("{rifle}\npinned = true\narea_fire = 1");
    assert!(fired(&halved).starts_with("atr 2: 2 firepower"));
    for kind in ["mg", "ife", "canister"] {
        let text = fired(&format!("[[firer]]\nkind = '{kind}'\npinned = true"));
        assert!(text.starts_with(&format!("{kind} 2: 2 firepower")), "{text}");
    }
}

#[test]
fn support_weapons_cost_inherent_firepower() {
    let fired = |fields: &str| telling(&format!("[[firer]]\n{fields}\n"), [1, 2]);
    let squad = "unit = '4-6-7'\n";
    let one = fired(&format!("{squad}weapons = ['LMG']"));
    assert!(one.starts_with("4-6-7 4 + LMG 3: 7 firepower"), "{one}");
    let two = fired(&format!("{squad}weapons = ['LMG', 'MMG']"));
    assert!(two.starts_with("LMG 3 + MMG 5: 8 firepower"), "{two}");
    let gun = fired(&format!("{squad}weapons = ['LMG']\nfire_inherent = false"));
    assert!(gun.starts_with("LMG 3: 3 firepower"), "{gun}");
    let half = fired("unit = '2-4-7'\nnation = 'German'\nweapons = ['LMG']");
    assert!(half.starts_with("LMG 3: 3 firepower"), "{half}");
    for kind in ["crew", "half-squad", "leader", "hero"] {
        let text =
            fired(&format!("fp = 2\nunit_kind = '{kind}'\nweapon = 'MMG'\nnation = 'German'"));
        assert!(text.starts_with("MMG 5: 5 firepower"), "{kind}: {text}");
    }
    // An SS squad uses German guns, a Marine one American guns.
    let ss = fired("unit = '6-5-8'\nweapons = ['HMG']");
    assert!(ss.starts_with("6-5-8 6 + HMG 7: 13 firepower"), "{ss}");
}

#[test]
fn every_machine_gun_has_its_numbers() {
    // Nation, gun, firepower, range, rate of fire, breakdown number, as on the counters.
    let guns = [
        ("German", "LMG", 3, 8, 1, 12),
        ("German", "MMG", 5, 12, 2, 12),
        ("German", "HMG", 7, 16, 3, 12),
        ("Russian", "LMG", 2, 6, 1, 11),
        ("Russian", "MMG", 4, 10, 2, 11),
        ("Russian", "HMG", 6, 12, 3, 12),
        ("Russian", "HMG .50", 8, 16, 3, 12),
        ("American", "LMG", 2, 6, 1, 11),
        ("American", "MMG", 4, 10, 2, 12),
        ("American", "HMG", 6, 12, 3, 12),
        ("American", "HMG .50", 8, 16, 3, 12),
        ("British", "LMG", 2, 7, 1, 12),
        ("British", "MMG", 4, 12, 2, 12),
        ("British", "HMG", 6, 14, 3, 12),
        ("British", "HMG(a) .50", 8, 16, 3, 12),
    ];
    for (nation, gun, fp, range, rate, breakdown) in guns {
        let at = |range: i32| {
            format!("range = {range}\n[[firer]]\nweapon = '{gun}'\nnation = '{nation}'")
        };
        let (near, far) = (telling(&at(range), [1, 2]), telling(&at(range + 1), [1, 2]));
        assert!(near.starts_with(&format!("{gun} {fp}: {fp} firepower")), "{near}");
        let half = if fp % 2 == 0 { format!("{}", fp / 2) } else { format!("{}.5", fp / 2) };
        assert!(far.starts_with(&format!("{gun} {half}: ")), "{far}");
        let text = format!("drm = 20\ncowers = false\n{}\n{SQUAD}", at(range));
        let law = law_of("rof", &text);
        let lost = ways(|dr| dr >= breakdown);
        assert!(law_of("fire", &text).is(|row| row[8] == 1, lost, 36), "{nation} {gun}");
        assert!(law.is(|row| row[9] > 1, rate * 6, 36), "{nation} {gun}");
    }
}

#[test]
fn firers_and_contest_share_their_circumstances() {
    let pair = "[[firer]]\nfp = 4\n[[firer]]\nfp = 4\nphase = 'prep'\n";
    let text = telling(&format!("phase = 'advancing'\n{pair}"), [1, 2]);
    assert!(text.contains("small-arms 2 + small-arms 4: 6 firepower"), "{text}");
    let near = telling("triple_point_blank = true\n[[firer]]\nfp = 2", [1, 2]);
    assert!(near.contains("6 firepower"), "{near}");
    let pinned = telling("[[firer]]\nfp = 4\npinned = true", [1, 2]);
    assert!(pinned.contains("2 firepower"), "{pinned}");
    let hidden = telling("area_fire = 2\n[[firer]]\nfp = 4", [1, 2]);
    assert!(hidden.contains("1 firepower"), "{hidden}");
    let waited = telling("phase = 'advancing'\nopportunity_fire = true\n[[firer]]\nfp = 4", [1, 2]);
    assert!(waited.contains("4 firepower"), "{waited}");
}

#[test]
fn unnamed_squads_use_assault_fire_when_told_to() {
    // A7.36: 6 factors are 3 in the Advancing Fire phase, and one more for a squad's small arms.
    let fired = |fields: &str| telling(&format!("phase = 'advancing'\n{fields}"), [1, 2]);
    let firer = "[[firer]]\nfp = 6\n";
    let on = format!("assault_fire = true\n{firer}");
    assert!(fired(&on).starts_with("small-arms 4: 4 firepower"));
    assert!(fired(firer).starts_with("small-arms 3: 3 firepower"));
    for kind in ["half-squad", "crew", "hero"] {
        let text = fired(&format!("{on}unit_kind = '{kind}'"));
        assert!(text.starts_with("small-arms 3: 3 firepower"), "{text}");
    }
    assert!(fired(&format!("{on}kind = 'mg'")).starts_with("mg 3: 3 firepower"));
}

#[test]
fn a_named_gun_needs_no_factors_of_its_own() {
    let gun = "[[firer]]\nweapon = 'MMG'\nnation = 'German'\n";
    let text = telling(&format!("{gun}kind = 'mg'"), [1, 2]);
    assert!(text.starts_with("MMG 5: 5 firepower"), "{text}");
}

#[test]
fn three_hexes_are_the_limit_of_squads_not_of_guns() {
    // A7.34: Spraying Fire halves, German MMG 5 and LMG 3; only a squad's own reaches no farther.
    let gun = "[[firer]]\nweapon = 'MMG'\nnation = 'German'\n";
    let text = telling(&format!("range = 7\n{gun}spraying_fire = true"), [1, 2]);
    assert!(text.starts_with("MMG 2.5: 2.5 firepower"), "{text}");
    let manned = "[[firer]]\nunit = '4-6-7'\nweapons = ['LMG']\nfire_inherent = false\n";
    let text = telling(&format!("range = 7\n{manned}spraying_fire = true"), [1, 2]);
    assert!(text.starts_with("LMG 1.5: 1.5 firepower"), "{text}");
}
