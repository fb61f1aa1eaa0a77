//! Face tests: groups the faces of a die that pass the same comparisons with numbers known before
//! the roll. Each group is played once: of a d20 against a skill, where a 1 succeeds and a 20
//! fails, four groups instead of twenty faces.

use crate::vm::code::{Ask, Op, Program, Reg, Regs, Site, Stops, Than};

/// Largest number of tests of one face.
const MOST: usize = 16;

/// Uses of a face on all paths from its die to where it is dead.
#[derive(Default)]
struct Trail {
    asks: Vec<Ask>,
    /// Registers assigned on these paths.
    given: Regs,
    /// Assigned registers that contain parameters.
    fields: Vec<(Reg, u8)>,
}

impl Program {
    /// Returns the tests of the face rolled at `at`, if it has no other use. `live` contains, for
    /// each instruction, the live registers before it; `rows` the registers that are also accessed
    /// by index.
    pub(crate) fn asks(
        &self,
        at: usize,
        site: &Site,
        live: &[Regs],
        rows: &Regs,
    ) -> Option<Box<[Ask]>> {
        let face = site.into;
        if !matches!(site.stops, Stops::Die(_)) || rows.has(face) {
            return None;
        }
        let trail = self.trail(at, face, live)?;
        let asks = trail.known_before(&live[at + 1], rows)?;
        (asks.len() <= MOST).then(|| asks.into())
    }

    /// Returns the uses of a face on all paths after the die at `at`.
    fn trail(&self, at: usize, face: Reg, live: &[Regs]) -> Option<Trail> {
        let mut trail = Trail::default();
        let mut seen: Vec<usize> = Vec::new();
        let mut next = vec![at + 1];
        while let Some(place) = next.pop() {
            if !live[place].has(face) || seen.contains(&place) {
                continue;
            }
            seen.push(place);
            let op = self.ops[place];
            trail.follow(op, face)?;
            if op.goes_on() {
                next.push(place + 1);
            }
            next.extend(op.target());
        }
        Some(trail)
    }
}

impl Trail {
    /// Returns the distinct tests if their operands are known before the roll. `live` contains the
    /// live registers after the die.
    fn known_before(self, live: &Regs, rows: &Regs) -> Option<Vec<Ask>> {
        let Trail { asks, given, fields } = self;
        let mut once: Vec<Ask> = Vec::with_capacity(asks.len());
        for mut ask in asks {
            if let Than::At(reg) = ask.than {
                let mut of = fields.iter().filter(|(field, _)| *field == reg);
                match of.next() {
                    _ if rows.has(reg) || given.has(reg) => return None,
                    None => {}
                    // Assigned only on these paths, and only from this parameter.
                    Some((_, slot)) if !live.has(reg) && of.all(|(_, other)| other == slot) => {
                        ask.than = Than::Field(*slot);
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

    /// Visits an instruction before which the face is live; `None` if it does more than test the
    /// face.
    fn follow(&mut self, op: Op, face: Reg) -> Option<()> {
        let mut reads = op;
        let reads = reads.sources_mut().into_iter().flatten().any(|source| *source == face);
        // The face is part of the state or the outcome.
        if matches!(op, Op::Site(_) | Op::End) {
            return None;
        }
        let ask = compared(op, face);
        if reads && ask.is_none() {
            return None;
        }
        self.asks.extend(ask);
        match (op.gives(), op) {
            // An assignment to the face's register replaces it.
            (Some(given), _) if given == face => return None,
            (Some(given), Op::Field(_, slot)) => self.fields.push((given, slot)),
            (Some(given), _) => self.given.add(given),
            (None, _) => {}
        }
        Some(())
    }
}

/// Returns the test of the face in an instruction, if it is one.
fn compared(op: Op, face: Reg) -> Option<Ask> {
    let known = if let Op::UnlessCmpK(two, a, k, _) = op {
        Some((two, a, i64::from(k)))
    } else if let Op::BinK(two, _, a, k) = op {
        Some((two, a, k.into()))
    } else {
        None
    };
    if let Some((two, a, k)) = known {
        return (a == face && two.is_test()).then_some(Ask { two, than: Than::Is(k) });
    }
    let (Op::UnlessCmp(two, a, b, _) | Op::Bin(two, _, a, b)) = op else { return None };
    if !two.is_test() || (a == face) == (b == face) {
        return None;
    }
    Some(match a == face {
        true => Ask { two, than: Than::At(b) },
        false => Ask { two: two.mirrored()?, than: Than::At(a) },
    })
}
