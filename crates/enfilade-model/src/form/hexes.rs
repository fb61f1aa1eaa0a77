//! Places on a field of hexes in words: their number and distances, without positions.

use super::{Field, Value};

impl Field {
    /// Marks the field as places on a field of hexes.
    pub const fn as_hex_places(mut self) -> Self {
        self.hexes = true;
        self
    }
}

/// Formats pairs of axial coordinates as `7 places, 1 to 2 apart`.
pub fn summarize_hex_places(places: &[Value]) -> String {
    let number = |value: &Value| match value {
        Value::Int(n) => Some(*n),
        _ => None,
    };
    let place = |place: &Value| match place {
        Value::List(pair) => Some((number(pair.first()?)?, number(pair.get(1)?)?)),
        _ => None,
    };
    let places: Vec<_> = places.iter().filter_map(place).collect();
    let others = |at: usize| places[at + 1..].iter();
    let apart = |(at, one): (usize, &(i64, i64))| {
        let one = *one;
        others(at).map(move |other| hex_distance(one, *other)).collect::<Vec<_>>()
    };
    let apart: Vec<i64> = places.iter().enumerate().flat_map(apart).collect();
    match (places.len(), apart.iter().min(), apart.iter().max()) {
        (1, ..) => "1 place".to_owned(),
        (n, Some(near), Some(far)) if near < far => format!("{n} places, {near} to {far} apart"),
        (n, Some(near), _) => format!("{n} places, {near} apart"),
        (n, ..) => format!("{n} places"),
    }
}

/// Returns the number of steps from one hex to another.
fn hex_distance(a: (i64, i64), b: (i64, i64)) -> i64 {
    let (q, r) = (a.0.saturating_sub(b.0), a.1.saturating_sub(b.1));
    // A step changes one coordinate by one, or both by one in opposite directions.
    q.saturating_abs().max(r.saturating_abs()).max(q.saturating_add(r).saturating_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(pairs: &[(i64, i64)]) -> String {
        let pair = |(q, r): &(i64, i64)| Value::List(vec![Value::Int(*q), Value::Int(*r)]);
        summarize_hex_places(&pairs.iter().map(pair).collect::<Vec<_>>())
    }

    /// A hex and the six around it: neighbours are one step apart, those across two.
    #[test]
    fn places_are_told_by_how_far_apart_they_are() {
        let ring = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
        assert_eq!(places(&ring), "7 places, 1 to 2 apart");
        let loose = ring.map(|(q, r)| (3 * q, 3 * r));
        assert_eq!(places(&loose), "7 places, 3 to 6 apart");
        assert_eq!(places(&[(0, 0), (2, 3)]), "2 places, 5 apart");
        assert_eq!(places(&[(4, 4)]), "1 place");
        assert_eq!(places(&[]), "0 places");
        assert_eq!(places(&[(i64::MAX, i64::MIN), (i64::MIN, 0)]).split(',').count(), 2);
    }
}
