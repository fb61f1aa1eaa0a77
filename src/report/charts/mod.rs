//! Charts: which are drawn, their words, and their files.
//!
//! Charts asked for in the experiment are drawn for every contest that has what they need. Without
//! any, a contest with two axes gets a heat map of its headline measure (the first one it
//! declares), with one axis stacked bars and curves (a forest, if the axis has words), without axes bars of its law. Axes that are
//! not drawn give one picture per combination of their values, up to [`SLICES`].
//!
//! Only [`render`] and [`font`] know the drawing library. Charts are grey-safe: values go from
//! light to dark, curves are dashed, numbers stand beside or in their places.

use crate::combat::MeasureHead;
use crate::form::Value;
use crate::study::answer::{Answer, Engine};
use crate::study::experiment::{ChartKind, ChartSpec};

use super::words;

mod at_least;
mod bars;
mod curves;
mod data;
pub mod font;
mod forest;
mod heatmap;
mod page;
pub mod render;
mod scale;
pub mod scene;

use data::{Axis, Slice};
use page::Words;
use scene::Scene;

/// The most pictures that one chart becomes when there are axes it does not draw.
pub const SLICES: usize = 12;

/// A chart ready to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Stem of its files: `1-heatmap-p_break`.
    pub name: String,
    /// Which contest it is of.
    pub contest: usize,
    /// What it shows, for the text beside it.
    pub title: String,
    /// The picture.
    pub scene: Scene,
}

/// All charts of a run, in the order of the contests and of the file.
pub fn drawings(charts: &[ChartSpec], answers: &[Answer]) -> Vec<Drawing> {
    let mut drawings = Vec::new();
    for cells in words::by_contest(answers) {
        let chosen = if charts.is_empty() {
            sensible(cells)
        } else {
            charts.to_vec()
        };
        for spec in &chosen {
            if let Some(plan) = Plan::new(spec, cells) {
                drawings.extend(plan.drawings());
            }
        }
    }
    for (number, drawing) in drawings.iter_mut().enumerate() {
        drawing.name = format!("{}-{}", number + 1, drawing.name);
    }
    drawings
}

/// The charts of a contest for which the file names none.
fn sensible(cells: &[Answer]) -> Vec<ChartSpec> {
    let axes = cells.first().map_or(&[][..], |cell| &cell.axes);
    let kinds: &[ChartKind] = match axes {
        [] => &[ChartKind::Bars],
        [(_, Value::Text(_) | Value::Flag(_))] => &[ChartKind::Bars, ChartKind::Forest],
        [_] => &[ChartKind::Bars, ChartKind::Curves],
        _ => &[ChartKind::Heatmap],
    };
    let spec = |&kind| ChartSpec {
        kind,
        x: None,
        y: None,
        measure: None,
        title: None,
    };
    kinds.iter().map(spec).collect()
}

/// One chart of one contest, its gaps filled in.
struct Plan<'a> {
    spec: &'a ChartSpec,
    cells: &'a [Answer],
    /// The axes that are drawn: x, then y.
    axes: Vec<String>,
    measure: MeasureHead,
}

impl<'a> Plan<'a> {
    /// `None` when the contest lacks an axis or the measure.
    fn new(spec: &'a ChartSpec, cells: &'a [Answer]) -> Option<Plan<'a>> {
        let first = cells.first()?;
        let measure = match &spec.measure {
            Some(name) => first.measure(name)?.head,
            None => first.measures.first()?.head,
        };
        let known: Vec<_> = first.axes.iter().map(|(path, _)| path.clone()).collect();
        let given: Vec<_> = spec.x.iter().chain(&spec.y).collect();
        if given.iter().any(|axis| !known.contains(axis)) {
            return None;
        }
        Some(Plan {
            spec,
            cells,
            axes: chosen_axes(spec, &known),
            measure,
        })
    }

    fn drawings(&self) -> Vec<Drawing> {
        let drawn: Vec<_> = self.axes.iter().map(String::as_str).collect();
        let slices = data::slices(self.cells, &drawn);
        let several = slices.len() > 1;
        let drawing = |(number, slice): (usize, &Slice<'_>)| {
            let words = self.words(slice);
            let part = if several {
                format!("-{}", number + 1)
            } else {
                String::new()
            };
            Some(Drawing {
                name: format!("{}{part}", self.stem()),
                contest: self.cells[0].contest,
                scene: self.scene(slice, &words)?,
                title: words.title,
            })
        };
        slices
            .iter()
            .take(SLICES)
            .enumerate()
            .filter_map(drawing)
            .collect()
    }

    /// Kind and measure. Only names declared in the program: nothing from a file.
    fn stem(&self) -> String {
        match self.spec.kind {
            ChartKind::Bars => "bars".to_owned(),
            kind => format!("{}-{}", word(kind), self.measure.name),
        }
    }

    fn scene(&self, slice: &Slice<'_>, words: &Words) -> Option<Scene> {
        let cells = &slice.cells;
        let mut axes = self.axes.iter().map(|path| Axis::of(cells, path));
        let (x, y) = (axes.next().flatten(), axes.next().flatten());
        match self.spec.kind {
            ChartKind::Heatmap => heatmap::draw(cells, &x?, &y?, &self.measure, words),
            ChartKind::Curves => curves::draw(cells, &x?, y.as_ref(), &self.measure, words),
            ChartKind::Bars => match x {
                Some(x) => bars::stacked(cells, &x, words),
                None => bars::law(cells.first()?, words),
            },
            ChartKind::Forest => forest::draw(cells, &self.measure, words),
            ChartKind::AtLeast => at_least::draw(cells, counted_field(cells)?, words),
        }
    }

    fn words(&self, slice: &Slice<'_>) -> Words {
        let first = &self.cells[0];
        let what = match self.spec.kind {
            ChartKind::Bars => "shares of the outcomes".to_owned(),
            ChartKind::AtLeast => "at least k".to_owned(),
            _ => self.measure.name.to_owned(),
        };
        let title = format!("{}: {what}", words::clean(&first.name));
        let about = match self.spec.kind {
            ChartKind::Bars | ChartKind::AtLeast => String::new(),
            _ => self.measure.about.to_owned(),
        };
        let parts = [about, slice.fixed.clone()];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        Words {
            title: self.spec.title.as_deref().map_or(title, words::clean),
            subtitle: parts.join("; at "),
            caption: format!("{} {}", data::made(self.cells), self.marks())
                .trim()
                .to_owned(),
        }
    }

    /// What the marks of the chart mean.
    fn marks(&self) -> &'static str {
        let simulated = self
            .cells
            .iter()
            .any(|cell| cell.engine != Engine::ExactOnly);
        let exact = self.cells.iter().all(words::has_exact);
        match (self.spec.kind, exact, simulated) {
            (ChartKind::Curves, true, true) => {
                "Lines: exact. Dots: simulated; their bars cover the true value in at least 95 % of runs."
            }
            (ChartKind::Curves, false, true) => {
                "Dots: simulated; their bars cover the true value in at least 95 % of runs."
            }
            (ChartKind::Forest, true, true) => {
                "Upright: exact. Dot: simulated; its bar covers the true value in at least 95 % of runs."
            }
            (ChartKind::Forest, false, true) => {
                "Dot: simulated; its bar covers the true value in at least 95 % of runs."
            }
            (ChartKind::AtLeast, _, _) => "Large dot: median. Mark at the foot: mean.",
            _ => "",
        }
    }
}

/// The axes a chart draws: those given, then the others in the order of the file.
///
/// A heat map takes the first axis of the file as its rows, so that it reads like the table.
fn chosen_axes(spec: &ChartSpec, known: &[String]) -> Vec<String> {
    let given = |axis: &Option<String>| axis.clone();
    let mut rest: Vec<_> = known
        .iter()
        .filter(|axis| Some(*axis) != spec.x.as_ref() && Some(*axis) != spec.y.as_ref())
        .cloned()
        .collect();
    let mut next = || (!rest.is_empty()).then(|| rest.remove(0));
    match spec.kind {
        ChartKind::Heatmap => {
            let y = given(&spec.y).or_else(&mut next);
            let x = given(&spec.x).or_else(&mut next);
            x.into_iter().chain(y).collect()
        }
        ChartKind::Curves => {
            let x = given(&spec.x).or_else(&mut next);
            let y = given(&spec.y).or_else(&mut next);
            x.into_iter().chain(y).collect()
        }
        ChartKind::Bars => given(&spec.x).or_else(&mut next).into_iter().collect(),
        ChartKind::Forest | ChartKind::AtLeast => known.to_vec(),
    }
}

/// The first outcome field that is more than a yes or no, or else the first.
fn counted_field(cells: &[&Answer]) -> Option<&'static str> {
    let first = cells.first()?;
    let outcomes = || cells.iter().flat_map(|cell| &cell.outcomes);
    let counts = |column: usize| outcomes().any(|o| o.values.get(column).is_some_and(|v| *v > 1));
    let column = (0..first.fields.len()).find(|&column| counts(column));
    first
        .fields
        .get(column.unwrap_or(0))
        .map(|field| field.name)
}

/// A kind as files call it.
fn word(kind: ChartKind) -> &'static str {
    match kind {
        ChartKind::Heatmap => "heatmap",
        ChartKind::Curves => "curves",
        ChartKind::Bars => "bars",
        ChartKind::Forest => "forest",
        ChartKind::AtLeast => "at-least",
    }
}

#[cfg(test)]
mod tests;
