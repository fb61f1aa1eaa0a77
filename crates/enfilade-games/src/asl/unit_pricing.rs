//! Prices of the weapons of this rulebook, by the names of its actions, fields and outcomes.
//!
//! An activation is a fire attack; a single machine gun makes as many as it keeps its rate for
//! (A9.2). An eliminated squad is gone, a reduced one is half gone. A broken squad fires no more
//! until it rallies. A10.6 decides that, with or without a leader, and no rule here: it is an
//! assumption, and its range is that of a roll of 2d6 at or under 4 (a broken morale of 8 under
//! desperation), 6 and 8 (without). The effect of fire on broken units is queried from the rules.
//!
//! Not modelled: pins, which last as long as the attack; leaders, guns that break down for good, a
//! second unit in the Location; the attacks of a gun that keeps its rate are at one unit.

use super::fire_contest;
use enfilade_model::catalogue;
use enfilade_model::form::bounds::RealRange;
use enfilade_model::static_or_shared::{StaticOrCounted, Text};
use enfilade_model::weapons::by_name::{
    ActionNameAndFields, MoraleFieldNames, MoraleRecovery, PricingFieldNames,
};
use enfilade_model::weapons::{AssumptionSpec, PricingRules};

/// Probability that a broken unit rallies in its own activation.
const RALLY_CHANCE_ASSUMPTION: AssumptionSpec = AssumptionSpec {
    name: Text::Static("rally"),
    about: Text::Static("the chance that a broken unit rallies in its own activation"),
    values: [0.17, 0.42, 0.72],
    bound: RealRange { name: "rally", low: 0.0, high: 1.0 },
};

/// A squad and two machine guns against squads in woods.
const STARTER_ARSENAL_TOML: &str = "\
[[weapon]]
name = \"4-6-7 squad\"
firer = { unit = \"4-6-7\", nation = \"German\" }
target = { unit = \"4-6-7\", nation = \"German\" }
[[weapon]]
name = \"LMG\"
firer = { weapon = \"LMG\", nation = \"German\" }
[[weapon]]
name = \"HMG\"
firer = { weapon = \"HMG\", nation = \"German\" }
[[weapon]]
name = \"my own\"
firer = { weapon = \"MMG\", nation = \"German\" }

[[scenario]]
name = \"squads in woods\"
range = [6, 3]
modifiers = [\"Woods\"]
max_attacks = 3
target = { troopers = 4, points_each = 100, firer = { unit = \"4-4-7\", nation = \"Russian\" }, target = { unit = \"4-4-7\", nation = \"Russian\" } }

[[scenario]]
name = \"squads in the open\"
range = [8, 4]
max_attacks = 3
target = { troopers = 4, points_each = 100, firer = { unit = \"4-4-7\", nation = \"Russian\" }, target = { unit = \"4-4-7\", nation = \"Russian\" } }

[[scenario]]
name = \"better squads in woods\"
range = [6, 3]
modifiers = [\"Woods\"]
max_attacks = 3
target = { troopers = 4, points_each = 100, firer = { unit = \"6-2-8\", nation = \"Russian\" }, target = { unit = \"6-2-8\", nation = \"Russian\" } }
";

/// Returns the pricing rules of the weapons.
pub fn build_weapon_pricing() -> Option<StaticOrCounted<dyn PricingRules>> {
    let action = |action: catalogue::RulebookAction| ActionNameAndFields {
        name: action.name,
        fields: action.fields,
    };
    let named = PricingFieldNames {
        attack: vec![
            action(fire_contest::ROF_ACTION_ENTRY),
            action(fire_contest::FIRE_ACTION_ENTRY),
        ],
        losses: vec![(Text::Static("eliminated"), 1.0), (Text::Static("reduced"), 0.5)],
        distance: Some(Text::Static("range")),
        ready: Text::Static(STARTER_ARSENAL_TOML),
        nerve: Some(MoraleFieldNames {
            loss_outcome: Text::Static("broken"),
            back: MoraleRecovery::Assumed(RALLY_CHANCE_ASSUMPTION),
            firer_shaken_field: None,
            target_shaken_field: Some(Text::Static("target.broken")),
        }),
        ..PricingFieldNames::new(
            action(fire_contest::FIRE_ACTION_ENTRY),
            &["firer"],
            &["target"],
            "eliminated",
        )
    };
    named.into_rules_if_fields_exist()
}
