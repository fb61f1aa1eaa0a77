//! Solves player decisions by backward induction in exact fractions, between the two passes.
//!
//! The transitions are solved backwards, in fractions, so that equal options are equal and the
//! first of them is taken. Each vertex has the mean of every goal of every player, because the
//! players of earlier and of later decisions may have different goals.
//!
//! Vertices that lead to each other are solved together; if they contain decisions, by policy
//! improvement (`endless`). A loop without decisions is a system of linear equations with one
//! unknown per state, solved by substitution, the deepest state first; trials that never leave it
//! contribute nothing, as to every mean of an unfinished contest.

mod endless;
mod scc;

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::explore::{Next, Told};
use super::fraction::Fraction;
use crate::cancel::Halt;
use enfilade_model::combat::{AnyCombat, Best, Decision, Ending, FieldHead, Taken, TakenByState};
use enfilade_model::error::{Mishap, Unsolved};
use enfilade_model::form::Fault;

pub(super) use scc::{Places, circles, goes_round};

/// Largest number of sums of fractions for one loop: some ten seconds.
const MOST_SUMS: usize = 1 << 23;

/// The decisions of all steps, as they were solved.
pub(super) struct Solved {
    /// By decision of a step: the option that is taken.
    pub(super) taken: Vec<Taken>,
    /// By decision of the combat: the mean of its goal over all trials.
    pub(super) means: Vec<f64>,
}

/// Solves all decisions in `told`, and returns the options taken by state. Endings that are no
/// longer reachable are removed.
pub(super) fn decide(
    told: &mut Told,
    combat: &AnyCombat,
    halt: &Halt,
) -> Result<TakenByState, Unsolved> {
    let taken = solve(told, combat, halt)?.taken;
    // Endings that no player would choose must not appear among the outcomes with probability 0.
    let reached = reached(told);
    told.endings.retain(|(_, state)| reached[*state as usize]);
    Ok(by_state(told, &taken))
}

/// Solves the decisions in `told` and has each lead to the option that is taken.
pub(super) fn solve(told: &mut Told, combat: &AnyCombat, halt: &Halt) -> Result<Solved, Unsolved> {
    let goals = Goals::of(combat)?;
    let mut solving = Solving::new(told, &goals, halt);
    for circle in circles(told) {
        halt.unless_asked()?;
        solving.solve(&circle)?;
    }
    let start = solving.settled(Next::State(0));
    let of_goals = goals.of.iter().map(|goal| start[*goal].to_f64()).collect();
    let means = std::mem::take(&mut solving.decided);
    let mut taken: Vec<Taken> = Vec::with_capacity(means.len());
    for (choice, found) in told.choices.iter_mut().zip(means) {
        // Where another decision is held to one option, nobody may come to this one.
        let nothing = || Taken { decision: choice.decision, option: 1, means: [].into() };
        let found = found.unwrap_or_else(nothing);
        choice.taken = usize::from(found.option) - 1;
        taken.push(found);
    }
    Ok(Solved { taken, means: of_goals })
}

/// Collects the options of the decisions of each step, along the options taken.
fn by_state(told: &Told, taken: &[Taken]) -> TakenByState {
    let mut decided = Vec::new();
    for (state, first) in (0..).zip(&told.states) {
        let (mut way, mut next) = (Vec::new(), *first);
        loop {
            next = match next {
                Some(Next::Choice(choice)) => {
                    way.push(taken[choice as usize].clone());
                    Some(told.choices[choice as usize].way())
                }
                Some(Next::Toll(toll)) => Some(told.tolls[toll as usize].to),
                _ => break,
            };
        }
        if !way.is_empty() {
            decided.push((state, way.into()));
        }
    }
    decided
}

/// Returns, by state, whether it is reachable under the options taken.
fn reached(told: &Told) -> Vec<bool> {
    let places = Places::of(told);
    let mut seen = vec![false; places.count()];
    let mut open = vec![Next::State(0)];
    while let Some(next) = open.pop() {
        let next = told.decided(next);
        if !std::mem::replace(&mut seen[places.number(next)], true) {
            let leads = |place| open.push(place);
            places.leads(next).for_each(leads);
        }
    }
    seen.truncate(told.states.len());
    seen
}

/// Goals of the players: the outcome fields that any decision optimizes, and the field of each
/// decision.
struct Goals<'a> {
    decisions: &'a [Decision],
    /// Outcome fields, each once.
    fields: Vec<usize>,
    /// Index among `fields` by decision.
    of: Vec<usize>,
}

impl Goals<'_> {
    fn of(combat: &AnyCombat) -> Result<Goals<'_>, Mishap> {
        let (mut fields, mut of) = (Vec::new(), Vec::new());
        for decision in combat.decisions() {
            let goal = |field: &FieldHead| field.name == decision.goal;
            let field = combat.fields().iter().position(goal).ok_or_else(|| {
                let (name, goal) = (&decision.name, &decision.goal);
                let problem = format!("decision `{name}` is about `{goal}`, but no outcome field");
                Mishap::new(Fault::new("", problem + " has that name"))
            })?;
            let known = fields.iter().position(|&known| known == field);
            of.push(known.unwrap_or(fields.len()));
            if known.is_none() {
                fields.push(field);
            }
        }
        let decisions = combat.decisions();
        Ok(Goals { decisions, fields, of })
    }

    fn nothing(&self) -> Means {
        vec![Fraction::zero(); self.fields.len()].into()
    }

    fn at(&self, ending: &Ending) -> Means {
        let value = |&field: &usize| Fraction::from(ending.fields[field]);
        self.fields.iter().map(value).collect()
    }

    /// Returns the index of the first of the best options, given the means of each.
    fn best(&self, decision: u8, options: &[Means]) -> usize {
        let (goal, best) = (self.of[decision as usize], self.decisions[decision as usize].best);
        let mut first = 0;
        for (place, means) in options.iter().enumerate().skip(1) {
            let better = match best {
                Best::Highest => means[goal] > options[first][goal],
                Best::Lowest => means[goal] < options[first][goal],
            };
            first = if better { place } else { first };
        }
        first
    }
}

/// Mean of each goal at a vertex.
type Means = Rc<[Fraction]>;

struct Solving<'a> {
    told: &'a Told,
    places: Places<'a>,
    goals: &'a Goals<'a>,
    halt: &'a Halt,
    endings: FxHashMap<u32, &'a Ending>,
    /// Means by vertex, once solved.
    means: Vec<Option<Means>>,
    /// Option taken by decision of a step.
    decided: Vec<Option<Taken>>,
    sums: usize,
}

/// Linear form of a vertex in a loop: the constant part of each goal, and the shares of the states
/// of the loop, by their order.
#[derive(Clone)]
struct Form {
    own: Vec<Fraction>,
    of: BTreeMap<usize, Fraction>,
}

impl<'a> Solving<'a> {
    fn new(told: &'a Told, goals: &'a Goals<'a>, halt: &'a Halt) -> Self {
        let places = Places::of(told);
        let endings = told.endings.iter();
        Solving {
            told,
            goals,
            halt,
            endings: endings.map(|(ending, state)| (*state, ending)).collect(),
            means: vec![None; places.count()],
            decided: vec![None; told.choices.len()],
            places,
            sums: 0,
        }
    }

    /// Solves vertices that all lead to each other, when all their other successors are solved.
    fn solve(&mut self, circle: &[Next]) -> Result<(), Unsolved> {
        if let [alone] = *circle
            && self.places.leads(alone).all(|next| next != alone)
        {
            let means = self.alone(alone);
            self.means[self.places.number(alone)] = Some(means);
            return Ok(());
        }
        match circle.iter().any(|place| matches!(place, Next::Choice(_))) {
            true => self.in_ring(circle),
            false => self.together(circle),
        }
    }

    fn known(&self, place: Next) -> Option<&Means> {
        self.means[self.places.number(place)].as_ref()
    }

    fn settled(&self, place: Next) -> Means {
        let known = self.known(place).cloned();
        known.unwrap_or_else(|| unreachable!("what a place leads to is solved before it"))
    }

    fn alone(&mut self, place: Next) -> Means {
        match place {
            Next::State(state) => match self.told.states[state as usize] {
                Some(first) => self.settled(first),
                None => self.goals.at(self.endings[&state]),
            },
            Next::Toll(toll) => self.settled(self.told.tolls[toll as usize].to),
            // Nothing leads back to it, so its form has no unknowns.
            Next::Die(_) => self.form(place, &BTreeMap::new(), &FxHashMap::default()).own.into(),
            Next::Choice(choice) => {
                let at = &self.told.choices[choice as usize];
                let options: Vec<Means> =
                    at.options.iter().map(|&option| self.settled(option)).collect();
                let best = self.goals.best(at.decision, &options);
                let goal = self.goals.of[at.decision as usize];
                self.decided[choice as usize] = Some(Taken {
                    decision: at.decision,
                    option: best as u8 + 1,
                    means: options.iter().map(|means| means[goal].to_f64()).collect(),
                });
                options[best].clone()
            }
        }
    }

    /// Solves a loop without decisions.
    fn together(&mut self, circle: &[Next]) -> Result<(), Unsolved> {
        let (order, states) = ordered(circle);
        let (mut forms, mut rows) = (FxHashMap::default(), Vec::<Form>::new());
        for (row, &state) in states.iter().enumerate() {
            let first = self.told.states[state as usize].unwrap_or(Next::State(state));
            let mut form = self.formed(first, &order, &mut forms)?;
            // States solved earlier are substituted one after the other: their forms refer to later
            // states only.
            while let Some((&earlier, _)) = form.of.first_key_value().filter(|(at, _)| **at < row) {
                let share = form.of.remove(&earlier).unwrap_or_else(Fraction::zero);
                self.add(&mut form, &rows[earlier], &share)?;
            }
            let returns = form.of.remove(&row).unwrap_or_else(Fraction::zero);
            rows.push(match returns.of_returns() {
                Some(times) => form.times(&times),
                None => Form::nothing(self.goals),
            });
        }
        for (row, form) in rows.iter().enumerate().rev() {
            let means = self.worth(form, &states);
            self.means[self.places.number(Next::State(states[row]))] = Some(means);
        }
        for &place in circle {
            if self.known(place).is_none() {
                let form = self.formed(place, &order, &mut forms)?;
                let means = self.worth(&form, &states);
                self.means[self.places.number(place)] = Some(means);
            }
        }
        Ok(())
    }

    /// Evaluates a form, given the solved states that it refers to.
    fn worth(&self, form: &Form, states: &[u32]) -> Means {
        let mut means = form.own.clone();
        for (&row, share) in &form.of {
            let state = self.settled(Next::State(states[row]));
            for (sum, mean) in means.iter_mut().zip(state.iter()) {
                *sum = &*sum + &(mean * share);
            }
        }
        means.into()
    }

    /// Resolves the form of a vertex of a loop, and before it the forms of all dice and tallies
    /// that it leads to there.
    fn formed(
        &mut self,
        place: Next,
        order: &BTreeMap<u32, usize>,
        forms: &mut FxHashMap<Next, Form>,
    ) -> Result<Form, Unsolved> {
        let mut open = vec![place];
        while let Some(&top) = open.last() {
            let known = |next: &Next| {
                let state = matches!(next, Next::State(_));
                state || forms.contains_key(next) || self.known(*next).is_some()
            };
            // A state of the loop is an unknown and is not expanded; dice and tallies are.
            if let Some(first) = self.places.leads(top).find(|next| !known(next))
                && !matches!(top, Next::State(_))
            {
                open.push(first);
                continue;
            }
            let form = self.form(top, order, forms);
            self.sums += form.of.len() + 1;
            self.unless_too_much()?;
            forms.insert(top, form);
            open.pop();
        }
        let form = forms.get(&place).cloned();
        Ok(form.unwrap_or_else(|| unreachable!("it has just been put in")))
    }

    /// Builds the form of a vertex from the forms of its successors.
    fn form(
        &self,
        place: Next,
        order: &BTreeMap<u32, usize>,
        forms: &FxHashMap<Next, Form>,
    ) -> Form {
        let mut form = Form::nothing(self.goals);
        let all = Fraction::from(1);
        let mut lead = |to: Next, share: &Fraction| match (to, forms.get(&to)) {
            (Next::State(state), _) if order.contains_key(&state) => {
                form.share(order[&state], share)
            }
            (_, Some(inner)) => form.add(inner, share),
            _ => form.add_means(&self.settled(to), share),
        };
        match place {
            Next::Die(die) => {
                let dice = self.told.dice.list();
                for branch in dice.branches(die as usize) {
                    lead(branch.to, &Fraction::share(branch.faces, dice.sides(die as usize)));
                }
            }
            Next::Toll(toll) => lead(self.told.tolls[toll as usize].to, &all),
            Next::State(_) => lead(place, &all),
            Next::Choice(_) => unreachable!("a circle has no decisions"),
        }
        form
    }

    fn add(&mut self, form: &mut Form, other: &Form, share: &Fraction) -> Result<(), Unsolved> {
        self.sums += other.of.len() + other.own.len();
        self.unless_too_much()?;
        form.add(other, share);
        Ok(())
    }

    fn unless_too_much(&self) -> Result<(), Unsolved> {
        self.halt.unless_asked()?;
        if self.sums <= MOST_SUMS {
            return Ok(());
        }
        let problem = "a loop after a decision may never end and is too large to be solved exactly";
        let help = "reduce or bound the values that the loop remembers";
        Err(Mishap::new(Fault::new("", problem).help(help)).into())
    }
}

impl Form {
    fn nothing(goals: &Goals<'_>) -> Form {
        Form { own: goals.nothing().to_vec(), of: BTreeMap::new() }
    }

    fn share(&mut self, row: usize, share: &Fraction) {
        let sum = self.of.entry(row).or_insert_with(Fraction::zero);
        *sum = &*sum + share;
    }

    fn add(&mut self, other: &Form, share: &Fraction) {
        self.add_means(&other.own, share);
        for (&row, part) in &other.of {
            self.share(row, &(part * share));
        }
    }

    fn add_means(&mut self, means: &[Fraction], share: &Fraction) {
        for (sum, mean) in self.own.iter_mut().zip(means) {
            *sum = &*sum + &(mean * share);
        }
    }

    fn times(mut self, factor: &Fraction) -> Form {
        let parts = self.own.iter_mut().chain(self.of.values_mut());
        parts.for_each(|part| *part = &*part * factor);
        self
    }
}

/// Returns the states of a loop, and the order in which they are substituted.
fn ordered(circle: &[Next]) -> (BTreeMap<u32, usize>, Vec<u32>) {
    let state = |place: &Next| match place {
        Next::State(state) => Some(*state),
        _ => None,
    };
    let states: Vec<u32> = circle.iter().filter_map(state).collect();
    (states.iter().copied().zip(0..).collect(), states)
}
