//! Statements.

use super::expr::member;
use super::{Bag, Cells, Kind, Maker, Var};

impl Maker {
    pub fn stmts(&mut self, count: usize) {
        let before = self.lines.len();
        for _ in 0..count {
            self.stmt();
        }
        if self.lines.len() == before {
            self.line("note \"nothing happens\"");
        }
    }

    /// A block of a few lines.
    pub fn block(&mut self) {
        let count = 1 + self.below(2);
        self.deeper(|maker| maker.stmts(count));
    }

    /// A block that is played so often.
    fn turns(&mut self, times: usize, body: impl FnOnce(&mut Maker)) {
        let before = self.times;
        self.times *= times as f64;
        self.loops += 1;
        body(self);
        self.loops -= 1;
        self.times = before;
    }

    /// A statement; another where there is nothing for it to speak of.
    fn stmt(&mut self) {
        let before = self.lines.len();
        for _ in 0..8 {
            self.try_stmt();
            if self.lines.len() > before {
                return;
            }
        }
    }

    fn try_stmt(&mut self) {
        if self.depth > 5 {
            return self.set();
        }
        match self.below(27) {
            24 => self.note(),
            25 | 26 => self.throw_symbols(),
            0..=2 => self.new_variable(),
            3..=6 => self.set(),
            7..=9 => self.branch(),
            10 => self.counted(),
            11..=13 => self.each(),
            14 | 15 => self.pick(),
            16 => self.repeat(),
            17 | 18 => self.matched(),
            19 => self.call_part(),
            20 => self.tally(),
            21 => self.leave(),
            22 => self.choose(),
            _ if self.scope.iter().any(|var| matches!(var.kind, Kind::Bag(_))) => self.each(),
            _ => self.new_bag(),
        }
    }

    pub fn make(&mut self, name: String, kind: Kind, value: &str) {
        self.line(format!("{name} = {value}"));
        self.scope.push(Var { name, kind, free: true });
    }

    pub fn new_variable(&mut self) {
        let name = self.name("v");
        match self.below(7) {
            0 => {
                let value = self.test(2);
                self.make(name, Kind::Yes, &value);
            }
            1 => {
                let list = self.below(self.words.len());
                let value = self.word(list, 1);
                // A variable may bear the name of its list.
                let own = self.words[list].name.clone();
                let taken =
                    !self.words[list].declared || self.seen().iter().any(|var| var.name == own);
                let name = if taken || !self.in_action || self.once_in(2) { name } else { own };
                self.make(name, Kind::Word(list), &value);
            }
            2 => {
                let length = 2 + self.below(2);
                let value = self.list(length);
                self.make(name, Kind::List(length), &value);
            }
            _ => {
                let value = self.number(2);
                self.make(name, Kind::Number, &value);
            }
        }
    }

    pub fn new_bag(&mut self) {
        if !self.in_action || self.loops > 0 || self.depth > 2 {
            return;
        }
        let name = self.name("b");
        let lists = self.such(|kind| match kind {
            Kind::Records(record) => Some(*record),
            _ => None,
        });
        let (of, record, size) = match lists {
            Some((list, record)) if !self.once_in(4) => {
                (list.name, Some(record), self.bags[0].size)
            }
            _ => {
                let size = 1 + self.below(3);
                (size.to_string(), None, size)
            }
        };
        let mut with = Vec::new();
        let mut said = Vec::new();
        let dice = std::mem::replace(&mut self.dice, false);
        for _ in 0..self.below(3) + usize::from(record.is_none()) {
            let column = self.name("q");
            let kind = [Kind::Number, Kind::Yes, Kind::Word(0)][self.below(3)].clone();
            said.push(format!("{column} = {}", self.value(&kind, 1)));
            with.push((column, kind));
        }
        self.dice = dice;
        let said =
            if said.is_empty() { String::new() } else { format!(" with {}", said.join(", ")) };
        self.line(format!("{name} = bag of {of}{said}"));
        self.bags.push(Bag { record, with, size });
        self.scope.push(Var { name, kind: Kind::Bag(self.bags.len() - 1), free: false });
    }

    fn set(&mut self) {
        let kind = [Kind::Number, Kind::Number, Kind::Yes, Kind::Word(0), Kind::Word(1)]
            [self.below(5)]
        .clone();
        let Some(place) = self.free_place(&kind) else {
            return;
        };
        if kind == Kind::Number && !self.bounded && self.once_in(2) {
            let sign = ["+=", "-="][self.below(2)];
            let value = self.number(1);
            return self.line(format!("{place} {sign} {value}"));
        }
        let value = match kind {
            Kind::Number if self.bounded => format!("(({} at least -4) at most 9)", self.number(2)),
            _ => self.value(&kind, 2),
        };
        self.line(format!("{place} = {value}"));
    }

    fn branch(&mut self) {
        let test = self.test(2);
        if self.once_in(4) {
            let Some(place) = self.free_place(&Kind::Number) else {
                return;
            };
            let value = self.within(0, 3);
            return self.line(format!("if {test}: {place} = {value}"));
        }
        self.line(format!("if {test}:"));
        self.block();
        if self.once_in(3) {
            let test = self.test(1);
            self.line(format!("else if {test}:"));
            self.block();
        }
        if self.once_in(2) {
            self.line("else:");
            self.block();
        }
    }

    fn counted(&mut self) {
        let name = self.name("i");
        let most = 1 + self.below(3);
        let last = match self.of_kind(&Kind::Number) {
            Some(var) if self.once_in(2) => format!("({} at most {most})", var.name),
            _ => most.to_string(),
        };
        match self.once_in(3) {
            true => self.line(format!("for {name} in {last} down to 1:")),
            false => self.line(format!("for {name} in 1..{last}:")),
        }
        self.looped(most, name, Kind::Number);
    }

    fn looped(&mut self, times: usize, name: String, kind: Kind) {
        self.scope.push(Var { name, kind, free: false });
        self.turns(times, Maker::block);
        self.scope.pop();
    }

    fn each(&mut self) {
        let many = self.seen().into_iter();
        let many =
            many.filter(|var| matches!(var.kind, Kind::Bag(_) | Kind::Records(_) | Kind::List(_)));
        let many: Vec<Var> = many.collect();
        let Some(all) = self.one(&many) else {
            return;
        };
        let times = match all.kind {
            Kind::Bag(bag) => self.bags[bag].size,
            Kind::Records(_) => self.bags[0].size,
            Kind::List(length) => length,
            _ => 1,
        };
        let (name, kind) = (self.name("u"), member(&all.kind));
        let when = self.condition(&name, &kind);
        // A list is not changed while it is gone through.
        let frozen = matches!(all.kind, Kind::List(_));
        let known = self.scope.iter().position(|var| var.name == all.name && frozen && var.free);
        if let Some(place) = known {
            self.scope[place].free = false;
        }
        self.line(format!("each {name} in {}{when}:", all.name));
        self.looped(times, name, kind);
        if let Some(place) = known {
            self.scope[place].free = true;
        }
    }

    /// ` where …`, if anything is asked.
    fn condition(&mut self, name: &str, kind: &Kind) -> String {
        if self.once_in(3) {
            return String::new();
        }
        self.scope.push(Var { name: name.to_owned(), kind: kind.clone(), free: false });
        let dice = std::mem::replace(&mut self.dice, false);
        let test = self.test(1);
        self.dice = dice;
        self.scope.pop();
        format!(" where {test}")
    }

    fn pick(&mut self) {
        if self.once_in(3) && self.draw().is_some() {
            return;
        }
        let Some((bag, made)) = self.such(|kind| match kind {
            Kind::Bag(bag) => Some(*bag),
            _ => None,
        }) else {
            return;
        };
        let (name, kind) = (self.name("u"), Kind::Thing(made));
        let when = self.condition(&name, &kind);
        let random = self.once_in(2) && self.afford(self.bags[made].size as f64);
        let by = match random {
            true => "random".to_owned(),
            false => {
                self.scope.push(Var { name: name.clone(), kind: kind.clone(), free: false });
                let dice = std::mem::replace(&mut self.dice, false);
                let way = ["lowest", "highest"][self.below(2)];
                let key = self.number(1);
                self.dice = dice;
                self.scope.pop();
                format!("{way} {key}")
            }
        };
        self.line(format!("pick {name} in {}{when} by {by}:", bag.name));
        self.scope.push(Var { name, kind, free: false });
        self.block();
        self.scope.pop();
    }

    fn repeat(&mut self) {
        if self.depth > 2 {
            return;
        }
        if self.loops == 0
            && self.in_action
            && self.choices == 0
            && !self.endless
            && self.once_in(12)
        {
            return self.endless_loop();
        }
        let (name, times) = (self.name("v"), 2 + self.below(2));
        self.line(format!("{name} = 0"));
        self.line("repeat:");
        self.scope.push(Var { name: name.clone(), kind: Kind::Number, free: false });
        let bounded = std::mem::replace(&mut self.bounded, true);
        self.turns(times, |maker| {
            maker.deeper(|maker| {
                maker.line(format!("{name} = {name} + 1 at most {times}"));
                maker.stmts(2);
                maker.line(format!("if {name} == {times}: stop"));
            });
        });
        self.bounded = bounded;
    }

    /// A loop that ends only by the dice.
    fn endless_loop(&mut self) {
        if !self.afford(30.0) {
            return;
        }
        self.endless = true;
        self.line("repeat:");
        let bounded = std::mem::replace(&mut self.bounded, true);
        // No more dice than the one that ends it.
        let dice = std::mem::replace(&mut self.dice, false);
        self.loops += 1;
        self.deeper(|maker| {
            maker.stmts(1);
            let test = maker.test(1);
            maker.line(
                format!("if d3 == 1 or d2 == 1 and {test}: stop")
                    .replace("d3 == 1 or d2 == 1 and", "d3 == 1 or"),
            );
            maker.stmts(1);
        });
        self.loops -= 1;
        (self.bounded, self.dice) = (bounded, dice);
    }

    fn matched(&mut self) {
        if self.once_in(2)
            && let Some(cell) = self.look(2, true)
        {
            return self.matched_cell(&cell);
        }
        let Some((_, list)) = self.such(|kind| match kind {
            Kind::Word(list) => Some(*list),
            _ => None,
        }) else {
            return;
        };
        let value = self.word(list, 1);
        self.line(format!("match {value}:"));
        let mut words = self.words[list].words.clone();
        self.deeper(|maker| {
            let other = maker.once_in(3);
            if other {
                words.pop();
            }
            if words.len() > 2 && maker.once_in(2) {
                let two = words.split_off(words.len() - 2).join(" or ");
                words.push(two);
            }
            for word in words {
                maker.arm(&word);
            }
            if other {
                maker.arm("else");
            }
        });
    }

    fn arm(&mut self, head: &str) {
        self.line(format!("{head}:"));
        if !self.once_in(5) {
            self.block();
        }
    }

    fn matched_cell(&mut self, cell: &str) {
        let name = cell.split('(').next().unwrap_or_default();
        let table = self.tables.iter().find(|table| table.name == name);
        let Some(Cells::Legend(words)) = table.map(|table| &table.cells) else {
            return;
        };
        let words = words.clone();
        self.line(format!("match {cell}:"));
        self.deeper(|maker| {
            for (word, numbered) in words {
                if numbered && maker.once_in(2) {
                    let number = maker.name("n");
                    maker.scope.push(Var { name: number.clone(), kind: Kind::Number, free: false });
                    maker.arm(&format!("{word} {number}"));
                    maker.scope.pop();
                } else {
                    maker.arm(&word);
                }
            }
        });
    }

    fn call_part(&mut self) {
        let without: Vec<usize> = (0..self.parts.len())
            .filter(|part| {
                let part = &self.parts[*part];
                part.gives.is_none() || part.params.iter().any(|param| param.1)
            })
            .collect();
        let Some(part) = self.one(&without) else {
            return;
        };
        let (gives, changes) =
            (self.parts[part].gives.clone(), self.parts[part].params.iter().any(|p| p.1));
        let Some(call) = self.called(part) else {
            return;
        };
        match gives {
            None => self.line(call),
            Some(kind) => {
                let name = self.name("v");
                // What a part changes is read before it and after it.
                let value = match (kind == Kind::Number && changes, self.of_kind(&Kind::Number)) {
                    (true, Some(var)) => format!("{0} + 10 * {call} - {0}", var.name),
                    _ => call,
                };
                self.make(name, kind, &value);
            }
        }
    }

    fn tally(&mut self) {
        if !self.in_action {
            return;
        }
        let name = match self.one(&self.tallies.clone()) {
            Some(name) if self.once_in(2) => name,
            _ => {
                let name = self.name("y");
                self.tallies.push(name.clone());
                name
            }
        };
        match self.once_in(2) {
            true => self.line(format!("tally {name}")),
            false => {
                let value = self.number(1);
                self.line(format!("tally {name} += {value}"));
            }
        }
    }

    /// Leaves the innermost loop, or the action: also from within a loop or a part.
    fn leave(&mut self) {
        let test = self.test(1);
        if self.loops > 0 && !self.once_in(3) {
            self.line(format!("if {test}: stop"));
        } else if self.may_end && self.once_in(2) {
            self.line(format!("if {test}: end"));
        }
    }

    /// A sentence for whoever has it explained.
    fn note(&mut self) {
        let seen = self.seen();
        let named = self.one(&seen).map(|var| match &var.kind {
            Kind::Number | Kind::Yes | Kind::Word(_) | Kind::Row => var.name,
            Kind::Thing(bag) => {
                let mut columns = self.columns_of(*bag);
                columns.retain(|column| !matches!(column.1, Kind::List(_)));
                match self.one(&columns) {
                    Some((column, ..)) => format!("{}.{column}", var.name),
                    None => var.name,
                }
            }
            Kind::Record(_) => format!("{}.name", var.name),
            _ => "nothing".to_owned(),
        });
        let named = named.filter(|name| name != "nothing");
        let said = named.map_or(String::new(), |name| format!(" {{{name}}}"));
        self.line(format!("note \"so it is{said}\""));
    }
}
