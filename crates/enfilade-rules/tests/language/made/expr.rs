//! Expressions of each kind.

use super::{Cells, Keys, Kind, Maker, Var};

impl Maker {
    /// An expression of a kind.
    pub fn value(&mut self, kind: &Kind, depth: usize) -> String {
        match kind {
            Kind::Yes => self.test(depth),
            Kind::Word(list) => self.word(*list, depth),
            _ => self.number(depth),
        }
    }

    pub fn number(&mut self, depth: usize) -> String {
        if self.dice
            && self.once_in(4)
            && let Some(pool) = self.pool(depth)
        {
            return pool;
        }
        if depth == 0 || self.once_in(3) {
            return self.simple_number();
        }
        match self.below(19) {
            16 => match self.once_in(2) {
                true => format!("abs({})", self.number(depth - 1)),
                false => format!("rest({}, {})", self.number(depth - 1), self.within(1, 4)),
            },
            17 | 18 => self.kept_places(depth).unwrap_or_else(|| self.simple_number()),
            0..=2 => {
                let sign = ["+", "-", "+"][self.below(3)];
                format!("({} {sign} {})", self.number(depth - 1), self.number(depth - 1))
            }
            3 => format!("({} * {})", self.number(depth - 1), self.within(-2, 3)),
            4 => {
                let over = [2, 3, -2][self.below(3)];
                let (up, value) = (self.once_in(2), self.number(depth - 1));
                if up { format!("up({value} / {over})") } else { format!("({value} / {over})") }
            }
            5 => {
                let bound = ["at least", "at most"][self.below(2)];
                format!("({} {bound} {})", self.number(depth - 1), self.number(depth - 1))
            }
            6 => {
                let of = ["min", "max"][self.below(2)];
                format!("{of}({}, {})", self.number(depth - 1), self.number(depth - 1))
            }
            7 => {
                let (a, when) = (self.number(depth - 1), self.test(depth - 1));
                match self.once_in(2) {
                    true => format!("({a} if {when})"),
                    false => format!("({a} if {when} else {})", self.number(depth - 1)),
                }
            }
            8 | 9 => self.pool(depth).unwrap_or_else(|| self.simple_number()),
            10 => self.over(depth).unwrap_or_else(|| self.simple_number()),
            11 | 12 => self.call(&Kind::Number).unwrap_or_else(|| self.simple_number()),
            13 => self.look(depth, false).unwrap_or_else(|| self.simple_number()),
            14 => match self.rows.is_empty() {
                true => self.simple_number(),
                false => self.cell_of_row(),
            },
            _ => format!("(-{})", self.simple_number()),
        }
    }

    fn simple_number(&mut self) -> String {
        for _ in 0..3 {
            let found = match self.below(10) {
                8 => self.number_of_mark(),
                9 => self.number_of_symbol(),
                0..=2 => self.of_kind(&Kind::Number).map(|var| var.name),
                3 => self.place_of_list(),
                4 | 5 => self.column(&Kind::Number),
                6 => self.optional_number(),
                _ => None,
            };
            if let Some(found) = found {
                return found;
            }
        }
        self.within(0, 5).to_string()
    }

    fn optional_number(&mut self) -> Option<String> {
        let name = self.one(&self.optional.clone())?;
        Some(format!("({name} if given({name}) else {})", self.within(0, 3)))
    }

    fn cell_of_row(&mut self) -> String {
        let Some(row) = self.of_kind(&Kind::Row) else {
            return "1".to_owned();
        };
        let place = self.below(self.columns.len());
        let (column, blank) = self.columns[place].clone();
        match blank && (self.careful || !self.once_in(12)) {
            true => format!("({0}.{column} if given({0}.{column}))", row.name),
            false => format!("{}.{column}", row.name),
        }
    }

    /// `xs[2]`, with a place that is in the list.
    pub fn place_of_list(&mut self) -> Option<String> {
        let (list, length) = self.such(|kind| match kind {
            Kind::List(length) => Some(*length),
            _ => None,
        })?;
        Some(self.place(&list, length))
    }

    pub fn place(&mut self, list: &Var, length: usize) -> String {
        let place = match self.below(3) {
            0 => match self.of_kind(&Kind::Number) {
                Some(var) if self.careful || !self.once_in(30) => {
                    format!("({} at least 1 at most {length})", var.name)
                }
                Some(var) => var.name,
                None => "1".to_owned(),
            },
            _ => (1 + self.below(length)).to_string(),
        };
        format!("{}[{place}]", list.name)
    }

    /// `u.hurt`, of a thing or a record.
    pub fn column(&mut self, kind: &Kind) -> Option<String> {
        let (var, made) = self.such(|kind| match kind {
            Kind::Thing(bag) => Some(*bag),
            Kind::Record(record) => Some(*record),
            _ => None,
        })?;
        let columns: Vec<(String, Kind, bool)> = match var.kind {
            Kind::Thing(bag) => self.columns_of(bag),
            _ => self.records[made].fields.clone(),
        };
        let listed = |of: &Kind| matches!(of, Kind::List(_)) && *kind == Kind::Number;
        let fits: Vec<_> =
            columns.into_iter().filter(|column| column.1 == *kind || listed(&column.1)).collect();
        let (column, of, _) = self.one(&fits)?;
        let name = format!("{}.{column}", var.name);
        Some(match of {
            Kind::List(length) => self.within_list(&name, length),
            _ => name,
        })
    }

    /// `u.dice[2]` or `length(u.dice)`, of a list with so many places at least.
    fn within_list(&mut self, name: &str, length: usize) -> String {
        match (self.below(3), self.of_kind(&Kind::Number)) {
            (0, _) => format!("length({name})"),
            (1, Some(var)) => format!("{name}[({} at least 1 at most length({name}))]", var.name),
            _ => format!("{name}[{}]", 1 + self.below(length)),
        }
    }

    /// The columns of a thing, and whether lines may change them.
    pub fn columns_of(&self, bag: usize) -> Vec<(String, Kind, bool)> {
        let bag = &self.bags[bag];
        let with = bag.with.iter().map(|(name, kind)| (name.clone(), kind.clone(), true));
        let record = bag.record.map(|record| self.records[record].fields.clone());
        with.chain(record.unwrap_or_default()).collect()
    }

    /// `count`, `sum` and `length`.
    fn over(&mut self, depth: usize) -> Option<String> {
        let dice = std::mem::replace(&mut self.dice, false);
        let found = self.over_what(depth);
        self.dice = dice;
        found
    }

    fn over_what(&mut self, depth: usize) -> Option<String> {
        let all: Vec<Var> = self.seen();
        let many = all
            .into_iter()
            .filter(|var| matches!(var.kind, Kind::Bag(_) | Kind::Records(_) | Kind::List(_)));
        let many: Vec<Var> = many.collect();
        let all = self.one(&many)?;
        if self.once_in(4) {
            return Some(format!("length({})", all.name));
        }
        if matches!(all.kind, Kind::List(_)) && self.once_in(2) {
            let op = ["is", ">=", "<"][self.below(3)];
            return Some(format!("count({} {op} {})", all.name, self.number(0)));
        }
        let name = self.name("u");
        self.scope.push(Var { name: name.clone(), kind: member(&all.kind), free: false });
        let when = match self.once_in(3) {
            true => String::new(),
            false => format!(" where {}", self.test(depth.min(2) - 1)),
        };
        let summand = self.number(depth.min(2) - 1);
        self.scope.pop();
        Some(match self.once_in(2) {
            true => format!("count({name} in {}{when})", all.name),
            false => format!("sum({summand} for {name} in {}{when})", all.name),
        })
    }

    pub fn test(&mut self, depth: usize) -> String {
        if depth == 0 || self.once_in(4) {
            return self.simple_test();
        }
        match self.below(8) {
            0..=2 => {
                let op = ["<", "<=", ">", ">=", "==", "!=", "is", "is not"][self.below(8)];
                format!("({} {op} {})", self.number(depth - 1), self.number(depth - 1))
            }
            3 => format!("({} and {})", self.test(depth - 1), self.test(depth - 1)),
            4 => format!("({} or {})", self.test(depth - 1), self.test(depth - 1)),
            5 => format!("(not {})", self.test(depth - 1)),
            6 => self.test_of_word(depth),
            _ => self.call(&Kind::Yes).unwrap_or_else(|| self.simple_test()),
        }
    }

    fn simple_test(&mut self) -> String {
        let found = match self.below(6) {
            5 => self.has_mark(),
            0 => self.of_kind(&Kind::Yes).map(|var| var.name),
            1 => self.column(&Kind::Yes),
            2 => Some(self.test_of_word(0)),
            3 => {
                let row = self.of_kind(&Kind::Row).map(|var| var.name);
                let to = self.one(&self.rows.clone());
                row.zip(to).map(|(row, to)| format!("({row} is {to})"))
            }
            _ => self.one(&self.optional.clone()).map(|name| format!("given({name})")),
        };
        let number =
            found.is_none().then(|| format!("({} > {})", self.number(0), self.within(0, 3)));
        found.or(number).unwrap_or_default()
    }

    fn test_of_word(&mut self, depth: usize) -> String {
        let Some((var, list)) = self.such(|kind| match kind {
            Kind::Word(list) => Some(*list),
            _ => None,
        }) else {
            return if self.once_in(2) { "yes".to_owned() } else { "no".to_owned() };
        };
        let op = ["is", "is not", "<", ">=", "=="][self.below(5)];
        if depth > 0 && self.once_in(3) {
            return format!("({} {op} {})", self.word(list, depth - 1), var.name);
        }
        let word = match op {
            "is" | "is not" | "==" => self.one(&self.words[list].words.clone()),
            _ => Some(self.literal(list)),
        };
        format!("({} {op} {})", var.name, word.unwrap_or_default())
    }

    /// A word of a list, in any place.
    fn literal(&mut self, list: usize) -> String {
        let words = self.words[list].words.clone();
        let word = self.one(&words).unwrap_or_default();
        let several = |word: &String| {
            self.words.iter().filter(|words| words.words.contains(word)).count() > 1
        };
        match self.words[list].declared && (several(&word) || self.once_in(6)) {
            true => format!("{}.{word}", self.words[list].name),
            false => word,
        }
    }

    pub fn word(&mut self, list: usize, depth: usize) -> String {
        if depth > 0 {
            match self.below(6) {
                0 => {
                    return format!("step({}, {})", self.word(list, depth - 1), self.within(-2, 2));
                }
                1 => {
                    let (a, when) = (self.word(list, depth - 1), self.test(depth - 1));
                    return format!("({a} if {when} else {})", self.word(list, depth - 1));
                }
                2 => {
                    if let Some(found) = self.call(&Kind::Word(list)) {
                        return found;
                    }
                }
                3 => {
                    if let Some(found) = self.look_words(list) {
                        return found;
                    }
                }
                _ => {}
            }
        }
        match self.of_kind(&Kind::Word(list)) {
            Some(var) if self.once_in(2) => var.name,
            _ => match self.column(&Kind::Word(list)).filter(|_| self.once_in(2)) {
                Some(column) => column,
                None => self.literal(list),
            },
        }
    }

    /// A part that gives what is wanted.
    fn call(&mut self, kind: &Kind) -> Option<String> {
        let fits: Vec<usize> = (0..self.parts.len())
            .filter(|part| {
                let part = &self.parts[*part];
                let changes = part.params.iter().any(|param| param.1);
                part.gives.as_ref() == Some(kind) && (part.plain || self.dice && !changes)
            })
            .collect();
        let part = self.one(&fits)?;
        self.called(part)
    }

    /// A call of a part, if all it needs is here.
    pub fn called(&mut self, part: usize) -> Option<String> {
        let (params, cost) = (self.parts[part].params.clone(), self.parts[part].cost);
        let mut arguments = Vec::new();
        let mut taken: Vec<String> = Vec::new();
        for (kind, changes) in params {
            let argument = match (&kind, changes) {
                (Kind::Thing(_) | Kind::Bag(_), _) => self.of_kind(&kind)?.name,
                (_, true) => {
                    let place = self.free_place(&kind)?;
                    // Two names of one variable are nobody's wish.
                    if taken.contains(&place) || self.bounded {
                        return None;
                    }
                    taken.push(place.clone());
                    place
                }
                _ => {
                    let dice = std::mem::replace(&mut self.dice, false);
                    let value = self.value(&kind, 1);
                    self.dice = dice;
                    value
                }
            };
            arguments.push(argument);
        }
        if cost > 0.0 && !self.afford(cost.exp()) {
            return None;
        }
        Some(format!("{}({})", self.parts[part].name, arguments.join(", ")))
    }

    /// What a part or a line may change.
    pub fn free_place(&mut self, kind: &Kind) -> Option<String> {
        if *kind == Kind::Number && self.once_in(4) {
            let lists: Vec<Var> = self
                .scope
                .iter()
                .filter(|var| var.free && matches!(var.kind, Kind::List(_)))
                .cloned()
                .collect();
            if let Some(list) = self.one(&lists)
                && let Kind::List(length) = list.kind
            {
                return Some(self.place(&list, length));
            }
        }
        if self.once_in(3)
            && let Some((thing, bag)) = self.such(|kind| match kind {
                Kind::Thing(bag) => Some(*bag),
                _ => None,
            })
        {
            let columns =
                self.columns_of(bag).into_iter().filter(|column| column.2 && column.1 == *kind);
            let columns: Vec<String> = columns.map(|column| column.0).collect();
            if let Some(column) = self.one(&columns) {
                return Some(format!("{}.{column}", thing.name));
            }
        }
        if *kind == Kind::Number
            && self.in_action
            && self.once_in(6)
            && let Some(symbol) = self.number_of_symbol()
        {
            return Some(symbol);
        }
        let free = self.scope.iter().filter(|var| var.free && var.kind == *kind).cloned();
        let free: Vec<Var> = free.collect();
        self.one(&free).map(|var| var.name)
    }

    /// A cell of a table of numbers, or with `true` of one with a legend.
    pub fn look(&mut self, depth: usize, legend: bool) -> Option<String> {
        let fits: Vec<usize> = (0..self.tables.len())
            .filter(|table| match self.tables[*table].cells {
                Cells::Numbers => !legend,
                Cells::Legend(_) => legend,
                Cells::Words(_) => false,
            })
            .collect();
        let table = self.one(&fits)?;
        Some(self.look_up(table, depth))
    }

    fn look_words(&mut self, list: usize) -> Option<String> {
        let fits = (0..self.tables.len())
            .filter(|table| matches!(self.tables[*table].cells, Cells::Words(of) if of == list));
        let fits: Vec<usize> = fits.collect();
        let table = self.one(&fits)?;
        Some(self.look_up(table, 1))
    }

    fn look_up(&mut self, table: usize, depth: usize) -> String {
        let mut arguments = Vec::new();
        for place in 0..self.tables[table].keys.len() {
            let (words, any) = match &self.tables[table].keys[place] {
                Keys::Words(list) => (Some(*list), true),
                Keys::Numbers(any) => (None, *any),
            };
            let mut key = match words {
                Some(list) => self.word(list, depth.min(1)),
                None => self.number(depth.saturating_sub(1)),
            };
            if !any && !self.once_in(12) {
                key = format!("(({key} at least 1) at most 3)");
            }
            if self.once_in(4) {
                let dice = std::mem::replace(&mut self.dice, false);
                key = format!("{key} shift {}", self.number(0));
                self.dice = dice;
            }
            arguments.push(key);
        }
        format!("{}({})", self.tables[table].name, arguments.join(", "))
    }
}

/// What an `each` over this takes in hand.
pub fn member(kind: &Kind) -> Kind {
    match kind {
        Kind::Bag(bag) => Kind::Thing(*bag),
        Kind::Records(record) => Kind::Record(*record),
        _ => Kind::Number,
    }
}
