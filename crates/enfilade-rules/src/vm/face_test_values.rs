//! Face tests with their operands: the set of tests that a face passes.

use super::code::{BinOp, FaceTest, Registers, TestOperand};

/// Tests of a face with known operands.
#[derive(Default)]
pub struct FaceTestsWithOperands(Vec<(BinOp, i64)>);

impl FaceTestsWithOperands {
    /// Loads the operands of the tests at a suspend point.
    pub fn load_operands(&mut self, tests: &[FaceTest], regs: &Registers, numbers: &[i64]) {
        self.0.clear();
        self.0.extend(tests.iter().map(|ask| {
            let than = match ask.than {
                TestOperand::Constant(value) => value,
                TestOperand::Register(reg) => regs[usize::from(reg)],
                TestOperand::Parameter(slot) => numbers[usize::from(slot)],
            };
            (ask.two, than)
        }));
    }

    /// Returns the tests that a face passes, as a bit set.
    pub fn tests_passed_by_face(&self, face: u8) -> u16 {
        let tests = self.0.iter().enumerate();
        tests.fold(0, |passed, (at, (two, than))| {
            passed | u16::from(two.is_true_for(face.into(), *than)) << at
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_pass_what_they_pass() {
        let asks = [
            FaceTest { two: BinOp::Ne, than: TestOperand::Constant(20) },
            FaceTest { two: BinOp::Le, than: TestOperand::Register(3) },
            FaceTest { two: BinOp::Eq, than: TestOperand::Parameter(1) },
        ];
        let (mut regs, mut asked) = ([0; 256], FaceTestsWithOperands::default());
        regs[3] = 11;
        asked.load_operands(&asks, &regs, &[0, 1]);
        let passed = [1, 2, 11, 12, 19, 20].map(|face| asked.tests_passed_by_face(face));
        assert_eq!(passed, [0b111, 0b011, 0b011, 0b001, 0b001, 0b000]);
    }
}
