//! Traced runs: turns trace marks into sentences, one for each line, with the rule that the line
//! belongs to.

mod bag_diff;
mod source_text;

use crate::diagnostics::Span;
use crate::resolve::game::Game;
use crate::source_map::{find_line, find_source, local_span};
use crate::trace::bag_diff::BagDiff;
use crate::trace::source_text::code_as_prose;
use crate::value_types::ValueType;
use crate::vm::code::{Program, Registers};
use crate::vm::machine::{Exit, Interpreter};
use crate::vm::trace_marks::{ComparedOperands, TextPiece, TraceEvent, TraceMark};
use enfilade_model::combat::{
    Decision, DecisionRecord, Ending, Explanation, FieldChange, GuidedDice,
};
use enfilade_model::dice::{Dice, RecordingDice, Roll};

impl TextPiece {
    /// Renders a piece with the current registers.
    fn render(&self, game: &Game, regs: &Registers) -> String {
        match self {
            TextPiece::Text(text) => text.clone(),
            TextPiece::Value(reg, kind) => game.format_value(*kind, regs[usize::from(*reg)]),
            TextPiece::One(reg, all) => {
                let place = usize::try_from(regs[usize::from(*reg)]).ok();
                place.and_then(|place| all.get(place)).cloned().unwrap_or_default()
            }
        }
    }
}

/// Data of a trace beside the program.
pub struct TraceContext<'a> {
    /// Resolved declarations.
    pub game: &'a Game,
    /// Interpreter with the policy of the decisions.
    pub policy: &'a Interpreter,
    /// Declarations of the decisions.
    pub decisions: &'a [Decision],
}

impl Interpreter {
    /// Plays one trial and explains it: consecutive dice of one line share one explanation.
    pub fn play_traced(
        &self,
        tales: &TraceContext,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
        left: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending> {
        let mut dice = RecordingDice::new(dice);
        let mut regs = [0; 256];
        let mut tale = Trace::new(tales, &self.program);
        let mut stop =
            self.run_traced(&mut regs, 0, &mut dice, &mut |mark, regs| tale.record(mark, regs));
        loop {
            let site = match stop {
                Exit::Suspend(site) => site,
                Exit::End | Exit::Halt | Exit::Merge(_) | Exit::Memo(_) => break,
                Exit::Failed(broken) => return Some(self.record_failure(broken)),
            };
            let span = self.program.sites[usize::from(site)].span.clone();
            if tale.starts_new_line(&span, self.is_decision(site))
                && !tale.finish_line(&regs, listen)
            {
                return None;
            }
            tale.open_line(&span);
            stop = match self.is_decision(site) {
                true => self.trace_decision(&mut tale, &mut regs, site, &mut dice)?,
                false => {
                    let told = &mut |mark: u16, regs: &Registers| tale.record(mark, regs);
                    self.roll_and_trace(&mut regs, site, &mut dice, told)
                }
            };
            tale.add_rolls(dice.drain_rolls());
        }
        if !tale.finish_line(&regs, listen) {
            return None;
        }
        Some(self.ending_with_carried(&mut regs, left))
    }
}

impl Interpreter {
    /// Continues from a decision with the best option, and adds the decision to the trace.
    fn trace_decision(
        &self,
        tale: &mut Trace,
        regs: &mut Registers,
        site: u16,
        dice: &mut dyn Dice,
    ) -> Option<Exit> {
        let mut guided = GuidedDice::new(dice);
        guided.start_step(tale.context.policy.policy_at(regs, site));
        let told = &mut |mark: u16, regs: &Registers| tale.record(mark, regs);
        let next = self.roll_and_trace(regs, site, &mut guided, told);
        self.check_policy(&guided)?;
        tale.add_decisions(guided.describe_decisions(tale.context.decisions));
        Some(next)
    }
}

/// Trace of the current line: its dice and their consequences.
pub struct Trace<'a> {
    context: &'a TraceContext<'a>,
    program: &'a Program,
    rolls: Vec<Roll>,
    span: Option<Span>,
    texts: Vec<String>,
    /// Last failed test, until another one passes.
    failed_test: Option<String>,
    has_note: bool,
    decisions: Vec<DecisionRecord>,
    /// Whether a die was rolled; before that only notes are recorded.
    has_rolled: bool,
    bag_diff: BagDiff<'a>,
}

impl<'a> Trace<'a> {
    /// Creates a trace before the first die.
    pub fn new(tales: &'a TraceContext<'a>, program: &'a Program) -> Trace<'a> {
        Trace {
            context: tales,
            program,
            rolls: Vec::new(),
            span: None,
            texts: Vec::new(),
            failed_test: None,
            has_note: false,
            decisions: Vec::new(),
            has_rolled: false,
            bag_diff: BagDiff::new(tales.game, program),
        }
    }

    /// Returns whether a die at this place begins another explanation.
    pub fn starts_new_line(&self, span: &Span, decides: bool) -> bool {
        let same = self.span.as_ref().is_some_and(|at| self.locate(at) == self.locate(span));
        let told = !self.texts.is_empty() || self.failed_test.is_some();
        self.span.is_some() && (decides || !same || told)
    }

    /// Begins the explanation of a line.
    pub fn open_line(&mut self, span: &Span) {
        self.has_rolled = true;
        self.span.get_or_insert_with(|| span.clone());
    }

    /// Adds rolls.
    pub fn add_rolls(&mut self, rolls: Vec<Roll>) {
        self.rolls.extend(rolls);
    }

    /// Adds decisions.
    pub fn add_decisions(&mut self, decided: Vec<DecisionRecord>) {
        self.decisions.extend(decided);
    }

    /// Records a trace mark that the rule has reached.
    pub fn record(&mut self, mark: u16, regs: &Registers) {
        let TraceMark { span, event: what } = &self.program.marks[usize::from(mark)];
        match what {
            TraceEvent::BagCreated(bag) => self.bag_diff.track_bag(*bag, regs),
            TraceEvent::Note(pieces) => self.set_note(pieces, regs),
            _ if !self.has_rolled => {}
            TraceEvent::Set(reg, kind) => {
                let value = self.context.game.format_value(*kind, regs[usize::from(*reg)]);
                let name = self.source_text(span).split(['=', '+', '-']).next();
                self.push_text(format!(
                    "{} = {value}",
                    code_as_prose(name.unwrap_or_default().trim())
                ));
            }
            TraceEvent::SetPlace([(at, of), (reg, kind)]) => {
                let place = self.context.game.format_value(*of, regs[usize::from(*at)]);
                let value = self.context.game.format_value(*kind, regs[usize::from(*reg)]);
                let place = describe_place(self.source_text(span), *of, &place);
                self.push_text(format!("{place} = {value}"));
            }
            TraceEvent::Test(holds, sides) => {
                let source = code_as_prose(self.source_with_brackets(span));
                let sides = sides.as_ref();
                let sides =
                    sides.map_or(String::new(), |sides| self.format_comparison(sides, regs));
                match holds {
                    true => self.push_text(format!("{source}{sides}: yes")),
                    false => self.failed_test = Some(format!("{source}{sides}: no")),
                }
            }
            TraceEvent::Cell(word, number) => self.record_cell(span, word, number.as_ref(), regs),
        }
    }

    /// Records a printed cell, or a picked item: its word, and its number unless that is 0.
    fn record_cell(
        &mut self,
        span: &Span,
        word: &TextPiece,
        number: Option<&TextPiece>,
        regs: &Registers,
    ) {
        let told = |piece: &TextPiece| piece.render(self.context.game, regs);
        let number = number.map(told).filter(|number| number != "0");
        let number = number.map_or(String::new(), |number| format!(" {number}"));
        let word = told(word);
        if !word.is_empty() {
            self.push_text(format!(
                "{}: {word}{number}",
                code_as_prose(self.source_with_brackets(span))
            ));
        }
    }

    /// Formats a comparison: `: 10 > 7`.
    fn format_comparison(&self, sides: &ComparedOperands, regs: &Registers) -> String {
        let told = |piece: &TextPiece| piece.render(self.context.game, regs);
        // Brackets around an operand are included.
        let sign = self.source_text(&sides.sign);
        let sign = sign.trim_matches(|c: char| "() ".contains(c));
        format!(": {} {} {}", told(&sides.left), code_as_prose(sign), told(&sides.right))
    }

    /// Records a note of the author, which replaces all other texts of its line.
    fn set_note(&mut self, pieces: &[TextPiece], regs: &Registers) {
        let said = pieces.iter().map(|piece| piece.render(self.context.game, regs));
        let said = said.collect();
        if !self.has_note {
            self.texts.clear();
            self.failed_test = None;
        }
        self.has_note = true;
        self.texts.push(said);
    }

    /// Adds a text, and drops a failed test before it, which no longer matters.
    fn push_text(&mut self, said: String) {
        self.failed_test = None;
        if !self.has_note {
            self.texts.push(said);
        }
    }

    /// Passes the explanation on. Returns whether to continue.
    pub fn finish_line(
        &mut self,
        regs: &Registers,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
    ) -> bool {
        let Some(at) = self.span.take() else {
            self.texts.clear();
            return true;
        };
        let text = self.line_text(&at, regs);
        let mut telling = Explanation::new(self.rule_reference(&at), text);
        telling.decided = std::mem::take(&mut self.decisions);
        self.texts.clear();
        self.has_note = false;
        let rolls = std::mem::take(&mut self.rolls);
        listen(&rolls, telling)
    }

    /// Returns the text of a line, with the changes of bags.
    fn line_text(&mut self, at: &Span, regs: &Registers) -> String {
        // A note replaces all other texts of its line.
        self.texts.extend(self.failed_test.take().filter(|_| !self.has_note));
        let text = match self.texts.is_empty() {
            true => self.line_as_prose(at),
            false => self.texts.join(if self.has_note { " " } else { "; " }),
        };
        self.bag_diff.describe_changed_bags(regs).into_iter().fold(text, |text, left| {
            let stop = if text.ends_with('.') { "" } else { "." };
            format!("{text}{stop} {left}.")
        })
    }

    /// Returns the offset of a place's file, and the line in the file.
    fn locate(&self, span: &Span) -> (usize, usize) {
        let place = find_line(&self.context.game.sources, span);
        place.map_or((0, 1), |(source, line)| (source.start, line))
    }

    /// Returns the source text of a place.
    fn source_text(&self, span: &Span) -> &'a str {
        let sources = &self.context.game.sources;
        let source = &sources[find_source(sources, span)];
        source.text.get(local_span(source, span)).unwrap_or_default()
    }

    /// Returns the source text of a place, extended to complete its brackets.
    fn source_with_brackets(&self, span: &Span) -> &'a str {
        let sources = &self.context.game.sources;
        let source = &sources[find_source(sources, span)];
        let mut within = local_span(source, span);
        let (mut open, mut shut) = (0, 0);
        for sign in source.text.get(within.clone()).unwrap_or_default().chars() {
            match sign {
                '(' => open += 1,
                ')' if open > 0 => open -= 1,
                ')' => shut += 1,
                _ => {}
            }
        }
        let text = &source.text;
        let bracket = |sign| move |(_, found): &(usize, char)| *found == sign;
        for _ in 0..open {
            let behind = text.get(within.end..).unwrap_or_default();
            let found = behind.char_indices().take_while(|(_, c)| *c != '\n').find(bracket(')'));
            within.end += found.map_or(0, |(at, _)| at + 1);
        }
        for _ in 0..shut {
            let before = text.get(..within.start).unwrap_or_default();
            let line = before.char_indices().rev().take_while(|(_, c)| *c != '\n');
            within.start = line.into_iter().find(bracket('(')).map_or(within.start, |(at, _)| at);
        }
        text.get(within).unwrap_or_default()
    }

    /// Returns a line without its comment, for a line without any other text.
    fn line_as_prose(&self, span: &Span) -> String {
        let line = find_line(&self.context.game.sources, span);
        let line = line.and_then(|(source, line)| source.text.lines().nth(line - 1));
        let line = line.and_then(|line| line.split("--").next()).unwrap_or_default().trim();
        code_as_prose(line.trim_end_matches(':'))
    }

    /// Returns the rule reference of the part or action that a line belongs to, with the line.
    fn rule_reference(&self, span: &Span) -> String {
        let game = self.context.game;
        let parts = game.parts.iter().map(|(name, part)| (name, &part.rule));
        let actions =
            game.actions.iter().map(|action| (&action.name, &action.rule.annotations.rule));
        let around = parts.chain(actions).filter(|(name, _)| name.span.start <= span.start);
        let rule = around.max_by_key(|(name, _)| name.span.start).map(|(_, rule)| rule.as_str());
        let line = self.locate(span).1;
        match rule {
            Some(rule) if !rule.is_empty() => format!("{rule}, line {line}"),
            _ => format!("line {line}"),
        }
    }
}

/// Returns a place of a list as an explanation names it: `hand[red]`, `hand[2]`, or `hand[card 3]`
/// where the line has a name in the brackets.
fn describe_place(source: &str, kind: ValueType, place: &str) -> String {
    let (list, rest) = source.split_once('[').unwrap_or((source, ""));
    let mut depth = 1;
    let end = rest.find(|sign| {
        depth += i32::from(sign == '[') - i32::from(sign == ']');
        depth == 0
    });
    let within = code_as_prose(rest[..end.unwrap_or(rest.len())].trim());
    let is_name = within.starts_with(char::is_alphabetic)
        && within.chars().all(|sign| sign.is_alphanumeric() || sign == ' ');
    let is_plain = matches!(kind, ValueType::Word(_)) || !is_name;
    let shown = if is_plain { place.to_owned() } else { format!("{within} {place}") };
    format!("{}[{shown}]", code_as_prose(list.trim()))
}
