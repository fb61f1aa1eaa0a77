//! `attack`: attacks in sequence on the same troopers.
//!
//! Source: base rules (attacks, hits, arcs) and Crewed Weapons. Each attack is 2d6 against the
//! target number and, on a hit, 2d6 for the cell. Cells stay crossed from attack to attack.
//!
//! # Why this state is enough
//!
//! An attack is two steps of two dice. Between them the future depends on the attacks left and on
//! the current target's card; the order in which cells were crossed does not matter, so after k
//! hits with one weapon there are at most as many cards as there are bags of k start cells.
//! Finished targets are only tallied, later targets are unhurt, and earlier ones are determined.
//! Once a single target is out of action, the number of the decisive attack is stored, because it
//! is reported. Attacks in turn have a separate state, in `round_robin.rs`.

mod attack_report;
mod attack_series;
mod carried_cards;
mod round_robin;

use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::combat::{AnyCombat, Combat, CombatStepExplanation, OutcomeVocabulary};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupFromForm, choice, fields};
use enfilade_model::form::{Fault, FieldType, Form, combine_results};

use super::action_points::{ActionPointFields, ap_of_armour_and_experience};
use super::aim::{
    AimCircumstances, AttackWeapon, HitMarking, TargetNumber, new_card_with_armour,
    read_marked_cards,
};
use super::aim_notes::{crewed_fired_on_move_note, ignored_cover_note, unused_armour_cell_note};
use super::attack_fields::{
    AimSituation, AttackRuleNumbers, AttackerFields, BodyArmour, ExperienceLevel, HitCardReadings,
    READINGS_HEADING, TARGET_HEADING, TargetFields, WEAPON_HEADING, WeaponFields,
    armour_cell_count,
};
use super::hit_card::HitCard;
use super::skirmishers_data::WeaponKind;
use super::unit_card::UnitCard;
use attack_report::{AttackOutcome, FinishedTargetTally};
use attack_series::{AttackSeries, MAX_ATTACK_TARGETS};
use carried_cards::AttacksWithFullCards;
use round_robin::AttacksOnTargetsInTurn;

const ATTACK_COUNT_RANGE: IntRange = IntRange::new("number of attacks", 1, 60);
const TARGET_COUNT_RANGE: IntRange =
    IntRange::new("number of targets", 1, MAX_ATTACK_TARGETS as i64);
const SHOTS_PER_ARC_RANGE: IntRange = IntRange::new("shots of an arc", 1, 20);

choice! {
    /// Firing arc of a rifle.
    pub(super) enum RifleFiringArc {
        /// None.
        None = "none",
        /// 30 degrees.
        Narrow = "30",
        /// 60 degrees.
        Middle = "60",
        /// 150 degrees.
        Wide = "150",
    }

    /// Distribution of attacks among several targets.
    pub(super) enum AttackDistributionChoice {
        /// One by one.
        Focus = "focus",
        /// In turn.
        Spread = "spread",
    }
}

fields! {
    /// Numbers of attacks and targets.
    pub(super) struct AttackFields {
        /// attacks; those of the arc when left out, or one
        shots: Option<u8> = new_optional(FieldType::Int(ATTACK_COUNT_RANGE)).with_player_name("attacks").with_heading(WEAPON_HEADING);
        /// firing arc, in degrees: of a crew served weapon 60, hand to hand none
        arc: RifleFiringArc = new_choice(RifleFiringArc::WORDS).with_player_name("firing arc")
            .with_value_labels(&["none", "30 degrees", "60 degrees", "150 degrees"]).with_heading(WEAPON_HEADING);
        /// shots of a 30° arc, times the weapon's multiplier
        arc_30_shots: u8 = new_whole_number(SHOTS_PER_ARC_RANGE, 1).with_player_name("shots of a 30 degree arc").with_unit("shots")
            .with_heading(READINGS_HEADING).as_rarely_changed();
        /// shots of a 60° arc, times the weapon's multiplier
        arc_60_shots: u8 = new_whole_number(SHOTS_PER_ARC_RANGE, 2).with_player_name("shots of a 60 degree arc").with_unit("shots")
            .with_heading(READINGS_HEADING).as_rarely_changed();
        /// shots of a 150° arc, times the weapon's multiplier
        arc_150_shots: u8 = new_whole_number(SHOTS_PER_ARC_RANGE, 4).with_player_name("shots of a 150 degree arc").with_unit("shots")
            .with_heading(READINGS_HEADING).as_rarely_changed();
        /// troopers attacked, all alike; several in other armour are `target_armours`
        targets: u8 = new_whole_number(TARGET_COUNT_RANGE, 1).with_player_name("targets").with_unit("troopers").with_heading(TARGET_HEADING);
        /// armour of each target in the order in which they are attacked, in place of `targets` and
        /// `target_armour`
        target_armours: Option<Vec<BodyArmour>> = new_optional(FieldType::list_of(const { &FieldType::choice_of_words(BodyArmour::WORDS) }))
            .with_rule_reference("Body Armor").with_player_name("armour of each target").with_heading(TARGET_HEADING).as_rarely_changed();
        /// several targets: one until out of action, or each attack at the next one who is in
        /// action
        allocation: AttackDistributionChoice = new_choice(AttackDistributionChoice::WORDS).marked_as_interpretation().with_player_name("attacks are dealt")
            .with_value_labels(&["one by one", "in turn"]).with_heading(READINGS_HEADING).as_rarely_changed();
        /// experience of the targets, for their AP
        target_experience: ExperienceLevel = new_choice(ExperienceLevel::WORDS).with_rule_reference("Trooper Experience")
            .with_player_name("experience of the targets").with_heading(TARGET_HEADING).as_rarely_changed();
    }
}

/// Catalogue entry.
pub const ATTACK_ACTION: RulebookAction = RulebookAction::new(
    "attack",
    "attacks on the same troopers, cell by cell",
    joined![
        WeaponFields::FIELDS,
        AttackFields::FIELDS,
        AttackerFields::FIELDS,
        ActionPointFields::FIELDS,
        AimSituation::FIELDS,
        TargetFields::FIELDS,
        HitCardReadings::FIELDS,
        AttackRuleNumbers::FIELDS,
    ],
    &build_attack_contest,
    &[
        "weapon = 'HMG'\nrange = 40\nshots = 2",
        "weapon = 'LMG'\nrange = 60\nobstructions = 1\nprone_attacker = true\nshots = 3\ntarget_armour = 'standard'",
        "weapon = 'rifle'\nrange = 20\narc = '150'\ntarget_armour = 'basic'\nadvanced_armour = true",
        "weapon = 'SMG'\narc = '60'\ntargets = 3\nallocation = 'spread'",
        "weapon = 'HMG'\nshots = 3\nrange = 20\ntarget_armours = ['none', 'heavy', 'none']",
        "weapon = 'MMG'\nshots = 4\ntargets = 2\nprone_target = true\nrange = 50",
        "weapon = 'club'\nshots = 3\ntarget_hp = 6\ntarget_armour = 'basic'\nadvanced_armour = true\narmour_from = 8",
        "weapon = 'stun baton'\nshots = 2\nbludgeoning_past_zero = 'nothing'\ntunnel = true",
        "damage = '3X'\nshort = 5\nlong = 10\nrange = 8\nsneak_suit = true\nshots = 2\ncell_mapping = 'column'\nattacker_hp = 6",
        "weapon = 'SMG'\nmovement_fire = true\nactivations = 1\nattacker_experience = 'veteran'\n[card]\nap = [9, 7, 5]\nmodifiers = [0, 1, 3]\nhit_cells = [3, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0]",
        "weapon = 'SMG'\nshots = 3\ntargets = 2\nallocation = 'spread'\n[[struck]]\ncrossed = [9, 7, 6]\nhalf_crossed = [5]",
    ],
)
.with_title_question("How often does the {weapon|weapon} put a trooper out of action?")
.with_change_reporting_fields(&["struck"])
.with_builder_reporting_changes(&build_contest_with_unit_cards);

fn build_attack_contest(form: &Form) -> Result<Contest, Vec<Fault>> {
    build_contest_with_play_style(form, |attack, in_turn| match in_turn {
        true => AnyCombat::new(AttacksOnTargetsInTurn(attack)),
        false => AnyCombat::new(OneTargetAtATimeAttacks(attack)),
    })
}

/// Builds the contest of a form, with the card of every target in the ending.
fn build_contest_with_unit_cards(form: &Form) -> Result<Contest, Vec<Fault>> {
    build_contest_with_play_style(form, |attack, in_turn| {
        AnyCombat::new(AttacksWithFullCards { attack, in_turn })
    })
}

fn build_contest_with_play_style(
    form: &Form,
    play: impl Fn(AttackSeries, bool) -> AnyCombat,
) -> Result<Contest, Vec<Fault>> {
    let (weapon_fields, own) = (WeaponFields::read(form), AttackFields::read(form));
    let (situation, rules) = (AimSituation::read(form), AttackRuleNumbers::read(form));
    let (target, card_rules) = (TargetFields::read(form), HitCardReadings::read(form));
    let (weapon, worn) = combine_results(
        AttackWeapon::from_row_or_numbers(&weapon_fields),
        armour_by_target(&own, &target, &card_rules),
    )?;
    if weapon.kind.has_damage_by_ring() {
        // "Ranged explosive weapons are resolved in the same way as hand grenades."
        let fault =
            Fault::new(weapon_fields.field_that_decides_weapon(), "the weapon explodes or burns");
        let help = "use `explosion`, which plays rings and scatter, or give `kind = \"ranged\"`";
        return Err(vec![fault.with_help(help)]);
    }
    let aiming = AimCircumstances { situation: &situation, rules: &rules, ap_spent: None };
    let attacker = AttackerFields::read(form);
    let unit = UnitCard::from_field_or_default(target.card.as_ref(), "card");
    let (aim, unit) =
        combine_results(TargetNumber::for_attacker(&weapon, &attacker, aiming), unit)?;
    let mut notes = Vec::from_iter(ignored_cover_note(&weapon, &situation));
    let shots = read_attack_count_with_arc(&own, &weapon, &mut notes)?;
    let shots = match ActionPointFields::read(form).attacks_afforded(
        &weapon,
        &attacker,
        0,
        situation.movement_fire,
    )? {
        None => shots,
        Some(paced) => {
            notes.push(paced.note);
            check_attacks_allowed_by_ap(&own, paced.attacks * i64::from(shots))?
        }
    };
    notes.extend(aim.out_of_range_note(&weapon));
    notes.extend(crewed_fired_on_move_note(&weapon, &situation));
    notes.extend(unused_armour_cell_note(&target));
    let fresh = initial_target_cards(&unit, &worn, &target, &card_rules)?;
    let attack = AttackSeries {
        shots: aim.attacks_within_range(shots),
        aim,
        damage: weapon.damage_at_aimed_point(),
        marks: HitMarking::for_card_and_readings(&card_rules, &unit),
        additions: ap_of_armour_and_experience(Some(worn[0]), Some(own.target_experience)),
        before: read_marked_cards(&fresh, &target, &unit)?,
        fresh,
        unit,
        pv: weapon.pv,
    };
    let in_turn = attack.target_count() > 1 && own.allocation == AttackDistributionChoice::Spread;
    Ok(Contest::new(play(attack, in_turn)).with_notes(notes).with_size_fields(&[
        "shots",
        "activations",
        "targets",
        "arc",
        "advanced_armour",
    ]))
}

/// Returns the armour of each target.
fn armour_by_target(
    own: &AttackFields,
    target: &TargetFields,
    rules: &HitCardReadings,
) -> Result<Vec<BodyArmour>, Vec<Fault>> {
    let Some(worn) = &own.target_armours else {
        return Ok(vec![target.target_armour; own.targets.into()]);
    };
    let spare = [
        ("targets", own.targets > 1),
        ("target_armour", target.target_armour != BodyArmour::None),
        ("armour_cells", rules.armour_cells.is_some()),
    ];
    if let Some((field, _)) = spare.into_iter().find(|(_, given)| *given) {
        let problem = "`target_armours` gives the number of targets and the armour of each";
        return Err(vec![Fault::new(field, problem).with_help(format!("leave out `{field}`"))]);
    }
    if worn.is_empty() || worn.len() > MAX_ATTACK_TARGETS {
        let problem = format!(
            "expected the armour of 1 to {MAX_ATTACK_TARGETS} targets, found {}",
            worn.len()
        );
        return Err(vec![Fault::new("target_armours", problem)]);
    }
    Ok(worn.clone())
}

/// Returns the cards of the targets.
fn initial_target_cards(
    unit: &UnitCard,
    worn: &[BodyArmour],
    target: &TargetFields,
    rules: &HitCardReadings,
) -> Result<Vec<HitCard>, Vec<Fault>> {
    let cells =
        |armour: &BodyArmour| rules.armour_cells.unwrap_or_else(|| armour_cell_count(*armour));
    worn.iter()
        .map(|armour| new_card_with_armour(unit, target.target_hp, cells(armour), target))
        .collect()
}

/// Returns the number of attacks that `activations` allow.
fn check_attacks_allowed_by_ap(own: &AttackFields, attacks: i64) -> Result<u8, Vec<Fault>> {
    if own.shots.is_some() {
        let problem = "`activations` determines the number of attacks";
        return Err(vec![Fault::new("shots", problem).with_help("leave out `shots`")]);
    }
    let fits =
        u8::try_from(attacks).ok().filter(|&attacks| i64::from(attacks) <= ATTACK_COUNT_RANGE.high);
    fits.ok_or_else(|| {
        let problem = format!(
            "that is {attacks} attacks, and there can be {} at most",
            ATTACK_COUNT_RANGE.high
        );
        vec![Fault::new("activations", problem)]
    })
}

/// Base rules: an arc has a number of shots, times the attacks of the weapon for each. Crewed
/// Weapons: they "may only use 60 degree firing arcs" and "can be fired into the same firing arc an
/// unlimited number of times".
///
/// Returns the attacks: as given, or those of the arc, or one.
///
/// # Errors
/// An arc that the weapon does not have.
fn read_attack_count_with_arc(
    own: &AttackFields,
    weapon: &AttackWeapon,
    notes: &mut Vec<String>,
) -> Result<u8, Vec<Fault>> {
    let no_arc = |problem, help| Err(vec![Fault::new("arc", problem).with_help(help)]);
    let shots_of_the_arc = match (weapon.kind, own.arc) {
        (_, RifleFiringArc::None) => 1,
        (WeaponKind::Melee, _) => {
            return no_arc("hand to hand there is no firing arc", "leave out `arc`");
        }
        (WeaponKind::Crewed, RifleFiringArc::Middle) => {
            let often = "a crew served weapon fires into its arc with every move there";
            let how = format!("{often}: set `shots` to the number of moves there (now 1)");
            notes.extend(own.shots.is_none().then_some(how));
            1
        }
        (WeaponKind::Crewed, _) => {
            let problem = "crew served weapons may only use 60 degree firing arcs";
            return no_arc(problem, "give `arc = \"60\"`, or leave out `arc`");
        }
        (_, RifleFiringArc::Narrow) => own.arc_30_shots.saturating_mul(weapon.multiplier),
        (_, RifleFiringArc::Middle) => own.arc_60_shots.saturating_mul(weapon.multiplier),
        (_, RifleFiringArc::Wide) => own.arc_150_shots.saturating_mul(weapon.multiplier),
    };
    Ok(own.shots.unwrap_or(shots_of_the_arc))
}

/// Attacks on one target until it is out of action, then on the next.
struct OneTargetAtATimeAttacks(AttackSeries);

/// State of the attacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct FocusedAttackState {
    /// Attacks left.
    attacks_left: u8,
    /// Targets after the current one.
    waiting: u8,
    /// Whether the current attack has hit and the cell is to be picked.
    hit: bool,
    card: HitCard,
    hits: u8,
    /// Attack that put a single target out of action.
    killed_by: u8,
    done: FinishedTargetTally,
}

impl OneTargetAtATimeAttacks {
    /// Returns the cards of the targets after the current one.
    fn cards_after_current_target(&self, waiting: u8) -> &[HitCard] {
        &self.0.before[usize::from(self.0.target_count() - waiting)..]
    }

    /// Turns to the next target when the current one is out of action; no attack is made on the
    /// dead.
    fn advance_to_next_die(&self, mut now: FocusedAttackState) -> FocusedAttackState {
        while now.waiting > 0 && !now.card.can_trooper_act() {
            now.done = now.done.with_target_of(&now.card);
            now.card = self.cards_after_current_target(now.waiting)[0];
            now.waiting -= 1;
        }
        if now.card.is_dead() {
            now.attacks_left = 0;
        }
        now
    }
}

impl Combat for OneTargetAtATimeAttacks {
    type State = FocusedAttackState;
    type Outcome = AttackOutcome;

    fn initial_state(&self) -> FocusedAttackState {
        self.advance_to_next_die(FocusedAttackState {
            attacks_left: self.0.shots,
            waiting: self.0.target_count() - 1,
            hit: false,
            card: self.0.before[0],
            hits: 0,
            killed_by: 0,
            done: FinishedTargetTally::default(),
        })
    }

    fn play_one_step(
        &self,
        mut now: FocusedAttackState,
        dice: &mut impl Dice,
    ) -> FocusedAttackState {
        if !now.hit {
            now.attacks_left -= 1;
            now.hit = self.0.aim.roll_to_hit(dice);
            now.hits += u8::from(now.hit);
            return if now.hit { now } else { self.advance_to_next_die(now) };
        }
        now.hit = false;
        let was_in_action = now.card.can_trooper_act();
        now.card = self.0.marks.roll_cell_and_mark(now.card, self.0.damage, dice);
        if self.0.target_count() == 1 && was_in_action && !now.card.can_trooper_act() {
            now.killed_by = self.0.shots - now.attacks_left;
        }
        self.advance_to_next_die(now)
    }

    fn outcome_if_over(&self, now: &FocusedAttackState) -> Option<AttackOutcome> {
        if now.hit || now.attacks_left > 0 {
            return None;
        }
        let all = now
            .done
            .with_target_of(&now.card)
            .with_targets_of_cards(self.cards_after_current_target(now.waiting));
        Some(self.0.outcome_after_hits(now.hits, all, now.card.remaining_hp(), now.killed_by))
    }

    fn vocabulary(&self) -> OutcomeVocabulary<AttackOutcome> {
        self.0.attack_vocabulary()
    }

    fn explain_step(
        &self,
        from: &FocusedAttackState,
        rolls: &[RolledDie],
        to: &FocusedAttackState,
    ) -> CombatStepExplanation {
        self.0.explain_attack_step(from.hit.then_some(from.card), rolls, to.hit)
    }
}
