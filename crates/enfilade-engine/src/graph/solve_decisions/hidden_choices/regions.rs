//! Smallest parts of a game in which hidden choices are solved.
//!
//! A place where a player does not see everything has no value by itself, and neither has any
//! place that leads to it. The smallest part with a value is entered at one place, contains all
//! places of each view that it contains one of, and is entered nowhere else: then both players know
//! that it has begun, and nothing before it matters.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::explore::{NextRollOrState, TransitionSystem};
use crate::graph::solve_decisions::VertexNumbers;

/// Group of choices that look alike to the player who decides there.
pub(super) type ViewId = u32;

/// Part of a game that is solved at once, with its places in an order in which each comes before
/// those that it leads to.
pub(in crate::graph::solve_decisions) struct HiddenChoiceRegion {
    pub(super) places: Vec<NextRollOrState>,
}

/// Effect of hidden choices on places that lead to each other.
pub(in crate::graph::solve_decisions) enum ComponentHiddenChoiceStatus {
    /// No hidden choice comes after them that is not solved.
    Seen,
    /// Their value is known once a region above is solved.
    Deferred,
    /// They lead to hidden choices, and to each other.
    Endless,
    /// The place begins a region that can be solved.
    Begins(HiddenChoiceRegion),
}

/// Views of the choices, and the places whose value is not known yet.
pub(in crate::graph::solve_decisions) struct HiddenChoiceViews {
    /// View by choice.
    pub(super) view_of: Vec<ViewId>,
    /// Choices by view.
    pub(super) views: Vec<Vec<u32>>,
    /// Position by vertex: the number of the set of places that lead to each other.
    position: Vec<u32>,
    /// Nearest position through which every game passes that comes to a position.
    dominator: Vec<u32>,
    /// Positions that may begin a region.
    may_begin: FxHashSet<u32>,
    deferred: Vec<bool>,
}

const UNREACHED_POSITION: u32 = u32::MAX;

impl HiddenChoiceViews {
    /// Groups the choices of the system by their views. Returns `None` if every player sees
    /// everything.
    pub(in crate::graph::solve_decisions) fn find_in_transitions(
        transitions: &TransitionSystem,
        places: &VertexNumbers<'_>,
        circles: &[Vec<NextRollOrState>],
    ) -> Option<HiddenChoiceViews> {
        let mut position = vec![UNREACHED_POSITION; places.vertex_count()];
        for (circle, at) in circles.iter().zip(0..) {
            circle.iter().for_each(|place| position[places.index_of(*place)] = at);
        }
        let is_reached = |choice: u32| {
            position[places.index_of(NextRollOrState::Choice(choice))] != UNREACHED_POSITION
        };
        let (view_of, views) = group_by_view(transitions, is_reached);
        if views.iter().all(|choices| choices.len() < 2) {
            return None;
        }
        let dominator = immediate_component_dominators(places, circles, &position);
        let mut found = HiddenChoiceViews {
            view_of,
            views,
            position,
            dominator,
            may_begin: FxHashSet::default(),
            deferred: vec![false; circles.len()],
        };
        found.may_begin = found.nearest_dominators_of_views(places).collect();
        // Whatever is hidden, both know that the game has begun.
        found.may_begin.insert(circles.len() as u32 - 1);
        Some(found)
    }

    /// Returns, for each view of several places, the last position that every game has passed that
    /// comes to any of them.
    fn nearest_dominators_of_views(&self, places: &VertexNumbers<'_>) -> impl Iterator<Item = u32> {
        let several = self.views.iter().filter(|choices| choices.len() > 1);
        several.filter_map(|choices| {
            let at = choices.iter().map(|choice| self.component_of_choice(places, *choice));
            at.reduce(|a, b| common_dominator(&self.dominator, a, b))
        })
    }

    fn component_of_choice(&self, places: &VertexNumbers<'_>, choice: u32) -> u32 {
        self.position[places.index_of(NextRollOrState::Choice(choice))]
    }

    /// Visits places that lead to each other, after all that they lead to.
    pub(in crate::graph::solve_decisions) fn classify_and_mark_component(
        &mut self,
        places: &VertexNumbers<'_>,
        circle: &[NextRollOrState],
    ) -> ComponentHiddenChoiceStatus {
        let here = self.position[places.index_of(circle[0])];
        let is_hidden = |place: &NextRollOrState| match place {
            NextRollOrState::Choice(choice) => {
                self.views[self.view_of[*choice as usize] as usize].len() > 1
            }
            _ => false,
        };
        let mut leads = circle.iter().flat_map(|place| places.successors(*place));
        let waits =
            circle.iter().any(is_hidden) || leads.any(|to| self.is_value_deferred(places, to));
        if !waits {
            return ComponentHiddenChoiceStatus::Seen;
        }
        // A place that leads to itself alone is a state, which leads to nothing that waits.
        if circle.len() > 1 {
            return ComponentHiddenChoiceStatus::Endless;
        }
        self.deferred[here as usize] = true;
        if self.may_begin.contains(&here)
            && let Some(region) = self.find_closed_region_from(places, circle[0])
        {
            for place in &region.places {
                self.deferred[self.position[places.index_of(*place)] as usize] = false;
            }
            return ComponentHiddenChoiceStatus::Begins(region);
        }
        ComponentHiddenChoiceStatus::Deferred
    }

    fn is_value_deferred(&self, places: &VertexNumbers<'_>, place: NextRollOrState) -> bool {
        self.deferred[self.position[places.index_of(place)] as usize]
    }

    /// Collects the places after `first` without a value. Returns `None` unless they contain whole
    /// views and are entered at `first` alone.
    fn find_closed_region_from(
        &self,
        places: &VertexNumbers<'_>,
        first: NextRollOrState,
    ) -> Option<HiddenChoiceRegion> {
        let (mut reached, mut open) = (FxHashSet::default(), vec![first]);
        reached.insert(first);
        while let Some(place) = open.pop() {
            for to in places.successors(place).filter(|to| self.is_value_deferred(places, *to)) {
                if reached.insert(to) {
                    open.push(to);
                }
            }
        }
        let begin = self.position[places.index_of(first)];
        let belongs = |choice: &u32| {
            reached.contains(&NextRollOrState::Choice(*choice))
                && common_dominator(
                    &self.dominator,
                    begin,
                    self.component_of_choice(places, *choice),
                ) == begin
        };
        let is_whole = |place: &NextRollOrState| match place {
            NextRollOrState::Choice(choice) => {
                self.views[self.view_of[*choice as usize] as usize].iter().all(belongs)
            }
            _ => true,
        };
        if !reached.iter().all(is_whole) {
            return None;
        }
        let mut places_in_order: Vec<NextRollOrState> = reached.into_iter().collect();
        // A set of places is numbered after those that it leads to.
        places_in_order.sort_unstable_by_key(|place| {
            std::cmp::Reverse(self.position[places.index_of(*place)])
        });
        Some(HiddenChoiceRegion { places: places_in_order })
    }
}

/// Groups choices by what is seen there. A choice where everything is seen is alone.
fn group_by_view(
    transitions: &TransitionSystem,
    is_reached: impl Fn(u32) -> bool,
) -> (Vec<ViewId>, Vec<Vec<u32>>) {
    let (mut view_of, mut views) = (Vec::new(), Vec::<Vec<u32>>::new());
    let mut view_ids: FxHashMap<(u8, &[i64]), ViewId> = FxHashMap::default();
    for (choice, at) in transitions.choices.iter().zip(0..) {
        let new = views.len() as ViewId;
        let view = match &choice.view {
            Some(seen) if is_reached(at) => *view_ids.entry((choice.decision, seen)).or_insert(new),
            _ => new,
        };
        if view == new {
            views.push(Vec::new());
        }
        views[view as usize].push(at);
        view_of.push(view);
    }
    (view_of, views)
}

/// Returns, by position, the nearest other position through which every game passes that comes
/// there (Cooper, Harvey, Kennedy 2001). The first position is its own.
fn immediate_component_dominators(
    places: &VertexNumbers<'_>,
    circles: &[Vec<NextRollOrState>],
    position: &[u32],
) -> Vec<u32> {
    let mut dominator = vec![UNREACHED_POSITION; circles.len()];
    let first = circles.len() - 1;
    dominator[first] = first as u32;
    for (at, circle) in circles.iter().enumerate().rev() {
        for to in circle.iter().flat_map(|place| places.successors(*place)) {
            let to = position[places.index_of(to)] as usize;
            if to != at {
                let dominator_of_to = dominator[to];
                let at = at as u32;
                dominator[to] = if dominator_of_to == UNREACHED_POSITION {
                    at
                } else {
                    common_dominator(&dominator, dominator_of_to, at)
                };
            }
        }
    }
    dominator
}

/// Returns the last position that is passed on the way to both of two positions.
fn common_dominator(dominator: &[u32], mut a: u32, mut b: u32) -> u32 {
    // A position has a higher number than those that it leads to.
    while a != b {
        if a < b {
            a = dominator[a as usize];
        } else {
            b = dominator[b as usize];
        }
    }
    a
}
