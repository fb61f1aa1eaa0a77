//! A rulebook looked into: what a rule remembers, and its contests with the compiler's thrift switched
//! off.

use std::collections::HashSet;
use std::sync::Arc;

use super::code::{Program, Site, Stops};
use super::compile::Asked;
use super::files::Rulebook;
use super::machine::Machine;
use super::play::contest;
use super::ready::Kept;
use super::walk::{Thrift, Why};
use crate::catalogue::Contest;
use crate::form::{Fault, Form};

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
    let mut counts = vec![0; machine.program.sites.len()];
    let whole = machine.explored(STATES, |snap| {
        counts.get_mut(usize::from(snap.site)).into_iter().for_each(|count| *count += 1);
    });
    if !whole {
        let problem = format!("the contest has more than {STATES} states");
        return Err(vec![Fault::new("", problem).help("a smaller contest shows the same")]);
    }
    let sites = machine.program.sites.iter().zip(counts);
    let dice = sites.filter(|(site, states)| site.stops != Stops::End && *states > 0);
    let told = dice.map(|(site, states)| Remembered {
        line: asked.line(&site.span),
        names: names(&machine.program, site),
        states,
    });
    Ok(told.collect())
}

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
