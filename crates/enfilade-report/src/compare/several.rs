//! More than two files side by side: a row for each cell and file, the measures across.

use std::sync::Arc;

use crate::blocks::{ReportBlock, ReportStyle, ReportTableCell, StyledSentence, TextTable};
use crate::headline_measure::{choose_headline_measure, measure_best_value};
use crate::text::number_format::{format_short_mean, format_short_percent};
use crate::text::{labels, sentences};
use enfilade_model::combat::MeasureHead;
use enfilade_study::answer::Answer;
use enfilade_study::comparison::ExperimentComparison;

/// The largest number of measures across.
const MAX_MEASURES: usize = 6;

/// A file with its name and its answers.
pub type NamedAnswers<'a> = (&'a str, &'a [Answer]);

/// Renders several files side by side. Cells are those of the first file; a file without a matching
/// cell has no number there.
pub fn render_several_files(files: &[NamedAnswers<'_>], style: ReportStyle) -> String {
    super::render_with_sortable_tables(style, &build_blocks(files))
}

fn build_blocks(files: &[NamedAnswers<'_>]) -> Vec<ReportBlock> {
    let names: Vec<_> =
        files.iter().map(|(name, _)| sentences::replace_control_chars(name)).collect();
    let mut blocks = vec![ReportBlock::Title(names.join(", "))];
    let Some((_, first)) = files.first() else { return blocks };
    let contests: Vec<_> = sentences::split_by_contest(first).collect();
    for cells in &contests {
        let columns: Vec<_> =
            files.iter().map(|(_, other)| partners_in_other_file(cells, other)).collect();
        let all: Vec<&Answer> = columns.iter().flatten().flatten().copied().collect();
        let Some(headline) = choose_headline_measure(&all) else { continue };
        if contests.len() > 1 {
            blocks.push(ReportBlock::Heading(sentences::replace_control_chars(&cells[0].name)));
        }
        blocks.extend(
            conclusion(&names, &columns, &headline)
                .map(|text| ReportBlock::Sentence(StyledSentence::new_strong(text))),
        );
        let table = match cells.len() {
            1 => table_of_files_by_measure(&names, &columns, &all),
            _ => table_of_grid(&names, cells, &columns, &headline),
        };
        blocks.push(ReportBlock::Table("The files side by side".to_owned(), table));
    }
    blocks
}

/// Returns for each of `cells` the matching one of another file.
fn partners_in_other_file<'a>(cells: &'a [Answer], other: &'a [Answer]) -> Vec<Option<&'a Answer>> {
    let comparison = ExperimentComparison::new(cells, other);
    let partner = |cell: &Answer| {
        comparison.pairs.iter().find(|pair| std::ptr::eq(pair.a, cell)).map(|pair| pair.b)
    };
    cells.iter().map(partner).collect()
}

/// Names the files with the largest and the smallest mean of the headline measure.
fn conclusion(
    names: &[String],
    columns: &[Vec<Option<&Answer>>],
    head: &MeasureHead,
) -> Option<String> {
    let means: Vec<_> = columns.iter().map(|cells| mean_over_answered_cells(cells, head)).collect();
    let known = || names.iter().zip(&means).filter_map(|(name, mean)| Some((name, (*mean)?)));
    let most = known().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let least = known().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let label = labels::capitalize_first(&labels::measure_label(head));
    if most.1 - least.1 < 5e-5 {
        return Some(format!("{label} is the same in all of them."));
    }
    let ([most, least], of) = (
        [most, least].map(|(name, mean)| format!("{} in {name}", format_value(head, mean))),
        if columns[0].len() > 1 { ", on average over the cells" } else { "" },
    );
    Some(format!("{label}: most with {most}, least with {least}{of}."))
}

fn mean_over_answered_cells(cells: &[Option<&Answer>], head: &MeasureHead) -> Option<f64> {
    let values = cells.iter().flatten().filter_map(|cell| value_of_measure(cell, head));
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn value_of_measure(cell: &Answer, head: &MeasureHead) -> Option<f64> {
    cell.measure_answer_by_name(&head.name).and_then(measure_best_value)
}

fn format_value(head: &MeasureHead, value: f64) -> String {
    match head.kind.is_shown_in_percent() {
        true => format!("{} %", format_short_percent(value)),
        false => format_short_mean(value),
    }
}

fn value_entry(cell: Option<&Answer>, head: &MeasureHead, best: Option<f64>) -> ReportTableCell {
    let value = cell.and_then(|cell| value_of_measure(cell, head));
    let text = value.map_or("–".to_owned(), |value| format_value(head, value));
    match value == best && best.is_some() {
        true => ReportTableCell::Strong(text),
        false => ReportTableCell::Number(text),
    }
}

/// Returns the largest of some values, unless they are equal.
fn largest_value_if_unequal(values: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let most = values.clone().max_by(f64::total_cmp)?;
    values.into_iter().any(|value| value < most).then_some(most)
}

/// A table of one cell: a row for each file, the measures that differ across.
fn table_of_files_by_measure(
    names: &[String],
    columns: &[Vec<Option<&Answer>>],
    all: &[&Answer],
) -> TextTable {
    let values = |head: &MeasureHead| {
        let own: Vec<f64> = all.iter().filter_map(|cell| value_of_measure(cell, head)).collect();
        own
    };
    let differs =
        |head: &Arc<MeasureHead>| largest_value_if_unequal(values(head).into_iter()).is_some();
    let mut heads = sentences::collect_measures(all.iter().copied());
    heads.sort_by_key(|head| !differs(head));
    heads.truncate(MAX_MEASURES);
    let titles = heads.iter().map(|head| labels::measure_label(head));
    let row = |(name, cells): (&String, &Vec<Option<&Answer>>)| {
        let entries = heads.iter().map(|head| {
            let best = largest_value_if_unequal(values(head).into_iter());
            value_entry(cells[0], head, best)
        });
        [ReportTableCell::Text(name.clone())].into_iter().chain(entries).collect()
    };
    TextTable {
        heads: ["file".to_owned()].into_iter().chain(titles).collect(),
        rows: names.iter().zip(columns).map(row).collect(),
        fixed: 1,
    }
}

/// A table of a grid: a row for each cell, the headline measure of each file across.
fn table_of_grid(
    names: &[String],
    cells: &[Answer],
    columns: &[Vec<Option<&Answer>>],
    head: &MeasureHead,
) -> TextTable {
    let row = |(at, cell): (usize, &Answer)| {
        let own = columns.iter().map(|column| column[at]);
        let values = own.clone().flatten().filter_map(|cell| value_of_measure(cell, head));
        let best = largest_value_if_unequal(values);
        let place = ReportTableCell::Text(sentences::describe_cell_place(cell));
        [place].into_iter().chain(own.map(|cell| value_entry(cell, head, best))).collect()
    };
    TextTable {
        heads: [labels::measure_label(head)].into_iter().chain(names.iter().cloned()).collect(),
        rows: cells.iter().enumerate().map(row).collect(),
        fixed: 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::WIDTHLESS_BLOCK_FORMATS;
    use crate::test_answers::squad_answer_from_36ths;

    /// 4, 6 and 2 of 36 are killed: 11.1, 16.7 and 5.6 percent.
    #[test]
    fn three_files_have_a_row_each_and_the_most_is_named() {
        let files = [4, 6, 2].map(|killed| vec![squad_answer_from_36ths(vec![], killed, 12)]);
        let named: Vec<_> =
            ["a", "b", "c"].into_iter().zip(files.iter().map(Vec::as_slice)).collect();
        let text = render_several_files(&named, ReportStyle::Page(&WIDTHLESS_BLOCK_FORMATS[0]));
        assert!(text.contains("Killed: most with 17 % in b, least with 6 % in c."), "{text}");
        assert!(text.contains("| a | 11 % |"), "{text}");
        assert!(text.contains("| b | **17 %** |"), "{text}");
    }
}
