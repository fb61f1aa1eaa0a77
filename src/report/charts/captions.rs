//! The words about a chart: title, what is measured, and how the numbers were made.

use super::activations::Chain;
use super::data::{self, Slice};
use super::page::Words;
use super::plan::Plan;
use crate::report::words;
use crate::study::answer::Engine;
use crate::study::experiment::ChartKind;

/// What an interval promises.
const COVERS: &str = "their bars cover the true value in at least 95 % of runs.";

impl Plan<'_> {
    /// The words about one slice.
    pub(super) fn words(&self, slice: &Slice<'_>) -> Words {
        let what = match self.spec.kind {
            ChartKind::Bars => "shares of the outcomes".to_owned(),
            ChartKind::AtLeast => "at least k".to_owned(),
            ChartKind::Activations => "activations until out of action".to_owned(),
            ChartKind::ZScores => format!("simulated less exact {}", self.measure.name),
            _ => self.measure.name.to_string(),
        };
        let title = format!("{}: {what}", self.name());
        let about = match self.spec.kind {
            ChartKind::Bars | ChartKind::AtLeast | ChartKind::Activations => String::new(),
            _ => self.measure.about.to_string(),
        };
        let parts = [about, slice.fixed.clone()];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let caption = format!("{} {}", data::made(&self.cells), self.marks());
        Words {
            title: self.spec.title.as_deref().map_or(title, words::clean),
            subtitle: parts.join("; at "),
            caption: caption.trim().to_owned(),
        }
    }

    /// The contest, or what several of them have in common.
    fn name(&self) -> String {
        let first = self.cells[0];
        if self.cells.iter().all(|cell| cell.contest == first.contest) {
            return words::clean(&first.name);
        }
        match self.cells.iter().all(|cell| cell.is_like(first)) {
            true => format!("{}, by contest", first.asked()),
            false => "all contests".to_owned(),
        }
    }

    /// What the marks of the chart mean.
    fn marks(&self) -> String {
        let mut engines = self.cells.iter().map(|cell| cell.engine);
        let simulated = engines.any(|engine| engine != Engine::ExactOnly);
        let exact = self.cells.iter().all(|cell| words::has_exact(cell));
        let any = self.cells.iter().any(|cell| words::has_exact(cell));
        match (self.spec.kind, exact, simulated) {
            (ChartKind::Curves, true, true) => format!("Lines: exact. Dots: simulated; {COVERS}"),
            (ChartKind::Curves | ChartKind::Forest, false, true) if any => {
                format!("Dots: simulated, where nothing is exact too; {COVERS}")
            }
            (ChartKind::Curves, false, true) => format!("Dots: simulated; {COVERS}"),
            (ChartKind::Forest, true, true) => {
                format!("Uprights: exact. Dots: simulated; {COVERS}")
            }
            (ChartKind::Forest, false, true) => format!("Dots: simulated; {COVERS}"),
            (ChartKind::AtLeast, ..) => "Large dot: median. Mark at the foot: mean.".to_owned(),
            (ChartKind::Activations, ..) => {
                format!("{} Large dot: median.", Chain::of(self).said())
            }
            _ => String::new(),
        }
    }
}
