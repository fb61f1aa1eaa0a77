//! Reads a `[[card]]`: the numbers and their order, checked against the contests of the file.

use super::reported_names::{Named, columns_of, firsts};
use crate::experiment::{CardSpec, Cell, Condition, LineSpec, Shows, Side};
use crate::file::file_reader::Reader;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{Group, fields};
use enfilade_model::form::{Fault, Fields, Kind, Preset};

/// Largest number of lines in a row of a card: a row is never broken over pages.
const LINES: usize = 12;

fields! {
    /// Keys of a `[[card]]`.
    pub struct Card {
        /// its title
        title: Option<String> = optional(Kind::Text);
        /// what is rolled and which way is good, in place of the rulebook's words
        dice: Option<String> = optional(Kind::Text);
        /// names of the contests it shows; all of them when left out
        contests: Vec<String> = new(Kind::list(&Kind::Text), Preset::Empty);
        /// a grid axis, "contest" or "result": what its rows are
        rows: Option<String> = optional(Kind::Text);
        /// a grid axis, "contest" or "result": what its columns are
        columns: Option<String> = optional(Kind::Text);
        /// the head of the row heads
        row_title: Option<String> = optional(Kind::Text);
        /// the head of the column heads
        column_title: Option<String> = optional(Kind::Text);
        /// what grid axes are called in titles
        axis: Vec<AxisName> = new(Kind::tables(joined![AxisName::FIELDS]), Preset::Empty);
        /// the lines of a row; those with `when` are a stack that adds up to 100 %
        line: Vec<Line> = new(Kind::tables(joined![Line::FIELDS]), Preset::Empty);
        /// what the rest of the stack is called, in place of what happens in it, or "no effect"
        rest: Option<String> = optional(Kind::Text);
        /// columns of the built-in data beside the row heads
        facts: Vec<String> = new(Kind::list(&Kind::Text), Preset::Empty);
        /// sentences below its tables
        notes: Vec<String> = new(Kind::list(&Kind::Text), Preset::Empty);
    }

    /// Keys of an axis's name.
    pub struct AxisName {
        /// the grid axis, such as `target.2.count`
        path: String = required(Kind::Text);
        /// what it is called: "squads"
        name: String = required(Kind::Text);
    }

    /// Keys of a line.
    pub struct Line {
        /// what the line is called
        label: String = required(Kind::Text);
        /// the measure it shows
        measure: Option<String> = optional(Kind::Text);
        /// outcome fields, or "FIELD >= N": the outcomes in which one of them holds and no line above has
        /// taken
        when: Vec<String> = new(Kind::list(&Kind::Text), Preset::Empty);
    }
}

/// Keys of a `[[card]]` as one list.
pub const CARD: Fields = joined![Card::FIELDS];

/// Words in `rows` and `columns` that are not axes.
const SIDES: [&str; 2] = ["contest", "result"];

impl Reader<'_> {
    /// Reads the cards, checked against the contests if these could be read.
    pub(super) fn cards(&mut self, cells: Option<&[Cell]>) -> Vec<CardSpec> {
        let tables = self.drawn("card");
        let mut cards = Vec::new();
        // Names can only be checked against contests that could be read.
        let cells = cells.filter(|_| !tables.is_empty());
        let known = cells.map(|cells| (Named::of(cells), cells));
        for (number, table) in tables.iter().enumerate() {
            let path = format!("card[{number}]");
            if let Some(form) = self.fill(&CARD, table, &path) {
                let known = known.as_ref();
                cards.extend(
                    known.map(|(named, cells)| self.card(Card::read(&form), &path, named, cells)),
                );
            }
        }
        cards
    }

    fn card(&mut self, card: Card, path: &str, named: &Named<'_>, cells: &[Cell]) -> CardSpec {
        let contests = self.contest_names(&card.contests, path, cells);
        let shown: Vec<_> = firsts(cells)
            .filter(|cell| contests.is_empty() || contests.contains(&cell.name))
            .collect();
        let spec = CardSpec {
            title: card.title,
            dice: card.dice,
            rows: self.side(card.rows, path, "rows", named),
            columns: self.side(card.columns, path, "columns", named),
            row_title: card.row_title,
            column_title: card.column_title,
            names: self.axis_names(card.axis, path, named),
            lines: self.lines(card.line, path, named, &shown),
            rest: card.rest,
            facts: self.facts(&card.facts, path, &shown),
            notes: card.notes,
            contests,
        };
        if spec.rows.is_some() && spec.rows == spec.columns {
            let problem = "rows and columns are the same";
            self.note(Fault::new(format!("{path}.columns"), problem));
        }
        spec
    }

    fn contest_names(&mut self, given: &[String], path: &str, cells: &[Cell]) -> Vec<String> {
        let known: Vec<_> = firsts(cells).map(|cell| cell.name.as_str()).collect();
        let mut names = Vec::new();
        for (i, name) in given.iter().enumerate() {
            let at = format!("{path}.contests[{i}]");
            names.extend(self.known(at, "there is no contest", name, &known));
        }
        names
    }

    fn side(
        &mut self,
        given: Option<String>,
        path: &str,
        key: &str,
        named: &Named<'_>,
    ) -> Option<Side> {
        let mut known = named.axes.clone();
        known.retain(|axis| !SIDES.contains(axis));
        known.extend(SIDES);
        let found = self.axis(path, key, given, &known)?;
        Some(match found.as_str() {
            "contest" => Side::Contests,
            "result" => Side::Results,
            _ => Side::Axis(found),
        })
    }

    fn axis_names(
        &mut self,
        given: Vec<AxisName>,
        path: &str,
        named: &Named<'_>,
    ) -> Vec<(String, String)> {
        let mut names = Vec::new();
        for (i, given) in given.into_iter().enumerate() {
            let at = format!("{path}.axis[{i}]");
            let axis = self.axis(&at, "path", Some(given.path), &named.axes);
            names.extend(axis.map(|axis| (axis, given.name)));
        }
        names
    }

    fn lines(
        &mut self,
        given: Vec<Line>,
        path: &str,
        named: &Named<'_>,
        shown: &[&Cell],
    ) -> Vec<LineSpec> {
        if given.len() > LINES {
            let problem =
                format!("a card has at most {LINES} lines, but this one has {}", given.len());
            self.note(Fault::new(format!("{path}.line"), problem));
        }
        let mut lines = Vec::new();
        for (i, Line { label, measure, when }) in given.into_iter().enumerate() {
            let at = format!("{path}.line[{i}]");
            let shows = self.shows((measure, &when), &at, named, shown);
            lines.extend(shows.map(|shows| LineSpec { label, shows }));
        }
        lines
    }

    fn shows(
        &mut self,
        (measure, when): (Option<String>, &[String]),
        path: &str,
        named: &Named<'_>,
        shown: &[&Cell],
    ) -> Option<Shows> {
        if measure.is_some() != when.is_empty() {
            let problem = "a line needs either `measure` or `when`";
            self.note(Fault::new(path, problem).help("keep one of the two"));
            return None;
        }
        if measure.is_some() {
            return self.measure(path, measure, named).map(Shows::Measure);
        }
        let mut band = Vec::new();
        for (i, text) in when.iter().enumerate() {
            band.extend(self.condition(&format!("{path}.when[{i}]"), text, shown));
        }
        Some(Shows::Band(band))
    }

    fn condition(&mut self, path: &str, text: &str, shown: &[&Cell]) -> Option<Condition> {
        let (name, least) = match text.split_once(">=") {
            // A field alone means at least 1.
            None => (text, Ok(1)),
            Some((name, least)) => (name, least.trim().parse()),
        };
        let Ok(least) = least else {
            let problem = "expected an outcome field, or \"FIELD >= N\" with a whole number";
            self.note(Fault::new(path, problem));
            return None;
        };
        let fields = shown.iter().flat_map(|cell| cell.played.combat.fields().iter());
        let mut known: Vec<_> = fields.map(|field| &*field.name).collect();
        known.sort_unstable();
        known.dedup();
        let problem = "no contest of the card has an outcome field";
        let field = self.known(path.to_owned(), problem, name.trim(), &known)?;
        Some(Condition { field, least })
    }

    fn facts(&mut self, given: &[String], path: &str, shown: &[&Cell]) -> Vec<String> {
        let known = match given {
            [] => Vec::new(),
            _ => columns_of(shown.iter().copied()),
        };
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        let mut facts = Vec::new();
        for (i, name) in given.iter().enumerate() {
            let at = format!("{path}.facts[{i}]");
            facts.extend(self.known(at, "the built-in data has no column", name, &known));
        }
        facts
    }
}
