//! Faces that pass the same tests: where a die is only compared with numbers that are known before it falls,
//! what follows hangs on which of the tests its face passes. It is played once for all faces that pass the
//! same: of a d20 against a skill, on which a 1 succeeds and a 20 fails, for four and not for twenty.

use crate::vm::code::{Ask, Op, Program, Reg, Regs, Site, Stops, Than};

/// Tests of one face.
const MOST: usize = 16;

/// What is found on the ways from a die to where its face is forgotten.
#[derive(Default)]
struct Trail {
    asks: Vec<Ask>,
    /// Registers that are given values there.
    given: Regs,
    /// Those of them that hold numbers of the contest.
    fields: Vec<(Reg, u8)>,
}

impl Program {
    /// The tests of the face that falls at `at`, where nothing else is done with it. `live`: by operation, the
    /// registers that matter before it; `rows`: those that are not read by their number alone.
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

    /// What is found on all ways on from a die at `at`, as far as its face matters.
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
    /// The tests, each once, where what they compare with is known before the die falls; `live` matters
    /// right behind it.
    fn known_before(self, live: &Regs, rows: &Regs) -> Option<Vec<Ask>> {
        let Trail { asks, given, fields } = self;
        let mut once: Vec<Ask> = Vec::with_capacity(asks.len());
        for mut ask in asks {
            if let Than::At(reg) = ask.than {
                let mut of = fields.iter().filter(|(field, _)| *field == reg);
                match of.next() {
                    _ if rows.has(reg) || given.has(reg) => return None,
                    None => {}
                    // Given there, and only there, a number of the contest.
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

    /// One operation before which the face matters; nothing where it is more than tested.
    fn follow(&mut self, op: Op, face: Reg) -> Option<()> {
        let mut reads = op;
        let reads = reads.sources_mut().into_iter().flatten().any(|source| *source == face);
        // Remembered, or shown.
        if matches!(op, Op::Site(_) | Op::End) {
            return None;
        }
        let ask = compared(op, face);
        if reads && ask.is_none() {
            return None;
        }
        self.asks.extend(ask);
        match (op.gives(), op) {
            // What is written over the face is no face.
            (Some(given), _) if given == face => return None,
            (Some(given), Op::Field(_, slot)) => self.fields.push((given, slot)),
            (Some(given), _) => self.given.add(given),
            (None, _) => {}
        }
        Some(())
    }
}

/// The test that an operation is of a face against something else; nothing where it is none.
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
