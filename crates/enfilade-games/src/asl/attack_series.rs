//! Several attacks on one Location in sequence: those that a contest lists beside its own (A7.31,
//! A7.32).

use enfilade_model::form::bounds::Bound;
use enfilade_model::form::field_macros::{fields, forms};
use enfilade_model::form::{Fault, Kind, Preset, within};

use super::attack_input::{Arms, Common, Keeping, Often, SHOTS, Said};
use super::drm::Modifiers;
use super::field_headings;
use super::fire::Cadence;
use super::firers::fields::{Breakdown, Direction, Manner, Rate, Who};

/// Number of attacks of a contest.
pub const TIMES: Bound = Bound::new("number of attacks", 1, 20);

fields! {
    /// Number of times that a further attack is made.
    pub struct Times: under(field_headings::ATTACK) {
        /// how often, each by other firers, who cower for themselves
        times: u8 = int(TIMES, 1).label("times").rare().rule("A7.31");
        /// a machine gun fires on while it keeps its rate and a target is left, at most this often;
        /// absent: one attack
        max_attacks: Option<u8> = optional(Kind::Int(SHOTS))
            .label("attacks of the gun at most").rule("A9.2");
    }

    /// Attacks beside the contest's own.
    pub struct Further: under(field_headings::ATTACK) {
        /// further attacks on the same targets, one after another, behind the one that the contest gives
        /// if it gives one; `drm` and `modifiers` of the contest count in all of them
        attack: Vec<FurtherAttack> = new(Kind::tables(FurtherAttack::FIELDS), Preset::Empty)
            .label("further attacks").rare().rule("A7.31, A7.32");
    }
}

forms! {
    /// Further attack.
    pub struct FurtherAttack {
        /// Firers.
        who: Who,
        /// Rate of fire.
        rate: Rate,
        /// Breakdown numbers.
        breakdown: Breakdown,
        /// Leaders and cowering.
        direction: Direction,
        /// Manner of fire.
        manner: Manner,
        /// Number of times.
        times: Times,
        /// Modifiers beside those of all attacks.
        modifiers: Modifiers,
    }
}

impl FurtherAttack {
    fn said(&self) -> Said {
        let keeping = |max_attacks| Often::Keeping(Keeping { max_attacks, until_clear: true });
        Said {
            who: self.who.clone(),
            direction: self.direction.clone(),
            manner: self.manner.clone(),
            breakdown: self.breakdown.breakdown,
            rof: self.rate.rof,
            often: self.times.max_attacks.map_or(Often::Times(self.times.times), keeping),
        }
    }

    fn read(&self, common: &Common<'_>) -> Result<(Arms, Cadence), Vec<Fault>> {
        let said = self.said();
        if said.rof.is_some() && self.times.max_attacks.is_none() {
            let fault = Fault::new("rof", "one attack needs no rate of fire");
            return Err(vec![fault.help("give `max_attacks`: how often the gun may fire")]);
        }
        let arms = Arms::read(common, &said, Some(&self.modifiers))?;
        if arms.is_attack && self.times.max_attacks.is_some() && self.times.times > 1 {
            let fault =
                Fault::new("times", "a gun that keeps its rate is one attack after another");
            return Err(vec![fault.help("write an [[contest.attack]] for each gun")]);
        }
        let cadence = arms.cadence(&said)?;
        Ok((arms, cadence))
    }
}

/// Reads the attacks of a contest, each with its number of times: its own and the further ones.
///
/// # Errors
/// All faults of any attack.
pub fn read(
    common: &Common<'_>,
    own: &Said,
    further: &[FurtherAttack],
) -> Result<Vec<(Arms, Cadence)>, Vec<Fault>> {
    let shoots = further.is_empty() || own.who.fp.is_some() || !own.who.firer.is_empty();
    let first = || {
        let arms = Arms::read(common, own, None)?;
        let cadence = arms.cadence(own)?;
        Ok((arms, cadence))
    };
    let first = if shoots { Some(first()) } else { idle(own).map(Err) };
    let further = further
        .iter()
        .enumerate()
        .map(|(place, attack)| attack.read(common).map_err(within(&format!("attack[{place}]"))));
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
fn idle(own: &Said) -> Option<Vec<Fault>> {
    let Said { direction, manner, .. } = own;
    let given = [
        ("leader", direction.leader.is_some()),
        ("breakdown", own.breakdown.is_some()),
        ("attacks", matches!(own.often, Often::Times(times) if times > 1)),
        ("inexperienced", direction.inexperienced.is_some()),
        ("range", manner.range.is_some()),
        ("assault_fire", manner.assault_fire.is_some()),
        ("leaders", !direction.leaders.is_empty()),
        ("opportunity_fire", manner.opportunity_fire),
        ("point_blank", manner.point_blank),
        ("triple_point_blank", manner.triple_point_blank),
    ];
    let given = given.iter().filter(|(_, given)| *given);
    let faults: Vec<Fault> = given.map(|(field, _)| astray(field)).collect();
    (!faults.is_empty()).then_some(faults)
}

fn astray(field: &str) -> Fault {
    let problem =
        format!("`{field}` belongs to an attack, and all of them are in [[contest.attack]]");
    Fault::new(field, problem).help(format!("write `{field}` into [[contest.attack]]"))
}
