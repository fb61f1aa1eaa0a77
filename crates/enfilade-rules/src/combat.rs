//! Contests of a rulebook: each is compiled to a program, played and traced.

use std::sync::{Arc, OnceLock};

use crate::cache::program_cache::{CachedProgram, ProgramCache};
use crate::diagnostics::RunFailure;
use crate::lower::LowerMode;
use crate::lower::compile::{CompileRequest, CompiledRule};
use crate::optimize::OptFlags;
use crate::resolve::game::Game;
use crate::trace::TraceContext;
use crate::value_types::ContestValue;
use crate::vm::code::Program;
use crate::vm::machine::Interpreter;
use crate::vm::state_stats::find_widest_variable;
use enfilade_model::catalogue::Contest;
use enfilade_model::combat::frontier::Frontier;
use enfilade_model::combat::{
    AnyCombat, Decision, Ending, ErasedCombat, Explanation, FieldChange, SharedStructure,
    StateNumbering,
};
use enfilade_model::dice::{Dice, Roll};
use enfilade_model::error::RuleError;
use enfilade_model::form::{Fault, Form};

/// Builds the contest that a form describes.
///
/// # Errors
/// All faults of the form.
pub fn build_contest(
    game: &Arc<Game>,
    action: usize,
    form: &Form,
    thrift: OptFlags,
    kept: &ProgramCache,
) -> Result<Contest, Vec<Fault>> {
    let asked =
        CompileRequest { game: Arc::clone(game), action, form: form.clone(), flags: thrift };
    let (lowering, mut notes) = asked.instantiate(LowerMode::Play)?;
    let CachedProgram { program: compiled, numbers, large } = kept.program_for(&asked, lowering)?;
    if let Some(fault) = asked.state_overflow_fault(&compiled.program) {
        return Err(vec![asked.fault_as_text(fault)]);
    }
    notes.extend_from_slice(&compiled.notes);
    let grows = game.action_facts[action].size_fields.clone();
    let heads = compiled.heads.clone();
    let machine = Interpreter::new(Arc::clone(&compiled.program), numbers).with_large_flag(large);
    let undecided = compiled.decisions.is_empty();
    let alike = undecided.then(|| compiled.shared_contests.shared_structure(&machine)).flatten();
    let played = RuleCombat { machine, alike, told: OnceLock::new(), asked, compiled };
    Ok(Contest {
        combat: AnyCombat::from_erased(Box::new(played), heads),
        notes,
        grows_with: grows,
    })
}

/// Returns the number at the path of a form's field, explicit or computed.
pub fn evaluate_field(game: &Arc<Game>, action: usize, form: &Form, path: &str) -> Option<i64> {
    let asked = CompileRequest {
        game: Arc::clone(game),
        action,
        form: form.clone(),
        flags: OptFlags::default(),
    };
    let (lowering, _) = asked.instantiate(LowerMode::Play).ok()?;
    let (outer, inner) = path.split_once('.').unwrap_or((path, ""));
    let (name, entry) = outer.split_once('[').unwrap_or((outer, "0]"));
    let own = lowering.scopes.own.iter().find(|(own, ..)| *own == name).map(|(_, value, _)| value);
    let top = || {
        let at = game.fields.iter().position(|field| field.name.text == name)?;
        lowering.scopes.fields[at].as_ref().map(|(value, _)| value)
    };
    match own.or_else(top)? {
        ContestValue::List(items, _) => {
            let entry = entry.strip_suffix(']')?.parse::<usize>().ok()?;
            let record = items.get(entry).filter(|item| matches!(item, ContestValue::Record(_)));
            find_number(game, record?, inner)
        }
        fixed => find_number(game, fixed, inner),
    }
}

fn find_number(game: &Game, fixed: &ContestValue, path: &str) -> Option<i64> {
    let (name, inner) = path.split_once('.').unwrap_or((path, ""));
    match fixed {
        ContestValue::Number(range) if path.is_empty() => range.as_constant(),
        ContestValue::Record(_) => find_number(game, game.member(fixed, name)?, inner),
        _ => None,
    }
}

/// Rule of a rulebook with its contest.
struct RuleCombat {
    machine: Interpreter,
    /// Structure shared with equivalent contests; `None` if players have decisions.
    alike: Option<Arc<SharedStructure>>,
    /// Traced version of the rule, compiled on first use.
    told: OnceLock<Option<Interpreter>>,
    asked: CompileRequest,
    compiled: Arc<CompiledRule>,
}

impl ErasedCombat for RuleCombat {
    fn fault(&self) -> Option<RuleError> {
        let told = self.told.get().and_then(Option::as_ref);
        let broken = self.machine.failure.get();
        let broken = broken.or_else(|| told.and_then(|told| told.failure.get()))?;
        let RunFailure { span, problem, help } = broken.clone();
        let fault = Fault::new("", problem);
        let fault = if help.is_empty() { fault } else { fault.with_help(help) };
        let mishap = RuleError::new(fault);
        Some(match self.asked.rule_excerpt(&span) {
            Some(passage) => mishap.with_excerpt(passage),
            None => mishap,
        })
    }

    fn decisions(&self) -> &[Decision] {
        &self.compiled.decisions
    }

    fn structure_slot(&self) -> Option<&Arc<SharedStructure>> {
        self.alike.as_ref()
    }

    fn start_numbering(&self) -> Box<dyn StateNumbering + '_> {
        self.machine.build_states()
    }

    fn new_frontier(&self) -> Box<dyn Frontier + '_> {
        self.machine.with_pools(Program::find_pool_loops).new_frontier()
    }

    fn largest_number(&self) -> Option<i64> {
        Some(self.machine.largest_number())
    }

    fn scale_down(&self, share: f64) -> Option<AnyCombat> {
        let CompileRequest { game, action, form, flags: thrift } = &self.asked;
        let (game, form) = (Arc::clone(game), form.clone());
        let played = RuleCombat {
            machine: self.machine.scale_down(share),
            alike: None,
            told: OnceLock::new(),
            asked: CompileRequest { game, action: *action, form, flags: *thrift },
            compiled: Arc::clone(&self.compiled),
        };
        Some(AnyCombat::from_erased(Box::new(played), self.compiled.heads.clone()))
    }

    fn named(&self) -> Option<AnyCombat> {
        let CompileRequest { game, action, form, flags: thrift } = &self.asked;
        let compiled = self.asked.compile(LowerMode::Trace, true).ok()?;
        let (game, form) = (Arc::clone(game), form.clone());
        let heads = compiled.heads.clone();
        let played = RuleCombat {
            machine: Interpreter::new(Arc::clone(&compiled.program), [].into()),
            alike: None,
            told: OnceLock::new(),
            asked: CompileRequest { game, action: *action, form, flags: *thrift },
            compiled: Arc::new(compiled),
        };
        Some(AnyCombat::from_erased(Box::new(played), heads))
    }

    fn find_widest_variable(&self, most: u32) -> Option<(String, usize)> {
        let compiled = self.asked.compile(LowerMode::Trace, true).ok()?;
        find_widest_variable(&Interpreter::new(compiled.program, [].into()), most)
    }

    fn play(
        &self,
        dice: &mut dyn Dice,
        max_steps: u64,
        left: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending> {
        self.machine.play(dice, max_steps, left)
    }

    fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
        left: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending> {
        let told = self.told.get_or_init(|| {
            let compiled = self.asked.compile(LowerMode::Trace, false).ok()?;
            Some(Interpreter::new(compiled.program, [].into()))
        });
        let told = told.as_ref()?;
        let tales = TraceContext {
            game: &self.asked.game,
            policy: &self.machine,
            decisions: &self.compiled.decisions,
        };
        told.play_traced(&tales, dice, listen, left)
    }
}
