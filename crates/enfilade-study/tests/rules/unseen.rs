//! Choices that the other player does not see. Values by enumeration of supports in fractions, and
//! of random games by enumeration of all pure plans.

use crate::texts::{combat, exact, faults, near, odds, read, value};
use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::graph::strategy::best_play_cross_check_gap;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::dice::ScriptedDice;
use enfilade_study::strategy::best_strategy_per_decision;
use enfilade_testkit::sequence_dice::SequenceDice;

/// A guarded way needs 5 or more, an open road 2 or more, an open ford 3 or more.
pub const RAID: &str = "game \"Raid\"
words way: road, ford
action raid:
    choose for highest won \"the raid\":
        option \"road\": plan = road
        option \"ford\": plan = ford
    choose for lowest won \"the guard\", blind to plan:
        option \"road\": guard = road
        option \"ford\": guard = ford
    need = (2 if plan is road else 3)
    if plan is guard: need = 5
    won = d6 >= need
    show won
    measure p_won = chance(won)
";

/// The first checks, so that the higher die wins 1, or raises to the stake; then the second calls
/// or yields 1.
fn bluff(stake: u8, sees: bool) -> String {
    let blind = if sees { "" } else { ", blind to mine" };
    format!(
        "game \"Bluff\"
action bluff:
    mine = d3
    theirs = d3
    choose for highest got \"the first\", blind to theirs:
        option \"check\": raised = no
        option \"raise\": raised = yes
    stake = 1
    yields = no
    if raised:
        choose for lowest got \"the second\"{blind}:
            option \"yield\": yields = yes
            option \"call\": stake = {stake}
    got = 0
    if yields or mine > theirs: got = stake
    else if mine < theirs: got = 0 - stake
    show got
    measure e_got = mean(got)
"
    )
}

/// Returns what is decided in the trials with these dice, and dice of mixtures.
fn decided(text: &str, faces: &[u8]) -> Vec<String> {
    let combat = combat(text, "");
    DieGraph::compile_within_limits(&combat, CompiledContestLimits::default())
        .expect("it is solved");
    let mut found = Vec::new();
    let mut dice = ScriptedDice::new(faces);
    combat.play_with_step_listener(&mut dice, &mut |_, telling| {
        found.extend(telling.decided.iter().map(ToString::to_string));
        true
    });
    assert_eq!(dice.find_mismatch(), None);
    found
}

#[test]
fn the_raid_mixes_its_ways() {
    assert_eq!(exact(&odds(RAID, ""), "p_won"), "8/15");
    let seen = RAID.replace(", blind to plan", "");
    assert_eq!(exact(&odds(&seen, ""), "p_won"), "1/3");
    // Dice of five: the raid takes the road on 1 and 2, the guard on 1 to 3.
    let (raid, guard) = ("the raid, unseen", "the guard, unseen");
    assert_eq!(
        decided(RAID, &[2, 4, 6]),
        [format!("{raid}: road, as in 2 of 5"), format!("{guard}: ford, as in 2 of 5")]
    );
    assert_eq!(
        decided(RAID, &[3, 3, 6]),
        [format!("{raid}: ford, as in 3 of 5"), format!("{guard}: road, as in 3 of 5")]
    );
}

#[test]
fn three_ways_against_two_guards() {
    let text = "game \"Ways\"
table worth:
    columns  0  1
    0        1  6
    1        4  3
    2        5  2
action attack:
    choose for highest got \"attack\":
        option \"left\": way = 0
        option \"centre\": way = 1
        option \"right\": way = 2
    choose for lowest got \"guard\", blind to way:
        option \"left\": guard = 0
        option \"right\": guard = 1
    got = worth(way, guard)
    show got
    measure e_got = mean(got)
";
    assert_eq!(exact(&odds(text, ""), "e_got"), "7/2");
}

#[test]
fn a_bluff_is_raised_with_the_worst_die() {
    let hidden = bluff(2, false);
    assert_eq!(exact(&odds(&hidden, ""), "e_got"), "2/27");
    // With 1 in 3 of 3, with 3 always; called with 2 in 2 of 3, with 3 always. Dice in the order in
    // which the rule rolls them, with those of mixtures where they are drawn.
    let first = |faces: &[u8]| decided(&hidden, faces)[0].clone();
    let raised = |share: &str| format!("the first, unseen: raise, as in {share}");
    assert_eq!(first(&[1, 1, 3]), raised("1 of 3"));
    assert!(first(&[2, 1]).starts_with("the first check"), "{}", first(&[2, 1]));
    assert!(first(&[3, 1]).starts_with("the first raise"), "{}", first(&[3, 1]));
    assert_eq!(decided(&hidden, &[3, 2, 3])[1], "the second, unseen: call, as in 2 of 3");
    assert!(decided(&hidden, &[3, 3])[1].starts_with("the second call"));
    assert!(decided(&hidden, &[3, 1])[1].starts_with("the second yield"));
    assert_eq!(exact(&odds(&bluff(2, true), ""), "e_got"), "0/1");
    assert_eq!(exact(&odds(&bluff(4, false), ""), "e_got"), "0/1");
    assert!(decided(&bluff(4, false), &[3, 1])[0].starts_with("the first check"));
}

/// What a player gains by the best reply to the other's mixtures over the whole contest, in parts
/// of the span of the goal.
fn gain_by_another_reply(text: &str) -> f64 {
    let found = best_play_cross_check_gap(
        &combat(text, ""),
        &CompiledContestLimits::default(),
        &NEVER_CANCELLED,
    );
    found.expect("it is solved").expect("both have one goal")
}

#[test]
fn nobody_gains_by_another_reply() {
    for text in [RAID.to_owned(), bluff(2, false), bluff(2, true), bluff(4, false)] {
        assert_eq!(gain_by_another_reply(&text), 0.0, "{text}");
    }
    // A loop of dice behind the choices: a tie is rolled again, and half of the rest is won.
    let loops = RAID.replace(
        "    won = d6 >= need\n",
        "    won = no\n    repeat:\n        a = d6\n        if a == 1: stop\n        if a >= need:\n            \
         won = yes\n            stop\n",
    );
    assert_eq!(gain_by_another_reply(&loops), 0.0);
}

/// Every sequence of faces is played once: the mean of 1 over its number of equally likely ones.
#[test]
fn played_trials_have_the_exact_law() {
    let combat = combat(RAID, "");
    DieGraph::compile_within_limits(&combat, CompiledContestLimits::default())
        .expect("it is solved");
    let (mut dice, mut won) = (SequenceDice::default(), 0.0);
    loop {
        let ending = combat.play_one_trial(&mut dice, 100).expect("it ends");
        won += f64::from(ending.weights[0]) / dice.equally_likely_sequences() as f64;
        if !dice.next_sequence() {
            break;
        }
    }
    near(won, 8.0 / 15.0, 1e-12);
}

/// Trials that are counted through the graph and trials that are played by the rule, each within
/// five standard deviations of 8/15.
#[test]
fn counted_trials_have_the_exact_share() {
    let odds = odds(RAID, "");
    let exact = 8.0 / 15.0;
    for (trials, found) in [
        (1_000_000.0, odds.simulate(1_000_000).seed(7).value("p_won")),
        (100_000.0, odds.play(100_000).seed(7).value("p_won")),
    ] {
        let deviation = (exact * (1.0 - exact) / f64::from(trials as u32)).sqrt();
        near(found.expect("it is measured"), exact, 5.0 * deviation);
    }
}

#[test]
fn hidden_choices_are_refused_in_plain_words() {
    let refused = |text: &str| {
        let combat = combat(text, "");
        DieGraph::compile_within_limits(&combat, CompiledContestLimits::default())
            .expect_err("refused")
            .to_string()
    };
    let endless = RAID
        .replace("    choose for", "        choose for")
        .replace("        option", "            option")
        .replace("action raid:\n", "action raid:\n    plan = road\n    guard = road\n    repeat:\n")
        .replace("    need =", "        if d6 > 3: stop\n    need =");
    let why = refused(&endless);
    assert!(why.contains("a hidden choice is in a loop that may never end"), "{why}");
    let goals = RAID
        .replace("show won\n", "show won\n    show need\n")
        .replace("lowest won", "lowest need");
    let why = refused(&goals);
    assert!(why.contains("have different goals: `won` (the raid) and `need` (the guard)"), "{why}");
    // The first throws a die, forgets it, and decides again.
    let forgets = "game \"F\"
action a:
    die = d2
    choose for highest got \"first\":
        option \"one\": bold = no
        option \"two\": bold = die is 2
    choose for lowest got \"answer\", blind to bold:
        option \"one\": answer = 1
        option \"two\": answer = 2
    choose for highest got \"last\", blind to bold, answer:
        option \"one\": got = answer
        option \"two\": got = 3 - answer
    if bold: got = 0
    show got
";
    let why = refused(forgets);
    assert!(
        why.contains("last: the player no longer knows what they chose at first")
            || why.contains("last: the player no longer knows what they saw at first"),
        "{why}"
    );
}

#[test]
fn blind_to_names_variables() {
    let found = |name: &str| faults(&RAID.replace("blind to plan", &format!("blind to {name}")));
    assert_eq!(found("plam")[0], ("there is no `plam` here".into(), "did you mean `plan`?".into()));
    assert_eq!(found("way")[0].0, "there is no `way` here", "a list of words is no variable");
    let field = RAID.replace("action raid:", "field far: yes/no = no\naction raid:");
    let field = field.replace("blind to plan", "blind to far");
    assert_eq!(
        faults(&field)[0],
        (
            "`far` is known to everybody, and `blind to` names variables of the rule".into(),
            "name numbers, words or lists that a line above has made".into()
        )
    );
    let comma = RAID.replace("\"the guard\", blind", "\"the guard\" blind");
    assert!(faults(&comma)[0].0.contains("`,` before `blind to`"), "{:?}", faults(&comma));
}

/// Game by lot: both have a die of their own, the first decides, the second, the first again; each
/// sees or does not see what the other has chosen.
struct LotGame {
    sides: [usize; 2],
    options: [usize; 3],
    /// Whether the second sees the first choice, and the first the second.
    sees: [bool; 2],
    worths: Vec<i32>,
}

impl LotGame {
    fn draw(lot: &mut impl FnMut(usize) -> usize) -> LotGame {
        let sides = [1 + lot(3), 1 + lot(2)];
        let options = [2, 2 + lot(2), 1 + lot(2)];
        let all = sides.iter().product::<usize>() * options.iter().product::<usize>();
        let worths = (0..all).map(|_| lot(9) as i32).collect();
        LotGame { sides, options, sees: [lot(3) == 0, lot(2) == 0], worths }
    }

    fn text(&self) -> String {
        let options = |name: &str, count: usize| -> String {
            let option = |at| format!("        option \"{at}\": {name} = {at}\n");
            (0..count).map(option).collect()
        };
        let [s, t] = self.sides;
        let [a, b, c] = self.options;
        let blind = [
            if self.sees[0] { "mine" } else { "mine, one" },
            if self.sees[1] { "theirs" } else { "theirs, two" },
        ];
        let rows: String =
            (0..).zip(&self.worths).map(|(at, worth)| format!("    {at}  {worth}\n")).collect();
        format!(
            "game \"Lot\"\ntable worth:\n{rows}action a:\n    mine = d({s})\n    theirs = d({t})\n    \
             choose for highest got \"1\", blind to theirs:\n{}    choose for lowest got \"2\", blind \
             to {}:\n{}    choose for highest got \"3\", blind to {}:\n{}    got = worth(((((mine - 1) \
             * {t} + theirs - 1) * {a} + one) * {b} + two) * {c} + three)\n    show got\n    measure \
             e_got = mean(got)\n",
            options("one", a),
            blind[0],
            options("two", b),
            blind[1],
            options("three", c),
        )
    }

    /// Returns all plans of a player whose views have these numbers of options.
    fn plans(views: usize, options: usize) -> Vec<Vec<usize>> {
        (0..options.pow(views as u32))
            .map(|plan| (0..views).map(|view| plan / options.pow(view as u32) % options).collect())
            .collect()
    }

    /// Returns the mean for each pair of plans.
    fn matrix(&self) -> Vec<Vec<f64>> {
        let ([s, t], [a, b, c]) = (self.sides, self.options);
        let (firsts, thirds) = (Self::plans(s, a), Self::plans(s * a * b, c));
        // A last choice that does not see the answer is the same whatever it is.
        let thirds: Vec<_> = thirds
            .into_iter()
            .filter(|plan| {
                self.sees[1] || plan.chunks(b).all(|same| same.iter().all(|at| *at == same[0]))
            })
            .collect();
        let seconds: Vec<_> = Self::plans(t * a, b)
            .into_iter()
            .filter(|plan| {
                self.sees[0] || plan.chunks(a).all(|same| same.iter().all(|at| *at == same[0]))
            })
            .collect();
        let mean = |first: &[usize], third: &[usize], second: &[usize]| {
            let mut sum = 0.0;
            for (mine, theirs) in (0..s).flat_map(|mine| (0..t).map(move |theirs| (mine, theirs))) {
                let one = first[mine];
                let two = second[theirs * a + one];
                let three = third[(mine * a + one) * b + two];
                let at = (((mine * t + theirs) * a + one) * b + two) * c + three;
                sum += f64::from(self.worths[at]);
            }
            sum / (s * t) as f64
        };
        let own = firsts.iter().flat_map(|first| thirds.iter().map(move |third| (first, third)));
        own.map(|(first, third)| seconds.iter().map(|second| mean(first, third, second)).collect())
            .collect()
    }
}

/// Encloses the value of a matrix game by regret matching (Hart, Mas-Colell 2000; the second of two
/// players answers the average so far).
fn enclose(matrix: &[Vec<f64>], rounds: usize) -> [f64; 2] {
    let (rows, columns) = (matrix.len(), matrix[0].len());
    let (mut regrets, mut sums) =
        ([vec![0.0; rows], vec![0.0; columns]], [vec![0.0; rows], vec![0.0; columns]]);
    let mixture = |regrets: &[f64]| {
        let all: f64 = regrets.iter().sum();
        let even = 1.0 / regrets.len() as f64;
        regrets.iter().map(|r| if all > 0.0 { r / all } else { even }).collect::<Vec<f64>>()
    };
    let row_worths = |other: &[f64]| -> Vec<f64> {
        matrix.iter().map(|row| row.iter().zip(other).map(|(a, b)| a * b).sum()).collect()
    };
    let column_worths = |own: &[f64]| -> Vec<f64> {
        (0..columns).map(|at| matrix.iter().zip(own).map(|(row, p)| row[at] * p).sum()).collect()
    };
    for round in 1..=rounds {
        for player in 0..2 {
            let mixtures = [mixture(&regrets[0]), mixture(&regrets[1])];
            let worths = match player {
                0 => row_worths(&mixtures[1]),
                _ => column_worths(&mixtures[0]).iter().map(|worth| -worth).collect(),
            };
            let mean: f64 = worths.iter().zip(&mixtures[player]).map(|(a, b)| a * b).sum();
            for (regret, worth) in regrets[player].iter_mut().zip(&worths) {
                *regret = f64::max(0.0, *regret + worth - mean);
            }
            for (sum, share) in sums[player].iter_mut().zip(&mixtures[player]) {
                *sum += share * round as f64;
            }
        }
    }
    let average = |sums: &[f64]| {
        let all: f64 = sums.iter().sum();
        sums.iter().map(|sum| sum / all).collect::<Vec<f64>>()
    };
    let low = column_worths(&average(&sums[0])).into_iter().fold(f64::INFINITY, f64::min);
    let high = row_worths(&average(&sums[1])).into_iter().fold(f64::NEG_INFINITY, f64::max);
    [low, high]
}

#[test]
fn random_games_have_the_value_of_all_pure_plans() {
    let mut seed = 20u64;
    let mut lot = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % most
    };
    let mut mixed = 0;
    for _ in 0..60 {
        let game = LotGame::draw(&mut lot);
        let matrix = game.matrix();
        // A table has 64 rows at most.
        if game.worths.len() > 64 || matrix.len() * matrix[0].len() > 40_000 {
            continue;
        }
        let text = game.text();
        assert_eq!(faults(&text), [], "{text}");
        let found = value(&odds(&text, ""), "e_got");
        let [low, high] = enclose(&matrix, 1_000);
        assert!(high - low < 0.05, "{low} {high}");
        assert!(low - 1e-9 <= found && found <= high + 1e-9, "{low} {found} {high}\n{text}");
        assert_eq!(gain_by_another_reply(&text), 0.0, "{text}");
        mixed += u32::from(decided(&text, &[1; 40]).iter().any(|one| one.contains("unseen")));
    }
    assert!(mixed > 10, "{mixed}");
}

#[test]
fn a_strategy_has_shares_by_what_is_seen() {
    let found = best_strategy_per_decision(&combat(&bluff(2, false), ""), &NEVER_CANCELLED)
        .expect("it is solved");
    let second = &found[1];
    assert_eq!(
        (&*second.decision.name, second.names.as_slice()),
        ("the second", &["theirs".into()][..])
    );
    // Yield, call: with 1 never called, with 2 in two of three, with 3 always.
    let shares: Vec<(i64, Vec<f64>)> = second
        .situations
        .iter()
        .map(|one| (one.values[0], one.shares.clone()))
        .filter(|(_, shares)| !shares.is_empty())
        .collect();
    assert_eq!(shares.len(), 1);
    assert_eq!(shares[0].0, 2);
    near(shares[0].1[1], 2.0 / 3.0, 1e-12);
    // The first raises with 1 in one of three, with 3 always; 4 of 9, for each die of the second.
    let visits: f64 = second.situations.iter().map(|one| one.visits).sum();
    near(visits, 4.0 / 9.0, 1e-12);
    assert_eq!(second.situations.len(), 3);
}

/// An option twice changes no value: with 61 sequences the bluff is solved in fractions, with 77 in
/// numbers of 64 bits.
#[test]
fn larger_games_in_64_bits_agree_with_fractions() {
    let small = bluff(2, false).replace("d3", "d15");
    let twice = "option \"check\": raised = no\n        option \"check again\": raised = no";
    let large = small.replace("option \"check\": raised = no", twice);
    let (small, large) = (value(&odds(&small, ""), "e_got"), value(&odds(&large, ""), "e_got"));
    near(large, small, 1e-9);
    assert!(small > 0.0, "{small}");
}

/// Prints how long bluffs with many faces take; run by hand.
#[test]
#[ignore = "a measurement"]
fn how_long_bluffs_take() {
    for sides in [20, 50, 100] {
        let text = bluff(2, false).replace("d3", &format!("d{sides}"));
        let start = std::time::Instant::now();
        let got = value(&odds(&text, ""), "e_got");
        println!("d{sides}: {got} {:?}", start.elapsed());
    }
}

#[test]
fn a_choice_that_knows_another_names_what_it_knows() {
    let remarks = |text: &str| -> Vec<(String, String)> {
        let book = read(text).unwrap_or_else(|error| panic!("{error}"));
        let warnings = book.warnings.into_iter();
        warnings.map(|one| (one.fault.problem, one.fault.help.unwrap_or_default())).collect()
    };
    let seen = RAID.replace(", blind to plan", "");
    let help = "if the player has not seen it, add `, blind to plan` before the `:`";
    assert_eq!(remarks(&seen), [("this choice knows `plan` of line 4".into(), help.into())]);
    assert_eq!(remarks(RAID), []);
    // A die in between, or one side alone.
    let die = seen.replace("    choose for lowest", "    luck = d2\n    choose for lowest");
    assert_eq!(remarks(&die.replace("need = 5", "need = 4 + luck")), []);
    assert_eq!(remarks(&seen.replace("lowest won", "highest won")), []);
}

/// The first of two hides one of two coins, by a list of places; the second looks for it.
#[test]
fn a_list_is_hidden_with_all_its_places() {
    let text = "game \"Hide\"
action seek:
    hand = [0, 0, 0]
    choose for lowest found \"hide\":
        option \"1\": hand[1] = 1
        option \"2\": hand[2] = 1
        option \"3\": hand[3] = 1
    choose for highest found \"seek\", blind to hand:
        option \"1\": found = hand[1] is 1
        option \"2\": found = hand[2] is 1
        option \"3\": found = hand[3] is 1
    show found
    measure p_found = chance(found)
";
    assert_eq!(exact(&odds(text, ""), "p_found"), "1/3");
    assert_eq!(exact(&odds(&text.replace(", blind to hand", ""), ""), "p_found"), "1/1");
}
