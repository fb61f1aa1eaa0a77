//! States of a rule at a die, as numbers that can be copied and compared.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use super::checked_numbers::overflow_fault_text;
use super::code::{Registers, SuspendKind};
use super::dice_after_end::DiceForDicelessCode;
use super::face_test_values::FaceTestsWithOperands;
use super::machine::{Interpreter, RuleRunFailure};
use super::pool_loop::PoolLoop;
use super::saved_registers::NumberTooWideForState;
use super::snapshot::{MAX_STATE_NUMBERS, RuleSnapshot};
use super::stop_reason::StopReason;
use enfilade_model::combat::frontier::{
    EndingsAndFrontierParts, FrontierStateSet, TypedStateFrontier, split_endings_and_parts,
};
use enfilade_model::combat::state_set::StateSet;
use enfilade_model::combat::{
    ChosenOptionWithMeans, Ending, FieldChange, MAX_OUTCOME_COLUMNS, StateNumbering,
};
use enfilade_model::dice::Dice;
use enfilade_model::state_hash::StateHasherBuilder;

/// Suspend point of a failed rule.
pub(crate) const FAILED_SUSPEND_POINT: u16 = u16::MAX;
/// Suspend point before the first line, for a rule that tallies before its first die.
const START_SUSPEND_POINT: u16 = u16::MAX - 1;

impl Interpreter {
    /// Returns its states by number. In a rule that may go on for ever, a pool is one step: its
    /// graph is kept whole, so it should have few states.
    pub fn new_state_numbering(&self) -> Box<dyn StateNumbering + '_> {
        fn numbering<const N: usize>(machine: &Interpreter) -> Box<dyn StateNumbering + '_> {
            let throws = machine.program.repeats;
            Box::new(SnapshotNumbering::<N> { throws, ..SnapshotNumbering::new(machine, None) })
        }
        match self.program.state_width() {
            0..=7 => numbering::<7>(self),
            8..=15 => numbering::<15>(self),
            16..=31 => numbering::<31>(self),
            _ => numbering::<MAX_STATE_NUMBERS>(self),
        }
    }

    /// Returns an empty frontier of its states.
    pub fn new_empty_frontier(&self) -> Box<dyn FrontierStateSet + '_> {
        fn build_frontier_of<const N: usize>(
            machine: &Interpreter,
        ) -> Box<dyn FrontierStateSet + '_> {
            Box::new(TypedStateFrontier::new(machine, |machine, front| {
                Box::new(SnapshotNumbering::<N>::new(machine, Some(front)))
            }))
        }
        match self.program.state_width() {
            0..=7 => build_frontier_of::<7>(self),
            8..=15 => build_frontier_of::<15>(self),
            16..=31 => build_frontier_of::<31>(self),
            _ => build_frontier_of::<MAX_STATE_NUMBERS>(self),
        }
    }

    /// Returns an empty frontier in which every die is a step of its own, as in a trial that is
    /// played. Tallies before the first die are not counted.
    pub fn new_die_by_die_frontier(&self) -> Box<dyn FrontierStateSet + '_> {
        Box::new(TypedStateFrontier::new(self, |machine, front| {
            let numbering = SnapshotNumbering::<MAX_STATE_NUMBERS>::new(machine, Some(front));
            Box::new(SnapshotNumbering { joins: false, throws: false, ..numbering })
        }))
    }

    /// Visits its states, those of the fewest dice first. Returns whether there are at most `most`.
    pub fn visit_states_up_to(
        &self,
        most: u32,
        mut see: impl FnMut(&RuleSnapshot<MAX_STATE_NUMBERS>),
    ) -> bool {
        let mut numbered = SnapshotNumbering::<MAX_STATE_NUMBERS>::new(self, None);
        numbered.joins = false;
        numbered.initial_state();
        let mut state = 0;
        while (state as usize) < numbered.reached_state_count() {
            if state == most {
                return false;
            }
            see(&numbered.states[state]);
            if numbered.ending_of_state(state).is_none() {
                let mut face = DieShowingFixedFace { shows: 1, of: 1 };
                while face.shows <= face.of {
                    numbered.play_one_step(state, &mut face);
                    face.shows += 1;
                }
            }
            state += 1;
        }
        true
    }
}

/// Die that shows a fixed face, and records its number of sides.
struct DieShowingFixedFace {
    shows: u8,
    of: u8,
}

impl Dice for DieShowingFixedFace {
    fn die(&mut self, sides: u8) -> u8 {
        self.of = sides;
        self.shows
    }

    fn choose(&mut self, _: u8, options: u8) -> u8 {
        self.of = options;
        self.shows
    }
}

/// Capacity for the states of a small contest.
const SMALL_STATE_CAPACITY: usize = 200;
/// Number of states from which a graph is large.
const MIN_LARGE_GRAPH_STATES: u32 = 4000;
/// Largest number of entries of the memo table.
const MAX_MEMO_ENTRIES: usize = 1 << 14;

/// End of a step: a die in the same step, or a state.
enum DieOrState {
    SameStep(u16),
    State(u32),
}

struct SnapshotNumbering<'m, const N: usize> {
    machine: &'m Interpreter,
    states: StateSet<RuleSnapshot<N>>,
    /// Source states, if they differ from the reached ones.
    front: Option<&'m StateSet<RuleSnapshot<N>>>,
    /// Last numbered state: most faces lead to the same state as the face before them.
    last: Option<(RuleSnapshot<N>, u32)>,
    regs: Box<Registers>,
    /// Whether a few dice are one step, and the lines before the first die another.
    joins: bool,
    /// Whether a pool loop is one step.
    throws: bool,
    /// Face merges of the current state: position, values that depend on the face, next state.
    from: u32,
    paths: Vec<(usize, [i64; 2], u32)>,
    /// Face tests of the die, and the states reached by each set of passed tests.
    face_tests: FaceTestsWithOperands,
    face_classes: Vec<(u16, u32)>,
    /// Memo table: the states saved at memo points, and the states reached from there.
    memo: HashMap<RuleSnapshot<N>, u32, StateHasherBuilder>,
    /// Saved values by register, restored for each face.
    saved_values: Vec<(u8, i64)>,
}

impl<'m, const N: usize> SnapshotNumbering<'m, N> {
    fn new(machine: &'m Interpreter, front: Option<&'m StateSet<RuleSnapshot<N>>>) -> Self {
        SnapshotNumbering {
            machine,
            states: StateSet::with_state_capacity(SMALL_STATE_CAPACITY),
            front,
            last: None,
            regs: Box::new([0; 256]),
            joins: true,
            throws: front.is_some(),
            from: u32::MAX,
            paths: Vec::new(),
            face_tests: FaceTestsWithOperands::default(),
            face_classes: Vec::new(),
            memo: HashMap::default(),
            saved_values: Vec::new(),
        }
    }

    /// Loads a state into the registers.
    fn load_numbered_state(&mut self, state: u32, snap: &RuleSnapshot<N>) {
        if self.from == state {
            for (reg, value) in &self.saved_values {
                self.regs[usize::from(*reg)] = *value;
            }
            return;
        }
        self.machine.restore_registers(&mut self.regs, snap);
        let memory = &self.machine.program.sites[usize::from(snap.site)].memory;
        let bags = memory.bags.iter().flat_map(|(bag, opens)| {
            let bag = &self.machine.program.bags[usize::from(*bag)];
            (0..bag.size).map(|place| bag.base + place).chain(opens.iter().map(|open| open.cursor))
        });
        self.saved_values.clear();
        let regs = &self.regs;
        let registers = memory.registers.iter().copied().chain(bags);
        self.saved_values.extend(registers.map(|reg| (reg, regs[usize::from(reg)])));
        self.from = state;
        self.paths.clear();
        self.face_classes.clear();
    }

    /// Returns the pool loop of a die, if it is thrown at once.
    fn pool_loop_at(&self, site: u16) -> Option<&'m PoolLoop> {
        if self.throws { self.machine.pool_loop_at(site) } else { None }
    }

    /// Returns whether a die is rolled in the same step as the one before it.
    fn joins_previous_step(&self, site: u16) -> bool {
        self.joins && self.machine.program.sites[usize::from(site)].joins_previous
    }

    /// Continues a step from a stop; at a memo point, only if its values are new.
    fn continue_unless_memo_known(&mut self, stop: StopReason, dice: &mut dyn Dice) -> DieOrState {
        let StopReason::Memo(rest) = stop else {
            return self.die_or_state_at_stop(stop);
        };
        let (at, memory) = &self.machine.program.memo_points[usize::from(rest)];
        let snap = match memory.room <= N {
            true => self.machine.save_registers(&self.regs, memory, rest).ok(),
            false => None,
        };
        if let Some(number) = snap.and_then(|snap| self.memo.get(&snap)) {
            return DieOrState::State(*number);
        }
        let stop = self.machine.run_to_die_or_decision(&mut self.regs, at + 1, dice);
        let led = self.die_or_state_at_stop(stop);
        if let (DieOrState::State(number), Some(snap)) = (&led, snap) {
            // Clearing the memo costs time and never changes a result.
            if self.memo.len() >= MAX_MEMO_ENTRIES {
                self.memo.clear();
            }
            self.memo.insert(snap, *number);
        }
        led
    }

    fn die_or_state_at_stop(&mut self, stop: StopReason) -> DieOrState {
        match stop {
            StopReason::Suspend(next) if self.joins_previous_step(next) => {
                DieOrState::SameStep(next)
            }
            stop => DieOrState::State(self.number_of_stop(stop)),
        }
    }

    fn number_of_stop(&mut self, stop: StopReason) -> u32 {
        let site = match stop {
            StopReason::Suspend(site) => site,
            StopReason::End | StopReason::Halt | StopReason::Merge(_) | StopReason::Memo(_) => {
                self.machine.program.sites.len() as u16 - 1
            }
            StopReason::Failed(broken) => {
                self.machine.record_failure(broken);
                FAILED_SUSPEND_POINT
            }
        };
        let snap = match site {
            FAILED_SUSPEND_POINT => RuleSnapshot { slots: [0; N], site },
            _ => {
                self.machine.settle_compared(&mut self.regs, site);
                self.machine.save_snapshot(&self.regs, site).unwrap_or_else(
                    |NumberTooWideForState(value)| {
                        let span = self.machine.program.sites[usize::from(site)].span.clone();
                        let (problem, help) = (overflow_fault_text(value), String::new());
                        self.machine.record_failure(RuleRunFailure { span, problem, help });
                        RuleSnapshot { slots: [0; N], site: FAILED_SUSPEND_POINT }
                    },
                )
            }
        };
        if let Some((last, number)) = self.last
            && last == snap
        {
            return number;
        }
        let number = self.states.insert_and_get_number(snap);
        if number == MIN_LARGE_GRAPH_STATES {
            self.machine.large.store(true, Ordering::Relaxed);
        }
        self.last = Some((snap, number));
        number
    }

    /// Rolls a die of which only face tests matter: its face, and the tests that it passes.
    fn roll_face_with_passed_tests(
        &mut self,
        state: u32,
        snap: &RuleSnapshot<N>,
        dice: &mut dyn Dice,
    ) -> Option<(u8, u16)> {
        let site = &self.machine.program.sites[usize::from(snap.site)];
        let (Some(face_tests), SuspendKind::Die(sides)) = (&site.face_tests, site.kind) else {
            return None;
        };
        if self.pool_loop_at(snap.site).is_some() {
            return None;
        }
        if self.from != state {
            self.load_numbered_state(state, snap);
            self.face_tests.load_operands(face_tests, &self.regs, &self.machine.numbers);
        }
        let mut face = [1];
        let tests = &self.face_tests;
        dice.roll_faces(sides, &mut face, &|face| tests.tests_passed_by_face(face[0]).into());
        Some((face[0], tests.tests_passed_by_face(face[0])))
    }

    /// Rolls on from a suspend point: the state reached, and the number of dice on the way.
    fn roll_to_next_state(
        &mut self,
        mut site: u16,
        mut rolled: Option<u8>,
        dice: &mut dyn Dice,
    ) -> (u32, u32) {
        let machine = self.machine;
        let mut dice_fell = 1;
        loop {
            if let Some(pool) = self.pool_loop_at(site)
                && pool.try_throw_remaining_dice(&mut self.regs, dice)
            {
                let stop = machine.run_to_die_or_decision(&mut self.regs, pool.out, dice);
                match self.continue_unless_memo_known(stop, dice) {
                    DieOrState::SameStep(next) => (site, dice_fell) = (next, dice_fell + 1),
                    DieOrState::State(number) => return (number, dice_fell),
                }
                continue;
            }
            let way = machine.program.sites[usize::from(site)].face_merge.as_ref();
            let stop =
                machine.roll_and_run_to_merge(&mut self.regs, site, way, rolled.take(), dice);
            let (stop, tests_passed) = match (&stop, way) {
                (StopReason::Merge(at), Some(way)) => {
                    // Faces that leave equal values have one future: only the first runs on.
                    let left = way.values_depending_on_face(*at, &self.regs);
                    let next_state = self.paths.iter().find(|way| (way.0, way.1) == (*at, left));
                    if let Some((.., number)) = next_state {
                        return (*number, dice_fell);
                    }
                    (machine.run_to_die_or_memo(&mut self.regs, *at, dice), Some((*at, left)))
                }
                _ => (stop, None),
            };
            match self.continue_unless_memo_known(stop, dice) {
                DieOrState::SameStep(next) => (site, dice_fell) = (next, dice_fell + 1),
                DieOrState::State(number) => {
                    self.paths.extend(tests_passed.map(|(at, left)| (at, left, number)));
                    return (number, dice_fell);
                }
            }
        }
    }
}

fn ending_of_state<const N: usize>(
    machine: &Interpreter,
    regs: &Registers,
    snap: &RuleSnapshot<N>,
) -> Option<Ending> {
    if snap.site == FAILED_SUSPEND_POINT {
        return Some(Ending {
            fields: [0; MAX_OUTCOME_COLUMNS],
            weights: [0; MAX_OUTCOME_COLUMNS],
        });
    }
    if usize::from(snap.site) + 1 != machine.program.sites.len() {
        return None;
    }
    let mut regs = *regs;
    machine.restore_registers(&mut regs, snap);
    Some(machine.ending_of_rule(&mut regs))
}

impl<const N: usize> StateNumbering for SnapshotNumbering<'_, N> {
    fn initial_state(&mut self) -> u32 {
        if self.machine.program.tallies && self.joins {
            let snap = RuleSnapshot { slots: [0; N], site: START_SUSPEND_POINT };
            return self.states.insert_and_get_number(snap);
        }
        let stop = self.machine.run_to_die_or_decision(&mut self.regs, 0, &mut DiceForDicelessCode);
        self.number_of_stop(stop)
    }

    fn ending_of_state(&self, state: u32) -> Option<Ending> {
        ending_of_state(self.machine, &self.regs, &self.states[state])
    }

    fn named_variables(&self, state: u32) -> Vec<(String, i64)> {
        let snap = &self.states[state];
        let Some(site) = self.machine.program.sites.get(usize::from(snap.site)) else {
            return Vec::new();
        };
        let name = |reg: u8| site.names.iter().rev().find(|(known, _)| *known == reg);
        let slots = site.memory.registers.iter().zip(&snap.slots);
        slots.filter_map(|(reg, value)| Some((name(*reg)?.1.clone(), (*value).into()))).collect()
    }

    fn visible_state_values(&self, state: u32) -> Option<Box<[i64]>> {
        let snap = &self.states[state];
        let site = self.machine.program.sites.get(usize::from(snap.site))?;
        if site.hidden.is_empty() {
            return None;
        }
        let memory = &site.memory;
        // Things in bags come after the registers, and everybody sees them.
        let registers = memory.registers.iter().map(Some).chain(std::iter::repeat(None));
        let visible_registers = registers.zip(&snap.slots).take(memory.room);
        let visible_registers =
            visible_registers.filter(|(reg, _)| reg.is_none_or(|reg| !site.hidden.contains(reg)));
        let values = visible_registers.map(|(_, value)| i64::from(*value));
        Some([i64::from(snap.site)].into_iter().chain(values).collect())
    }

    fn changes_in_final_state(&self, state: u32) -> Vec<FieldChange> {
        self.machine.carried_in_final_state(&self.regs, &self.states[state])
    }

    fn play_one_step(&mut self, state: u32, dice: &mut dyn Dice) -> u32 {
        let snap = self.front.unwrap_or(&self.states)[state];
        if snap.site == START_SUSPEND_POINT {
            let stop = self.machine.run_to_die_or_decision(&mut self.regs, 0, dice);
            return self.number_of_stop(stop);
        }
        let rolled = self.roll_face_with_passed_tests(state, &snap, dice);
        if let Some((_, tests_passed)) = rolled
            && let Some((_, number)) =
                self.face_classes.iter().find(|(known, _)| *known == tests_passed)
        {
            return *number;
        }
        self.load_numbered_state(state, &snap);
        let number = self.roll_to_next_state(snap.site, rolled.map(|(face, _)| face), dice);
        match (number, rolled) {
            // No other die was rolled.
            ((number, 1), Some((_, tests_passed))) => {
                self.face_classes.push((tests_passed, number));
                number
            }
            ((number, _), _) => number,
        }
    }

    fn step_until_progress(&mut self, state: u32, dice: &mut dyn Dice, most: u32) -> u32 {
        let (machine, snap) = (self.machine, self.front.unwrap_or(&self.states)[state]);
        if snap.site == START_SUSPEND_POINT {
            return self.play_one_step(state, dice);
        }
        machine.restore_registers(&mut self.regs, &snap);
        let (mut site, headway) = (snap.site, machine.progress_at(snap.site));
        for _ in 0..most {
            match machine.roll_and_run(&mut self.regs, site, dice) {
                StopReason::Suspend(next) if machine.progress_at(next) == headway => site = next,
                stop => return self.number_of_stop(stop),
            }
        }
        self.number_of_stop(StopReason::Suspend(site))
    }

    fn reached_state_count(&self) -> usize {
        self.states.len()
    }

    fn into_endings_and_front_parts(self: Box<Self>) -> EndingsAndFrontierParts {
        let SnapshotNumbering { machine, states, regs, .. } = *self;
        split_endings_and_parts(
            states,
            |snap| ending_of_state(machine, &regs, snap),
            |snap| machine.progress_at(snap.site),
        )
    }

    fn record_chosen_options(&self, decided: Vec<(u32, Box<[ChosenOptionWithMeans]>)>) {
        let wide = |state: u32| {
            let snap = &self.states[state];
            let mut slots = [0; MAX_STATE_NUMBERS];
            slots[..N].copy_from_slice(&snap.slots);
            let site = snap.site;
            RuleSnapshot { slots, site }
        };
        let decided = decided.into_iter();
        self.machine
            .policy
            .store_solved_options(decided.map(|(state, options)| (wide(state), options)));
    }
}
