//! `crewed-duel`: a crewed weapon against a squad that approaches under its fire and answers.
//!
//! Source: Crewed Weapons and Movement Fire. Every trooper who moves in the arc draws fire, any
//! number of times, and answers after it is resolved, at the gunner of the weapon. When the gunner
//! is out of action, the next of the crew takes over, which costs an activation; without crew the
//! weapon is silent. The squad's path, cover and morale are not modelled.

mod duel_combat;

use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupFromForm, choice, fields};
use enfilade_model::form::{DefaultValue, Fault, FieldType, Form, combine_results, fault_prefixer};

use super::aim::{
    AimCircumstances, AttackWeapon, HitMarking, TargetNumber, new_card_with_armour,
    read_marked_cards, read_target_card,
};
use super::aim_notes::{ignored_cover_note, unused_armour_cell_note};
use super::attack_fields::{
    ARMOUR_LABELS, AimSituation, AttackRuleNumbers, BodyArmour, DISTANCE_DOTS_RANGE,
    GROUND_HEADING, HitCardReadings, MOVING_SITUATION, READINGS_HEADING, TARGET_HEADING,
    TargetFields, WEAPON_HEADING, WeaponFields, armour_cell_count,
};
use super::hit_card::HitCard;
use super::hit_card::card_marks::CardMarkFields;
use super::skirmishers_data;
use super::unit_card::{CUSTOM_CARD_FIELDS, CustomCardFields, UnitCard};
use super::wound_classes::{CardDistinction, WoundClasses};
use duel_combat::{MAX_SQUAD_TROOPERS, SquadVersusCrewedWeapon, UnmarkedCardsOfSides};

const TROOPER_COUNT_RANGE: IntRange =
    IntRange::new("number of troopers", 1, MAX_SQUAD_TROOPERS as i64);
const MOVE_COUNT_RANGE: IntRange = IntRange::new("number of moves", 1, 12);
const CREW_SIZE_RANGE: IntRange = IntRange::new("number of crew", 1, 8);
const ATTACK_COUNT_RANGE: IntRange = IntRange::new("number of attacks", 0, 8);
const ACTION_POINTS_RANGE: IntRange = IntRange::new("number of AP", 1, 40);
const SILENT_ACTIVATIONS_RANGE: IntRange = IntRange::new("number of activations", 0, 100);

choice! {
    /// Time of the answers.
    pub(super) enum SquadReturnFireOrder {
        /// Each before the next man moves.
        ManByMan = "man-by-man",
        /// All of them after all attacks of the weapon.
        AllFirst = "all-first",
    }
}

choice! {
    /// Activations that a take-over costs.
    pub(super) enum TakeOverCostStart {
        /// The rest of the one in which the gunner fell, and then those of its AP.
        AfterThisActivation = "after-this-activation",
        /// The one in which the gunner fell is the first of them.
        WithThisActivation = "with-this-activation",
    }
}

fields! {
    /// Squad, weapon, and time.
    pub(super) struct DuelFields {
        /// troopers that advance
        troopers: u8 = new_whole_number(TROOPER_COUNT_RANGE, 8).with_player_name("troopers of the squad").with_unit("troopers")
            .with_heading(TARGET_HEADING);
        /// activations they advance for
        moves: u8 = new_whole_number(MOVE_COUNT_RANGE, 6).with_player_name("activations").with_heading(GROUND_HEADING);
        /// dots to the weapon at the first activation
        range: i64 = new_whole_number(DISTANCE_DOTS_RANGE, 60).with_player_name("range at first").with_unit("dots").with_heading(GROUND_HEADING);
        /// dots nearer with every activation
        closing: i64 = new_whole_number(DISTANCE_DOTS_RANGE, 8).marked_as_interpretation().with_player_name("nearer each activation").with_unit("dots")
            .with_heading(GROUND_HEADING);
        /// troopers at the weapon; as many as it needs when left out
        crew: Option<u8> = new_optional(FieldType::Int(CREW_SIZE_RANGE)).with_player_name("crew").with_unit("troopers")
            .with_heading(WEAPON_HEADING);
        /// moves in the arc of each trooper in an activation, each drawing an attack
        attacks_per_move: u8 = new_whole_number(ATTACK_COUNT_RANGE, 1).marked_as_interpretation().with_player_name("attacks drawn by a trooper")
            .with_unit("attacks").with_heading(TARGET_HEADING);
        /// attacks of each trooper on the crew in an activation
        answers: u8 = new_whole_number(ATTACK_COUNT_RANGE, 1).marked_as_interpretation().with_player_name("answers of a trooper").with_unit("attacks")
            .with_heading(TARGET_HEADING);
        /// when troopers answer: each after the attacks they have drawn and before the next man
        /// moves, or all of them when the weapon has fired at everybody
        order: SquadReturnFireOrder = new_choice(SquadReturnFireOrder::WORDS).with_rule_reference("Movement Fire").marked_as_interpretation()
            .with_player_name("troopers answer").with_value_labels(&["man by man", "when all have been fired at"])
            .with_heading(READINGS_HEADING).as_rarely_changed();
        /// the weapon must be set up first
        set_up_first: bool = new_switch_with_default(false).with_player_name("weapon to be set up first").with_heading(WEAPON_HEADING);
        /// AP of each trooper who sets it up
        set_up_ap: u8 = new_whole_number(ACTION_POINTS_RANGE, 4).with_rule_reference("Crewed Weapons").with_player_name("AP to set up").with_unit("AP")
            .with_heading(READINGS_HEADING).as_rarely_changed();
        /// AP to take it over
        take_over_ap: u8 = new_whole_number(ACTION_POINTS_RANGE, 6).with_rule_reference("Crewed Weapons").with_player_name("AP to take over").with_unit("AP")
            .with_heading(READINGS_HEADING).as_rarely_changed();
        /// when the activations that a take-over costs begin: after the one in which the gunner
        /// fell, whose rest is lost as well, or with it
        take_over_begins: TakeOverCostStart = new_choice(TakeOverCostStart::WORDS).with_rule_reference("Crewed Weapons").marked_as_interpretation()
            .with_player_name("a take-over begins")
            .with_value_labels(&["after the activation of the fall", "with the activation of the fall"])
            .with_heading(READINGS_HEADING).as_rarely_changed();
        /// AP of an activation: begun ones are lost to setting up and taking over
        ap_per_move: u8 = new_whole_number(ACTION_POINTS_RANGE, 8).marked_as_interpretation().with_player_name("AP of an activation").with_unit("AP")
            .with_heading(READINGS_HEADING).as_rarely_changed();
        /// body armour of the crew
        crew_armour: BodyArmour = new_choice(BodyArmour::WORDS).with_rule_reference("Body Armor")
            .with_player_name("body armour of the crew").with_value_labels(ARMOUR_LABELS).with_heading(WEAPON_HEADING);
        /// unit card of the crew; that of the rulebook when left out
        crew_card: Option<CustomCardFields> = new_optional(FieldType::Table(CUSTOM_CARD_FIELDS)).with_player_name("unit card of the crew")
            .with_heading(WEAPON_HEADING).as_rarely_changed();
        /// what is marked on the card of who serves the weapon
        gunner_struck: Option<CardMarkFields> = new_optional(FieldType::Table(joined![CardMarkFields::FIELDS]))
            .with_player_name("marks on the gunner's card").with_heading(WEAPON_HEADING).as_rarely_changed();
        /// activations at first in which the weapon does not fire, such as those that a take-over
        /// still takes
        silent: u8 = new_whole_number(SILENT_ACTIVATIONS_RANGE, 0).with_rule_reference("Crewed Weapons").with_player_name("weapon silent at first")
            .with_unit("activations").with_heading(WEAPON_HEADING).as_rarely_changed();
        /// what the squad answers with, and how; rifles on the move when left out
        answer: (WeaponFields, AimSituation) = new(FieldType::Table(joined![WeaponFields::FIELDS, MOVING_SITUATION]), DefaultValue::Empty)
            .with_player_name("the squad's answer").with_heading(TARGET_HEADING).as_rarely_changed();
    }
}

/// Weapon of the squad's answer when none is named.
pub(super) const DEFAULT_ANSWER_WEAPON: &str = "rifle";

/// Catalogue entry.
pub const CREWED_DUEL_ACTION: RulebookAction = RulebookAction::new(
    "crewed-duel",
    "a crewed weapon against a squad that advances and answers",
    joined![
        WeaponFields::FIELDS,
        DuelFields::FIELDS,
        AimSituation::FIELDS,
        TargetFields::FIELDS,
        HitCardReadings::FIELDS,
        AttackRuleNumbers::FIELDS,
    ],
    &build_duel_contest,
    &[
        "weapon = 'HMG'\ntroopers = 3\nmoves = 2",
        "weapon = 'LMG'\ntroopers = 2\nmoves = 3\nrange = 110\nprone_attacker = true\n[answer]\nprone_target = true",
        "weapon = 'semi-portable laser'\ntroopers = 2\nmoves = 2\nset_up_first = true\ntarget_armour = 'basic'",
        "weapon = 'MMG'\ntroopers = 2\nmoves = 2\nattacks_per_move = 2\ncrew_armour = 'standard'\n[answer]\nweapon = 'SMG'",
        "weapon = 'LMG'\ntroopers = 3\nmoves = 2\nrange = 40\norder = 'all-first'",
        "weapon = 'MMG'\ntroopers = 2\nmoves = 2\nrange = 30\ntake_over_begins = 'with-this-activation'",
        "weapon = 'MMG'\ntroopers = 3\nmoves = 2\nrange = 30\nsilent = 1\ngunner_struck = { crossed = [10, 9] }\n\
         [[struck]]\ncrossed = [7, 6]\n[[struck]]\ndead = true",
    ],
)
.with_title_question("How often does the crew of the {weapon|weapon} hold against a squad?")
.with_change_reporting_fields(&["troopers", "struck", "crew", "gunner_struck", "silent", "set_up_first", "range"])
.with_builder_reporting_changes(&build_duel_ending_in_marks);

fn build_duel_contest(form: &Form) -> Result<Contest, Vec<Fault>> {
    build_duel_of_equality(form, CardDistinction::Answers)
}

/// Builds the contest of a form, with the marks of all survivors in the ending.
fn build_duel_ending_in_marks(form: &Form) -> Result<Contest, Vec<Fault>> {
    build_duel_of_equality(form, CardDistinction::Marks)
}

fn build_duel_of_equality(form: &Form, apart: CardDistinction) -> Result<Contest, Vec<Fault>> {
    let (own, situation) = (DuelFields::read(form), AimSituation::read(form));
    let (target, card_rules) = (TargetFields::read(form), HitCardReadings::read(form));
    let (answer_fields, there) = &own.answer;
    let weapon = AttackWeapon::from_row_or_numbers(&WeaponFields::read(form));
    let (weapon, answer) = combine_results(
        weapon,
        read_weapon_of_squad(answer_fields).map_err(fault_prefixer("answer")),
    )?;
    let men = DuelSideAtStart::from_squad(&target, &card_rules, own.troopers);
    let (men, server) = combine_results(
        men,
        DuelSideAtStart::from_crew_and_gunner_marks(&own, &target, &card_rules),
    )?;
    let squad = men.wound_classes_for_weapon(&weapon, apart, "target_armour");
    let gunner = server.wound_classes_for_weapon(&answer, apart, "crew_armour");
    let crew = own.crew.unwrap_or(weapon.crew + 1);
    let ((squad, gunner), ()) = combine_results(
        combine_results(squad, gunner),
        check_crew_can_set_up(crew, &own, &weapon),
    )?;
    let range = |n: u8| (own.range - i64::from(n) * own.closing).max(1);
    let survivor_fields = UnmarkedCardsOfSides {
        squad: men.unmarked_card(),
        gunner: server.unmarked_card(),
        range: range(own.moves),
    };
    let ranges: Vec<_> = (0..own.moves).map(range).collect();
    let rules = AttackRuleNumbers::read(form);
    let aiming = |situation| AimCircumstances { situation, rules: &rules, ap_spent: None };
    let lost = |ap: u8| ap.div_ceil(own.ap_per_move);
    Ok(Contest::from_rule(SquadVersusCrewedWeapon {
        moves: own.moves,
        troopers: men.begin.iter().map(|card| squad.class_of_card(card)).collect(),
        serves: gunner.class_of_card(&server.begin[0]),
        fresh: gunner.class_of_card(&server.fresh),
        crew,
        attacks: own.attacks_per_move,
        answers: own.answers,
        man_by_man: own.order == SquadReturnFireOrder::ManByMan,
        silent: own.silent.max(if own.set_up_first { lost(own.set_up_ap) } else { 0 }),
        take_over: lost(own.take_over_ap)
            + u8::from(own.take_over_begins == TakeOverCostStart::AfterThisActivation),
        gun: target_numbers_by_move(&weapon, aiming(&situation), &ranges, &gunner),
        answer: target_numbers_by_move(&answer, aiming(there), &ranges, &squad),
        squad,
        gunner,
        survivors: (apart == CardDistinction::Marks).then_some(survivor_fields),
    })
    .with_notes(collect_unplayed_notes([(&weapon, &situation), (&answer, there)], &target))
    .with_size_fields(&["troopers", "moves", "crew", "target_armour", "attacks_per_move"]))
}

/// Crewed Weapons: checks that there are enough troopers to set the weapon up, where necessary.
fn check_crew_can_set_up(
    crew: u8,
    own: &DuelFields,
    weapon: &AttackWeapon,
) -> Result<(), Vec<Fault>> {
    if !own.set_up_first || crew > weapon.crew {
        return Ok(());
    }
    let needed = weapon.crew + 1;
    let problem = format!("it takes {needed} troopers to set the weapon up, but `crew` is {crew}");
    Err(vec![Fault::new("crew", problem)])
}

fn read_weapon_of_squad(weapon: &WeaponFields) -> Result<AttackWeapon, Vec<Fault>> {
    if weapon.weapon.is_some() || weapon.damage.is_some() {
        return AttackWeapon::from_row_or_numbers(weapon);
    }
    let row = skirmishers_data::skirmishers_data().weapon_by_name(DEFAULT_ANSWER_WEAPON);
    row.map(AttackWeapon::from).ok_or_else(|| vec![Fault::new("weapon", "`weapon` is missing")])
}

/// One side before the first attack.
struct DuelSideAtStart {
    fresh: HitCard,
    /// Cards at the start.
    begin: Vec<HitCard>,
    unit: UnitCard,
    marks: HitMarking,
}

impl DuelSideAtStart {
    fn from_squad(
        target: &TargetFields,
        rules: &HitCardReadings,
        troopers: u8,
    ) -> Result<DuelSideAtStart, Vec<Fault>> {
        let (fresh, unit) = read_target_card(target, rules)?;
        let begin = read_marked_cards(&vec![fresh; troopers.into()], target, &unit)?;
        Ok(DuelSideAtStart {
            fresh,
            begin,
            marks: HitMarking::for_card_and_readings(rules, &unit),
            unit,
        })
    }

    /// Reads the crew, which wears armour of one kind, on whole cards.
    fn from_crew_and_gunner_marks(
        own: &DuelFields,
        target: &TargetFields,
        rules: &HitCardReadings,
    ) -> Result<DuelSideAtStart, Vec<Fault>> {
        let unit = UnitCard::from_field_or_default(own.crew_card.as_ref(), "crew_card")?;
        let fresh = new_card_with_armour(&unit, None, armour_cell_count(own.crew_armour), target)?;
        let marked = TargetFields {
            struck: own.gunner_struck.clone().map(|marks| vec![marks]),
            ..target.clone()
        };
        let begin = read_marked_cards(&[fresh], &marked, &unit).map_err(move_faults_to_gunner)?;
        Ok(DuelSideAtStart {
            fresh,
            begin,
            marks: HitMarking::for_card_and_readings(rules, &unit),
            unit,
        })
    }

    /// Returns an unmarked card.
    fn unmarked_card(&self) -> (HitCard, UnitCard) {
        (self.fresh, self.unit.clone())
    }

    /// Computes the wound classes under hits of a weapon.
    fn wound_classes_for_weapon(
        &self,
        weapon: &AttackWeapon,
        apart: CardDistinction,
        field: &str,
    ) -> Result<WoundClasses, Vec<Fault>> {
        let modifier = |hp| self.unit.attack_modifier(hp);
        // The man who takes over is unhurt.
        let begin = [&self.begin[..], &[self.fresh]].concat();
        let classes = WoundClasses::from_reachable_cards(
            &begin,
            weapon.damage_at_aimed_point(),
            self.marks,
            modifier,
            apart,
        );
        classes.ok_or_else(|| {
            let fault =
                Fault::new(field, "wounds under this armour differ in too many ways for a duel");
            vec![fault.with_help("use lighter armour, or `advanced_armour = false`")]
        })
    }
}

/// Moves faults of marks to the field of the man who serves the weapon.
fn move_faults_to_gunner(faults: Vec<Fault>) -> Vec<Fault> {
    let renamed = |fault: Fault| Fault {
        path: fault.path.replacen("struck[0]", "gunner_struck", 1),
        ..fault
    };
    faults.into_iter().map(renamed).collect()
}

/// Computes the aims by move, then by wound class of the shooter.
fn target_numbers_by_move(
    weapon: &AttackWeapon,
    aiming: AimCircumstances,
    ranges: &[i64],
    shooter: &WoundClasses,
) -> Vec<Vec<TargetNumber>> {
    let wounds = || {
        (0..shooter.in_action_class_count())
            .map(|class| shooter.attack_modifier_of_class(class as u8))
    };
    let at = |&range: &i64| {
        wounds()
            .map(|w| TargetNumber::at_range_with_wounds(weapon, aiming, Some(range), w))
            .collect()
    };
    ranges.iter().map(at).collect()
}

/// Returns the notes on parts of both weapons that are not played.
fn collect_unplayed_notes(
    arms: [(&AttackWeapon, &AimSituation); 2],
    target: &TargetFields,
) -> Vec<String> {
    let mut notes = Vec::from_iter(unused_armour_cell_note(target));
    for (whose, (weapon, situation)) in ["the weapon", "the squad's weapon"].into_iter().zip(arms) {
        if weapon.kind.has_damage_by_ring() {
            notes.push(format!(
                "{whose} is played at its point of detonation only: rings, scatter and ammunition are left out"
            ));
        }
        notes.extend(ignored_cover_note(weapon, situation).map(|note| format!("{whose}: {note}")));
    }
    notes
}
