//! Explanations of the steps of a combat, with the numbers of their rules.

use enfilade_model::combat::CombatStepExplanation;
use enfilade_model::dice::{RolledDie, ScriptedDice};

use super::attack::{DiceReadBeforeModifiers, FireAttackBeforeRoll};
use super::data::{FireTableResult, RESIDUAL_COUNTERS};
use super::pending_rolls::{
    CheckEffect, JudgedCheckRoll, PendingRoll, PersonnelRules, PersonnelWithPendingRolls,
};
use super::unit_profiles::ProfileRoster;
use super::unit_stack::WOUNDED_NOW;
use super::vehicles::{ContestVehicles, VehicleHitEffect, VehicleTurnProgress};

/// Formats a number of 64ths as a decimal: `9`, `1.5`.
pub fn format_firepower_decimal(sixty_fourths: i64) -> String {
    let (whole, mut rest) = (sixty_fourths / 64, sixty_fourths % 64);
    if rest == 0 {
        return whole.to_string();
    }
    let mut digits = String::new();
    while rest > 0 {
        rest *= 10;
        digits.push(char::from_digit((rest / 64) as u32, 10).unwrap_or('0'));
        rest %= 64;
    }
    format!("{whole}.{digits}")
}

/// Returns the largest residual counter that is at most half of this firepower, in 64ths (A8.2).
pub fn residual_firepower_counter(sixty_fourths: i64) -> Option<i64> {
    RESIDUAL_COUNTERS.into_iter().find(|counter| 2 * 64 * counter <= sixty_fourths)
}

/// Targets with the same modifiers.
pub struct EqualModifierTargets {
    /// Modifiers against the targets.
    pub drm: i32,
    /// Names of the targets.
    pub targets: Vec<String>,
}

/// Explains the DR of an attack: its result for the first targets, then for the others.
pub fn explain_fire_attack_roll(
    attack: &FireAttackBeforeRoll,
    aims: &[EqualModifierTargets],
    rolls: &[RolledDie],
) -> CombatStepExplanation {
    let ([coloured, white, ..], [first, others @ ..]) = (rolls, aims) else {
        return CombatStepExplanation::default();
    };
    let reading = attack.read_dice_roll(coloured.face, white.face);
    let own = &attack.table.columns()[attack.column];
    let column = attack.column_after_cowering(&reading);
    let mut text = format!(
        "{}{} firepower on the {} column: Original {} ({}, {}), DRM {:+}, Final {}",
        firepower_derivation_prefix(&attack.account),
        format_firepower_decimal(attack.firepower),
        own.name,
        reading.original,
        coloured.face,
        white.face,
        first.drm,
        reading.original + first.drm,
    );
    if reading.cowers {
        text += &match column {
            Some(column) => format!("; doubles: it cowers to the {} column", column.name),
            None => "; doubles: it cowers off the table".to_owned(),
        };
    }
    let result = attack.result_for_drm(&reading, first.drm);
    text += &format!(": {result}.{}", describe_result_on_units(result));
    for aim in others {
        text += &explain_for_targets(attack, &reading, aim);
    }
    text += &describe_breakdown_and_residual(attack, &reading);
    let cowering = if reading.cowers { ", A7.9" } else { "" };
    let pinned = if others.is_empty() { "" } else { ", A7.83" };
    CombatStepExplanation::new(
        format!("A7.3{cowering}, {}{pinned}", result_rule_reference(result)),
        text,
    )
}

/// Explains a DR for targets with a separate Final DR.
fn explain_for_targets(
    attack: &FireAttackBeforeRoll,
    reading: &DiceReadBeforeModifiers,
    aim: &EqualModifierTargets,
) -> String {
    format!(
        " Against the {}: DRM {:+}, Final {}: {}.",
        aim.targets.join(", the "),
        aim.drm,
        reading.original + aim.drm,
        attack.result_for_drm(reading, aim.drm),
    )
}

/// Describes the effect of a result on several units.
fn describe_result_on_units(result: FireTableResult) -> String {
    match result {
        FireTableResult::K(_) => {
            " One unit suffers Casualty Reduction, then the others and its half-squad check."
                .to_owned()
        }
        FireTableResult::Kia(n) => format!(" Eliminated, at least: {n}; the others break."),
        _ => String::new(),
    }
}

/// Describes the breakdown of the guns that fired, and the residual firepower of the attack: half
/// of its own firepower, or of the column to which it cowered.
fn describe_breakdown_and_residual(
    attack: &FireAttackBeforeRoll,
    reading: &DiceReadBeforeModifiers,
) -> String {
    let broken = match reading.malfunctions {
        0 => String::new(),
        1 => " A machine gun breaks down.".to_owned(),
        n => format!(" {n} machine guns break down."),
    };
    let used_reading = match (reading.cowers, attack.column_after_cowering(reading)) {
        (true, Some(column)) => column.firepower,
        (true, None) => 0,
        (false, _) => attack.firepower,
    };
    let left = residual_firepower_counter(used_reading)
        .map(|counter| format!(" It leaves {counter} residual firepower."));
    broken + &left.unwrap_or_default()
}

/// Returns the rule of a result.
fn result_rule_reference(result: FireTableResult) -> &'static str {
    match result {
        FireTableResult::NoEffect => "A7.306",
        FireTableResult::Ptc => "A7.305",
        FireTableResult::Mc(0) => "A7.303",
        FireTableResult::Mc(_) => "A7.304",
        FireTableResult::K(_) => "A7.302",
        FireTableResult::Kia(_) => "A7.301",
    }
}

/// Formats the derivation of the firepower, before its sum.
fn firepower_derivation_prefix(account: &str) -> String {
    if account.is_empty() {
        return String::new();
    }
    format!("{account}: ")
}

/// Explains the DR of an attack on the vehicle line.
pub fn explain_vehicle_line_roll(attack: &FireAttackBeforeRoll, rolls: &[RolledDie]) -> String {
    let [coloured, white, ..] = rolls else {
        return String::new();
    };
    let reading = attack.read_dice_roll(coloured.face, white.face);
    let Some(column) = attack.column_after_cowering(&reading) else {
        return String::new();
    };
    format!(
        " Vehicle line: DRM {:+}, Final {} against Kill Number {}.",
        attack.drm_without_target_modifiers().vehicle,
        reading.original + attack.drm_without_target_modifiers().vehicle,
        column.kill_number,
    )
}

/// Explains the turn of one vehicle, or of one of its passengers.
pub fn explain_vehicle_damage_roll(
    convoy: &ContestVehicles,
    turn: &VehicleTurnProgress,
    roster: &ProfileRoster,
    rolls: &[RolledDie],
) -> CombatStepExplanation {
    if turn.fleeing > 0 {
        let original: i32 = rolls.iter().map(|roll| i32::from(roll.face)).sum();
        let needed = convoy.survival_dr_needed(turn, roster);
        let fate = if original > needed { "is lost" } else { "survives" };
        let text =
            format!("Survival of a passenger: {original}, at most {needed} is needed: it {fate}.");
        return CombatStepExplanation::new("A7.308, D5.6", text);
    }
    let faces: Vec<u8> = rolls.iter().map(|roll| roll.face).collect();
    let Some(blow) = convoy.roll_effect_on_vehicle(turn, &mut ScriptedDice::new(&faces)) else {
        return CombatStepExplanation::default();
    };
    let armoured = convoy.current_vehicle(turn).is_some_and(|vehicle| vehicle.armoured);
    let mut text = match (armoured, blow.effect) {
        (true, _) => "The armoured vehicle is not affected",
        (_, VehicleHitEffect::Unaffected) => "The vehicle is unharmed",
        (_, VehicleHitEffect::Immobilised) => "The vehicle is immobilised",
        (_, VehicleHitEffect::Eliminated) => {
            "The vehicle is eliminated; its passengers check for survival"
        }
        (_, VehicleHitEffect::Wreck) => "The vehicle is a burning wreck; its passengers are lost",
    }
    .to_owned();
    if let Some(dr) = blow.unlikely {
        text += &format!(" (Unlikely Kill dr {dr})");
    }
    let rule = match (armoured, blow.unlikely) {
        (true, _) => "A7.307",
        (_, Some(_)) => "A7.308, A7.309",
        _ => "A7.308",
    };
    CombatStepExplanation::new(rule, text + ".")
}

/// Explains one step of the pending rolls.
pub fn explain_pending_roll(
    personnel: &PersonnelRules,
    from: &PersonnelWithPendingRolls,
    rolls: &[RolledDie],
    to: &PersonnelWithPendingRolls,
) -> CombatStepExplanation {
    let sum = rolls.iter().map(|roll| i32::from(roll.face)).sum();
    match personnel.next_pending_roll(from) {
        Some(PendingRoll::Select(place)) => {
            explain_random_selection(personnel, from, place, sum, to)
        }
        Some(PendingRoll::Wound(place)) => explain_wound_severity(personnel, from, place, sum),
        Some(PendingRoll::Check(place)) => {
            let judgement = personnel.judge_due_check(from, place, None, sum);
            let who = personnel.roster.describe_unit(from.stack.sorted_units()[place]);
            let rule =
                if judgement.check == FireTableResult::Ptc { "A7.305" } else { "A10.3, A7.8" };
            CombatStepExplanation::new(rule, explain_morale_check(&who, judgement))
        }
        Some(PendingRoll::LeaderLoss(place)) => explain_leader_loss(personnel, from, place, sum),
        None => CombatStepExplanation::default(),
    }
}

fn explain_random_selection(
    personnel: &PersonnelRules,
    from: &PersonnelWithPendingRolls,
    place: usize,
    dr: i32,
    to: &PersonnelWithPendingRolls,
) -> CombatStepExplanation {
    let unit = from.stack.sorted_units()[place];
    let who = personnel.roster.describe_unit(unit);
    // Until the last dr, units that have drawn still have their pending results.
    let goes_on =
        to.stack.sorted_units().iter().any(|u| u.pending_result() == unit.pending_result());
    let end = match unit.pending_result() {
        _ if goes_on => "",
        FireTableResult::Kia(_) => "; the highest are eliminated, the others break",
        _ => "; the highest suffers Casualty Reduction",
    };
    let text = format!("Random Selection: the {who} rolls {dr}{end}.");
    CombatStepExplanation::new("A7.301, A7.302", text)
}

fn explain_wound_severity(
    personnel: &PersonnelRules,
    from: &PersonnelWithPendingRolls,
    place: usize,
    dr: i32,
) -> CombatStepExplanation {
    let unit = from.stack.sorted_units()[place];
    let who = personnel.roster.describe_unit(unit.without_mark(WOUNDED_NOW));
    let severity = personnel.modified_wound_severity(unit, dr);
    let outcome =
        if severity <= personnel.numbers.wound_survived { "wounded" } else { "eliminated" };
    let text = format!("The {who} is hit: wound severity {severity}, {outcome}.");
    CombatStepExplanation::new("A17.11", text)
}

fn explain_leader_loss(
    personnel: &PersonnelRules,
    from: &PersonnelWithPendingRolls,
    place: usize,
    sum: i32,
) -> CombatStepExplanation {
    let Some(loss) = from.loss else {
        return CombatStepExplanation::default();
    };
    let judgement = personnel.judge_due_check(from, place, Some(loss), sum);
    let who = personnel.roster.describe_unit(from.stack.sorted_units()[place]);
    let name = if loss.check == FireTableResult::Ptc { "LLTC" } else { "LLMC" };
    CombatStepExplanation::new(
        "A10.2",
        format!("{name}: {}", explain_morale_check(&who, judgement)),
    )
}

fn explain_morale_check(who: &str, judgement: JudgedCheckRoll) -> String {
    let led = match judgement.leadership {
        Some(drm) => format!(" (leadership {drm:+})"),
        None => String::new(),
    };
    let verdict = match judgement.verdict {
        CheckEffect::Passes => "passes",
        CheckEffect::Pinned if judgement.original + judgement.drm < judgement.morale => {
            "passes with the highest DR that does, and is pinned"
        }
        CheckEffect::Pinned => "is pinned",
        CheckEffect::Breaks => "breaks",
        CheckEffect::BreaksReplaced => "breaks and is replaced by lower quality",
        CheckEffect::Reduced => "suffers Casualty Reduction",
        CheckEffect::ReducedBreaks => "suffers Casualty Reduction and breaks",
        CheckEffect::Eliminated => "is eliminated",
    };
    format!(
        "The {who} takes a {}: Original {}, DRM {:+}{led}, Final {} against morale {}: it {verdict}.",
        judgement.check,
        judgement.original,
        judgement.drm,
        judgement.original + judgement.drm,
        judgement.morale,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_told_exactly() {
        assert_eq!(format_firepower_decimal(9 * 64), "9");
        assert_eq!(format_firepower_decimal(96), "1.5");
        assert_eq!(format_firepower_decimal(80), "1.25");
        assert_eq!(format_firepower_decimal(2 * 64 + 1), "2.015625");
    }

    #[test]
    fn residual_firepower_is_the_largest_counter_that_half_reaches() {
        // A7.372: 10 leaves 4, 2½ leaves 1.
        assert_eq!(
            (residual_firepower_counter(640), residual_firepower_counter(160)),
            (Some(4), Some(1))
        );
        assert_eq!(
            (residual_firepower_counter(64), residual_firepower_counter(36 * 64)),
            (None, Some(12))
        );
    }
}
