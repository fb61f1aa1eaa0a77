//! Results of a search: its objective, the settings found and how they differ from the rest, the
//! fixed parameters, and the command that repeats one of them.
//!
//! Of the cells that were not kept only their grid is known here.

use indexmap::IndexMap;

use crate::answers::answer_tables::{self, View};
use crate::answers::digest::Gist;
use crate::blocks::{Block, Entry, Figure, Sentence, TextTable};
use crate::folder::manifest::command_line;
use crate::text::{labels, left_out, sentences};
use enfilade_engine::exact::approximation::Approximation;
use enfilade_model::form::Value;
use enfilade_model::form::sanitize::grouped;
use enfilade_study::answer::{Answer, MeasureAnswer};
use enfilade_study::question;
use enfilade_study::search::left_out::LeftOut;
use enfilade_study::search::{Condition, Goal, Search};

/// The largest number of values of an axis listed by name; above it only their count is given.
const NAMED: usize = 12;

/// The axes of every contest and their values, each under its name, in the order of the grid.
#[derive(Debug, Default)]
pub struct Tried {
    axes: IndexMap<usize, Axes>,
    first: Option<Answer>,
}

type Axes = IndexMap<String, IndexMap<String, Value>>;

impl Tried {
    /// Builds the axes from the sample cells of a grid: all values of every axis, or of a very long
    /// one only some.
    pub fn of(sample: Vec<Answer>) -> Tried {
        let mut tried = Tried::default();
        for cell in &sample {
            let axes = tried.axes.entry(cell.contest).or_default();
            for (path, value) in &cell.axes {
                let axis = axes.entry(path.clone()).or_default();
                axis.entry(value.to_string()).or_insert_with(|| value.clone());
            }
        }
        tried.first = sample.into_iter().next();
        tried
    }
}

/// Builds the blocks for a search without a result: the objective, and how near the settings come
/// to it.
pub fn nothing(search: &Search, tried: &Tried, left_out: &LeftOut, of: u64) -> Vec<Block> {
    let Some(first) = &tried.first else { return Vec::new() };
    let sought = Sentence::plain(sought(search, first)).then(Sentence::strong("There is none."));
    let why = labels::capitalised(&left_out::nothing(search, left_out, of));
    vec![Block::Sentence(sought), Block::said(why + ".")]
}

/// Builds the blocks of the settings found in a contest, under its heading.
pub fn blocks(gist: &Gist, search: &Search, tried: &Tried, figures: Vec<Figure>) -> Vec<Block> {
    let cells = best_first(gist, search);
    let first = &gist.head()[0];
    let same = |(path, _): &&(String, Value)| {
        gist.along.get(path).is_some_and(|values| values.len() == 1) && gist.cells > 1
    };
    let alike: Vec<_> = first.axes.iter().filter(same).collect();
    let wanted = search.goals().map(|goal| goal.measure.as_str());
    let wanted = wanted.chain(search.keep.iter().map(|held| held.measure.as_str()));
    let hidden = alike.iter().map(|(path, _)| path.as_str()).collect();
    // Axes that need no column are left out, and what was sought is in front of all else.
    let view = View { hidden, first: wanted.collect() };
    let shown = answer_tables::contest_in(&cells, &view);
    let mut blocks = vec![Block::Heading(shown.title), Block::said(sought(search, first))];
    blocks.extend(figures.into_iter().map(Block::Picture));
    blocks.push(Block::Table(called(search).to_owned(), shown.measures));
    if !alike.is_empty() {
        let told = |(path, value): &&(String, Value)| {
            format!("{} {}", labels::axis(first, path), labels::value(first, path, value))
        };
        let alike = alike.iter().map(told).collect::<Vec<_>>().join(", ");
        blocks.push(Block::Sentence(Sentence::of("The same in all of them:", alike + ".")));
    }
    let fixed = answer_tables::given(first).map_or(String::new(), |given| given + "; ");
    let fixed = format!("{fixed}all else as the rulebook sets it.");
    blocks.push(Block::Sentence(Sentence::of("Held fixed:", fixed)));
    blocks.extend(gist.remarks().into_iter().map(Block::said));
    blocks.extend(beside_others(gist, tried));
    blocks.extend(again(cells[0]));
    blocks.extend(Block::listed(shown.legend));
    blocks
}

/// Returns the cells found; a complete Pareto front is sorted by its first goal, best first.
fn best_first<'g>(gist: &'g Gist, search: &Search) -> Vec<&'g Answer> {
    let mut cells: Vec<&Answer> = gist.head().iter().map(|answer| &**answer).collect();
    if let Some(goal) = search.front.first().filter(|_| gist.is_whole()) {
        let met = |cell: &Answer| {
            let known = cell.measure(&goal.measure).and_then(MeasureAnswer::approximate);
            let value = known.map_or(f64::NEG_INFINITY, Approximation::nearest_key);
            if goal.least { -value } else { value }
        };
        cells.sort_by(|a, b| met(b).total_cmp(&met(a)));
    }
    cells
}

fn called(search: &Search) -> &'static str {
    match (&search.best, search.front.is_empty()) {
        (Some(_), _) => "The best settings",
        (None, false) => "Settings that no other one beats",
        (None, true) => "The settings kept",
    }
}

/// Describes the objective in a player's words.
fn sought(search: &Search, cell: &Answer) -> String {
    let named = |measure: &str| {
        let head = cell.measure(measure).map(|measure| &measure.head);
        head.map_or(sentences::clean(measure), |head| labels::measure(head))
    };
    let held = |held: &Condition| {
        let share = cell.measure(&held.measure).is_some_and(|m| m.head.kind.is_share());
        format!("{} {}", named(&held.measure), left_out::bound(held, share))
    };
    let goal = |goal: &Goal| {
        format!("{} {}", if goal.least { "little" } else { "much" }, named(&goal.measure))
    };
    let held: Vec<_> = search.keep.iter().map(held).collect();
    let of = match held.is_empty() {
        true => String::new(),
        false => format!(" with {}", held.join(" and ")),
    };
    match &search.best {
        Some((count, by)) => {
            let most = if by.least { "least" } else { "most" };
            let by = named(&by.measure);
            match count {
                1 => format!("Sought: the setting{of} that has the {most} {by}."),
                _ => format!("Sought: the {count} settings{of} that have the {most} {by}."),
            }
        }
        None if search.front.is_empty() => format!("Sought: every setting{of}."),
        None => {
            let goals: Vec<_> = search.front.iter().map(goal).collect();
            format!(
                "Sought: settings{of} with as {} as possible (Pareto front): no other setting is at least as good in \
                 every goal and better in one. Of equal settings the first in the grid is listed.",
                goals.join(" and as ")
            )
        }
    }
}

/// Builds the blocks that list, for every axis, the values among the results and the values not
/// among them.
fn beside_others(gist: &Gist, tried: &Tried) -> Vec<Block> {
    let cell = &gist.head()[0];
    let row = |(path, values): (&String, &IndexMap<String, Value>)| {
        let kept = gist.along.get(path).filter(|_| values.len() > 1)?;
        let among = |wanted: bool| {
            let marked =
                values.iter().map(|(name, value)| (value, kept.contains_key(name) == wanted));
            Entry::Text(runs(cell, path, marked))
        };
        let tried = Entry::Number(grouped(values.len() as u64));
        Some(vec![Entry::Text(labels::axis(cell, path)), tried, among(true), among(false)])
    };
    let axes = tried.axes.get(&gist.contest);
    let rows: Vec<_> = axes.into_iter().flatten().filter_map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let heads = ["setting", "values tried", "kept", "never kept"].map(str::to_owned).to_vec();
    let said = Sentence::strong("Values that they have and others have not:");
    let table = TextTable { heads, rows, fixed: 1 };
    vec![Block::Sentence(said), Block::Table("Values kept of every axis".to_owned(), table)]
}

/// Formats the marked values of an axis; three or more consecutive whole numbers become a range.
fn runs<'a>(cell: &Answer, path: &str, marked: impl Iterator<Item = (&'a Value, bool)>) -> String {
    let marked: Vec<_> = marked.collect();
    let mut parts = Vec::new();
    for run in marked.chunk_by(|a, b| a.1 == b.1).filter(|run| run[0].1) {
        let told = |(value, _): &(&Value, bool)| labels::value(cell, path, value);
        let numbers = run.iter().all(|(value, _)| matches!(value, Value::Int(_)));
        match run {
            [first, _, .., last] if numbers => {
                parts.push((format!("{} to {}", told(first), told(last)), run.len()));
            }
            run => parts.extend(run.iter().map(|one| (told(one), 1))),
        }
    }
    let more: usize = parts.iter().skip(NAMED).map(|(_, count)| count).sum();
    let mut told: Vec<_> = parts.into_iter().take(NAMED).map(|(said, _)| said).collect();
    if more > 0 {
        told.push(format!("{} more", grouped(more as u64)));
    }
    if told.is_empty() { "–".to_owned() } else { told.join(", ") }
}

/// Builds the blocks with the command that shows one of the results alone.
fn again(cell: &Answer) -> Vec<Block> {
    let Some(words) = question::again(cell) else {
        let said = "To see one of these alone, replace the lists in the file by its values.";
        return vec![Block::said(said)];
    };
    let command = ["enfilade", "odds"].map(str::to_owned).into_iter().chain(words);
    let command: Vec<_> = command.collect();
    vec![
        Block::said(
            "The first of these alone, with its full distribution (for another, replace the values):",
        ),
        Block::Command(command_line(&command)),
    ]
}
