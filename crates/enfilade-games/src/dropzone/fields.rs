//! Fields of `dropzone` contests: weapon, target, situation, numbers of the rules.
//!
//! Source: quick reference, SHOOTING, ACCURACY, DAMAGE; special rules of the second edition. Each
//! action joins the groups it needs with [`joined!`](enfilade_model::form::field_groups).

use enfilade_model::form::bounds::Bound;
pub use enfilade_model::form::field_groups::READINGS;
use enfilade_model::form::field_groups::under;
use enfilade_model::form::field_macros::{choice, fields};
use enfilade_model::form::{Field, Kind};

use super::data::{self, Printed};
use super::data_rows::WeaponRow;
use super::specials::UnitType;
use super::squad::{Allocation, MAX_MODELS};

pub(super) const SHOTS: Bound = Bound::new("number of shots", 1, 200);
pub(super) const ACCURACY: Bound = Bound::new("accuracy", 0, 7);
pub(super) const ENERGY: Bound = Bound::new("energy", 0, 30);
pub(super) const MODELS: Bound = Bound::new("number of models", 1, MAX_MODELS as i64);
pub(super) const ARMOUR: Bound = Bound::new("armour", 1, 30);
pub(super) const POINTS: Bound = Bound::new("number of Damage Points", 1, 200);
pub(super) const LOST: Bound = Bound::new("number of Damage Points lost", 0, 200);
/// Type of the Damage Points left of each model of a squad.
pub(super) const LEFT: Kind = Kind::list(const { &Kind::Int(POINTS) });
pub(super) const SAVE: Bound = Bound::new("countermeasure", 1, 7);
pub(super) const EVASION: Bound = Bound::new("evasion", 0, 6);
pub(super) const COST: Bound = Bound::new("points", 1, 10_000);
pub(super) const MODIFIER: Bound = Bound::new("modifier", -6, 6);
pub(super) const RANGE: Bound = Bound::new("range in inches", 0, 200);
pub(super) const FACTOR: Bound = Bound::new("factor", 0, 10);
pub(super) const MERGED: Bound = Bound::new("number of hits merged", 1, 20);

/// Heading of the weapon.
pub const THE_WEAPON: &str = "the weapon";
/// Heading of the shooters.
pub const THE_SHOOTERS: &str = "the shooters";
/// Heading of the target.
pub const THE_TARGET: &str = "the target";
/// Heading of place and duration.
pub const THE_PLACE: &str = "the place";

choice! {
    /// Choice of the number of hits that Focus merges.
    pub enum FocusBy {
        /// The given number.
        Given = "given",
        /// The best number.
        Best = "best",
    }

    /// Targets that Devastator (Vehicle) hurts.
    pub enum VehicleMeans {
        /// Tanks, Skimmers and Walkers.
        Ground = "ground",
        /// Tanks only.
        Tank = "tank",
    }

    /// Detail of the report.
    pub enum Detail {
        /// Damage only.
        Damage = "damage",
        /// Hits and Criticals as well.
        Hits = "hits",
    }
}

fields! {
    /// Fields that name or describe a weapon.
    pub struct WeaponFields: under(THE_WEAPON) {
        /// the weapon, from the data
        weapon: Option<&'static WeaponRow> = optional(Kind::name(data::weapon_names))
            .label("weapon");
        /// hit dice of one shooter
        shots: Option<u16> = optional(Kind::Int(SHOTS)).label("hit dice").unit("dice");
        /// X of X+; 0 on a Close Quarters weapon hits by itself
        accuracy: Option<i64> = optional(Kind::Int(ACCURACY)).label("accuracy");
        /// added to every damage die
        energy: Option<i64> = optional(Kind::Int(ENERGY)).label("energy");
        /// whether it is a Close Quarters weapon
        close_quarters: Option<bool> = optional(Kind::Flag).label("Close Quarters weapon").rare();
        /// special rules of the weapon, as printed
        specials: Option<Vec<String>> = optional(Kind::list(&Kind::Text))
            .label("special rules of the weapon").rare();
        /// hits merged into one by a Focus weapon (doctrine); 1: none
        focus_merge: u8 = int(MERGED, 1).rule("Focus-X").label("hits merged by Focus").unit("hits")
            .rare();
    }

    /// Number of hits that a Focus weapon merges.
    pub struct Focus {
        /// how many hits Focus merges (doctrine): `focus_merge`, or as many as are expected to do
        /// most damage
        focus: FocusBy = choice(FocusBy::WORDS).rule("Focus-X").label("Focus merges")
            .values(&["as many hits as given", "the best number of hits"]).group(THE_WEAPON).rare();
    }

    /// Fields of the models that fire the weapon.
    pub struct Shooters: under(THE_SHOOTERS) {
        /// models that shoot
        squad: u16 = int(MODELS, 1).label("shooters").unit("models");
        /// Damage Points each shooter has lost (Reduced-X)
        damage_lost: u16 = int(LOST, 0).label("Damage Points lost by each shooter")
            .unit("Damage Points").rare();
        /// points of one shooter, for damage_per_100_points
        points: Option<u32> = optional(Kind::Int(COST)).label("cost of a shooter").unit("points")
            .rare();
    }

    /// Fields that name or describe the target.
    pub struct TargetFields: under(THE_TARGET) {
        /// the target, from the data: a unit or a piece of scenery
        target: Option<Printed> = optional(Kind::name(data::target_names)).label("target");
        /// armour of the target
        armour: Option<i64> = optional(Kind::Int(ARMOUR)).label("armour");
        /// Damage Points of one model; 1 when no target is named
        damage_points: Option<u8> = optional(Kind::Int(POINTS)).label("Damage Points");
        /// passive countermeasures, X of PX+
        passive: Option<u8> = optional(Kind::Int(SAVE)).label("passive countermeasures");
        /// evasion, X of E+X
        evasion: Option<i64> = optional(Kind::Int(EVASION)).label("evasion");
        /// whether the target has active countermeasures
        active: Option<bool> = optional(Kind::Flag).label("active countermeasures").rare();
        /// what the target is; Tank when no target is named
        unit_type as "type": Option<UnitType> = optional(Kind::choice(UnitType::WORDS))
            .label("unit type").rare();
        /// special rules of the target, as printed
        target_specials: Option<Vec<String>> = optional(Kind::list(&Kind::Text))
            .label("special rules of the target").rare();
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
pub const fn a_unit(heading: &'static str) -> [Field; 8] {
    let mut fields = under(heading, TargetFields::FIELDS);
    fields[0].label.set("unit");
    fields[7].label.set("special rules of the unit");
    fields
}

fields! {
    /// Fields of a squad of these models.
    pub struct Models: under(THE_TARGET) {
        /// models of the target
        count: usize = int(MODELS, 1).label("models of the target").unit("models");
        /// which model is hit next: one until it is destroyed, or the one with the most points
        /// left
        allocation: Allocation = choice(Allocation::WORDS).assumed().label("the next hit falls on")
            .values(&["one model until it is destroyed", "the model with most left"]).rare();
    }
}

/// Returns the fields of a squad of these units.
pub const fn a_squad(heading: &'static str) -> [Field; 2] {
    let mut fields = under(heading, Models::FIELDS);
    fields[0].label.set("models");
    fields
}

fields! {
    /// Earlier losses of the target.
    pub struct Earlier {
        /// Damage Points the target squad has lost before
        lost: u16 = int(LOST, 0).label("Damage Points lost before").unit("Damage Points")
            .group(THE_TARGET).rare();
        /// Damage Points left of each model of the target that is still there; by `lost` and `allocation` when
        /// left out
        points_left: Option<Vec<u8>> = optional(LEFT).label("Damage Points left of each model")
            .unit("Damage Points").group(THE_TARGET).rare();
    }

    /// Flammability of a piece of scenery.
    pub struct Burns {
        /// whether the target is scenery that burns; as printed when left out
        flammable: Option<bool> = optional(Kind::Flag).rule("Flammable").label("scenery that burns")
            .group(THE_TARGET).rare();
    }

    /// Fields of the situation in which a weapon is fired.
    pub struct Situation {
        /// the target is in soft cover
        soft_cover: bool = flag(false).rule("ACCURACY").label("in soft cover")
            .values(&["in the open", "in soft cover"]).group(THE_PLACE);
        /// the target is behind body cover
        body_cover: bool = flag(false).rule("DAMAGE").label("behind body cover")
            .values(&["no body cover", "behind body cover"]).group(THE_PLACE);
        /// the target is hull down
        hull_down: bool = flag(false).rule("ACCURACY").label("hull down")
            .values(&["in full view", "hull down"]).group(THE_PLACE);
        /// the shooters are out of coherency
        out_of_coherency: bool = flag(false).rule("ACCURACY").label("shooters out of coherency")
            .values(&["in coherency", "out of coherency"]).group(THE_SHOOTERS).rare();
        /// the shooters disembarked this turn
        disembarked: bool = flag(false).rule("ACCURACY").label("shooters disembarked this turn")
            .group(THE_SHOOTERS).rare();
        /// the shooters entered the garrison this turn: Close Quarters damage is rolled again
        entered_garrison: bool = flag(false).rule("GARRISONS")
            .label("shooters entered the garrison this turn").group(THE_SHOOTERS).rare();
        /// inches to the target; within reach when left out
        range: Option<i64> = optional(Kind::Int(RANGE)).label("range").unit("inches")
            .group(THE_PLACE);
    }

    /// Numbers and readings of the rules for shooting.
    pub struct Rules: readings {
        /// a hit die of 1 misses whatever is needed
        natural_one_misses: bool = flag(false).assumed().label("a hit die of 1 always misses");
        /// a hit die of 6 hits whatever is needed
        natural_six_hits: bool = flag(false).assumed().label("a hit die of 6 always hits");
        /// a hit die of a Destroyer's X or more hits whatever is needed, as in the full rulebook
        destroyer_hits: bool = flag(false).rule("Destroyer").assumed()
            .label("a Destroyer face always hits");
        /// Close Quarters weapons fire at a distance and at what cannot enter a Garrison, by a house rule
        close_quarters_anywhere: bool = flag(false).rule("SHOOTING, GARRISONS")
            .label("Close Quarters weapons fire anywhere");
        /// only AA weapons can hit aircraft
        aircraft_need_aa: bool = flag(false).assumed().label("only AA weapons hit aircraft");
        /// what Devastator (Vehicle) hurts: Tanks, Skimmers and Walkers, or Tanks only
        vehicle_means: VehicleMeans = choice(VehicleMeans::WORDS).assumed()
            .label("Devastator (Vehicle) hurts")
            .values(&["Tanks, Skimmers and Walkers", "Tanks only"]);
        /// a Large target can be hull down; never, in the full rulebook
        large_hull_down: bool = flag(true).assumed().label("Large targets can be hull down");
        /// Area weapons glance Behemoths as well; not in the full rulebook
        area_on_behemoths: bool = flag(true).assumed().label("Area weapons glance Behemoths");
        /// Tech Killer weapons damage scenery as well; not in the full rulebook
        tech_killer_on_scenery: bool = flag(false).assumed().label("Tech Killer damages scenery");
        /// needed when out of coherency
        coherency_modifier: i64 = int(MODIFIER, 1).rule("ACCURACY")
            .label("accuracy out of coherency");
        /// needed when disembarked
        disembarked_modifier: i64 = int(MODIFIER, 2).rule("ACCURACY")
            .label("accuracy when disembarked");
        /// needed against hull down
        hull_down_modifier: i64 = int(MODIFIER, 2).rule("ACCURACY")
            .label("accuracy against hull down");
        /// needed against soft cover
        soft_cover_modifier: i64 = int(MODIFIER, 2).rule("ACCURACY")
            .label("accuracy against soft cover");
        /// needed against scenery, always
        scenery_accuracy: i64 = int(ACCURACY, 2).rule("ACCURACY").label("accuracy against scenery");
        /// on damage dice against body cover
        body_cover_energy: i64 = int(MODIFIER, -1).rule("DAMAGE")
            .label("energy against body cover");
        /// on the damage die of a glancing hit
        glance_energy: i64 = int(MODIFIER, -2).rule("Area").label("energy of a glancing hit");
        /// misses of this face or more glance
        glance_from: i64 = int(ACCURACY, 2).rule("Area").label("lowest miss that glances");
        /// damage rolls of this face or more always damage
        penetrative_face: i64 = int(ACCURACY, 6).rule("Penetrative")
            .label("lowest damage die of Penetrative");
    }

    /// Numbers of the damage die.
    pub struct DamageRules: readings {
        /// above armour for a Critical
        critical_margin: i64 = int(MODIFIER, 2).rule("DAMAGE").label("above armour for a Critical");
        /// damage of a Critical, in plain hits
        critical_factor: u8 = int(FACTOR, 2).rule("DAMAGE").label("damage of a Critical")
            .unit("plain hits");
    }

    /// Detail of the report.
    pub struct Told {
        /// level of detail: damage alone, or hits and Criticals as well
        detail: Detail = choice(Detail::WORDS).label("level of detail")
            .values(&["damage", "hits and Criticals as well"]).group(READINGS).rare();
    }
}
