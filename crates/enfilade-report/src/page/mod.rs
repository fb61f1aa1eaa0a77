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
//! up, and if a page would exceed [`allowance`] more is left out, with a note; every number is in
//! the files beside it.
//!
//! `page.html`, `page.css` and the files of `script` are compiled in. The data of the script is
//! built in `page_data`, with its distributions in `outcome_columns` and `marginals` and its
//! numbers in `number_token`; `contest_toml` writes cells as TOML, `page_figures` selects charts,
//! and `csp` secures the page.

use std::collections::BTreeMap;

use super::answers::run_summary::{self, Excerpt};
use super::answers::{reproduce, trade_off_tables};
use super::blocks::html::{self, STYLE, filled, framed, paragraph};
use super::blocks::{Figure, Sentence, csp, dark_theme};
use super::folder::archived_rules;
use super::folder::manifest::RunFacts;
use super::text::xml_escape::escaped;
use super::text::{labels, sentences};
use enfilade_engine::cancel::Halt;
use enfilade_engine::random_stream::STREAM_VERSION;
use enfilade_model::catalogue::System;
use enfilade_model::form::Words;
use enfilade_model::form::sanitize::grouped;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::ExperimentSpec;

mod contest_toml;
mod marginals;
mod number_token;
mod outcome_columns;
pub(crate) mod page_data;
pub mod page_figures;
mod size_budget;

use size_budget::Cut;

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("script/read.js"),
    include_str!("script/draw.js"),
    include_str!("script/table.js"),
    include_str!("script/page.js"),
    "})();\n"
);

/// Bytes of a page of up to a thousand cells, charts included.
const WHOLE: usize = 300_000;

/// Bytes for every cell beyond a thousand, and the largest sum for all of them.
const MORE: (usize, usize) = (50, 2_700_000);

/// Bytes reserved for charts before the distributions get the rest.
const CHARTS: usize = 40_000;

/// Bytes of the tables for readers without JavaScript.
const TABLES: usize = 60_000;

/// Returns the largest size of a page in bytes, whatever must be left out for it: 300 000 up to a
/// thousand cells, 3 million at most.
pub fn allowance(cells: usize) -> usize {
    let (each, most) = MORE;
    WHOLE + (each * cells.saturating_sub(1000)).min(most)
}

/// Renders the page of a run. The same run gives the same bytes: nothing in it depends on the
/// clock. After a cancellation the page is incomplete.
pub fn render(
    experiment: &ExperimentSpec,
    answers: &[Answer],
    facts: &RunFacts,
    figures: &[Figure],
    halt: &Halt,
) -> String {
    let allowance = allowance(answers.len());
    let mut frame = Frame::of(experiment, answers, facts);
    let numbered = figures.iter().zip(1..);
    let pictures: Vec<_> = numbered.map(|(f, n)| html::embedded(f, n)).collect();
    let dark = dark_theme::rules(&pictures.concat()).len();
    // Room for the pictures is reserved before the data are shortened, and none of it remains
    // unused.
    let wanted = (dark + pictures.iter().map(String::len).sum::<usize>()).min(CHARTS);
    let bare = frame.page("", "").len() + figures.iter().map(named_length).sum::<usize>();
    let (cut, data) = fitted(answers, allowance.saturating_sub(bare + wanted), halt);
    let said = said(cut, answers);
    let contests: Vec<_> = figures.iter().map(|f| f.picture.contest).collect();
    let room = allowance.saturating_sub(bare + dark + data.len() + said.len());
    let fit = page_figures::fitting(&pictures, &contests, room);
    frame.illustrate(figures, &pictures, &fit);
    frame.page(&data, &said)
}

fn named_length(figure: &Figure) -> usize {
    page_figures::named(&figure.picture).len()
}

/// Returns the data of the first size budget that fits, or of the last one.
fn fitted(answers: &[Answer], room: usize, halt: &Halt) -> (Cut, String) {
    let ladder: Vec<_> = Cut::ladder().collect();
    let made = |cut: &Cut| match halt.asked() {
        true => String::new(),
        false => csp::json(&page_data::data(answers, *cut)),
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
fn said(cut: Cut, answers: &[Answer]) -> String {
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
    let said = [
        (longest > Some(n)).then_some(laws),
        (!cut.simulated)
            .then(|| "Simulated values are in cells.csv where there is an exact one.".to_owned()),
        (measures > Some(first)).then(|| {
            format!("Only the first {first} measures of a contest are here; all are in cells.csv.")
        }),
        (!cut.fractions && outcomes.any(|outcome| outcome.fraction.is_some()))
            .then(|| "Fractions are in outcomes.csv.".to_owned()),
    ];
    let said: Vec<_> = said.into_iter().flatten().collect();
    if said.is_empty() {
        return String::new();
    }
    let said = format!("Left out for the size of this page. {}", said.join(" "));
    format!("<div class=\"cut\">{}</div>\n", paragraph("remark", &said))
}

/// A page without its data: texts, static tables and, once they are chosen, charts.
struct Frame {
    title: String,
    opening: String,
    /// The prediction.
    expected: String,
    sections: Vec<Section>,
    /// The text after the last section.
    rest: String,
    beyond: String,
    repeat: String,
}

/// One contest.
struct Section {
    contest: usize,
    head: String,
    remarks: String,
    figures: String,
    body: String,
}

impl Frame {
    fn of(experiment: &ExperimentSpec, answers: &[Answer], facts: &RunFacts) -> Frame {
        let (sections, rest) = sections(answers);
        Frame {
            title: labels::called(&experiment.name),
            opening: opening(experiment, answers),
            expected: told(experiment, |what| what != "Question"),
            sections,
            rest,
            beyond: beyond(answers),
            repeat: repeat(experiment, answers, facts),
        }
    }

    /// Puts the figures that fit into the sections of their contests, and lists the others by name.
    fn illustrate(&mut self, figures: &[Figure], pictures: &[String], fit: &[bool]) {
        let mut named = String::new();
        for ((figure, picture), fits) in figures.iter().zip(pictures).zip(fit) {
            let own = |section: &&mut Section| section.contest == figure.picture.contest;
            match self.sections.iter_mut().find(own) {
                Some(section) if *fits => section.figures.push_str(picture),
                _ => named.push_str(&page_figures::named(&figure.picture)),
            }
        }
        if !named.is_empty() {
            let more =
                "<section class=\"more\"><h2>More charts</h2>\n<p>Beside this page:</p>\n<ul>\n";
            self.rest.push_str(&format!("{more}{named}</ul>\n</section>\n"));
        }
    }

    fn page(&self, data: &str, cut: &str) -> String {
        let sections: String = self.sections.iter().map(Section::html).collect();
        let slots = [
            ("script", SCRIPT),
            ("opening", &self.opening),
            ("expected", &self.expected),
            ("cut", cut),
            ("sections", &(sections + &self.rest)),
            ("beyond", &self.beyond),
            ("repeat", &self.repeat),
            ("data", data),
        ];
        framed(&self.title, STYLE, Some(SCRIPT), &filled(PAGE, &slots))
    }
}

impl Section {
    fn len(&self) -> usize {
        self.head.len() + self.remarks.len() + self.body.len()
    }

    fn html(&self) -> String {
        let figures = match self.figures.as_str() {
            "" => String::new(),
            figures => format!("<div class=\"figures\">\n{figures}</div>\n"),
        };
        let Section { head, remarks, body, .. } = self;
        format!("<section class=\"contest\">\n{head}{figures}{remarks}{body}</section>\n")
    }
}

/// Renders name, question and verdict, which fit above the first picture.
fn opening(experiment: &ExperimentSpec, answers: &[Answer]) -> String {
    let name = format!("<h1>{}</h1>\n", escaped(&labels::called(&experiment.name)));
    let disagree = answers.iter().any(|answer| answer.agrees == Some(false));
    let class = if disagree { "verdict alarm" } else { "verdict" };
    let verdict = sentences::agreement(answers).unwrap_or_default();
    let extent = run_summary::extent(experiment, answers);
    let question = told(experiment, |what| what == "Question");
    name + &question + &paragraph(class, format!("{extent} {verdict}").trim_end())
}

/// Renders the annotations of the file that are `wanted`.
fn told(experiment: &ExperimentSpec, wanted: impl Fn(&str) -> bool) -> String {
    let said = run_summary::asked(experiment).into_iter().filter(|(what, _)| wanted(what));
    let line = |(what, said): (&str, String)| {
        let class = if what == "Question" { "lead" } else { "expected" };
        format!("<p class=\"{class}\"><span class=\"label\">{what}</span> {}</p>\n", escaped(&said))
    };
    said.map(line).collect()
}

/// Builds the contests as text and tables, and the note on those left out: first their tables are
/// dropped, then they are only counted.
fn sections(answers: &[Answer]) -> (Vec<Section>, String) {
    let (mut sections, mut left, mut cut) = (Vec::new(), TABLES, 0);
    for cells in sentences::by_contest(answers) {
        let excerpt = run_summary::excerpt(cells);
        let mut section = Section {
            contest: cells[0].contest,
            head: section_head(&excerpt),
            remarks: html::list(&lines(&excerpt.tables.remarks)),
            figures: String::new(),
            body: static_tables(&excerpt) + &steps(cells),
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
    let more = format!("{} more contests are in summary.md.", grouped(cut));
    let rest = (cut > 0).then(|| paragraph("remark", &more));
    (sections, rest.unwrap_or_default())
}

/// Renders the title, and the values that are equal in all cells.
fn section_head(excerpt: &Excerpt) -> String {
    let tables = &excerpt.tables;
    let mut out = format!("<h2>{}</h2>\n", escaped(&tables.title));
    if let Some(given) = &tables.given {
        out.push_str(&paragraph("given", given));
    }
    out
}

fn lines(texts: &[String]) -> Vec<Sentence> {
    texts.iter().map(Sentence::plain).collect()
}

/// Renders the tables for readers without JavaScript, with the meaning of their columns.
fn static_tables(excerpt: &Excerpt) -> String {
    let tables = &excerpt.tables;
    let mut out = html::table(&tables.measures, "Measures");
    if let Some(cut) = &excerpt.cut {
        out.push_str(&paragraph("remark", cut));
    }
    if let Some(law) = &tables.outcomes {
        out.push_str(&html::table(law, "Law of the outcomes"));
    }
    for (title, rows) in &excerpt.extremes {
        out.push_str(&html::table(rows, title));
    }
    out.push_str(&html::list(&lines(&tables.legend)));
    format!("<div class=\"static\">\n{out}</div>\n")
}

/// Renders the trade-offs: each axis in steps of the others.
fn steps(cells: &[Answer]) -> String {
    let told = trade_off_tables::overview(cells);
    let table = told.map(|told| {
        let remarks = html::list(&lines(&told.remarks));
        html::table(&told.measures, &told.title) + &remarks
    });
    table.unwrap_or_default()
}

/// Renders the limits of the rulebooks, and how their sources are read.
fn beyond(answers: &[Answer]) -> String {
    let asked = answers.iter().map(|answer| &answer.system);
    let known: BTreeMap<&str, &System> = asked.map(|system| (&*system.id, &**system)).collect();
    known.into_values().map(beyond_one).collect()
}

fn beyond_one(system: &System) -> String {
    let lines = |all: &Words| html::list(&all.iter().map(Sentence::plain).collect::<Vec<_>>());
    let mut out = format!("<h3>{}: {}</h3>\n", escaped(&system.id), escaped(&system.title));
    out.push_str(&paragraph("remark", &format!("Source: {}", system.source)));
    out.push_str(&lines(&system.not_modelled));
    if !system.readings.is_empty() {
        let readings = lines(&system.readings);
        out.push_str(&format!(
            "<div class=\"screen\"><p>How the source is read:</p>\n{readings}</div>\n"
        ));
    }
    out
}

/// Renders the command line and its inputs.
fn repeat(experiment: &ExperimentSpec, answers: &[Answer], facts: &RunFacts) -> String {
    let command = escaped(&facts.command_line());
    let version = format!("enfilade {}, stream {STREAM_VERSION}", env!("CARGO_PKG_VERSION"));
    let mut lines = vec![
        ("Version", version),
        ("Seed", facts.seed(experiment).to_string()),
        ("Trials", sentences::trials(answers)),
    ];
    if let Some(file) = &facts.input {
        lines.push(("Input", file.name.clone()));
        lines.push(("SHA-256", file.sha256.clone()));
    }
    let rulebooks = archived_rules::told(facts.rulebooks()).into_iter();
    lines.extend(rulebooks.map(|file| ("Rulebook", file)));
    let line =
        |(what, said): &(&str, String)| format!("<dt>{what}</dt><dd>{}</dd>\n", escaped(said));
    let lines: String = lines.iter().map(line).collect();
    let promise = reproduce::promise(run_summary::EVERYWHERE, "The tables cells and outcomes");
    format!("<pre>{command}</pre>\n<dl>\n{lines}</dl>\n{}", paragraph("", &promise))
}

#[cfg(test)]
mod tests;
