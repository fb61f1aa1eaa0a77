//! `shoot`: one volley of a squad at another.
//!
//! Source: quick reference, SHOOTING, ACCURACY, DAMAGE. `volley.rs` rolls the dice and `matchup.rs`
//! gives them meaning. One volley is one weapon profile; `salvo.rs` combines several, of one unit
//! or of several squads.

use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::combat::independent_copies::{CopyEffectCounts, IndependentCopies};
use enfilade_model::combat::vocabulary_macros::{columns, measures};
use enfilade_model::combat::{
    Combat, CombatStepExplanation, ExactRatio, FieldChange, Measure, OutcomeField,
    OutcomeVocabulary,
};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::{Fault, Fields, Form};
use enfilade_model::static_or_shared::Text;

use super::profile::TargetSquad;
use super::salvo::{self, FurtherVolleyWeaponFields, VolleyWeapon, VolleyWeaponsAndTarget};
use super::shooting_fields::{
    DamageRules, EarlierLossFields, FocusMergeCountField, ReportDetailField, ShooterFields,
    ShootingRules, ShootingSituation, SquadFields, TargetBurnsField, TargetFields, WeaponFields,
};
use super::squad::DamagePointsLeftByModel;
use super::volley::{NextVolleyDie, VolleyState};

const ALL_SHOOT_FIELDS: Fields = joined![
    WeaponFields::FIELDS,
    FocusMergeCountField::FIELDS,
    ShooterFields::FIELDS,
    FurtherVolleyWeaponFields::FIELDS,
    TargetFields::FIELDS,
    SquadFields::FIELDS,
    EarlierLossFields::FIELDS,
    TargetBurnsField::FIELDS,
    ShootingSituation::FIELDS,
    ShootingRules::FIELDS,
    DamageRules::FIELDS,
    ReportDetailField::FIELDS,
];

/// Catalogue entry.
pub const SHOOT_ACTION: RulebookAction = RulebookAction::new(
    "shoot",
    "one volley: hit dice, damage dice, countermeasures, Damage Points",
    ALL_SHOOT_FIELDS,
    &build_shoot_contest,
    SAMPLE_CONTESTS_TOML,
)
.with_title_question("How often does {weapon|the weapon} destroy {target|the target}?")
.with_change_reporting_fields(&["lost", "points_left"]);

const SAMPLE_CONTESTS_TOML: &[&str] = &[
    "weapon = 'UCM/Sabre Tank/Avenger Railgun'\nsquad = 3\ntarget = 'Scourge/Hunter'",
    "shots = 6\naccuracy = 3\nenergy = 8\narmour = 11\npassive = 5\ndamage_points = 12",
    "weapon = 'PHR/Nemesis Control Scorpion/Nemesis Laser'\ntarget = 'Resistance/Gun Bus'\nhull_down = true",
    "weapon = 'UCM/Praetorian Spec Ops/SMG Close'\ndamage_lost = 2\ntarget = 'Scourge/Razorworms'\nentered_garrison = true",
    "weapon = 'Scourge/Warriors/Plasma Rifles'\nfocus_merge = 2\ntarget = 'Scourge/Hunter'\nsoft_cover = true",
    "weapon = 'UCM/Mortar Team/Mortar Round'\ntarget = 'PHR/Immortals'\nbody_cover = true\ndetail = 'hits'",
    "weapon = 'Shaltari/Ocelot Ordnance Warstrider/High Power Particle Cannon'\ntarget = 'Shaltari/Jaguar'\ncount = 2\nallocation = 'even'",
    "weapon = 'PHR/Mithra Ordnance Walker/Twin RX-1000 Battlefield Laser'\ntarget = 'Scourge/Slayer'\nout_of_coherency = true\ndisembarked = true\ndetail = 'hits'",
    "shots = 3\nenergy = 4\nclose_quarters = true\narmour = 7\ndamage_points = 2\ncount = 3\ntarget_specials = ['Dodge 5+', 'Resilient']\nallocation = 'even'",
    "shots = 2\naccuracy = 3\nenergy = 9\nspecials = ['Destroyer 6+']\ndestroyer_hits = true\nhull_down = true\nsoft_cover = true\narmour = 12\ndamage_points = 3",
    "weapon = 'UCM/Hazard Suits/Compact Railguns'\nfocus = 'best'\ntarget = 'UCM/Sabre'",
    "weapon = 'UCM/Sabre Tank/Avenger Railgun'\nsquad = 2\ntarget = 'Scourge/Hunter'\ncount = 2\ndetail = 'hits'\n\
     [[attack]]\nweapon = 'UCM/Sabre Tank/Gatling Gun'\n[[attack]]\nweapon = 'UCM/Rapier AA Tank/AA Vindicator'\nsquad = 1\nsoft_cover = true",
];

/// Number of shots from which a volley is compiled as copies of one shot: fewer shots compile in a
/// few milliseconds without.
const MIN_SHOTS_FOR_COPIES: u16 = 65;

/// Volleys of the contest.
struct OneSidedVolleyCombat(VolleyWeaponsAndTarget);

fn build_shoot_contest(form: &Form) -> Result<Contest, Vec<Fault>> {
    let mut volleys = salvo::read_volley_weapons(form)?;
    let notes = std::mem::take(&mut volleys.notes);
    Ok(Contest::from_rule(OneSidedVolleyCombat(volleys)).with_notes(notes).with_size_fields(&[
        "shots",
        "squad",
        "damage_points",
        "count",
        "detail",
    ]))
}

/// State of the volleys.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct ShootState {
    /// Index of the current weapon.
    weapon: u8,
    volley: VolleyState,
}

impl OneSidedVolleyCombat {
    fn current_volley_weapon(&self, weapon: u8) -> &VolleyWeapon {
        &self.0.fire[usize::from(weapon)]
    }

    /// Opens the volley of the next weapon while the current one is over.
    fn open_next_weapon_volley(&self, mut now: ShootState) -> ShootState {
        while now.volley.stage == NextVolleyDie::Over
            && usize::from(now.weapon) + 1 < self.0.fire.len()
        {
            now.weapon += 1;
            let VolleyWeapon { attack, shots } = self.current_volley_weapon(now.weapon);
            let before = now.volley;
            now.volley = attack.open_volley(*shots, before.squad);
            now.volley.hits += before.hits;
            now.volley.criticals += before.criticals;
        }
        now
    }
}

/// Outcome of a volley.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct ShootOutcome {
    hits: u16,
    criticals: u16,
    damage: u16,
    destroyed: u16,
    wiped: bool,
}

impl Combat for OneSidedVolleyCombat {
    type State = ShootState;
    type Outcome = ShootOutcome;

    fn initial_state(&self) -> ShootState {
        let VolleyWeapon { attack, shots } = self.current_volley_weapon(0);
        let volley = attack.open_volley(*shots, self.0.before);
        self.open_next_weapon_volley(ShootState { weapon: 0, volley })
    }

    fn play_one_step(&self, now: ShootState, dice: &mut impl Dice) -> ShootState {
        let volley = self.current_volley_weapon(now.weapon).attack.roll_next_die(now.volley, dice);
        self.open_next_weapon_volley(ShootState { volley, ..now })
    }

    fn outcome_if_over(&self, now: &ShootState) -> Option<ShootOutcome> {
        let fresh = self.0.before;
        let left = now.volley.squad;
        let (before, after) = (fresh.living_model_count(), left.living_model_count());
        (now.volley.stage == NextVolleyDie::Over).then(|| ShootOutcome {
            hits: now.volley.hits,
            criticals: now.volley.criticals,
            damage: fresh.total_points() - left.total_points(),
            destroyed: (before - after) as u16,
            wiped: after == 0,
        })
    }

    /// Shots at a single model are independent, except for overkill, which is lost. Hits that merge
    /// or are tallied are not determined by the damage they add up to.
    fn as_independent_copies(&self) -> Option<IndependentCopies<OneSidedVolleyCombat>> {
        // A second weapon meets the target as the first one leaves it, so its shots are not
        // independent copies.
        let [VolleyWeapon { attack, shots }] = &self.0.fire[..] else { return None };
        let target = &self.0.target;
        let alone = target.count == 1
            && self.0.before == target.squad_without_losses()
            && attack.merged.len() == 1;
        let many = *shots >= MIN_SHOTS_FOR_COPIES;
        (alone && many && !attack.tally).then(|| IndependentCopies {
            one: OneSidedVolleyCombat(VolleyWeaponsAndTarget {
                fire: vec![VolleyWeapon { attack: attack.clone(), shots: 1 }],
                target: target.clone(),
                before: self.0.before,
                cost: self.0.cost,
                notes: Vec::new(),
            }),
            count: (*shots).into(),
            effect: |shot| [shot.damage, 0, 0, 0],
            most: [target.points.into(), 0, 0, 0],
        })
    }

    fn outcome_of_sum(&self, &[damage, ..]: &CopyEffectCounts) -> Option<ShootOutcome> {
        let destroyed = damage == u16::from(self.0.target.points);
        Some(ShootOutcome {
            hits: 0,
            criticals: 0,
            damage,
            destroyed: destroyed.into(),
            wiped: destroyed,
        })
    }

    fn field_changes(&self, now: &ShootState) -> Vec<FieldChange> {
        squad_changes_to_carry_over(&self.0.target, now.volley.squad)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<ShootOutcome> {
        let (mut fields, mut measures) = (shoot_outcome_fields(), shoot_outcome_measures());
        if let Some(denominator) = self.0.cost {
            measures.extend(damage_per_100_points(denominator));
        }
        if self.current_volley_weapon(0).attack.tally {
            fields.splice(..0, hit_outcome_fields());
            measures.extend(hit_and_critical_measures());
        }
        OutcomeVocabulary { fields, measures }
    }

    fn explain_step(
        &self,
        from: &ShootState,
        rolls: &[RolledDie],
        to: &ShootState,
    ) -> CombatStepExplanation {
        let (rule, text) = self.current_volley_weapon(from.weapon).attack.explain_volley_step(
            &from.volley,
            rolls,
            &to.volley,
        );
        CombatStepExplanation::new(
            rule,
            match self.0.fire.len() {
                1 => text,
                _ => format!("Weapon {}. {text}", from.weapon + 1),
            },
        )
    }
}

/// Returns the changes of a squad that was shot at: the points lost, and those of each model still
/// there.
pub fn squad_changes_to_carry_over(
    target: &TargetSquad,
    squad: DamagePointsLeftByModel,
) -> Vec<FieldChange> {
    let lost_points =
        i32::from(target.squad_without_losses().total_points() - squad.total_points());
    let lost = if squad.living_model_count() == 0 { -1 } else { lost_points };
    let points = squad.surviving_model_points().map(i32::from).collect();
    vec![
        FieldChange::Is(Text::Static("lost"), lost),
        FieldChange::Numbers(Text::Static("points_left"), points),
    ]
}

fn shoot_outcome_fields() -> Vec<OutcomeField<ShootOutcome>> {
    columns! { o: ShootOutcome;
        /// Damage Points lost by the target
        damage = count(o.damage).label("Damage Points lost").unit("Damage Points").rule("DAMAGE")
            .with_harm_degree(20, "damage").adds();
        /// models destroyed
        destroyed = count(o.destroyed).label("models destroyed").unit("models").rule("DAMAGE")
            .with_harm_degree(80, "kill").adds();
    }
}

fn shoot_outcome_measures() -> Vec<Measure<ShootOutcome>> {
    measures! { o: ShootOutcome;
        /// the target loses a Damage Point
        p_damage = probability(o.damage > 0).label("damaged").adds();
        /// at least one model is destroyed
        p_kill = probability(o.destroyed > 0).label("model destroyed").with_headline_role().with_target_disabled_role().adds();
        /// every model is destroyed
        p_wipe = probability(o.wiped).label("wiped out");
        /// Damage Points lost by the target
        e_damage = mean(o.damage).label("Damage Points lost on average").unit("Damage Points").adds();
        /// models destroyed
        e_destroyed = mean(o.destroyed).label("models destroyed on average").unit("models").adds();
    }
}

/// Creates the measure of damage per cost of the shooters, which is `denominator`.
fn damage_per_100_points(denominator: u32) -> Vec<Measure<ShootOutcome>> {
    let scale = ExactRatio { numerator: 100, denominator };
    measures! { o: ShootOutcome;
        /// Damage Points lost per 100 points of shooters
        damage_per_100_points = mean(o.damage).with_exact_factor(scale)
            .label("Damage Points lost per 100 points").unit("Damage Points").with_per_points_role();
    }
}

fn hit_outcome_fields() -> Vec<OutcomeField<ShootOutcome>> {
    columns! { o: ShootOutcome;
        /// hits
        hits = count(o.hits).label("hits").unit("hits").rule("ACCURACY").adds();
        /// Criticals, before countermeasures
        criticals = count(o.criticals).label("Criticals").unit("Criticals").rule("DAMAGE").adds();
    }
}

fn hit_and_critical_measures() -> Vec<Measure<ShootOutcome>> {
    measures! { o: ShootOutcome;
        /// hits
        e_hits = mean(o.hits).label("hits on average").unit("hits").adds();
        /// Criticals
        e_criticals = mean(o.criticals).label("Criticals on average").unit("Criticals").adds();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade_model::dice::ScriptedDice;

    fn built(toml: &str) -> Contest {
        let table = toml.parse().expect("the test's TOML is well formed");
        let form = Form::from_table_with_defaults(&ALL_SHOOT_FIELDS, &table)
            .expect("its fields are right");
        build_shoot_contest(&form).unwrap_or_else(|faults| panic!("{faults:?}"))
    }

    /// The combat's outcome fields after these dice, all of which it uses.
    fn after(toml: &str, dice: &[u8]) -> Vec<i32> {
        let contest = built(toml);
        let mut dice = ScriptedDice::new(dice);
        let ending = contest.combat.play_one_trial(&mut dice, 100).expect("it ends");
        assert_eq!(dice.find_mismatch(), None);
        ending.fields[..contest.combat.outcome_fields().len()].to_vec()
    }

    #[test]
    fn a_rail_gun_needs_three_and_three_against_a_hunter() {
        // Accuracy 1+ and evasion 2: 3 hits; 3 + energy 10 reaches armour 13.
        let toml =
            "weapon = 'UCM/Sabre/Avenger Railgun'\ntarget = 'Scourge/Hunter'\ndetail = 'hits'";
        assert_eq!(after(toml, &[2]), [0, 0, 0, 0]);
        assert_eq!(after(toml, &[3, 2]), [1, 0, 0, 0]);
        assert_eq!(after(toml, &[3, 3]), [1, 0, 1, 1]);
        assert_eq!(after(toml, &[3, 5]), [1, 1, 1, 1]);
    }

    #[test]
    fn countermeasures_are_rolled_for_every_point() {
        let toml =
            "shots = 2\naccuracy = 3\nenergy = 8\narmour = 11\npassive = 5\ndamage_points = 12";
        // A Critical, of which the 5 discards one point; then a miss.
        assert_eq!(after(toml, &[4, 5, 5, 4, 1]), [1, 0]);
        // Two plain hits, one discarded.
        assert_eq!(after(toml, &[4, 3, 6, 4, 4, 1]), [1, 0]);
    }

    #[test]
    fn overkill_on_one_model_is_lost() {
        let toml = "shots = 2\naccuracy = 2\nenergy = 12\narmour = 11\ncount = 2";
        // Each Critical destroys one model of one point.
        assert_eq!(after(toml, &[2, 6, 2, 6]), [2, 2]);
        let even = format!("{toml}\nallocation = 'even'\ndamage_points = 2");
        assert_eq!(after(&even, &[2, 6, 1]), [2, 1]);
    }

    #[test]
    fn close_quarters_weapons_roll_no_hit_die_and_reroll_on_entry() {
        let toml = "weapon = 'UCM/Hazard Suits/Powered Armour'\ndamage_lost = 2\ntarget = 'Scourge/Warriors'";
        // One shot left of three (Reduced-1): energy 6 on armour 7 is a Critical on 3 and more.
        assert_eq!(after(toml, &[2]), [1, 0]);
        assert_eq!(after(&format!("{toml}\nentered_garrison = true"), &[2, 6]), [2, 0]);
    }

    const PLAIN: &str = "accuracy = 3\nenergy = 8\narmour = 11\ndamage_points = 9\n";

    #[test]
    fn only_shots_that_do_not_know_of_each_other_are_added_up() {
        let copies = |shots: u32, extra: &str| {
            let contest = built(&format!("shots = {shots}\n{PLAIN}{extra}"));
            contest.combat.as_independent_copies().map(|copies| copies.count)
        };
        assert_eq!((copies(64, ""), copies(65, "")), (None, Some(65)));
        assert_eq!(copies(33, "squad = 2"), Some(66));
        // Damage beyond the points of the first of two models is lost to the second.
        assert_eq!(copies(65, "count = 2"), None);
        assert_eq!(copies(65, "detail = 'hits'"), None);
        let focus = "specials = ['Focus-2']\nfocus_merge";
        assert_eq!(copies(65, &format!("{focus} = 2")), None);
        assert_eq!(copies(65, &format!("{focus} = 1")), Some(65));
    }

    #[test]
    fn the_target_is_gone_when_shots_add_up_to_its_points() {
        let contest = built(&format!("shots = 65\n{PLAIN}"));
        let copies = contest.combat.as_independent_copies().expect("many alike");
        // Damage and destroyed; p_damage, p_kill, p_wipe, e_damage and e_destroyed.
        for (damage, fields, weights) in
            [(8, [8, 0], [1, 0, 0, 8, 0]), (9, [9, 1], [1, 1, 1, 9, 1])]
        {
            let ending = (copies.together)(&[damage, 0, 0, 0]);
            assert_eq!((&ending.fields[..2], &ending.weights[..5]), (&fields[..], &weights[..]));
        }
    }
}
