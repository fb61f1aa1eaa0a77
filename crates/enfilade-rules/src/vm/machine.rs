//! Interpreter of a program: runs from one die to the next, with live registers alone in between.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use super::best_faces::insert_among_best;
use super::checked_numbers::{
    check_fits_variable, checked_binary_op, index_fault_text, list_register, overflow_fault_text,
};
use super::code::{
    FaceMergePoint, Instr, LookupListCell, OutcomeRegisterOrConstant, PossibleRuntimeFault,
    Program, Registers, SuspendKind, SuspendPoint,
};
use super::dice_after_end::DiceForDicelessCode;
use super::pool_loop::PoolLoop;
use super::snapshot::{MAX_STATE_NUMBERS, RuleSnapshot};
use super::stop_reason::StopReason;
use crate::diagnostics::InstrError;
pub use crate::diagnostics::RuleRunFailure;
use enfilade_model::combat::{
    ChosenOptionWithMeans, DiceAnsweringDecisions, Ending, FieldChange, MAX_OUTCOME_COLUMNS,
    SolvedPolicy,
};
use enfilade_model::dice::Dice;

/// Largest number of jumps between two dice.
const MAX_JUMPS_PER_STEP: u32 = 100_000;

/// Program that is ready to be played.
pub struct Interpreter {
    /// Program.
    pub program: Arc<Program>,
    /// Values of the parameters.
    pub(crate) numbers: Box<[i64]>,
    /// First failure.
    pub failure: OnceLock<RuleRunFailure>,
    /// Policy of the players' decisions, by state.
    pub(crate) policy: SolvedPolicy<RuleSnapshot<MAX_STATE_NUMBERS>>,
    /// Progress of the suspend points, computed on first use.
    progress: OnceLock<Box<[u32]>>,
    /// Pool loops by suspend point, once they are searched for.
    pools: OnceLock<Box<[Option<PoolLoop>]>>,
    /// Flag for a contest with many states.
    pub(crate) large: Arc<AtomicBool>,
}

impl Interpreter {
    /// Creates an interpreter for `program` with the values of its parameters.
    pub fn new(program: Arc<Program>, numbers: Box<[i64]>) -> Interpreter {
        let (broken, headways, pools) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let (policy, large) = (SolvedPolicy::default(), Arc::default());
        Interpreter { program, numbers, failure: broken, policy, progress: headways, pools, large }
    }

    /// Sets the flag that is raised when the contest has many states.
    pub fn with_flag_for_many_states(self, large: Arc<AtomicBool>) -> Interpreter {
        Interpreter { large, ..self }
    }

    /// Returns the progress at a suspend point; 0 before the first line.
    pub(crate) fn progress_at(&self, site: u16) -> u32 {
        let headways = self.progress.get_or_init(|| self.program.code_progress_of_suspend_points());
        headways.get(usize::from(site)).copied().unwrap_or(0)
    }

    /// Stores the pool loops that `find` finds, unless they are known already.
    pub fn find_pool_loops_once(
        &self,
        find: fn(&Program) -> Box<[Option<PoolLoop>]>,
    ) -> &Interpreter {
        self.pools.get_or_init(|| find(&self.program));
        self
    }

    /// Returns the pool loop of a suspend point's die, if pool loops are known.
    pub(crate) fn pool_loop_at(&self, site: u16) -> Option<&PoolLoop> {
        self.pools.get()?.get(usize::from(site))?.as_ref()
    }

    /// Plays one trial; `None` after `max_steps` dice, or at an unsolved decision.
    pub fn play_one_trial(
        &self,
        dice: &mut dyn Dice,
        max_steps: u64,
        left: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending> {
        let mut regs = [0; 256];
        let mut stop = self.run_to_die_or_decision(&mut regs, 0, dice);
        for _ in 0..max_steps {
            stop = match stop {
                StopReason::Suspend(site) if self.is_decision_point(site) => {
                    let mut dice = DiceAnsweringDecisions::new(&mut *dice);
                    dice.start_step_with_options(self.best_option_at(&regs, site));
                    let next = self.roll_and_run(&mut regs, site, &mut dice);
                    self.note_unsolved_decision(&dice)?;
                    next
                }
                StopReason::Suspend(site) => self.roll_and_run(&mut regs, site, dice),
                _ => break,
            }
        }
        match stop {
            StopReason::Suspend(_) | StopReason::Merge(_) | StopReason::Memo(_) => None,
            StopReason::End | StopReason::Halt => {
                Some(self.build_ending_and_carried(&mut regs, left))
            }
            StopReason::Failed(broken) => Some(self.record_failure(broken)),
        }
    }

    pub(crate) fn is_decision_point(&self, site: u16) -> bool {
        self.program.sites[usize::from(site)].kind.decision().is_some()
    }

    /// Returns the best option at a decision.
    pub(crate) fn best_option_at(&self, regs: &Registers, site: u16) -> &[ChosenOptionWithMeans] {
        match self.save_snapshot::<MAX_STATE_NUMBERS>(regs, site) {
            Ok(snap) => self.policy.chosen_options_in(&snap),
            Err(_) => &[],
        }
    }

    /// Notes a decision that the policy does not contain.
    pub(crate) fn note_unsolved_decision<D: Dice>(
        &self,
        dice: &DiceAnsweringDecisions<D>,
    ) -> Option<()> {
        let Some(error) = dice.unsolved_decision_error() else {
            return Some(());
        };
        let _ = self.failure.set(RuleRunFailure {
            span: 0..0,
            problem: error.fault.problem,
            help: error.fault.help.unwrap_or_default(),
        });
        None
    }

    /// Records a failure, and returns the ending of a failed run.
    pub(crate) fn record_failure(&self, broken: RuleRunFailure) -> Ending {
        // Only the first failure is reported.
        let _ = self.failure.set(broken);
        Ending { fields: [0; MAX_OUTCOME_COLUMNS], weights: [0; MAX_OUTCOME_COLUMNS] }
    }

    /// Returns the ending of a finished rule.
    pub(crate) fn ending_of_rule(&self, regs: &mut Registers) -> Ending {
        let mut ending =
            Ending { fields: [0; MAX_OUTCOME_COLUMNS], weights: [0; MAX_OUTCOME_COLUMNS] };
        let value = |shown: &OutcomeRegisterOrConstant, regs: &Registers| match shown {
            OutcomeRegisterOrConstant::Register(reg) => regs[usize::from(*reg)] as i32,
            OutcomeRegisterOrConstant::Constant(value) => *value,
        };
        for (place, (shown, word)) in ending.fields.iter_mut().zip(&self.program.columns) {
            let value = value(shown, regs);
            *place = word.map_or(value, |word| (value == word).into());
        }
        let end = self.end_suspend_point().at as usize;
        // No die is rolled after the end.
        if let StopReason::Failed(broken) =
            self.run_to_die_or_decision(regs, end + 1, &mut DiceForDicelessCode)
        {
            return self.record_failure(broken);
        }
        for (place, shown) in ending.weights.iter_mut().zip(&self.program.weights) {
            *place = value(shown, regs);
        }
        ending
    }

    pub(crate) fn end_suspend_point(&self) -> &SuspendPoint {
        &self.program.sites[self.program.sites.len() - 1]
    }

    /// Rolls the die of a suspend point and runs to the next one.
    pub(crate) fn roll_and_run(
        &self,
        regs: &mut Registers,
        site: u16,
        dice: &mut dyn Dice,
    ) -> StopReason {
        self.roll_and_run_traced(regs, site, dice, &mut |_, _| {})
    }

    /// Rolls the die unless `rolled` is its face; runs to the next, a merge or a memo point.
    pub(crate) fn roll_and_run_to_merge(
        &self,
        regs: &mut Registers,
        site: u16,
        way: Option<&FaceMergePoint>,
        rolled: Option<u8>,
        dice: &mut dyn Dice,
    ) -> StopReason {
        let stopped = &self.program.sites[usize::from(site)];
        match rolled.map_or_else(|| self.face_or_option_at_stop(regs, stopped, dice), Ok) {
            Ok(face) => regs[usize::from(stopped.into)] = face.into(),
            Err(stop) => return stop,
        }
        let from = stopped.at as usize + 1;
        match way {
            Some(way) => self.run_to::<true, true>(regs, from, way.at, dice, &mut |_, _| {}),
            None => self.run_to_die_or_memo(regs, from, dice),
        }
    }

    /// Runs to the next die or memo point.
    pub(crate) fn run_to_die_or_memo(
        &self,
        regs: &mut Registers,
        from: usize,
        dice: &mut dyn Dice,
    ) -> StopReason {
        self.run_to::<false, true>(regs, from, [0; 2], dice, &mut |_, _| {})
    }

    pub(crate) fn roll_and_run_traced(
        &self,
        regs: &mut Registers,
        site: u16,
        dice: &mut dyn Dice,
        tell: &mut impl FnMut(u16, &Registers),
    ) -> StopReason {
        let stopped = &self.program.sites[usize::from(site)];
        match self.face_or_option_at_stop(regs, stopped, dice) {
            Ok(face) => regs[usize::from(stopped.into)] = face.into(),
            Err(stop) => return stop,
        }
        self.run_to_next_die_traced(regs, stopped.at as usize + 1, dice, tell)
    }

    /// Returns the face of a die, or the option of a decision.
    fn face_or_option_at_stop(
        &self,
        regs: &Registers,
        stopped: &SuspendPoint,
        dice: &mut dyn Dice,
    ) -> Result<u8, StopReason> {
        Ok(match stopped.kind {
            SuspendKind::Die(sides) => dice.die(sides),
            SuspendKind::DieOf(reg, least) => {
                let sides = regs[usize::from(reg)];
                match u8::try_from(sides).ok().filter(|n| (least..=100).contains(n)) {
                    Some(1) => 1,
                    Some(sides) => dice.die(sides),
                    None => return Err(self.wrong_sides_failure(stopped, sides)),
                }
            }
            SuspendKind::Choice(decision, options) => dice.choose(decision, options),
            SuspendKind::ChoiceOf(decision, options, source) => {
                let open = source
                    .read(regs, options)
                    .map_err(|problem| self.closed_options_failure(stopped, problem))?;
                dice.choose_among_open(decision, options, open)
            }
            SuspendKind::End => return Err(StopReason::End),
        })
    }

    fn closed_options_failure(&self, site: &SuspendPoint, problem: String) -> StopReason {
        let help = "an option without `if` is always open".to_owned();
        let help = if site.kind.is_number() { String::new() } else { help };
        StopReason::Failed(RuleRunFailure { span: site.span.clone(), problem, help })
    }

    fn wrong_sides_failure(&self, site: &SuspendPoint, sides: i64) -> StopReason {
        StopReason::Failed(RuleRunFailure {
            span: site.span.clone(),
            problem: format!("a die has 1 to 100 sides, not {sides}"),
            help: String::new(),
        })
    }

    /// Runs to the next die.
    pub(crate) fn run_to_die_or_decision(
        &self,
        regs: &mut Registers,
        from: usize,
        dice: &mut dyn Dice,
    ) -> StopReason {
        self.run_to_next_die_traced(regs, from, dice, &mut |_, _| {})
    }

    /// Runs to the next die, and passes the trace marks on the way to a callback.
    pub(crate) fn run_to_next_die_traced(
        &self,
        regs: &mut Registers,
        from: usize,
        dice: &mut dyn Dice,
        tell: &mut impl FnMut(u16, &Registers),
    ) -> StopReason {
        self.run_to::<false, false>(regs, from, [0; 2], dice, tell)
    }

    /// Runs to the next die: with `HALTS` at most to a position, with `RESTS` to a memo point.
    fn run_to<const HALTS: bool, const RESTS: bool>(
        &self,
        regs: &mut Registers,
        from: usize,
        to: [usize; 2],
        dice: &mut dyn Dice,
        tell: &mut impl FnMut(u16, &Registers),
    ) -> StopReason {
        self.program.run_to::<HALTS, RESTS>(&self.numbers, regs, from, to, dice, tell)
    }
}

impl Program {
    /// Runs as [`Interpreter::run_to`] does, with the values of the parameters in `numbers`.
    fn run_to<const HALTS: bool, const RESTS: bool>(
        &self,
        numbers: &[i64],
        regs: &mut Registers,
        from: usize,
        to: [usize; 2],
        dice: &mut dyn Dice,
        tell: &mut impl FnMut(u16, &Registers),
    ) -> StopReason {
        let mut at = from;
        // Every loop goes back by a plain jump, so a limit on these bounds the run.
        let mut jumps = MAX_JUMPS_PER_STEP;
        loop {
            if HALTS && to.contains(&at) {
                return StopReason::Merge(at);
            }
            let op = self.instrs[at];
            #[rustfmt::skip]
            let elsewhere = match op {
                Instr::Jump(to) => {
                    jumps -= 1;
                    if jumps == 0 {
                        let problem = "this loop never rolls a die and never ends".to_owned();
                        return self.failure_of_instr_error(at, InstrError::Message(problem));
                    }
                    Some(to)
                }
                Instr::Unless(s, to) => (regs[usize::from(s)] == 0).then_some(to),
                Instr::UnlessCmp(two, a, b, to) => {
                    (!two.is_true_for(regs[usize::from(a)], regs[usize::from(b)])).then_some(to)
                }
                Instr::UnlessCmpK(two, a, k, to) => {
                    (!two.is_true_for(regs[usize::from(a)], k.into())).then_some(to)
                }
                Instr::There(bag, place, to) => {
                    let first = usize::from(self.bags[usize::from(bag)].base);
                    (regs[first + regs[usize::from(place)] as usize] < 0).then_some(to)
                }
                Instr::Next(..) | Instr::Count(..) | Instr::Take(..) | Instr::Close(..) | Instr::Sort(..) | Instr::Before(..)
                    => self.execute_bag_instr(op, regs),
                Instr::Site(site) => return StopReason::Suspend(site),
                Instr::Rest(rest) if RESTS => return StopReason::Memo(rest),
                Instr::End => return StopReason::End,
                Instr::Halt => return StopReason::Halt,
                Instr::Fail(wrong) => return self.failure_of_possible_fault(wrong),
                Instr::Skip | Instr::Rest(_) => None,
                Instr::Tell(mark) => {
                    tell(mark, regs);
                    None
                }
                Instr::Const(..) | Instr::Wide(..) | Instr::Field(..) | Instr::Copy(..) | Instr::Narrow(..) | Instr::Bin(..)
                | Instr::BinK(..) | Instr::BinNarrow(..) | Instr::BinKNarrow(..) | Instr::Load(..) | Instr::Store(..)
                | Instr::Look(..) | Instr::Key(..) | Instr::Keep(..) | Instr::Tally(..) | Instr::Get(..) | Instr::Put(..)
                    => match self.execute_without_jump(op, regs, numbers, dice) {
                    Ok(()) => None,
                    Err(error) => return self.failure_of_instr_error(at, error),
                },
            };
            at = elsewhere.map_or(at + 1, usize::from);
        }
    }

    /// Executes an instruction that does not jump; the error is the reason why it cannot.
    #[inline(always)]
    fn execute_without_jump(
        &self,
        op: Instr,
        regs: &mut Registers,
        numbers: &[i64],
        dice: &mut dyn Dice,
    ) -> Result<(), InstrError> {
        macro_rules! r {
            ($reg:expr) => {
                regs[usize::from($reg)]
            };
        }
        match op {
            Instr::Const(d, k) => r!(d) = k.into(),
            Instr::Wide(d, k) => r!(d) = self.wide[usize::from(k)],
            Instr::Field(d, slot) => r!(d) = numbers[usize::from(slot)],
            Instr::Copy(d, s) => r!(d) = r!(s),
            Instr::Narrow(d, s) => r!(d) = check_fits_variable(r!(s))?,
            Instr::Bin(two, d, a, b) => r!(d) = checked_binary_op(two, r!(a), r!(b))?,
            Instr::BinK(two, d, a, k) => r!(d) = checked_binary_op(two, r!(a), k.into())?,
            Instr::BinNarrow(two, d, a, b) => {
                r!(d) = check_fits_variable(checked_binary_op(two, r!(a), r!(b))?)?
            }
            Instr::BinKNarrow(two, d, a, k) => {
                r!(d) = check_fits_variable(checked_binary_op(two, r!(a), k.into())?)?
            }
            Instr::Load(d, base, count, place) => {
                r!(d) = regs[list_register(base, count, r!(place))?]
            }
            Instr::Store(base, count, place, value) => {
                regs[list_register(base, count, r!(place))?] = r!(value);
            }
            Instr::Look(d, list, s) => r!(d) = self.number_at_list_index(numbers, list, r!(s))?,
            Instr::Key(d, keys, s) => match self.find_key_index(keys, r!(s)) {
                Some(place) => r!(d) = place as i64,
                None => return Err(InstrError::Message(format!("the table has no key {}", r!(s)))),
            },
            Instr::Keep(base, count, face, highest) => {
                insert_among_best(regs, base, count, face, highest)
            }
            Instr::Get(d, digit, place) => {
                r!(d) = self.digits[usize::from(digit)].get(regs, r!(place));
            }
            Instr::Put(digit, place, s) => {
                let (place, value) = (r!(place), r!(s));
                if !self.digits[usize::from(digit)].try_store_digit_of_item(regs, place, value) {
                    return Err(overflow_fault_text(value).into());
                }
            }
            Instr::Tally(counter, s) => match i32::try_from(r!(s)) {
                Ok(amount) => dice.tally(counter, amount),
                Err(_) => return Err(overflow_fault_text(r!(s)).into()),
            },
            // Handled by the caller, because they determine the next position. Named one by one, so
            // that the compiler demands a decision for each new instruction.
            #[rustfmt::skip]
            Instr::Jump(_) | Instr::Unless(..) | Instr::UnlessCmp(..) | Instr::UnlessCmpK(..) | Instr::Site(_) | Instr::Rest(_)
            | Instr::Count(..) | Instr::There(..) | Instr::Next(..) | Instr::Take(..) | Instr::Close(..) | Instr::Sort(..)
            | Instr::Before(..) | Instr::Fail(_) | Instr::Tell(_) | Instr::End | Instr::Halt | Instr::Skip => {}
        }
        Ok(())
    }

    /// Looks up the number at an index of a list.
    #[inline(always)]
    fn number_at_list_index(
        &self,
        numbers: &[i64],
        list: u16,
        place: i64,
    ) -> Result<i64, InstrError> {
        let list = &self.lists[usize::from(list)];
        match usize::try_from(place).ok().and_then(|place| list.get(place)) {
            Some(&LookupListCell::Constant(value)) => Ok(value.into()),
            Some(&LookupListCell::Parameter(slot)) => Ok(numbers[usize::from(slot)]),
            Some(LookupListCell::Blank) => Err(InstrError::Blank),
            None => Err(index_fault_text(list.len(), place + 1).into()),
        }
    }

    #[cold]
    fn failure_of_possible_fault(&self, wrong: u16) -> StopReason {
        let PossibleRuntimeFault { span, problem, help } = self.faults[usize::from(wrong)].clone();
        StopReason::Failed(RuleRunFailure { span, problem, help })
    }

    #[cold]
    fn failure_of_instr_error(&self, at: usize, error: InstrError) -> StopReason {
        let span = self.spans[at].clone();
        let help = String::new();
        let problem = match error {
            InstrError::Blank => {
                let fault = self.blanks.iter().find(|(at, _)| *at == span);
                fault.map_or("the cell is blank".to_owned(), |(_, why)| why.clone())
            }
            InstrError::Message(problem) => problem,
        };
        StopReason::Failed(RuleRunFailure { span, problem, help })
    }

    /// Evaluates a program without dice to the value of a register.
    ///
    /// # Errors
    /// One sentence: an overflow, a division by 0, an index beyond a list, or a blank cell.
    pub fn evaluate(&self, numbers: &[i64], reg: u8) -> Result<i64, String> {
        let mut regs = [0; 256];
        let tell = &mut |_, _: &Registers| {};
        match self.run_to::<false, false>(
            numbers,
            &mut regs,
            0,
            [0; 2],
            &mut DiceForDicelessCode,
            tell,
        ) {
            StopReason::Failed(broken) => Err(broken.problem),
            StopReason::Suspend(_) | StopReason::Merge(_) | StopReason::Memo(_) => {
                Err("no dice here: roll them in the rule".to_owned())
            }
            StopReason::End | StopReason::Halt => Ok(regs[usize::from(reg)]),
        }
    }
}
