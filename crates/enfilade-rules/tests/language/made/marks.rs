//! Printed specials.

use super::{Kind, Maker};

impl Maker {
    pub fn mark_list(&mut self) {
        let (one, two, three) = (self.name("k"), self.name("k"), self.name("k"));
        let mut marks = vec![
            ("Pierce #".to_owned(), one.clone(), true),
            ("Burst".to_owned(), two, false),
            ("Area-#+".to_owned(), three, true),
        ];
        if self.once_in(3) {
            // Two ways to print the same.
            marks.push(("Heavy #".to_owned(), one, true));
        }
        self.line("marks special:");
        self.deeper(|maker| {
            for (printed, name, _) in &marks {
                maker.line(format!("\"{printed}\"  {name}"));
            }
        });
        self.marks = marks;
        let name = self.name("f");
        let default = match self.once_in(2) {
            true => "[]".to_owned(),
            false => self.list_of_marks(),
        };
        self.line(format!("field {name}: special = {default}"));
        if self.once_in(2) {
            let value = self.list_of_marks();
            self.contest += &format!("{name} = {value}\n");
        }
        self.know(name, Kind::Marks);
    }

    /// Some specials, no name twice; one may be of a kind that nobody explains.
    fn some_marks(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        let mut printed = Vec::new();
        for (text, name, _) in self.marks.clone() {
            if self.once_in(2) && !names.contains(&name) {
                let number = self.below(5).to_string();
                printed.push(text.replace('#', &number));
                names.push(name);
            }
        }
        if self.once_in(6) {
            printed.push("Unheard of 3".to_owned());
        }
        printed
    }

    fn list_of_marks(&mut self) -> String {
        let marks = self.some_marks().into_iter();
        let marks: Vec<String> = marks.map(|mark| format!("\"{mark}\"")).collect();
        format!("[{}]", marks.join(", "))
    }

    /// As a cell.
    pub fn printed_marks(&mut self) -> String {
        let marks = self.some_marks();
        match marks.is_empty() {
            true => "-".to_owned(),
            false => format!("\"{}\"", marks.join(", ")),
        }
    }

    /// One special of something that has such: `weapon.traits.pierce`.
    fn mark(&mut self) -> Option<String> {
        let row = self.of_kind(&Kind::Row).zip(self.traits.clone());
        let row = row.map(|(row, traits)| format!("{}.{traits}", row.name));
        let own = self.of_kind(&Kind::Marks).map(|var| var.name);
        let of = match self.once_in(2) {
            true => row.or(own),
            false => own.or(row),
        }?;
        let (_, name, _) = self.one(&self.marks.clone())?;
        Some(format!("{of}.{name}"))
    }

    pub fn has_mark(&mut self) -> Option<String> {
        self.mark().map(|mark| format!("given({mark})"))
    }

    /// The number of a special, mostly where there is one.
    pub fn number_of_mark(&mut self) -> Option<String> {
        let mark = self.mark()?;
        let other = self.within(0, 3);
        Some(match self.below(24) {
            0 if !self.careful => mark,
            1..=12 => format!("({mark} if given({mark}))"),
            _ => format!("({mark} if given({mark}) else {other})"),
        })
    }
}
