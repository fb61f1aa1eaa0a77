//! What a program declares: words, records, fields, data, tables, parts and the action.

use super::{Bag, Cells, Keys, Kind, Made, Maker, Record, Table, Var, Words};

impl Maker {
    pub fn file(&mut self) {
        self.line("game \"by lot\"");
        for _ in 0..1 + self.below(2) {
            self.word_list();
        }
        if self.once_in(4) {
            self.mark_list();
        }
        if self.once_in(2) {
            self.data();
        }
        for _ in 0..1 + self.below(3) {
            self.field();
        }
        if self.once_in(2) {
            self.record();
        }
        for _ in 0..self.below(3) {
            self.table();
        }
        if self.once_in(3) {
            (0..1 + self.below(2)).for_each(|_| self.symbol_die());
        }
        let early = self.once_in(10);
        if early {
            self.extends();
        }
        // A default may reckon with the tables and fields above it.
        for _ in 0..self.below(3) {
            self.reckoned();
        }
        for _ in 0..self.below(4) {
            self.part();
        }
        if self.once_in(4) {
            self.reporting_part();
        }
        if !early && self.once_in(8) {
            self.extends();
        }
        self.action();
        if self.once_in(4) {
            self.changes();
        }
    }

    fn word_list(&mut self) {
        let name = self.name("w");
        let mut words: Vec<String> = (0..2 + self.below(3)).map(|_| self.name("word_")).collect();
        let mut shared = None;
        if self.once_in(3) {
            let place = self.below(words.len() + 1);
            words.insert(place, "neither".to_owned());
            shared = Some("neither".to_owned());
        }
        let texts = self.once_in(3);
        let said = words.iter().map(|word| match texts {
            true => format!("{word} \"called {word}\""),
            false => word.clone(),
        });
        let said = said.collect::<Vec<_>>().join(", ");
        self.line(format!("words {name}: {said}"));
        // In one list alone, it is a word as any other.
        self.words.push(Words { name, words, shared, declared: true });
    }

    /// A cell of the data.
    pub fn number_cell(&mut self, may_be_blank: bool) -> String {
        match may_be_blank && self.once_in(2) {
            true => "-".to_owned(),
            false => self.within(-2, 4).to_string(),
        }
    }

    fn data(&mut self) {
        if !self.marks.is_empty() && !self.once_in(3) {
            self.traits = Some(self.name("traits"));
        }
        let heads: Vec<String> = (0..1 + self.below(3)).map(|_| self.name("c")).collect();
        let blank = (heads.len() > 1 && self.once_in(2)).then(|| self.below(heads.len()));
        self.line("data guns:");
        self.deeper(|maker| {
            let traits = maker.traits.clone().unwrap_or_default();
            maker.line(format!("name {}  {traits}", heads.join("  ")));
            if maker.traits.is_some() {
                maker.line(format!("column {traits}: of special"));
            }
            for _ in 0..2 + maker.below(2) {
                let row = maker.name("gun");
                let cells: Vec<String> = (0..heads.len())
                    .map(|column| maker.number_cell(blank == Some(column)))
                    .collect();
                let traits = match maker.traits.is_some() {
                    true => maker.printed_marks(),
                    false => String::new(),
                };
                maker.line(format!("{row}  {} {traits}", cells.join(" ")));
                maker.rows.push(row);
            }
        });
        let columns = heads.into_iter().enumerate();
        self.columns = columns.map(|(place, head)| (head, blank == Some(place))).collect();
        let name = self.name("f");
        let row = self.one(&self.rows.clone()).unwrap_or_default();
        self.line(format!("field {name}: one of guns = {row}"));
        match self.below(3) {
            0 => {
                let row = self.one(&self.rows.clone()).unwrap_or_default();
                self.contest += &format!("{name} = \"{row}\"\n");
            }
            1 => {
                let (column, _) = self.columns[0].clone();
                let number = self.within(0, 3);
                self.contest += &format!("{name} = {{ name = \"{row}\", {column} = {number} }}\n");
            }
            _ => {}
        }
        self.know(name, Kind::Row);
    }

    pub fn know(&mut self, name: String, kind: Kind) {
        let var = Var { name, kind, free: false };
        match self.in_action {
            true => self.scope.push(var),
            false => self.top.push(var),
        }
    }

    /// A field with its kind, and perhaps its value.
    pub fn field(&mut self) {
        let name = self.name("f");
        let said = [
            "",
            " \"what it is\"",
            " \"what it is\" rare (4.2)",
            " assumed",
            " \"what it is\" unit \"paces\" (\"A BOX (B)\")",
            " \"what it is\" \"and more\" called \"off\" or \"on\"",
        ];
        let said = said[self.below(said.len())];
        let give = self.once_in(2);
        let (kind, default, value, made) = match self.below(7) {
            0 | 1 => {
                let (low, high) = (self.within(-2, 1), self.within(2, 5));
                let value = self.within(low, high);
                if self.once_in(5) {
                    self.line(format!("field {name}: {low}..{high} optional{said}"));
                    if give {
                        self.contest += &format!("{name} = {value}\n");
                    }
                    self.optional.push(name);
                    return;
                }
                let default = self.within(low, high).to_string();
                if !self.in_action {
                    self.ranges.push((name.clone(), low, high));
                }
                (format!("{low}..{high}"), default, value.to_string(), Kind::Number)
            }
            2 => {
                let default = if self.once_in(2) { "yes" } else { "no" };
                let value = self.once_in(2).to_string();
                ("yes/no".to_owned(), default.to_owned(), value, Kind::Yes)
            }
            3 => {
                let words: Vec<String> =
                    (0..2 + self.below(2)).map(|_| self.name("way_")).collect();
                let (default, value) = (self.below(words.len()), self.below(words.len()));
                let (default, value) = (words[default].clone(), format!("\"{}\"", words[value]));
                let kind = words.join(" or ");
                self.words.push(Words { name: name.clone(), words, shared: None, declared: false });
                (kind, default, value, Kind::Word(self.words.len() - 1))
            }
            4 => {
                let kind = "-1 or 2 or 4".to_owned();
                (kind, "2".to_owned(), "4".to_owned(), Kind::Number)
            }
            5 => {
                let (default, sides) = (self.within(2, 4), self.within(2, 4));
                (
                    "die d2..d4".to_owned(),
                    format!("d{default}"),
                    format!("\"d{sides}\""),
                    Kind::Number,
                )
            }
            _ => {
                let length = 2 + self.below(2);
                let mut list = || {
                    let numbers: Vec<String> =
                        (0..length).map(|_| self.within(0, 4).to_string()).collect();
                    format!("[{}]", numbers.join(", "))
                };
                let (default, value) = (list(), list());
                (format!("{length} of 0..4"), default, value, Kind::List(length))
            }
        };
        let must = !give && self.once_in(2);
        let preset =
            if give && !must && self.once_in(2) { String::new() } else { format!(" = {default}") };
        self.line(format!("field {name}: {kind}{preset}{said}"));
        if give {
            self.contest += &format!("{name} = {value}\n");
        }
        self.know(name, made);
    }

    /// A field whose default is reckoned.
    fn reckoned(&mut self) {
        let name = self.name("f");
        self.careful = true;
        let value = self.number(2);
        self.careful = false;
        self.line(format!("field {name}: -3..6 = (({value} at least -3) at most 6)"));
        self.know(name, Kind::Number);
    }

    fn record(&mut self) {
        let name = self.name("r");
        let mut fields = Vec::new();
        self.line(format!("record {name}:"));
        self.depth += 1;
        for _ in 0..1 + self.below(3) {
            let field = self.name("q");
            match self.below(5) {
                0 => {
                    self.line(format!("field {field}: yes/no = no"));
                    fields.push((field, Kind::Yes, self.once_in(2)));
                }
                1 => {
                    // Its lists may be longer in one table than in another.
                    let preset = self.numbers();
                    self.line(format!("field {field}: 2 to 3 of 0..4 = {preset}"));
                    fields.push((field, Kind::List(2), false));
                }
                _ => {
                    let low = self.within(0, 2);
                    let preset = self.within(low, 5);
                    self.line(format!("field {field}: {low}..5 = {preset}"));
                    fields.push((field, Kind::Number, self.once_in(3)));
                }
            }
        }
        if self.once_in(3) {
            let (first, kind, _) = fields[0].clone();
            if kind == Kind::Number {
                self.line(format!("check {first} >= 0 \"too low\""));
            }
        }
        self.depth -= 1;
        let record = self.records.len();
        self.records.push(Record { fields });
        let list = self.name("f");
        self.line(format!("field {list}: 1 to 4 of {name}"));
        let mut size = 0;
        for _ in 0..1 + self.below(3) {
            self.tables_of_contest += &format!("[[{list}]]\n");
            size += self.fill(record, size < 3);
        }
        self.know(list, Kind::Records(record));
        self.bags.push(Bag { record: Some(record), with: Vec::new(), size });
        if self.once_in(3) {
            let single = self.name("f");
            self.line(format!("field {single}: {name}"));
            if self.once_in(2) {
                self.tables_of_contest += &format!("[{single}]\n");
                self.fill(record, false);
            }
            self.know(single, Kind::Record(record));
        }
    }

    /// Two or three numbers, as a list.
    fn numbers(&mut self) -> String {
        let numbers = (0..2 + self.below(2)).map(|_| self.within(0, 4).to_string());
        format!("[{}]", numbers.collect::<Vec<_>>().join(", "))
    }

    /// The values of a record; how often it counts.
    fn fill(&mut self, record: usize, counts: bool) -> usize {
        let fields = self.records[record].fields.clone();
        for (name, kind, _) in fields {
            if self.once_in(2) {
                let value = match kind {
                    Kind::Yes => self.once_in(2).to_string(),
                    Kind::List(_) => self.numbers(),
                    _ => self.within(2, 3).to_string(),
                };
                self.tables_of_contest += &format!("{name} = {value}\n");
            }
        }
        let count = 1 + usize::from(counts && self.once_in(3));
        if counts && count > 1 {
            self.tables_of_contest += &format!("count = {count}\n");
        }
        count
    }

    fn table(&mut self) {
        let name = self.name("t");
        let declared: Vec<usize> =
            (0..self.words.len()).filter(|list| self.words[*list].shared.is_none()).collect();
        let mut keys = Vec::new();
        for _ in 0..1 + self.below(2) {
            let words = self.one(&declared).filter(|_| self.once_in(3));
            keys.push(match words {
                Some(list) => Keys::Words(list),
                None => Keys::Numbers(true),
            });
        }
        let legend: Vec<(String, bool)> = (0..2).map(|_| (self.name("cell_"), true)).collect();
        let exact = self.once_in(8);
        let cells = match self.below(4) {
            0 if !declared.is_empty() => Cells::Words(declared[0]),
            1 | 2 => Cells::Legend(vec![legend[0].clone(), (legend[1].0.clone(), false)]),
            _ => Cells::Numbers,
        };
        let printed: Vec<Vec<String>> = keys.iter().map(|keys| self.printed(keys)).collect();
        self.line(format!("table {name}:"));
        self.deeper(|maker| {
            if let Cells::Legend(words) = &cells {
                maker.line(format!("cell K/#  {}", words[0].0));
                maker.line(format!("cell -    {}", words[1].0));
            }
            if exact {
                maker.line("exact");
            }
            if let Some(columns) = printed.get(1) {
                maker.line(format!("columns {}", columns.join("  ")));
            }
            for row in &printed[0] {
                let count = printed.get(1).map_or(1, Vec::len);
                let said: Vec<String> = (0..count).map(|_| maker.cell(&cells)).collect();
                maker.line(format!("{row}  {}", said.join(" ")));
            }
        });
        for keys in &mut keys {
            if let Keys::Numbers(any) = keys {
                *any = !exact;
            }
        }
        self.tables.push(Table { name, cells, keys, printed });
    }

    fn printed(&mut self, keys: &Keys) -> Vec<String> {
        match keys {
            Keys::Words(list) => self.words[*list].words.clone(),
            // Keys 1, 2, 3 are there even where a table is exact.
            Keys::Numbers(_) => {
                let forms: [&[&str]; 4] = [
                    &["1", "2", "3"],
                    &["..1", "2", "3..5"],
                    &["1..2", "3.."],
                    &["-1", "0..1", "2", "3", "4"],
                ];
                forms[self.below(4)].iter().map(|key| (*key).to_owned()).collect()
            }
        }
    }

    pub fn cell(&mut self, cells: &Cells) -> String {
        match cells {
            Cells::Numbers => self.within(-1, 4).to_string(),
            Cells::Words(list) => {
                let words = self.words[*list].words.clone();
                self.one(&words).unwrap_or_default()
            }
            Cells::Legend(_) if self.once_in(3) => "-".to_owned(),
            Cells::Legend(_) => format!("K/{}", self.within(0, 3)),
        }
    }

    fn action(&mut self) {
        if self.once_in(3) {
            let test = self.sure();
            self.line(format!("check {test} \"it must hold\""));
        }
        if self.once_in(5) {
            let test = self.test(1);
            self.line(format!("remark if {test} \"beside it\""));
        }
        let head = self.head;
        self.line(format!("{head} a \"what is played\":"));
        self.depth = 1;
        (self.in_action, self.may_end) = (true, true);
        for _ in 0..self.below(2) {
            self.field();
        }
        if self.once_in(16) {
            let test = self.test(1);
            self.line(format!("check {test} \"perhaps\""));
        }
        (self.left, self.times, self.dice) = (7.3, 1.0, true);
        let first = self.scope.len();
        self.goals.clear();
        let shown = 2 + self.below(3);
        let fields = self.scope.len();
        // What is shown later is made before anything can end the action.
        let parts = self.parts.clone();
        self.parts.retain(|part| !part.ends);
        let goal = self.name("v");
        self.goals.push(goal.clone());
        let value = match self.once_in(3) {
            true => self.number(1),
            false => self.pool(1).unwrap_or_else(|| "2".to_owned()),
        };
        self.make(goal, Kind::Number, &value);
        for _ in 1..shown {
            self.new_variable();
        }
        if self.once_in(2) {
            self.new_bag();
        }
        self.parts = parts;
        let known = self.scope.len();
        let count = 2 + self.below(5);
        self.stmts(count);
        if self.choices == 0 && !self.endless {
            match self.below(12) {
                0 => self.unseen(),
                1 => self.endless_choices(),
                _ => {}
            }
        }
        self.scope.truncate(known);
        self.dice = false;
        self.shows(first.min(fields));
    }

    /// A test that holds in any case.
    fn sure(&mut self) -> String {
        match self.of_kind(&Kind::Number) {
            Some(var) => format!("{0} <= {0} + 1", var.name),
            None => "yes".to_owned(),
        }
    }
}

impl Made {
    /// As it is told when two do not agree on it.
    pub fn told(&self) -> String {
        let base = self.base.as_ref();
        let base = base.map_or(String::new(), |base| format!("{base}---- extended by ----\n"));
        format!("{base}{}---- contest ----\n{}", self.text, self.contest)
    }
}
