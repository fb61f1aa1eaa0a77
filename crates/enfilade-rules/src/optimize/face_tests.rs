//! Face tests: groups the faces of a die that pass the same comparisons with numbers known before
//! the roll. Each group is played once: of a d20 against a skill, where a 1 succeeds and a 20
//! fails, four groups instead of twenty faces.

use crate::vm::code::{
    FaceTest, Instr, OnlyComparedRegister, Program, Reg, RegisterSet, SuspendKind, SuspendPoint,
    TestOperand,
};

/// Largest number of tests of one face.
const MAX_TESTS_OF_FACE: usize = 16;

/// Uses of a face on all paths from its die to where it is dead.
#[derive(Default)]
struct FaceTestsOnPaths {
    asks: Vec<FaceTest>,
    /// Registers assigned on these paths.
    assigned: RegisterSet,
    /// Assigned registers that contain parameters.
    fields: Vec<(Reg, u8)>,
}

impl Program {
    /// Returns the tests of the face rolled at `at`, if it has no other use. `live` contains, for
    /// each instruction, the live registers before it; `rows` the registers that are also accessed
    /// by index.
    pub(crate) fn tests_if_only_use(
        &self,
        at: usize,
        site: &SuspendPoint,
        live: &[RegisterSet],
        rows: &RegisterSet,
    ) -> Option<Box<[FaceTest]>> {
        let face = site.into;
        if !matches!(site.kind, SuspendKind::Die(_)) || rows.contains(face) {
            return None;
        }
        let trail = self.find_uses_after_die(at, face, live, false)?;
        let tests = trail.into_distinct_tests(&live[at + 1], rows)?;
        (tests.len() <= MAX_TESTS_OF_FACE).then(|| tests.into())
    }

    /// Finds the saved registers of each die that are only compared from there on.
    pub(crate) fn find_compared_registers(&mut self, live: &[RegisterSet]) {
        let rows = self.list_and_bag_registers();
        for at in 0..self.instrs.len() {
            let Some(site) = self.instrs[at].suspend_site() else { continue };
            if matches!(self.sites[site].kind, SuspendKind::Die(_)) {
                self.sites[site].compared = self.compared_registers(at, live, &rows);
            }
        }
    }

    /// Returns the registers that are saved at the die at `at`, and only compared from there on.
    fn compared_registers(
        &self,
        at: usize,
        live: &[RegisterSet],
        rows: &RegisterSet,
    ) -> Vec<OnlyComparedRegister> {
        let saved = live[at].iter().filter(|reg| !rows.contains(*reg));
        let compared = saved.filter_map(|reg| {
            let trail = self.find_uses_after_die(at, reg, live, true)?;
            let tests = trail.into_distinct_tests(&live[at], rows)?;
            let some = (1..=MAX_TESTS_OF_FACE).contains(&tests.len());
            some.then(|| OnlyComparedRegister { reg, tests: tests.into() })
        });
        compared.collect()
    }

    /// Returns the uses of a register on all paths after the die at `at`, up to the next die, or
    /// with `passes_dice` beyond it.
    fn find_uses_after_die(
        &self,
        at: usize,
        face: Reg,
        live: &[RegisterSet],
        passes_dice: bool,
    ) -> Option<FaceTestsOnPaths> {
        let mut trail = FaceTestsOnPaths::default();
        if passes_dice {
            trail.pass_site(self, self.instrs[at], face)?;
        }
        let (mut positions, mut next): (Vec<usize>, _) = (Vec::new(), vec![at + 1]);
        while let Some(place) = next.pop() {
            if !live[place].contains(face) || positions.contains(&place) {
                continue;
            }
            positions.push(place);
            let op = self.instrs[place];
            match passes_dice && matches!(op, Instr::Site(_)) {
                true => trail.pass_site(self, op, face)?,
                false => trail.visit_instr(op, face)?,
            }
            if op.can_fall_through() {
                next.push(place + 1);
            }
            next.extend(op.jump_target());
        }
        Some(trail)
    }
}

impl FaceTestsOnPaths {
    /// Returns the distinct tests if their operands are known before the roll. `live` contains the
    /// live registers after the die.
    fn into_distinct_tests(self, live: &RegisterSet, rows: &RegisterSet) -> Option<Vec<FaceTest>> {
        let FaceTestsOnPaths { asks, assigned: given, fields } = self;
        let mut once: Vec<FaceTest> = Vec::with_capacity(asks.len());
        for mut ask in asks {
            if let TestOperand::Register(reg) = ask.than {
                let mut of = fields.iter().filter(|(field, _)| *field == reg);
                match of.next() {
                    _ if rows.contains(reg) || given.contains(reg) => return None,
                    None => {}
                    // Assigned only on these paths, and only from this parameter.
                    Some((_, slot))
                        if !live.contains(reg) && of.all(|(_, other)| other == slot) =>
                    {
                        ask.than = TestOperand::Parameter(*slot);
                    }
                    Some(_) => return None,
                }
            }
            if !once.contains(&ask) {
                once.push(ask);
            }
        }
        Some(once)
    }

    /// Passes a die or a decision, which changes the register of its face; `None` if it reads the
    /// compared one.
    fn pass_site(&mut self, program: &Program, op: Instr, compared: Reg) -> Option<()> {
        let site = &program.sites[op.suspend_site()?];
        self.assigned.insert(site.into);
        // What a player sees or does not see is more than compared.
        if site.kind.decision().is_some() {
            return None;
        }
        let reads = site.kind.registers_read().contains(&Some(compared));
        (!reads && site.into != compared).then_some(())
    }

    /// Visits an instruction before which the face is live; `None` if it does more than test the
    /// face.
    fn visit_instr(&mut self, op: Instr, face: Reg) -> Option<()> {
        let mut reads = op;
        let reads =
            reads.scalar_registers_read_mut().into_iter().flatten().any(|source| *source == face);
        // The face is part of the state or the outcome.
        if matches!(op, Instr::Site(_) | Instr::End) {
            return None;
        }
        let ask = as_test_of_face(op, face);
        if reads && ask.is_none() {
            return None;
        }
        self.asks.extend(ask);
        match (op.written_register(), op) {
            // An assignment to the face's register replaces it.
            (Some(given), _) if given == face => return None,
            (Some(given), Instr::Field(_, slot)) => self.fields.push((given, slot)),
            (Some(given), _) => self.assigned.insert(given),
            (None, _) => {}
        }
        Some(())
    }
}

/// Returns the test of the face in an instruction, if it is one.
fn as_test_of_face(op: Instr, face: Reg) -> Option<FaceTest> {
    let known = if let Instr::UnlessCmpK(two, a, k, _) = op {
        Some((two, a, i64::from(k)))
    } else if let Instr::BinK(two, _, a, k) = op {
        Some((two, a, k.into()))
    } else {
        None
    };
    if let Some((two, a, k)) = known {
        return (a == face && two.is_comparison())
            .then_some(FaceTest { two, than: TestOperand::Constant(k) });
    }
    let (Instr::UnlessCmp(two, a, b, _) | Instr::Bin(two, _, a, b)) = op else { return None };
    if !two.is_comparison() || (a == face) == (b == face) {
        return None;
    }
    Some(match a == face {
        true => FaceTest { two, than: TestOperand::Register(b) },
        false => FaceTest { two: two.with_swapped_sides()?, than: TestOperand::Register(a) },
    })
}
