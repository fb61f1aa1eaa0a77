//! Contests of a rulebook: a program of its own for each, played, told and looked into.

use std::sync::{Arc, OnceLock};

use super::code::{Program, Shown, Site, Stops};
use super::contest::{Changes, Filling, changed_tables};
use super::fault::{Faults, Span};
use super::files::{Rulebook, source_of, within};
use super::game::{Game, Top};
use super::kind::Kind;
use super::machine::{Broken, Machine};
use super::states::ROOM;
use super::tell::Tales;
use super::tree::{Check, Expr};
use super::walk::{Reported, Thrift, Walker, Why};
use crate::catalogue::Contest;
use crate::combat::{
    AnyCombat, Best, Decision, Ending, FieldHead, Harm, Heads, Hidden, MAX_COLUMNS, MeasureHead,
    Role, States, Telling,
};
use crate::dice::{Dice, Roll};
use crate::error::{Mishap, Passage};
use crate::form::{Fault, Form, Words};
use crate::shared::Text;

/// What a rule needs to be walked over for a contest.
struct Asked {
    game: Arc<Game>,
    action: usize,
    form: Form,
    thrift: Thrift,
}

/// What came of it.
struct Compiled {
    program: Program,
    heads: Heads,
    decisions: Vec<Decision>,
    notes: Vec<String>,
}

/// The contest that a form describes.
///
/// # Errors
/// What does not fit together.
pub fn contest(
    game: &Arc<Game>,
    action: usize,
    form: &Form,
    thrift: Thrift,
) -> Result<Contest, Vec<Fault>> {
    let asked = Asked {
        game: Arc::clone(game),
        action,
        form: form.clone(),
        thrift,
    };
    let Compiled {
        program,
        heads,
        decisions,
        notes,
    } = asked.compiled(Why::Play, true)?;
    let grows = game.found[action].grows.clone();
    let played = Played {
        machine: Machine::new(program),
        told: OnceLock::new(),
        asked,
        decisions,
    };
    let room = played.machine.room();
    if room > ROOM {
        return Err(vec![too_much(&played, room)]);
    }
    Ok(Contest {
        combat: AnyCombat::of_hidden(Box::new(played), heads),
        notes,
        grows_with: Words::from(grows),
    })
}

fn too_much(played: &Played, room: usize) -> Fault {
    let program = &played.machine.program;
    let worst = program.sites.iter().max_by_key(|site| site.room);
    let line = worst.map_or(0, |site| played.asked.line(&site.span));
    let problem = format!(
        "the rule remembers {room} numbers at the die of line {line}, and at most {ROOM} can be \
         remembered"
    );
    Fault::new("", problem).help("fewer things in a bag, or shorter lists")
}

impl Asked {
    /// Walks over the rule for this contest. What is told reads registers that the rule may not, so
    /// then nothing is dropped.
    fn compiled(&self, why: Why, drops: bool) -> Result<Compiled, Vec<Fault>> {
        let game = &*self.game;
        let action = &game.actions[self.action];
        let found = &game.found[self.action];
        let mut walker = Walker::new(game, why, self.thrift);
        walker.seen.clone_from(&found.seen);
        walker.columns = game.columns.get(self.action);
        // Also those that this contest never comes by.
        walker.tallies.clone_from(&found.tallies);
        walker.tables = changed_tables(game, &self.form)?;
        let mut filling = Filling {
            walker: &mut walker,
            faults: Vec::new(),
            notes: Vec::new(),
            changes: Changes::of(&self.form),
        };
        let checks: Vec<&Check> = self.checks();
        filling.fill(&self.form, &found.fields, &action.fields, &checks);
        let (faults, mut notes) = (filling.faults, filling.notes);
        if !faults.is_empty() {
            return Err(faults);
        }
        notes.dedup();
        let program = std::mem::take(&mut walker.program);
        walker.program.blanks = program.blanks;
        walker.begin_again();
        walker.action(&action.rule.body, &action.rule.shows);
        if !walker.faults.is_empty() {
            return self.shorter(why, drops, walker.faults);
        }
        let columns = columns(game, &walker.reported);
        let heads = Heads {
            fields: columns.iter().map(|(head, ..)| head.clone()).collect(),
            measures: measures(&walker),
        };
        if columns.len() > MAX_COLUMNS {
            let problem = format!("more than {MAX_COLUMNS} columns are shown");
            return Err(vec![Fault::new("", problem)]);
        }
        walker.program.columns = columns
            .into_iter()
            .map(|(_, at, word)| (at, word))
            .collect();
        let decisions = walker.choices.iter().map(|choice| {
            let best = match choice.highest {
                true => Best::Highest,
                false => Best::Lowest,
            };
            let name = format!("line {}", self.line(&choice.span));
            let decision = Decision::new(name, choice.goal.text.clone(), best);
            choice
                .options
                .iter()
                .fold(decision, |decision, option| decision.option(option.clone()))
        });
        let decisions = decisions.collect();
        let mut program = std::mem::take(&mut walker.program);
        program.tallies = !walker.tallies.is_empty();
        program.sorts = self.thrift.sorts;
        program.finish(self.thrift, drops);
        Ok(Compiled {
            program,
            heads,
            decisions,
            notes,
        })
    }

    /// The same with no loop written out, where the program was too long; or what is too much.
    fn shorter(&self, why: Why, drops: bool, faults: Faults) -> Result<Compiled, Vec<Fault>> {
        if !self.thrift.unrolls {
            let faults = faults.sorted().into_iter();
            return Err(faults.map(|located| located.fault).collect());
        }
        let thrift = Thrift {
            unrolls: false,
            ..self.thrift
        };
        let rolled = Asked {
            game: Arc::clone(&self.game),
            form: self.form.clone(),
            thrift,
            ..*self
        };
        rolled.compiled(why, drops)
    }

    /// Conditions at the top of which the action has all fields, and its own.
    fn checks(&self) -> Vec<&Check> {
        let game = &*self.game;
        let fields = &game.found[self.action].fields;
        let has_all = |when: &Expr| {
            let mut all = true;
            super::walk::each_name(when, &mut |name| {
                if let Some(Top::Field(at)) = game.names.get(name) {
                    all &= fields.contains(at);
                }
            });
            all
        };
        let top = game.checks.iter();
        let top = top.filter(|check| check.when.as_ref().is_none_or(has_all));
        top.chain(&game.actions[self.action].checks).collect()
    }

    /// The line of a place, from 1.
    fn line(&self, span: &Span) -> usize {
        let Some(source) = self.game.sources.get(source_of(&self.game.sources, span)) else {
            return 1;
        };
        let before = &source.text[..within(source, span).start];
        before.matches('\n').count() + 1
    }

    fn passage(&self, span: &Span) -> Option<Passage> {
        let source = self.game.sources.get(source_of(&self.game.sources, span))?;
        Some(Passage {
            name: source.name.clone(),
            text: Arc::clone(&source.text),
            span: within(source, span),
        })
    }
}

/// The columns of an outcome: a number has one, a word one for each of its list after the first.
fn columns(game: &Game, reported: &[Reported]) -> Vec<(FieldHead, Shown, Option<i32>)> {
    let mut columns = Vec::new();
    // The gravest first, in the order in which they are shown.
    let mut degree = 100_i16;
    for shown in reported.iter().filter(|shown| !shown.keep) {
        let said = shown.said;
        let label: Text = said.label.clone().into();
        let about = match (said.help.is_empty(), said.label.is_empty()) {
            (false, _) => said.help.clone(),
            (true, false) => said.label.clone(),
            (true, true) => shown.name.text.replace('_', " "),
        };
        let mut head = FieldHead {
            name: shown.name.text.clone().into(),
            about: about.clone().into(),
            label: label.clone(),
            unit: Text::EMPTY,
            rule: said.rule.clone().into(),
            harm: None,
            tries: false,
        };
        let mut harm = |word: Text| {
            let harm = (said.harm != 0).then(|| Harm {
                degree: degree.max(1) * i16::from(said.harm),
                word,
            });
            degree -= 3;
            harm
        };
        let Kind::Word(list) = shown.kind else {
            head.harm = harm(head.label_or_name());
            columns.push((head, shown.shown(), None));
            continue;
        };
        let words = &game.words[usize::from(list)].words;
        let mut own: Vec<_> = (1..words.len())
            .rev()
            .map(|place| {
                let word: Text = game.shown(shown.kind, place as i64).into();
                let head = FieldHead {
                    name: format!("{}_{}", shown.name.text, words[place].0).into(),
                    about: format!("{about}: {word}").into(),
                    label: word.clone(),
                    harm: harm(word),
                    ..head.clone()
                };
                (head, shown.shown(), Some(place as i32))
            })
            .collect();
        own.reverse();
        columns.extend(own);
    }
    columns
}

fn measures(walker: &Walker) -> Arc<[Arc<MeasureHead>]> {
    let heads = walker.measured.iter().map(|measured| {
        let said = measured.said;
        let about = match (said.help.is_empty(), said.label.is_empty()) {
            (false, _) => said.help.clone(),
            (true, false) => said.label.clone(),
            (true, true) => measured.name.text.replace('_', " "),
        };
        Arc::new(MeasureHead {
            name: measured.name.text.clone().into(),
            about: about.into(),
            label: said.label.clone().into(),
            unit: Text::EMPTY,
            rule: said.rule.clone().into(),
            kind: measured.kind,
            scale: measured.scale,
            role: Role::Plain,
            headline: false,
        })
    });
    heads.collect()
}

/// A rule in a text file with its contest.
struct Played {
    machine: Machine,
    /// The same rule as it tells itself, made when somebody wants to hear it.
    told: OnceLock<Option<Machine>>,
    asked: Asked,
    decisions: Vec<Decision>,
}

impl Hidden for Played {
    fn fault(&self) -> Option<Mishap> {
        let told = self.told.get().and_then(Option::as_ref);
        let broken = self.machine.broken.get();
        let broken = broken.or_else(|| told.and_then(|told| told.broken.get()))?;
        let Broken {
            span,
            problem,
            help,
        } = broken.clone();
        let fault = Fault::new("", problem);
        let fault = if help.is_empty() {
            fault
        } else {
            fault.help(help)
        };
        let mishap = Mishap::new(fault);
        Some(match self.asked.passage(&span) {
            Some(passage) => mishap.at(passage),
            None => mishap,
        })
    }

    fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    fn states(&self) -> Box<dyn States + '_> {
        self.machine.states()
    }

    fn play(&self, dice: &mut dyn Dice, max_steps: u64) -> Option<Ending> {
        self.machine.play(dice, max_steps)
    }

    fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Telling) -> bool,
    ) -> Option<Ending> {
        let told = self.told.get_or_init(|| {
            let compiled = self.asked.compiled(Why::Tell, false).ok()?;
            Some(Machine::new(compiled.program))
        });
        let told = told.as_ref()?;
        let tales = Tales {
            game: &self.asked.game,
            policy: &self.machine,
            decisions: &self.decisions,
        };
        told.narrate(&tales, dice, listen)
    }
}

/// The contest that `form` describes, compiled with some of the compiler's thrift switched off: the law
/// is the same, as a test can hold.
///
/// # Errors
/// What does not fit together, or that there is too much to be remembered.
pub fn contest_with(
    rulebook: &Rulebook,
    action: &str,
    form: &Form,
    thrift: Thrift,
) -> Result<Contest, Vec<Fault>> {
    let known = &rulebook.system.actions;
    match known.iter().position(|known| known.name == *action) {
        Some(at) => contest(&rulebook.game, at, form, thrift),
        None => Err(vec![Fault::new(
            "",
            format!("there is no action `{action}`"),
        )]),
    }
}

/// What a rule remembers at one die.
#[derive(Clone, Debug)]
pub struct Remembered {
    /// The line of the die, from 1.
    pub line: usize,
    /// What is remembered.
    pub names: Vec<String>,
    /// States there.
    pub states: usize,
}

/// What the rule of `action` remembers at each die, for the contest that `form` describes.
///
/// # Errors
/// What does not fit together, or that the contest has too many states.
pub fn remembered(
    rulebook: &Rulebook,
    action: &str,
    form: &Form,
) -> Result<Vec<Remembered>, Vec<Fault>> {
    let game = &rulebook.game;
    let actions = &rulebook.system.actions;
    let Some(at) = actions.iter().position(|known| known.name == *action) else {
        return Err(vec![Fault::new(
            "",
            format!("there is no action `{action}`"),
        )]);
    };
    let asked = Asked {
        game: Arc::clone(game),
        action: at,
        form: form.clone(),
        thrift: Thrift::default(),
    };
    let machine = Machine::new(asked.compiled(Why::Tell, true)?.program);
    let Some(counts) = machine.counted(STATES) else {
        let problem = format!("the contest has more than {STATES} states");
        return Err(vec![
            Fault::new("", problem).help("a smaller contest shows the same"),
        ]);
    };
    let sites = machine.program.sites.iter().zip(counts);
    let dice = sites.filter(|(site, states)| site.stops != Stops::End && *states > 0);
    Ok(dice
        .map(|(site, states)| Remembered {
            line: asked.line(&site.span),
            names: names(&machine.program, site),
            states,
        })
        .collect())
}

/// States that are counted for whoever looks into a rule.
const STATES: usize = 1 << 18;

/// What is remembered at a site, by its names; what has none is said as one.
fn names(program: &Program, site: &Site) -> Vec<String> {
    let name = |reg: u8| site.names.iter().rev().find(|(known, _)| *known == reg);
    let mut names: Vec<String> = Vec::new();
    let mut nameless = 0;
    for reg in &site.saved {
        match name(*reg) {
            Some((_, name)) => names.push(name.clone()),
            None => nameless += 1,
        }
    }
    for (bag, _) in &site.bags {
        let bag = &program.bags[usize::from(*bag)];
        let name = name(bag.base).map_or("a bag", |(_, name)| name);
        names.push(format!("{name} ({} things)", bag.size));
    }
    if nameless > 0 {
        names.push(format!("{nameless} of the dice and loops under way"));
    }
    names.dedup();
    names
}
