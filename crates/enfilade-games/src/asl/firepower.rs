//! The firepower of a fire group: what each firer adds after all modifiers (A7.2–A7.25,
//! A7.34–A7.36).
//!
//! Firepower is exact: it is counted in 65536ths, so that a 64th can still be halved ten times (at
//! most eight times here). Nothing is rounded but a squad's inherent firepower with Assault Fire.

use enfilade_model::form::Fault;

use super::data::{AttackKindRules, PinnedFirerEffect};
use super::firers::firer_fields::{FireGroupEntryFields, FirePhaseField, MannerOfFireFields};
use super::rule_numbers::RuleNumbers;

/// One firepower factor in 65536ths.
const UNITS_PER_FACTOR: i64 = 1 << 16;

/// Piece that fires: the inherent firepower of a unit, or a weapon.
#[derive(Clone, Debug)]
pub struct FiringUnitOrWeapon {
    /// Name of the piece.
    pub label: String,
    /// Kind, which determines the effect of the modifiers.
    pub kind: &'static AttackKindRules,
    /// Printed firepower in 64ths.
    pub firepower: i64,
    /// Printed range in hexes, if there is one.
    pub normal_range: Option<i64>,
    /// Whether the piece may use Assault Fire.
    pub assault: bool,
}

/// Circumstances under which a firer fires.
#[derive(Clone, Copy, Debug)]
pub struct FiringCircumstances {
    /// Hexes to the target.
    pub range: Option<i64>,
    /// Whether the fire is at Point Blank.
    pub point_blank: bool,
    /// Whether the fire is at Triple Point Blank.
    pub triple_point_blank: bool,
    /// Applications of Area Fire, Spraying Fire among them.
    pub area_fire: u32,
    /// Whether the phase is Advancing Fire.
    pub advancing: bool,
    /// Whether the attack is Opportunity Fire in that phase.
    pub opportunity_fire: bool,
    /// Whether the firer is pinned.
    pub pinned: bool,
}

/// Firepower of one piece after all modifiers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PieceFirepower {
    /// Firepower in 65536ths.
    parts: i64,
}

impl PieceFirepower {
    /// Creates firepower from 64ths.
    pub fn from_sixty_fourths(firepower: i64) -> PieceFirepower {
        PieceFirepower { parts: firepower * (UNITS_PER_FACTOR / 64) }
    }

    /// Adds `count` times `other`.
    pub fn plus_multiple_of(&self, other: &PieceFirepower, count: i64) -> PieceFirepower {
        PieceFirepower { parts: self.parts + other.parts * count }
    }

    /// Returns the firepower in 64ths, rounded down: the columns are no finer.
    pub fn to_sixty_fourths(&self) -> i64 {
        self.parts / (UNITS_PER_FACTOR / 64)
    }
}

impl FiringCircumstances {
    /// Reads the circumstances of a firer; the attack's fields apply where the firer's are absent.
    ///
    /// # Errors
    /// If both kinds of Point Blank are given at once, or one of them at a target too far away for
    /// it.
    pub fn read_firer_circumstances(
        manner: &MannerOfFireFields,
        firer: &FireGroupEntryFields,
        numbers: &RuleNumbers,
    ) -> Result<FiringCircumstances, Fault> {
        let near = firer.point_blank.unwrap_or(manner.point_blank);
        let in_it = firer.triple_point_blank.unwrap_or(manner.triple_point_blank);
        if near && in_it {
            let problem = "an attack is at Point Blank or at Triple Point Blank, not both";
            return Err(Fault::new("triple_point_blank", problem));
        }
        let area = firer.area_fire.unwrap_or(manner.area_fire);
        let range = firer.range.or(manner.range);
        check_point_blank_fields(range, near, in_it, numbers)?;
        Ok(FiringCircumstances {
            range,
            point_blank: near,
            triple_point_blank: in_it,
            area_fire: area + u32::from(firer.spraying_fire),
            advancing: firer.phase.unwrap_or(manner.phase) == FirePhaseField::Advancing,
            opportunity_fire: firer.opportunity_fire.unwrap_or(manner.opportunity_fire),
            pinned: firer.pinned,
        })
    }

    /// Returns whether the target is farther away than `range`, where both are known.
    pub fn is_farther_than(&self, range: Option<i64>) -> bool {
        self.range.zip(range).is_some_and(|(at, range)| at > range)
    }
}

/// A7.21: "doubled while either ADJACENT to its target or adjacent to …"; "vs units in the same
/// Location as the attacker or vs PRC in the same hex …, tripled".
fn check_point_blank_fields(
    range: Option<i64>,
    near: bool,
    in_it: bool,
    numbers: &RuleNumbers,
) -> Result<(), Fault> {
    let kinds = [
        (
            "point_blank",
            near,
            numbers.point_blank_range,
            "Point Blank Fire is at an ADJACENT target",
        ),
        (
            "triple_point_blank",
            in_it,
            numbers.triple_point_blank_range,
            "Triple Point Blank Fire is at a target in the same Location or hex",
        ),
    ];
    let Some(range) = range else { return Ok(()) };
    let far = kinds.into_iter().find(|(_, on, farthest, _)| *on && range > i64::from(*farthest));
    far.map_or(Ok(()), |(field, _, _, rule)| {
        let fault =
            Fault::new(field, format!("{rule} (A7.21), and this one is {range} hexes away"));
        let house =
            format!("leave out `{field}`; a house rule is `rules = {{ {field}_range = {range} }}`");
        Err(fault.with_help(house))
    })
}

impl FiringUnitOrWeapon {
    /// A7.21-A7.25, A7.36, A7.8: computes the firepower under the circumstances, in range of the
    /// target.
    ///
    /// # Errors
    /// If a pinned firer must not fire this at all.
    pub fn firepower_under(
        &self,
        at: &FiringCircumstances,
        numbers: &RuleNumbers,
    ) -> Result<PieceFirepower, Fault> {
        let long = at.is_farther_than(self.normal_range);
        let kind = self.kind;
        if at.pinned && kind.pinned == PinnedFirerEffect::Barred {
            let problem = format!("a pinned unit cannot attack with the {}", self.label);
            return Err(Fault::new("pinned", problem));
        }
        let close = match (kind.close, at.triple_point_blank, at.point_blank) {
            (true, true, _) => numbers.triple_point_blank_factor,
            (true, false, true) => numbers.point_blank_factor,
            _ => 1,
        };
        let area = if kind.area { at.area_fire } else { 0 };
        let halvings = u32::from(long)
            + area
            + u32::from(kind.advancing && at.advancing && !at.opportunity_fire)
            + u32::from(at.pinned && kind.pinned == PinnedFirerEffect::Halved);
        let mut parts = (self.firepower * (UNITS_PER_FACTOR / 64) * i64::from(close)) >> halvings;
        if self.uses_assault_fire(at) {
            parts += i64::from(numbers.assault_fire_bonus) * UNITS_PER_FACTOR;
            parts = (parts + UNITS_PER_FACTOR - 1) / UNITS_PER_FACTOR * UNITS_PER_FACTOR;
        }
        Ok(PieceFirepower { parts })
    }

    /// A7.36: returns whether the piece uses Assault Fire.
    pub fn uses_assault_fire(&self, at: &FiringCircumstances) -> bool {
        let long = at.is_farther_than(self.normal_range);
        self.assault && at.advancing && !at.opportunity_fire && !long
    }

    /// Returns the longest range: beyond normal range, and up to twice as far, fire is halved
    /// (A7.22).
    pub fn maximum_range(&self, numbers: &RuleNumbers) -> Option<i64> {
        let factor = if self.kind.long { i64::from(numbers.long_range_factor) } else { 1 };
        self.normal_range.map(|normal| normal * factor)
    }

    /// Formats the remark that the piece is out of range.
    pub fn format_out_of_range_note(
        &self,
        at: &FiringCircumstances,
        numbers: &RuleNumbers,
    ) -> String {
        format!(
            "the {} takes no part: it reaches {} hexes, but the target is {} away (A7.22)",
            self.label,
            self.maximum_range(numbers).unwrap_or(0),
            at.range.unwrap_or(0),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::data::expect_asl_data;
    use super::*;

    const PLAIN: FiringCircumstances = FiringCircumstances {
        range: None,
        point_blank: false,
        triple_point_blank: false,
        area_fire: 0,
        advancing: false,
        opportunity_fire: false,
        pinned: false,
    };

    fn piece(kind: &str, firepower: i64) -> FiringUnitOrWeapon {
        FiringUnitOrWeapon {
            label: kind.to_owned(),
            kind: expect_asl_data().attack_kind_by_name(kind),
            firepower: 64 * firepower,
            normal_range: Some(4),
            assault: false,
        }
    }

    fn quarters(piece: &FiringUnitOrWeapon, at: FiringCircumstances) -> i64 {
        let numbers = RuleNumbers::printed();
        let adjusted = piece.firepower_under(&at, &numbers).expect("in range");
        adjusted.to_sixty_fourths() / 16
    }

    /// Every modifier against every kind, in quarters of a factor, from A7.21-A7.24, A7.8, A7.81.
    #[test]
    fn each_kind_takes_the_modifiers_that_are_its_own() {
        let close = FiringCircumstances { point_blank: true, ..PLAIN };
        let closer = FiringCircumstances { triple_point_blank: true, ..PLAIN };
        let area = FiringCircumstances { area_fire: 1, ..PLAIN };
        let advancing = FiringCircumstances { advancing: true, ..PLAIN };
        let table = [
            ("small-arms", [8 * 4, 12 * 4, 2 * 4, 2 * 4]),
            ("mg", [8 * 4, 12 * 4, 2 * 4, 2 * 4]),
            ("atr", [8 * 4, 12 * 4, 2 * 4, 2 * 4]),
            ("ife", [8 * 4, 12 * 4, 2 * 4, 2 * 4]),
            ("canister", [4 * 4, 4 * 4, 4 * 4, 4 * 4]),
            ("ordnance", [4 * 4, 4 * 4, 4 * 4, 4 * 4]),
            ("demolition-charge", [4 * 4, 4 * 4, 2 * 4, 4 * 4]),
            ("molotov", [4 * 4, 4 * 4, 4 * 4, 4 * 4]),
            ("flamethrower", [4 * 4, 4 * 4, 2 * 4, 4 * 4]),
        ];
        for (kind, expected) in table {
            let found = [close, closer, area, advancing].map(|at| quarters(&piece(kind, 4), at));
            assert_eq!(found, expected, "{kind}");
        }
        assert_eq!(table.len(), expect_asl_data().kinds.len());
    }

    #[test]
    fn pinning_halves_keeps_or_bars() {
        let pinned = FiringCircumstances { pinned: true, ..PLAIN };
        let numbers = RuleNumbers::printed();
        let halved = ["small-arms", "mg", "ife", "canister"];
        for kind in halved {
            assert_eq!(quarters(&piece(kind, 4), pinned), 8, "{kind}");
        }
        for kind in ["ordnance", "atr"] {
            assert_eq!(quarters(&piece(kind, 4), pinned), 16, "{kind}");
        }
        for kind in ["demolition-charge", "molotov", "flamethrower"] {
            assert!(piece(kind, 4).firepower_under(&pinned, &numbers).is_err(), "{kind}");
        }
    }

    #[test]
    fn long_range_is_up_to_twice_the_normal_one() {
        let numbers = RuleNumbers::printed();
        let at = |range| FiringCircumstances { range: Some(range), ..PLAIN };
        let rifles = piece("small-arms", 4);
        assert_eq!([4, 5, 8].map(|range| quarters(&rifles, at(range))), [16, 8, 8]);
        assert_eq!(rifles.maximum_range(&numbers), Some(8));
        assert!(
            at(9).is_farther_than(Some(8))
                && !at(8).is_farther_than(Some(8))
                && !at(9).is_farther_than(None)
        );
        for kind in ["atr", "molotov", "demolition-charge", "ordnance", "canister"] {
            assert_eq!(piece(kind, 4).maximum_range(&numbers), Some(4), "{kind}");
        }
        assert_eq!(quarters(&piece("flamethrower", 4), at(5)), 8);
    }

    #[test]
    fn assault_fire_adds_one_and_rounds_up() {
        // A7.36: 5-4-8 adjacent to a concealed target: 5 × 2 ÷ 2 ÷ 2 + 1 = 3½, so 4.
        let mut squad = piece("small-arms", 5);
        squad.assault = true;
        let at = FiringCircumstances { point_blank: true, area_fire: 1, advancing: true, ..PLAIN };
        assert_eq!(quarters(&squad, at), 16);
        let opportunity = FiringCircumstances { opportunity_fire: true, ..at };
        assert_eq!(quarters(&squad, opportunity), 5 * 4);
        let long = FiringCircumstances { range: Some(5), ..at };
        assert_eq!(quarters(&squad, long), 5);
        let pinned = FiringCircumstances { pinned: true, ..at };
        // 5 × 2 ÷ 8 + 1 = 2¼, so 3
        assert_eq!(quarters(&squad, pinned), 12);
    }
}
