//! Contests of a rulebook: each is compiled to a program, played and traced.

use std::sync::{Arc, OnceLock};

use crate::cache::program_cache::{Kept, Ready};
use crate::diagnostics::Broken;
use crate::lower::Why;
use crate::lower::compile::{Asked, Compiled};
use crate::optimize::Thrift;
use crate::resolve::game::Game;
use crate::trace::Tales;
use crate::types::Fixed;
use crate::vm::code::Program;
use crate::vm::machine::Machine;
use crate::vm::state_stats::widest;
use enfilade_model::catalogue::Contest;
use enfilade_model::combat::frontier::Front;
use enfilade_model::combat::{
    Alike, AnyCombat, Decision, Ending, ErasedCombat, Explanation, Later, States,
};
use enfilade_model::dice::{Dice, Roll};
use enfilade_model::error::Mishap;
use enfilade_model::form::{Fault, Form};

/// Builds the contest that a form describes.
///
/// # Errors
/// All faults of the form.
pub fn contest(
    game: &Arc<Game>,
    action: usize,
    form: &Form,
    thrift: Thrift,
    kept: &Kept,
) -> Result<Contest, Vec<Fault>> {
    let asked = Asked { game: Arc::clone(game), action, form: form.clone(), thrift };
    let (lowering, mut notes) = asked.filled(Why::Play)?;
    let Ready { program: compiled, numbers, large } = kept.program(&asked, lowering)?;
    if let Some(fault) = asked.too_wide(&compiled.program) {
        return Err(vec![asked.in_words(fault)]);
    }
    notes.extend_from_slice(&compiled.notes);
    let grows = game.found[action].grows.clone();
    let heads = compiled.heads.clone();
    let machine = Machine::new(Arc::clone(&compiled.program), numbers).noting(large);
    let undecided = compiled.decisions.is_empty();
    let alike = undecided.then(|| compiled.held.alike(&machine)).flatten();
    let played = Played { machine, alike, told: OnceLock::new(), asked, compiled };
    Ok(Contest { combat: AnyCombat::of_erased(Box::new(played), heads), notes, grows_with: grows })
}

/// Returns the number at the path of a form's field, explicit or computed.
pub fn reckoned(game: &Arc<Game>, action: usize, form: &Form, path: &str) -> Option<i64> {
    let asked =
        Asked { game: Arc::clone(game), action, form: form.clone(), thrift: Thrift::default() };
    let (lowering, _) = asked.filled(Why::Play).ok()?;
    let (outer, inner) = path.split_once('.').unwrap_or((path, ""));
    let (name, entry) = outer.split_once('[').unwrap_or((outer, "0]"));
    let own = lowering.scopes.own.iter().find(|(own, ..)| *own == name).map(|(_, value, _)| value);
    let top = || {
        let at = game.fields.iter().position(|field| field.name.text == name)?;
        lowering.scopes.fields[at].as_ref().map(|(value, _)| value)
    };
    match own.or_else(top)? {
        Fixed::List(items, _) => {
            let entry = entry.strip_suffix(']')?.parse::<usize>().ok()?;
            let record = items.get(entry).filter(|item| matches!(item, Fixed::Record(_)));
            number_in(game, record?, inner)
        }
        fixed => number_in(game, fixed, inner),
    }
}

fn number_in(game: &Game, fixed: &Fixed, path: &str) -> Option<i64> {
    let (name, inner) = path.split_once('.').unwrap_or((path, ""));
    match fixed {
        Fixed::Number(range) if path.is_empty() => range.known(),
        Fixed::Record(_) => number_in(game, game.inside(fixed, name)?, inner),
        _ => None,
    }
}

/// Rule of a rulebook with its contest.
struct Played {
    machine: Machine,
    /// Structure shared with equivalent contests; `None` if players have decisions.
    alike: Option<Arc<Alike>>,
    /// Traced version of the rule, compiled on first use.
    told: OnceLock<Option<Machine>>,
    asked: Asked,
    compiled: Arc<Compiled>,
}

impl ErasedCombat for Played {
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

    fn alike(&self) -> Option<&Arc<Alike>> {
        self.alike.as_ref()
    }

    fn states(&self) -> Box<dyn States + '_> {
        self.machine.states()
    }

    fn front(&self) -> Box<dyn Front + '_> {
        self.machine.knowing_pools(Program::pools).front()
    }

    fn largest(&self) -> Option<i64> {
        Some(self.machine.largest())
    }

    fn smaller(&self, share: f64) -> Option<AnyCombat> {
        let Asked { game, action, form, thrift } = &self.asked;
        let (game, form) = (Arc::clone(game), form.clone());
        let played = Played {
            machine: self.machine.smaller(share),
            alike: None,
            told: OnceLock::new(),
            asked: Asked { game, action: *action, form, thrift: *thrift },
            compiled: Arc::clone(&self.compiled),
        };
        Some(AnyCombat::of_erased(Box::new(played), self.compiled.heads.clone()))
    }

    fn named(&self) -> Option<AnyCombat> {
        let Asked { game, action, form, thrift } = &self.asked;
        let compiled = self.asked.compiled(Why::Tell, true).ok()?;
        let (game, form) = (Arc::clone(game), form.clone());
        let heads = compiled.heads.clone();
        let played = Played {
            machine: Machine::new(Arc::clone(&compiled.program), [].into()),
            alike: None,
            told: OnceLock::new(),
            asked: Asked { game, action: *action, form, thrift: *thrift },
            compiled: Arc::new(compiled),
        };
        Some(AnyCombat::of_erased(Box::new(played), heads))
    }

    fn remembers(&self, most: u32) -> Option<(String, usize)> {
        let compiled = self.asked.compiled(Why::Tell, true).ok()?;
        widest(&Machine::new(compiled.program, [].into()), most)
    }

    fn play(
        &self,
        dice: &mut dyn Dice,
        max_steps: u64,
        left: Option<&mut Vec<Later>>,
    ) -> Option<Ending> {
        self.machine.play(dice, max_steps, left)
    }

    fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
        left: Option<&mut Vec<Later>>,
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
        told.narrate(&tales, dice, listen, left)
    }
}
