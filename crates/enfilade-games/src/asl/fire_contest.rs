//! The actions `fire` and `rof`: their fields, and the conversion of a checked form to a
//! [`AttackSequence`].

use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::combat::AnyCombat;
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupFromForm, choice, fields, forms};
use enfilade_model::form::{DefaultValue, Fault, FieldType, Form, Words, combine_results};

use super::attack_input::{
    AttackContext, AttackInput, AttackRepeats, AttackWithFirers, GunFireLimitFields,
};
use super::attack_outcome::OptionalOutcomeFields;
use super::attack_sequence::{AttackSequence, CountedAttack, FixedOrGunAttackCount};
use super::data::{FireTableGrid, expect_asl_data};
use super::drm::{AttackModifierFields, VehicleModifiers};
use super::field_headings;
use super::firers::firer_fields::{
    FirerGroupFields, GunMalfunctionNumberField, GunRateOfFireField, LeadersAndCoweringFields,
    MannerOfFireFields, RofGunBreakdownField,
};
use super::further_attacks::{self, ATTACK_REPEAT_RANGE, FurtherAttackEntry, FurtherAttacks};
use super::pending_rolls::{PersonnelRules, PersonnelWithPendingRolls};
use super::rule_numbers::RuleNumbers;
use super::targets::{
    self, ContestTargets, EncirclementField, PropertiesOfAllTargets, TargetEntry,
};
use super::vehicles::ContestVehicles;

const ELR_VALUE_RANGE: IntRange = IntRange::new("Experience Level Rating", 0, 5);
const SURVIVAL_ROLL_RANGE: IntRange = IntRange::new("survival number", 1, 12);

choice! {
    /// Fire table on which an attack is read.
    pub enum FireTableChoice {
        /// Infantry Fire Table.
        Ift = "ift",
        /// Incremental Infantry Fire Table.
        Iift = "iift",
    }

    /// Units that draw together in a Random Selection.
    pub enum JointOrPerResultUnitDraw {
        /// All with a KIA, and all with a K.
        Together = "together",
        /// Those of each result.
        Apart = "apart",
    }
}

fields! {
    /// Fire table of an attack.
    pub struct FireTableField: put_under_heading(field_headings::ATTACK_HEADING) {
        /// fire table
        table: FireTableChoice = new_choice(FireTableChoice::WORDS).with_player_name("fire table")
            .with_value_labels(&["Infantry Fire Table", "Incremental Infantry Fire Table"]).as_rarely_changed()
            .with_rule_reference("A7.3, A7.37");
    }

    /// Number of equal attacks.
    pub struct EqualAttackCount: put_under_heading(field_headings::ATTACK_HEADING) {
        /// equal attacks one after another, each by other firers, who cower for themselves
        attacks: u8 = new_whole_number(ATTACK_REPEAT_RANGE, 1).with_player_name("number of attacks").as_rarely_changed().with_rule_reference("A7.31, A7.32");
    }

    /// Targets of an attack.
    pub struct TargetList: put_under_heading(field_headings::TARGET_HEADING) {
        /// who is fired at
        target: Vec<TargetEntry> = new_required(FieldType::tables(TargetEntry::FIELDS)).with_player_name("targets").with_rule_reference("A7.4");
    }

    /// Survival of passengers.
    pub struct PassengerSurvivalField: put_under_heading(field_headings::TARGET_HEADING) {
        /// a passenger of an eliminated vehicle survives with a DR of at most this; absent: their
        /// morale
        survival: Option<i32> = new_optional(FieldType::Int(SURVIVAL_ROLL_RANGE))
            .with_player_name("passengers' survival number").as_rarely_changed().with_rule_reference("A7.308").marked_as_interpretation();
    }

    /// Rule of Random Selection.
    pub struct RandomSelectionField: under_readings {
        /// where the pinned and those who move have different results: all with a KIA draw
        /// together, for the highest number, and all with a K; or each result draws among those who
        /// have it
        random_selection: JointOrPerResultUnitDraw = new_choice(JointOrPerResultUnitDraw::WORDS).with_player_name("Random Selection")
            .with_value_labels(&["one draw for all", "a draw for each result"]).as_rarely_changed()
            .with_rule_reference("A7.301, A7.302").marked_as_interpretation();
    }

    /// Quality of the targets.
    #[derive(Copy)]
    pub struct ExperienceRatingField: put_under_heading(field_headings::TARGET_HEADING) {
        /// Experience Level Rating: units that fail a morale check by more are replaced; absent:
        /// none
        elr: Option<i32> = new_optional(FieldType::Int(ELR_VALUE_RANGE))
            .with_player_name("Experience Level Rating").as_rarely_changed().with_rule_reference("A19.1");
    }

    /// Consequences after the attack.
    #[derive(Copy)]
    pub struct AttackAftermathFields: under_readings {
        /// count the morale checks that set off heat of battle; it has no effect on the unit
        heat_of_battle: bool = new_switch_with_default(false)
            .with_player_name("heat of battle").with_value_labels(&["not counted", "counted"]).as_rarely_changed().with_rule_reference("A15.1");
        /// units of lower morale check for a leader who breaks or is eliminated, after the attack
        leader_loss: bool = new_switch_with_default(true)
            .with_player_name("loss of a leader").with_value_labels(&["not felt", "felt"]).as_rarely_changed().with_rule_reference("A10.2").marked_as_interpretation();
        /// the numbers of the rules, for trying out others
        rules: RuleNumbers = new(FieldType::Table(joined![RuleNumbers::FIELDS]), DefaultValue::Empty)
            .with_player_name("numbers of the rules").as_rarely_changed();
    }
}

forms! {
    /// Fields of `fire`.
    struct FireContestFields {
        table: FireTableField,
        volleys: EqualAttackCount,
        who: FirerGroupFields,
        modifiers: AttackModifierFields,
        direction: LeadersAndCoweringFields,
        breakdown: GunMalfunctionNumberField,
        manner: MannerOfFireFields,
        further: FurtherAttacks,
        aim: TargetList,
        encircled: EncirclementField,
        against: VehicleModifiers,
        survival: PassengerSurvivalField,
        draw: RandomSelectionField,
        quality: ExperienceRatingField,
        later: AttackAftermathFields,
    }

    /// Fields of `rof`.
    struct RateOfFireContestFields {
        table: FireTableField,
        who: FirerGroupFields,
        rate: GunRateOfFireField,
        breakdown: RofGunBreakdownField,
        keeping: GunFireLimitFields,
        modifiers: AttackModifierFields,
        direction: LeadersAndCoweringFields,
        manner: MannerOfFireFields,
        aim: TargetList,
        encircled: EncirclementField,
        draw: RandomSelectionField,
        quality: ExperienceRatingField,
        later: AttackAftermathFields,
    }
}

impl From<RateOfFireContestFields> for FireContestFields {
    /// Takes the shared fields from `rof`, and the defaults of `fire` for the others.
    fn from(form: RateOfFireContestFields) -> FireContestFields {
        FireContestFields {
            table: form.table,
            volleys: EqualAttackCount { attacks: 1 },
            who: form.who,
            modifiers: form.modifiers,
            direction: form.direction,
            breakdown: GunMalfunctionNumberField { breakdown: form.breakdown.breakdown },
            manner: form.manner,
            further: FurtherAttacks { attack: Vec::new() },
            aim: form.aim,
            encircled: form.encircled,
            against: VehicleModifiers::default(),
            survival: PassengerSurvivalField { survival: None },
            draw: form.draw,
            quality: form.quality,
            later: form.later,
        }
    }
}

impl FireTableChoice {
    fn grid_of_table(self) -> &'static FireTableGrid {
        match self {
            FireTableChoice::Ift => &expect_asl_data().ift,
            FireTableChoice::Iift => &expect_asl_data().iift,
        }
    }
}

/// The `fire` action.
pub const FIRE_ACTION_ENTRY: RulebookAction = RulebookAction::new(
    "fire",
    "one fire attack on one Location",
    FireContestFields::FIELDS,
    &|form| build_fire_contest(form, false),
    &[
        "fp = 8\ndrm = -1\n[[target]]\nkind = \"squad\"\nmorale = 7",
        "leader = \"9-2\"\nrange = 7\n[[firer]]\nunit = \"4-6-7\"\ncount = 2\n[[firer]]\n\
         weapon = \"MMG\"\nnation = \"German\"\n\
         [[target]]\nunit = \"4-4-7\"\nnation = \"Russian\"\ncount = 3\n[[target]]\nleader = \"8-0\"",
        "fp = 16\nelr = 1\nheat_of_battle = true\n\
         [[target]]\nunit = \"4-4-7\"\nnation = \"Russian\"\n[[target]]\nleader = \"8-1\"\n\
         [[target]]\nleader = \"6+1\"\nwounded = true",
        "table = \"iift\"\ninexperienced = true\nmodifiers = [\"FFMO\", \"FFNAM\", \"smoke\"]\n\
         [[firer]]\nfp = 5\npoint_blank = true\n\
         [[target]]\nkind = \"hero\"\nmorale = 9\n[[target]]\nunit = \"4-6-7\"\nbroken = true",
        "fp = 8\nmodifiers = [\"Shellholes\"]\nleader = \"8-0\"\nbreakdown = 12\n\
         [[target]]\nkind = \"squad\"\nmorale = 7\n\
         [[target]]\nvehicle = \"unarmoured\"\nunit = \"2-4-7\"\nnation = \"German\"\npassengers = 1",
        "fp = 2\ndrm = 4\n[[target]]\nvehicle = \"unarmoured\"\ncount = 3\nhull_down = true\n\
         [[target]]\nvehicle = \"armoured\"\nkind = \"crew\"\nmorale = 8\nvulnerable = true",
        "fp = 4\nencircled = true\nmodifiers = [\"FFMO\"]\n[[target]]\nkind = \"crew\"\nmorale = 8\n\
         pinned = true\n[[target]]\nkind = \"squad\"\nmorale = 8\nberserk = true",
        "modifiers = [\"Woods\"]\n[[attack]]\nfp = 8\n[[attack]]\nfp = 4\nleader = \"8-1\"\ntimes = 2\n\
         [[attack]]\nmax_attacks = 2\n[[attack.firer]]\nweapon = \"HMG\"\nnation = \"German\"\n\
         [[target]]\nkind = \"squad\"\nmorale = 7\nmodifiers = [\"FFMO\"]\n[[target]]\nleader = \"8-1\"\n\
         heroic = true\n[[target]]\nkind = \"crew\"\nmorale = 8\ncannot_pin = true\ndrm = 1",
        "fp = 12\ndrm = -1\nattacks = 2\nmodifiers = [\"FFMO\", \"FFNAM\"]\n\
         random_selection = \"apart\"\n[[target]]\nkind = \"squad\"\nmorale = 7\n\
         [[target]]\nkind = \"squad\"\nmorale = 7\npinned = true\ncount = 2",
    ],
)
.with_title_question("How often does fire hurt the {target.unit|target}?")
.with_change_reporting_fields(&["target"])
.with_builder_reporting_changes(&|form| build_fire_contest(form, true));

/// The `rof` action.
pub const ROF_ACTION_ENTRY: RulebookAction = RulebookAction::new(
    "rof",
    "a machine gun that fires on while it keeps its rate of fire",
    RateOfFireContestFields::FIELDS,
    &|form| build_rof_contest(form, false),
    &[
        "max_attacks = 4\n[[firer]]\nweapon = \"HMG\"\nnation = \"German\"\nrange = 10\n\
         [[target]]\nunit = \"4-4-7\"\nnation = \"Russian\"",
        "fp = 4\nrof = 2\nbreakdown = 11\nmax_attacks = 3\nmodifiers = [\"FFMO\", \"FFNAM\"]\n\
         [[target]]\nkind = \"squad\"\nmorale = 7\n[[target]]\nkind = \"leader\"\nmorale = 8\n\
         leadership = -1",
        "leader = \"8-1\"\nmax_attacks = 3\nphase = \"advancing\"\nopportunity_fire = true\n\
         [[firer]]\nweapon = \"MMG\"\nnation = \"Russian\"\narea_fire = 1\n\
         [[target]]\nkind = \"half-squad\"\nmorale = 6\ncount = 2",
    ],
)
.with_title_question(
    "How often does the {firer.weapon|machine gun} hurt the {target.unit|target} while it keeps its rate \
     of fire?",
)
.with_change_reporting_fields(&["target"])
.with_builder_reporting_changes(&|form| build_rof_contest(form, true));

/// Builds a contest of `fire`; `leaves` makes one whose targets stay in the state to the end.
fn build_fire_contest(form: &Form, leaves: bool) -> Result<Contest, Vec<Fault>> {
    let form = FireContestFields::read(form);
    let often = AttackRepeats::Times(form.volleys.attacks);
    build_attack_contest(form, None, often, leaves)
}

/// Builds a contest of `rof`; `leaves` makes one whose targets stay in the state to the end.
fn build_rof_contest(form: &Form, leaves: bool) -> Result<Contest, Vec<Fault>> {
    let form = RateOfFireContestFields::read(form);
    let (rof, often) = (form.rate.rof, AttackRepeats::Keeping(form.keeping));
    build_attack_contest(form.into(), rof, often, leaves)
}

/// Returns the properties of all targets.
pub fn rules_for_all_targets(
    encircled: bool,
    quality: ExperienceRatingField,
    later: AttackAftermathFields,
    again: bool,
) -> PropertiesOfAllTargets {
    PropertiesOfAllTargets {
        encircled,
        elr: quality.elr.is_some(),
        leader_loss: later.leader_loss,
        again,
        numbers: later.rules,
    }
}

/// Returns the optional outcome fields of a contest.
pub fn optional_outcome_fields(
    quality: ExperienceRatingField,
    later: AttackAftermathFields,
    attacks: bool,
) -> OptionalOutcomeFields {
    OptionalOutcomeFields {
        heat_of_battle: later.heat_of_battle,
        replaced: quality.elr.is_some(),
        attacks,
    }
}

/// Returns the rules of a contest for its Personnel.
pub fn build_personnel_rules(
    targets: &ContestTargets,
    setting: PropertiesOfAllTargets,
    quality: ExperienceRatingField,
    later: AttackAftermathFields,
    selection: JointOrPerResultUnitDraw,
) -> PersonnelRules {
    PersonnelRules {
        roster: targets.roster.clone(),
        numbers: setting.numbers,
        elr: quality.elr,
        heat_of_battle: later.heat_of_battle,
        leader_loss: setting.leader_loss,
        again: setting.again,
        apart: selection == JointOrPerResultUnitDraw::Apart,
    }
}

/// Builds the contest of a form. Its own attack is made `often`, at the rate of fire `rof`;
/// `leaves` makes the targets stay in the state to the end.
fn build_attack_contest(
    form: FireContestFields,
    rof: Option<u8>,
    often: AttackRepeats,
    leaves: bool,
) -> Result<Contest, Vec<Fault>> {
    let FireContestFields { quality, later, .. } = form;
    let further = &form.further.attack;
    let repeated = !further.is_empty() || !matches!(often, AttackRepeats::Times(1));
    let common = AttackContext {
        table: form.table.table.grid_of_table(),
        modifiers: &form.modifiers,
        against: form.against,
        targets: &form.aim.target,
        numbers: later.rules,
    };
    let own = AttackInput {
        who: form.who,
        direction: form.direction,
        manner: form.manner,
        breakdown: form.breakdown.breakdown,
        rof,
        often,
    };
    let setting =
        rules_for_all_targets(form.encircled.encircled, quality, later, repeated || leaves);
    let series = further_attacks::read_own_and_further_attacks(&common, &own, further);
    let (series, targets) =
        combine_results(series, targets::read_targets(common.targets, setting))?;
    for (arms, _) in &series {
        refuse_unmodelled_vehicles(arms, &targets, repeated)?;
    }
    let mut notes: Vec<_> = series.iter().flat_map(|(arms, _)| arms.notes_for_reader()).collect();
    if form.table.table == FireTableChoice::Iift {
        notes.push("unverified table".to_owned());
    }
    let grows_with = fields_that_enlarge_contest(&series);
    // A7.3: an attack with less than 1 firepower rolls no DR, as its note explains.
    let attacks = series.into_iter().filter(|(arms, _)| arms.is_attack);
    let fire = AttackSequence {
        salvos: attacks
            .map(|(arms, cadence)| CountedAttack { attack: arms.attack, cadence })
            .collect(),
        personnel: build_personnel_rules(
            &targets,
            setting,
            quality,
            later,
            form.draw.random_selection,
        ),
        open: PersonnelWithPendingRolls::from_stack_owing_nothing(targets.stack),
        convoy: ContestVehicles {
            vehicles: targets.vehicles,
            survival: form.survival.survival,
            numbers: setting.numbers,
        },
        extras: optional_outcome_fields(quality, later, any_attack_keeps_rate(often, further)),
        leaves,
    };
    Ok(Contest { combat: AnyCombat::new(fire), notes, grows_with })
}

/// Returns whether an attack may keep its rate of fire.
fn any_attack_keeps_rate(often: AttackRepeats, further: &[FurtherAttackEntry]) -> bool {
    let keeps_rate = |attack: &FurtherAttackEntry| attack.times.max_attacks.is_some();
    matches!(often, AttackRepeats::Keeping(_)) || further.iter().any(keeps_rate)
}

/// Returns the fields that make the contest of these attacks large.
fn fields_that_enlarge_contest(series: &[(AttackWithFirers, FixedOrGunAttackCount)]) -> Words {
    Words::Static(match series {
        [(_, FixedOrGunAttackCount::Gun(_))] => &["max_attacks", "target.count"],
        [] | [(_, FixedOrGunAttackCount::Volleys(0 | 1))] => &["target.count"],
        _ => &["attacks", "target.count"],
    })
}

/// Refuses combinations with vehicles that are not modelled.
fn refuse_unmodelled_vehicles(
    arms: &AttackWithFirers,
    targets: &ContestTargets,
    repeated: bool,
) -> Result<(), Vec<Fault>> {
    let vehicles = &targets.vehicles;
    let armoured = vehicles.iter().any(|vehicle| vehicle.armoured);
    let ordnance = arms.kinds.iter().find(|kind| !kind.line);
    let piercing = arms.kinds.iter().find(|kind| kind.armour);
    let problem = match (ordnance, piercing) {
        _ if vehicles.is_empty() => return Ok(()),
        _ if repeated => "more than one attack on vehicles is not modelled".to_owned(),
        (Some(kind), _) => format!("{} against vehicles is not modelled", kind.name),
        (_, Some(kind)) if armoured => format!("{} against armour is not modelled", kind.name),
        _ => return Ok(()),
    };
    Err(vec![Fault::new("target", problem)])
}
