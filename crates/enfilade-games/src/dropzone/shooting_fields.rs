//! Fields of `dropzone` contests: weapon, target, situation, numbers of the rules.
//!
//! Source: quick reference, SHOOTING, ACCURACY, DAMAGE; special rules of the second edition. Each
//! action joins the groups it needs with [`joined!`](enfilade_model::form::field_groups).

use enfilade_model::form::bounds::IntRange;
pub use enfilade_model::form::field_groups::READINGS;
use enfilade_model::form::field_groups::under;
use enfilade_model::form::field_macros::{choice, fields};
use enfilade_model::form::{Field, FieldType};

use super::data_rows::WeaponRow;
use super::row_books::{self, PrintedTarget};
use super::specials::UnitType;
use super::squad::{HitAllocationChoice, MAX_MODELS};

pub(super) const SHOTS: IntRange = IntRange::new("number of shots", 1, 200);
pub(super) const ACCURACY: IntRange = IntRange::new("accuracy", 0, 7);
pub(super) const ENERGY: IntRange = IntRange::new("energy", 0, 30);
pub(super) const MODELS: IntRange = IntRange::new("number of models", 1, MAX_MODELS as i64);
pub(super) const ARMOUR: IntRange = IntRange::new("armour", 1, 30);
pub(super) const POINTS: IntRange = IntRange::new("number of Damage Points", 1, 200);
pub(super) const LOST: IntRange = IntRange::new("number of Damage Points lost", 0, 200);
/// Type of the Damage Points left of each model of a squad.
pub(super) const POINTS_LEFT: FieldType = FieldType::list(const { &FieldType::Int(POINTS) });
pub(super) const SAVE: IntRange = IntRange::new("countermeasure", 1, 7);
pub(super) const EVASION: IntRange = IntRange::new("evasion", 0, 6);
pub(super) const COST: IntRange = IntRange::new("points", 1, 10_000);
pub(super) const MODIFIER: IntRange = IntRange::new("modifier", -6, 6);
pub(super) const RANGE: IntRange = IntRange::new("range in inches", 0, 200);
pub(super) const FACTOR: IntRange = IntRange::new("factor", 0, 10);
pub(super) const MERGED_HITS: IntRange = IntRange::new("number of hits merged", 1, 20);

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
    pub enum FocusMergeChoice {
        /// The given number.
        Given = "given",
        /// The best number.
        Best = "best",
    }

    /// Targets that Devastator (Vehicle) hurts.
    pub enum VehicleReading {
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
    pub struct WeaponFields: under(WEAPON_HEADING) {
        /// the weapon, from the data
        weapon: Option<&'static WeaponRow> = optional(FieldType::name(row_books::weapon_names))
            .with_label("weapon");
        /// hit dice of one shooter
        shots: Option<u16> = optional(FieldType::Int(SHOTS)).with_label("hit dice").with_unit("dice");
        /// X of X+; 0 on a Close Quarters weapon hits by itself
        accuracy: Option<i64> = optional(FieldType::Int(ACCURACY)).with_label("accuracy");
        /// added to every damage die
        energy: Option<i64> = optional(FieldType::Int(ENERGY)).with_label("energy");
        /// whether it is a Close Quarters weapon
        close_quarters: Option<bool> = optional(FieldType::Flag).with_label("Close Quarters weapon").as_rare();
        /// special rules of the weapon, as printed
        specials: Option<Vec<String>> = optional(FieldType::list(&FieldType::Text))
            .with_label("special rules of the weapon").as_rare();
        /// hits merged into one by a Focus weapon (doctrine); 1: none
        focus_merge: u8 = int(MERGED_HITS, 1).with_rule("Focus-X").with_label("hits merged by Focus").with_unit("hits")
            .as_rare();
    }

    /// Number of hits that a Focus weapon merges.
    pub struct FocusMergeField {
        /// how many hits Focus merges (doctrine): `focus_merge`, or as many as are expected to do
        /// most damage
        focus: FocusMergeChoice = choice(FocusMergeChoice::WORDS).with_rule("Focus-X").with_label("Focus merges")
            .with_value_labels(&["as many hits as given", "the best number of hits"]).with_group(WEAPON_HEADING).as_rare();
    }

    /// Fields of the models that fire the weapon.
    pub struct ShooterFields: under(SHOOTERS_HEADING) {
        /// models that shoot
        squad: u16 = int(MODELS, 1).with_label("shooters").with_unit("models");
        /// Damage Points each shooter has lost (Reduced-X)
        damage_lost: u16 = int(LOST, 0).with_label("Damage Points lost by each shooter")
            .with_unit("Damage Points").as_rare();
        /// points of one shooter, for damage_per_100_points
        points: Option<u32> = optional(FieldType::Int(COST)).with_label("cost of a shooter").with_unit("points")
            .as_rare();
    }

    /// Fields that name or describe the target.
    pub struct TargetFields: under(TARGET_HEADING) {
        /// the target, from the data: a unit or a piece of scenery
        target: Option<PrintedTarget> = optional(FieldType::name(row_books::shooting_target_names)).with_label("target");
        /// armour of the target
        armour: Option<i64> = optional(FieldType::Int(ARMOUR)).with_label("armour");
        /// Damage Points of one model; 1 when no target is named
        damage_points: Option<u8> = optional(FieldType::Int(POINTS)).with_label("Damage Points");
        /// passive countermeasures, X of PX+
        passive: Option<u8> = optional(FieldType::Int(SAVE)).with_label("passive countermeasures");
        /// evasion, X of E+X
        evasion: Option<i64> = optional(FieldType::Int(EVASION)).with_label("evasion");
        /// whether the target has active countermeasures
        active: Option<bool> = optional(FieldType::Flag).with_label("active countermeasures").as_rare();
        /// what the target is; Tank when no target is named
        unit_type as "type": Option<UnitType> = optional(FieldType::choice(UnitType::WORDS))
            .with_label("unit type").as_rare();
        /// special rules of the target, as printed
        target_specials: Option<Vec<String>> = optional(FieldType::list(&FieldType::Text))
            .with_label("special rules of the target").as_rare();
    }
}

impl Situation {
    /// Situation without modifiers.
    pub const PLAIN: Situation = Situation {
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
pub const fn separate_unit_fields(heading: &'static str) -> [Field; 8] {
    let mut fields = under(heading, TargetFields::FIELDS);
    fields[0].label.set_at_compile_time("unit");
    fields[7].label.set_at_compile_time("special rules of the unit");
    fields
}

fields! {
    /// Fields of a squad of these models.
    pub struct SquadFields: under(TARGET_HEADING) {
        /// models of the target
        count: usize = int(MODELS, 1).with_label("models of the target").with_unit("models");
        /// which model is hit next: one until it is destroyed, or the one with the most points
        /// left
        allocation: HitAllocationChoice = choice(HitAllocationChoice::WORDS).as_reading().with_label("the next hit falls on")
            .with_value_labels(&["one model until it is destroyed", "the model with most left"]).as_rare();
    }
}

/// Returns the fields of a squad of these units.
pub const fn squad_fields(heading: &'static str) -> [Field; 2] {
    let mut fields = under(heading, SquadFields::FIELDS);
    fields[0].label.set_at_compile_time("models");
    fields
}

fields! {
    /// Earlier losses of the target.
    pub struct EarlierLossFields {
        /// Damage Points the target squad has lost before
        lost: u16 = int(LOST, 0).with_label("Damage Points lost before").with_unit("Damage Points")
            .with_group(TARGET_HEADING).as_rare();
        /// Damage Points left of each model of the target that is still there; by `lost` and `allocation` when
        /// left out
        points_left: Option<Vec<u8>> = optional(POINTS_LEFT).with_label("Damage Points left of each model")
            .with_unit("Damage Points").with_group(TARGET_HEADING).as_rare();
    }

    /// Flammability of a piece of scenery.
    pub struct FlammabilityField {
        /// whether the target is scenery that burns; as printed when left out
        flammable: Option<bool> = optional(FieldType::Flag).with_rule("Flammable").with_label("scenery that burns")
            .with_group(TARGET_HEADING).as_rare();
    }

    /// Fields of the situation in which a weapon is fired.
    pub struct Situation {
        /// the target is in soft cover
        soft_cover: bool = flag(false).with_rule("ACCURACY").with_label("in soft cover")
            .with_value_labels(&["in the open", "in soft cover"]).with_group(PLACE_HEADING);
        /// the target is behind body cover
        body_cover: bool = flag(false).with_rule("DAMAGE").with_label("behind body cover")
            .with_value_labels(&["no body cover", "behind body cover"]).with_group(PLACE_HEADING);
        /// the target is hull down
        hull_down: bool = flag(false).with_rule("ACCURACY").with_label("hull down")
            .with_value_labels(&["in full view", "hull down"]).with_group(PLACE_HEADING);
        /// the shooters are out of coherency
        out_of_coherency: bool = flag(false).with_rule("ACCURACY").with_label("shooters out of coherency")
            .with_value_labels(&["in coherency", "out of coherency"]).with_group(SHOOTERS_HEADING).as_rare();
        /// the shooters disembarked this turn
        disembarked: bool = flag(false).with_rule("ACCURACY").with_label("shooters disembarked this turn")
            .with_group(SHOOTERS_HEADING).as_rare();
        /// the shooters entered the garrison this turn: Close Quarters damage is rolled again
        entered_garrison: bool = flag(false).with_rule("GARRISONS")
            .with_label("shooters entered the garrison this turn").with_group(SHOOTERS_HEADING).as_rare();
        /// inches to the target; within reach when left out
        range: Option<i64> = optional(FieldType::Int(RANGE)).with_label("range").with_unit("inches")
            .with_group(PLACE_HEADING);
    }

    /// Numbers and readings of the rules for shooting.
    pub struct ShootingRules: readings {
        /// a hit die of 1 misses whatever is needed
        natural_one_misses: bool = flag(false).as_reading().with_label("a hit die of 1 always misses");
        /// a hit die of 6 hits whatever is needed
        natural_six_hits: bool = flag(false).as_reading().with_label("a hit die of 6 always hits");
        /// a hit die of a Destroyer's X or more hits whatever is needed, as in the full rulebook
        destroyer_hits: bool = flag(false).with_rule("Destroyer").as_reading()
            .with_label("a Destroyer face always hits");
        /// Close Quarters weapons fire at a distance and at what cannot enter a Garrison, by a house rule
        close_quarters_anywhere: bool = flag(false).with_rule("SHOOTING, GARRISONS")
            .with_label("Close Quarters weapons fire anywhere");
        /// only AA weapons can hit aircraft
        aircraft_need_aa: bool = flag(false).as_reading().with_label("only AA weapons hit aircraft");
        /// what Devastator (Vehicle) hurts: Tanks, Skimmers and Walkers, or Tanks only
        vehicle_means: VehicleReading = choice(VehicleReading::WORDS).as_reading()
            .with_label("Devastator (Vehicle) hurts")
            .with_value_labels(&["Tanks, Skimmers and Walkers", "Tanks only"]);
        /// a Large target can be hull down; never, in the full rulebook
        large_hull_down: bool = flag(true).as_reading().with_label("Large targets can be hull down");
        /// Area weapons glance Behemoths as well; not in the full rulebook
        area_on_behemoths: bool = flag(true).as_reading().with_label("Area weapons glance Behemoths");
        /// Tech Killer weapons damage scenery as well; not in the full rulebook
        tech_killer_on_scenery: bool = flag(false).as_reading().with_label("Tech Killer damages scenery");
        /// needed when out of coherency
        coherency_modifier: i64 = int(MODIFIER, 1).with_rule("ACCURACY")
            .with_label("accuracy out of coherency");
        /// needed when disembarked
        disembarked_modifier: i64 = int(MODIFIER, 2).with_rule("ACCURACY")
            .with_label("accuracy when disembarked");
        /// needed against hull down
        hull_down_modifier: i64 = int(MODIFIER, 2).with_rule("ACCURACY")
            .with_label("accuracy against hull down");
        /// needed against soft cover
        soft_cover_modifier: i64 = int(MODIFIER, 2).with_rule("ACCURACY")
            .with_label("accuracy against soft cover");
        /// needed against scenery, always
        scenery_accuracy: i64 = int(ACCURACY, 2).with_rule("ACCURACY").with_label("accuracy against scenery");
        /// on damage dice against body cover
        body_cover_energy: i64 = int(MODIFIER, -1).with_rule("DAMAGE")
            .with_label("energy against body cover");
        /// on the damage die of a glancing hit
        glance_energy: i64 = int(MODIFIER, -2).with_rule("Area").with_label("energy of a glancing hit");
        /// misses of this face or more glance
        glance_from: i64 = int(ACCURACY, 2).with_rule("Area").with_label("lowest miss that glances");
        /// damage rolls of this face or more always damage
        penetrative_face: i64 = int(ACCURACY, 6).with_rule("Penetrative")
            .with_label("lowest damage die of Penetrative");
    }

    /// Numbers of the damage die.
    pub struct DamageRules: readings {
        /// above armour for a Critical
        critical_margin: i64 = int(MODIFIER, 2).with_rule("DAMAGE").with_label("above armour for a Critical");
        /// damage of a Critical, in plain hits
        critical_factor: u8 = int(FACTOR, 2).with_rule("DAMAGE").with_label("damage of a Critical")
            .with_unit("plain hits");
    }

    /// Detail of the report.
    pub struct ReportDetailField {
        /// level of detail: damage alone, or hits and Criticals as well
        detail: ReportDetailChoice = choice(ReportDetailChoice::WORDS).with_label("level of detail")
            .with_value_labels(&["damage", "hits and Criticals as well"]).with_group(READINGS).as_rare();
    }
}
