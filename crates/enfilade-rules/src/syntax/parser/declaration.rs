//! Declarations: fields, records, words, data, tables, marks, parts, actions, examples, prices.

use super::foreign_syntax::habit;
use super::views::{Declarations, RuleLines};
use super::{Found, Reader};
use super::{KEYS, Read};
use crate::syntax::ast::{
    Action, Check, Data, Declared, Expr, Field, File, Item, Kind, Name, Part, Row, Said, Sentence,
    Table, What,
};
use crate::syntax::line_tree::Line;
use crate::syntax::token_cursor::{Cursor, Word};
use enfilade_model::form::name_matching;

impl<'t> Declarations<'_, '_> {
    pub(super) fn declaration(&mut self, line: &Line<'t>, file: &mut File) {
        let mut at = Cursor::of(line);
        let change = at.eat("change");
        let (word, span) = at.take();
        let Word::Name(key) = word else {
            self.faults.note(span, "a declaration begins with a word, such as `field`", "");
            return self.unread_all(line);
        };
        self.depth = 0;
        if !change && self.head(key, &mut at, line, file).is_some() {
            return;
        }
        match self.declared(key, &mut at, line) {
            Some(Some((name, what))) => file.declared.push(Declared { name, change, what }),
            Some(None) => self.unread_all(line),
            None => {
                self.unread_all(line);
                let help = no_declaration(key, &at, line);
                self.faults.note(span, format!("there is no declaration `{key}`"), help);
            }
        }
    }

    /// Parses a line about the whole file; `None` if the line is something else.
    fn head(
        &mut self,
        key: &str,
        at: &mut Cursor<'t>,
        line: &Line<'t>,
        file: &mut File,
    ) -> Option<()> {
        let mut long = false;
        match key {
            "game" => {
                file.game = self.text(at).unwrap_or_default();
                if at.eat("extends") {
                    file.extends = self.quoted(at);
                    file.lost = file.extends.is_none();
                }
            }
            "by" | "source" | "dice" | "date" => {
                let name = Name::new(key, line.span());
                let said = match key {
                    "date" => line.text["date".len()..].trim().to_owned(),
                    _ => self.text(at).unwrap_or_default(),
                };
                file.about.push((name, said));
            }
            "direction" | "off" | "absent" if Self::is_told(line) => {
                *at = Cursor::of(line);
                file.about.extend(self.told(at, line));
                long = true;
            }
            "group" => self.group = self.text(at).unwrap_or_default(),
            "reading" => {
                file.readings.extend(self.sentence(at, line));
                long = true;
            }
            "left" if at.eat("out") => {
                let said = self.sentence(at, line);
                file.left_out.extend(said.map(|(said, _)| said));
                long = true;
            }
            _ => return None,
        }
        if key != "date" {
            self.ends(at);
        }
        // A sentence may continue on the lines below.
        if !long {
            self.nothing_inside(line);
        }
        Some(())
    }

    pub(super) fn declared(&mut self, key: &str, at: &mut Cursor<'t>, line: &Line<'t>) -> Found {
        Some(match key {
            "words" => self.words(at, line),
            "record" => self.record(at, line),
            "field" => self.field(at, line).map(|(name, field)| (name, What::Field(field))),
            "data" => self.data(at, line),
            "table" => self.table(at, line),
            "marks" => self.marks(at, line),
            "part" => self.part(at, line),
            "action" => self.action(at, line),
            "example" => self.example(at, line),
            "price" => self.price(at, line),
            "check" | "remark" => {
                let check = self.check(at, line, key == "remark");
                check.map(|check| (nameless(line), What::Check(check)))
            }
            _ => return None,
        })
    }

    /// Parses `words mood: steady, pinned "keeps its head down"`, or a word on each line below.
    fn words(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<(Name, What)> {
        let name = self.name(at, "the name of the words")?;
        self.expect(at, ":")?;
        let mut words = Vec::new();
        if at.is_done() {
            self.something_inside(line)?;
            for line in &line.inner {
                self.worded_line(&mut Cursor::of(line), line, &mut words);
            }
        } else {
            self.worded_line(at, line, &mut words);
        }
        Some((name, What::Words(words)))
    }

    /// Parses comma-separated words. Words before a fault are kept.
    fn worded_line(
        &mut self,
        at: &mut Cursor<'t>,
        line: &Line<'t>,
        words: &mut Vec<(Name, String)>,
    ) {
        loop {
            match self.worded(at) {
                Some(word) => words.push(word),
                None => return self.unread_all(line),
            }
            if !at.eat(",") {
                break;
            }
        }
        match self.ends(at) {
            Some(()) => self.nothing_inside(line),
            None => self.unread_all(line),
        }
    }

    fn record(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<(Name, What)> {
        let name = self.name(at, "the name of the record")?;
        self.opens(at, line)?;
        let group = std::mem::take(&mut self.group);
        let (mut items, mut rest) = self.items(&line.inner);
        while let Some((line, below)) = rest.split_first() {
            let problem = "a record has only `field` and `check` lines";
            self.faults.note(line.span(), problem, "");
            self.unread_all(line);
            let (more, left) = self.items(below);
            items.extend(more);
            rest = left;
        }
        self.group = group;
        Some((name, What::Record(items)))
    }

    /// Parses `:` at the end of the line and requires a block, which is read even if the line is
    /// faulty.
    fn opens(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<()> {
        let opened = self.expect(at, ":").and_then(|()| self.ends(at));
        self.opened(opened, line)
    }

    /// Requires a block as [`opens`](Self::opens) does, given whether the line could be parsed.
    fn opened(&mut self, opened: Read<()>, line: &Line<'t>) -> Read<()> {
        match opened {
            Some(()) => self.something_inside(line),
            None if line.inner.is_empty() => None,
            None => {
                self.unread(line);
                Some(())
            }
        }
    }

    /// Parses the annotations of a line that opens a block.
    fn said_and_opens(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<Said> {
        match self.said(at, &[]) {
            Some(said) => self.opens(at, line).map(|()| said),
            None => self.opened(None, line).map(|()| Said::default()),
        }
    }

    pub(super) fn something_inside(&mut self, line: &Line<'t>) -> Read<()> {
        if line.inner.is_empty() {
            let help = "indent its lines by four spaces";
            self.faults.note(line.span(), "expected an indented block below this line", help);
            return None;
        }
        Some(())
    }

    /// Parses the fields and checks at the beginning of some lines. Returns them with the lines
    /// after them.
    fn items<'l>(&mut self, lines: &'l [Line<'t>]) -> (Vec<Item>, &'l [Line<'t>]) {
        let mut items = Vec::new();
        for (place, line) in lines.iter().enumerate() {
            let mut at = Cursor::of(line);
            match at.take().0 {
                Word::Name("field") => match self.field(&mut at, line) {
                    Some((name, field)) => items.push(Item::Field(name, field)),
                    None => self.unread_all(line),
                },
                Word::Name("group") => self.group = self.text(&mut at).unwrap_or_default(),
                Word::Name(key @ ("check" | "remark")) if Self::is_item(&at) => {
                    items.extend(self.check(&mut at, line, key == "remark").map(Item::Check));
                }
                _ => return (items, &lines[place..]),
            }
        }
        (items, &[])
    }

    /// Returns whether a word that may begin a check does so, and is not a name that is called or
    /// assigned.
    fn is_item(at: &Cursor<'t>) -> bool {
        let called = at.is_glued() && ["(", "[", "."].iter().any(|sign| at.is(sign));
        !called && !["=", "+=", "-="].iter().any(|sign| at.is(sign))
    }

    /// Parses `check c "…"` and `remark if c "…"`.
    fn check(&mut self, at: &mut Cursor<'t>, line: &Line<'t>, remark: bool) -> Read<Check> {
        let when = match !remark || at.eat("if") {
            true => Some(self.expr(at)?),
            false => None,
        };
        let over = self.after(at, "for", |reader, at| reader.declarations().one_in(at))?;
        let mut said = Vec::new();
        self.sentences(at, &mut said)?;
        for below in &line.inner {
            let mut at = Cursor::of(below);
            self.sentences(&mut at, &mut said)?;
            self.nothing_inside(below);
        }
        let (mut said, span) = (said.into_iter(), line.span());
        let Some(text) = said.next() else {
            return self.astray(at, "a text in quotes");
        };
        Some(Check { when, over, text, help: said.next().unwrap_or_default(), remark, span })
    }

    /// Parses texts with values in them at the end of a line; a check has at most two.
    fn sentences(&mut self, at: &mut Cursor<'t>, said: &mut Vec<Sentence>) -> Read<()> {
        while said.len() < 2 && matches!(at.peek().0, Word::Text(_)) {
            said.push(self.rule_lines().pieces(at)?);
        }
        self.ends(at)
    }

    /// Parses `x in xs`.
    fn one_in(&mut self, at: &mut Cursor<'t>) -> Read<(Name, Expr)> {
        let name = self.name(at, "the name of one of them")?;
        self.expect(at, "in")?;
        Some((name, self.place(at)?))
    }

    /// Parses `field x: 1..24 = 8 "…" rare (4.2)`.
    fn field(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<(Name, Field)> {
        let name = self.name(at, "the name of the field")?;
        // A change may consist of the default alone.
        let kind = match at.eat(":") {
            true => self.kind(at)?,
            false => Kind::Choice(Vec::new()),
        };
        let default = self.after(at, "=", |reader, at| reader.declarations().default(at))?;
        let said = self.said(at, &line.inner)?;
        self.ends(at)?;
        Some((name, Field { kind, default, said, group: self.group.clone() }))
    }

    /// Parses `data weapons:` with heads and rows, or `from` a file.
    fn data(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<(Name, What)> {
        let name = self.name(at, "the name of the data")?;
        let mut data = Data { from: self.after(at, "from", Reader::quoted)?, ..Data::default() };
        let mut lines = line.inner.as_slice();
        if data.from.is_some() {
            if !at.is_done() {
                self.opens(at, line)?;
            }
        } else {
            self.opens(at, line)?;
            let (heads, rows) = lines.split_first()?;
            let mut heads = cells(heads).into_iter();
            heads.next();
            data.heads = heads.collect();
            lines = rows;
        }
        for line in lines {
            let mut at = Cursor::of(line);
            match at.eat("column") {
                true => match self.column(&mut at) {
                    Some(column) => data.marks.push(column),
                    None => self.unread(line),
                },
                false => data.rows.extend(row(line)),
            }
        }
        Some((name, What::Data(data)))
    }

    /// Parses `column special: of special`.
    fn column(&mut self, at: &mut Cursor<'t>) -> Read<(Name, Name)> {
        let column = self.name(at, "the column")?;
        self.expect(at, ":")?;
        self.expect(at, "of")?;
        let marks = self.name(at, "the marks")?;
        self.ends(at)?;
        Some((column, marks))
    }

    fn table(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<(Name, What)> {
        let name = self.name(at, "the name of the table")?;
        let from = self.after(at, "from", Reader::quoted)?;
        // The rule reference may be before or after the colon.
        let rule = at.rule().unwrap_or_default().to_owned();
        let mut table = Table { from, rule, ..Table::default() };
        let mut opened = self.expect(at, ":");
        table.rule += at.rule().unwrap_or_default();
        opened = opened.and_then(|()| self.ends(at));
        if opened.is_none() {
            self.opened(None, line)?;
        }
        for line in &line.inner {
            let mut at = Cursor::of(line);
            if at.eat("cell") {
                let explained = self.pair(at, line, PRINTED);
                table.unexplained |= explained.is_none();
                table.legend.extend(explained);
            } else if at.eat("columns") {
                table.columns = named(at);
            } else if at.is("exact") && line.text == "exact" {
                table.exact = true;
            } else {
                table.rows.extend(row(line));
            }
        }
        Some((name, What::Table(table)))
    }

    /// Parses a printed pattern and its name.
    fn pair(&mut self, at: Cursor<'t>, line: &Line<'t>, what: &'static str) -> Read<(Name, Name)> {
        let mut cells = named(at.clone()).into_iter();
        match (cells.next(), cells.next(), cells.next()) {
            (Some(pattern), Some(name), None) => Some((pattern, name)),
            _ => {
                self.unread(line);
                self.astray(&at, what)
            }
        }
    }

    /// Parses two names on each of the lines below; `what` describes them in messages.
    fn pairs(&mut self, line: &Line<'t>, what: &'static str) -> Vec<(Name, Name)> {
        line.inner.iter().filter_map(|line| self.pair(Cursor::of(line), line, what)).collect()
    }

    fn marks(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<(Name, What)> {
        let name = self.name(at, "the name of the marks")?;
        self.opens(at, line)?;
        Some((name, What::Marks(self.pairs(line, PRINTED))))
    }

    fn part(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<(Name, What)> {
        let name = self.name(at, "the name of the part");
        let head = name.and_then(|name| Some((name, self.rule_lines().params(at)?)));
        let rule = at.rule().unwrap_or_default().to_owned();
        let is_check = |line: &&Line<'t>| {
            let mut at = Cursor::of(line);
            matches!(at.take().0, Word::Name("check" | "remark")) && Self::is_item(&at)
        };
        let held = line.inner.iter().take_while(is_check).count();
        let shown = line.inner.iter().position(RuleLines::is_report);
        let (checks, body, shows) = match (held, shown) {
            (0, None) if head.is_some() => match self.rule_lines().body(at, line) {
                Some(body) => (Vec::new(), body, Vec::new()),
                None => {
                    self.opened(None, line)?;
                    (Vec::new(), self.rule_lines().block(&line.inner), Vec::new())
                }
            },
            (held, shown) => {
                match head {
                    Some(_) => self.opens(at, line)?,
                    None => self.opened(None, line)?,
                }
                let (rule, shows) = line.inner.split_at(shown.unwrap_or(line.inner.len()));
                let (checks, rule) = rule.split_at(held);
                let checks = self.items(checks).0.into_iter();
                let checks = checks.filter_map(|item| match item {
                    Item::Check(check) => Some(check),
                    Item::Field(..) => None,
                });
                (checks.collect(), self.rule_lines().block(rule), self.rule_lines().reports(shows))
            }
        };
        let (name, params) = head?;
        Some((name, What::Part(Part { params, rule, checks, body, shows })))
    }

    /// Parses `action fire "one volley" (A7):` with its fields, rule and report.
    fn action(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<(Name, What)> {
        let name = self.name(at, "the name of the action");
        let named = name.as_ref().and_then(|_| self.after(at, "named", Reader::text));
        let said = match named {
            Some(_) => self.said_and_opens(at, line)?,
            None => self.opened(None, line).map(|()| Said::default())?,
        };
        let mut about = Vec::new();
        let told = line.inner.iter().take_while(|line| Self::is_told(line));
        let (told, lines) = line.inner.split_at(told.count());
        for line in told {
            about.extend(self.told(&mut Cursor::of(line), line));
        }
        let group = self.group.clone();
        let (items, lines) = self.items(lines);
        self.group = group;
        let shown = lines.iter().position(RuleLines::is_report).unwrap_or(lines.len());
        let (rule, shows) = lines.split_at(shown);
        let (body, shows) = (self.rule_lines().block(rule), self.rule_lines().reports(shows));
        let named = named.flatten();
        let action = Action { said, named, about, items, body, shows };
        Some((name?, What::Action(action)))
    }

    /// Parses `example fire "…":` and its lines of TOML, which are stored unchanged.
    fn example(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<(Name, What)> {
        let name = self.name(at, "the action")?;
        let said = self.said_and_opens(at, line)?;
        Some((name, What::Example(said, all(&line.inner))))
    }

    fn price(&mut self, at: &mut Cursor<'t>, line: &Line<'t>) -> Read<(Name, What)> {
        self.opens(at, line)?;
        Some((
            nameless(line),
            What::Price(self.pairs(line, "a key, and the one name that it means: `losses lost`")),
        ))
    }
}

/// Expected content of a line of marks, in messages.
const PRINTED: &str = "what is printed, and its name";

fn nameless(line: &Line) -> Name {
    Name::new("", line.span())
}

/// Returns the cells of a line.
fn cells(line: &Line) -> Vec<Name> {
    named(Cursor::of(line))
}

fn named(at: Cursor) -> Vec<Name> {
    at.cells().into_iter().map(|(text, span)| Name::new(text, span)).collect()
}

/// Returns a row: its name or key, and its cells.
fn row(line: &Line) -> Option<Row> {
    let mut cells = cells(line).into_iter();
    Some(Row { key: cells.next()?, cells: cells.collect() })
}

/// Returns lines unchanged, each followed by its block.
fn all(lines: &[Line]) -> Vec<Name> {
    let mut found = Vec::new();
    for line in lines {
        found.push(Name::new(line.text, line.span()));
        found.extend(all(&line.inner));
    }
    found
}

/// Returns a hint for a line that begins with `key` and declares nothing.
fn no_declaration(key: &str, at: &Cursor<'_>, line: &Line<'_>) -> String {
    // In `weapons:` with lines below it, the word is a name and not a keyword.
    if at.is(":") && !line.inner.is_empty() {
        return format!(
            "`data {key}:` has rows of things below it, `table {key}:` numbers to look up, \
             `action {key}:` a rule"
        );
    }
    match name_matching::nearest(key, KEYS) {
        Some(near) => format!("did you mean `{near}`?"),
        None => habit(key).to_owned(),
    }
}
