//! A rulebook looked into: what a rule remembers, and its contests with the compiler's thrift switched
//! off.

use std::collections::HashSet;
use std::sync::Arc;

use crate::cache::program_cache::Kept;
use crate::combat::contest;
use crate::diagnostics::Faults;
use crate::loader::Rulebook;
use crate::lower::Why;
use crate::lower::compile::Asked;
use crate::optimize::Thrift;
use crate::source_map::refused;
use crate::vm::code::{Program, Site, Stops};
use crate::vm::machine::Machine;
use crate::vm::snapshot::ROOM;
use crate::vm::state_stats::widest;
use enfilade_model::catalogue::Contest;
use enfilade_model::error::{Error, LocatedFault};
use enfilade_model::form::{Fault, Form};

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

/// What keeps the rule of the action at a place from being played in the contest that `form` describes, at
/// its line of the rulebook: not what the contest says, but what the rule needs for it.
pub fn unplayable(rulebook: &Rulebook, action: usize, form: &Form) -> Option<Error> {
    let game = Arc::clone(&rulebook.game);
    let asked = Asked { game, action, form: form.clone(), thrift: Thrift::default() };
    let (lowering, _) = asked.filled(Why::Play).ok()?;
    let found: Vec<_> = match asked.walked_at(lowering, Why::Play, true) {
        Ok(compiled) => asked.too_wide(&compiled.program).into_iter().collect(),
        Err(faults) => faults,
    };
    let mut faults = Faults::default();
    for LocatedFault { fault, span } in found {
        faults.note(span, fault.problem, fault.help.unwrap_or_default());
    }
    (!faults.is_empty()).then(|| refused(&rulebook.game.sources, faults))
}

/// What a rule remembers at one die.
#[derive(Clone, Debug)]
pub struct Remembered {
    /// The line of the die, from 1.
    pub line: usize,
    /// What is remembered.
    pub names: Vec<String>,
    /// Numbers of 16 bits that this takes.
    pub numbers: usize,
    /// States there, as far as they were counted.
    pub states: usize,
}

/// How far the states of a contest were counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counted {
    /// All of them.
    All,
    /// So many, those of the fewest dice; with what differs most among the first of them, and how many
    /// values it has.
    First(usize, Option<(String, usize)>),
    /// None: at some die the rule remembers more numbers than the second one, which can be held.
    TooWide(usize, usize),
}

/// What a rule remembers, die by die.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The dice that are reached.
    pub dice: Vec<Remembered>,
    /// How far their states were counted.
    pub counted: Counted,
}

/// What the rule of `action` remembers at each die, for the contest that `form` describes.
///
/// # Errors
/// What does not fit together.
pub fn remembered(
    rulebook: &Rulebook,
    action: &str,
    form: &Form,
) -> Result<Inspection, Vec<Fault>> {
    let game = &rulebook.game;
    let actions = &rulebook.system.actions;
    let Some(at) = actions.iter().position(|known| known.name == *action) else {
        return Err(vec![Fault::new("", format!("there is no action `{action}`"))]);
    };
    let asked =
        Asked { game: Arc::clone(game), action: at, form: form.clone(), thrift: Thrift::default() };
    let machine = Machine::new(asked.compiled(Why::Tell, true)?.program, [].into());
    let mut counts = vec![0; machine.program.sites.len()];
    let counted = counted(&machine, &mut counts);
    let is_wide = matches!(counted, Counted::TooWide(..));
    let sites = machine.program.sites.iter().zip(counts);
    let dice = sites.filter(|(site, states)| site.stops != Stops::End && (is_wide || *states > 0));
    let told = dice.map(|(site, states)| Remembered {
        line: asked.line(&site.span),
        names: names(&machine.program, site),
        numbers: site.memory.room,
        states,
    });
    Ok(Inspection { dice: told.collect(), counted })
}

/// Counts states by site, and says how far.
fn counted(machine: &Machine, counts: &mut [usize]) -> Counted {
    let room = machine.program.room();
    if room > ROOM {
        return Counted::TooWide(room, ROOM);
    }
    let whole = machine.explored(STATES, |snap| {
        counts.get_mut(usize::from(snap.site)).into_iter().for_each(|count| *count += 1);
    });
    match whole {
        true => Counted::All,
        false => Counted::First(STATES as usize, widest(machine, SEEN)),
    }
}

/// States that are looked into for what they differ in.
const SEEN: u32 = 1 << 13;

/// States that are counted for whoever looks into a rule.
const STATES: u32 = 1 << 18;

/// What is remembered at a site, by its names, each once; what has none is said as one.
fn names(program: &Program, site: &Site) -> Vec<String> {
    let name = |reg: u8| site.names.iter().rev().find(|(known, _)| *known == reg);
    let mut names: Vec<String> = Vec::new();
    let mut nameless = 0;
    for reg in &site.memory.saved {
        match name(*reg) {
            Some((_, name)) => names.push(name.clone()),
            None => nameless += 1,
        }
    }
    for (bag, _) in &site.memory.bags {
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
