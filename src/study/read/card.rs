//! Reading a `[[card]]`: what is printed where, checked against the contests of the file.

use super::named::{Named, columns_of, firsts};
use super::reader::Reader;
use crate::form::{Fault, Field, Fields, Form, Kind, Preset, Value};
use crate::study::experiment::{CardSpec, Cell, Condition, LineSpec, Shows, Side};

/// The most lines a row of a card has: a row is never broken over pages.
const LINES: usize = 12;

/// The keys of a `[[card]]`.
pub const CARD: Fields = Fields::Static(&[&[
    Field::optional("title", Kind::Text, "its title"),
    Field::optional(
        "dice",
        Kind::Text,
        "what is rolled and which way is good, in place of the rulebook's words",
    ),
    Field::new(
        "contests",
        Kind::list(&Kind::Text),
        Preset::Empty,
        "names of the contests it shows; all of them when left out",
    ),
    Field::optional(
        "rows",
        Kind::Text,
        "a grid axis, \"contest\" or \"result\": what its rows are",
    ),
    Field::optional(
        "columns",
        Kind::Text,
        "a grid axis, \"contest\" or \"result\": what its columns are",
    ),
    Field::optional("row_title", Kind::Text, "the head of the row heads"),
    Field::optional("column_title", Kind::Text, "the head of the column heads"),
    Field::new("axis", Kind::tables(AXIS), Preset::Empty, "what grid axes are called in titles"),
    Field::new(
        "line",
        Kind::tables(LINE),
        Preset::Empty,
        "the lines of a row; those with `when` are a stack that adds up to 100 %",
    ),
    Field::optional(
        "rest",
        Kind::Text,
        "what the rest of the stack is called; \"no effect\" when left out",
    ),
    Field::new(
        "facts",
        Kind::list(&Kind::Text),
        Preset::Empty,
        "columns of the built-in data that stand beside the row heads",
    ),
    Field::new("notes", Kind::list(&Kind::Text), Preset::Empty, "sentences below its tables"),
]]);

/// The keys of an axis's name.
const AXIS: Fields = Fields::Static(&[&[
    Field::required("path", Kind::Text, "the grid axis, such as `target.2.count`"),
    Field::required("name", Kind::Text, "what it is called: \"squads\""),
]]);

/// The keys of a line.
const LINE: Fields = Fields::Static(&[&[
    Field::required("label", Kind::Text, "what the line is called"),
    Field::optional("measure", Kind::Text, "the measure it shows"),
    Field::new(
        "when",
        Kind::list(&Kind::Text),
        Preset::Empty,
        "outcome fields, or \"FIELD >= N\": the outcomes in which one of them holds and no line above has taken",
    ),
]]);

/// The words for what is no axis, in `rows` and `columns`.
const SIDES: [&str; 2] = ["contest", "result"];

impl Reader<'_> {
    /// The cards, checked against the contests if these could be read.
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
                cards.extend(known.map(|(named, cells)| self.card(&form, &path, named, cells)));
            }
        }
        cards
    }

    fn card(&mut self, form: &Form, path: &str, named: &Named<'_>, cells: &[Cell]) -> CardSpec {
        let text = |key| form.maybe_text(key).map(str::to_owned);
        let contests = self.contest_names(form, path, cells);
        let shown: Vec<_> = firsts(cells)
            .filter(|cell| contests.is_empty() || contests.contains(&cell.name))
            .collect();
        let spec = CardSpec {
            title: text("title"),
            dice: text("dice"),
            rows: self.side(form, path, "rows", named),
            columns: self.side(form, path, "columns", named),
            row_title: text("row_title"),
            column_title: text("column_title"),
            names: self.axis_names(form, path, named),
            lines: self.lines(form, path, named, &shown),
            rest: text("rest"),
            facts: self.facts(form, path, &shown),
            notes: texts(form, "notes").map(str::to_owned).collect(),
            contests,
        };
        if spec.rows.is_some() && spec.rows == spec.columns {
            let problem = "rows and columns are the same";
            self.note(Fault::new(format!("{path}.columns"), problem));
        }
        spec
    }

    fn contest_names(&mut self, form: &Form, path: &str, cells: &[Cell]) -> Vec<String> {
        let known: Vec<_> = firsts(cells).map(|cell| cell.name.as_str()).collect();
        let mut names = Vec::new();
        for (i, name) in texts(form, "contests").enumerate() {
            let at = format!("{path}.contests[{i}]");
            names.extend(self.known(at, "there is no contest", name, &known));
        }
        names
    }

    fn side(&mut self, form: &Form, path: &str, key: &str, named: &Named<'_>) -> Option<Side> {
        let mut known = named.axes.clone();
        known.retain(|axis| !SIDES.contains(axis));
        known.extend(SIDES);
        let found = self.axis(path, key, form.maybe_text(key).map(str::to_owned), &known)?;
        Some(match found.as_str() {
            "contest" => Side::Contests,
            "result" => Side::Results,
            _ => Side::Axis(found),
        })
    }

    fn axis_names(&mut self, form: &Form, path: &str, named: &Named<'_>) -> Vec<(String, String)> {
        let mut names = Vec::new();
        for (i, table) in form.tables("axis").iter().enumerate() {
            let given = Some(table.text("path").to_owned());
            let axis = self.axis(&format!("{path}.axis[{i}]"), "path", given, &named.axes);
            names.extend(axis.map(|axis| (axis, table.text("name").to_owned())));
        }
        names
    }

    fn lines(
        &mut self,
        form: &Form,
        path: &str,
        named: &Named<'_>,
        shown: &[&Cell],
    ) -> Vec<LineSpec> {
        let tables = form.tables("line");
        if tables.len() > LINES {
            let problem =
                format!("a card has at most {LINES} lines, and here are {}", tables.len());
            self.note(Fault::new(format!("{path}.line"), problem));
        }
        let mut lines = Vec::new();
        for (i, table) in tables.iter().enumerate() {
            let at = format!("{path}.line[{i}]");
            let label = table.text("label").to_owned();
            let shows = self.shows(table, &at, named, shown);
            lines.extend(shows.map(|shows| LineSpec { label, shows }));
        }
        lines
    }

    fn shows(
        &mut self,
        line: &Form,
        path: &str,
        named: &Named<'_>,
        shown: &[&Cell],
    ) -> Option<Shows> {
        let measure = line.maybe_text("measure").map(str::to_owned);
        let conditions = texts(line, "when").count();
        if measure.is_some() == (conditions > 0) {
            let problem = "a line shows either a `measure` or the outcomes `when` something holds";
            self.note(Fault::new(path, problem).help("give one of the two"));
            return None;
        }
        if measure.is_some() {
            return self.measure(path, measure, named).map(Shows::Measure);
        }
        let mut band = Vec::new();
        for (i, text) in texts(line, "when").enumerate() {
            band.extend(self.condition(&format!("{path}.when[{i}]"), text, shown));
        }
        Some(Shows::Band(band))
    }

    fn condition(&mut self, path: &str, text: &str, shown: &[&Cell]) -> Option<Condition> {
        let (name, least) = match text.split_once(">=") {
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

    fn facts(&mut self, form: &Form, path: &str, shown: &[&Cell]) -> Vec<String> {
        let known = match form.list("facts") {
            [] => Vec::new(),
            _ => columns_of(shown.iter().copied()),
        };
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        let mut facts = Vec::new();
        for (i, name) in texts(form, "facts").enumerate() {
            let at = format!("{path}.facts[{i}]");
            facts.extend(self.known(at, "the built-in data has no column", name, &known));
        }
        facts
    }
}

/// The entries of a list of texts.
fn texts<'a>(form: &'a Form, key: &str) -> impl Iterator<Item = &'a str> {
    form.list(key).iter().filter_map(|value| match value {
        Value::Text(text) => Some(text.as_str()),
        _ => None,
    })
}
