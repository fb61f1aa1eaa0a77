//! The best faces of a throw, in registers.

use super::code::Registers;

/// Inserts a face into the best of several, the best first; 0 is a free place.
pub(super) fn insert_among_best(
    regs: &mut Registers,
    base: u8,
    count: u8,
    face: u8,
    highest: bool,
) {
    let mut face = regs[usize::from(face)];
    for kept in &mut regs[usize::from(base)..][..usize::from(count)] {
        let better = match highest {
            true => face > *kept,
            false => *kept == 0 || face < *kept,
        };
        if better && face != 0 {
            std::mem::swap(&mut face, kept);
        }
    }
}
