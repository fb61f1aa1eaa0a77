//! Parts: pieces of rule with a name.

use super::{Kind, Maker, Part, Var};

impl Maker {
    pub fn part(&mut self) {
        let name = self.name("p");
        let plain = self.once_in(2);
        let params = self.parameters(plain);
        let gives = match self.below(4) {
            0 if !plain => None,
            1 => Some(Kind::Yes),
            2 => Some(Kind::Word(0)),
            _ => Some(Kind::Number),
        };
        let mut part = Part { name, params, gives, cost: 0.0, plain, ends: false };
        (part.cost, part.ends) = self.written_part("part", &part);
        self.parts.push(part);
    }

    /// Another part in the place of one that is there.
    pub fn change_part(&mut self) {
        let place = self.below(self.parts.len());
        // It cannot call those that may call it.
        let mut rest = self.parts.split_off(place);
        let callable = self.parts.clone();
        if self.has_reporting_part {
            self.parts.retain(|part| !part.ends);
        }
        if let Some(part) = rest.first().cloned() {
            let (cost, ends) = self.written_part("change part", &part);
            rest[0].cost = cost;
            // Those that call it may end with it.
            rest.iter_mut().for_each(|part| part.ends |= ends);
        }
        self.parts = callable;
        self.parts.extend(rest);
    }

    /// Kinds of parameters, and whether the part may change what it is given.
    pub fn parameters(&mut self, plain: bool) -> Vec<(Kind, bool)> {
        let count = self.below(3);
        let mut params = Vec::new();
        for _ in 0..count {
            let kind = match self.below(6) {
                0 => Kind::Yes,
                1 => Kind::Word(0),
                2 if !self.bags.is_empty() => Kind::Thing(0),
                3 if !plain && !self.bags.is_empty() => Kind::Bag(0),
                _ => Kind::Number,
            };
            let changes = !plain
                && matches!(kind, Kind::Number | Kind::Yes | Kind::Word(_))
                && self.once_in(3);
            params.push((kind, changes));
        }
        params
    }

    /// Names for parameters, which are all that is seen from here on.
    pub fn declared_parameters(&mut self, params: &[(Kind, bool)]) -> String {
        self.scope.clear();
        let mut said = Vec::new();
        for (kind, changes) in params {
            let name = self.name("m");
            said.push(format!("{}{name}", if *changes { "changes " } else { "" }));
            self.scope.push(Var { name, kind: kind.clone(), free: *changes });
        }
        said.join(", ")
    }

    /// Writes a part; what a call of it costs in dice, and whether it may end the action.
    fn written_part(&mut self, word: &str, part: &Part) -> (f64, bool) {
        let before = self.lines.len();
        let params = self.declared_parameters(&part.params);
        let head = format!("{word} {}({params})", part.name);
        let whole = 3.0;
        (self.left, self.times, self.dice) = (whole, 1.0, !part.plain);
        match part.plain {
            true => self.plain_part(&head, part.gives.as_ref()),
            false => {
                self.line(format!("{head}:"));
                self.may_end = word == "part" || !self.has_reporting_part;
                self.deeper(|maker| maker.rolling_part(part.gives.as_ref()));
                self.may_end = false;
            }
        }
        let cost = whole - self.left;
        self.dice = false;
        self.scope.clear();
        let ending = self.parts.iter().filter(|part| part.ends);
        let mut words: Vec<String> = ending.map(|part| format!("{}(", part.name)).collect();
        words.push(": end".to_owned());
        let mut lines = self.lines[before..].iter();
        let ends = lines.any(|line| words.iter().any(|word| line.contains(word)));
        (cost, ends)
    }

    fn plain_part(&mut self, head: &str, gives: Option<&Kind>) {
        let value = gives.map(|kind| self.value(kind, 2)).unwrap_or_default();
        match self.once_in(2) {
            true => self.line(format!("{head}: give {value}")),
            false => {
                self.line(format!("{head} (A4.2):"));
                self.deeper(|maker| maker.line(format!("give {value}")));
            }
        }
    }

    fn rolling_part(&mut self, gives: Option<&Kind>) {
        self.stmts(2);
        let Some(kind) = gives else {
            return;
        };
        if self.once_in(2) {
            let (when, value) = (self.test(1), self.value(kind, 1));
            self.line(format!("if {when}: give {value}"));
            self.stmts(1);
        }
        let value = self.value(kind, 2);
        self.line(format!("give {value}"));
    }
}
