//! How long contests that may go on for ever take to be solved, and how far off they may be:
//! `cargo bench --bench loops`.
//!
//! Each row is solved once, by the CPU time of the thread: the large ones take seconds, and none
//! depends on what was solved before.

#[path = "../crates/enfilade-engine/tests/loops/games.rs"]
#[allow(dead_code, reason = "the tests play others too")]
mod games;

use cpu_time::ThreadTime;
use enfilade::exact;
use games::{Game, duel, front, run, trolls};

fn main() {
    let rows: [(&str, Game); 8] = [
        ("six 20s in a row", run(20, 6)),
        ("front, 400 each way", front(400, false)),
        ("duel of 300, one hit in 100", duel(300, 100)),
        ("two that mend, 40 points each", trolls(40)),
        ("race with setbacks, 40 squares", race(40)),
        ("three things that move both ways, 16 each", drift(16)),
        ("race with setbacks, 100 squares", race(100)),
        ("two that mend, 130 points each", trolls(130)),
    ];
    let all = std::env::args().any(|argument| argument == "--bench");
    println!("{:44} {:>8} {:>9} {:>9} {:>8}", "loops of", "places", "compiled", "solved", "bound");
    for (name, game) in rows.into_iter().take(if all { 8 } else { 2 }) {
        let clock = ThreadTime::now();
        let graph = game.graph();
        let compiled = clock.elapsed().as_secs_f64();
        let clock = ThreadTime::now();
        let law = exact::solve_graph_distribution(&graph);
        let solved = clock.elapsed().as_secs_f64();
        println!(
            "{name:44} {:8} {compiled:8.2}s {solved:8.2}s {:8.0e}",
            graph.vertex_count(),
            law.bound
        );
    }
}

/// Two on a track of so many squares in turn: a d6 moves on, whoever comes to where the other
/// stands sends them back to the start, and past the end one stands still.
fn race(squares: i16) -> Game {
    Game {
        open: [0; 4],
        numbers: [squares, 0],
        step: |[squares, _], [mine, theirs, whose, _], dice| {
            if whose == 0 {
                dice.tally(0, 1);
            }
            let to = mine + i16::from(dice.die(6));
            let to = if to > squares { mine } else { to };
            let theirs = if to == theirs && to > 0 { 0 } else { theirs };
            // Whoever moves next stands first, unless this one is there.
            if to == squares { [to, theirs, whose, 1] } else { [theirs, to, 1 - whose, 0] }
        },
        over: |_, [_, _, whose, over]| (over == 1).then_some((whose == 0).into()),
    }
}

/// Three things in the middle of so many places each: in turn a d6 moves one up or down or leaves
/// it, until one is at either end.
fn drift(places: i16) -> Game {
    Game {
        open: [places / 2, places / 2, places / 2, 0],
        numbers: [places, 0],
        step: |_, [mut first, mut second, mut third, whose], dice| {
            if whose == 0 {
                dice.tally(0, 1);
            }
            let by = [-1, -1, 0, 0, 1, 1][usize::from(dice.die(6)) - 1];
            *[&mut first, &mut second, &mut third][whose as usize] += by;
            [first, second, third, (whose + 1) % 3]
        },
        over: |[places, _], [first, second, third, _]| {
            let out = |at: i16| at == 0 || at == places;
            [first, second, third].into_iter().any(out).then_some((first == places).into())
        },
    }
}
