//! Reads a `[[card]]`: the numbers and their order, checked against the contests of the file.

use super::known_names::{
    AxisMeasureAndFieldNames, columns_of_built_in_tables, first_cell_of_each_contest,
};
use crate::experiment::{
    CardLineSpec, CardLineValue, CardRowOrColumnAxis, CardSpec, GridCell, OutcomeFieldMinimum,
};
use crate::file::file_reader::TomlReaderWithFaults;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupFromForm, fields};
use enfilade_model::form::{DefaultValue, Fault, FieldType, Fields};

/// Largest number of lines in a row of a card: a row is never broken over pages.
const MAX_LINES_IN_CARD_ROW: usize = 12;

fields! {
    /// Keys of a `[[card]]`.
    pub struct CardKeys {
        /// its title
        title: Option<String> = new_optional(FieldType::Text);
        /// what is rolled and which way is good, in place of the rulebook's words
        dice: Option<String> = new_optional(FieldType::Text);
        /// names of the contests it shows; all of them when left out
        contests: Vec<String> = new(FieldType::list_of(&FieldType::Text), DefaultValue::Empty);
        /// a grid axis, "contest" or "result": what its rows are
        rows: Option<String> = new_optional(FieldType::Text);
        /// a grid axis, "contest" or "result": what its columns are
        columns: Option<String> = new_optional(FieldType::Text);
        /// the head of the row heads
        row_title: Option<String> = new_optional(FieldType::Text);
        /// the head of the column heads
        column_title: Option<String> = new_optional(FieldType::Text);
        /// what grid axes are called in titles
        axis: Vec<AxisDisplayNameKeys> = new(FieldType::tables(joined![AxisDisplayNameKeys::FIELDS]), DefaultValue::Empty);
        /// the lines of a row; those with `when` are a stack that adds up to 100 %
        line: Vec<CardLineKeys> = new(FieldType::tables(joined![CardLineKeys::FIELDS]), DefaultValue::Empty);
        /// what the rest of the stack is called, in place of what happens in it, or "no effect"
        rest: Option<String> = new_optional(FieldType::Text);
        /// columns of the built-in data beside the row heads
        facts: Vec<String> = new(FieldType::list_of(&FieldType::Text), DefaultValue::Empty);
        /// sentences below its tables
        notes: Vec<String> = new(FieldType::list_of(&FieldType::Text), DefaultValue::Empty);
    }

    /// Keys of an axis's name.
    pub struct AxisDisplayNameKeys {
        /// the grid axis, such as `target.2.count`
        path: String = new_required(FieldType::Text);
        /// what it is called: "squads"
        name: String = new_required(FieldType::Text);
    }

    /// Keys of a line.
    pub struct CardLineKeys {
        /// what the line is called
        label: String = new_required(FieldType::Text);
        /// the measure it shows
        measure: Option<String> = new_optional(FieldType::Text);
        /// outcome fields, or "FIELD >= N": the outcomes in which one of them holds and no line
        /// above has taken
        when: Vec<String> = new(FieldType::list_of(&FieldType::Text), DefaultValue::Empty);
    }
}

/// Keys of a `[[card]]` as one list.
pub const ALL_CARD_FIELDS: Fields = joined![CardKeys::FIELDS];

/// Words in `rows` and `columns` that are not axes.
const CARD_SIDE_WORDS: [&str; 2] = ["contest", "result"];

impl TomlReaderWithFaults<'_> {
    /// Reads the cards, checked against the contests if these could be read.
    pub(super) fn read_cards_of_file(&mut self, cells: Option<&[GridCell]>) -> Vec<CardSpec> {
        let tables = self.read_optional_tables("card");
        let mut cards = Vec::new();
        // Names can only be checked against contests that could be read.
        let cells = cells.filter(|_| !tables.is_empty());
        let vocabulary = cells.map(|cells| (AxisMeasureAndFieldNames::from_cells(cells), cells));
        for (number, table) in tables.iter().enumerate() {
            let path = format!("card[{number}]");
            if let Some(form) = self.fill_form(&ALL_CARD_FIELDS, table, &path) {
                let vocabulary = vocabulary.as_ref();
                cards.extend(vocabulary.map(|(named, cells)| {
                    self.read_card_table(CardKeys::read(&form), &path, named, cells)
                }));
            }
        }
        cards
    }

    fn read_card_table(
        &mut self,
        card: CardKeys,
        path: &str,
        named: &AxisMeasureAndFieldNames<'_>,
        cells: &[GridCell],
    ) -> CardSpec {
        let contests = self.read_contest_names(&card.contests, path, cells);
        let shown: Vec<_> = first_cell_of_each_contest(cells)
            .filter(|cell| contests.is_empty() || contests.contains(&cell.name))
            .collect();
        let spec = CardSpec {
            title: card.title,
            dice: card.dice,
            rows: self.read_card_side(card.rows, path, "rows", named),
            columns: self.read_card_side(card.columns, path, "columns", named),
            row_title: card.row_title,
            column_title: card.column_title,
            names: self.read_axis_display_names(card.axis, path, named),
            lines: self.read_card_lines(card.line, path, named, &shown),
            rest: card.rest,
            facts: self.read_footer_facts(&card.facts, path, &shown),
            notes: card.notes,
            contests,
        };
        if spec.rows.is_some() && spec.rows == spec.columns {
            let problem = "rows and columns are the same";
            self.note_at_value(Fault::new(format!("{path}.columns"), problem));
        }
        spec
    }

    fn read_contest_names(
        &mut self,
        given: &[String],
        path: &str,
        cells: &[GridCell],
    ) -> Vec<String> {
        let contest_names: Vec<_> =
            first_cell_of_each_contest(cells).map(|cell| cell.name.as_str()).collect();
        let mut names = Vec::new();
        for (i, name) in given.iter().enumerate() {
            let at = format!("{path}.contests[{i}]");
            names.extend(self.resolve_name_among(at, "there is no contest", name, &contest_names));
        }
        names
    }

    fn read_card_side(
        &mut self,
        name: Option<String>,
        path: &str,
        key: &str,
        named: &AxisMeasureAndFieldNames<'_>,
    ) -> Option<CardRowOrColumnAxis> {
        let mut axis_names = named.axes.clone();
        axis_names.retain(|axis| !CARD_SIDE_WORDS.contains(axis));
        axis_names.extend(CARD_SIDE_WORDS);
        let found = self.resolve_axis_name(path, key, name, &axis_names)?;
        Some(match found.as_str() {
            "contest" => CardRowOrColumnAxis::Contests,
            "result" => CardRowOrColumnAxis::Results,
            _ => CardRowOrColumnAxis::Axis(found),
        })
    }

    fn read_axis_display_names(
        &mut self,
        entries: Vec<AxisDisplayNameKeys>,
        path: &str,
        named: &AxisMeasureAndFieldNames<'_>,
    ) -> Vec<(String, String)> {
        let mut names = Vec::new();
        for (i, given) in entries.into_iter().enumerate() {
            let at = format!("{path}.axis[{i}]");
            let axis = self.resolve_axis_name(&at, "path", Some(given.path), &named.axes);
            names.extend(axis.map(|axis| (axis, given.name)));
        }
        names
    }

    fn read_card_lines(
        &mut self,
        entries: Vec<CardLineKeys>,
        path: &str,
        named: &AxisMeasureAndFieldNames<'_>,
        shown: &[&GridCell],
    ) -> Vec<CardLineSpec> {
        if entries.len() > MAX_LINES_IN_CARD_ROW {
            let problem = format!(
                "a card has at most {MAX_LINES_IN_CARD_ROW} lines, but this one has {}",
                entries.len()
            );
            self.note_at_value(Fault::new(format!("{path}.line"), problem));
        }
        let mut lines = Vec::new();
        for (i, CardLineKeys { label, measure, when }) in entries.into_iter().enumerate() {
            let at = format!("{path}.line[{i}]");
            let shows = self.read_shown_value((measure, &when), &at, named, shown);
            lines.extend(shows.map(|shows| CardLineSpec { label, shows }));
        }
        lines
    }

    fn read_shown_value(
        &mut self,
        (measure, when): (Option<String>, &[String]),
        path: &str,
        named: &AxisMeasureAndFieldNames<'_>,
        shown: &[&GridCell],
    ) -> Option<CardLineValue> {
        if measure.is_some() != when.is_empty() {
            let problem = "a line needs either `measure` or `when`";
            self.note_at_value(Fault::new(path, problem).with_help("keep one of the two"));
            return None;
        }
        if measure.is_some() {
            return self.resolve_measure_name(path, measure, named).map(CardLineValue::Measure);
        }
        let mut band = Vec::new();
        for (i, text) in when.iter().enumerate() {
            band.extend(self.read_outcome_threshold(&format!("{path}.when[{i}]"), text, shown));
        }
        Some(CardLineValue::Band(band))
    }

    fn read_outcome_threshold(
        &mut self,
        path: &str,
        text: &str,
        shown: &[&GridCell],
    ) -> Option<OutcomeFieldMinimum> {
        let (name, least) = match text.split_once(">=") {
            // A field alone means at least 1.
            None => (text, Ok(1)),
            Some((name, least)) => (name, least.trim().parse()),
        };
        let Ok(least) = least else {
            let problem = "expected an outcome field, or \"FIELD >= N\" with a whole number";
            self.note_at_value(Fault::new(path, problem));
            return None;
        };
        let fields = shown.iter().flat_map(|cell| cell.played.combat.outcome_fields().iter());
        let mut field_names: Vec<_> = fields.map(|field| &*field.name).collect();
        field_names.sort_unstable();
        field_names.dedup();
        let problem = "no contest of the card has an outcome field";
        let field = self.resolve_name_among(path.to_owned(), problem, name.trim(), &field_names)?;
        Some(OutcomeFieldMinimum { field, least })
    }

    fn read_footer_facts(
        &mut self,
        names: &[String],
        path: &str,
        shown: &[&GridCell],
    ) -> Vec<String> {
        let fact_names = match names {
            [] => Vec::new(),
            _ => columns_of_built_in_tables(shown.iter().copied()),
        };
        let fact_names: Vec<_> = fact_names.iter().map(String::as_str).collect();
        let mut facts = Vec::new();
        for (i, name) in names.iter().enumerate() {
            let at = format!("{path}.facts[{i}]");
            facts.extend(self.resolve_name_among(
                at,
                "the built-in data has no column",
                name,
                &fact_names,
            ));
        }
        facts
    }
}
