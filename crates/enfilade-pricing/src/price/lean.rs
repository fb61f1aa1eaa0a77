//! How much best guesses lean on single prices of others: what leaving one out would change, and what
//! one that is ten times too high.
//!
//! A price that is far from the line is thrown away whole. Where prices scatter much, ten times is not
//! far, and moves the others: then the report has to say so.

use enfilade_stats::line::Fit;

/// Prices beyond which single ones move little, and nobody asks.
const MANY: usize = 30;

/// One price and the best guess that it moves most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// Position of the weapon whose price it is.
    pub price: usize,
    /// Position of the weapon whose best guess moves.
    pub guess: usize,
    /// The logarithm of how much.
    pub by: f64,
}

/// How much best guesses lean on single prices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lean {
    /// The most that leaving one price out moves another best guess.
    pub without: Moved,
    /// The same of a price ten times as high.
    pub tenfold: Moved,
    /// Standard deviation of the logarithms of prices about the line.
    pub scatter: f64,
}

/// How much the lines through `points`, of log worth and log price, lean on each of them; `None` where
/// they are too few or too many.
pub fn lean(points: &[(f64, f64)]) -> Option<Lean> {
    let whole = Fit::through(points).filter(|_| points.len() <= MANY)?;
    Some(Lean {
        without: largest(points, |_| None)?,
        tenfold: largest(points, |(x, y)| Some((x, y + 10f64.ln())))?,
        scatter: whole.scatter.sqrt(),
    })
}

/// The largest move of a best guess when one other point is `changed`, or left out.
fn largest(
    points: &[(f64, f64)],
    changed: impl Fn((f64, f64)) -> Option<(f64, f64)>,
) -> Option<Moved> {
    // As a weapon is judged: by the line through all others, never through its own point.
    let guess = |of: usize, price: Option<usize>| {
        let others = points.iter().enumerate().filter(|(place, _)| *place != of);
        let others = others.filter_map(|(place, point)| match Some(place) == price {
            true => changed(*point),
            false => Some(*point),
        });
        Some(Fit::through(&others.collect::<Vec<_>>())?.line.at(points[of].0))
    };
    let places = 0..points.len();
    let moves = places.clone().flat_map(|of| {
        let before = guess(of, None);
        let places = places.clone().filter(move |price| *price != of);
        let guess = &guess;
        places.filter_map(move |price| {
            Some(Moved { price, guess: of, by: guess(of, Some(price))? - before? })
        })
    });
    moves.max_by(|a, b| a.by.abs().total_cmp(&b.by.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scattered(by: f64) -> Vec<(f64, f64)> {
        let off = [0.9, -1.1, 0.4, 1.3, -0.6, -1.4, 0.2, 1.0, -0.3, -0.8, 0.7, -0.1, 0.5];
        let point =
            |(i, off): (usize, f64)| (4.0 + 0.2 * i as f64, 3.5 + 0.2 * i as f64 + by * off);
        off.into_iter().enumerate().map(point).collect()
    }

    #[test]
    fn prices_on_a_line_lean_on_nobody() {
        let lean = lean(&scattered(0.0)).expect("points");
        assert!(lean.without.by.abs() < 1e-9 && lean.tenfold.by.abs() < 1e-9, "{lean:?}");
    }

    /// A tenth of scatter throws ten times away whole, half of it does not: ten times is four of its
    /// standard deviations.
    #[test]
    fn ten_times_moves_others_where_prices_scatter() {
        let (tidy, wild) = (lean(&scattered(0.1)), lean(&scattered(0.6)));
        let (tidy, wild) = (tidy.expect("points"), wild.expect("points"));
        assert!(tidy.tenfold.by.abs() < 0.05, "{tidy:?}");
        assert!(wild.tenfold.by.abs() > 0.2 && wild.scatter > 0.4, "{wild:?}");
        for moved in [tidy.without, tidy.tenfold, wild.without, wild.tenfold] {
            assert_ne!(moved.price, moved.guess);
        }
    }

    #[test]
    fn of_many_and_of_none_nobody_asks() {
        let many: Vec<_> = (0..31).map(|i| (f64::from(i), f64::from(i))).collect();
        assert_eq!((lean(&many), lean(&[]), lean(&many[..1])), (None, None, None));
    }
}
