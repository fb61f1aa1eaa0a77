//! Inspection of a rulebook: the state that a rule saves at each die, and contests compiled without
//! some optimizations.

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

/// Builds the contest that `form` describes, without some of the optimizations. The distribution is
/// the same, so that tests can compare the two.
///
/// # Errors
/// Faults of the contest, or a state that is too large to save.
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

/// Returns the reason why the action's rule cannot be played in the contest that `form` describes,
/// at its line of the rulebook. Faults of the contest itself do not count.
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

/// State that a rule saves at one die.
#[derive(Clone, Debug)]
pub struct Remembered {
    /// Line of the die, from 1.
    pub line: usize,
    /// Saved names.
    pub names: Vec<String>,
    /// Size of the state, in numbers of 16 bits.
    pub numbers: usize,
    /// Number of states at this die, as far as they were counted.
    pub states: usize,
}

/// Extent of the count of a contest's states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counted {
    /// All states were counted.
    All,
    /// Only this many states were counted, those of the fewest dice; with the name that varies most
    /// among the first of them, and its number of values.
    First(usize, Option<(String, usize)>),
    /// No states were counted: at some die the state has more numbers than the second value, the
    /// limit.
    TooWide(usize, usize),
}

/// State that a rule saves, die by die.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// Dice that are reached.
    pub dice: Vec<Remembered>,
    /// Extent of the count.
    pub counted: Counted,
}

/// Returns the state that the rule of `action` saves at each die, for the contest that `form`
/// describes.
///
/// # Errors
/// All faults of the contest.
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

/// Counts states by suspend point. Returns the extent of the count.
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

/// Largest number of states in which the most varied name is sought.
const SEEN: u32 = 1 << 13;

/// Largest number of states that are counted.
const STATES: u32 = 1 << 18;

/// Returns the distinct names saved at a suspend point; all unnamed values are one entry.
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
