//! Where a round may go off, as far as it matters to anybody near.
//!
//! Source: Advanced Explosives (rings, obstacles, scatter). Dots from which everybody near is in the
//! same ring are one spot: six scattered dots around a man alone are one, and those that reach nobody
//! are one for all.

use super::hex_grid::{Dot, apart, between, scattered};

/// The spots of an explosion.
pub struct Spots {
    /// By spot, the ring that each trooper is in; the first one reaches nobody.
    rings: Vec<Vec<Option<usize>>>,
    aimed: u8,
    /// By face of the scatter die.
    missed: [u8; 6],
}

/// A spot that reaches nobody, such as none at all.
pub const NOWHERE: u8 = 0;

impl Spots {
    /// Those of a blast with so many rings that scatters so many dots, among `troopers` and `walls`.
    pub fn of(troopers: &[Dot], walls: &[Dot], rings: usize, distance: i8) -> Spots {
        let mut spots =
            Spots { rings: vec![vec![None; troopers.len()]], aimed: NOWHERE, missed: [NOWHERE; 6] };
        let mut spot = |(q, r): (i8, i8)| {
            let from = (q.into(), r.into());
            let reached: Vec<_> =
                troopers.iter().map(|&to| reached(from, to, rings, walls)).collect();
            let known = spots.rings.iter().position(|known| *known == reached);
            known.unwrap_or_else(|| {
                spots.rings.push(reached);
                spots.rings.len() - 1
            }) as u8
        };
        let aimed = spot((0, 0));
        let missed = [1, 2, 3, 4, 5, 6].map(|face| spot(scattered(distance, face)));
        Spots { aimed, missed, ..spots }
    }

    /// Where a hit goes off.
    pub fn aimed(&self) -> u8 {
        self.aimed
    }

    /// Where a miss goes off that the scatter die sends away.
    pub fn missed(&self, face: u8) -> u8 {
        self.missed[usize::from(face) - 1]
    }

    /// The ring in which a trooper is of what goes off there; `None` out of its reach.
    pub fn ring(&self, spot: u8, trooper: usize) -> Option<usize> {
        self.rings[usize::from(spot)][trooper]
    }
}

/// Advanced Explosives: "the point of detonation, the adjacent dots, the dots 2 away from the
/// detonation, and so on"; "impassible obstacles … block".
fn reached(from: Dot, to: Dot, rings: usize, walls: &[Dot]) -> Option<usize> {
    let ring = apart(from, to);
    (ring < rings && !between(from, to, walls)).then_some(ring)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_that_are_alike_for_everybody_are_one_spot() {
        // A man on the aimed dot is one dot from each that a miss goes to.
        let alone = Spots::of(&[(0, 0)], &[], 3, 1);
        assert_eq!(alone.rings.len(), 3);
        assert_eq!([1, 2, 3, 4, 5, 6].map(|face| alone.missed(face)), [alone.missed(1); 6]);
        let rings = [alone.aimed(), alone.missed(1), NOWHERE].map(|spot| alone.ring(spot, 0));
        assert_eq!(rings, [Some(0), Some(1), None]);
        // Out of reach of all of them there is but one, nowhere.
        let far = Spots::of(&[(9, 0)], &[], 3, 1);
        assert_eq!((far.rings.len(), far.aimed(), far.missed(4)), (1, NOWHERE, NOWHERE));
        // Two men tell all seven dots apart but (0, -1) and (-1, 0), which are 2 and 3 dots from them.
        let two = Spots::of(&[(1, 0), (0, 2)], &[], 4, 1);
        assert_eq!((two.rings.len(), two.missed(3)), (7, two.missed(4)));
        // A wall beside the aimed dot shields a man behind it.
        let shielded = Spots::of(&[(2, 0)], &[(1, 0)], 3, 1);
        assert_eq!(shielded.ring(shielded.aimed(), 0), None);
    }
}
