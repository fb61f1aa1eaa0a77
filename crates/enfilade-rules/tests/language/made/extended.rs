//! What is changed: a rulebook that extends another, and cells that a contest changes.

use super::{Cells, Keys, Maker, Table};

impl Maker {
    /// All that there is so far becomes the rulebook that this one extends, and is changed a
    /// little.
    pub fn extends(&mut self) {
        if self.once_in(2) {
            self.line("action a:");
            self.line("    show nothing = 0");
            self.head = "change action";
        }
        let base = std::mem::take(&mut self.lines);
        self.base = Some(base.join("\n") + "\n");
        self.line("game \"more by lot\" extends \"base.rules\"");
        if self.once_in(2) && !self.ranges.is_empty() {
            self.change_field();
        }
        if self.once_in(2) && !self.rows.is_empty() {
            self.change_data();
        }
        if self.once_in(2) && !self.tables.is_empty() {
            self.change_table();
        }
        match self.parts.is_empty() && self.reporting.is_empty() {
            true if self.once_in(2) => self.change_words(),
            false if self.once_in(2) && !self.parts.is_empty() => self.change_part(),
            _ => {}
        }
    }

    /// Another default, perhaps another range.
    fn change_field(&mut self) {
        let place = self.below(self.ranges.len());
        let (name, low, high) = self.ranges[place].clone();
        let default = self.within(low, high);
        match self.once_in(2) {
            true => self.line(format!("change field {name} = {default}")),
            false => {
                self.line(format!("change field {name}: {}..{} = {default}", low - 1, high + 1))
            }
        }
    }

    /// A row with other cells, or another row.
    fn change_data(&mut self) {
        let all = self.once_in(2);
        let mut columns = self.columns.clone();
        let row = match all {
            true => self.name("gun"),
            false => {
                columns.truncate(1 + self.below(columns.len()));
                self.one(&self.rows.clone()).unwrap_or_default()
            }
        };
        let heads: Vec<&str> = columns.iter().map(|(head, _)| head.as_str()).collect();
        let heads = heads.join(" ");
        let cells = columns.iter().map(|(_, blank)| self.number_cell(*blank));
        let cells = cells.collect::<Vec<_>>().join(" ");
        self.line("change data guns:");
        self.line(format!("    name {heads}"));
        self.line(format!("    {row} {cells}"));
        if all {
            self.rows.push(row);
        }
    }

    /// A row of other cells; keys of numbers may get one more.
    fn change_table(&mut self) {
        let place = self.below(self.tables.len());
        let Table { name, printed, .. } = &self.tables[place];
        let (name, mut rows) = (name.clone(), printed[0].clone());
        let count = printed.get(1).map_or(1, Vec::len);
        // `1`, `2`, `3` may go on.
        if rows == ["1", "2", "3"] && self.once_in(2) {
            rows = vec!["4".to_owned()];
            self.tables[place].printed[0].push("4".to_owned());
        }
        let row = self.one(&rows).unwrap_or_default();
        let cells: Vec<String> = (0..count).map(|_| self.cell_of_table(place)).collect();
        self.line(format!("change table {name}:"));
        self.line(format!("    {row}  {}", cells.join(" ")));
    }

    fn cell_of_table(&mut self, place: usize) -> String {
        let cells = std::mem::replace(&mut self.tables[place].cells, Cells::Numbers);
        let cell = self.cell(&cells);
        self.tables[place].cells = cells;
        cell
    }

    /// One more word at the end of a list that no table is keyed by.
    fn change_words(&mut self) {
        let keys = |list: usize, table: &Table| {
            let mut keys = table.keys.iter();
            keys.any(|keys| matches!(keys, Keys::Words(of) if *of == list))
        };
        let free = |list: &usize| !self.tables.iter().any(|table| keys(*list, table));
        let lists = 0..self.words.len();
        let lists: Vec<usize> =
            lists.filter(|list| self.words[*list].declared).filter(free).collect();
        let Some(list) = self.one(&lists) else {
            return;
        };
        let (name, word) = (self.words[list].name.clone(), self.name("word_"));
        self.line(format!("change words {name}: {word}"));
        self.words[list].words.push(word);
    }

    /// Cells that the contest changes.
    pub fn changes(&mut self) {
        if self.once_in(2) && !self.rows.is_empty() {
            let row = self.one(&self.rows.clone()).unwrap_or_default();
            let (column, _) = self.columns[0].clone();
            let cell = self.within(-2, 4);
            self.tables_of_contest += &format!("[change.guns.{row}]\n{column} = {cell}\n");
        }
        if self.tables.is_empty() {
            return;
        }
        let place = self.below(self.tables.len());
        let Table { name, printed, .. } = &self.tables[place];
        let (name, printed) = (name.clone(), printed.clone());
        let row = self.one(&printed[0]).unwrap_or_default();
        let cell = self.cell_of_table(place);
        let cell = match self.tables[place].cells {
            Cells::Numbers => cell,
            _ => format!("\"{cell}\""),
        };
        let line = match printed.get(1).and_then(|columns| self.one(columns)) {
            Some(column) => format!("[change.{name}.\"{row}\"]\n\"{column}\" = {cell}\n"),
            None => format!("[change.{name}]\n\"{row}\" = {cell}\n"),
        };
        self.tables_of_contest += &line;
    }
}
