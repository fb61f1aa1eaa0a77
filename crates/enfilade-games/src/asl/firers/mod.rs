//! Fire group of a contest (A7.35, A7.5, A7.53, A7.9).

use enfilade_model::form::Fault;
use enfilade_model::form::field_macros::SixtyFourths;

mod firer_crew;
pub mod firer_fields;

use super::attack_explanation;
use super::data::{AttackKindRules, Leader, MachineGun, expect_asl_data};
use super::firepower::{FiringCircumstances, FiringUnitOrWeapon, PieceFirepower};
use super::rule_numbers::RuleNumbers;
use firer_crew::{UnitBehindFirer, find_machine_gun_of_nation};
use firer_fields::{
    FireGroupEntryFields, FirePhaseField, LeadersAndCoweringFields, MannerOfFireFields,
};

/// Breakdown number where none is printed (A9.7).
const UNPRINTED_BREAKDOWN: u8 = 12;

/// Fire group, added up.
#[derive(Clone, Debug, Default)]
pub struct FireGroupTotals {
    /// Total firepower.
    pub total: PieceFirepower,
    /// Breakdown number of each machine gun.
    pub breakdowns: Vec<u8>,
    /// Rate of fire of each machine gun; empty for one that may not use it now.
    pub rates: Vec<u8>,
    /// Whether the group is subject to cowering.
    pub cowers: bool,
    /// Kinds of attack in the group.
    pub kinds: Vec<&'static AttackKindRules>,
    /// Derivation of the sum.
    pub account: String,
    /// Firers that are out of range (A7.22), and fields without effect.
    pub remarks: Vec<String>,
    /// Whether a squad in the group uses Assault Fire (A7.36).
    pub assaults: bool,
    /// Units that may be inexperienced (A7.9), because the fields leave it open.
    pub doubts: Vec<String>,
}

/// Returns the leader who directs the fire, if one can (A7.531): in one Location the best of those
/// named, in several the worst.
///
/// # Errors
/// If `leader` and `leaders` are given at once.
pub fn select_directing_leader(
    direction: &LeadersAndCoweringFields,
) -> Result<Option<&'static Leader>, Fault> {
    if direction.leader.is_some() && !direction.leaders.is_empty() {
        return Err(Fault::new("leaders", "give `leader` or `leaders`, not both"));
    }
    let leaders = direction.leaders.iter().copied().chain(direction.leader);
    Ok(match direction.locations {
        1 => leaders.min_by_key(|leader| leader.drm),
        locations if leaders.clone().count() < locations => None,
        _ => leaders.max_by_key(|leader| leader.drm),
    })
}

/// A7.2: creates the fire group of an attack that gives its firepower as a total; `is_gun` when the
/// total certainly contains a machine gun.
///
/// # Errors
/// The fields that would modify a total again.
pub fn fire_group_from_total(
    firepower: SixtyFourths,
    manner: &MannerOfFireFields,
    breakdown: Option<u8>,
    is_gun: bool,
) -> Result<FireGroupTotals, Fault> {
    let modifiers = [
        ("opportunity_fire", manner.opportunity_fire),
        ("assault_fire", manner.assault_fire == Some(true)),
        ("point_blank", manner.point_blank),
        ("triple_point_blank", manner.triple_point_blank),
        ("phase", manner.phase == FirePhaseField::Advancing),
        ("area_fire", manner.area_fire > 0),
        ("range", manner.range.is_some()),
    ];
    if let Some((field, _)) = modifiers.iter().find(|(_, given)| *given) {
        let problem =
            format!("`fp` is the firepower after all modifiers, so `{field}` has no place");
        return Err(Fault::new(*field, problem).with_help("name the firers in [[contest.firer]]"));
    }
    let unprinted = is_gun.then_some(UNPRINTED_BREAKDOWN);
    Ok(FireGroupTotals {
        total: PieceFirepower::from_sixty_fourths(firepower.0),
        breakdowns: breakdown.or(unprinted).into_iter().collect(),
        cowers: true,
        ..FireGroupTotals::default()
    })
}

/// A7.5: adds up the firers of an attack.
///
/// # Errors
/// Every firer that cannot fire as given, and a breakdown number beside the firers.
pub fn fire_group_from_entries(
    firers: &[FireGroupEntryFields],
    manner: &MannerOfFireFields,
    breakdown: Option<u8>,
    numbers: &RuleNumbers,
) -> Result<FireGroupTotals, Vec<Fault>> {
    let mut group = FireGroupTotals::default();
    let mut faults = Vec::new();
    if breakdown.is_some() {
        let fault = Fault::new("breakdown", "the breakdown number belongs to the firer");
        faults.push(fault.with_help("write `breakdown` into [[contest.firer]]"));
    }
    let mut crews = Vec::new();
    for (place, firer) in firers.iter().enumerate() {
        match FireGroupMember::read_member(manner, firer, numbers) {
            Ok(firer) => {
                crews.extend(firer.cowers);
                group.add_firer(&firer);
            }
            Err(fault) => faults.push(fault.prefix_path(&format!("firer[{place}]"))),
        }
    }
    let vain = [
        (manner.assault_fire == Some(true) && !group.assaults, NO_ASSAULT_FIRE_NOTE),
        (
            manner.opportunity_fire && !firers.iter().any(|f| is_in_advancing_phase(manner, f)),
            NO_OPPORTUNITY_FIRE_NOTE,
        ),
    ];
    group.add_new_remarks(
        vain.into_iter().filter(|(vain, _)| *vain).map(|(_, remark)| remark.to_owned()),
    );
    // A gun without a named crew is fired by one of the others, if there are any.
    group.cowers = crews.is_empty() || crews.contains(&true);
    faults.extend(group.lone_firer_in_group_fault());
    if faults.is_empty() { Ok(group) } else { Err(faults) }
}

impl FireGroupTotals {
    fn add_firer(&mut self, firer: &FireGroupMember) {
        for (piece, adjusted) in &firer.pieces {
            self.total = self.total.plus_multiple_of(adjusted, firer.count.into());
            let times = match firer.count {
                1 => String::new(),
                n => format!("{n} × "),
            };
            let plus = if self.account.is_empty() { "" } else { " + " };
            let each = attack_explanation::format_firepower_decimal(adjusted.to_sixty_fourths());
            self.account += &format!("{plus}{times}{} {each}", piece.label);
            for _ in 0..firer.count {
                self.kinds.push(piece.kind);
            }
        }
        for _ in 0..firer.count {
            self.breakdowns.extend(&firer.breakdowns);
            self.rates.extend(&firer.rates);
        }
        self.assaults |= firer.assaults;
        self.add_new_remarks(firer.remarks.iter().cloned());
        let new = |doubt: &&String| !self.doubts.contains(doubt);
        self.doubts.extend(firer.doubt.iter().find(new).cloned());
    }

    /// Adds remarks that are not present yet.
    fn add_new_remarks(&mut self, remarks: impl Iterator<Item = String>) {
        for remark in remarks {
            if !self.remarks.contains(&remark) {
                self.remarks.push(remark);
            }
        }
    }

    /// A7.51: refuses ordnance, canister and IFE in a group, which fire alone.
    fn lone_firer_in_group_fault(&self) -> Option<Fault> {
        let loner = self.kinds.iter().find(|kind| kind.alone)?;
        (self.kinds.len() > 1).then(|| {
            let problem = format!("{} never joins a fire group", loner.name);
            Fault::new("firer", problem)
        })
    }
}

/// Entry of the fire group.
struct FireGroupMember {
    count: u8,
    pieces: Vec<(FiringUnitOrWeapon, PieceFirepower)>,
    breakdowns: Vec<u8>,
    rates: Vec<u8>,
    /// Whether the firer cowers; `None` for a gun whose crew is not named, or out of range.
    cowers: Option<bool>,
    assaults: bool,
    remarks: Vec<String>,
    /// Remark that the firer may be inexperienced.
    doubt: Option<String>,
}

impl FireGroupMember {
    fn read_member(
        manner: &MannerOfFireFields,
        form: &FireGroupEntryFields,
        numbers: &RuleNumbers,
    ) -> Result<FireGroupMember, Fault> {
        let at = FiringCircumstances::read_firer_circumstances(manner, form, numbers)?;
        let crew = UnitBehindFirer::read_firer_unit(manner, form)?;
        crew.check_spraying_fire(form, &at, numbers)?;
        let guns = crew.read_fired_guns(form)?;
        let mut pieces = crew.inherent_piece_beside_weapons(form, guns.len());
        pieces.extend(guns.iter().map(|gun| firing_piece_of_gun(gun)));
        if pieces.is_empty() {
            let problem = "the firer needs a `unit`, a `weapon`, or an `fp`";
            return Err(Fault::new("", problem));
        }
        let beyond = |piece: &FiringUnitOrWeapon| at.is_farther_than(piece.maximum_range(numbers));
        let remarks = pieces.iter().filter(|piece| beyond(piece));
        let mut remarks: Vec<_> =
            remarks.map(|piece| piece.format_out_of_range_note(&at, numbers)).collect();
        pieces.retain(|piece| !beyond(piece) && !form.broken);
        if form.broken {
            remarks = vec![BROKEN_FIRER_FAULT.to_owned()];
        }
        let assaults = pieces.iter().any(|piece| piece.uses_assault_fire(&at));
        remarks.extend(ineffective_field_notes(form, &at, assaults || form.broken));
        let mut firing = guns.clone();
        firing.retain(|gun| !beyond(&firing_piece_of_gun(gun)) && !form.broken);
        // A machine gun in numbers is a piece without a row of the data, so only the count differs.
        let own_gun = pieces.iter().filter(|p| p.kind.name == "mg").count() - firing.len();
        let cowers = crew.can_cower(form).filter(|_| !pieces.is_empty());
        Ok(FireGroupMember {
            count: form.count,
            cowers,
            assaults,
            // A steady firer loses no columns, so its experience does not matter.
            doubt: crew.possible_inexperience_note(form).filter(|_| cowers == Some(true)),
            pieces: firepower_of_each_piece(pieces, &at, numbers)?,
            breakdowns: breakdown_numbers(form, &firing, own_gun),
            rates: rates_of_fire(form, &at, &firing, own_gun),
            remarks,
        })
    }
}

const BROKEN_FIRER_FAULT: &str =
    "a broken unit does not fire, and neither do the weapons it possesses (A7.35)";
const NO_ASSAULT_FIRE_NOTE: &str = "`assault_fire` adds nothing: Assault Fire is for the own firepower of squads \
                               that have it, in the Advancing Fire phase, within normal range, without \
                               Opportunity Fire (A7.36)";
const NO_OPPORTUNITY_FIRE_NOTE: &str = "`opportunity_fire` changes nothing outside the Advancing Fire phase, `phase = \"advancing\"` (A7.25)";
const NO_PRINTED_RANGE_NOTE: &str = "`range` of a firer is hexes to the target, and none is too far without a \
                                printed range: the one printed with its `fp` is `normal_range` (A7.22)";

/// Returns whether the firer fires in the Advancing Fire phase.
fn is_in_advancing_phase(manner: &MannerOfFireFields, form: &FireGroupEntryFields) -> bool {
    form.phase.unwrap_or(manner.phase) == FirePhaseField::Advancing
}

/// Finds fields of a firer that have no effect, or may be meant otherwise.
fn ineffective_field_notes(
    form: &FireGroupEntryFields,
    at: &FiringCircumstances,
    assaults: bool,
) -> impl Iterator<Item = String> {
    let rows = [
        (form.assault_fire == Some(true) && !assaults, NO_ASSAULT_FIRE_NOTE),
        (form.opportunity_fire == Some(true) && !at.advancing, NO_OPPORTUNITY_FIRE_NOTE),
        (
            form.fp.is_some() && form.range.is_some() && form.normal_range.is_none(),
            NO_PRINTED_RANGE_NOTE,
        ),
    ];
    rows.into_iter().filter(|(applies, _)| *applies).map(|(_, remark)| remark.to_owned())
}

/// Returns the pieces with the firepower that they add.
fn firepower_of_each_piece(
    pieces: Vec<FiringUnitOrWeapon>,
    at: &FiringCircumstances,
    numbers: &RuleNumbers,
) -> Result<Vec<(FiringUnitOrWeapon, PieceFirepower)>, Fault> {
    let weigh = |piece: FiringUnitOrWeapon| {
        let adjusted = piece.firepower_under(at, numbers)?;
        Ok((piece, adjusted))
    };
    pieces.into_iter().map(weigh).collect()
}

/// A9.7: returns the printed breakdown numbers, or the one in the file, or 12.
fn breakdown_numbers(form: &FireGroupEntryFields, guns: &[&MachineGun], own: usize) -> Vec<u8> {
    let number = |printed: u8| form.breakdown.unwrap_or(printed);
    let named = guns.iter().map(|gun| number(gun.breakdown));
    named.chain(std::iter::repeat_n(number(UNPRINTED_BREAKDOWN), own)).collect()
}

/// A9.2: returns the rates of fire; no multiple rate for a pinned firer (A7.81), nor in the
/// Advancing Fire phase but for Opportunity Fire (A7.25).
fn rates_of_fire(
    form: &FireGroupEntryFields,
    at: &FiringCircumstances,
    guns: &[&MachineGun],
    own: usize,
) -> Vec<u8> {
    let barred = at.pinned || at.advancing && !at.opportunity_fire;
    let number = |printed: u8| if barred { 0 } else { form.rof.unwrap_or(printed) };
    let named = guns.iter().map(|gun| number(gun.rate));
    named.chain(std::iter::repeat_n(number(0), own)).collect()
}

/// Returns the numbers printed with the machine gun that a firer names.
pub fn printed_gun_numbers(form: &FireGroupEntryFields) -> Vec<(&'static str, i64)> {
    let gun =
        form.weapon.as_deref().map(|name| find_machine_gun_of_nation(name, form.nation.as_deref()));
    match gun {
        Some(Ok(gun)) => vec![("breakdown", gun.breakdown.into()), ("rof", gun.rate.into())],
        _ => Vec::new(),
    }
}

fn firing_piece_of_gun(gun: &MachineGun) -> FiringUnitOrWeapon {
    FiringUnitOrWeapon {
        label: gun.name.clone(),
        kind: expect_asl_data().attack_kind_by_name("mg"),
        firepower: 64 * gun.firepower,
        normal_range: Some(gun.range),
        assault: false,
    }
}
