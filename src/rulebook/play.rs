//! Contests of a rulebook: a program of its own for each, played, told and looked into.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use super::code::{Program, Site, Stops};
use super::compile::{Asked, Compiled};
use super::files::Rulebook;
use super::game::Game;
use super::machine::{Broken, Machine};
use super::ready::Kept;
use super::states::ROOM;
use super::tell::Tales;
use super::walk::{Thrift, Why};
use crate::catalogue::Contest;
use crate::combat::{AnyCombat, Decision, Ending, Hidden, States, Telling};
use crate::dice::{Dice, Roll};
use crate::error::Mishap;
use crate::form::{Fault, Form, Words};

/// The contest that a form describes.
///
/// # Errors
/// What does not fit together.
pub fn contest(
    game: &Arc<Game>,
    action: usize,
    form: &Form,
    thrift: Thrift,
    kept: &Kept,
) -> Result<Contest, Vec<Fault>> {
    let asked = Asked { game: Arc::clone(game), action, form: form.clone(), thrift };
    let (walker, notes) = asked.filled(Why::Play)?;
    let (compiled, numbers) = kept.program(&asked, walker)?;
    let grows = game.found[action].grows.clone();
    let heads = compiled.heads.clone();
    let played = Played {
        machine: Machine::new(Arc::clone(&compiled.program), numbers),
        told: OnceLock::new(),
        asked,
        compiled,
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

/// A rule in a text file with its contest.
struct Played {
    machine: Machine,
    /// The same rule as it tells itself, made when somebody wants to hear it.
    told: OnceLock<Option<Machine>>,
    asked: Asked,
    compiled: Arc<Compiled>,
}

impl Hidden for Played {
    fn fault(&self) -> Option<Mishap> {
        let told = self.told.get().and_then(Option::as_ref);
        let broken = self.machine.broken.get();
        let broken = broken.or_else(|| told.and_then(|told| told.broken.get()))?;
        let Broken { span, problem, help } = broken.clone();
        let fault = Fault::new("", problem);
        let fault = if help.is_empty() { fault } else { fault.help(help) };
        let mishap = Mishap::new(fault);
        Some(match self.asked.passage(&span) {
            Some(passage) => mishap.at(passage),
            None => mishap,
        })
    }

    fn decisions(&self) -> &[Decision] {
        &self.compiled.decisions
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
            Some(Machine::new(compiled.program, [].into()))
        });
        let told = told.as_ref()?;
        let tales = Tales {
            game: &self.asked.game,
            policy: &self.machine,
            decisions: &self.compiled.decisions,
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
        Some(at) => contest(&rulebook.game, at, form, thrift, &Kept::default()),
        None => Err(vec![Fault::new("", format!("there is no action `{action}`"))]),
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
        return Err(vec![Fault::new("", format!("there is no action `{action}`"))]);
    };
    let asked =
        Asked { game: Arc::clone(game), action: at, form: form.clone(), thrift: Thrift::default() };
    let machine = Machine::new(asked.compiled(Why::Tell, true)?.program, [].into());
    let Some(counts) = machine.counted(STATES) else {
        let problem = format!("the contest has more than {STATES} states");
        return Err(vec![Fault::new("", problem).help("a smaller contest shows the same")]);
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

/// What is remembered at a site, by its names, each once; what has none is said as one.
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
        let things = if bag.size == 1 { "thing" } else { "things" };
        names.push(format!("{name} ({} {things})", bag.size));
    }
    if nameless > 0 {
        names.push(format!("{nameless} of the dice and loops under way"));
    }
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}
