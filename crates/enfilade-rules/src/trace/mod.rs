//! Traced runs: turns trace marks into sentences, one for each line, with the rule that the line
//! belongs to.

mod bag_diff;
mod source_text;
mod unchanged_rounds;

use crate::diagnostics::Span;
use crate::resolve::game::ResolvedRulebook;
use crate::source_map::{file_and_line_of_span, source_index_of_span, span_in_file, text_of_span};
use crate::trace::bag_diff::TracedBags;
use crate::trace::source_text::source_as_prose;
use crate::trace::unchanged_rounds::ExplanationsAwaitingChange;
use crate::value_types::ScalarType;
use crate::vm::code::{Program, Registers};
use crate::vm::machine::Interpreter;
use crate::vm::stop_reason::StopReason;
use crate::vm::trace_marks::{
    ComparisonOperandTexts, TextOrRegisterValue, TraceEvent, TraceEventInCode,
};
use enfilade_model::combat::{
    CombatStepExplanation, Decision, DiceAnsweringDecisions, Ending, ExplainedDecision, FieldChange,
};
use enfilade_model::dice::{Dice, RecordingDice, RolledDie};

impl TextOrRegisterValue {
    /// Renders a piece with the current registers.
    fn render_with_registers(&self, game: &ResolvedRulebook, regs: &Registers) -> String {
        match self {
            TextOrRegisterValue::Text(text) => text.clone(),
            TextOrRegisterValue::Value(reg, kind) => {
                game.value_for_people(*kind, regs[usize::from(*reg)])
            }
            TextOrRegisterValue::One(reg, all) => {
                let place = usize::try_from(regs[usize::from(*reg)]).ok();
                place.and_then(|place| all.get(place)).cloned().unwrap_or_default()
            }
        }
    }
}

/// Data of a trace beside the program.
pub struct TraceContext<'a> {
    /// Resolved declarations.
    pub game: &'a ResolvedRulebook,
    /// Interpreter with the policy of the decisions.
    pub policy: &'a Interpreter,
    /// Declarations of the decisions.
    pub decisions: &'a [Decision],
}

impl Interpreter {
    /// Plays one trial and explains it: consecutive dice of one line share one explanation, and
    /// rounds of a loop in which nothing changes are counted after the first.
    pub fn play_and_explain_steps(
        &self,
        tales: &TraceContext,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[RolledDie], CombatStepExplanation) -> bool,
        left: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending> {
        let mut dice = RecordingDice::new(dice);
        let mut regs = [0; 256];
        let mut tale = LineTrace::new(tales, &self.program);
        let mut rounds = ExplanationsAwaitingChange::default();
        let mut stop = self.run_to_next_die_traced(&mut regs, 0, &mut dice, &mut |mark, regs| {
            tale.record_trace_mark(mark, regs)
        });
        loop {
            let site = match stop {
                StopReason::Suspend(site) => site,
                StopReason::End | StopReason::Halt | StopReason::Merge(_) | StopReason::Memo(_) => {
                    break;
                }
                StopReason::Failed(broken) => return Some(self.record_failure(broken)),
            };
            let span = self.program.sites[usize::from(site)].span.clone();
            let is_new = tale.starts_new_explanation(&span, self.is_decision_point(site));
            if is_new {
                tale.queue_finished_explanation(&regs, &mut rounds);
            }
            if is_new || tale.span.is_none() {
                if let Ok(state) = self.save_snapshot(&regs, site) {
                    rounds.collapse_round_if_unchanged(
                        site,
                        state,
                        &tale.rule_reference_with_line(&span),
                    );
                }
                if !rounds.pass_on_explanations_if_full(listen) {
                    return None;
                }
            }
            tale.open_explanation(&span);
            stop = match self.is_decision_point(site) {
                true => self.continue_solved_decision(&mut tale, &mut regs, site, &mut dice)?,
                false => {
                    let record =
                        &mut |mark: u16, regs: &Registers| tale.record_trace_mark(mark, regs);
                    self.roll_and_run_traced(&mut regs, site, &mut dice, record)
                }
            };
            tale.add_rolls(dice.drain_rolled_dice());
        }
        tale.queue_finished_explanation(&regs, &mut rounds);
        if !rounds.pass_on_explanations(listen) {
            return None;
        }
        Some(self.build_ending_and_carried(&mut regs, left))
    }
}

impl Interpreter {
    /// Continues from a decision with the best option, and adds the decision to the trace.
    fn continue_solved_decision(
        &self,
        tale: &mut LineTrace,
        regs: &mut Registers,
        site: u16,
        dice: &mut dyn Dice,
    ) -> Option<StopReason> {
        let mut guided = DiceAnsweringDecisions::new(dice);
        guided.start_step_with_options(tale.context.policy.best_option_at(regs, site));
        let record = &mut |mark: u16, regs: &Registers| tale.record_trace_mark(mark, regs);
        let next = self.roll_and_run_traced(regs, site, &mut guided, record);
        self.note_unsolved_decision(&guided)?;
        tale.add_decisions(guided.explain_step_decisions(tale.context.decisions));
        Some(next)
    }
}

/// Trace of the current line: its dice and their consequences.
pub struct LineTrace<'a> {
    context: &'a TraceContext<'a>,
    program: &'a Program,
    rolls: Vec<RolledDie>,
    span: Option<Span>,
    texts: Vec<String>,
    /// Last failed test, until another one passes.
    failed_test: Option<String>,
    has_note: bool,
    decisions: Vec<ExplainedDecision>,
    /// Whether a die was rolled; before that only notes are recorded.
    has_rolled: bool,
    bag_diff: TracedBags<'a>,
}

impl<'a> LineTrace<'a> {
    /// Creates a trace before the first die.
    pub fn new(tales: &'a TraceContext<'a>, program: &'a Program) -> LineTrace<'a> {
        LineTrace {
            context: tales,
            program,
            rolls: Vec::new(),
            span: None,
            texts: Vec::new(),
            failed_test: None,
            has_note: false,
            decisions: Vec::new(),
            has_rolled: false,
            bag_diff: TracedBags::new(tales.game, program),
        }
    }

    /// Returns whether a die at this place begins another explanation.
    pub fn starts_new_explanation(&self, span: &Span, decides: bool) -> bool {
        let same = self
            .span
            .as_ref()
            .is_some_and(|at| self.file_start_and_line(at) == self.file_start_and_line(span));
        let has_text = !self.texts.is_empty() || self.failed_test.is_some();
        self.span.is_some() && (decides || !same || has_text)
    }

    /// Begins the explanation of a line.
    pub fn open_explanation(&mut self, span: &Span) {
        self.has_rolled = true;
        self.span.get_or_insert_with(|| span.clone());
    }

    /// Adds rolls.
    pub fn add_rolls(&mut self, rolls: Vec<RolledDie>) {
        self.rolls.extend(rolls);
    }

    /// Adds decisions.
    pub fn add_decisions(&mut self, decided: Vec<ExplainedDecision>) {
        self.decisions.extend(decided);
    }

    /// Records a trace mark that the rule has reached.
    pub fn record_trace_mark(&mut self, mark: u16, regs: &Registers) {
        let TraceEventInCode { span, event: what } = &self.program.marks[usize::from(mark)];
        match what {
            TraceEvent::BagCreated(bag) => self.bag_diff.record_new_bag(*bag, regs),
            TraceEvent::Note(pieces) => self.add_note_hiding_other_texts(pieces, regs),
            _ if !self.has_rolled => {}
            TraceEvent::Set(reg, kind) => {
                let value = self.context.game.value_for_people(*kind, regs[usize::from(*reg)]);
                let name = self.source_text_of_span(span).split(['=', '+', '-']).next();
                self.push_text_dropping_failed_test(format!(
                    "{} = {value}",
                    source_as_prose(name.unwrap_or_default().trim())
                ));
            }
            TraceEvent::SetPlace([(at, of), (reg, kind)]) => {
                let place = self.context.game.value_for_people(*of, regs[usize::from(*at)]);
                let value = self.context.game.value_for_people(*kind, regs[usize::from(*reg)]);
                let place = format_list_with_index(self.source_text_of_span(span), *of, &place);
                self.push_text_dropping_failed_test(format!("{place} = {value}"));
            }
            TraceEvent::Test(holds, sides) => {
                let source = source_as_prose(self.source_with_balanced_brackets(span));
                let sides = sides.as_ref();
                let sides =
                    sides.map_or(String::new(), |sides| self.format_comparison(sides, regs));
                match holds {
                    true => self.push_text_dropping_failed_test(format!("{source}{sides}: yes")),
                    false => self.failed_test = Some(format!("{source}{sides}: no")),
                }
            }
            TraceEvent::Cell(word, number) => {
                self.record_cell_or_pick(span, word, number.as_ref(), regs)
            }
        }
    }

    /// Records a printed cell, or a picked item: its word, and its number unless that is 0.
    fn record_cell_or_pick(
        &mut self,
        span: &Span,
        word: &TextOrRegisterValue,
        number: Option<&TextOrRegisterValue>,
        regs: &Registers,
    ) {
        let render =
            |piece: &TextOrRegisterValue| piece.render_with_registers(self.context.game, regs);
        let number = number.map(render).filter(|number| number != "0");
        let number = number.map_or(String::new(), |number| format!(" {number}"));
        let word = render(word);
        if !word.is_empty() {
            self.push_text_dropping_failed_test(format!(
                "{}: {word}{number}",
                source_as_prose(self.source_with_balanced_brackets(span))
            ));
        }
    }

    /// Formats a comparison: `: 10 > 7`.
    fn format_comparison(&self, sides: &ComparisonOperandTexts, regs: &Registers) -> String {
        let render =
            |piece: &TextOrRegisterValue| piece.render_with_registers(self.context.game, regs);
        // Brackets around an operand are included.
        let sign = self.source_text_of_span(&sides.sign);
        let sign = sign.trim_matches(|c: char| "() ".contains(c));
        format!(": {} {} {}", render(&sides.left), source_as_prose(sign), render(&sides.right))
    }

    /// Records a note of the author, which replaces all other texts of its line.
    fn add_note_hiding_other_texts(&mut self, pieces: &[TextOrRegisterValue], regs: &Registers) {
        let texts = pieces.iter().map(|piece| piece.render_with_registers(self.context.game, regs));
        let texts = texts.collect();
        if !self.has_note {
            self.texts.clear();
            self.failed_test = None;
        }
        self.has_note = true;
        self.texts.push(texts);
    }

    /// Adds a text, and drops a failed test before it, which no longer matters.
    fn push_text_dropping_failed_test(&mut self, text: String) {
        self.failed_test = None;
        if !self.has_note {
            self.texts.push(text);
        }
    }

    /// Adds the explanation to those that wait.
    pub fn queue_finished_explanation(
        &mut self,
        regs: &Registers,
        rounds: &mut ExplanationsAwaitingChange,
    ) {
        let Some(at) = self.span.take() else {
            return self.texts.clear();
        };
        let text = self.text_with_bag_changes(&at, regs);
        let mut telling = CombatStepExplanation::new(self.rule_reference_with_line(&at), text);
        telling.decided = std::mem::take(&mut self.decisions);
        self.texts.clear();
        self.has_note = false;
        rounds.push_explanation(&std::mem::take(&mut self.rolls), telling);
    }

    /// Returns the text of a line, with the changes of bags.
    fn text_with_bag_changes(&mut self, at: &Span, regs: &Registers) -> String {
        // A note replaces all other texts of its line.
        self.texts.extend(self.failed_test.take().filter(|_| !self.has_note));
        let text = match self.texts.is_empty() {
            true => self.line_without_comment(at),
            false => self.texts.join(if self.has_note { " " } else { "; " }),
        };
        self.bag_diff.describe_changed_bags(regs).into_iter().fold(text, |text, left| {
            let stop = if text.ends_with('.') { "" } else { "." };
            format!("{text}{stop} {left}.")
        })
    }

    /// Returns the offset of a place's file, and the line in the file.
    fn file_start_and_line(&self, span: &Span) -> (usize, usize) {
        let place = file_and_line_of_span(&self.context.game.sources, span);
        place.map_or((0, 1), |(source, line)| (source.start, line))
    }

    /// Returns the source text of a place.
    fn source_text_of_span(&self, span: &Span) -> &'a str {
        text_of_span(&self.context.game.sources, span)
    }

    /// Returns the source text of a place, extended to complete its brackets.
    fn source_with_balanced_brackets(&self, span: &Span) -> &'a str {
        let sources = &self.context.game.sources;
        let source = &sources[source_index_of_span(sources, span)];
        let mut within = span_in_file(source, span);
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
            let brackets = behind.char_indices().take_while(|(_, c)| *c != '\n').find(bracket(')'));
            within.end += brackets.map_or(0, |(at, _)| at + 1);
        }
        for _ in 0..shut {
            let before = text.get(..within.start).unwrap_or_default();
            let line = before.char_indices().rev().take_while(|(_, c)| *c != '\n');
            within.start = line.into_iter().find(bracket('(')).map_or(within.start, |(at, _)| at);
        }
        text.get(within).unwrap_or_default()
    }

    /// Returns a line without its comment, for a line without any other text.
    fn line_without_comment(&self, span: &Span) -> String {
        let line = file_and_line_of_span(&self.context.game.sources, span);
        let line = line.and_then(|(source, line)| source.text.lines().nth(line - 1));
        let line = line.and_then(|line| line.split("--").next()).unwrap_or_default().trim();
        source_as_prose(line.trim_end_matches(':'))
    }

    /// Returns the rule reference of the part or action that a line belongs to, with the line.
    fn rule_reference_with_line(&self, span: &Span) -> String {
        let game = self.context.game;
        let parts = game.parts.iter().map(|(name, part)| (name, &part.rule));
        let actions =
            game.actions.iter().map(|action| (&action.name, &action.rule.annotations.rule));
        let around = parts.chain(actions).filter(|(name, _)| name.span.start <= span.start);
        let rule = around.max_by_key(|(name, _)| name.span.start).map(|(_, rule)| rule.as_str());
        let line = self.file_start_and_line(span).1;
        match rule {
            Some(rule) if !rule.is_empty() => format!("{rule}, line {line}"),
            _ => format!("line {line}"),
        }
    }
}

/// Returns a place of a list as an explanation names it: `hand[red]`, `hand[2]`, or `hand[card 3]`
/// where the line has a name in the brackets.
fn format_list_with_index(source: &str, kind: ScalarType, place: &str) -> String {
    let (list, rest) = source.split_once('[').unwrap_or((source, ""));
    let mut depth = 1;
    let end = rest.find(|sign| {
        depth += i32::from(sign == '[') - i32::from(sign == ']');
        depth == 0
    });
    let within = source_as_prose(rest[..end.unwrap_or(rest.len())].trim());
    let is_name = within.starts_with(char::is_alphabetic)
        && within.chars().all(|sign| sign.is_alphanumeric() || sign == ' ');
    let is_plain = matches!(kind, ScalarType::Word(_)) || !is_name;
    let shown = if is_plain { place.to_owned() } else { format!("{within} {place}") };
    format!("{}[{shown}]", source_as_prose(list.trim()))
}
