//! Raids that are refused, that are solved badly, and that have choices to which nothing leads.

use super::*;
use crate::cancel::NEVER_CANCELLED;
use crate::graph::explore::TransitionSystem;
use crate::graph::node::FacesWithSameTarget;
use crate::graph::solve_decisions::raid_by_hand::{LOST, WON, choice, declared, raid};
use crate::graph::solve_decisions::{find_strong_components, solve_and_redirect_choices};
use enfilade_model::dice::OpenOptions;

fn refusal(mut raid: TransitionSystem) -> String {
    let solved = solve_and_redirect_choices(&mut raid, &declared(), &NEVER_CANCELLED);
    solved.err().expect("it is refused").to_string()
}

#[test]
fn options_that_tell_what_is_hidden_are_refused() {
    let mut raid = raid(LOST);
    raid.choices[1].open = OpenOptions::between(2, 3);
    let why = refusal(raid);
    for words in [
        "the guard: `plan` is hidden here and decides which options are open",
        "offer the same options whatever is hidden",
    ] {
        assert!(why.contains(words), "{why}");
    }
}

#[test]
fn a_choice_to_which_nothing_leads_is_in_no_view() {
    let mut raid = raid(LOST);
    raid.choices.push(choice(1, [WON, WON]));
    let solved =
        solve_and_redirect_choices(&mut raid, &declared(), &NEVER_CANCELLED).expect("it is solved");
    assert_eq!(solved.means, [8.0 / 15.0; 2]);
    assert!(solved.options[3].means.is_empty() && solved.options[0].means.len() == 2);
}

/// Builds a raid that first rolls d17 and d255, and decides by what they show: 4335 views of two
/// sequences each.
fn raid_with_many_plans() -> TransitionSystem {
    let mut raid = raid(LOST);
    let way = raid.choices[2].options.clone();
    let mut throws = Vec::new();
    for _ in 0..17 {
        let first = raid.choices.len() as u32;
        raid.choices.extend((0..255).map(|_| choice(0, [way[0], way[1]])));
        let plans = (first..first + 255).map(NextRollOrState::Choice);
        let faces: Vec<_> = plans.map(|to| FacesWithSameTarget { to, faces: 1 }).collect();
        throws.push(raid.die_node_or_sole_target(255, &faces, &mut Vec::new()));
    }
    let faces: Vec<_> = throws.iter().map(|to| FacesWithSameTarget { to: *to, faces: 1 }).collect();
    raid.states[0] = Some(raid.die_node_or_sole_target(17, &faces, &mut Vec::new()));
    raid
}

#[test]
fn a_game_of_too_many_plans_is_refused_with_a_remedy() {
    let why = refusal(raid_with_many_plans());
    for words in ["too many hidden choices to solve", "views and more", "or play fewer rounds"] {
        assert!(why.contains(words), "{why}");
    }
    let most = [MAX_CHOICE_SEQUENCES, MAX_SEQUENCE_PAIRS];
    let cases = [([0, 0], false), ([1, 0], true), ([0, 1], true)];
    for ([sequences, pairs], expected) in cases {
        assert_eq!(is_too_large(most[0] + sequences, most[1] + pairs), expected);
    }
}

/// Checks the raid where both players take the road in these parts, the raid first, and the ford
/// otherwise.
fn checked(road: [f64; 2]) -> Result<(), SolveError> {
    let (raid, combat) = (raid(LOST), declared());
    let goals = DecisionGoals::from_combat(&combat).expect("it has its goal");
    let mut solving = DecisionSolver::new(&raid, &goals, &NEVER_CANCELLED);
    let circles = find_strong_components(&raid);
    let unseen = HiddenChoiceViews::find_in_transitions(&raid, &solving.places, &circles);
    let mut unseen = unseen.expect("the guard does not see the plan");
    let mixture = |road: f64| shares_from_weights(&[road, 1.0 - road]);
    for circle in &circles {
        match unseen.classify_and_mark_component(&solving.places, circle) {
            ComponentHiddenChoiceStatus::Seen => solving.solve_fully_visible_component(circle)?,
            ComponentHiddenChoiceStatus::Begins(region) => {
                let views = [unseen.view_of[2], unseen.view_of[0]];
                let shares = views.into_iter().zip(road.map(mixture)).collect();
                solving.set_region_means(&unseen, &region, &shares);
                let game = solving.find_goal_and_sides(&region)?;
                let region = solving.region_for_check(&unseen, &game, &shares);
                return solving.check_best_replies(&game, &region);
            }
            _ => {}
        }
    }
    panic!("the raid has a region")
}

#[test]
fn mixtures_that_a_player_can_answer_better_are_found() {
    assert_eq!(checked([0.4, 0.6]), Ok(()));
    // A guard of the road alone: a third is won there, two thirds by the ford. A raid by the road
    // alone past a guard of the ford wins 5/6, and 1/3 where the guard is on the road.
    for (road, worth, low, high) in
        [([1.0, 1.0], 1.0 / 3.0, "0.333", "0.666"), ([1.0, 0.0], 5.0 / 6.0, "0.333", "0.833")]
    {
        let why = checked(road).expect_err("a player has a better answer").to_string();
        let words = format!("{worth:.3}")[..4].to_owned();
        assert!(why.contains(&format!("solved badly: {words}")), "{why}");
        let (_, answers) = why.split_once("between the best answers ").expect("they are named");
        let (least, most) = answers.split_once(" and ").expect("they are two");
        assert!(least.starts_with(low) && most.starts_with(high), "{why}");
        assert!(why.contains("have fewer hidden choices"), "{why}");
    }
}
