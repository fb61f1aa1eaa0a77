//! Inspection of a rulebook: the state that a rule saves at each die, and contests compiled without
//! some optimizations.

use std::collections::HashSet;
use std::sync::Arc;

use crate::cache::program_cache::ProgramCache;
use crate::combat::build_contest;
use crate::diagnostics::Faults;
use crate::loader::Rulebook;
use crate::lower::LowerMode;
use crate::lower::compile::ContestToCompile;
use crate::optimize::OptimizationFlags;
use crate::source_map::error_of_first_faulty_file;
use crate::vm::code::{Program, SuspendKind, SuspendPoint};
use crate::vm::machine::Interpreter;
use crate::vm::snapshot::MAX_STATE_NUMBERS;
use crate::vm::state_stats::find_most_varied_name;
use enfilade_model::catalogue::Contest;
use enfilade_model::error::{FaultWithByteSpan, InputError};
use enfilade_model::form::{Fault, Form};

/// Builds the contest that `form` describes, without some of the optimizations. The distribution is
/// the same, so that tests can compare the two.
///
/// # Errors
/// Faults of the contest, or a state that is too large to save.
pub fn build_contest_with_optimizations(
    rulebook: &Rulebook,
    action: &str,
    form: &Form,
    thrift: OptimizationFlags,
) -> Result<Contest, Vec<Fault>> {
    let actions = &rulebook.system.actions;
    match actions.iter().position(|known| known.name == *action) {
        Some(at) => build_contest(&rulebook.game, at, form, thrift, &ProgramCache::default()),
        None => Err(vec![Fault::new("", format!("there is no action `{action}`"))]),
    }
}

/// Returns the reason why the action's rule cannot be played in the contest that `form` describes,
/// at its line of the rulebook. Faults of the contest itself do not count.
pub fn find_rule_unplayable_reason(
    rulebook: &Rulebook,
    action: usize,
    form: &Form,
) -> Option<InputError> {
    let game = Arc::clone(&rulebook.game);
    let request =
        ContestToCompile { game, action, form: form.clone(), flags: OptimizationFlags::default() };
    let (lowering, _) = request.prepare_lowering(LowerMode::Play).ok()?;
    let found: Vec<_> = match request.lower_or_locate_faults(lowering, LowerMode::Play, true) {
        Ok(compiled) => request.fault_if_state_too_large(&compiled.program).into_iter().collect(),
        Err(faults) => faults,
    };
    let mut faults = Faults::default();
    for FaultWithByteSpan { fault, span } in found {
        faults.add_fault_at_span(span, fault.problem, fault.help.unwrap_or_default());
    }
    (!faults.is_empty()).then(|| error_of_first_faulty_file(&rulebook.game.sources, faults))
}

/// State that a rule saves at one die.
#[derive(Clone, Debug)]
pub struct StateSavedAtDie {
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
pub enum StateCountExtent {
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
pub struct RuleStateByDie {
    /// Dice that are reached.
    pub dice: Vec<StateSavedAtDie>,
    /// Extent of the count.
    pub state_count: StateCountExtent,
}

/// Returns the state that the rule of `action` saves at each die, for the contest that `form`
/// describes.
///
/// # Errors
/// All faults of the contest.
pub fn inspect_saved_state(
    rulebook: &Rulebook,
    action: &str,
    form: &Form,
) -> Result<RuleStateByDie, Vec<Fault>> {
    let game = &rulebook.game;
    let actions = &rulebook.system.actions;
    let Some(at) = actions.iter().position(|known| known.name == *action) else {
        return Err(vec![Fault::new("", format!("there is no action `{action}`"))]);
    };
    let request = ContestToCompile {
        game: Arc::clone(game),
        action: at,
        form: form.clone(),
        flags: OptimizationFlags::default(),
    };
    let machine = Interpreter::new(request.compile(LowerMode::Trace, true)?.program, [].into());
    let mut counts = vec![0; machine.program.sites.len()];
    let counted = count_states_by_point(&machine, &mut counts);
    let is_wide = matches!(counted, StateCountExtent::TooWide(..));
    let sites = machine.program.sites.iter().zip(counts);
    let dice =
        sites.filter(|(site, states)| site.kind != SuspendKind::End && (is_wide || *states > 0));
    let saved_states = dice.map(|(site, states)| StateSavedAtDie {
        line: request.line_number(&site.span),
        names: names_saved_at_point(&machine.program, site),
        numbers: site.memory.room,
        states,
    });
    Ok(RuleStateByDie { dice: saved_states.collect(), state_count: counted })
}

/// Counts states by suspend point. Returns the extent of the count.
fn count_states_by_point(machine: &Interpreter, counts: &mut [usize]) -> StateCountExtent {
    let room = machine.program.state_width();
    if room > MAX_STATE_NUMBERS {
        return StateCountExtent::TooWide(room, MAX_STATE_NUMBERS);
    }
    let whole = machine.visit_states_up_to(MAX_COUNTED_STATES, |snap| {
        counts.get_mut(usize::from(snap.site)).into_iter().for_each(|count| *count += 1);
    });
    match whole {
        true => StateCountExtent::All,
        false => StateCountExtent::First(
            MAX_COUNTED_STATES as usize,
            find_most_varied_name(machine, MAX_STATES_FOR_NAME_SEARCH),
        ),
    }
}

/// Largest number of states in which the most varied name is sought.
const MAX_STATES_FOR_NAME_SEARCH: u32 = 1 << 13;

/// Largest number of states that are counted.
const MAX_COUNTED_STATES: u32 = 1 << 18;

/// Returns the distinct names saved at a suspend point; all unnamed values are one entry.
fn names_saved_at_point(program: &Program, site: &SuspendPoint) -> Vec<String> {
    let name = |reg: u8| site.names.iter().rev().find(|(known, _)| *known == reg);
    let mut names: Vec<String> = Vec::new();
    let mut nameless = 0;
    for reg in &site.memory.registers {
        match name(*reg) {
            Some((_, name)) => names.push(name.clone()),
            None => nameless += 1,
        }
    }
    for (bag, _) in &site.memory.bags {
        let bag = &program.bags[usize::from(*bag)];
        let name = name(bag.base).map_or("a bag", |(_, name)| name);
        let noun = if bag.size == 1 { "thing" } else { "things" };
        names.push(format!("{name} ({} {noun})", bag.size));
    }
    if nameless > 0 {
        names.push(format!("{nameless} of the dice and loops under way"));
    }
    let mut names_seen = HashSet::new();
    names.retain(|name| names_seen.insert(name.clone()));
    names
}
