//! A skill check: one d20, which succeeds when it does not exceed the modified skill.
//!
//! Source: SKILLS. A 20 always fails; that a 1 always succeeds is our reading of "the best possible
//! result" and a field of every contest.

/// The die of every check.
pub const D20: u8 = 20;

/// Always fails, and loses the character its remaining AP.
pub const WORST: u8 = 20;

/// The best possible result.
pub const BEST: u8 = 1;

/// A check against a modified skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Check {
    /// Skill with all modifiers; may be below 1 or above 20.
    pub skill: i16,
    /// Whether a natural 1 succeeds against any skill.
    pub one_succeeds: bool,
}

impl Check {
    /// Whether `roll` succeeds.
    pub fn passes(self, roll: u8) -> bool {
        match roll {
            WORST => false,
            BEST if self.one_succeeds => true,
            _ => i16::from(roll) <= self.skill,
        }
    }

    /// By how much the skill exceeds the die: added to each damage die of a hit.
    pub fn excess(self) -> i16 {
        (self.skill - i16::from(D20)).max(0)
    }

    /// By how much `roll` fails; `None` when it succeeds. A 20 fails by at least 1.
    pub fn fails_by(self, roll: u8) -> Option<i16> {
        let by = (i16::from(roll) - self.skill).max(1);
        (!self.passes(roll)).then_some(by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_up_to_the_skill_but_never_on_twenty_and_always_on_one() {
        for skill in -10..=30_i16 {
            for one_succeeds in [true, false] {
                let check = Check { skill, one_succeeds };
                let passed: Vec<u8> = (1..=20).filter(|&roll| check.passes(roll)).collect();
                let most = skill.clamp(i16::from(one_succeeds), 19) as u8;
                assert_eq!(passed, (1..=most).collect::<Vec<_>>(), "{check:?}");
            }
        }
    }

    #[test]
    fn twenty_fails_by_one_at_least_and_the_excess_counts_from_twenty() {
        let check = |skill| Check { skill, one_succeeds: true };
        assert_eq!(check(25).fails_by(20), Some(1));
        assert_eq!(check(12).fails_by(20), Some(8));
        assert_eq!((check(12).fails_by(12), check(12).fails_by(13)), (None, Some(1)));
        assert_eq!((check(25).excess(), check(20).excess(), check(-3).excess()), (5, 0, 0));
    }
}
