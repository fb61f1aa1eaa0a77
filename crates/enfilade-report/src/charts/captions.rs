//! Texts of a chart: title, measure, and the method of its numbers.

use super::activation_curves::ActivationsAddUpModel;
use super::chart_data;
use super::chart_plan::ResolvedChartSpec;
use super::grid_slices::CellsWithFixedAxes;
use super::plot_frame::ChartTitleAndCaption;
use crate::text::median_tries::MedianTriesUntilEvent;
use crate::text::{labels, sentences};
use enfilade_model::combat::MeasureRoleBesideReports;
use enfilade_study::answer::{Answer, AnswerMethod};
use enfilade_study::experiment::ChartKind;

/// The guarantee of an interval.
const INTERVAL_COVERAGE_NOTE: &str = "their bars cover the true value in at least 95 % of runs.";

/// The explanation of a median, which is drawn in place of a mean truncated at the last try.
const MEDIAN_TRIES_NOTE: &str =
    "Median: tries until half have fallen. Blank where fewer than half fall within the tries made.";

/// Whether every word of `part` appears in `whole`.
fn contains_every_word(whole: &str, part: &str) -> bool {
    let words = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>()
    };
    let whole = words(whole);
    words(part).iter().all(|word| whole.contains(word))
}

impl ResolvedChartSpec<'_> {
    /// Builds the texts of one slice: the question and the place as the title, and the result below
    /// it.
    pub(super) fn title_and_caption(&self, slice: &CellsWithFixedAxes<'_>) -> ChartTitleAndCaption {
        let asked = match &self.spec.title {
            Some(title) => sentences::replace_control_chars(title),
            None => self.describe_charted_measure(),
        };
        let title = match slice.describe_fixed_axes().as_str() {
            "" => asked,
            // "In the open" starts a sentence; "at in the open" is wrong.
            place if place.starts_with("in ") => {
                format!(
                    "{asked}{} {}",
                    if asked.ends_with('?') { "" } else { "." },
                    labels::capitalize_first(place)
                )
            }
            place if asked.ends_with('?') => format!("{asked} At {place}"),
            place => format!("{asked}, at {place}"),
        };
        let caption = format!(
            "{} {}",
            chart_data::describe_chart_method(&self.cells),
            self.explain_chart_marks()
        );
        let caption = caption.trim().to_owned();
        let range = self.describe_value_range(slice);
        // The author's own title stays; one that is made says the finding, with the question below
        // it.
        match self.spec.title.is_none() && !range.is_empty() {
            true => ChartTitleAndCaption {
                title: self.title_from_value_range(&range),
                subtitle: title,
                caption,
            },
            false => ChartTitleAndCaption { title, subtitle: range, caption },
        }
    }

    /// Builds a title of the range of the measure:
    /// `Killed: from 2 % at firepower 1 to 47 % at firepower 24`.
    fn title_from_value_range(&self, range: &str) -> String {
        let label = labels::capitalize_first(&labels::measure_label(&self.measure));
        let range = match range.strip_prefix("From ") {
            Some(rest) => format!("from {rest}"),
            None => range.to_owned(),
        };
        format!("{label}: {range}")
    }

    /// Describes the subject of the chart.
    fn describe_charted_measure(&self) -> String {
        let label = labels::measure_label(&self.measure);
        let what = match self.spec.kind {
            ChartKind::Bars => self.question_of_action(),
            ChartKind::AtLeast => "how often at least k?".to_owned(),
            ChartKind::Activations => "out of action within how many activations?".to_owned(),
            ChartKind::ZScores => format!("how far the simulation lies from exact: {label}"),
            _ => label.clone() + self.question_suffix_for_label(),
        };
        match self.name_of_only_contest() {
            // The name of a contest may contain the measure.
            Some(name) if what.starts_with(&label) && contains_every_word(&name, &label) => {
                labels::capitalize_first(&name) + &what[label.len()..]
            }
            Some(name) if contains_every_word(&what, &name) => labels::capitalize_first(&what),
            Some(name) => format!("{name}: {what}"),
            None => labels::capitalize_first(&what),
        }
    }

    /// Returns the question about the measure.
    fn question_suffix_for_label(&self) -> &'static str {
        match self.measure.kind.is_shown_in_percent() {
            _ if self.measure.role == MeasureRoleBesideReports::Until => ": half within how many?",
            true => ", how often?",
            false => "",
        }
    }

    /// Returns the question that the action resolves, with the values that all cells share.
    fn question_of_action(&self) -> String {
        let first = self.cells[0];
        let of = |cell: &&Answer| cell.action.title_question_for_form(&cell.params);
        let question = of(&first);
        let alike = first.axes.is_empty() && self.cells.iter().all(|cell| of(cell) == question);
        let question = if alike { question } else { first.action.question_in_general() };
        if question.is_empty() {
            "what happens?".to_owned()
        } else {
            sentences::replace_control_chars(&question)
        }
    }

    /// Describes the smallest and the largest value of the measure, and their places.
    fn describe_value_range(&self, slice: &CellsWithFixedAxes<'_>) -> String {
        let kinds = [ChartKind::Heatmap, ChartKind::Curves, ChartKind::Forest];
        let cells = slice.cells.iter().copied();
        let value = |cell| {
            Some((chart_data::drawn_value_of_measure(cell, &self.measure.name)?.value, cell))
        };
        let mut cells_with_value: Vec<(f64, &Answer)> = cells.filter_map(value).collect();
        cells_with_value.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (Some(least), Some(most)) = (cells_with_value.first(), cells_with_value.last()) else {
            return String::new();
        };
        if !kinds.contains(&self.spec.kind) {
            return String::new();
        }
        let sign = if self.measure.kind.is_shown_in_percent() { " %" } else { "" };
        let describe = |(value, cell): &(f64, &Answer)| {
            let value =
                chart_data::format_short_value(*value, self.measure.kind.is_shown_in_percent());
            let place = self.describe_cell_place(cell);
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            format!("{value}{sign}{at}")
        };
        // Values that differ only by the order of a floating-point sum are equal.
        if most.0 - least.0 < 1e-9 {
            let value =
                chart_data::format_short_value(most.0, self.measure.kind.is_shown_in_percent());
            return match cells_with_value.len() {
                1 => describe(most),
                _ => format!("{value}{sign} everywhere"),
            };
        }
        format!(
            "From {} to {}{}",
            describe(least),
            describe(most),
            self.share_within_tries_sentence(slice)
        )
    }

    /// Describes the share that reaches the event within the tries made.
    fn share_within_tries_sentence(&self, slice: &CellsWithFixedAxes<'_>) -> String {
        if self.measure.role != MeasureRoleBesideReports::Until {
            return String::new();
        }
        let describe = |cell: &&Answer| {
            MedianTriesUntilEvent::from_measure(
                cell,
                cell.measure_answer_by_name(&self.measure.name)?,
            )
        };
        let mut medians: Vec<_> = slice.cells.iter().filter_map(describe).collect();
        medians.sort_by(|a, b| a.within.total_cmp(&b.within));
        let (Some(least), Some(most)) = (medians.first(), medians.last()) else {
            return String::new();
        };
        let tries = medians.iter().map(|until| until.tries).max().unwrap_or(0);
        let [least, most] = [least, most]
            .map(|until| chart_data::format_percent_or_inequality(100.0 * until.within));
        format!("; within {tries} in {least} to {most} %")
    }

    /// Describes the place of a cell in the picture.
    fn describe_cell_place(&self, cell: &Answer) -> String {
        let drawn = cell.axes.iter().filter(|(path, _)| self.axes.contains(path));
        let place = labels::describe_place_on_axes(cell, drawn);
        let across = self.cells.iter().any(|other| other.contest != cell.contest);
        match (across, place.as_str()) {
            (false, _) => place,
            (true, "") => sentences::replace_control_chars(&cell.name),
            (true, _) => format!("{place}, {}", sentences::replace_control_chars(&cell.name)),
        }
    }

    /// Returns the name that the file gives to the contest; `None` for several.
    fn name_of_only_contest(&self) -> Option<String> {
        let first = self.cells[0];
        let one = self.cells.iter().all(|cell| cell.contest == first.contest);
        (one && first.name != first.rulebook_and_action())
            .then(|| sentences::replace_control_chars(&first.name))
    }

    /// Explains the marks of the chart.
    fn explain_chart_marks(&self) -> String {
        let mut engines = self.cells.iter().map(|cell| cell.engine);
        let simulated = engines.any(|engine| engine != AnswerMethod::ExactOnly);
        let exact = self.cells.iter().all(|cell| sentences::has_exact_distribution(cell));
        let any = self.cells.iter().any(|cell| sentences::has_exact_distribution(cell));
        match (self.spec.kind, exact, simulated) {
            (ChartKind::Curves, true, true) => {
                format!("Lines: exact. Dots: simulated; {INTERVAL_COVERAGE_NOTE}")
            }
            (ChartKind::Curves | ChartKind::Forest, false, true) if any => {
                format!("Dots: simulated, where nothing is exact too; {INTERVAL_COVERAGE_NOTE}")
            }
            (ChartKind::Curves, false, true) => {
                format!("Dots: simulated; {INTERVAL_COVERAGE_NOTE}")
            }
            (ChartKind::Forest, true, true) => {
                format!("Uprights: exact. Dots: simulated; {INTERVAL_COVERAGE_NOTE}")
            }
            (ChartKind::Forest, false, true) => {
                format!("Dots: simulated; {INTERVAL_COVERAGE_NOTE}")
            }
            _ if self.measure.role == MeasureRoleBesideReports::Until => {
                MEDIAN_TRIES_NOTE.to_owned()
            }
            (ChartKind::AtLeast, ..) => "Large dot: median. Mark at the foot: mean.".to_owned(),
            (ChartKind::Activations, ..) => {
                format!(
                    "{} Large dot: median.",
                    ActivationsAddUpModel::choose_for_chart(self).describe_assumption(self)
                )
            }
            _ => String::new(),
        }
    }
}
