//! Gallery of a run: all of its charts, slice by slice.

use std::collections::BTreeMap;

use super::chart_data::{Axis, CONTEST, law_of};
use super::chart_plan::Plan;
use super::drawing::{Drawing, Gallery, LeftOut, word};
use super::heatmap_sheets::Matrix;
use super::plot_frame::Words;
use super::slices::{Slice, merged, slices};
use super::{
    activations, at_least, chart_selection, curves, measure_rows, outcome_bars, stacked_bars,
    z_scores,
};
use crate::drawing::Scene;
use crate::text::{labels, sentences};
use enfilade_model::combat::FieldHead;
use enfilade_model::shared::Text;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::{ChartKind, ChartSpec};

/// The largest number of pictures of one chart, if there are axes it does not draw.
pub const SLICES: usize = 12;

/// Draws all charts of a run.
pub fn gallery(charts: &[ChartSpec], answers: &[Answer]) -> Gallery {
    let mut gallery = Gallery::default();
    for (spec, cells) in chart_selection::pairs(charts, answers) {
        match Plan::new(&spec, cells) {
            Ok(plan) => plan.draw(&mut gallery),
            Err(left_out) => gallery.left_out.push(left_out),
        }
    }
    for (number, drawing) in gallery.drawings.iter_mut().enumerate() {
        drawing.name = format!("{}-{}", number + 1, drawing.name);
    }
    gallery
}

/// Returns the charts of a run that could be drawn: those of [`gallery`].
pub fn drawings(charts: &[ChartSpec], answers: &[Answer]) -> Vec<Drawing> {
    gallery(charts, answers).drawings
}

impl Plan<'_> {
    /// Adds its pictures, or the reasons why they are left out.
    fn draw(&self, gallery: &mut Gallery) {
        let drawn: Vec<_> = self.axes.iter().map(String::as_str).collect();
        let slices = slices(&self.cells, &drawn);
        let slices = merged(slices, self.spec.kind, &self.axes, &self.measure.name);
        for (number, slice) in slices.iter().take(SLICES).enumerate() {
            let part = if slices.len() > 1 { format!("-{}", number + 1) } else { String::new() };
            let words = self.words(slice);
            match self.spec.kind {
                ChartKind::Heatmap => self.heat_maps(gallery, slice, &part, &words),
                _ => self.add(gallery, &part, &words, self.scene(slice, &words)),
            }
        }
        if slices.len() > SLICES {
            let count = slices.len();
            let why = format!("{SLICES} of the {count} combinations of the other axes are drawn");
            self.leave_out(gallery, why);
        }
    }

    /// Draws the heat maps of a slice: one, or an overview and one per group.
    fn heat_maps(&self, gallery: &mut Gallery, slice: &Slice<'_>, part: &str, words: &Words) {
        let mut axes = self.axes.iter().map(|path| Axis::of(&slice.cells, path));
        let (Some(x), Some(y)) = (axes.next().flatten(), axes.next().flatten()) else {
            return self.leave_out(gallery, "a heat map needs two axes".to_owned());
        };
        let matrix = Matrix::new(self, &slice.cells, x, y);
        for sheet in matrix.sheets() {
            let words = words.and(&sheet.title, &sheet.caption);
            let name = format!("{part}{}", sheet.suffix);
            self.add(gallery, &name, &words, sheet.map.draw(&words));
        }
    }

    fn scene(&self, slice: &Slice<'_>, words: &Words) -> Result<Scene, String> {
        let cells = &slice.cells;
        let mut axes = self.axes.iter().map(|path| Axis::of(cells, path));
        let (x, y) = (axes.next().flatten(), axes.next().flatten());
        match self.spec.kind {
            ChartKind::Heatmap => Err("a heat map needs two axes".to_owned()),
            ChartKind::Curves => {
                let x = x.ok_or("curves need an axis")?;
                curves::draw(self, cells, (&x, y.as_ref()), words)
            }
            ChartKind::Bars => match x {
                // Two distributions are drawn row by row, because stacks side by side are hard to
                // compare.
                Some(x) if x.path == CONTEST && cells.len() == 2 => {
                    let names = x.labels();
                    outcome_bars::two([cells[0], cells[1]], [&names[0], &names[1]], words)
                }
                Some(x) => stacked_bars::stacked(cells, &self.cells, &x, words),
                None => outcome_bars::one(cells[0], words),
            },
            ChartKind::Forest => measure_rows::draw(self, words),
            ChartKind::AtLeast => {
                let chosen = self.spec.field.clone().map(Text::from);
                let field = chosen.or_else(|| counted_field(cells)).ok_or("nothing was counted")?;
                at_least::draw(cells, &field, words)
            }
            ChartKind::Activations => activations::draw(self, cells, words),
            ChartKind::ZScores => z_scores::draw(self, words),
        }
    }

    fn add(&self, gallery: &mut Gallery, part: &str, words: &Words, drawn: Result<Scene, String>) {
        match drawn {
            Ok(scene) => gallery.drawings.push(Drawing {
                name: format!("{}{part}", self.stem()),
                contest: self.contest(),
                title: words.title.clone(),
                caption: words.caption.clone(),
                scene,
            }),
            Err(why) => self.leave_out(gallery, why),
        }
    }

    fn leave_out(&self, gallery: &mut Gallery, why: String) {
        let chart = match self.spec.kind {
            ChartKind::Bars | ChartKind::AtLeast => word(self.spec.kind).to_owned(),
            kind => format!("{} of {}", word(kind), labels::measure(&self.measure)),
        };
        let left_out = LeftOut { contest: self.contest(), chart, why };
        if !gallery.left_out.contains(&left_out) {
            gallery.left_out.push(left_out);
        }
    }
}

/// Returns the first outcome field that is more than a yes or no, or else the first field.
fn counted_field(cells: &[&Answer]) -> Option<Text> {
    let fields = sentences::fields(cells.iter().copied());
    let counts = |field: &&FieldHead| {
        let laws = cells.iter().filter_map(|cell| law_of(cell, &field.name));
        laws.flat_map(BTreeMap::into_keys).any(|value| value > 1)
    };
    let counted = fields.iter().find(counts).or(fields.first());
    counted.map(|field| field.name.clone())
}
