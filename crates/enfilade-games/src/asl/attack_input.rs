//! Arms of one attack: firepower, directing leader, modifiers, and the gun that may keep its rate.

use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_macros::fields;
use enfilade_model::form::{Fault, combine_results};

use super::attack::FireAttackBeforeRoll;
use super::attack_explanation;
use super::attack_sequence::{FixedOrGunAttackCount, MachineGunRepeatLimit};
use super::data::{AttackKindRules, FireTableGrid};
use super::drm::{self, AttackModifierFields, DrmByTargetKind, VehicleModifiers};
use super::field_headings;
use super::firers;
use super::firers::firer_fields::{
    FireGroupEntryFields, FirerGroupFields, LeadersAndCoweringFields, MannerOfFireFields,
};
use super::rule_numbers::RuleNumbers;
use super::targets::{TargetEntry, list_targets_with_modifiers};

/// Largest number of attacks of a gun.
pub const ATTACK_COUNT_RANGE: IntRange = IntRange::new("number of attacks", 1, 60);

fields! {
    /// Length of a gun's fire.
    #[derive(Copy)]
    pub struct GunFireLimitFields: put_under_heading(field_headings::ATTACK_HEADING) {
        /// the gun stops after this many attacks even if it keeps its rate
        max_attacks: u8 = new_whole_number(ATTACK_COUNT_RANGE, 30).with_player_name("attacks at most").with_rule_reference("A9.2").marked_as_interpretation();
        /// the gun stops when no target is left; otherwise it fires on, at others, while it keeps
        /// its rate
        until_clear: bool = new_switch_with_default(false)
            .with_player_name("when no target is left").with_value_labels(&["fires on", "stops"]).as_rarely_changed().with_rule_reference("A9.2").marked_as_interpretation();
    }
}

/// Number of attacks, as a contest gives it.
#[derive(Clone, Copy, Debug)]
pub enum AttackRepeats {
    /// This many times.
    Times(u8),
    /// As long as a machine gun keeps its rate.
    Keeping(GunFireLimitFields),
}

/// Fields of a contest about one attack.
#[derive(Clone, Debug)]
pub struct AttackInput {
    /// Firers.
    pub who: FirerGroupFields,
    /// Leaders who direct the fire, and cowering.
    pub direction: LeadersAndCoweringFields,
    /// Manner of fire.
    pub manner: MannerOfFireFields,
    /// Breakdown number of the machine gun behind a total.
    pub breakdown: Option<u8>,
    /// Rate of fire of that gun.
    pub rof: Option<u8>,
    /// Number of attacks.
    pub often: AttackRepeats,
}

/// Properties that all attacks of a contest share.
#[derive(Clone, Copy, Debug)]
pub struct AttackContext<'a> {
    /// Fire table.
    pub table: &'static FireTableGrid,
    /// Modifiers of all attacks.
    pub modifiers: &'a AttackModifierFields,
    /// Modifiers against vehicles.
    pub against: VehicleModifiers,
    /// Targets.
    pub targets: &'a [TargetEntry],
    /// Numbers of the rules.
    pub numbers: RuleNumbers,
}

/// Arms of one attack.
pub struct AttackWithFirers {
    /// Attack itself.
    pub attack: FireAttackBeforeRoll,
    /// Whether the firepower is enough for an attack at all (A7.3).
    pub is_attack: bool,
    rates: Vec<u8>,
    /// Kinds of attack of the firers, where they are named.
    pub kinds: Vec<&'static AttackKindRules>,
    remarks: Vec<String>,
    undirected: bool,
    crowded: bool,
}

impl AttackWithFirers {
    /// Reads the attack of the contest itself, or one of its further ones with its modifiers.
    ///
    /// # Errors
    /// All faults of the firers, the leaders, and the modifiers.
    pub fn read_attack_with_firers(
        common: &AttackContext<'_>,
        input: &AttackInput,
        further: Option<&AttackModifierFields>,
    ) -> Result<AttackWithFirers, Vec<Fault>> {
        let one = |fault| vec![fault];
        let AttackInput { who, direction, manner, breakdown, often, .. } = input;
        let is_gun = matches!(often, AttackRepeats::Keeping(_));
        let group = match (who.fp, who.firer.as_slice()) {
            (Some(total), []) => {
                firers::fire_group_from_total(total, manner, *breakdown, is_gun).map_err(one)
            }
            (None, firers @ [_, ..]) => {
                firers::fire_group_from_entries(firers, manner, *breakdown, &common.numbers)
            }
            _ => Err(vec![fp_or_firer_choice_fault(who)]),
        };
        let leader = firers::select_directing_leader(direction).map_err(one);
        let leadership = leader.as_ref().map_or(None, |leader| leader.map(|leader| leader.drm));
        let sums = sums_by_targets_own_modifiers(common, further, leadership.map_or(0, i32::from))
            .map_err(one);
        let ((group, leader), sums) = combine_results(combine_results(group, leader), sums)?;
        let firepower = group.total.to_sixty_fourths();
        let column = common.table.index_of_column_for(firepower);
        // A7.9: firers that a leader directs do not cower.
        let subject = direction.cowers && leader.is_none() && group.cowers;
        let mut remarks = group.remarks;
        remarks.extend(possible_point_blank_note(who, manner));
        let cowering = match (subject, direction.inexperienced) {
            (false, _) => 0,
            (true, Some(true)) => common.numbers.inexperienced_cowering_columns,
            (true, given) => {
                remarks.extend(group.doubts.into_iter().filter(|_| given.is_none()));
                common.numbers.cowering_columns
            }
        };
        let named = direction.leaders.len();
        Ok(AttackWithFirers {
            attack: FireAttackBeforeRoll {
                table: common.table,
                firepower,
                column: column.unwrap_or(0),
                cowering: u8::try_from(cowering).unwrap_or(0),
                sums,
                breakdowns: group.breakdowns,
                account: group.account,
            },
            is_attack: column.is_some(),
            rates: group.rates,
            kinds: group.kinds,
            remarks,
            undirected: leader.is_none() && (direction.leader.is_some() || named > 0),
            crowded: named > 1 && direction.locations == 1,
        })
    }

    /// A7.31, A9.2: returns the number of attacks; none without an attack (A7.3).
    ///
    /// # Errors
    /// The reason why a machine gun cannot use its rate of fire.
    pub fn attack_count_from_fields(
        &self,
        input: &AttackInput,
    ) -> Result<FixedOrGunAttackCount, Vec<Fault>> {
        match input.often {
            _ if !self.is_attack => Ok(FixedOrGunAttackCount::Volleys(0)),
            AttackRepeats::Times(times) => Ok(FixedOrGunAttackCount::Volleys(times)),
            AttackRepeats::Keeping(keeping) => {
                let rate = self.gun_rate_of_fire(input).map_err(|fault| vec![fault])?;
                let GunFireLimitFields { max_attacks: most_attacks, until_clear } = keeping;
                Ok(FixedOrGunAttackCount::Gun(MachineGunRepeatLimit {
                    rate,
                    most_attacks,
                    until_clear,
                }))
            }
        }
    }

    /// A9.2: returns the rate of one machine gun, by name or by numbers.
    fn gun_rate_of_fire(&self, input: &AttackInput) -> Result<u8, Fault> {
        match (input.who.fp, input.rof, self.rates.as_slice(), self.kinds.as_slice()) {
            (Some(_), Some(rate), ..) => Ok(rate),
            (Some(_), None, ..) => {
                let fault = Fault::new("rof", "the gun behind `fp` needs its rate of fire");
                Err(fault.with_help("give `rof`"))
            }
            // A gun that fires in a group attacks with the others, and they keep no rate.
            (None, None, [rate], [_]) => Ok(*rate),
            (None, Some(_), ..) => {
                let fault = Fault::new("rof", "the rate of fire belongs to the firer");
                Err(fault.with_help("write `rof` into [[contest.firer]]"))
            }
            _ => {
                let problem = "one machine gun keeps its rate of fire, and nothing fires with it";
                Err(Fault::new("firer", problem))
            }
        }
    }

    /// Returns the notes for a reader of the result.
    pub fn notes_for_reader(&self) -> Vec<String> {
        let mut notes = self.remarks.clone();
        if !self.is_attack {
            notes.push(format!(
                "no attack: the firepower is {}, less than 1 (A7.3)",
                attack_explanation::format_firepower_decimal(self.attack.firepower)
            ));
        }
        if self.undirected {
            let note =
                "no leader directs the fire: every Location of the group needs a leader (A7.531)";
            notes.push(note.to_owned());
        }
        if self.crowded {
            let note = "several leaders for one Location: the best one directs the fire (A7.531); \
                        a group may fire from more than one";
            notes.push(note.to_owned());
        }
        notes
    }
}

fn fp_or_firer_choice_fault(who: &FirerGroupFields) -> Fault {
    let problem = if who.fp.is_some() {
        "`fp` is the total firepower, so there can be no `firer` beside it"
    } else {
        "nobody fires"
    };
    Fault::new("fp", problem).with_help("give either `fp` or [[contest.firer]]")
}

/// A7.6, A7.308 EX: returns the modifiers of an attack, by the shelters of its targets; the first
/// for those without one.
///
/// # Errors
/// If a modifier counts twice.
fn sums_by_targets_own_modifiers(
    common: &AttackContext<'_>,
    further: Option<&AttackModifierFields>,
    leadership: i32,
) -> Result<Vec<DrmByTargetKind>, Fault> {
    let all = [common.modifiers].into_iter().chain(further);
    let mut entries: Vec<_> = all.map(AttackModifierFields::given_modifiers).collect();
    // Computed once per shelter: all units in it have the same modifiers.
    let mut sums = vec![drm::sum_drm_by_target_kind(&entries, common.against, leadership)?];
    for (place, target) in list_targets_with_modifiers(common.targets) {
        entries.push(target.own.given_modifiers());
        let own = drm::sum_drm_by_target_kind(&entries, common.against, leadership);
        sums.push(own.map_err(|fault| fault.prefix_path(&format!("target[{place}]")))?);
        entries.pop();
    }
    Ok(sums)
}

/// A7.21: returns a note for fire at an adjacent hex, which is Point Blank nearly always; only the
/// contest can decide it.
fn possible_point_blank_note(
    who: &FirerGroupFields,
    manner: &MannerOfFireFields,
) -> Option<String> {
    let is_explicit = manner.point_blank || manner.triple_point_blank;
    let near =
        |firer: &FireGroupEntryFields| firer.range.or(manner.range).is_some_and(|range| range <= 1);
    // A firer with `point_blank`, true or false, leaves no doubt.
    let speaks = |firer: &FireGroupEntryFields| {
        firer.point_blank.is_some() || firer.triple_point_blank == Some(true)
    };
    let doubtful = |firer: &FireGroupEntryFields| near(firer) && !is_explicit && !speaks(firer);
    who.firer.iter().any(doubtful).then(|| {
        "the target is adjacent, or in the same hex, but the fire is not Point Blank: whether it is, or is Triple \
         Point Blank, the contest must say (A7.21)"
            .to_owned()
    })
}
