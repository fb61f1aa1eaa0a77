//! Overview of a large grid, one picture per contest: the spread of the most informative measure at
//! every value of every axis.

use super::forest::{Forest, Row};
use super::markers::{Glyph, Span};
use super::{Drawing, Words, plot_frame};
use crate::answers::digest::{Digest, Gist, Spread};
use crate::text::labels;
use crate::text::sentences::clean;
use enfilade_model::form::sanitize::grouped;

/// The largest number of values of one axis that are drawn; of more, an even choice from first to
/// last.
const VALUES: usize = 12;

/// Draws the overviews of all contests with axes.
pub fn drawings(digest: &Digest) -> Vec<Drawing> {
    digest.contests.iter().filter_map(drawing).collect()
}

fn drawing(gist: &Gist) -> Option<Drawing> {
    let measure = gist.measure.as_ref()?;
    let factor = measure.kind.display();
    let rows: Vec<_> = gist
        .along
        .iter()
        .flat_map(|(axis, values)| {
            // Of a long axis an even choice from the first to the last.
            plot_frame::spread(values.len(), VALUES)
                .into_iter()
                .filter_map(|at| values.get_index(at))
                .map(|(value, spread)| row(&clean(&format!("{axis} {value}")), spread, factor))
                .collect::<Vec<_>>()
        })
        .collect();
    let label = labels::measure(measure);
    let title = format!("{}, axis by axis", labels::capitalised(&label));
    let forest = Forest {
        rows,
        measured: labels::measure_with_unit(measure),
        text_head: "mean".to_owned(),
        from_zero: true,
        ..Forest::default()
    };
    let caption = format!(
        "Dot: mean over all {} cells with this value; bar: the lowest and the highest of them.",
        grouped(gist.cells),
    );
    let words = Words { title: title.clone(), subtitle: String::new(), caption: caption.clone() };
    let scene = forest.draw(&words).ok()?;
    let name = format!("{}-overview-{}", gist.contest + 1, measure.name);
    Some(Drawing { name, contest: gist.contest, title, caption, scene })
}

fn row(name: &str, spread: &Spread, factor: f64) -> Row {
    let mean = spread.mean() * factor;
    let span = Span::within(mean, spread.low * factor, spread.high * factor);
    Row { name: name.to_owned(), marks: vec![(Glyph::Dot, span)], text: format!("{mean:.1}") }
}
