//! Places where a round may go off, as far as they matter to the troopers near.
//!
//! Source: Advanced Explosives (rings, obstacles, scatter). Dots from which every trooper is in the
//! same ring are one spot: six scattered dots around a single trooper are one, and all dots that
//! reach no trooper are one.

use super::hex_grid::{HexDot, dot_distance, is_line_blocked, scatter_offset};

/// Spots of an explosion.
pub struct DetonationSpots {
    /// Ring of each trooper, by spot; the first spot reaches no trooper.
    rings: Vec<Vec<Option<usize>>>,
    aimed: u8,
    /// Spot of a miss, by face of the scatter die.
    missed: [u8; 6],
}

/// Spot that reaches no trooper, also for a round that does not go off.
pub const SPOT_OUT_OF_REACH: u8 = 0;

impl DetonationSpots {
    /// Computes the spots of a blast with `rings` rings that scatters `distance` dots, among
    /// `troopers` and `walls`.
    pub fn from_blast_geometry(
        troopers: &[HexDot],
        walls: &[HexDot],
        rings: usize,
        distance: i8,
    ) -> DetonationSpots {
        let mut spots = DetonationSpots {
            rings: vec![vec![None; troopers.len()]],
            aimed: SPOT_OUT_OF_REACH,
            missed: [SPOT_OUT_OF_REACH; 6],
        };
        let mut spot = |(q, r): (i8, i8)| {
            let from = (q.into(), r.into());
            let reached: Vec<_> = troopers
                .iter()
                .map(|&to| ring_number_if_line_is_clear(from, to, rings, walls))
                .collect();
            // Dots with equal rings for every trooper have equal effects, so they share one spot.
            let known = spots.rings.iter().position(|known| *known == reached);
            known.unwrap_or_else(|| {
                spots.rings.push(reached);
                spots.rings.len() - 1
            }) as u8
        };
        let aimed = spot((0, 0));
        let missed = [1, 2, 3, 4, 5, 6].map(|face| spot(scatter_offset(distance, face)));
        DetonationSpots { aimed, missed, ..spots }
    }

    /// Returns the spot of a hit.
    pub fn spot_of_hit(&self) -> u8 {
        self.aimed
    }

    /// Returns the spot of a miss that the scatter die sends away.
    pub fn spot_of_miss(&self, face: u8) -> u8 {
        self.missed[usize::from(face) - 1]
    }

    /// Returns the ring of a trooper for a blast at this spot; `None` out of its reach.
    pub fn ring_of_trooper_at_spot(&self, spot: u8, trooper: usize) -> Option<usize> {
        self.rings[usize::from(spot)][trooper]
    }
}

/// Advanced Explosives: "the point of detonation, the adjacent dots, the dots 2 away from the
/// detonation, and so on"; "impassible obstacles … block".
fn ring_number_if_line_is_clear(
    from: HexDot,
    to: HexDot,
    rings: usize,
    walls: &[HexDot],
) -> Option<usize> {
    let ring = dot_distance(from, to);
    (ring < rings && !is_line_blocked(from, to, walls)).then_some(ring)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_that_are_alike_for_everybody_are_one_spot() {
        // A man on the aimed dot is one dot from each possible dot of a miss.
        let alone = DetonationSpots::from_blast_geometry(&[(0, 0)], &[], 3, 1);
        assert_eq!(alone.rings.len(), 3);
        assert_eq!(
            [1, 2, 3, 4, 5, 6].map(|face| alone.spot_of_miss(face)),
            [alone.spot_of_miss(1); 6]
        );
        let rings = [alone.spot_of_hit(), alone.spot_of_miss(1), SPOT_OUT_OF_REACH]
            .map(|spot| alone.ring_of_trooper_at_spot(spot, 0));
        assert_eq!(rings, [Some(0), Some(1), None]);
        // Out of reach of all of them there is only one spot, nowhere.
        let far = DetonationSpots::from_blast_geometry(&[(9, 0)], &[], 3, 1);
        assert_eq!(
            (far.rings.len(), far.spot_of_hit(), far.spot_of_miss(4)),
            (1, SPOT_OUT_OF_REACH, SPOT_OUT_OF_REACH)
        );
        // Two men distinguish all seven dots except (0, -1) and (-1, 0), which are 2 and 3 dots
        // from them.
        let two = DetonationSpots::from_blast_geometry(&[(1, 0), (0, 2)], &[], 4, 1);
        assert_eq!((two.rings.len(), two.spot_of_miss(3)), (7, two.spot_of_miss(4)));
        // A wall beside the aimed dot shields a man behind it.
        let shielded = DetonationSpots::from_blast_geometry(&[(2, 0)], &[(1, 0)], 3, 1);
        assert_eq!(shielded.ring_of_trooper_at_spot(shielded.spot_of_hit(), 0), None);
    }
}
