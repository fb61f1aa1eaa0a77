//! Declarations: fields, records, words, parts, actions, examples, prices.

use super::foreign_syntax::hint_for_foreign_word;
use super::grammar_views::{Declarations, RuleLines};
use super::{DECLARATION_KEYWORDS, ParseResult};
use super::{ParsedDeclaration, RulebookFileParser};
use crate::syntax::ast::{
    ActionDecl, CheckOrRemarkDecl, DeclAnnotations, Declaration, DeclarationKind, Expr, FieldDecl,
    FieldOrCheckLine, Ident, PartDecl, RulebookAst, TextTemplate, TypeExpr,
};
use crate::syntax::line_tree::SourceLine;
use crate::syntax::token_cursor::{Token, TokenCursor};
use enfilade_model::form::name_matching;

impl<'t> Declarations<'_, '_> {
    pub(super) fn parse_top_level_line(&mut self, line: &SourceLine<'t>, file: &mut RulebookAst) {
        let mut at = TokenCursor::from_line(line);
        let change = at.eat("change");
        let (word, span) = at.next_token();
        let Token::Name(key) = word else {
            self.faults.add_fault_at_span(
                span,
                "a declaration begins with a word, such as `field`",
                "",
            );
            return self.suppress_names_on_and_below(line);
        };
        self.depth = 0;
        if !change && self.parse_whole_file_line(key, &mut at, line, file).is_some() {
            return;
        }
        match self.parse_declaration_body(key, &mut at, line) {
            Some(Some((name, what))) => {
                file.declarations.push(Declaration { name, change, kind: what })
            }
            Some(None) => self.suppress_names_on_and_below(line),
            None => {
                self.suppress_names_on_and_below(line);
                let help = hint_for_unknown_keyword(key, &at, line);
                self.faults.add_fault_at_span(
                    span,
                    format!("there is no declaration `{key}`"),
                    help,
                );
            }
        }
    }

    /// Parses a line about the whole file; `None` if the line is something else.
    fn parse_whole_file_line(
        &mut self,
        key: &str,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
        file: &mut RulebookAst,
    ) -> Option<()> {
        let mut long = false;
        match key {
            "game" => {
                file.game = self.parse_quoted_text(at).unwrap_or_default();
                if at.eat("extends") {
                    file.extends = self.parse_quoted_name(at);
                    file.base_missing = file.extends.is_none();
                }
            }
            "by" | "source" | "dice" | "date" => {
                let name = Ident::new(key, line.span());
                let text = match key {
                    "date" => line.text["date".len()..].trim().to_owned(),
                    _ => self.parse_quoted_text(at).unwrap_or_default(),
                };
                file.about.push((name, text));
            }
            "direction" | "off" | "absent" if Self::is_keyword_with_text(line) => {
                *at = TokenCursor::from_line(line);
                file.about.extend(self.parse_keyword_with_text(at, line));
                long = true;
            }
            "group" => self.group = self.parse_quoted_text(at).unwrap_or_default(),
            "reading" => {
                file.readings.extend(self.parse_sentence_and_reference(at, line));
                long = true;
            }
            "left" if at.eat("out") => {
                let text = self.parse_sentence_and_reference(at, line);
                file.left_out.extend(text.map(|(text, _)| text));
                long = true;
            }
            _ => return None,
        }
        if key != "date" {
            self.expect_line_end(at);
        }
        // A sentence may continue on the lines below.
        if !long {
            self.expect_no_block(line);
        }
        Some(())
    }

    pub(super) fn parse_declaration_body(
        &mut self,
        key: &str,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParsedDeclaration {
        Some(match key {
            "words" => self.parse_word_list(at, line),
            "record" => self.parse_record(at, line),
            "field" => self
                .parse_field(at, line)
                .map(|(name, field)| (name, DeclarationKind::Field(field))),
            "data" => self.parse_data_block(at, line),
            "table" => self.parse_printed_table(at, line),
            "marks" => self.parse_marks_declaration(at, line),
            "die" => self.parse_symbol_die(at, line),
            "part" => self.parse_part(at, line),
            "action" => self.parse_action(at, line),
            "example" => self.parse_example_contest(at, line),
            "price" => self.parse_price_name_pairs(at, line),
            "check" | "remark" => {
                let check = self.parse_check_or_remark(at, line, key == "remark");
                check.map(|check| (empty_name_at_line(line), DeclarationKind::Check(check)))
            }
            _ => return None,
        })
    }

    /// Parses `words mood: steady, pinned "keeps its head down"`, or a word on each line below.
    fn parse_word_list(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<(Ident, DeclarationKind)> {
        let name = self.parse_name(at, "the name of the words")?;
        self.expect_token(at, ":")?;
        let mut words = Vec::new();
        if at.is_at_end() {
            self.expect_indented_block(line)?;
            for line in &line.inner {
                self.parse_words_on_line(&mut TokenCursor::from_line(line), line, &mut words);
            }
        } else {
            self.parse_words_on_line(at, line, &mut words);
        }
        Some((name, DeclarationKind::Words(words)))
    }

    /// Parses comma-separated words. Words before a fault are kept.
    fn parse_words_on_line(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
        words: &mut Vec<(Ident, String)>,
    ) {
        loop {
            match self.parse_listed_word_and_label(at) {
                Some(word) => words.push(word),
                None => return self.suppress_names_on_and_below(line),
            }
            if !at.eat(",") {
                break;
            }
        }
        match self.expect_line_end(at) {
            Some(()) => self.expect_no_block(line),
            None => self.suppress_names_on_and_below(line),
        }
    }

    fn parse_record(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<(Ident, DeclarationKind)> {
        let name = self.parse_name(at, "the name of the record")?;
        self.expect_colon_and_block(at, line)?;
        let group = std::mem::take(&mut self.group);
        let (mut items, mut rest) = self.split_off_fields_and_checks(&line.inner);
        while let Some((line, below)) = rest.split_first() {
            let problem = "a record has only `field` and `check` lines";
            self.faults.add_fault_at_span(line.span(), problem, "");
            self.suppress_names_on_and_below(line);
            let (more, left) = self.split_off_fields_and_checks(below);
            items.extend(more);
            rest = left;
        }
        self.group = group;
        Some((name, DeclarationKind::Record(items)))
    }

    /// Parses `:` at the end of the line and requires a block, which is read even if the line is
    /// faulty.
    pub(super) fn expect_colon_and_block(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<()> {
        let opened = self.expect_token(at, ":").and_then(|()| self.expect_line_end(at));
        self.require_block_after_header(opened, line)
    }

    /// Requires a block as [`expect_colon_and_block`](Self::expect_colon_and_block) does, given
    /// whether the line could be parsed.
    pub(super) fn require_block_after_header(
        &mut self,
        opened: ParseResult<()>,
        line: &SourceLine<'t>,
    ) -> ParseResult<()> {
        match opened {
            Some(()) => self.expect_indented_block(line),
            None if line.inner.is_empty() => None,
            None => {
                self.suppress_line_names(line);
                Some(())
            }
        }
    }

    /// Parses the annotations of a line that opens a block.
    fn parse_annotations_and_colon(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<DeclAnnotations> {
        match self.parse_annotations_on_and_below(at, &[]) {
            Some(annotations) => self.expect_colon_and_block(at, line).map(|()| annotations),
            None => {
                self.require_block_after_header(None, line).map(|()| DeclAnnotations::default())
            }
        }
    }

    pub(super) fn expect_indented_block(&mut self, line: &SourceLine<'t>) -> ParseResult<()> {
        if line.inner.is_empty() {
            let help = "indent its lines by four spaces";
            self.faults.add_fault_at_span(
                line.span(),
                "expected an indented block below this line",
                help,
            );
            return None;
        }
        Some(())
    }

    /// Parses the fields and checks at the beginning of some lines. Returns them with the lines
    /// after them.
    fn split_off_fields_and_checks<'l>(
        &mut self,
        lines: &'l [SourceLine<'t>],
    ) -> (Vec<FieldOrCheckLine>, &'l [SourceLine<'t>]) {
        let mut items = Vec::new();
        for (place, line) in lines.iter().enumerate() {
            let mut at = TokenCursor::from_line(line);
            match at.next_token().0 {
                Token::Name("field") => match self.parse_field(&mut at, line) {
                    Some((name, field)) => items.push(FieldOrCheckLine::Field(name, field)),
                    None => self.suppress_names_on_and_below(line),
                },
                Token::Name("group") => {
                    self.group = self.parse_quoted_text(&mut at).unwrap_or_default()
                }
                Token::Name(key @ ("check" | "remark")) if Self::is_check_word_not_a_name(&at) => {
                    items.extend(
                        self.parse_check_or_remark(&mut at, line, key == "remark")
                            .map(FieldOrCheckLine::Check),
                    );
                }
                _ => return (items, &lines[place..]),
            }
        }
        (items, &[])
    }

    /// Returns whether a word that may begin a check does so, and is not a name that is called or
    /// assigned.
    fn is_check_word_not_a_name(at: &TokenCursor<'t>) -> bool {
        let called =
            at.is_next_token_adjacent() && ["(", "[", "."].iter().any(|sign| at.is_next(sign));
        !called && !["=", "+=", "-="].iter().any(|sign| at.is_next(sign))
    }

    /// Parses `check c "…"` and `remark if c "…"`.
    fn parse_check_or_remark(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
        remark: bool,
    ) -> ParseResult<CheckOrRemarkDecl> {
        let when = match !remark || at.eat("if") {
            true => Some(self.parse_expr(at)?),
            false => None,
        };
        let over = self.parse_operand_if_word_next(at, "for", |reader, at| {
            reader.declarations().parse_name_in_list(at)
        })?;
        let mut sentences = Vec::new();
        self.parse_check_sentences(at, &mut sentences)?;
        for below in &line.inner {
            let mut at = TokenCursor::from_line(below);
            self.parse_check_sentences(&mut at, &mut sentences)?;
            self.expect_no_block(below);
        }
        let (mut texts, span) = (sentences.into_iter(), line.span());
        let Some(text) = texts.next() else {
            return self.report_unexpected(at, "a text in quotes");
        };
        Some(CheckOrRemarkDecl {
            when,
            over,
            text,
            help: texts.next().unwrap_or_default(),
            remark,
            span,
        })
    }

    /// Parses texts with values in them at the end of a line; a check has at most two.
    fn parse_check_sentences(
        &mut self,
        at: &mut TokenCursor<'t>,
        sentences: &mut Vec<TextTemplate>,
    ) -> ParseResult<()> {
        while sentences.len() < 2 && matches!(at.peek_token().0, Token::Text(_)) {
            sentences.push(self.rule_lines().parse_text_with_values(at)?);
        }
        self.expect_line_end(at)
    }

    /// Parses `x in xs`.
    fn parse_name_in_list(&mut self, at: &mut TokenCursor<'t>) -> ParseResult<(Ident, Expr)> {
        let name = self.parse_name(at, "the name of one of them")?;
        self.expect_token(at, "in")?;
        Some((name, self.parse_name_or_call(at)?))
    }

    /// Parses `field x: 1..24 = 8 "…" rare (4.2)`.
    fn parse_field(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<(Ident, FieldDecl)> {
        let name = self.parse_name(at, "the name of the field")?;
        // A change may consist of the default alone.
        let kind = match at.eat(":") {
            true => self.parse_field_type(at)?,
            false => TypeExpr::Choice(Vec::new()),
        };
        let default = self.parse_operand_if_word_next(at, "=", |reader, at| {
            reader.declarations().parse_default(at)
        })?;
        let annotations = self.parse_annotations_on_and_below(at, &line.inner)?;
        self.expect_line_end(at)?;
        Some((name, FieldDecl { kind, default, annotations, group: self.group.clone() }))
    }

    fn parse_part(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<(Ident, DeclarationKind)> {
        let name = self.parse_name(at, "the name of the part");
        let head = name.and_then(|name| Some((name, self.rule_lines().parse_part_parameters(at)?)));
        let rule = at.eat_rule_reference().unwrap_or_default().to_owned();
        let is_check = |line: &&SourceLine<'t>| {
            let mut at = TokenCursor::from_line(line);
            matches!(at.next_token().0, Token::Name("check" | "remark"))
                && Self::is_check_word_not_a_name(&at)
        };
        let check_count = line.inner.iter().take_while(is_check).count();
        let shown = line.inner.iter().position(RuleLines::is_report_line);
        let (checks, body, shows) = match (check_count, shown) {
            (0, None) if head.is_some() => match self.rule_lines().parse_colon_and_body(at, line) {
                Some(body) => (Vec::new(), body, Vec::new()),
                None => {
                    self.require_block_after_header(None, line)?;
                    (Vec::new(), self.rule_lines().parse_statements(&line.inner), Vec::new())
                }
            },
            (check_count, shown) => {
                match head {
                    Some(_) => self.expect_colon_and_block(at, line)?,
                    None => self.require_block_after_header(None, line)?,
                }
                let (rule, shows) = line.inner.split_at(shown.unwrap_or(line.inner.len()));
                let (checks, rule) = rule.split_at(check_count);
                let checks = self.split_off_fields_and_checks(checks).0.into_iter();
                let checks = checks.filter_map(|item| match item {
                    FieldOrCheckLine::Check(check) => Some(check),
                    FieldOrCheckLine::Field(..) => None,
                });
                (
                    checks.collect(),
                    self.rule_lines().parse_statements(rule),
                    self.rule_lines().parse_reports(shows),
                )
            }
        };
        let (name, params) = head?;
        Some((name, DeclarationKind::Part(PartDecl { params, rule, checks, body, shows })))
    }

    /// Parses `action fire "one volley" (A7):` with its fields, rule and report.
    fn parse_action(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<(Ident, DeclarationKind)> {
        let name = self.parse_name(at, "the name of the action");
        let named = name.as_ref().and_then(|_| {
            self.parse_operand_if_word_next(at, "named", RulebookFileParser::parse_quoted_text)
        });
        let annotations = match named {
            Some(_) => self.parse_annotations_and_colon(at, line)?,
            None => {
                self.require_block_after_header(None, line).map(|()| DeclAnnotations::default())?
            }
        };
        let mut about = Vec::new();
        let entries = line.inner.iter().take_while(|line| Self::is_keyword_with_text(line));
        let (entries, lines) = line.inner.split_at(entries.count());
        for line in entries {
            about.extend(self.parse_keyword_with_text(&mut TokenCursor::from_line(line), line));
        }
        let group = self.group.clone();
        let (items, lines) = self.split_off_fields_and_checks(lines);
        self.group = group;
        let shown = lines.iter().position(RuleLines::is_report_line).unwrap_or(lines.len());
        let (rule, shows) = lines.split_at(shown);
        let (body, shows) =
            (self.rule_lines().parse_statements(rule), self.rule_lines().parse_reports(shows));
        let named = named.flatten();
        let action = ActionDecl { annotations, result_name: named, about, items, body, shows };
        Some((name?, DeclarationKind::Action(action)))
    }

    /// Parses `example fire "…":` and its lines of TOML, which are stored unchanged.
    fn parse_example_contest(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<(Ident, DeclarationKind)> {
        let name = self.parse_name(at, "the action")?;
        let annotations = self.parse_annotations_and_colon(at, line)?;
        Some((name, DeclarationKind::Example(annotations, verbatim_lines(&line.inner))))
    }

    fn parse_price_name_pairs(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<(Ident, DeclarationKind)> {
        self.expect_colon_and_block(at, line)?;
        Some((
            empty_name_at_line(line),
            DeclarationKind::Price(self.parse_pattern_name_lines(
                line,
                "a key, and the one name that it means: `losses lost`",
            )),
        ))
    }
}

fn empty_name_at_line(line: &SourceLine) -> Ident {
    Ident::new("", line.span())
}

/// Returns lines unchanged, each followed by its block.
fn verbatim_lines(lines: &[SourceLine]) -> Vec<Ident> {
    let mut found = Vec::new();
    for line in lines {
        found.push(Ident::new(line.text, line.span()));
        found.extend(verbatim_lines(&line.inner));
    }
    found
}

/// Returns a hint for a line that begins with `key` and declares nothing.
fn hint_for_unknown_keyword(key: &str, at: &TokenCursor<'_>, line: &SourceLine<'_>) -> String {
    // In `weapons:` with lines below it, the word is a name and not a keyword.
    if at.is_next(":") && !line.inner.is_empty() {
        return format!(
            "`data {key}:` has rows of things below it, `table {key}:` numbers to look up, \
             `action {key}:` a rule"
        );
    }
    match name_matching::find_nearest_name(key, DECLARATION_KEYWORDS) {
        Some(near) => format!("did you mean `{near}`?"),
        None => hint_for_foreign_word(key).to_owned(),
    }
}
