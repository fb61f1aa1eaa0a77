//! Dice, and lists of them in order.

use super::{Kind, Maker, Var};

impl Maker {
    /// `xs high 2`, `[1, d4] low 1`.
    pub fn kept_places(&mut self, depth: usize) -> Option<String> {
        let end = ["high", "low"][self.below(2)];
        let many = self.within(1, 2);
        if self.once_in(2) {
            let values: Vec<String> = (0..2).map(|_| self.number(depth - 1)).collect();
            return Some(format!("([{}, {}] {end} {many})", values.join(", "), self.within(0, 4)));
        }
        if self.once_in(2) {
            let pays = self.dice && self.afford(8.0);
            return pays.then(|| format!("([d2, d4] {end} {many})"));
        }
        let (list, _) = self.such(|kind| match kind {
            Kind::List(length) => Some(*length),
            _ => None,
        })?;
        Some(format!("({} {end} {many})", list.name))
    }

    /// The value of a new list with this many places, in an order or all alike.
    pub fn list(&mut self, length: usize) -> String {
        let known = self.such(|kind| match kind {
            Kind::List(known) if *known == length => Some(*known),
            _ => None,
        });
        match self.below(6) {
            0 => format!("{length} of {}", self.number(1)),
            1 if self.dice && self.afford(3_f64.powi(length as i32)) => {
                let more = ["", " reroll 1", " again on 3 up to 1 as one"][self.below(3)];
                let cost = if more.is_empty() { 1.0 } else { 3_f64.powi(length as i32) };
                let more = if self.afford(cost) { more } else { "" };
                format!("sorted {length}d3{more}")
            }
            2 if known.is_some() => {
                let (list, free) =
                    known.map(|(list, _)| (list.name, list.free)).unwrap_or_default();
                // Only a list of the rule itself is copied by its name alone.
                let sorted = !free || self.once_in(2);
                let dice = sorted && self.dice && self.once_in(2) && self.afford(27.0);
                match (dice, sorted) {
                    (true, _) => format!("sorted d((s at least 1 at most 3)) for s in {list}"),
                    (_, true) => format!("sorted {list}"),
                    _ => list,
                }
            }
            _ => {
                let values: Vec<String> = (0..length).map(|_| self.number(1)).collect();
                format!("[{}]", values.join(", "))
            }
        }
    }

    /// Dice, if they may be rolled here.
    pub fn pool(&mut self, depth: usize) -> Option<String> {
        if !self.dice {
            return None;
        }
        if self.once_in(60) && self.afford(36.0) {
            return Some("d66".to_owned());
        }
        let sides = [2, 2, 3, 3, 4, 6][self.below(6)];
        let of = f64::from(sides);
        match self.below(10) {
            0..=3 => self.afford(of).then(|| format!("d{sides}")),
            4 => self.afford(of * of).then(|| format!("2d{sides}")),
            5 => {
                // As many as a number says.
                let count = self.number(depth.min(1));
                let most = if self.times > 1.5 { 2 } else { 3 };
                let pays = self.afford(of.powi(most));
                pays.then(|| format!("({count} at most {most}) d{sides}"))
            }
            6 => {
                let keep = ["high", "low"][self.below(2)];
                let kept = self.within(1, 2);
                self.afford(of.powi(2)).then(|| format!("2d{sides} {keep} {kept}"))
            }
            7 => {
                let faces = ["1", "1..2", "2"][self.below(3)];
                self.afford(of * of).then(|| format!("d{sides} reroll {faces}"))
            }
            8 => {
                let up_to = self.within(1, 2);
                let faces = [format!("{sides}"), format!("2..{sides}")][self.below(2)].clone();
                let one = ["", " as one", " as one high 1"][self.below(3)];
                self.afford(of.powi(1 + up_to as i32))
                    .then(|| format!("d{sides} again on {faces} up to {up_to}{one}"))
            }
            _ => {
                let op = [">=", "<=", "==", "is not", "<", ">"][self.below(6)];
                let more = ["", " reroll 1", " again on 2 up to 1", " again on 2 up to 1 as one"]
                    [self.below(4)];
                let cost = if more.is_empty() { of * of } else { of.powi(3) };
                if self.once_in(2) || !more.is_empty() {
                    let needed = self.number(0);
                    return self
                        .afford(cost)
                        .then(|| format!("count(2 d{sides}{more} {op} {needed})"));
                }
                let bounded = self.number(1);
                self.afford(16.0).then(|| format!("d((({bounded} at least 2) at most 4))"))
            }
        }
    }

    /// A place of a list, as often as its number says.
    pub fn draw(&mut self) -> Option<()> {
        let (list, _) = self.such(|kind| match kind {
            Kind::List(length) => Some(*length),
            _ => None,
        })?;
        if !self.dice || !self.afford(8.0) {
            return None;
        }
        let name = self.name("u");
        let place = format!("{}[{name}]", list.name);
        let when = ["", " where ", " where 1 < "][self.below(3)];
        let when = match when {
            " where " => format!(" where {place} > 0 and {place} < 9"),
            " where 1 < " => format!(" where 1 < {name}"),
            _ => String::new(),
        };
        self.line(format!("pick {name} in {}{when} by random:", list.name));
        self.scope.push(Var { name, kind: Kind::Number, free: false });
        if list.free && self.once_in(2) {
            self.deeper(|maker| maker.line(format!("{place} -= 1")));
        } else {
            self.deeper(|maker| maker.stmts(1));
        }
        self.scope.pop();
        Some(())
    }
}
