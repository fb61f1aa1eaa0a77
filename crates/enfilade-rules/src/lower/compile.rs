//! Compilation of a contest to a program: fills its fields, then lowers its rule.

use std::borrow::Cow;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::changed_cells::{Changes, changed_cells};
use super::contest_values::Filling;
use super::{Asks, Choice, Lowering, Reported, Slots, Why};
use crate::diagnostics::{Faults, Span};
use crate::optimize::Thrift;
use crate::resolve::game::Game;
use crate::source_map::{line_of, source_of, within};
use crate::syntax::ast::Check;
use crate::types::Kind;
use crate::vm::code::{Program, Shown};
use crate::vm::snapshot::ROOM;
use enfilade_model::combat::{
    Alike, Best, Decision, FieldHead, Harm, Heads, MAX_COLUMNS, MeasureHead, Role, bare,
};
use enfilade_model::error::{LocatedFault, Passage};
use enfilade_model::form::{Fault, Form};
use enfilade_model::shared::Text;

/// Everything that is needed to lower a rule for a contest.
pub struct Asked {
    /// Rulebook.
    pub game: Arc<Game>,
    /// Index of the action.
    pub action: usize,
    /// Contest.
    pub form: Form,
    /// Optimization flags.
    pub thrift: Thrift,
}

/// Compiled rule.
#[derive(Debug)]
pub struct Compiled {
    /// Program.
    pub program: Arc<Program>,
    /// Columns and measures.
    pub heads: Heads,
    /// Decisions of the players.
    pub decisions: Vec<Decision>,
    /// Parameters that it loads.
    pub asks: Asks,
    /// Contests that use this program.
    pub held: Held,
    /// Notes for a reader of the odds.
    pub notes: Vec<String>,
    /// Changed table cells that it looks up, as [bits](crate::lower::Slots).
    pub touched: Slots,
    /// Parameters that it depends on, loaded or constant, as a bit set.
    pub reads: Slots,
}

/// Structures of a program's contests that are still in use, by the numbers in which the contests
/// differ.
#[derive(Debug, Default)]
pub struct Held(pub(crate) Mutex<FxHashMap<Box<[i64]>, Weak<Alike>>>);

impl Asked {
    /// Compiles the rule for this contest. A traced rule keeps dead code, because the trace reads
    /// registers that the rule may not.
    ///
    /// # Errors
    /// All faults of the contest.
    pub fn compiled(&self, why: Why, drops: bool) -> Result<Compiled, Vec<Fault>> {
        let (lowering, _) = self.filled(why)?;
        self.walked(lowering, why, drops)
    }

    /// Prepares a lowering with the fields of the contest filled in, and returns it with the notes
    /// for a reader.
    ///
    /// # Errors
    /// All faults of the contest.
    pub fn filled(&self, why: Why) -> Result<(Lowering<'_>, Vec<String>), Vec<Fault>> {
        let game = &*self.game;
        let action = &game.actions[self.action];
        let found = &game.found[self.action];
        let mut lowering = Lowering::new(game, why, self.thrift);
        lowering.scopes.action = Some(self.action);
        lowering.scopes.over = lowering.scopes.action;
        lowering.scopes.seen = Cow::Borrowed(&found.seen);
        lowering.scopes.columns = match self.thrift.leaves {
            true => game.leaving.get(self.action),
            false => game.columns.get(self.action),
        };
        // Includes tallies that this contest never reaches.
        lowering.scopes.tallies.clone_from(&found.tallies);
        lowering.scopes.changed = changed_cells(game, &self.form)?;
        let mut filling = Filling {
            lowering: &mut lowering,
            faults: Vec::new(),
            notes: Vec::new(),
            changes: Changes::of(&self.form),
        };
        let checks: Vec<&Check> = self.checks();
        filling.fill(&self.form, &found.fields, action, &checks);
        let (faults, mut notes) = (filling.faults, filling.notes);
        if !faults.is_empty() {
            return Err(faults);
        }
        notes.dedup();
        // A blank cell among the constants is reported when the rule reaches it.
        lowering.emitter.program.blanks = lowering.begin_again().blanks;
        Ok((lowering, notes))
    }

    /// Lowers the rule.
    ///
    /// # Errors
    /// Exceeded limits, each with its line and file in words.
    pub fn walked<'g>(
        &'g self,
        lowering: Lowering<'g>,
        why: Why,
        drops: bool,
    ) -> Result<Compiled, Vec<Fault>> {
        let compiled = self.walked_at(lowering, why, drops);
        compiled.map_err(|faults| faults.into_iter().map(|fault| self.in_words(fault)).collect())
    }

    /// Lowers the rule as [`walked`](Asked::walked) does.
    ///
    /// # Errors
    /// Exceeded limits, each with its place among all files.
    pub fn walked_at<'g>(
        &'g self,
        mut lowering: Lowering<'g>,
        why: Why,
        drops: bool,
    ) -> Result<Compiled, Vec<LocatedFault>> {
        let game = &*self.game;
        let action = &game.actions[self.action];
        lowering.action(&action.rule.body, &action.rule.shows);
        check_shown(&mut lowering);
        // An exceeded limit may be due to unrolling.
        if !lowering.emitter.faults.is_empty() {
            return self.shorter(why, drops, lowering.emitter.faults);
        }
        let columns = columns(game, &lowering.scopes.reported);
        let heads = Heads {
            fields: columns.iter().map(|(head, ..)| head.clone()).collect(),
            measures: measures(&lowering),
        };
        if columns.len() > MAX_COLUMNS {
            let problem = format!("more than {MAX_COLUMNS} columns are shown");
            let (fault, span) = (Fault::new("", problem), action.name.span.clone());
            return Err(vec![LocatedFault { fault, span }]);
        }
        lowering.emitter.program.columns =
            columns.into_iter().map(|(_, at, word)| (at, word)).collect();
        let decisions = lowering.scopes.choices.iter().map(|choice| {
            let best = match choice.highest {
                true => Best::Highest,
                false => Best::Lowest,
            };
            let name = match choice.label.as_str() {
                "" => format!("line {}", self.line(&choice.span)),
                label => label.to_owned(),
            };
            let decision = Decision::new(name, choice.goal.text.clone(), best);
            choice.options.iter().fold(decision, |decision, option| decision.option(option.clone()))
        });
        let decisions = decisions.collect();
        let notes = self.known_choices(&lowering);
        let mut program = std::mem::take(&mut lowering.emitter.program);
        program.tallies = !lowering.scopes.tallies.is_empty();
        program.sorts = self.thrift.sorts;
        program.finish(self.thrift, drops);
        program.find_asked_later();
        let asks = lowering.emitter.parameters.asks();
        let (program, held) = (Arc::new(program), Held::default());
        let (touched, reads) = (lowering.scopes.touched, 0);
        Ok(Compiled { program, heads, decisions, asks, held, notes, touched, reads })
    }

    /// Lowers the rule again without unrolling if the program was too long.
    ///
    /// # Errors
    /// Exceeded limits.
    fn shorter(
        &self,
        why: Why,
        drops: bool,
        faults: Faults,
    ) -> Result<Compiled, Vec<LocatedFault>> {
        if !self.thrift.unrolls {
            return Err(faults.sorted());
        }
        let thrift = Thrift { unrolls: false, ..self.thrift };
        let rolled =
            Asked { game: Arc::clone(&self.game), form: self.form.clone(), thrift, ..*self };
        let span = self.game.actions[self.action].name.span.clone();
        let (lowering, _) = rolled.filled(why).map_err(|faults| {
            let faults = faults.into_iter();
            faults.map(|fault| LocatedFault { fault, span: span.clone() }).collect::<Vec<_>>()
        })?;
        rolled.walked_at(lowering, why, drops)
    }

    /// Returns notes on decisions that know a choice of another side.
    fn known_choices(&self, lowering: &Lowering) -> Vec<String> {
        let known = lowering.emitter.program.knowing(&lowering.scopes.choices).into_iter();
        let note = |(first, second): (&Choice, &Choice)| {
            let (first, second) = (self.line(&first.span), self.line(&second.span));
            format!("the choice at line {second} knows the choice at line {first}")
        };
        known.map(note).collect()
    }

    /// Describes why a program cannot be played: a die at which too much state is saved.
    pub fn too_wide(&self, program: &Program) -> Option<LocatedFault> {
        let worst = program.sites.iter().max_by_key(|site| site.memory.room)?;
        let room = worst.memory.room;
        if room <= ROOM {
            return None;
        }
        let problem =
            format!("the rule remembers {room} numbers at this die; at most {ROOM} are possible");
        let help = "keep fewer dice, have fewer things in a bag, or shorter lists";
        let (fault, span) = (Fault::new("", problem).help(help), worst.span.clone());
        Some(LocatedFault { fault, span })
    }

    /// Converts a fault of the rule to a text that begins with line and file.
    pub fn in_words(&self, LocatedFault { fault, span }: LocatedFault) -> Fault {
        match line_of(&self.game.sources, &span) {
            None => fault,
            Some((source, line)) => {
                let problem = format!("line {line} of {}: {}", source.name, fault.problem);
                Fault { problem, ..fault }
            }
        }
    }

    /// Returns the top-level conditions all of whose fields the action has, and its own.
    pub(crate) fn checks(&self) -> Vec<&Check> {
        let game = &*self.game;
        let top = game.found[self.action].checks.iter().map(|at| &game.checks[*at]);
        let parts = game.columns[self.action].parts.iter();
        let parts = parts.flat_map(|part| &game.parts[*part].1.checks);
        let own = &game.actions[self.action].checks;
        top.chain(own).chain(parts).collect()
    }

    /// Returns the line of a place, from 1.
    pub fn line(&self, span: &Span) -> usize {
        line_of(&self.game.sources, span).map_or(1, |(_, line)| line)
    }

    /// Returns a place with its file.
    pub fn passage(&self, span: &Span) -> Option<Passage> {
        let source = self.game.sources.get(source_of(&self.game.sources, span))?;
        Some(Passage {
            name: source.name.clone(),
            text: Arc::clone(&source.text),
            span: within(source, span),
        })
    }
}

/// Reports goals that this contest does not show.
fn check_shown(lowering: &mut Lowering) {
    let is_shown = |choice: &Choice| {
        let mut shown = lowering.scopes.reported.iter().filter(|shown| !shown.keep);
        shown.any(|shown| shown.name.text == choice.goal.text)
    };
    let missing = lowering.scopes.choices.iter().find(|choice| !is_shown(choice));
    if let Some(Choice { goal, .. }) = missing {
        let problem = format!("the goal `{}` of a choice is not shown in this contest", goal.text);
        let help = format!("write `show {}` without `when`", goal.text);
        lowering.emitter.faults.note(goal.span.clone(), problem, help);
    }
}

/// Returns the columns of an outcome: one for a number, and for a word one for each of its list
/// after the first. If two shows have the same list, the name of the show is added to each word.
fn columns(game: &Game, reported: &[Reported]) -> Vec<(FieldHead, Shown, Option<i32>)> {
    let mut columns = Vec::new();
    // Columns without a stated severity rank below all stated ones, the gravest first in the order
    // of the shows.
    let stated = reported.iter().filter(|shown| !shown.keep && shown.said.harm != 0);
    let stated = stated.filter_map(|shown| shown.said.degree.as_deref().map(|(own, _)| *own));
    let (mut degree, step) = stated.min().map_or((100, 3), |least| (least - 1, 1));
    for shown in reported.iter().filter(|shown| !shown.keep) {
        let said = shown.said;
        let label: Text = said.label.clone().into();
        let about = said.about(&shown.name.text);
        let mut head = FieldHead {
            name: shown.name.text.clone().into(),
            about: about.clone().into(),
            label: label.clone(),
            unit: said.unit.clone().into(),
            rule: said.rule.clone().into(),
            harm: None,
            tries: false,
            counts: said.unit.is_empty() && shown.is_count(),
            otherwise: Text::EMPTY,
            adds: said.adds,
        };
        let mut harm = |word: Text| {
            let said_so = said.degree.as_deref().cloned();
            let (own, word) =
                said_so.map_or((degree.max(1), word), |(own, word)| (own, word.into()));
            let harm = (said.harm != 0).then(|| Harm { degree: own * i16::from(said.harm), word });
            degree -= step;
            harm
        };
        let Kind::Word(list) = shown.kind else {
            head.harm = harm(head.label_or_name());
            columns.push((head, shown.shown(), None));
            continue;
        };
        let words = &game.words[usize::from(list)].words;
        let alike = reported.iter().filter(|other| other.kind == shown.kind && !other.keep);
        let alone = alike.count() == 1;
        let called = |place: usize| -> Text {
            let word = game.shown(shown.kind, place as i64);
            if alone { word.into() } else { format!("{}: {word}", head.label_or_name()).into() }
        };
        let own = (1..words.len()).rev().map(|place| {
            let word = game.shown(shown.kind, place as i64);
            let label = called(place);
            let head = FieldHead {
                name: format!("{}_{}", shown.name.text, words[place].0).into(),
                about: format!("{about}: {word}").into(),
                label: label.clone(),
                harm: harm(label),
                otherwise: if place == 1 { called(0) } else { Text::EMPTY },
                ..head.clone()
            };
            (head, shown.shown(), Some(place as i32))
        });
        let own: Vec<_> = own.collect();
        columns.extend(own.into_iter().rev());
    }
    columns
}

fn measures(lowering: &Lowering) -> Arc<[Arc<MeasureHead>]> {
    let heads = lowering.scopes.measured.iter().map(|measured| {
        let said = &measured.said;
        Arc::new(MeasureHead {
            name: measured.name.text.clone().into(),
            about: said.about(&bare(&measured.name.text)).into(),
            label: said.label.clone().into(),
            unit: said.unit.clone().into(),
            rule: said.rule.clone().into(),
            kind: measured.kind,
            condition: measured.condition.clone().into(),
            scale: measured.scale,
            role: match said.finishing {
                true => Role::Finishing,
                false => Role::Plain,
            },
            headline: said.headline,
            adds: said.adds,
        })
    });
    heads.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vm::code::{Than, Two};

    /// Returns the face tests of the first die of a rule with these `lines` after the roll.
    fn first(lines: &str) -> Option<Vec<(Two, Than)>> {
        let text = format!(
            "game \"G\"\nfield skill: 1..20\naction a \"a\":\n    hits = 0\n    best = 0\n    for shot in 1..30:\n        \
             need = skill - hits at least 1\n        roll = d20\n{lines}    show hits = hits \"hits\"\n    show \
             best = best \"best\"\n"
        );
        let none = |_: &str| Err("no files".to_owned());
        let book = crate::read("g", "g.rules", &text, &none).expect("in order");
        let fields = &book.system.actions[0].fields;
        let form = Form::fill(fields, &"skill = 11".parse().expect("TOML")).expect("a contest");
        let game = Arc::clone(&book.game);
        let asked = Asked { game, action: 0, form, thrift: Thrift::default() };
        let program = asked.compiled(Why::Play, true).expect("a program").program;
        let asks = program.sites[0].asks.as_ref()?;
        Some(asks.iter().map(|ask| (ask.two, ask.than)).collect())
    }

    #[test]
    fn a_face_that_is_only_compared_is_asked_so_much() {
        let hit = "        if roll != 20 and (roll <= need or roll == 1): hits += 1\n";
        let asks = first(hit).expect("only compared");
        let known = asks.iter().filter(|(_, than)| matches!(than, Than::Is(1 | 20))).count();
        let held = asks.iter().filter(|(_, than)| matches!(than, Than::At(_))).count();
        assert_eq!((known, held, asks.len()), (2, 1, 3), "{asks:?}");
        // A target number computed after the roll differs between the paths that lead to the test.
        let late = "        need = need + hits\n        if roll <= need: hits += 1\n";
        assert_eq!(first(late), None);
        // A face that is stored is used by more than a test.
        assert_eq!(first("        if roll <= need: best = roll\n"), None);
    }
}
