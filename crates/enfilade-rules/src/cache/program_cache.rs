//! Program cache: contests that differ in numbers, words, switches and rows share one program and
//! load the difference as parameters.
//!
//! The first contest of a family is compiled with every number constant, which plays fastest,
//! except for the numbers that are known to vary in its grid. When the next contest differs in a
//! number, that number becomes a load at run time
//! ([`Instr::Field`](crate::vm::code::Instr::Field)), and all later contests share the program, so
//! that a cell of a grid costs no compilation. Numbers that shape the code (dice of a pool, sides,
//! turns of a loop) are never loaded. Contests with large graphs join no family, because their
//! graphs take longer than any compilation.
//!
//! A value that a part returns without rolling a die is computed from the parameters before the
//! rule is played ([`DerivedParameter`]), and is itself loaded or constant. If such a value shapes
//! the code, contests in which it is equal share a program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

use super::contest_numbers::{ContestAsNumbers, load_at_run_time, parameters_where};
use crate::lower::compile::{CompiledRule, ContestToCompile};
use crate::lower::{DerivedParameter, LowerMode, Lowering, ParameterSet};
use crate::vm::snapshot::MAX_STATE_NUMBERS;
use enfilade_model::form::Fault;
use enfilade_model::static_or_shared::Text;

/// Largest number of cached families.
const MAX_CACHED_FAMILIES: usize = 256;
/// Largest number of cached programs in all families.
const MAX_CACHED_PROGRAMS: usize = 2048;

/// Program for a contest.
pub struct CachedContestProgram {
    /// Compiled rule.
    pub program: Arc<CompiledRule>,
    /// Parameter values that the program may load.
    pub numbers: Box<[i64]>,
    /// Flag for contests of this kind with a large graph, set by the code that builds the graph.
    pub large: Arc<AtomicBool>,
}

/// Cached programs of a rulebook.
#[derive(Debug, Default)]
pub struct ProgramCache(Mutex<ProgramCacheState>);

#[derive(Debug, Default)]
struct ProgramCacheState {
    families: FxHashMap<Vec<i64>, ContestFamily>,
    /// Parameters that shaped a program, by a hash of their position: a finding in one family
    /// spares the next one the attempt.
    shapes: FxHashSet<u64>,
}

/// Contests that differ only in parameters. A word or a row is represented by its index, a switch
/// by 0 or 1.
#[derive(Debug)]
struct ContestFamily {
    /// Flag as in [`CachedContestProgram`].
    large: Arc<AtomicBool>,
    /// Numbers of the first contest.
    first: Vec<i64>,
    /// Parameters that have varied or are known to vary, as a bit set.
    varies: ParameterSet,
    /// Parameters that shape the code.
    shapes: ParameterSet,
    /// Values derived from the parameters, in the order of their first use.
    hoisted: Vec<Arc<DerivedParameter>>,
    /// Programs by the numbers that are constant in them.
    programs: FxHashMap<Vec<i64>, Arc<CompiledRule>>,
}

/// Result of a cache lookup.
enum CachedOrMissingProgram {
    Program(Arc<CompiledRule>),
    /// No program yet; the next one should load these parameters.
    Missing(ParameterSet),
}

impl ProgramCache {
    /// Returns the program of a contest with its parameter values.
    ///
    /// # Errors
    /// All faults of the contest.
    pub fn program_for_contest<'a>(
        &self,
        request: &'a ContestToCompile,
        mut lowering: Lowering<'a>,
    ) -> Result<CachedContestProgram, Vec<Fault>> {
        let mut contest = ContestAsNumbers::collect_before_lowering(&mut lowering);
        let (found, large) =
            self.lookup_cached_program(&mut contest, &mut lowering, request.form.grid_axes());
        let program = match found {
            CachedOrMissingProgram::Program(program) => program,
            CachedOrMissingProgram::Missing(parameters) => {
                let (mut program, parameters) = self.compile_with_loaded_parameters(
                    request,
                    lowering,
                    &mut contest,
                    parameters,
                )?;
                program.reads = contest.parameters_program_depends_on(&program.program, parameters);
                self.insert_cached_program(&contest, parameters, program)
            }
        };
        Ok(CachedContestProgram { program, numbers: contest.numbers.into(), large })
    }

    /// Compiles a program that loads as many of these parameters as possible, and returns it with
    /// the parameters that it does load: those that do not shape its code.
    fn compile_with_loaded_parameters<'a>(
        &self,
        request: &'a ContestToCompile,
        mut lowering: Lowering<'a>,
        contest: &mut ContestAsNumbers,
        mut parameters: ParameterSet,
    ) -> Result<(CompiledRule, ParameterSet), Vec<Fault>> {
        while parameters & contest.slots_given() != 0 {
            load_at_run_time(&mut lowering, parameters, contest);
            let shapes = match request.lower_to_compiled_rule(lowering, LowerMode::Play, true) {
                Ok(mut program) => {
                    let used_parameters = std::mem::take(&mut program.parameters);
                    (contest.numbers, contest.hoisted) =
                        (used_parameters.numbers, used_parameters.hoisted);
                    if used_parameters.shapes == 0
                        && program.program.state_width() <= MAX_STATE_NUMBERS
                    {
                        return Ok((program, parameters));
                    }
                    // The state is too large: compiles again with every parameter constant.
                    if used_parameters.shapes == 0 {
                        ParameterSet::MAX
                    } else {
                        used_parameters.shapes
                    }
                }
                Err(_) => ParameterSet::MAX,
            };
            // Compiles again with the shaping parameters constant.
            (lowering, _) = request.prepare_lowering(LowerMode::Play)?;
            self.note_code_shaping_parameters(contest, shapes, &mut lowering);
            parameters &= !shapes;
        }
        Ok((request.lower_to_compiled_rule(lowering, LowerMode::Play, true)?, 0))
    }

    /// Looks up the program of a contest and adds the values that its family derives. For the first
    /// contest of a grid the numbers that vary in other cells become parameters at once.
    fn lookup_cached_program(
        &self,
        contest: &mut ContestAsNumbers,
        lowering: &mut Lowering<'_>,
        moves: &[(Text, Text)],
    ) -> (CachedOrMissingProgram, Arc<AtomicBool>) {
        let mut state = self.0.lock();
        let ProgramCacheState { families, shapes } = &mut *state;
        if !families.contains_key(&contest.key) {
            if families.len() >= MAX_CACHED_FAMILIES {
                families.clear();
            }
            let action = lowering.scopes.action;
            let family = ContestFamily {
                large: Arc::default(),
                first: contest.numbers.clone(),
                varies: parameters_where(lowering, |site| site.varies_in_grid(moves)),
                shapes: parameters_where(lowering, |site| {
                    shapes.contains(&site.hash_of_position(action))
                }),
                hoisted: Vec::new(),
                programs: FxHashMap::default(),
            };
            families.insert(contest.key.clone(), family);
        }
        let Some(family) = families.get_mut(&contest.key) else { unreachable!("it was put there") };
        let large = Arc::clone(&family.large);
        if large.load(Ordering::Relaxed) {
            return (CachedOrMissingProgram::Missing(0), large);
        }
        family.update_varying_parameters(&contest.numbers);
        for settled in &family.hoisted {
            match settled.evaluate(&contest.numbers) {
                Some(number) => contest.numbers.push(number),
                // The fault is reported when the rule reaches this value.
                None => return (CachedOrMissingProgram::Missing(0), large),
            }
        }
        let lookup = match family.programs.get(&family.constants_of_contest(contest)) {
            Some(program) => CachedOrMissingProgram::Program(Arc::clone(program)),
            None => {
                contest.hoisted.clone_from(&family.hoisted);
                CachedOrMissingProgram::Missing(family.parameters_to_load(contest))
            }
        };
        (lookup, large)
    }

    /// Stores a program for later contests, unless another one has taken its place meanwhile or the
    /// graphs are large.
    fn insert_cached_program(
        &self,
        contest: &ContestAsNumbers,
        parameters: ParameterSet,
        program: CompiledRule,
    ) -> Arc<CompiledRule> {
        let program = Arc::new(program);
        let mut state = self.0.lock();
        if state.families.values().map(|family| family.programs.len()).sum::<usize>()
            >= MAX_CACHED_PROGRAMS
        {
            state.families.values_mut().for_each(|family| family.programs.clear());
        }
        if let Some(family) = state.families.get_mut(&contest.key)
            && family.parameters_to_load(contest) == parameters
            && !family.large.load(Ordering::Relaxed)
            && family.matches_hoisted_or_adopts_more(contest)
        {
            family.programs.insert(family.constants_of_contest(contest), Arc::clone(&program));
        }
        program
    }

    /// Notes parameters that shape the code.
    fn note_code_shaping_parameters(
        &self,
        contest: &ContestAsNumbers,
        shapes: ParameterSet,
        lowering: &mut Lowering<'_>,
    ) {
        let mut state = self.0.lock();
        if let Some(family) = state.families.get_mut(&contest.key) {
            let own = if family.matches_hoisted_or_adopts_more(contest) {
                ParameterSet::MAX
            } else {
                contest.slots_given()
            };
            family.shapes |= shapes & own;
            family.programs.clear();
        }
        if shapes != ParameterSet::MAX {
            let (action, mut slot) = (lowering.scopes.action, 0);
            parameters_where(lowering, |site| {
                if shapes >> slot & 1 == 1 {
                    state.shapes.insert(site.hash_of_position(action));
                }
                slot += 1;
                false
            });
        }
    }

    /// Returns the number of cached programs.
    pub fn len(&self) -> usize {
        let state = self.0.lock();
        state.families.values().map(|family| family.programs.len()).sum()
    }
}

impl ContestFamily {
    /// Notes which numbers differ from those of the first contest, and drops programs in which they
    /// are constant.
    fn update_varying_parameters(&mut self, numbers: &[i64]) {
        let differs = numbers.iter().zip(&self.first).enumerate();
        let differs = differs.filter(|(_, (now, first))| now != first);
        let varies = differs.fold(self.varies, |varies, (at, _)| varies | 1 << at);
        if varies != self.varies {
            self.varies = varies;
            self.programs.clear();
        }
    }

    /// Returns the parameters that the programs load, all derived values included; none if nothing
    /// varies.
    fn parameters_to_load(&self, contest: &ContestAsNumbers) -> ParameterSet {
        match self.varies & !self.shapes {
            0 => 0,
            parameters => {
                (parameters | !contest.slots_given()) & !self.shapes & ParameterSet::MAX >> 1
            }
        }
    }

    /// Returns the numbers that are constant in the programs; 0 for each that is loaded.
    fn constants_of_contest(&self, contest: &ContestAsNumbers) -> Vec<i64> {
        let parameters = self.parameters_to_load(contest);
        let numbers = contest.numbers.iter().enumerate();
        let constants =
            numbers.map(|(at, number)| if parameters >> at & 1 == 1 { 0 } else { *number });
        let mut constants: Vec<i64> = constants.collect();
        // The next contest may derive more values.
        constants
            .truncate(constants.iter().rposition(|number| *number != 0).map_or(0, |last| last + 1));
        constants
    }

    /// Returns whether the family derives the same values as a contest at the same positions, and
    /// adopts any that the contest has in addition.
    fn matches_hoisted_or_adopts_more(&mut self, contest: &ContestAsNumbers) -> bool {
        let reckons = contest.hoisted.starts_with(&self.hoisted)
            && contest.numbers.len() == contest.given_count + contest.hoisted.len();
        if reckons {
            self.hoisted.clone_from(&contest.hoisted);
        }
        reckons
    }
}
