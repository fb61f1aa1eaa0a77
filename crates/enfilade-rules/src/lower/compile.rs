//! A contest of a rulebook becomes a program: its fields are filled, its rule is walked over.

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

/// What a rule needs to be walked over for a contest.
pub struct Asked {
    /// The rulebook.
    pub game: Arc<Game>,
    /// Which action.
    pub action: usize,
    /// The contest.
    pub form: Form,
    /// What the compiler saves.
    pub thrift: Thrift,
}

/// What came of it.
#[derive(Debug)]
pub struct Compiled {
    /// The program.
    pub program: Arc<Program>,
    /// Columns and measures.
    pub heads: Heads,
    /// What its players decide.
    pub decisions: Vec<Decision>,
    /// Numbers of the contest that it asks for.
    pub asks: Asks,
    /// Contests that it is the program of.
    pub held: Held,
    /// What a reader of its odds must know.
    pub notes: Vec<String>,
    /// Changed cells of tables that it looks up, as [bits](crate::lower::Slots).
    pub touched: Slots,
    /// Numbers of the contest that it hangs on, asked for or known in it, as bits.
    pub reads: Slots,
}

/// Contests of a program that somebody holds, by what they differ in.
#[derive(Debug, Default)]
pub struct Held(pub(crate) Mutex<FxHashMap<Box<[i64]>, Weak<Alike>>>);

impl Asked {
    /// Walks over the rule for this contest. What is told reads registers that the rule may not, so
    /// then nothing is dropped.
    ///
    /// # Errors
    /// What does not fit together.
    pub fn compiled(&self, why: Why, drops: bool) -> Result<Compiled, Vec<Fault>> {
        let (lowering, _) = self.filled(why)?;
        self.walked(lowering, why, drops)
    }

    /// A rule that is not lowered yet but knows what the contest says, and what a reader must know.
    ///
    /// # Errors
    /// What does not fit together.
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
        // Also those that this contest never comes by.
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
        // What blank cells mean in what is known of the contest is told while the rule is played.
        lowering.emitter.program.blanks = lowering.begin_again().blanks;
        Ok((lowering, notes))
    }

    /// Walks over the rule.
    ///
    /// # Errors
    /// What is too much, with its line and file in words.
    pub fn walked<'g>(
        &'g self,
        lowering: Lowering<'g>,
        why: Why,
        drops: bool,
    ) -> Result<Compiled, Vec<Fault>> {
        let compiled = self.walked_at(lowering, why, drops);
        compiled.map_err(|faults| faults.into_iter().map(|fault| self.in_words(fault)).collect())
    }

    /// As [`walked`](Asked::walked).
    ///
    /// # Errors
    /// What is too much, at its place among all files.
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

    /// The same with no loop written out, where the program was too long; or what is too much.
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

    /// Notes on decisions that know those of another side.
    fn known_choices(&self, lowering: &Lowering) -> Vec<String> {
        let known = lowering.emitter.program.knowing(&lowering.scopes.choices).into_iter();
        let note = |(first, second): (&Choice, &Choice)| {
            let (first, second) = (self.line(&first.span), self.line(&second.span));
            format!("whoever chooses at line {second} knows what was chosen at line {first}")
        };
        known.map(note).collect()
    }

    /// Why a program cannot be played: at which die it remembers too much.
    pub fn too_wide(&self, program: &Program) -> Option<LocatedFault> {
        let worst = program.sites.iter().max_by_key(|site| site.memory.room)?;
        let room = worst.memory.room;
        if room <= ROOM {
            return None;
        }
        let problem = format!(
            "the rule remembers {room} numbers at this die, and at most {ROOM} can be remembered"
        );
        let help = "keep fewer dice, have fewer things in a bag, or shorter lists";
        let (fault, span) = (Fault::new("", problem).help(help), worst.span.clone());
        Some(LocatedFault { fault, span })
    }

    /// A fault of the rule where only its words are told: they begin with line and file.
    pub fn in_words(&self, LocatedFault { fault, span }: LocatedFault) -> Fault {
        match line_of(&self.game.sources, &span) {
            None => fault,
            Some((source, line)) => {
                let problem = format!("line {line} of {}: {}", source.name, fault.problem);
                Fault { problem, ..fault }
            }
        }
    }

    /// Conditions at the top of which the action has all fields, and its own.
    pub(crate) fn checks(&self) -> Vec<&Check> {
        let game = &*self.game;
        let top = game.found[self.action].checks.iter().map(|at| &game.checks[*at]);
        let parts = game.columns[self.action].parts.iter();
        let parts = parts.flat_map(|part| &game.parts[*part].1.checks);
        let own = &game.actions[self.action].checks;
        top.chain(own).chain(parts).collect()
    }

    /// The line of a place, from 1.
    pub fn line(&self, span: &Span) -> usize {
        line_of(&self.game.sources, span).map_or(1, |(_, line)| line)
    }

    /// A place, with its file.
    pub fn passage(&self, span: &Span) -> Option<Passage> {
        let source = self.game.sources.get(source_of(&self.game.sources, span))?;
        Some(Passage {
            name: source.name.clone(),
            text: Arc::clone(&source.text),
            span: within(source, span),
        })
    }
}

/// Notes goals that this contest does not show.
fn check_shown(lowering: &mut Lowering) {
    let is_shown = |choice: &Choice| {
        let mut shown = lowering.scopes.reported.iter().filter(|shown| !shown.keep);
        shown.any(|shown| shown.name.text == choice.goal.text)
    };
    let missing = lowering.scopes.choices.iter().find(|choice| !is_shown(choice));
    if let Some(Choice { goal, .. }) = missing {
        let problem = format!("a choice goes by `{}`, which this contest does not show", goal.text);
        let help = format!("write `show {}` without `when`", goal.text);
        lowering.emitter.faults.note(goal.span.clone(), problem, help);
    }
}

/// The columns of an outcome: a number has one, a word one for each of its list after the first. Where two shows
/// are of one list, each word says whose it is.
fn columns(game: &Game, reported: &[Reported]) -> Vec<(FieldHead, Shown, Option<i32>)> {
    let mut columns = Vec::new();
    // The gravest first, in the order in which they are shown, below all that say how bad they are.
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

    /// What the first die of a rule is asked, in which `lines` follow it.
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
        // A need that is reckoned after the roll is another one for every way there.
        let late = "        need = need + hits\n        if roll <= need: hits += 1\n";
        assert_eq!(first(late), None);
        // What is kept of a face is more than a test.
        assert_eq!(first("        if roll <= need: best = roll\n"), None);
    }
}
