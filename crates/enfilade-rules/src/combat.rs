//! Contests of a rulebook: each is compiled to a program, played and traced.

use std::sync::{Arc, OnceLock};

use crate::cache::program_cache::{CachedContestProgram, ProgramCache};
use crate::diagnostics::RuleRunFailure;
use crate::lower::LowerMode;
use crate::lower::compile::{CompiledRule, ContestToCompile};
use crate::optimize::OptimizationFlags;
use crate::resolve::game::ResolvedRulebook;
use crate::trace::TraceContext;
use crate::value_types::ContestValue;
use crate::vm::code::Program;
use crate::vm::machine::Interpreter;
use crate::vm::state_stats::find_most_varied_name;
use enfilade_model::catalogue::Contest;
use enfilade_model::combat::frontier::FrontierStateSet;
use enfilade_model::combat::{
    AnyCombat, CombatStepExplanation, Decision, Ending, ErasedCombat, FieldChange,
    SharedStructureSlot, StateNumbering,
};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_model::error::RuleRuntimeError;
use enfilade_model::form::{Fault, Form};

/// Builds the contest that a form describes.
///
/// # Errors
/// All faults of the form.
pub fn build_contest(
    game: &Arc<ResolvedRulebook>,
    action: usize,
    form: &Form,
    thrift: OptimizationFlags,
    cache: &ProgramCache,
) -> Result<Contest, Vec<Fault>> {
    let request =
        ContestToCompile { game: Arc::clone(game), action, form: form.clone(), flags: thrift };
    let (lowering, mut notes) = request.prepare_lowering(LowerMode::Play)?;
    let CachedContestProgram { program: compiled, numbers, large } =
        cache.program_for_contest(&request, lowering)?;
    if let Some(fault) = request.fault_if_state_too_large(&compiled.program) {
        return Err(vec![request.add_line_number_and_file(fault)]);
    }
    notes.extend_from_slice(&compiled.notes);
    let grows = game.action_facts[action].size_fields.clone();
    let heads = compiled.heads.clone();
    let machine =
        Interpreter::new(Arc::clone(&compiled.program), numbers).with_flag_for_many_states(large);
    let undecided = compiled.decisions.is_empty();
    let alike = undecided
        .then(|| compiled.shared_contests.structure_shared_at_first_die(&machine))
        .flatten();
    let played = RuleCombat { machine, alike, traced: OnceLock::new(), request, compiled };
    Ok(Contest {
        combat: AnyCombat::from_erased_combat(Box::new(played), heads),
        notes,
        grows_with: grows,
    })
}

/// Returns the number at the path of a form's field, explicit or computed.
pub fn form_field_number_at_path(
    game: &Arc<ResolvedRulebook>,
    action: usize,
    form: &Form,
    path: &str,
) -> Option<i64> {
    let (game_of, form, flags) = (Arc::clone(game), form.clone(), OptimizationFlags::default());
    let request = ContestToCompile { game: game_of, action, form, flags };
    let (lowering, _) = request.prepare_lowering(LowerMode::Play).ok()?;
    let (outer, inner) = path.split_once('.').unwrap_or((path, ""));
    let (name, entry) = outer.split_once('[').unwrap_or((outer, "0]"));
    let own =
        lowering.scopes.own_fields.iter().find(|(own, ..)| *own == name).map(|(_, value, _)| value);
    let top = || {
        let at = game.fields.iter().position(|field| field.name.text == name)?;
        lowering.scopes.fields[at].as_ref().map(|(value, _)| value)
    };
    match own.or_else(top)? {
        ContestValue::List(items, _) => {
            let entry = entry.strip_suffix(']')?.parse::<usize>().ok()?;
            let record = items.get(entry).filter(|item| matches!(item, ContestValue::Record(_)));
            contest_number_at_path(game, record?, inner)
        }
        fixed => contest_number_at_path(game, fixed, inner),
    }
}

fn contest_number_at_path(
    game: &ResolvedRulebook,
    fixed: &ContestValue,
    path: &str,
) -> Option<i64> {
    let (name, inner) = path.split_once('.').unwrap_or((path, ""));
    match fixed {
        ContestValue::Number(range) if path.is_empty() => range.only_number(),
        ContestValue::Record(_) => {
            contest_number_at_path(game, game.find_member_of_value(fixed, name)?, inner)
        }
        _ => None,
    }
}

/// Rule of a rulebook with its contest.
struct RuleCombat {
    machine: Interpreter,
    /// Structure shared with equivalent contests; `None` if players have decisions.
    alike: Option<Arc<SharedStructureSlot>>,
    /// Traced version of the rule, compiled on first use.
    traced: OnceLock<Option<Interpreter>>,
    request: ContestToCompile,
    compiled: Arc<CompiledRule>,
}

impl ErasedCombat for RuleCombat {
    fn recorded_rule_fault(&self) -> Option<RuleRuntimeError> {
        let traced = self.traced.get().and_then(Option::as_ref);
        let broken = self.machine.failure.get();
        let broken = broken.or_else(|| traced.and_then(|traced| traced.failure.get()))?;
        let RuleRunFailure { span, problem, help } = broken.clone();
        let fault = Fault::new("", problem);
        let fault = if help.is_empty() { fault } else { fault.with_help(help) };
        let error = RuleRuntimeError::new(fault);
        Some(match self.request.text_and_span_in_file(&span) {
            Some(passage) => error.with_rulebook_place(passage),
            None => error,
        })
    }

    fn decisions(&self) -> &[Decision] {
        &self.compiled.decisions
    }

    fn structure_cache_slot(&self) -> Option<&Arc<SharedStructureSlot>> {
        self.alike.as_ref()
    }

    fn new_state_numbering(&self) -> Box<dyn StateNumbering + '_> {
        if self.machine.program.repeats {
            self.machine.find_pool_loops_once(Program::find_pool_loops);
        }
        self.machine.new_state_numbering()
    }

    fn new_empty_frontier(&self) -> Box<dyn FrontierStateSet + '_> {
        self.machine.find_pool_loops_once(Program::find_pool_loops).new_empty_frontier()
    }

    fn new_stepwise_frontier(&self) -> Option<Box<dyn FrontierStateSet + '_>> {
        Some(self.machine.new_die_by_die_frontier())
    }

    fn largest_rule_number(&self) -> Option<i64> {
        Some(self.machine.largest_number())
    }

    fn scale_numbers_down(&self, share: f64) -> Option<AnyCombat> {
        let ContestToCompile { game, action, form, flags: thrift } = &self.request;
        let (game, form) = (Arc::clone(game), form.clone());
        let played = RuleCombat {
            machine: self.machine.with_scaled_numbers(share),
            alike: None,
            traced: OnceLock::new(),
            request: ContestToCompile { game, action: *action, form, flags: *thrift },
            compiled: Arc::clone(&self.compiled),
        };
        Some(AnyCombat::from_erased_combat(Box::new(played), self.compiled.heads.clone()))
    }

    fn with_variable_names(&self) -> Option<AnyCombat> {
        let ContestToCompile { game, action, form, flags: thrift } = &self.request;
        let compiled = self.request.compile(LowerMode::Trace, true).ok()?;
        let (game, form) = (Arc::clone(game), form.clone());
        let heads = compiled.heads.clone();
        let played = RuleCombat {
            machine: Interpreter::new(Arc::clone(&compiled.program), [].into()),
            alike: None,
            traced: OnceLock::new(),
            request: ContestToCompile { game, action: *action, form, flags: *thrift },
            compiled: Arc::new(compiled),
        };
        Some(AnyCombat::from_erased_combat(Box::new(played), heads))
    }

    fn find_widest_variable(&self, most: u32) -> Option<(String, usize)> {
        let compiled = self.request.compile(LowerMode::Trace, true).ok()?;
        find_most_varied_name(&Interpreter::new(compiled.program, [].into()), most)
    }

    fn play_one_trial(
        &self,
        dice: &mut dyn Dice,
        max_steps: u64,
        left: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending> {
        self.machine.play_one_trial(dice, max_steps, left)
    }

    fn play_with_step_listener(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[RolledDie], CombatStepExplanation) -> bool,
        left: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending> {
        let traced = self.traced.get_or_init(|| {
            let compiled = self.request.compile(LowerMode::Trace, false).ok()?;
            Some(Interpreter::new(compiled.program, [].into()))
        });
        let traced = traced.as_ref()?;
        let tales = TraceContext {
            game: &self.request.game,
            policy: &self.machine,
            decisions: &self.compiled.decisions,
        };
        traced.play_and_explain_steps(&tales, dice, listen, left)
    }
}
