//! Face tests with their operands: the set of tests that a face passes.

use super::code::{Ask, Registers, Than, Two};

/// Tests of a face with known operands.
#[derive(Default)]
pub struct Asked(Vec<(Two, i64)>);

impl Asked {
    /// Loads the operands of the tests at a suspend point.
    pub fn ready(&mut self, asks: &[Ask], regs: &Registers, numbers: &[i64]) {
        self.0.clear();
        self.0.extend(asks.iter().map(|ask| {
            let than = match ask.than {
                Than::Is(value) => value,
                Than::At(reg) => regs[usize::from(reg)],
                Than::Field(slot) => numbers[usize::from(slot)],
            };
            (ask.two, than)
        }));
    }

    /// Returns the tests that a face passes, as a bit set.
    pub fn passed(&self, face: u8) -> u16 {
        let tests = self.0.iter().enumerate();
        tests.fold(0, |passed, (at, (two, than))| {
            passed | u16::from(two.holds(face.into(), *than)) << at
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_pass_what_they_pass() {
        let asks = [
            Ask { two: Two::Ne, than: Than::Is(20) },
            Ask { two: Two::Le, than: Than::At(3) },
            Ask { two: Two::Eq, than: Than::Field(1) },
        ];
        let (mut regs, mut asked) = ([0; 256], Asked::default());
        regs[3] = 11;
        asked.ready(&asks, &regs, &[0, 1]);
        let passed = [1, 2, 11, 12, 19, 20].map(|face| asked.passed(face));
        assert_eq!(passed, [0b111, 0b011, 0b011, 0b001, 0b001, 0b000]);
    }
}
