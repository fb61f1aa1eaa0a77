//! Several attacks on one Location in sequence: those that a contest lists beside its own (A7.31,
//! A7.32).

use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_macros::{fields, forms};
use enfilade_model::form::{DefaultValue, Fault, FieldType, fault_prefixer};

use super::attack_input::{
    ATTACK_COUNT_RANGE, AttackContext, AttackInput, AttackRepeats, AttackWithFirers,
    GunFireLimitFields,
};
use super::attack_sequence::FixedOrGunAttackCount;
use super::drm::AttackModifierFields;
use super::field_headings;
use super::firers::firer_fields::{
    FirerGroupFields, GunMalfunctionNumberField, GunRateOfFireField, LeadersAndCoweringFields,
    MannerOfFireFields,
};

/// Number of attacks of a contest.
pub const ATTACK_REPEAT_RANGE: IntRange = IntRange::new("number of attacks", 1, 20);

fields! {
    /// Number of times that a further attack is made.
    pub struct FurtherAttackRepeats: put_under_heading(field_headings::ATTACK_HEADING) {
        /// how often, each by other firers, who cower for themselves
        times: u8 = new_whole_number(ATTACK_REPEAT_RANGE, 1).with_player_name("times").as_rarely_changed().with_rule_reference("A7.31");
        /// a machine gun fires on while it keeps its rate and a target is left, at most this often;
        /// absent: one attack
        max_attacks: Option<u8> = new_optional(FieldType::Int(ATTACK_COUNT_RANGE))
            .with_player_name("attacks of the gun at most").with_rule_reference("A9.2");
    }

    /// Attacks beside the contest's own.
    pub struct FurtherAttacks: put_under_heading(field_headings::ATTACK_HEADING) {
        /// further attacks on the same targets, one after another, behind the one that the contest
        /// gives if it gives one; `drm` and `modifiers` of the contest count in all of them
        attack: Vec<FurtherAttackEntry> = new(FieldType::tables(FurtherAttackEntry::FIELDS), DefaultValue::Empty)
            .with_player_name("further attacks").as_rarely_changed().with_rule_reference("A7.31, A7.32");
    }
}

forms! {
    /// Further attack.
    pub struct FurtherAttackEntry {
        /// Firers.
        who: FirerGroupFields,
        /// Rate of fire.
        rate: GunRateOfFireField,
        /// Breakdown numbers.
        breakdown: GunMalfunctionNumberField,
        /// Leaders and cowering.
        direction: LeadersAndCoweringFields,
        /// Manner of fire.
        manner: MannerOfFireFields,
        /// Number of times.
        times: FurtherAttackRepeats,
        /// Modifiers beside those of all attacks.
        modifiers: AttackModifierFields,
    }
}

impl FurtherAttackEntry {
    fn as_attack_input(&self) -> AttackInput {
        let keeping = |max_attacks| {
            AttackRepeats::Keeping(GunFireLimitFields { max_attacks, until_clear: true })
        };
        AttackInput {
            who: self.who.clone(),
            direction: self.direction.clone(),
            manner: self.manner.clone(),
            breakdown: self.breakdown.breakdown,
            rof: self.rate.rof,
            often: self.times.max_attacks.map_or(AttackRepeats::Times(self.times.times), keeping),
        }
    }

    fn read_firers_and_count(
        &self,
        common: &AttackContext<'_>,
    ) -> Result<(AttackWithFirers, FixedOrGunAttackCount), Vec<Fault>> {
        let input = self.as_attack_input();
        if input.rof.is_some() && self.times.max_attacks.is_none() {
            let fault = Fault::new("rof", "one attack needs no rate of fire");
            return Err(vec![fault.with_help("give `max_attacks`: how often the gun may fire")]);
        }
        let arms =
            AttackWithFirers::read_attack_with_firers(common, &input, Some(&self.modifiers))?;
        if arms.is_attack && self.times.max_attacks.is_some() && self.times.times > 1 {
            let fault =
                Fault::new("times", "a gun that keeps its rate is one attack after another");
            return Err(vec![fault.with_help("write an [[contest.attack]] for each gun")]);
        }
        let cadence = arms.attack_count_from_fields(&input)?;
        Ok((arms, cadence))
    }
}

/// Reads the attacks of a contest, each with its number of times: its own and the further ones.
///
/// # Errors
/// All faults of any attack.
pub fn read_own_and_further_attacks(
    common: &AttackContext<'_>,
    own: &AttackInput,
    further: &[FurtherAttackEntry],
) -> Result<Vec<(AttackWithFirers, FixedOrGunAttackCount)>, Vec<Fault>> {
    let shoots = further.is_empty() || own.who.fp.is_some() || !own.who.firer.is_empty();
    let first = || {
        let arms = AttackWithFirers::read_attack_with_firers(common, own, None)?;
        let cadence = arms.attack_count_from_fields(own)?;
        Ok((arms, cadence))
    };
    let first = if shoots { Some(first()) } else { faults_of_fields_without_firer(own).map(Err) };
    let further = further.iter().enumerate().map(|(place, attack)| {
        attack.read_firers_and_count(common).map_err(fault_prefixer(&format!("attack[{place}]")))
    });
    let (mut series, mut faults) = (Vec::new(), Vec::new());
    for read in first.into_iter().chain(further) {
        match read {
            Ok(read) => series.push(read),
            Err(found) => faults.extend(found),
        }
    }
    if faults.is_empty() { Ok(series) } else { Err(faults) }
}

/// Finds fields about the contest's own firers, although it has none.
fn faults_of_fields_without_firer(own: &AttackInput) -> Option<Vec<Fault>> {
    let AttackInput { direction, manner, .. } = own;
    let given_fields = [
        ("leader", direction.leader.is_some()),
        ("breakdown", own.breakdown.is_some()),
        ("attacks", matches!(own.often, AttackRepeats::Times(times) if times > 1)),
        ("inexperienced", direction.inexperienced.is_some()),
        ("range", manner.range.is_some()),
        ("assault_fire", manner.assault_fire.is_some()),
        ("leaders", !direction.leaders.is_empty()),
        ("opportunity_fire", manner.opportunity_fire),
        ("point_blank", manner.point_blank),
        ("triple_point_blank", manner.triple_point_blank),
    ];
    let given_fields = given_fields.iter().filter(|(_, given)| *given);
    let faults: Vec<Fault> =
        given_fields.map(|(field, _)| field_belongs_to_attack_fault(field)).collect();
    (!faults.is_empty()).then_some(faults)
}

fn field_belongs_to_attack_fault(field: &str) -> Fault {
    let problem =
        format!("`{field}` belongs to an attack, and all of them are in [[contest.attack]]");
    Fault::new(field, problem).with_help(format!("write `{field}` into [[contest.attack]]"))
}
