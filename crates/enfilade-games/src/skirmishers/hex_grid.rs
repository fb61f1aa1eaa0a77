//! Dots: a grid of hexes in axial coordinates, and the obstacles between two of them.

/// Dot in axial coordinates.
pub type HexDot = (i64, i64);

/// Six neighbours of a dot, in the order of the scatter die.
const NEIGHBOUR_OFFSETS: [(i8, i8); 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

/// Returns the dot at `distance` from the aimed one, in the direction of a scatter die.
pub fn scatter_offset(distance: i8, face: u8) -> (i8, i8) {
    let (q, r) = NEIGHBOUR_OFFSETS[usize::from(face) - 1];
    (q * distance, r * distance)
}

/// Returns the number of dots from one to the other.
pub fn dot_distance(from: HexDot, to: HexDot) -> usize {
    let (q, r) = (to.0 - from.0, to.1 - from.1);
    ((q.abs() + r.abs() + (q + r).abs()) / 2) as usize
}

/// Returns whether one of `walls` is on the straight line between two dots. A line that runs
/// between two dots is blocked where there are walls on both sides of it.
pub fn is_line_blocked(from: HexDot, to: HexDot, walls: &[HexDot]) -> bool {
    let stopped = |side| {
        (1..dot_distance(from, to) as i64)
            .any(|at| walls.contains(&nth_dot_on_line(from, to, at, side)))
    };
    !walls.is_empty() && stopped(1) && stopped(-1)
}

/// Returns the dot at `at` on a line, computed a little to one side of it.
fn nth_dot_on_line(from: HexDot, to: HexDot, at: i64, side: i64) -> HexDot {
    // Fractions of a dot so fine that the side only decides where the line runs between two.
    let length = dot_distance(from, to) as i64;
    let fine = 1000 * length;
    let along = |from: i64, to: i64| 1000 * (from * (length - at) + to * at);
    let (q, r) = (along(from.0, to.0) + side, along(from.1, to.1) + 2 * side);
    let s = -q - r;
    let near = |x: i64| (2 * x + fine).div_euclid(2 * fine);
    let off = |x: i64| (near(x) * fine - x).abs();
    // The three coordinates add up to 0; the one with the largest rounding is derived from the
    // others.
    if off(q) > off(r) && off(q) > off(s) {
        (-near(r) - near(s), near(r))
    } else if off(r) > off(s) {
        (near(q), -near(q) - near(s))
    } else {
        (near(q), near(r))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_stops_what_runs_over_it() {
        // Along an axis, beside it, and behind the one who is hit.
        assert!(is_line_blocked((0, 0), (3, 0), &[(2, 0)]));
        assert!(!is_line_blocked((0, 0), (3, 0), &[(2, -1)]));
        assert!(!is_line_blocked((0, 0), (3, 0), &[(4, 0)]));
        // Neither the dot it starts from nor the one it ends on.
        assert!(!is_line_blocked((0, 0), (1, 0), &[(0, 0), (1, 0)]));
    }

    #[test]
    fn a_line_between_two_dots_is_stopped_by_both() {
        // From (0, 0) to (1, 1) it runs between (1, 0) and (0, 1), in both directions.
        for (from, to) in [((0, 0), (1, 1)), ((1, 1), (0, 0))] {
            assert_eq!(dot_distance(from, to), 2);
            assert!(!is_line_blocked(from, to, &[(1, 0)]) && !is_line_blocked(from, to, &[(0, 1)]));
            assert!(is_line_blocked(from, to, &[(1, 0), (0, 1)]));
        }
    }
}
