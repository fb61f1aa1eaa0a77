//! One chart of one set of cells: its gaps filled in, its slices drawn.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexSet;

use super::data::{self, Axis, Slice, law_of};
use super::matrix::Matrix;
use super::page::Words;
use super::scene::Scene;
use super::{Drawing, Gallery, LeftOut, SLICES};
use super::{activations, at_least, bars, curves, rows, word, zscores};
use crate::combat::{FieldHead, MeasureHead, Role};
use crate::report::{headline, words};
use crate::shared::Text;
use crate::study::answer::Answer;
use crate::study::experiment::{ChartKind, ChartSpec};

/// One chart of some cells, its gaps filled in.
pub struct Plan<'a> {
    pub(super) spec: &'a ChartSpec,
    /// At least one.
    pub(super) cells: Vec<&'a Answer>,
    /// The axes that are drawn: x, then y.
    axes: Vec<String>,
    pub(super) measure: Arc<MeasureHead>,
}

impl<'a> Plan<'a> {
    /// The chart `spec` of `cells`, which have its axes and its measure.
    ///
    /// # Errors
    /// When there are no cells, or nothing was measured.
    pub fn new(spec: &'a ChartSpec, cells: Vec<&'a Answer>) -> Result<Plan<'a>, LeftOut> {
        let left_out = |contest, why: &str| LeftOut {
            contest,
            chart: word(spec.kind).to_owned(),
            why: why.to_owned(),
        };
        let Some(first) = cells.first() else {
            return Err(left_out(0, "no contest has all of its axes and its measure"));
        };
        let measure = match &spec.measure {
            Some(name) => cells.iter().find_map(|cell| Some(Arc::clone(&cell.measure(name)?.head))),
            None => usual(spec.kind, &cells).or_else(|| headline::of(&cells)),
        };
        let Some(measure) = measure else {
            return Err(left_out(first.contest, "nothing was measured"));
        };
        let known = cells.iter().flat_map(|cell| &cell.axes);
        let known: IndexSet<_> = known.map(|(path, _)| path.clone()).collect();
        let known: Vec<_> = known.into_iter().collect();
        Ok(Plan { spec, axes: chosen_axes(spec, &known), cells, measure })
    }

    /// Adds its pictures, or why they are left out.
    pub fn draw(&self, gallery: &mut Gallery) {
        let drawn: Vec<_> = self.axes.iter().map(String::as_str).collect();
        let slices = data::slices(&self.cells, &drawn);
        for (number, slice) in slices.iter().take(SLICES).enumerate() {
            let part = match slices.len() > 1 {
                true => format!("-{}", number + 1),
                false => String::new(),
            };
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

    /// The heat maps of a slice: one, or an overview and one per group.
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
                Some(x) => bars::stacked(cells, &x, words),
                None => bars::law(cells[0], words),
            },
            ChartKind::Forest => rows::draw(self, words),
            ChartKind::AtLeast => {
                let chosen = self.spec.field.clone().map(Text::from);
                let field = chosen.or_else(|| counted_field(cells)).ok_or("nothing was counted")?;
                at_least::draw(cells, &field, words)
            }
            ChartKind::Activations => activations::draw(self, cells, words),
            ChartKind::ZScores => zscores::draw(self, words),
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
            kind => format!("{} of {}", word(kind), self.measure.name),
        };
        let left_out = LeftOut { contest: self.contest(), chart, why };
        if !gallery.left_out.contains(&left_out) {
            gallery.left_out.push(left_out);
        }
    }

    fn contest(&self) -> usize {
        self.cells.last().map_or(0, |cell| cell.contest)
    }

    /// Kind and measure. Only names declared in the program: nothing from a file.
    fn stem(&self) -> String {
        match self.spec.kind {
            ChartKind::Bars | ChartKind::AtLeast => word(self.spec.kind).to_owned(),
            kind => format!("{}-{}", word(kind), self.measure.name),
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
        ChartKind::Activations => match spec.x {
            // One curve per value along x; a picture for every combination of the others.
            Some(_) => given(&spec.x).into_iter().collect(),
            None => known.to_vec(),
        },
        ChartKind::Forest | ChartKind::AtLeast | ChartKind::ZScores => known.to_vec(),
    }
}

/// The measure a kind takes where none is named, if the action has it: what points buy for a forest,
/// what puts a target out of action for activations.
fn usual(kind: ChartKind, cells: &[&Answer]) -> Option<Arc<MeasureHead>> {
    let role = match kind {
        ChartKind::Forest => Role::PerPoints,
        ChartKind::Activations => Role::Finishing,
        _ => return None,
    };
    let mut measures = words::measures(cells.iter().copied()).into_iter();
    measures.find(|head| head.role == role)
}

/// The first outcome field that is more than a yes or no, or else the first.
fn counted_field(cells: &[&Answer]) -> Option<Text> {
    let fields = words::fields(cells.iter().copied());
    let counts = |field: &&FieldHead| {
        let laws = cells.iter().filter_map(|cell| law_of(cell, &field.name));
        laws.flat_map(BTreeMap::into_keys).any(|value| value > 1)
    };
    let counted = fields.iter().find(counts).or(fields.first());
    counted.map(|field| field.name.clone())
}
