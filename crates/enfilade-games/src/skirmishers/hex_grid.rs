//! Dots: a grid of hexes in axial coordinates, and what stands between two of them.

/// A dot in axial coordinates.
pub type Dot = (i64, i64);

/// The six neighbours of a dot, in the order of the scatter die.
const DIRECTIONS: [(i8, i8); 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

/// So many dots from the aimed one, where a scatter die sends it.
pub fn scattered(distance: i8, face: u8) -> (i8, i8) {
    let (q, r) = DIRECTIONS[usize::from(face) - 1];
    (q * distance, r * distance)
}

/// How many dots lie between two.
pub fn apart(from: Dot, to: Dot) -> usize {
    let (q, r) = (to.0 - from.0, to.1 - from.1);
    ((q.abs() + r.abs() + (q + r).abs()) / 2) as usize
}

/// Whether one of `walls` stands on the straight line between two dots. A line that runs between two
/// dots is stopped where walls stand on both sides of it.
pub fn between(from: Dot, to: Dot, walls: &[Dot]) -> bool {
    let stopped =
        |side| (1..apart(from, to) as i64).any(|at| walls.contains(&on_line(from, to, at, side)));
    !walls.is_empty() && stopped(1) && stopped(-1)
}

/// The dot on a line, so many from its beginning, looked for a little to one side of it.
fn on_line(from: Dot, to: Dot, at: i64, side: i64) -> Dot {
    // In fractions of a dot so fine that the side decides only where the line runs between two.
    let length = apart(from, to) as i64;
    let fine = 1000 * length;
    let along = |from: i64, to: i64| 1000 * (from * (length - at) + to * at);
    let (q, r) = (along(from.0, to.0) + side, along(from.1, to.1) + 2 * side);
    let s = -q - r;
    let near = |x: i64| (2 * x + fine).div_euclid(2 * fine);
    let off = |x: i64| (near(x) * fine - x).abs();
    // The three coordinates add up to nothing; the one that was rounded most is taken from the others.
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
        assert!(between((0, 0), (3, 0), &[(2, 0)]));
        assert!(!between((0, 0), (3, 0), &[(2, -1)]));
        assert!(!between((0, 0), (3, 0), &[(4, 0)]));
        // Neither the dot it starts from nor the one it ends on.
        assert!(!between((0, 0), (1, 0), &[(0, 0), (1, 0)]));
    }

    #[test]
    fn a_line_between_two_dots_is_stopped_by_both() {
        // From (0, 0) to (1, 1) it runs between (1, 0) and (0, 1), in both directions.
        for (from, to) in [((0, 0), (1, 1)), ((1, 1), (0, 0))] {
            assert_eq!(apart(from, to), 2);
            assert!(!between(from, to, &[(1, 0)]) && !between(from, to, &[(0, 1)]));
            assert!(between(from, to, &[(1, 0), (0, 1)]));
        }
    }
}
