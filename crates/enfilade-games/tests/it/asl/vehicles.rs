//! Vehicles under fire (A7.307–A7.309).
//!
//! Fields of an outcome: 0 eliminated, 2 broken, 5 wrecked, 6 destroyed, 7 immobilised.

use crate::asl::play::{law_of, play_contest, right, ways};

const TRUCK: &str = "[[target]]\nvehicle = 'unarmoured'\n";

#[test]
fn every_column_has_its_kill_number() {
    let columns = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36];
    for (fp, kill) in columns.into_iter().zip(3..) {
        let law = law_of("fire", &format!("fp = {fp}\ncowers = false\n{TRUCK}"));
        let burns = ways(|dr| 2 * dr <= kill);
        // Where an Original 2 only eliminates, its Unlikely Kill burns the truck on a dr of 1.
        let burns = if burns == 0 { 1 } else { burns * 6 };
        assert!(law.is(|row| row[5] == 1, burns, 216), "{fp} FP");
        assert!(law.is(|row| row[5] + row[6] == 1, ways(|dr| dr < kill), 36), "{fp} FP");
        assert!(law.is(|row| row[7] == 1, ways(|dr| dr == kill), 36), "{fp} FP");
    }
}

#[test]
fn cowering_lowers_the_kill_number() {
    // Kill Number 7 on the 8 column; Original 6 as 3, 3 is read on the 6 column, where it is 6.
    let contest = right("fire", &format!("fp = 8\n{TRUCK}"));
    assert_eq!(play_contest(&contest, &[3, 3])[5..8], [0, 0, 1]);
    assert_eq!(play_contest(&contest, &[2, 4])[5..8], [0, 1, 0]);
    // Off the table there is nothing, not even an Unlikely Kill.
    let contest = right("fire", &format!("fp = 1\n{TRUCK}"));
    assert_eq!(play_contest(&contest, &[1, 1]), [0; 9]);
    // An incremental column uses the lower Kill Number: 5 FP that of 4.
    let contest = right("fire", &format!("table = 'iift'\nfp = 5\n{TRUCK}"));
    assert_eq!(play_contest(&contest, &[2, 3])[5..8], [0, 0, 1]);
}

#[test]
fn an_unlikely_kill_is_the_better_of_two() {
    let no_hope = format!("fp = 4\ndrm = 9\ncowers = false\n{TRUCK}");
    let expected = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]];
    for (dr, result) in (1..=6).zip(expected) {
        assert_eq!(play_contest(&right("fire", &no_hope), &[1, 1, dr])[5..8], result, "dr {dr}");
    }
    let down = right("fire", &format!("{no_hope}hull_down = true"));
    assert_eq!(play_contest(&down, &[1, 1, 3])[5..8], [0, 0, 0]);
    // Kill Number 5, Final 4: eliminated anyway, burning on a 1.
    let hit = right("fire", &format!("fp = 4\ndrm = 2\ncowers = false\n{TRUCK}"));
    assert_eq!(play_contest(&hit, &[1, 1, 6])[5..8], [0, 1, 0]);
    assert_eq!(play_contest(&hit, &[1, 1, 1])[5..8], [1, 0, 0]);
}

#[test]
fn a_hull_down_vehicle_is_not_immobilised() {
    let law = law_of("fire", &format!("fp = 8\ncowers = false\n{TRUCK}hull_down = true"));
    assert!(law.is(|row| row[7] > 0, 0, 1));
    assert!(law.is(|row| row[5] + row[6] == 1, ways(|dr| dr < 7), 36));
}

#[test]
fn no_more_vehicles_are_hit_than_the_largest_kia() {
    let most = [(1, 1), (2, 2), (4, 2), (6, 3), (8, 3), (12, 3), (16, 4), (24, 5)];
    for (fp, most) in most {
        let law = law_of("fire", &format!("fp = {fp}\n{TRUCK}count = 6"));
        let hit = law.rows.keys().map(|row| row[5] + row[6] + row[7]).max();
        assert_eq!(hit, Some(most), "{fp} FP");
    }
    // Two trucks, one hull down, and only one can be hit by 1 FP: an Original 3 immobilises the
    // other one half of the time.
    let text = format!("fp = 1\ncowers = false\n{TRUCK}hull_down = true\n{TRUCK}");
    assert!(law_of("fire", &text).is(|row| row[7] == 1, 1, 36));
}

#[test]
fn passengers_of_an_eliminated_vehicle_must_survive() {
    let loaded = format!("{TRUCK}kind = 'half-squad'\nmorale = 7\npassengers = 2\n");
    let contest = right("fire", &format!("fp = 8\n{loaded}"));
    assert_eq!(play_contest(&contest, &[2, 4, 3, 4, 4, 4])[..7], [1, 0, 0, 0, 0, 0, 1]);
    let hard = right("fire", &format!("fp = 8\nsurvival = 4\n{loaded}"));
    assert_eq!(play_contest(&hard, &[2, 4, 2, 2, 2, 3])[..7], [1, 0, 0, 0, 0, 0, 1]);
    // A burning wreck takes both: Final 3 is half of 7 or less.
    assert_eq!(play_contest(&contest, &[1, 2])[..7], [2, 0, 0, 0, 0, 1, 0]);
}

#[test]
fn passengers_of_other_vehicles_suffer_the_attack() {
    // Final 8 on the 8 column misses the truck (Kill Number 7) and is an NMC for its passengers.
    let loaded = format!("fp = 8\n{TRUCK}kind = 'crew'\nmorale = 7\n");
    assert_eq!(play_contest(&right("fire", &loaded), &[3, 5, 4, 4])[..4], [0, 0, 1, 0]);
    // With a DRM of their own they have a Final 10: no effect.
    let safe = format!("collateral_drm = 2\n{loaded}");
    assert_eq!(play_contest(&right("fire", &safe), &[3, 5]), [0; 9]);
    let closed = format!("{loaded}vulnerable = false");
    assert_eq!(play_contest(&right("fire", &closed), &[3, 5]), [0; 9]);
}

#[test]
fn armour_is_not_affected() {
    let tank = "[[target]]\nvehicle = 'armoured'\nkind = 'crew'\nmorale = 7\n";
    let law = law_of("fire", &format!("fp = 36\ndrm = -9\n{tank}"));
    assert!(law.is(|row| row.iter().all(|n| *n == 0), 1, 1));
    let open = format!("fp = 8\n{tank}vulnerable = true");
    assert_eq!(play_contest(&right("fire", &open), &[3, 5, 4, 4])[..4], [0, 0, 1, 0]);
}

#[test]
fn which_vehicles_are_hit_is_drawn_only_where_it_matters() {
    // 1 FP hits one vehicle, Kill Number 3. Final 7 harms none: nothing is drawn.
    let three = right("fire", &format!("fp = 1\ncowers = false\n{TRUCK}count = 3"));
    assert_eq!(play_contest(&three, &[3, 4]), [0; 9]);
    // Final 3: the first of two is drawn, so there is nothing to draw for the second.
    let two = right("fire", &format!("fp = 1\ncowers = false\n{TRUCK}count = 2"));
    assert_eq!(play_contest(&two, &[1, 2, 1])[5..8], [0, 0, 1]);
    // One of three is hull down: an Original 3 (2 of 36) immobilises one of the others two times in
    // three.
    let text = format!("fp = 1\ncowers = false\n{TRUCK}hull_down = true\n{TRUCK}count = 2");
    assert!(law_of("fire", &text).is(|row| row[7] == 1, 2 * 2, 36 * 3));
}
