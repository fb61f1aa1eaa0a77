//! Fields of `skirmishers` contests: weapon, aim, target, numbers of the rules.
//!
//! Source: base rules (attacks, unit card) and the advanced rules. Each action joins the groups it
//! needs with [`joined!`](enfilade_model::form::field_groups).

use enfilade_model::form::bounds::Bound;
use enfilade_model::form::const_clone::place_of;
pub use enfilade_model::form::field_groups::READINGS;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{choice, fields};
use enfilade_model::form::{Fault, Field, Kind, Preset};

use super::data::{WeaponKind, WeaponRow, structure_names, weapon_names};
use super::hit_card::marks::Struck;
use super::hit_card::{CellMapping, TOP};
use super::unit_card::{OWN_CARD, OwnCard, UnitCard};

pub(super) const DOTS: Bound = Bound::new("distance in dots", 0, 1000);
pub(super) const HP: Bound = Bound::new("HP", 0, TOP as i64);
pub(super) const LIVE_HP: Bound = Bound::new("HP", 1, TOP as i64);
pub(super) const MODIFIER: Bound = Bound::new("modifier", -12, 12);
pub(super) const NUMBER: Bound = Bound::new("target number", 0, 20);
pub(super) const OBSTACLES: Bound = Bound::new("number of obstructions", 0, 12);
pub(super) const ARMOUR: Bound = Bound::new("number of armour cells", 0, TOP as i64 + 1);

/// Heading of the weapon and its crew.
pub const THE_WEAPON: &str = "the weapon";
/// Heading of the attacker.
pub const THE_ATTACKER: &str = "the attacker";
/// Heading of the target.
pub const THE_TARGET: &str = "the target";
/// Heading of the ground between them, and of the duration.
pub const THE_PLACE: &str = "the place";

choice! {
    /// Body armour.
    pub enum Armour {
        /// None.
        None = "none",
        /// The lightest.
        Basic = "basic",
        /// The usual.
        Standard = "standard",
        /// The heaviest.
        Heavy = "heavy",
    }
}

/// Names that players use for armour.
pub const IN_ARMOUR: &[&str] = &["no armour", "basic armour", "standard armour", "heavy armour"];

choice! {
    /// Experience levels.
    pub enum Experience {
        /// The usual.
        Regular = "regular",
        /// Less.
        Green = "green",
        /// More.
        Veteran = "veteran",
        /// Most.
        Elite = "elite",
    }

    /// Effect of bludgeoning past cell 0.
    pub enum PastZero {
        /// The trooper dies.
        Dead = "dead",
        /// No effect.
        Nothing = "nothing",
    }

    /// Effect of a point of bludgeoning at a cell that advanced armour protects.
    pub enum OnArmour {
        /// The point is lost.
        Lost = "lost",
        /// The point passes to the next cell.
        PassedOn = "passed-on",
    }
}

/// Default AP that are spent on a throw.
pub(super) const THROWN_WITH: i64 = 6;

fields! {
    /// Fields that name or describe a weapon.
    pub struct WeaponFields: under(THE_WEAPON) {
        /// the weapon, from the data
        weapon: Option<&'static WeaponRow> = optional(Kind::name(weapon_names)).label("weapon");
        /// damage as printed: 7X, 5\\, 1X+4\\ or 7X/3X/1X by ring
        damage: Option<String> = optional(Kind::Text).label("damage");
        /// how it is used; when no weapon is named, a launcher for damage by ring, explosions and
        /// breaches, or ranged
        kind: Option<WeaponKind> = optional(Kind::choice(WeaponKind::WORDS))
            .label("kind of weapon")
            .values(&[ "ranged weapon", "crewed weapon", "launcher", "incendiary weapon", "grenade", "incendiary grenade", "melee weapon", ])
            .rare();
        /// short range in dots
        short: Option<i64> = optional(Kind::Int(DOTS)).label("short range").unit("dots");
        /// long range in dots
        long: Option<i64> = optional(Kind::Int(DOTS)).label("long range").unit("dots");
    }

    /// Attacker with their place.
    pub struct Attacker {
        /// dots to the target; short range when left out
        range: Option<i64> = optional(Kind::Int(DOTS)).label("range").unit("dots").group(THE_PLACE);
        /// HP of the attacker, whose wounds are a modifier; all of them when left out
        attacker_hp: Option<u8> = optional(Kind::Int(LIVE_HP)).label("HP of the attacker").unit("HP")
            .group(THE_ATTACKER);
        /// the attacker's unit card; that of the rulebook when left out
        attacker_card: Option<OwnCard> = optional(Kind::Table(OWN_CARD)).label("unit card of the attacker")
            .group(THE_ATTACKER).rare();
    }

    /// AP of a throw.
    pub struct Throw: under(THE_WEAPON) {
        /// AP spent on a throw: its base number, and how many dots it goes
        ap_spent: i64 = int(NUMBER, THROWN_WITH).assumed().label("AP spent on the throw").unit("AP");
    }

    /// Modifiers of the target number.
    pub struct Situation {
        /// obstructions on the line of fire; none counts hand to hand
        obstructions: i64 = int(OBSTACLES, 0).label("obstructions").group(THE_PLACE);
        /// dots of smoke on the line of fire; none counts hand to hand
        smoke: i64 = int(OBSTACLES, 0).rule("Smoke Grenades").label("smoke").unit("dots")
            .group(THE_PLACE);
        /// fired on the move
        movement_fire: bool = flag(false).rule("Movement Fire").label("Movement Fire")
            .values(&["fired at rest", "fired on the move"]).group(THE_ATTACKER);
        /// the target wears a sneak suit (long range)
        sneak_suit: bool = flag(false).rule("Sneak Suits").label("sneak suit")
            .values(&["no sneak suit", "in a sneak suit"]).group(THE_TARGET).rare();
        /// the target is large
        large_target: bool = flag(false).rule("Large Targets").label("large target")
            .group(THE_TARGET).rare();
        /// the attacker is entangled
        attacker_entangled: bool = flag(false).rule("Advanced Terrain").label("attacker entangled")
            .group(THE_ATTACKER).rare();
        /// fought in a tunnel
        tunnel: bool = flag(false).rule("Advanced Terrain").label("in a tunnel").group(THE_PLACE)
            .rare();
        /// the target swims
        defender_swimming: bool = flag(false).rule("Advanced Terrain").label("target swims")
            .group(THE_TARGET).rare();
        /// the attacker is prone
        prone_attacker: bool = flag(false).label("attacker prone")
            .values(&["attacker upright", "attacker prone"]).group(THE_ATTACKER);
        /// the target is prone
        prone_target: bool = flag(false).label("target prone")
            .values(&["target upright", "target prone"]).group(THE_TARGET);
        /// the target is in a trench: as if prone
        trench: bool = flag(false).rule("Advanced Terrain").label("in a trench").group(THE_TARGET)
            .rare();
        /// any other modifier of the target number
        modifier: i64 = int(MODIFIER, 0).label("other modifiers").group(THE_PLACE).rare();
    }
}

impl Attacker {
    /// Returns the unit card of the attacker, and the HP left.
    ///
    /// # Errors
    /// Faults of the card, and HP that it does not have.
    pub fn stands(&self) -> Result<(UnitCard, u8), Vec<Fault>> {
        let card = UnitCard::of(self.attacker_card.as_ref(), "attacker_card")?;
        let hp = card.hp(self.attacker_hp, "attacker_hp")?;
        Ok((card, hp))
    }
}

impl WeaponFields {
    /// Returns the field that determines the weapon.
    pub fn told_by(&self) -> &'static str {
        match (self.kind, self.weapon, &self.damage) {
            (Some(_), ..) => "kind",
            (None, None, Some(_)) => "damage",
            _ => "weapon",
        }
    }
}

/// Fields of the situation of troopers who fire on the move by default.
pub const ON_THE_MOVE: [Field; 12] = unless_told("movement_fire");

/// Fields of the situation of a large target by default.
pub const AT_A_STRUCTURE: [Field; 12] = unless_told("large_target");

/// Returns the fields of the situation with one switch on by default.
const fn unless_told(holds: &str) -> [Field; 12] {
    let mut fields = Situation::FIELDS;
    let place = place_of(&fields, holds);
    std::mem::forget(std::mem::replace(&mut fields[place].preset, Preset::Flag(true)));
    fields
}

fields! {
    /// Numbers of the attack rules.
    pub struct AimRules: readings {
        /// base number of ranged weapons and launchers
        base_ranged: i64 = int(NUMBER, 6).label("base number of ranged weapons");
        /// base number hand to hand
        base_melee: i64 = int(NUMBER, 4).label("base number hand to hand");
        /// beyond short range
        long_range_modifier: i64 = int(MODIFIER, 2).label("modifier for long range");
        /// for each obstruction
        obstruction_modifier: i64 = int(MODIFIER, 1).label("modifier for an obstruction");
        /// for each dot of smoke
        smoke_modifier: i64 = int(MODIFIER, 3).rule("Smoke Grenades")
            .label("modifier for a dot of smoke");
        /// on the move
        movement_fire_modifier: i64 = int(MODIFIER, 2).rule("Movement Fire")
            .label("modifier for Movement Fire");
        /// sneak suit at long range
        sneak_suit_modifier: i64 = int(MODIFIER, 1).rule("Sneak Suits")
            .label("modifier for a sneak suit");
        /// large target
        large_target_modifier: i64 = int(MODIFIER, -2).rule("Large Targets")
            .label("modifier for a large target");
        /// attacker entangled
        entangled_modifier: i64 = int(MODIFIER, 1).rule("Advanced Terrain")
            .label("modifier for an entangled attacker");
        /// in a tunnel
        tunnel_modifier: i64 = int(MODIFIER, 2).rule("Advanced Terrain")
            .label("modifier in a tunnel");
        /// target swims
        swimming_modifier: i64 = int(MODIFIER, 1).rule("Advanced Terrain")
            .label("modifier for a target that swims");
        /// attacker prone
        prone_attacker_modifier: i64 = int(MODIFIER, -1).label("modifier for a prone attacker");
        /// target prone, beyond one dot
        prone_target_modifier: i64 = int(MODIFIER, 1).label("modifier for a prone target");
        /// target prone, adjacent
        prone_adjacent_modifier: i64 = int(MODIFIER, -1)
            .label("modifier for a prone target, adjacent");
    }

    /// Fields of the trooper who is hit.
    pub struct TargetFields: under(THE_TARGET) {
        /// body armour of the target
        target_armour: Armour = choice(Armour::WORDS).rule("Body Armor").label("body armour")
            .values(IN_ARMOUR);
        /// the armour protects cells of the card (advanced rule)
        advanced_armour: bool = flag(false).rule("Body Armor").label("advanced body armour").rare();
        /// highest cell that advanced armour protects; when left out it covers the lowest cells of the card,
        /// those that put a trooper out of action
        armour_from: Option<u8> = optional(Kind::Int(HP)).assumed().label("highest protected cell").rare();
        /// HP of the target before the attack; all of them when left out
        target_hp: Option<u8> = optional(Kind::Int(LIVE_HP)).label("HP of the target").unit("HP");
        /// unit card of the target; that of the rulebook when left out
        card: Option<OwnCard> = optional(Kind::Table(OWN_CARD)).label("unit card").rare();
        /// what is marked on the cards of those who have been struck before, in the order of the targets; on
        /// the others nothing
        struck: Option<Vec<Struck>> = optional(Kind::tables(joined![Struck::FIELDS]))
            .label("marks on their cards").rare();
    }

    /// Readings of the card.
    pub struct CardRules: readings {
        /// how 2d6 pick a cell: the label (11 and 12 are 10), or the column from the left
        cell_mapping: CellMapping = choice(CellMapping::WORDS).assumed().label("2d6 pick a cell")
            .values(&["by its label", "by its column"]);
        /// what bludgeoning that runs past cell 0 does
        bludgeoning_past_zero: PastZero = choice(PastZero::WORDS).assumed()
            .label("bludgeoning past cell 0").values(&["kills", "does nothing"]);
        /// a point of bludgeoning at a cell that advanced armour protects: lost on it, or for the
        /// next cell
        bludgeoning_on_armour: OnArmour = choice(OnArmour::WORDS).rule("Body Armor").assumed()
            .label("bludgeoning on protected cells")
            .values(&["is lost", "goes on to the next cell"]);
        /// cells the armour protects, where not the printed number
        armour_cells: Option<u8> = optional(Kind::Int(ARMOUR)).rule("Body Armor")
            .label("protected cells");
    }

    /// Structure by name or toughness.
    pub struct Structure: under(THE_TARGET) {
        /// the structure; medium when neither is given
        structure: Option<String> = optional(Kind::name(structure_names)).rule("Large Targets")
            .label("structure");
        /// damage that must be exceeded
        toughness: Option<u16> = optional(Kind::Int(TOUGHNESS)).rule("Large Targets")
            .label("toughness");
    }
}

const TOUGHNESS: Bound = Bound::new("toughness", 0, 500);
