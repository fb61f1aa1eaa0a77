//! `summary.md`: the question, the answers, and how to reproduce them; for game designers.
//!
//! Nothing in it depends on the clock, so the same run gives the same bytes. Of a large grid the
//! first rows and the extremes are shown; every row is in `cells.csv`.

use crate::answers::answer_tables::{self, TablesOfContest};
use crate::answers::grid_digest::{
    AnswerTotals, LargeRunDigest, MAX_EXTREME_ROWS_SHOWN, MAX_FIRST_ROWS_SHOWN,
};
use crate::answers::search_report::{self, SearchedAxes};
use crate::answers::{how_to_reproduce, strategy_report, trade_off_tables};
use crate::blocks::{
    PictureFileAndTitle, PictureWithContent, ReportBlock, StyledSentence, TextTable, markdown,
};
use crate::folder::manifest::RunFacts;
use crate::headline_measure;
use crate::text::{labels, sentences};
use enfilade_model::form::sanitize::group_digits;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::ExperimentSpec;
use enfilade_study::strategy::BestPlayOfDecision;

/// Grids up to this many cells are shown whole.
const MAX_CELLS_SHOWN_WHOLE: usize = 40;

/// The pictures of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PicturesAndOmissionNotes {
    /// Pictures to be embedded.
    pub figures: Vec<PictureFileAndTitle>,
    /// The contest of every chart that was left out, with a sentence that names the chart and the
    /// reason.
    pub left_out: Vec<(usize, String)>,
}

/// Renders the summary of a run, with best play by answer where it was computed.
pub fn render_run_summary(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    facts: &RunFacts,
    pictures: &PicturesAndOmissionNotes,
    strategies: &[Vec<BestPlayOfDecision>],
) -> String {
    let extent = describe_cells_and_completion(experiment, answers);
    let mut blocks =
        build_summary_opening(experiment, extent, sentences::describe_engine_agreement(answers));
    for cells in sentences::split_by_contest(answers) {
        blocks.extend(build_blocks_of_contest(cells));
        blocks.extend(
            trade_off_tables::trade_offs_between_axes(cells)
                .into_iter()
                .flat_map(TablesOfContest::into_titled_blocks),
        );
        blocks.extend(build_contest_picture_blocks(pictures, cells[0].contest));
    }
    blocks.extend(strategy_report::build_best_play_blocks(answers, strategies));
    blocks.extend(build_reproduce_blocks(experiment, facts));
    markdown::markdown_text(&blocks)
}

/// Builds the blocks of a run whose cells were written one by one: its summary and its page.
pub fn build_large_run_blocks(
    experiment: &ExperimentSpec,
    digest: &LargeRunDigest,
    searched_axes: &SearchedAxes,
    facts: &RunFacts,
    figures: &[PictureWithContent],
) -> Vec<ReportBlock> {
    let AnswerTotals { answered, refused, excluded, .. } = digest.totals;
    let mut extent = format!("{} cells.", group_digits(experiment.cell_count));
    if answered < experiment.cell_count {
        extent = format!(
            "{} of {} cells are kept.",
            group_digits(answered),
            group_digits(experiment.cell_count)
        );
    }
    if refused > 0 {
        extent +=
            &format!(" {} of them have no answer: their notes say why.", group_digits(refused));
    }
    extent.extend(describe_excluded_cells(excluded).map(|text| format!(" {text}")));
    for sentence in crate::sentences_on_broken_checks(&digest.left_out, experiment.cell_count) {
        extent += &format!(" {sentence}");
    }
    let mut blocks = build_summary_opening(experiment, extent, digest.describe_engine_agreement());
    for gist in &digest.contests {
        let own = figures.iter().filter(|figure| figure.picture.contest == gist.contest).cloned();
        match &experiment.search {
            Some(search) => blocks.extend(search_report::build_result_blocks(
                gist,
                search,
                searched_axes,
                own.collect(),
            )),
            None => {
                blocks.extend(gist.build_first_row_tables().into_titled_blocks());
                blocks.extend(label_each_table(gist.headline_extreme_tables()));
                blocks.extend(own.map(ReportBlock::Picture));
            }
        }
    }
    if let Some(search) = experiment.search.as_ref().filter(|_| digest.contests.is_empty()) {
        blocks.extend(search_report::build_no_result_blocks(
            search,
            searched_axes,
            &digest.left_out,
            experiment.cell_count,
        ));
    }
    blocks.extend(build_reproduce_blocks(experiment, facts));
    blocks
}

/// Returns the tables, each below its heading.
fn label_each_table(tables: Vec<(String, TextTable)>) -> impl Iterator<Item = ReportBlock> {
    let tables = tables.into_iter();
    tables.flat_map(|(name, rows)| {
        [ReportBlock::new_paragraph(format!("{name}:")), ReportBlock::Table(name, rows)]
    })
}

/// Returns the pictures of one contest, and the notes on those left out.
fn build_contest_picture_blocks(
    pictures: &PicturesAndOmissionNotes,
    contest: usize,
) -> impl Iterator<Item = ReportBlock> {
    let own = move |picture: &&PictureFileAndTitle| picture.contest == contest;
    let drawn = pictures.figures.iter().filter(own).cloned();
    let drawn = drawn
        .map(|picture| ReportBlock::Picture(PictureWithContent { picture, svg: String::new() }));
    let missing = pictures.left_out.iter().filter(move |(of, _)| *of == contest);
    drawn.chain(missing.map(|(_, why)| ReportBlock::new_paragraph(why)))
}

/// Builds the opening: name, question, prediction, and the verdict on all contests.
fn build_summary_opening(
    experiment: &ExperimentSpec,
    extent: String,
    verdict: Option<String>,
) -> Vec<ReportBlock> {
    let lines = question_and_prediction_lines(experiment).into_iter();
    let lines = lines.map(|(what, text)| {
        ReportBlock::Sentence(StyledSentence::with_label(format!("{what}."), text))
    });
    let verdict = StyledSentence::new_strong(verdict.unwrap_or_default());
    let extent = ReportBlock::Sentence(StyledSentence::new_plain(extent).followed_by(verdict));
    [ReportBlock::Title(labels::experiment_name_with_spaces(&experiment.name))]
        .into_iter()
        .chain(lines)
        .chain([extent])
        .collect()
}

/// Returns question and prediction, where the file has them, one line each.
pub(crate) fn question_and_prediction_lines(
    experiment: &ExperimentSpec,
) -> Vec<(&'static str, String)> {
    let lines = [("Question", &experiment.question), ("Prediction", &experiment.prediction)];
    let line = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = lines.into_iter();
    lines.filter_map(|(what, text)| Some((what, line(text.as_ref()?)))).collect()
}

/// Describes the number of cells, and whether the run is complete.
pub(crate) fn describe_cells_and_completion(
    experiment: &ExperimentSpec,
    answers: &[Answer],
) -> String {
    let (answered_cells, all) = (answers.len() as u64, experiment.cell_count);
    let mut extent = match answered_cells == all {
        true if all == 1 => "1 cell.".to_owned(),
        true => format!("{} cells.", group_digits(all)),
        false => format!("Interrupted: {answered_cells} of {all} cells are here."),
    };
    let AnswerTotals { refused, excluded, .. } = AnswerTotals::from_answers(answers);
    if refused > 0 {
        extent +=
            &format!(" {} of them have no answer: their notes say why.", group_digits(refused));
    }
    extent.extend(describe_excluded_cells(excluded).map(|text| format!(" {text}")));
    extent
}

/// Describes how many cells of a grid are excluded, if any.
pub fn describe_excluded_cells(excluded: u64) -> Option<String> {
    let cells = group_digits(excluded);
    let text = match excluded {
        0 => return None,
        1 => "1 cell breaks a check of the rulebook: its notes say which.".to_owned(),
        _ => format!("{cells} cells break a check of the rulebook: their notes say which."),
    };
    Some(text)
}

fn build_blocks_of_contest(cells: &[Answer]) -> Vec<ReportBlock> {
    let mut excerpt = build_short_tables(cells);
    excerpt.tables.remarks.splice(0..0, excerpt.cut);
    let mut blocks = excerpt.tables.into_titled_blocks();
    blocks.extend(label_each_table(excerpt.extremes));
    blocks
}

/// The tables of a contest, short enough to be read.
pub(crate) struct ShortContestTables {
    /// The tables; for a large grid only the first rows.
    pub tables: TablesOfContest,
    /// The note that rows are left out, if any are.
    pub cut: Option<String>,
    /// The cells at both ends of the headline measure, when rows are left out.
    pub extremes: Vec<(String, TextTable)>,
}

/// Builds the excerpt: a small grid in full, a large one by its first rows and its extremes.
pub(crate) fn build_short_tables(cells: &[Answer]) -> ShortContestTables {
    let mut tables = answer_tables::build_contest_tables(cells);
    let all = tables.measures.rows.len();
    if all <= MAX_CELLS_SHOWN_WHOLE {
        return ShortContestTables { tables, cut: None, extremes: Vec::new() };
    }
    let extremes = lowest_and_highest_tables(cells, &tables.measures);
    tables.measures.rows.truncate(MAX_FIRST_ROWS_SHOWN);
    ShortContestTables { tables, cut: Some(excerpt_note(all, cells)), extremes }
}

fn excerpt_note(all: usize, cells: &[Answer]) -> String {
    let all = group_digits(all as u64);
    let of = sentences::replace_control_chars(&cells[0].name);
    format!(
        "The first {MAX_FIRST_ROWS_SHOWN} of {all} cells of {of}; all of them are in cells.csv."
    )
}

/// Returns the cells with the lowest and the highest headline measure.
fn lowest_and_highest_tables(cells: &[Answer], table: &TextTable) -> Vec<(String, TextTable)> {
    let Some(head) = headline_measure::choose_headline_measure(&cells.iter().collect::<Vec<_>>())
    else {
        return Vec::new();
    };
    let value = |cell: &Answer| {
        cell.measure_answer_by_name(&head.name).and_then(headline_measure::measure_best_value)
    };
    let mut order: Vec<_> = (0..cells.len()).filter(|&i| value(&cells[i]).is_some()).collect();
    order.sort_by(|&a, &b| {
        value(&cells[a]).partial_cmp(&value(&cells[b])).unwrap_or(std::cmp::Ordering::Equal)
    });
    // Rows of a table are in the order of its cells.
    let part = |which: &str, indices: Vec<usize>| {
        let rows = TextTable {
            heads: table.heads.clone(),
            rows: indices.iter().map(|&i| table.rows[i].clone()).collect(),
            fixed: table.fixed,
        };
        (format!("{which} {}", labels::measure_label(&head)), rows)
    };
    let lowest = order.iter().take(MAX_EXTREME_ROWS_SHOWN).copied().collect();
    let highest = order.iter().rev().take(MAX_EXTREME_ROWS_SHOWN).copied().collect();
    vec![part("Lowest", lowest), part("Highest", highest)]
}

/// How to do it again.
fn build_reproduce_blocks(experiment: &ExperimentSpec, facts: &RunFacts) -> Vec<ReportBlock> {
    let promise = how_to_reproduce::reproducible_numbers_note(
        REPRODUCIBILITY_SCOPE,
        "The tables cells and outcomes",
    );
    how_to_reproduce::build_reproduce_blocks(
        facts,
        how_to_reproduce::describe_seed_and_inputs(
            facts,
            facts.seed_or_experiment_seed(experiment),
        ),
        Some(promise),
    )
}

/// The scope in which the numbers of a run are equal.
pub(crate) const REPRODUCIBILITY_SCOPE: &str = "on every machine and with every number of threads";

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::folder::manifest::InputFileWithRulebooks;
    use crate::test_answers;
    use enfilade_study::experiment::SimulationStopRule;

    fn facts() -> RunFacts {
        RunFacts {
            command: ["enfilade", "run", "ift odds.toml"].map(str::to_owned).to_vec(),
            build: enfilade_study::checkpoint::journal::BuildId("a test"),
            input: Some(InputFileWithRulebooks::new("ift odds.toml", "")),
            started: SystemTime::UNIX_EPOCH,
            duration: std::time::Duration::ZERO,
            identity: None,
        }
    }

    fn experiment() -> ExperimentSpec {
        ExperimentSpec {
            name: "ift-odds".into(),
            question: Some("How often\ndoes a <squad> break?".into()),
            prediction: None,
            seed: 7,
            stop: SimulationStopRule::Trials(test_answers::TRIALS),
            cell_count: 0,
            charts: Vec::new(),
            cards: Vec::new(),
            search: None,
            rulebooks: Vec::new(),
        }
    }

    #[test]
    fn it_says_question_answer_and_how_to_repeat() {
        let answers = test_answers::build_grid();
        let picture = PictureFileAndTitle {
            contest: 0,
            file: "charts/1-heatmap-p_kill.svg".into(),
            title: "asl fire: p_kill".into(),
        };
        let pictures = PicturesAndOmissionNotes {
            figures: vec![picture],
            left_out: vec![(0, "Left out: curves of p_kill, because".into())],
        };
        let said = render_run_summary(&experiment(), &answers, &facts(), &pictures, &[]);
        assert!(
            said.starts_with("# ift-odds\n\n**Question.** How often does a &lt;squad&gt; break?\n")
        );
        assert!(said.contains("Exact and simulated agree."));
        assert!(said.contains("| 2 | +1 | 8.33 (8.33 ± 0.05) |"));
        assert!(said.contains("\n![asl fire: p_kill](charts/1-heatmap-p_kill.svg)\n\nLeft out: curves of p_kill, because\n"));
        assert!(said.contains("\n    enfilade run 'ift odds.toml'\n"));
        assert!(said.contains("- Seed: 7\n- Input: ift odds.toml, SHA-256 e3b0c442"));
        assert!(!said.contains("Prediction"));
    }

    #[test]
    fn a_large_grid_is_shown_by_its_head_and_its_extremes() {
        let mut answers = Vec::new();
        for i in 0..100 {
            // One cell in the middle of the grid is an outlier of the most varied measure.
            let kill = if i == 57 { 20 } else { 1 + i % 10 };
            let fp = enfilade_model::form::Value::Int(i as i64);
            answers.push(test_answers::squad_answer_from_36ths(vec![("fp", fp)], kill, 3));
        }
        let said = render_run_summary(
            &experiment(),
            &answers,
            &facts(),
            &PicturesAndOmissionNotes::default(),
            &[],
        );
        assert!(said.contains("The first 12 of 100 cells"));
        let (_, highest) = said.split_once("Highest killed:").expect("it is there");
        let first = highest.lines().find(|line| line.starts_with("| 57 |"));
        assert!(first.is_some_and(|line| line.contains("55.56")));
        assert!(said.lines().count() < 70, "{said}");
    }

    #[test]
    fn an_interrupted_run_says_so() {
        let said = render_run_summary(
            &experiment(),
            &test_answers::build_grid(),
            &facts(),
            &PicturesAndOmissionNotes::default(),
            &[],
        );
        assert!(said.contains("Interrupted: 12 of 0 cells are here."));
        assert!(
            render_run_summary(
                &experiment(),
                &[],
                &facts(),
                &PicturesAndOmissionNotes::default(),
                &[]
            )
            .contains("0 cells.")
        );
    }
}
