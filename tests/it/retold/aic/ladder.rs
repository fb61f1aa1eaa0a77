//! The ladder of dice: d12, d10, d8, d6, d4, and what a reduction by die types does to a die.
//!
//! Source: 4.2, 5.0, 6.0, 7.0 (every reduction is "by one die type", and reductions add up).

/// The dice of the game, smallest first.
pub const SIDES: &[u8] = &[4, 6, 8, 10, 12];

/// The die `steps` types below `sides`, but not below `floor` sides.
///
/// A die that stands on the floor, or below it, stays as it is. The source does not say what a
/// reduced d4 becomes, so the floor is a field of every contest.
pub fn reduced(sides: u8, steps: u8, floor: u8) -> u8 {
    let mut die = sides;
    for _ in 0..steps {
        let below = SIDES.iter().rev().find(|&&smaller| smaller < die);
        match below {
            Some(&smaller) if smaller >= floor => die = smaller,
            _ => break,
        }
    }
    die
}

#[cfg(test)]
mod tests {
    use super::reduced;

    #[test]
    fn a_die_goes_down_one_type_at_a_time_and_stops_at_the_floor() {
        let down = |steps| reduced(12, steps, 4);
        assert_eq!([0, 1, 2, 3, 4, 5].map(down), [12, 10, 8, 6, 4, 4]);
        assert_eq!((reduced(10, 3, 8), reduced(6, 1, 8)), (8, 6));
    }
}
