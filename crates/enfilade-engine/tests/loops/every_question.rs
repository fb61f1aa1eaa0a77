//! Work that is cancelled at any of its questions has no answer, and is the same where it is not.

use std::cell::Cell;
use std::fmt::Debug;

use crate::counted_figures::shots;
use crate::games::{duel, jam, run, trolls};
use enfilade_engine::cancel::CancelToken;
use enfilade_engine::exact::tally_layers::{solve_tally_layers, tally_powers_by_ending};
use enfilade_engine::exact::{solve_graph_unless_cancelled, solve_weights_unless_cancelled};
use enfilade_engine::graph::DieGraph;

thread_local! {
    /// Number of questions that are still answered with no; then all are answered with yes.
    static REFUSALS: Cell<usize> = const { Cell::new(0) };
}

fn is_over() -> bool {
    let left = REFUSALS.get();
    REFUSALS.set(left.saturating_sub(1));
    left == 0
}

/// Returns the answer of work that is cancelled after so many questions, and how many it asked
/// before.
fn cancelled_after<R>(refusals: usize, work: impl FnOnce(&CancelToken) -> R) -> (R, usize) {
    REFUSALS.set(refusals);
    let answer = work(&CancelToken::from_query(is_over));
    (answer, refusals - REFUSALS.get())
}

/// Cancels `work` at the 1st, 2nd, 3rd, 5th, 9th … question and at the last one.
fn stops_at_every_question<R: Debug + PartialEq>(
    name: &str,
    work: impl Fn(&CancelToken) -> Option<R>,
) {
    let (whole, asked) = cancelled_after(usize::MAX, &work);
    assert!(whole.is_some() && asked > 0, "{name}: {asked}");
    let powers = (0..).map(|power| 1 << power).take_while(|refusals| *refusals < asked);
    for refusals in powers.chain([0, asked - 1]) {
        let (cancelled, _) = cancelled_after(refusals, &work);
        assert_eq!(cancelled, None, "{name} after {refusals} of {asked} questions");
    }
    assert_eq!(cancelled_after(asked, &work).0, whole, "{name}");
}

fn contests() -> Vec<(&'static str, DieGraph)> {
    vec![
        ("jam", jam().graph()),
        ("trolls", trolls(3).graph()),
        ("duel", duel(2, 6).graph()),
        ("run", run(6, 2).graph()),
    ]
}

#[test]
fn odds_of_loops_are_whole_or_none() {
    for (name, graph) in contests() {
        stops_at_every_question(name, |halt| solve_graph_unless_cancelled(&graph, halt));
        stops_at_every_question(name, |halt| solve_weights_unless_cancelled(&graph, halt));
    }
}

#[test]
fn odds_of_copies_are_whole_or_none() {
    let graph = shots(9).graph();
    assert!(graph.copied_part_and_sums().is_some());
    stops_at_every_question("copies", |halt| solve_graph_unless_cancelled(&graph, halt));
    stops_at_every_question("copies", |halt| solve_weights_unless_cancelled(&graph, halt));
    let one = shots(1).graph();
    stops_at_every_question("one shot", |halt| solve_weights_unless_cancelled(&one, halt));
}

#[test]
fn layers_and_powers_of_tallies_are_whole_or_none() {
    for (name, graph) in contests() {
        stops_at_every_question(name, |halt| tally_powers_by_ending(&graph, 0, halt));
        stops_at_every_question(name, |halt| {
            solve_tally_layers(&graph, 0, halt).map(|layers| layers.endings_by_layer)
        });
    }
}

/// A loop that is left with 10⁻³²⁰ is swept round by round, and asks in every round.
#[test]
fn rounds_that_are_swept_stop_at_any_of_them() {
    let graph = run(100, 160).graph();
    let work = |halt: &CancelToken| solve_graph_unless_cancelled(&graph, halt);
    assert!(cancelled_after(usize::MAX, work).1 > 10_000);
    for refusals in [0, 1, 10, 100, 1_000, 10_000] {
        assert_eq!(cancelled_after(refusals, work).0, None, "{refusals}");
    }
}
