//! Fields of `dropzone` contests: weapon, target, situation, numbers of the rules.
//!
//! Source: quick reference, SHOOTING, ACCURACY, DAMAGE; special rules of the second edition. Each
//! action joins the groups it needs with [`joined!`](enfilade_model::form::field_groups).

use enfilade_model::form::bounds::IntRange;
pub use enfilade_model::form::field_groups::READINGS_HEADING;
use enfilade_model::form::field_groups::put_under_heading;
use enfilade_model::form::field_macros::{choice, fields};
use enfilade_model::form::{Field, FieldType};

use super::data_rows::WeaponRow;
use super::row_books::{self, PrintedTarget};
use super::specials::UnitType;
use super::squad::{HitAllocationChoice, MAX_MODELS_IN_SQUAD};

pub(super) const SHOT_COUNT_RANGE: IntRange = IntRange::new("number of shots", 1, 200);
pub(super) const ACCURACY_RANGE: IntRange = IntRange::new("accuracy", 0, 7);
pub(super) const ENERGY_RANGE: IntRange = IntRange::new("energy", 0, 30);
pub(super) const MODEL_COUNT_RANGE: IntRange =
    IntRange::new("number of models", 1, MAX_MODELS_IN_SQUAD as i64);
pub(super) const ARMOUR_RANGE: IntRange = IntRange::new("armour", 1, 30);
pub(super) const DAMAGE_POINTS_RANGE: IntRange = IntRange::new("number of Damage Points", 1, 200);
pub(super) const LOST_POINTS_RANGE: IntRange =
    IntRange::new("number of Damage Points lost", 0, 200);
/// Type of the Damage Points left of each model of a squad.
pub(super) const POINTS_LEFT_TYPE: FieldType =
    FieldType::list_of(const { &FieldType::Int(DAMAGE_POINTS_RANGE) });
pub(super) const COUNTERMEASURE_RANGE: IntRange = IntRange::new("countermeasure", 1, 7);
pub(super) const EVASION_RANGE: IntRange = IntRange::new("evasion", 0, 6);
pub(super) const COST_IN_POINTS_RANGE: IntRange = IntRange::new("points", 1, 10_000);
pub(super) const MODIFIER_RANGE: IntRange = IntRange::new("modifier", -6, 6);
pub(super) const DISTANCE_INCHES_RANGE: IntRange = IntRange::new("range in inches", 0, 200);
pub(super) const FACTOR_RANGE: IntRange = IntRange::new("factor", 0, 10);
pub(super) const MERGED_HITS_RANGE: IntRange = IntRange::new("number of hits merged", 1, 20);

/// Heading of the weapon.
pub const WEAPON_HEADING: &str = "the weapon";
/// Heading of the shooters.
pub const SHOOTERS_HEADING: &str = "the shooters";
/// Heading of the target.
pub const TARGET_HEADING: &str = "the target";
/// Heading of place and duration.
pub const PLACE_HEADING: &str = "the place";

choice! {
    /// Choice of the number of hits that Focus merges.
    pub enum FocusMergeGivenOrBest {
        /// The given number.
        Given = "given",
        /// The best number.
        Best = "best",
    }

    /// Targets that Devastator (Vehicle) hurts.
    pub enum DevastatorVehicleReading {
        /// Tanks, Skimmers and Walkers.
        Ground = "ground",
        /// Tanks only.
        Tank = "tank",
    }

    /// Detail of the report.
    pub enum ReportDetailChoice {
        /// Damage only.
        Damage = "damage",
        /// Hits and Criticals as well.
        Hits = "hits",
    }
}

fields! {
    /// Fields that name or describe a weapon.
    pub struct WeaponFields: put_under_heading(WEAPON_HEADING) {
        /// the weapon, from the data
        weapon: Option<&'static WeaponRow> = new_optional(FieldType::name_from_list(row_books::weapon_names))
            .with_player_name("weapon");
        /// hit dice of one shooter
        shots: Option<u16> = new_optional(FieldType::Int(SHOT_COUNT_RANGE)).with_player_name("hit dice").with_unit("dice");
        /// X of X+; 0 on a Close Quarters weapon hits by itself
        accuracy: Option<i64> = new_optional(FieldType::Int(ACCURACY_RANGE)).with_player_name("accuracy");
        /// added to every damage die
        energy: Option<i64> = new_optional(FieldType::Int(ENERGY_RANGE)).with_player_name("energy");
        /// whether it is a Close Quarters weapon
        close_quarters: Option<bool> = new_optional(FieldType::Flag).with_player_name("Close Quarters weapon").as_rarely_changed();
        /// special rules of the weapon, as printed
        specials: Option<Vec<String>> = new_optional(FieldType::list_of(&FieldType::Text))
            .with_player_name("special rules of the weapon").as_rarely_changed();
        /// hits merged into one by a Focus weapon (doctrine); 1: none
        focus_merge: u8 = new_whole_number(MERGED_HITS_RANGE, 1).with_rule_reference("Focus-X").with_player_name("hits merged by Focus").with_unit("hits")
            .as_rarely_changed();
    }

    /// Number of hits that a Focus weapon merges.
    pub struct FocusMergeCountField {
        /// how many hits Focus merges (doctrine): `focus_merge`, or as many as are expected to do
        /// most damage
        focus: FocusMergeGivenOrBest = new_choice(FocusMergeGivenOrBest::WORDS).with_rule_reference("Focus-X").with_player_name("Focus merges")
            .with_value_labels(&["as many hits as given", "the best number of hits"]).with_heading(WEAPON_HEADING).as_rarely_changed();
    }

    /// Fields of the models that fire the weapon.
    pub struct ShooterFields: put_under_heading(SHOOTERS_HEADING) {
        /// models that shoot
        squad: u16 = new_whole_number(MODEL_COUNT_RANGE, 1).with_player_name("shooters").with_unit("models");
        /// Damage Points each shooter has lost (Reduced-X)
        damage_lost: u16 = new_whole_number(LOST_POINTS_RANGE, 0).with_player_name("Damage Points lost by each shooter")
            .with_unit("Damage Points").as_rarely_changed();
        /// points of one shooter, for damage_per_100_points
        points: Option<u32> = new_optional(FieldType::Int(COST_IN_POINTS_RANGE)).with_player_name("cost of a shooter").with_unit("points")
            .as_rarely_changed();
    }

    /// Fields that name or describe the target.
    pub struct TargetFields: put_under_heading(TARGET_HEADING) {
        /// the target, from the data: a unit or a piece of scenery
        target: Option<PrintedTarget> = new_optional(FieldType::name_from_list(row_books::unit_and_scenery_names)).with_player_name("target");
        /// armour of the target
        armour: Option<i64> = new_optional(FieldType::Int(ARMOUR_RANGE)).with_player_name("armour");
        /// Damage Points of one model; 1 when no target is named
        damage_points: Option<u8> = new_optional(FieldType::Int(DAMAGE_POINTS_RANGE)).with_player_name("Damage Points");
        /// passive countermeasures, X of PX+
        passive: Option<u8> = new_optional(FieldType::Int(COUNTERMEASURE_RANGE)).with_player_name("passive countermeasures");
        /// evasion, X of E+X
        evasion: Option<i64> = new_optional(FieldType::Int(EVASION_RANGE)).with_player_name("evasion");
        /// whether the target has active countermeasures
        active: Option<bool> = new_optional(FieldType::Flag).with_player_name("active countermeasures").as_rarely_changed();
        /// what the target is; Tank when no target is named
        unit_type as "type": Option<UnitType> = new_optional(FieldType::choice_of_words(UnitType::WORDS))
            .with_player_name("unit type").as_rarely_changed();
        /// special rules of the target, as printed
        target_specials: Option<Vec<String>> = new_optional(FieldType::list_of(&FieldType::Text))
            .with_player_name("special rules of the target").as_rarely_changed();
    }
}

impl ShootingSituation {
    /// Situation without modifiers.
    pub const WITHOUT_MODIFIERS: ShootingSituation = ShootingSituation {
        soft_cover: false,
        body_cover: false,
        hull_down: false,
        out_of_coherency: false,
        disembarked: false,
        entered_garrison: false,
        range: None,
    };
}

/// Returns the target fields of a unit other than the main target, for a separate table.
pub const fn unit_fields_under_heading(heading: &'static str) -> [Field; 8] {
    let mut fields = put_under_heading(heading, TargetFields::FIELDS);
    fields[0].label.replace_at_compile_time("unit");
    fields[7].label.replace_at_compile_time("special rules of the unit");
    fields
}

fields! {
    /// Fields of a squad of these models.
    pub struct SquadFields: put_under_heading(TARGET_HEADING) {
        /// models of the target
        count: usize = new_whole_number(MODEL_COUNT_RANGE, 1).with_player_name("models of the target").with_unit("models");
        /// which model is hit next: one until it is destroyed, or the one with the most points
        /// left
        allocation: HitAllocationChoice = new_choice(HitAllocationChoice::WORDS).marked_as_interpretation().with_player_name("the next hit falls on")
            .with_value_labels(&["one model until it is destroyed", "the model with most left"]).as_rarely_changed();
    }
}

/// Returns the fields of a squad of these units.
pub const fn squad_fields_under_heading(heading: &'static str) -> [Field; 2] {
    let mut fields = put_under_heading(heading, SquadFields::FIELDS);
    fields[0].label.replace_at_compile_time("models");
    fields
}

fields! {
    /// Earlier losses of the target.
    pub struct EarlierLossFields {
        /// Damage Points the target squad has lost before
        lost: u16 = new_whole_number(LOST_POINTS_RANGE, 0).with_player_name("Damage Points lost before").with_unit("Damage Points")
            .with_heading(TARGET_HEADING).as_rarely_changed();
        /// Damage Points left of each model of the target that is still there; by `lost` and
        /// `allocation` when left out
        points_left: Option<Vec<u8>> = new_optional(POINTS_LEFT_TYPE).with_player_name("Damage Points left of each model")
            .with_unit("Damage Points").with_heading(TARGET_HEADING).as_rarely_changed();
    }

    /// Flammability of a piece of scenery.
    pub struct TargetBurnsField {
        /// whether the target is scenery that burns; as printed when left out
        flammable: Option<bool> = new_optional(FieldType::Flag).with_rule_reference("Flammable").with_player_name("scenery that burns")
            .with_heading(TARGET_HEADING).as_rarely_changed();
    }

    /// Fields of the situation in which a weapon is fired.
    pub struct ShootingSituation {
        /// the target is in soft cover
        soft_cover: bool = new_switch_with_default(false).with_rule_reference("ACCURACY").with_player_name("in soft cover")
            .with_value_labels(&["in the open", "in soft cover"]).with_heading(PLACE_HEADING);
        /// the target is behind body cover
        body_cover: bool = new_switch_with_default(false).with_rule_reference("DAMAGE").with_player_name("behind body cover")
            .with_value_labels(&["no body cover", "behind body cover"]).with_heading(PLACE_HEADING);
        /// the target is hull down
        hull_down: bool = new_switch_with_default(false).with_rule_reference("ACCURACY").with_player_name("hull down")
            .with_value_labels(&["in full view", "hull down"]).with_heading(PLACE_HEADING);
        /// the shooters are out of coherency
        out_of_coherency: bool = new_switch_with_default(false).with_rule_reference("ACCURACY").with_player_name("shooters out of coherency")
            .with_value_labels(&["in coherency", "out of coherency"]).with_heading(SHOOTERS_HEADING).as_rarely_changed();
        /// the shooters disembarked this turn
        disembarked: bool = new_switch_with_default(false).with_rule_reference("ACCURACY").with_player_name("shooters disembarked this turn")
            .with_heading(SHOOTERS_HEADING).as_rarely_changed();
        /// the shooters entered the garrison this turn: Close Quarters damage is rolled again
        entered_garrison: bool = new_switch_with_default(false).with_rule_reference("GARRISONS")
            .with_player_name("shooters entered the garrison this turn").with_heading(SHOOTERS_HEADING).as_rarely_changed();
        /// inches to the target; within reach when left out
        range: Option<i64> = new_optional(FieldType::Int(DISTANCE_INCHES_RANGE)).with_player_name("range").with_unit("inches")
            .with_heading(PLACE_HEADING);
    }

    /// Numbers and readings of the rules for shooting.
    pub struct ShootingRules: under_readings {
        /// a hit die of 1 misses whatever is needed
        natural_one_misses: bool = new_switch_with_default(false).marked_as_interpretation().with_player_name("a hit die of 1 always misses");
        /// a hit die of 6 hits whatever is needed
        natural_six_hits: bool = new_switch_with_default(false).marked_as_interpretation().with_player_name("a hit die of 6 always hits");
        /// a hit die of a Destroyer's X or more hits whatever is needed, as in the full rulebook
        destroyer_hits: bool = new_switch_with_default(false).with_rule_reference("Destroyer").marked_as_interpretation()
            .with_player_name("a Destroyer face always hits");
        /// Close Quarters weapons fire at a distance and at what cannot enter a Garrison, by a
        /// house rule
        close_quarters_anywhere: bool = new_switch_with_default(false).with_rule_reference("SHOOTING, GARRISONS")
            .with_player_name("Close Quarters weapons fire anywhere");
        /// only AA weapons can hit aircraft
        aircraft_need_aa: bool = new_switch_with_default(false).marked_as_interpretation().with_player_name("only AA weapons hit aircraft");
        /// what Devastator (Vehicle) hurts: Tanks, Skimmers and Walkers, or Tanks only
        vehicle_means: DevastatorVehicleReading = new_choice(DevastatorVehicleReading::WORDS).marked_as_interpretation()
            .with_player_name("Devastator (Vehicle) hurts")
            .with_value_labels(&["Tanks, Skimmers and Walkers", "Tanks only"]);
        /// a Large target can be hull down; never, in the full rulebook
        large_hull_down: bool = new_switch_with_default(true).marked_as_interpretation().with_player_name("Large targets can be hull down");
        /// Area weapons glance Behemoths as well; not in the full rulebook
        area_on_behemoths: bool = new_switch_with_default(true).marked_as_interpretation().with_player_name("Area weapons glance Behemoths");
        /// Tech Killer weapons damage scenery as well; not in the full rulebook
        tech_killer_on_scenery: bool = new_switch_with_default(false).marked_as_interpretation().with_player_name("Tech Killer damages scenery");
        /// needed when out of coherency
        coherency_modifier: i64 = new_whole_number(MODIFIER_RANGE, 1).with_rule_reference("ACCURACY")
            .with_player_name("accuracy out of coherency");
        /// needed when disembarked
        disembarked_modifier: i64 = new_whole_number(MODIFIER_RANGE, 2).with_rule_reference("ACCURACY")
            .with_player_name("accuracy when disembarked");
        /// needed against hull down
        hull_down_modifier: i64 = new_whole_number(MODIFIER_RANGE, 2).with_rule_reference("ACCURACY")
            .with_player_name("accuracy against hull down");
        /// needed against soft cover
        soft_cover_modifier: i64 = new_whole_number(MODIFIER_RANGE, 2).with_rule_reference("ACCURACY")
            .with_player_name("accuracy against soft cover");
        /// needed against scenery, always
        scenery_accuracy: i64 = new_whole_number(ACCURACY_RANGE, 2).with_rule_reference("ACCURACY").with_player_name("accuracy against scenery");
        /// on damage dice against body cover
        body_cover_energy: i64 = new_whole_number(MODIFIER_RANGE, -1).with_rule_reference("DAMAGE")
            .with_player_name("energy against body cover");
        /// on the damage die of a glancing hit
        glance_energy: i64 = new_whole_number(MODIFIER_RANGE, -2).with_rule_reference("Area").with_player_name("energy of a glancing hit");
        /// misses of this face or more glance
        glance_from: i64 = new_whole_number(ACCURACY_RANGE, 2).with_rule_reference("Area").with_player_name("lowest miss that glances");
        /// damage rolls of this face or more always damage
        penetrative_face: i64 = new_whole_number(ACCURACY_RANGE, 6).with_rule_reference("Penetrative")
            .with_player_name("lowest damage die of Penetrative");
    }

    /// Numbers of the damage die.
    pub struct DamageRules: under_readings {
        /// above armour for a Critical
        critical_margin: i64 = new_whole_number(MODIFIER_RANGE, 2).with_rule_reference("DAMAGE").with_player_name("above armour for a Critical");
        /// damage of a Critical, in plain hits
        critical_factor: u8 = new_whole_number(FACTOR_RANGE, 2).with_rule_reference("DAMAGE").with_player_name("damage of a Critical")
            .with_unit("plain hits");
    }

    /// Detail of the report.
    pub struct ReportDetailField {
        /// level of detail: damage alone, or hits and Criticals as well
        detail: ReportDetailChoice = new_choice(ReportDetailChoice::WORDS).with_player_name("level of detail")
            .with_value_labels(&["damage", "hits and Criticals as well"]).with_heading(READINGS_HEADING).as_rarely_changed();
    }
}
