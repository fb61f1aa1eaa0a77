//! What an attack leaves behind: counts over all targets, and the measures made from them.
//!
//! A unit counts for what the attack did to it: one that was broken before and stays broken is not
//! counted as broken. A unit broken and reduced counts as both; an eliminated one only as that.

use crate::combat::{Measure, OutcomeField, Vocabulary};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Units eliminated.
    Eliminated,
    /// Squads that lost a half-squad and live on.
    Reduced,
    /// Units broken.
    Broken,
    /// Unbroken units pinned.
    Pinned,
    /// Single men wounded.
    Wounded,
    /// Vehicles burning.
    Wrecked,
    /// Vehicles eliminated without burning.
    Destroyed,
    /// Vehicles immobilised.
    Immobilised,
    /// Machine guns that broke down.
    Malfunction,
    /// Morale checks that set off heat of battle.
    HeatOfBattle,
    /// Units replaced by lower quality.
    Replaced,
    /// Attacks made.
    Attacks,
}

const COUNTS: usize = 12;

/// The counts so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tally([u8; COUNTS]);

impl Tally {
    /// One more.
    pub fn add(&mut self, what: Count) {
        self.add_many(what, 1);
    }

    /// This many more.
    pub fn add_many(&mut self, what: Count, n: u8) {
        self.0[what as usize] = self.0[what as usize].saturating_add(n);
    }

    /// How many.
    pub fn of(&self, what: Count) -> i32 {
        self.0[what as usize].into()
    }

    fn harmed(&self) -> bool {
        self.0[..=Count::Immobilised as usize].iter().any(|n| *n > 0)
    }

    fn killed(&self) -> bool {
        self.of(Count::Eliminated) + self.of(Count::Reduced) > 0
    }
}

/// Which of the fields that are not always there an action reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// `heat_of_battle` and its measure.
    pub heat_of_battle: bool,
    /// `replaced`.
    pub replaced: bool,
    /// `attacks` and its mean.
    pub attacks: bool,
}

type Field = OutcomeField<Tally>;
type Measured = Measure<Tally>;

macro_rules! field {
    ($name:literal, $about:literal, $count:ident) => {
        Field::new($name, $about, |tally| tally.of(Count::$count))
    };
}

/// The fields and measures of an action.
pub fn vocabulary(extras: Extras) -> Vocabulary<Tally> {
    let mut fields = Vec::from(on_personnel());
    fields.extend(on_vehicles());
    fields.push(malfunction());
    let mut measures = measures();
    if extras.heat_of_battle {
        fields.push(heat_of_battle());
        let about = "a morale check sets off heat of battle";
        let chance =
            Measured::probability("p_heat_of_battle", about, |t| t.of(Count::HeatOfBattle) > 0);
        measures.push(chance.label("heat of battle").rule("A15.1"));
    }
    if extras.replaced {
        fields.push(replaced());
    }
    if extras.attacks {
        fields.push(attacks());
        let about = "mean number of attacks made";
        let mean = Measured::mean("e_attacks", about, |t| t.of(Count::Attacks));
        measures.push(mean.label("attacks made on average").unit("attacks").rule("A9.2"));
    }
    Vocabulary { fields, measures }
}

fn on_personnel() -> [Field; 5] {
    [
        field!("eliminated", "units eliminated", Eliminated)
            .label("units eliminated")
            .unit("units")
            .rule("A7.301")
            .harm(80, "kill"),
        field!("reduced", "squads that lost half and live on", Reduced)
            .label("squads reduced")
            .unit("squads")
            .rule("A7.302")
            .harm(80, "kill"),
        field!("broken", "units broken by the attack", Broken)
            .label("units broken")
            .unit("units")
            .rule("A7.301, A10.3")
            .harm(50, "break"),
        field!("pinned", "unbroken units pinned", Pinned)
            .label("units pinned")
            .unit("units")
            .rule("A7.8")
            .harm(40, "pin"),
        field!("wounded", "leaders and heroes wounded", Wounded)
            .label("leaders and heroes wounded")
            .unit("men")
            .rule("A17.11")
            .harm(60, "wound"),
    ]
}

fn on_vehicles() -> [Field; 3] {
    [
        field!("wrecked", "vehicles burning", Wrecked)
            .label("vehicles burning")
            .unit("vehicles")
            .rule("A7.308")
            .harm(80, "kill"),
        field!("destroyed", "vehicles eliminated, not burning", Destroyed)
            .label("vehicles eliminated")
            .unit("vehicles")
            .rule("A7.308")
            .harm(80, "kill"),
        field!("immobilised", "vehicles immobilised", Immobilised)
            .label("vehicles immobilised")
            .unit("vehicles")
            .rule("A7.308")
            .harm(70, "immobile"),
    ]
}

fn malfunction() -> Field {
    field!("malfunction", "machine guns that broke down", Malfunction)
        .label("machine guns broken down")
        .unit("machine guns")
        .rule("A9.7")
}

fn heat_of_battle() -> Field {
    field!("heat_of_battle", "morale checks that set off heat of battle", HeatOfBattle)
        .label("heat of battle set off")
        .unit("times")
        .rule("A15.1")
}

fn replaced() -> Field {
    field!("replaced", "units replaced by lower quality", Replaced)
        .label("units replaced")
        .unit("units")
        .rule("A19.1")
}

fn attacks() -> Field {
    field!("attacks", "attacks made", Attacks).label("attacks made").unit("attacks").rule("A9.2")
}

fn measures() -> Vec<Measured> {
    let vehicle =
        Measured::probability("p_vehicle_kill", "a vehicle burns or is eliminated", |t| {
            t.of(Count::Wrecked) + t.of(Count::Destroyed) > 0
        });
    chances()
        .into_iter()
        .chain(means())
        .chain([vehicle.label("any vehicle killed").rule("A7.308")])
        .collect()
}

fn chances() -> [Measured; 5] {
    [
        Measured::probability("p_kill", "a unit is eliminated or reduced", Tally::killed)
            .label("killed")
            .rule("A7.301, A7.302")
            .finishing(),
        Measured::probability("p_break", "a unit breaks", |t| t.of(Count::Broken) > 0)
            .label("any break")
            .rule("A7.301, A10.3"),
        Measured::probability("p_pin", "a unit is pinned", |t| t.of(Count::Pinned) > 0)
            .label("any pin")
            .rule("A7.8"),
        Measured::probability("p_effect", "anything happens to a target", Tally::harmed)
            .label("any effect")
            .headline(),
        Measured::probability("p_no_effect", "nothing happens to the targets", |t| !t.harmed())
            .label("no effect"),
    ]
}

fn means() -> [Measured; 3] {
    [
        Measured::mean("e_eliminated", "mean number of units eliminated", |t| {
            t.of(Count::Eliminated)
        })
        .label("units eliminated on average")
        .unit("units")
        .rule("A7.301"),
        Measured::mean("e_broken", "mean number of units broken", |t| t.of(Count::Broken))
            .label("units broken on average")
            .unit("units")
            .rule("A7.301, A10.3"),
        Measured::mean("e_pinned", "mean number of units pinned", |t| t.of(Count::Pinned))
            .label("units pinned on average")
            .unit("units")
            .rule("A7.8"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malfunction_is_no_effect_on_the_target() {
        let mut tally = Tally::default();
        tally.add(Count::Malfunction);
        assert!(!tally.harmed());
        tally.add(Count::Reduced);
        assert!(tally.harmed() && tally.killed());
    }
}
