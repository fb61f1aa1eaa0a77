//! What is reported: shows and measures of the action, and parts that report.

use super::{Kind, Maker, Var};

/// A part that reports: its parameters and what it shows.
#[derive(Clone)]
pub struct Reporting {
    name: String,
    params: Vec<Kind>,
    shown: Vec<Var>,
}

impl Maker {
    pub fn shows(&mut self, first: usize) {
        let vars: Vec<Var> = self.scope[first..].to_vec();
        let mut shown: Vec<Var> = Vec::new();
        let mut kept = Vec::new();
        for var in vars {
            let simple = matches!(var.kind, Kind::Number | Kind::Yes | Kind::Word(_));
            if !simple || !var.free {
                continue;
            }
            let said = ["", " \"what it is\"", " harm", " \"what it is\" gain (A4)"][self.below(4)];
            let is_goal = self.goals.contains(&var.name);
            if !is_goal && self.once_in(6) {
                self.line(format!("keep {}", var.name));
                kept.push(var);
                continue;
            }
            let word = if shown.len() > 4 && !is_goal { "keep" } else { "show" };
            let said = if word == "keep" { "" } else { said };
            self.line(format!("{word} {}{said}", var.name));
            shown.push(var);
        }
        for _ in 0..1 + self.below(2) {
            let name = self.name("s");
            let kind = if self.once_in(3) { Kind::Yes } else { Kind::Number };
            let value = self.value(&kind, 2);
            let when = match self.once_in(8) {
                true => self.of_fields().map(|test| format!(" when {test}")).unwrap_or_default(),
                false => String::new(),
            };
            self.line(format!("show {name} = {value}{when} \"reckoned\""));
            if when.is_empty() {
                shown.push(Var { name, kind, free: false });
            }
        }
        shown.extend(self.report_of_a_part());
        // Measures see what is shown and kept, fields, tables and words.
        self.scope = shown.into_iter().chain(kept).collect();
        for _ in 0..1 + self.below(2) {
            let name = self.name("e");
            match self.once_in(2) {
                true => {
                    let (test, given) = (self.test(2), self.given());
                    self.line(format!("measure {name} = chance({test}{given})"));
                }
                false if self.once_in(3) => self.sum_of_figures(&name),
                false if self.once_in(3) => {
                    let (value, given) = (self.number(2), self.given());
                    let figure = match self.below(3) {
                        0 => format!("median({value}{given})"),
                        1 => format!("spread({value}{given})"),
                        _ => format!("quantile({value}, {}{given})", 1 + self.below(99)),
                    };
                    self.line(format!("measure {name} = {figure}"));
                }
                false => {
                    let value = self.number(2);
                    let scale = ["", " * 100", " / 3", " * 2 / 7"][self.below(4)];
                    let given = self.given();
                    self.line(format!("measure {name} = mean({value}{given}){scale} \"a mean\""));
                }
            }
        }
        for tally in self.tallies.clone() {
            let name = self.name("e");
            self.line(format!("measure {name} = mean({tally})"));
        }
    }

    /// The condition of a measure, or none.
    fn given(&mut self) -> String {
        match self.below(4) {
            0 => format!(" given {}", self.test(1)),
            1 if self.once_in(3) => " given ends".to_owned(),
            _ => String::new(),
        }
    }

    /// Two figures, one added to the other or subtracted from it.
    fn sum_of_figures(&mut self, name: &str) {
        let given = self.given();
        let (test, value) = (self.test(1), self.number(2));
        let sign = ["+", "-"][self.below(2)];
        let scale = ["", " * 3", " / 2", " * 5 / 4"][self.below(4)];
        self.line(format!(
            "measure {name} = mean({value}{given}) / 3 {sign} chance({test}{given}){scale}"
        ));
    }

    /// A test of fields alone.
    fn of_fields(&mut self) -> Option<String> {
        let top: Vec<Var> =
            self.top.iter().filter(|var| var.kind == Kind::Number).cloned().collect();
        self.one(&top).map(|var| format!("{} > 1", var.name))
    }
    /// A part that closes with shows. It rolls no dice and changes nothing but its own.
    pub fn reporting_part(&mut self) {
        self.has_reporting_part = true;
        let name = self.name("p");
        let kinds = self.parameters(true);
        let params = self.declared_parameters(&kinds);
        self.line(format!("part {name}({params}):"));
        let in_action = std::mem::replace(&mut self.in_action, false);
        // Nothing ends behind the end.
        let parts = self.parts.clone();
        self.parts.retain(|part| !part.ends);
        let mut shown = Vec::new();
        self.deeper(|maker| {
            maker.left = 0.0;
            for _ in 0..maker.below(3) {
                maker.new_variable();
            }
            if maker.once_in(2) {
                maker.stmts(1);
            }
            for _ in 0..1 + maker.below(2) {
                shown.extend(maker.reported());
            }
            if maker.once_in(3) {
                maker.scope.clone_from(&shown);
                let (name, test) = (maker.name("e"), maker.test(1));
                maker.line(format!("measure {name} = chance({test})"));
            }
        });
        (self.in_action, self.parts) = (in_action, parts);
        self.scope.clear();
        let params = kinds.into_iter().map(|(kind, _)| kind).collect();
        self.reporting.push(Reporting { name, params, shown });
    }

    /// A line that shows or keeps something; what measures see of it.
    fn reported(&mut self) -> Option<Var> {
        let name = self.name("s");
        let kind = [Kind::Yes, Kind::Number, Kind::Word(0)][self.below(3)].clone();
        let value = self.value(&kind, 2);
        let word = if self.once_in(4) { "keep" } else { "show" };
        self.line(format!("{word} {name} = {value}"));
        Some(Var { name, kind, free: false })
    }

    /// Calls a part that reports; what it shows.
    fn report_of_a_part(&mut self) -> Vec<Var> {
        let Some(part) = self.reporting.pop() else {
            return Vec::new();
        };
        let mut arguments = Vec::new();
        // What the part does not read may be worked out or not.
        self.careful = true;
        for kind in &part.params {
            let argument = match kind {
                Kind::Thing(_) | Kind::Bag(_) => self.of_kind(kind).map(|var| var.name),
                kind => Some(self.value(kind, 1)),
            };
            match argument {
                Some(argument) => arguments.push(argument),
                None => return Vec::new(),
            }
        }
        self.careful = false;
        self.line(format!("{}({})", part.name, arguments.join(", ")));
        part.shown
    }
}
