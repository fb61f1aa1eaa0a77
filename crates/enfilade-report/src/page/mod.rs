//! `report.html`: a run as one page that can be sent to a friend.
//!
//! Sliders over the axes of the grid show the chosen cell: its distribution as bars, a measure
//! along an axis and over two of them, another cell pinned beside it. Charts follow, and every cell
//! in a table that can be sorted and filtered; any cell can be sent as a link or copied as TOML.
//! The page is one file and loads nothing: a content security policy allows its own script and
//! style, by their hashes, and nothing else. Without JavaScript it still shows the question, the
//! charts and the tables of `summary.md`.
//!
//! The page is not the data: numbers are rounded as in every other table, rare outcomes are summed
//! up, and if a page would exceed [`page_size_limit`] more is left out, with a note; every number
//! is in the files beside it.
//!
//! `page.html`, `page.css` and the files of `script` are compiled in. The data of the script is
//! built in `page_data`, with its distributions in `outcome_columns` and `marginals` and its
//! numbers in `number_token`; `contest_toml` writes cells as TOML, `page_figures` selects charts,
//! and `csp` secures the page.

use super::answers::run_summary::{self, ShortContestTables};
use super::answers::{answer_sentence, how_to_reproduce, strategy_report, trade_off_tables};
use super::blocks::html::{
    self, STANDALONE_PAGE_STYLE, build_document_allowing_wasm, build_html_document,
    fill_template_slots, render_paragraph,
};
use super::blocks::{PictureWithContent, ReportBlock, StyledSentence, csp, dark_theme};
use super::folder::archived_rules;
use super::folder::manifest::RunFacts;
use super::text::xml_escape::escape_xml;
use super::text::{labels, sentences};
use enfilade_engine::cancel::CancelToken;
use enfilade_engine::random_stream::SEED_MAPPING_VERSION;
use enfilade_model::form::sanitize::group_digits;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::{ChartSpec, ExperimentSpec};
use enfilade_study::strategy::BestPlayOfDecision;

mod contest_toml;
mod marginals;
mod number_token;
mod outcome_columns;
pub(crate) mod page_data;
pub mod page_figures;
mod rulebook_limits;
mod size_budget;

use rulebook_limits::render_limits_of_used_systems;
use size_budget::PageDetailLevel;

const PAGE_TEMPLATE_HTML: &str = include_str!("page.html");

/// The script of a page, with one file that decides whether the page computes.
macro_rules! page_script {
    ($live:literal) => {
        concat!(
            "\"use strict\";\n(() => {\n",
            include_str!("script/read.js"),
            include_str!("script/draw.js"),
            include_str!("script/table.js"),
            include_str!($live),
            include_str!("script/page.js"),
            "})();\n"
        )
    };
}

const PAGE_SCRIPT_TEXT: &str = page_script!("script/fixed.js");
const LIVE_SCRIPT: &str = page_script!("script/live.js");
const LIVE_STYLE: &str = include_str!("live.css");

/// The engine for a page that computes.
#[derive(Clone, Debug)]
pub struct PageEngineScripts {
    /// The scripts that unpack it and start the page's own thread, in their order; they follow the
    /// script of the page.
    pub scripts: [String; 2],
}

/// What a page has beside its answers and its charts.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageEngineAndBestPlay<'a> {
    /// Engine with which the page computes; it counts for no limit of size.
    pub engine: Option<&'a PageEngineScripts>,
    /// Best play by answer, where it was computed.
    pub strategies: &'a [Vec<BestPlayOfDecision>],
}

/// Bytes of a page of up to a thousand cells, charts included.
const BASE_BYTES: usize = 300_000;

/// Bytes for every cell beyond a thousand, and the largest sum for all of them.
const EXTRA_CELL_BYTES: (usize, usize) = (50, 2_700_000);

/// Bytes reserved for charts before the distributions get the rest.
const CHART_BYTES: usize = 40_000;

/// Bytes of the tables for readers without JavaScript.
const STATIC_TABLE_BYTES: usize = 60_000;

/// The largest number of cells that the script of a page draws as a map.
const MAX_CELLS_OF_PAGE_MAP: usize = 3000;

/// Returns the largest size of a page in bytes, whatever must be left out for it: 300 000 up to a
/// thousand cells, 3 million at most.
pub fn page_size_limit(cells: usize) -> usize {
    let (each, most) = EXTRA_CELL_BYTES;
    BASE_BYTES + (each * cells.saturating_sub(1000)).min(most)
}

/// Renders the page of a run. The same run gives the same bytes: nothing in it depends on the
/// clock. After a cancellation the page is incomplete.
pub fn render_run_page(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    facts: &RunFacts,
    figures: &[PictureWithContent],
    parts: PageEngineAndBestPlay<'_>,
    halt: &CancelToken,
) -> String {
    let allowance = page_size_limit(answers.len());
    let mut frame = PageWithoutData::from_run(experiment, answers, facts);
    frame.rest.insert_str(0, &render_best_play(answers, parts.strategies));
    let numbered = figures.iter().zip(1..);
    let pictures: Vec<_> = numbered.map(|(f, n)| html::render_figure(f, n)).collect();
    let dark = dark_theme::dark_mode_style(&pictures.concat()).len();
    // Room for the pictures is reserved before the data are shortened, and none of it remains
    // unused.
    let wanted = (dark + pictures.iter().map(String::len).sum::<usize>()).min(CHART_BYTES);
    let bare = frame.render_with_data("", "").len()
        + figures.iter().map(bytes_of_figure_link).sum::<usize>();
    let (cut, data) = largest_data_within_limit(
        &experiment.charts,
        answers,
        allowance.saturating_sub(bare + wanted),
        halt,
    );
    let note = size_omission_note(cut, answers);
    let contests: Vec<_> = figures.iter().map(|f| f.picture.contest).collect();
    let room = allowance.saturating_sub(bare + dark + data.len() + note.len());
    let fit = page_figures::choose_figures_that_fit(&pictures, &contests, room);
    frame.place_figures(figures, &pictures, &fit);
    frame.engine = parts.engine;
    frame.render_with_data(&data, &note)
}

/// Renders the section of best play; empty where nobody decides.
fn render_best_play(answers: &[Answer], strategies: &[Vec<BestPlayOfDecision>]) -> String {
    let blocks = strategy_report::build_best_play_blocks(answers, strategies);
    match blocks.is_empty() {
        true => String::new(),
        false => {
            format!("<section class=\"play\">\n{}</section>\n", html::render_text_blocks(&blocks))
        }
    }
}

fn bytes_of_figure_link(figure: &PictureWithContent) -> usize {
    page_figures::figure_as_link_line(&figure.picture).len()
}

/// Returns the data of the first size budget that fits, or of the last one.
fn largest_data_within_limit(
    charts: &[ChartSpec],
    answers: &[Answer],
    room: usize,
    halt: &CancelToken,
) -> (PageDetailLevel, String) {
    let ladder: Vec<_> = PageDetailLevel::levels_from_full_to_least().collect();
    let made = |cut: &PageDetailLevel| match halt.is_cancelled() {
        true => String::new(),
        false => csp::json_for_script_element(
            &page_data::build_page_data(answers, *cut).with_headline_from_charts(charts),
        ),
    };
    let whole = made(&ladder[0]);
    if whole.len() <= room {
        return (ladder[0], whole);
    }
    // Every step is smaller than the one before.
    let fits = ladder.partition_point(|cut| made(cut).len() > room);
    let cut = ladder[fits.min(ladder.len() - 1)];
    (cut, made(&cut))
}

/// Describes the omissions of a size budget for the reader.
fn size_omission_note(cut: PageDetailLevel, answers: &[Answer]) -> String {
    let longest = answers.iter().map(|answer| answer.outcomes.len()).max();
    let measures = answers.iter().map(|answer| answer.measures.len()).max();
    let mut outcomes = answers.iter().flat_map(|answer| &answer.outcomes);
    let (n, first) = (cut.outcomes, cut.measures);
    let laws = match n {
        0 => "The laws of the outcomes are in outcomes.csv.".to_owned(),
        _ => format!(
            "Each law is shown with its {n} likeliest outcomes; the others are in outcomes.csv."
        ),
    };
    let texts = [
        (longest > Some(n)).then_some(laws),
        (!cut.simulated)
            .then(|| "Simulated values are in cells.csv where there is an exact one.".to_owned()),
        (measures > Some(first)).then(|| {
            format!("Only the first {first} measures of a contest are here; all are in cells.csv.")
        }),
        (!cut.fractions && outcomes.any(|outcome| outcome.fraction.is_some()))
            .then(|| "Fractions are in outcomes.csv.".to_owned()),
    ];
    let texts: Vec<_> = texts.into_iter().flatten().collect();
    if texts.is_empty() {
        return String::new();
    }
    let text = format!("Left out for the size of this page. {}", texts.join(" "));
    format!("<div class=\"cut\">{}</div>\n", render_paragraph("remark", &text))
}

/// A page without its data: texts, static tables and, once they are chosen, charts.
struct PageWithoutData<'a> {
    title: String,
    /// Whether the page has more cells than its own map shows.
    is_large: bool,
    engine: Option<&'a PageEngineScripts>,
    opening: String,
    /// The first picture, where the page itself draws no map of so many cells.
    first: String,
    /// The prediction.
    expected: String,
    sections: Vec<PageContestSection>,
    /// The text after the last section.
    rest: String,
    beyond: String,
    repeat: String,
}

/// One contest.
struct PageContestSection {
    contest: usize,
    head: String,
    remarks: String,
    figures: String,
    body: String,
}

impl PageWithoutData<'_> {
    fn from_run(experiment: &ExperimentSpec, answers: &[Answer], facts: &RunFacts) -> Self {
        let (sections, rest) = build_contest_sections(answers);
        PageWithoutData {
            title: page_title(experiment, answers),
            is_large: answers.len() > MAX_CELLS_OF_PAGE_MAP,
            engine: None,
            opening: render_question_and_verdict(experiment, answers),
            first: String::new(),
            expected: render_question_and_prediction(experiment, |what| what != "Question"),
            sections,
            rest,
            beyond: render_limits_of_used_systems(answers),
            repeat: render_reproduction(experiment, answers, facts),
        }
    }

    /// Puts the figures that fit into the sections of their contests, and lists the others by name.
    fn place_figures(&mut self, figures: &[PictureWithContent], pictures: &[String], fit: &[bool]) {
        let mut named = String::new();
        for ((figure, picture), fits) in figures.iter().zip(pictures).zip(fit) {
            let own = |section: &&mut PageContestSection| section.contest == figure.picture.contest;
            if *fits && self.is_large && self.first.is_empty() {
                self.first = format!("<div class=\"figures\">\n{picture}</div>\n");
                continue;
            }
            match self.sections.iter_mut().find(own) {
                Some(section) if *fits => section.figures.push_str(picture),
                _ => named.push_str(&page_figures::figure_as_link_line(&figure.picture)),
            }
        }
        if !named.is_empty() {
            let more =
                "<section class=\"more\"><h2>More charts</h2>\n<p>Beside this page:</p>\n<ul>\n";
            self.rest.push_str(&format!("{more}{named}</ul>\n</section>\n"));
        }
    }

    fn render_with_data(&self, data: &str, cut: &str) -> String {
        let sections: String =
            self.sections.iter().map(PageContestSection::render_section).collect();
        let script = if self.engine.is_some() { LIVE_SCRIPT } else { PAGE_SCRIPT_TEXT };
        let engine = self.engine.map_or(&[][..], |engine| &engine.scripts[..]);
        let engine_scripts: String =
            engine.iter().map(|script| format!("<script>{script}</script>\n")).collect();
        let slots = [
            ("script", script),
            ("engine", &engine_scripts),
            ("opening", &self.opening),
            ("first", &self.first),
            ("expected", &self.expected),
            ("cut", cut),
            ("sections", &(sections + &self.rest)),
            ("beyond", &self.beyond),
            ("repeat", &self.repeat),
            ("data", data),
        ];
        let body = fill_template_slots(PAGE_TEMPLATE_HTML, &slots);
        if self.engine.is_none() {
            return build_html_document(&self.title, STANDALONE_PAGE_STYLE, Some(script), &body);
        }
        let style = [STANDALONE_PAGE_STYLE, LIVE_STYLE].concat();
        let scripts = engine.iter().map(String::as_str).chain([script]);
        build_document_allowing_wasm(&self.title, &style, scripts, &body)
    }
}

impl PageContestSection {
    fn len(&self) -> usize {
        self.head.len() + self.remarks.len() + self.body.len()
    }

    fn render_section(&self) -> String {
        let figures = match self.figures.as_str() {
            "" => String::new(),
            figures => format!("<div class=\"figures\">\n{figures}</div>\n"),
        };
        let PageContestSection { head, remarks, body, .. } = self;
        format!("<section class=\"contest\">\n{head}{figures}{remarks}{body}</section>\n")
    }
}

/// Returns the title of a page: the question of the file, or of its contest, or else its name.
fn page_title(experiment: &ExperimentSpec, answers: &[Answer]) -> String {
    let own = run_summary::question_and_prediction_lines(experiment).into_iter();
    let own = own.filter(|(what, _)| *what == "Question").map(|(_, text)| text);
    let asked = |answer: &Answer| match answer.axes.is_empty() {
        true => answer.action.title_question_for_form(&answer.params),
        false => answer.action.question_in_general(),
    };
    let titles =
        own.chain(answers.first().map(asked)).map(|title| sentences::replace_control_chars(&title));
    let mut titles = titles.filter(|title| !title.is_empty());
    titles.next().unwrap_or_else(|| labels::experiment_name_with_spaces(&experiment.name))
}

/// Renders question, finding and verdict, which fit above the first picture.
fn render_question_and_verdict(experiment: &ExperimentSpec, answers: &[Answer]) -> String {
    let title = format!("<h1>{}</h1>\n", escape_xml(&page_title(experiment, answers)));
    let disagree = answers.iter().any(|answer| answer.agrees == Some(false));
    let class = if disagree { "verdict alarm" } else { "verdict" };
    let verdict = sentences::describe_engine_agreement(answers).unwrap_or_default();
    let extent = run_summary::describe_cells_and_completion(experiment, answers);
    let name = labels::experiment_name_with_spaces(&experiment.name);
    let first = sentences::split_by_contest(answers).next();
    let finding = first.and_then(answer_sentence::describe_contest_finding);
    let finding = finding.map(|text| render_paragraph("lead", &text)).unwrap_or_default();
    let extent = format!("{name}: {extent} {verdict}");
    title + &finding + &render_paragraph(class, extent.trim_end())
}

/// Renders the annotations of the file that are `wanted`.
fn render_question_and_prediction(
    experiment: &ExperimentSpec,
    is_wanted: impl Fn(&str) -> bool,
) -> String {
    let texts = run_summary::question_and_prediction_lines(experiment)
        .into_iter()
        .filter(|(what, _)| is_wanted(what));
    let line = |(what, text): (&str, String)| {
        let class = if what == "Question" { "lead" } else { "expected" };
        format!(
            "<p class=\"{class}\"><span class=\"label\">{what}</span> {}</p>\n",
            escape_xml(&text)
        )
    };
    texts.map(line).collect()
}

/// Builds the contests as text and tables, and the note on those left out: first their tables are
/// dropped, then they are only counted.
fn build_contest_sections(answers: &[Answer]) -> (Vec<PageContestSection>, String) {
    let (mut sections, mut left, mut cut) = (Vec::new(), STATIC_TABLE_BYTES, 0);
    for cells in sentences::split_by_contest(answers) {
        let excerpt = run_summary::build_short_tables(cells);
        let mut section = PageContestSection {
            contest: cells[0].contest,
            head: render_title_and_parameters(&excerpt),
            remarks: html::render_list(&as_unstyled_sentences(&excerpt.tables.remarks)),
            figures: String::new(),
            body: render_static_tables(&excerpt) + &render_axis_trade_offs(cells),
        };
        // The remarks stay if the tables do not fit.
        if section.len() > left {
            section.body.clear();
        }
        match left.checked_sub(section.len()) {
            Some(rest) => {
                left = rest;
                sections.push(section);
            }
            None => cut += 1,
        }
    }
    let more = format!("{} more contests are in summary.md.", group_digits(cut));
    let rest = (cut > 0).then(|| render_paragraph("remark", &more));
    (sections, rest.unwrap_or_default())
}

/// Renders the title, and the values that are equal in all cells.
fn render_title_and_parameters(excerpt: &ShortContestTables) -> String {
    let tables = &excerpt.tables;
    let mut out = format!("<h2>{}</h2>\n", escape_xml(&tables.title));
    if let Some(given) = &tables.parameters {
        out.push_str(&render_paragraph("given", given));
    }
    out
}

fn as_unstyled_sentences(texts: &[String]) -> Vec<StyledSentence> {
    texts.iter().map(StyledSentence::new_plain).collect()
}

/// Renders the tables for readers without JavaScript, with the meaning of their columns.
fn render_static_tables(excerpt: &ShortContestTables) -> String {
    let tables = &excerpt.tables;
    let mut out = html::render_table(&tables.measures, "Measures");
    if let Some(cut) = &excerpt.cut {
        out.push_str(&render_paragraph("remark", cut));
    }
    let joint = tables.outcomes.as_ref();
    let joint = joint.map(|law| html::render_table(law, "Law of the outcomes")).unwrap_or_default();
    let alone: String = tables.alone.iter().map(render_table_of_one_show).collect();
    out += &if tables.alone_first { alone + &joint } else { joint + &alone };
    for (title, rows) in &excerpt.extremes {
        out.push_str(&html::render_table(rows, title));
    }
    out.push_str(&html::render_list(&as_unstyled_sentences(&tables.legend)));
    format!("<div class=\"static\">\n{out}</div>\n")
}

/// Renders the law of one show by itself.
fn render_table_of_one_show(block: &ReportBlock) -> String {
    match block {
        ReportBlock::Table(title, table) => html::render_table(table, title),
        _ => String::new(),
    }
}

/// Renders the trade-offs: each axis in steps of the others.
fn render_axis_trade_offs(cells: &[Answer]) -> String {
    let overview_table = trade_off_tables::trade_offs_between_axes(cells);
    let table = overview_table.map(|told| {
        let remarks = html::render_list(&as_unstyled_sentences(&told.remarks));
        html::render_table(&told.measures, &told.title) + &remarks
    });
    table.unwrap_or_default()
}

/// Renders the command line and its inputs.
fn render_reproduction(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    facts: &RunFacts,
) -> String {
    let command = escape_xml(&facts.command_line());
    let version = format!("enfilade {}, stream {SEED_MAPPING_VERSION}", env!("CARGO_PKG_VERSION"));
    let mut lines = vec![
        ("Version", version),
        ("Seed", facts.seed_or_experiment_seed(experiment).to_string()),
        ("Trials", sentences::describe_trials_per_cell(answers)),
    ];
    if let Some(file) = &facts.input {
        lines.push(("Input", file.name.clone()));
        lines.push(("SHA-256", file.sha256.clone()));
    }
    let rulebooks = archived_rules::archived_file_lines(facts.rulebooks_from_files()).into_iter();
    lines.extend(rulebooks.map(|file| ("Rulebook", file)));
    let line =
        |(what, text): &(&str, String)| format!("<dt>{what}</dt><dd>{}</dd>\n", escape_xml(text));
    let lines: String = lines.iter().map(line).collect();
    let promise = how_to_reproduce::reproducible_numbers_note(
        run_summary::REPRODUCIBILITY_SCOPE,
        "The tables cells and outcomes",
    );
    format!("<pre>{command}</pre>\n<dl>\n{lines}</dl>\n{}", render_paragraph("", &promise))
}

#[cfg(test)]
mod tests;
