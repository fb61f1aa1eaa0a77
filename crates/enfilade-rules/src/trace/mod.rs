//! Traced runs: turns trace marks into sentences, one for each line, with the rule that the line
//! belongs to.

mod bag_diff;
mod source_text;

use crate::diagnostics::Span;
use crate::resolve::game::Game;
use crate::source_map::{line_of, source_of, within};
use crate::trace::bag_diff::Left;
use crate::trace::source_text::spoken;
use crate::vm::code::{Program, Registers};
use crate::vm::machine::{Machine, Stop};
use crate::vm::trace_marks::{Mark, Piece, Said, Sides};
use enfilade_model::combat::{Decided, Decision, Ending, Explanation, Guided, Later};
use enfilade_model::dice::{Dice, Remembered, Roll};

impl Piece {
    /// Renders a piece with the current registers.
    fn told(&self, game: &Game, regs: &Registers) -> String {
        match self {
            Piece::Text(text) => text.clone(),
            Piece::Value(reg, kind) => game.shown(*kind, regs[usize::from(*reg)]),
            Piece::One(reg, all) => {
                let place = usize::try_from(regs[usize::from(*reg)]).ok();
                place.and_then(|place| all.get(place)).cloned().unwrap_or_default()
            }
        }
    }
}

/// Data of a trace beside the program.
pub struct Tales<'a> {
    /// Resolved declarations.
    pub game: &'a Game,
    /// Interpreter with the policy of the decisions.
    pub policy: &'a Machine,
    /// Declarations of the decisions.
    pub decisions: &'a [Decision],
}

impl Machine {
    /// Plays one trial and explains it: consecutive dice of one line share one explanation.
    pub fn narrate(
        &self,
        tales: &Tales,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
        left: Option<&mut Vec<Later>>,
    ) -> Option<Ending> {
        let mut dice = Remembered::new(dice);
        let mut regs = [0; 256];
        let mut tale = Tale::new(tales, &self.program);
        let mut stop =
            self.run_told(&mut regs, 0, &mut dice, &mut |mark, regs| tale.hear(mark, regs));
        loop {
            let site = match stop {
                Stop::Site(site) => site,
                Stop::End | Stop::Halt | Stop::Way(_) | Stop::Rest(_) => break,
                Stop::Wrong(broken) => return Some(self.lost(broken)),
            };
            let span = self.program.sites[usize::from(site)].span.clone();
            if tale.turns_to(&span, self.decides(site)) && !tale.close(&regs, listen) {
                return None;
            }
            tale.open(&span);
            stop = match self.decides(site) {
                true => self.decided_told(&mut tale, &mut regs, site, &mut dice)?,
                false => {
                    let told = &mut |mark: u16, regs: &Registers| tale.hear(mark, regs);
                    self.answer_told(&mut regs, site, &mut dice, told)
                }
            };
            tale.rolled(dice.take());
        }
        if !tale.close(&regs, listen) {
            return None;
        }
        Some(self.ended(&mut regs, left))
    }
}

impl Machine {
    /// Continues from a decision with the best option, and adds the decision to the trace.
    fn decided_told(
        &self,
        tale: &mut Tale,
        regs: &mut Registers,
        site: u16,
        dice: &mut dyn Dice,
    ) -> Option<Stop> {
        let mut guided = Guided::new(dice);
        guided.begin(tale.tales.policy.decided(regs, site));
        let told = &mut |mark: u16, regs: &Registers| tale.hear(mark, regs);
        let next = self.answer_told(regs, site, &mut guided, told);
        self.unless_astray(&guided)?;
        tale.decided(guided.told(tale.tales.decisions));
        Some(next)
    }
}

/// Trace of the current line: its dice and their consequences.
pub struct Tale<'a> {
    tales: &'a Tales<'a>,
    program: &'a Program,
    rolls: Vec<Roll>,
    at: Option<Span>,
    said: Vec<String>,
    /// Last failed test, until another one passes.
    failed: Option<String>,
    noted: bool,
    decided: Vec<Decided>,
    /// Whether a die was rolled; before that only notes are recorded.
    begun: bool,
    left: Left<'a>,
}

impl<'a> Tale<'a> {
    /// Creates a trace before the first die.
    pub fn new(tales: &'a Tales<'a>, program: &'a Program) -> Tale<'a> {
        Tale {
            tales,
            program,
            rolls: Vec::new(),
            at: None,
            said: Vec::new(),
            failed: None,
            noted: false,
            decided: Vec::new(),
            begun: false,
            left: Left::of(tales.game, program),
        }
    }

    /// Returns whether a die at this place begins another explanation.
    pub fn turns_to(&self, span: &Span, decides: bool) -> bool {
        let same = self.at.as_ref().is_some_and(|at| self.place(at) == self.place(span));
        let told = !self.said.is_empty() || self.failed.is_some();
        self.at.is_some() && (decides || !same || told)
    }

    /// Begins the explanation of a line.
    pub fn open(&mut self, span: &Span) {
        self.begun = true;
        self.at.get_or_insert_with(|| span.clone());
    }

    /// Adds rolls.
    pub fn rolled(&mut self, rolls: Vec<Roll>) {
        self.rolls.extend(rolls);
    }

    /// Adds decisions.
    pub fn decided(&mut self, decided: Vec<Decided>) {
        self.decided.extend(decided);
    }

    /// Records a trace mark that the rule has reached.
    pub fn hear(&mut self, mark: u16, regs: &Registers) {
        let Mark { span, what } = &self.program.marks[usize::from(mark)];
        match what {
            Said::Made(bag) => self.left.made(*bag, regs),
            Said::Note(pieces) => self.note(pieces, regs),
            _ if !self.begun => {}
            Said::Set(reg, kind) => {
                let value = self.tales.game.shown(*kind, regs[usize::from(*reg)]);
                let name = self.source(span).split(['=', '+', '-']).next();
                self.say(format!("{} = {value}", spoken(name.unwrap_or_default().trim())));
            }
            Said::Test(holds, sides) => {
                let source = spoken(self.bracketed(span));
                let sides = sides.as_ref();
                let sides = sides.map_or(String::new(), |sides| self.compared(sides, regs));
                match holds {
                    true => self.say(format!("{source}{sides}: yes")),
                    false => self.failed = Some(format!("{source}{sides}: no")),
                }
            }
            Said::Cell(word, number) => self.cell(span, word, number.as_ref(), regs),
        }
    }

    /// Records a printed cell, or a picked item: its word, and its number unless that is 0.
    fn cell(&mut self, span: &Span, word: &Piece, number: Option<&Piece>, regs: &Registers) {
        let told = |piece: &Piece| piece.told(self.tales.game, regs);
        let number = number.map(told).filter(|number| number != "0");
        let number = number.map_or(String::new(), |number| format!(" {number}"));
        let word = told(word);
        if !word.is_empty() {
            self.say(format!("{}: {word}{number}", spoken(self.bracketed(span))));
        }
    }

    /// Formats a comparison: `: 10 > 7`.
    fn compared(&self, sides: &Sides, regs: &Registers) -> String {
        let told = |piece: &Piece| piece.told(self.tales.game, regs);
        // Brackets around an operand are included.
        let sign = self.source(&sides.sign);
        let sign = sign.trim_matches(|c: char| "() ".contains(c));
        format!(": {} {} {}", told(&sides.left), spoken(sign), told(&sides.right))
    }

    /// Records a note of the author, which replaces all other texts of its line.
    fn note(&mut self, pieces: &[Piece], regs: &Registers) {
        let said = pieces.iter().map(|piece| piece.told(self.tales.game, regs));
        let said = said.collect();
        if !self.noted {
            self.said.clear();
            self.failed = None;
        }
        self.noted = true;
        self.said.push(said);
    }

    /// Adds a text, and drops a failed test before it, which no longer matters.
    fn say(&mut self, said: String) {
        self.failed = None;
        if !self.noted {
            self.said.push(said);
        }
    }

    /// Passes the explanation on. Returns whether to continue.
    pub fn close(
        &mut self,
        regs: &Registers,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
    ) -> bool {
        let Some(at) = self.at.take() else {
            self.said.clear();
            return true;
        };
        let text = self.text(&at, regs);
        let mut telling = Explanation::new(self.rule(&at), text);
        telling.decided = std::mem::take(&mut self.decided);
        self.said.clear();
        self.noted = false;
        let rolls = std::mem::take(&mut self.rolls);
        listen(&rolls, telling)
    }

    /// Returns the text of a line, with the changes of bags.
    fn text(&mut self, at: &Span, regs: &Registers) -> String {
        // A note replaces all other texts of its line.
        self.said.extend(self.failed.take().filter(|_| !self.noted));
        let text = match self.said.is_empty() {
            true => self.whole_line(at),
            false => self.said.join(if self.noted { " " } else { "; " }),
        };
        self.left.told(regs).into_iter().fold(text, |text, left| {
            let stop = if text.ends_with('.') { "" } else { "." };
            format!("{text}{stop} {left}.")
        })
    }

    /// Returns the offset of a place's file, and the line in the file.
    fn place(&self, span: &Span) -> (usize, usize) {
        let place = line_of(&self.tales.game.sources, span);
        place.map_or((0, 1), |(source, line)| (source.start, line))
    }

    /// Returns the source text of a place.
    fn source(&self, span: &Span) -> &'a str {
        let sources = &self.tales.game.sources;
        let source = &sources[source_of(sources, span)];
        source.text.get(within(source, span)).unwrap_or_default()
    }

    /// Returns the source text of a place, extended to complete its brackets.
    fn bracketed(&self, span: &Span) -> &'a str {
        let sources = &self.tales.game.sources;
        let source = &sources[source_of(sources, span)];
        let mut within = within(source, span);
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
    fn whole_line(&self, span: &Span) -> String {
        let line = line_of(&self.tales.game.sources, span);
        let line = line.and_then(|(source, line)| source.text.lines().nth(line - 1));
        let line = line.and_then(|line| line.split("--").next()).unwrap_or_default().trim();
        spoken(line.trim_end_matches(':'))
    }

    /// Returns the rule reference of the part or action that a line belongs to, with the line.
    fn rule(&self, span: &Span) -> String {
        let game = self.tales.game;
        let parts = game.parts.iter().map(|(name, part)| (name, &part.rule));
        let actions = game.actions.iter().map(|action| (&action.name, &action.rule.said.rule));
        let around = parts.chain(actions).filter(|(name, _)| name.span.start <= span.start);
        let rule = around.max_by_key(|(name, _)| name.span.start).map(|(_, rule)| rule.as_str());
        let line = self.place(span).1;
        match rule {
            Some(rule) if !rule.is_empty() => format!("{rule}, line {line}"),
            _ => format!("line {line}"),
        }
    }
}
