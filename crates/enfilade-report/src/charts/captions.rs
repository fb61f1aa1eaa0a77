//! Texts of a chart: title, measure, and the method of its numbers.

use super::activations::RepeatedActivationModel;
use super::chart_data;
use super::chart_plan::ChartPlan;
use super::plot_frame::ChartText;
use super::slices::CellsWithFixedAxes;
use crate::text::median_tries::MedianTriesText;
use crate::text::{labels, sentences};
use enfilade_model::combat::MeasureRoleInReports;
use enfilade_study::answer::{Answer, TrialMethod};
use enfilade_study::experiment::ChartKind;

/// The guarantee of an interval.
const COVERAGE_PROMISE: &str = "their bars cover the true value in at least 95 % of runs.";

/// The explanation of a median, which is drawn in place of a mean truncated at the last try.
const MEDIAN_NOTE: &str =
    "Median: tries until half have fallen. Blank where fewer than half fall within the tries made.";

/// Whether every word of `part` appears in `whole`.
fn contains_words(whole: &str, part: &str) -> bool {
    let words = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>()
    };
    let whole = words(whole);
    words(part).iter().all(|word| whole.contains(word))
}

impl ChartPlan<'_> {
    /// Builds the texts of one slice: the question and the place as the title, and the result below
    /// it.
    pub(super) fn build_texts(&self, slice: &CellsWithFixedAxes<'_>) -> ChartText {
        let asked = match &self.spec.title {
            Some(title) => sentences::sanitize(title),
            None => self.describe_subject(),
        };
        let title = match slice.describe_place().as_str() {
            "" => asked,
            // "In the open" starts a sentence; "at in the open" is wrong.
            place if place.starts_with("in ") => {
                format!(
                    "{asked}{} {}",
                    if asked.ends_with('?') { "" } else { "." },
                    labels::capitalize(place)
                )
            }
            place if asked.ends_with('?') => format!("{asked} At {place}"),
            place => format!("{asked}, at {place}"),
        };
        let caption =
            format!("{} {}", chart_data::method_note(&self.cells), self.explain_chart_marks());
        ChartText {
            title,
            subtitle: self.range_sentence(slice),
            caption: caption.trim().to_owned(),
        }
    }

    /// Describes the subject of the chart.
    fn describe_subject(&self) -> String {
        let label = labels::measure_label(&self.measure);
        let what = match self.spec.kind {
            ChartKind::Bars => self.action_question(),
            ChartKind::AtLeast => "how often at least k?".to_owned(),
            ChartKind::Activations => "out of action within how many activations?".to_owned(),
            ChartKind::ZScores => format!("how far the simulation lies from exact: {label}"),
            _ => label.clone() + self.question_about_measure(),
        };
        match self.contest_name() {
            // The name of a contest may contain the measure.
            Some(name) if what.starts_with(&label) && contains_words(&name, &label) => {
                labels::capitalize(&name) + &what[label.len()..]
            }
            Some(name) if contains_words(&what, &name) => labels::capitalize(&what),
            Some(name) => format!("{name}: {what}"),
            None => labels::capitalize(&what),
        }
    }

    /// Returns the question about the measure.
    fn question_about_measure(&self) -> &'static str {
        match self.measure.kind.is_share() {
            _ if self.measure.role == MeasureRoleInReports::Until => ": half within how many?",
            true => ", how often?",
            false => "",
        }
    }

    /// Returns the question that the action resolves, with the values that all cells share.
    fn action_question(&self) -> String {
        let first = self.cells[0];
        let of = |cell: &&Answer| cell.action.format_question(&cell.params);
        let question = of(&first);
        let alike = first.axes.is_empty() && self.cells.iter().all(|cell| of(cell) == question);
        let question = if alike { question } else { first.action.generic_question() };
        if question.is_empty() {
            "what happens?".to_owned()
        } else {
            sentences::sanitize(&question)
        }
    }

    /// Describes the smallest and the largest value of the measure, and their places.
    fn range_sentence(&self, slice: &CellsWithFixedAxes<'_>) -> String {
        let kinds = [ChartKind::Heatmap, ChartKind::Curves, ChartKind::Forest];
        let cells = slice.cells.iter().copied();
        let value = |cell| Some((chart_data::measure_point(cell, &self.measure.name)?.value, cell));
        let mut known: Vec<(f64, &Answer)> = cells.filter_map(value).collect();
        known.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (Some(least), Some(most)) = (known.first(), known.last()) else {
            return String::new();
        };
        if !kinds.contains(&self.spec.kind) {
            return String::new();
        }
        let sign = if self.measure.kind.is_share() { " %" } else { "" };
        let describe = |(value, cell): &(f64, &Answer)| {
            let value = chart_data::format_short_value(*value, self.measure.kind.is_share());
            let place = self.describe_cell_place(cell);
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            format!("{value}{sign}{at}")
        };
        // Values that differ only by the order of a floating-point sum are equal.
        if most.0 - least.0 < 1e-9 {
            let value = chart_data::format_short_value(most.0, self.measure.kind.is_share());
            return match known.len() {
                1 => describe(most),
                _ => format!("{value}{sign} everywhere"),
            };
        }
        format!(
            "From {} to {}{}",
            describe(least),
            describe(most),
            self.within_tries_sentence(slice)
        )
    }

    /// Describes the share that reaches the event within the tries made.
    fn within_tries_sentence(&self, slice: &CellsWithFixedAxes<'_>) -> String {
        if self.measure.role != MeasureRoleInReports::Until {
            return String::new();
        }
        let describe = |cell: &&Answer| {
            MedianTriesText::from_measure(cell, cell.find_measure(&self.measure.name)?)
        };
        let mut medians: Vec<_> = slice.cells.iter().filter_map(describe).collect();
        medians.sort_by(|a, b| a.within.total_cmp(&b.within));
        let (Some(least), Some(most)) = (medians.first(), medians.last()) else {
            return String::new();
        };
        let tries = medians.iter().map(|until| until.tries).max().unwrap_or(0);
        let [least, most] =
            [least, most].map(|until| chart_data::format_percent(100.0 * until.within));
        format!("; within {tries} in {least} to {most} %")
    }

    /// Describes the place of a cell in the picture.
    fn describe_cell_place(&self, cell: &Answer) -> String {
        let drawn = cell.axes.iter().filter(|(path, _)| self.axes.contains(path));
        let place = labels::axis_phrases(cell, drawn);
        let across = self.cells.iter().any(|other| other.contest != cell.contest);
        match (across, place.as_str()) {
            (false, _) => place,
            (true, "") => sentences::sanitize(&cell.name),
            (true, _) => format!("{place}, {}", sentences::sanitize(&cell.name)),
        }
    }

    /// Returns the name that the file gives to the contest; `None` for several.
    fn contest_name(&self) -> Option<String> {
        let first = self.cells[0];
        let one = self.cells.iter().all(|cell| cell.contest == first.contest);
        (one && first.name != first.short_name()).then(|| sentences::sanitize(&first.name))
    }

    /// Explains the marks of the chart.
    fn explain_chart_marks(&self) -> String {
        let mut engines = self.cells.iter().map(|cell| cell.engine);
        let simulated = engines.any(|engine| engine != TrialMethod::ExactOnly);
        let exact = self.cells.iter().all(|cell| sentences::has_exact(cell));
        let any = self.cells.iter().any(|cell| sentences::has_exact(cell));
        match (self.spec.kind, exact, simulated) {
            (ChartKind::Curves, true, true) => {
                format!("Lines: exact. Dots: simulated; {COVERAGE_PROMISE}")
            }
            (ChartKind::Curves | ChartKind::Forest, false, true) if any => {
                format!("Dots: simulated, where nothing is exact too; {COVERAGE_PROMISE}")
            }
            (ChartKind::Curves, false, true) => format!("Dots: simulated; {COVERAGE_PROMISE}"),
            (ChartKind::Forest, true, true) => {
                format!("Uprights: exact. Dots: simulated; {COVERAGE_PROMISE}")
            }
            (ChartKind::Forest, false, true) => format!("Dots: simulated; {COVERAGE_PROMISE}"),
            _ if self.measure.role == MeasureRoleInReports::Until => MEDIAN_NOTE.to_owned(),
            (ChartKind::AtLeast, ..) => "Large dot: median. Mark at the foot: mean.".to_owned(),
            (ChartKind::Activations, ..) => {
                format!(
                    "{} Large dot: median.",
                    RepeatedActivationModel::from_plan(self).assumption_text(self)
                )
            }
            _ => String::new(),
        }
    }
}
