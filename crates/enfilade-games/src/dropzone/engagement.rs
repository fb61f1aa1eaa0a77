//! `engagement`: two squads shoot at each other over several rounds.
//!
//! Source: quick reference, SHOOTING and DAMAGE, activation after activation; Reduced-X and
//! Limited-X. In every round the attackers fire first and the rest of the target returns fire, if a
//! weapon is named for that. A round is a turn: squads that enter a garrison or disembark do so in
//! the first. The best number of hits that a Focus weapon merges is computed before the first die,
//! by its first volley with all models still there (see `focus.rs`). Not modelled: movement, cover
//! that changes, morale.
//!
//! # Why this state is enough
//!
//! The possible fire of a squad depends on the points that its models have left: their number
//! determines how many fire, and Reduced-X takes shots off for the losses of each. So the state is
//! the round, the firing side, its volley at the other squad, and the multiset of its own points.
//! Finished volleys leave nothing but the losses they caused.

use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::combat::vocabulary_macros::vocabulary;
use enfilade_model::combat::{Combat, CombatStepExplanation, FieldChange};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupFromForm, fields};
use enfilade_model::form::{Fault, FieldType, Form, combine_results, fault_prefixer};
use enfilade_model::static_or_shared::Text;

use super::data_rows::WeaponRow;
use super::matchup::WeaponMatchup;
use super::profile::{TargetSquad, WeaponWithShooter};
use super::shoot::squad_changes_to_carry_over;
use super::shooting_fields::{
    DamageRules, EarlierLossFields, FocusMergeCountField, FocusMergeGivenOrBest, MODEL_COUNT_RANGE,
    PLACE_HEADING, POINTS_LEFT_TYPE, READINGS_HEADING, SHOOTERS_HEADING, ShootingRules,
    ShootingSituation, SquadFields, TARGET_HEADING, TargetFields, WeaponFields,
    unit_fields_under_heading,
};
use super::squad::DamagePointsLeftByModel;
use super::volley::{NextVolleyDie, VolleyDieFaceEffects, VolleyState};
use super::{focus_weapons, row_books};

const ROUND_COUNT_RANGE: IntRange = IntRange::new("number of rounds", 1, 20);
const EARLIER_ROUNDS_RANGE: IntRange = IntRange::new("number of rounds", 0, 200);

fields! {
    /// Fields of an engagement.
    struct EngagementFields {
        /// activations of each side
        rounds: u8 = new_whole_number(ROUND_COUNT_RANGE, 1).with_player_name("rounds").with_heading(PLACE_HEADING);
        /// rounds fought before, which count for Limited-X, for who disembarked and for who entered
        /// a garrison
        rounds_before: u16 = new_whole_number(EARLIER_ROUNDS_RANGE, 0).with_rule_reference("Limited-X").with_player_name("rounds fought before")
            .with_unit("rounds").with_heading(PLACE_HEADING).as_rarely_changed();
        /// models that shoot
        squad: usize = new_whole_number(MODEL_COUNT_RANGE, 1).with_player_name("shooters").with_unit("models").with_heading(SHOOTERS_HEADING);
        /// Damage Points left of each of the shooters that is still there; all of them when left
        /// out
        shooters_left: Option<Vec<u8>> = new_optional(POINTS_LEFT_TYPE).with_player_name("Damage Points left of each shooter")
            .with_unit("Damage Points").with_heading(SHOOTERS_HEADING).as_rarely_changed();
        /// what the shooters are when shot at; the unit that carries the weapon when left out
        shooter: Option<TargetFields> = new_optional(FieldType::Table(joined![unit_fields_under_heading(SHOOTERS_HEADING)]))
            .with_player_name("what the shooters are").with_heading(SHOOTERS_HEADING).as_rarely_changed();
        /// the weapon of the target, and the shooters' cover; no fire is returned when left out
        return_fire: Option<(WeaponFields, (ShootingSituation, FocusMergeCountField))> = new_optional(FieldType::Table(joined![WeaponFields::FIELDS, ShootingSituation::FIELDS, FocusMergeCountField::FIELDS]))
            .with_player_name("return fire").with_heading(TARGET_HEADING);
        /// rounds in which `disembarked` counts
        disembarked_rounds: u8 = new_whole_number(ROUND_COUNT_RANGE, 1).with_rule_reference("ACCURACY").marked_as_interpretation()
            .with_player_name("rounds in which disembarked counts").with_unit("rounds").with_heading(READINGS_HEADING).as_rarely_changed();
    }
}

/// Catalogue entry.
pub const ENGAGEMENT_ACTION: RulebookAction = RulebookAction::new(
    "engagement",
    "two squads shoot at each other over rounds",
    joined![
        WeaponFields::FIELDS,
        FocusMergeCountField::FIELDS,
        EngagementFields::FIELDS,
        TargetFields::FIELDS,
        SquadFields::FIELDS,
        EarlierLossFields::FIELDS,
        ShootingSituation::FIELDS,
        ShootingRules::FIELDS,
        DamageRules::FIELDS,
    ],
    &build_engagement,
    &[
        "weapon = 'UCM/Sabre Tank/Avenger Railgun'\nsquad = 2\ntarget = 'Scourge/Hunter'\ncount = 2\nrounds = 2\n\
         [return_fire]\nweapon = 'Scourge/Hunter Tank/Plasma Cannon'",
        "weapon = 'UCM/Legionnaires/Assault Rifles'\ntarget = 'Scourge/Warriors'\nrounds = 2\n\
         [return_fire]\nweapon = 'Scourge/Warriors/Plasma Rifles'\nbody_cover = true",
        "weapon = 'Resistance/Resistance Fighters/Homemade RPGs'\ntarget = 'UCM/Sabre'\nrounds = 3",
        "shots = 2\naccuracy = 3\nenergy = 8\narmour = 10\ndamage_points = 3\nrounds = 2\n\
         [shooter]\narmour = 9\ndamage_points = 2\n\
         [return_fire]\nshots = 2\naccuracy = 3\nenergy = 6\nspecials = ['Reduced-1']",
        "shots = 2\naccuracy = 0\nclose_quarters = true\nenergy = 4\narmour = 7\ndamage_points = 4\nrounds = 2\n\
         entered_garrison = true\n[shooter]\narmour = 7\ndamage_points = 4\n\
         [return_fire]\nshots = 2\naccuracy = 3\nenergy = 4\ndisembarked = true",
        "shots = 2\naccuracy = 3\nenergy = 8\nsquad = 3\nshooters_left = [2, 1]\narmour = 10\ndamage_points = 3\n\
         count = 2\nlost = 2\nrounds = 2\nrounds_before = 1\nspecials = ['Limited-2']\n\
         [shooter]\narmour = 9\ndamage_points = 2\n\
         [return_fire]\nshots = 2\naccuracy = 3\nenergy = 6\nspecials = ['Reduced-1']",
    ],
)
.with_title_question("How often does {weapon|the weapon} destroy {target|the target} in several rounds?")
.with_change_reporting_fields(&["lost", "points_left", "squad", "shooters_left", "damage_lost", "rounds_before"]);

/// Fire of one side on the other.
struct EngagementSide {
    weapon: WeaponWithShooter,
    /// Dice of its volley, by round.
    attacks: Vec<VolleyDieFaceEffects>,
    /// Points of an unhurt model of this side.
    points: u8,
    fires: bool,
}

struct EngagementCombat {
    rounds: u8,
    rounds_before: u16,
    sides: [EngagementSide; 2],
    target: TargetSquad,
    /// Both squads before the engagement.
    fresh: [DamagePointsLeftByModel; 2],
}

fn build_engagement(form: &Form) -> Result<Contest, Vec<Fault>> {
    let (own, models) = (EngagementFields::read(form), SquadFields::read(form));
    let (given, situation) = (WeaponFields::read(form), ShootingSituation::read(form));
    let (rules, damage) = (ShootingRules::read(form), DamageRules::read(form));
    let shooter = read_shooter_as_target(&own, given.weapon);
    let (answer, back) = own.return_fire.clone().unzip();
    let answer = answer.map(|given| {
        WeaponWithShooter::from_row_or_numbers(given, None).map_err(fault_prefixer("return_fire"))
    });
    let weapon = WeaponWithShooter::from_row_or_numbers(given, None);
    let target = TargetSquad::from_row_or_numbers(TargetFields::read(form));
    let ((weapon, target), (shooter, answer)) = combine_results(
        combine_results(weapon, target),
        combine_results(shooter, answer.transpose()),
    )?;
    let target = target.with_count_and_allocation(&models);
    let shooter = shooter.with_count_and_allocation(&SquadFields { count: own.squad, ..models });
    let earlier = EarlierLossFields::read(form);
    let hurt = target.with_lost_points(earlier.lost, earlier.points_left.as_deref(), "points_left");
    let shooters = shooter.with_lost_points(0, own.shooters_left.as_deref(), "shooters_left");
    let (hurt, shooters) = combine_results(hurt, shooters)?;
    let there = WeaponMatchup {
        weapon: &weapon,
        target: &target,
        situation: &situation,
        rules: &rules,
        damage: &damage,
        tally: false,
    };
    let mut notes = there.collect_weapon_notes();
    let by = FocusMergeCountField::read(form).focus;
    let mut told = Vec::new();
    let attack = build_fire_of_side(&there, &own, &shooter, by, &mut told)?;
    notes.append(&mut told);
    let answer = match (&answer, &back) {
        (Some(weapon), Some((situation, by))) => {
            let back = WeaponMatchup { weapon, target: &shooter, situation, ..there };
            notes.extend(back.collect_weapon_notes());
            build_fire_of_side(&back, &own, &target, by.focus, &mut told)
                .map_err(fault_prefixer("return_fire"))?
        }
        // A side must be there to be shot at; a side that never fires has only that flag set.
        _ => EngagementSide {
            fires: false,
            ..build_fire_of_side(&there, &own, &target, FocusMergeGivenOrBest::Given, &mut told)?
        },
    };
    notes.extend(told.into_iter().map(|note| format!("return fire: {note}")));
    Ok(Contest::from_rule(EngagementCombat {
        rounds: own.rounds,
        rounds_before: own.rounds_before,
        sides: [attack, answer],
        target,
        fresh: [shooters, hurt],
    })
    .with_notes(notes)
    .with_size_fields(&["rounds", "squad", "count", "damage_points", "shots"]))
}

/// Reads the fire of `squad` on the target of `matchup`.
fn build_fire_of_side(
    matchup: &WeaponMatchup,
    own: &EngagementFields,
    squad: &TargetSquad,
    by: FocusMergeGivenOrBest,
    notes: &mut Vec<String>,
) -> Result<EngagementSide, Vec<Fault>> {
    let fires = matchup.can_fire_any_shot();
    let each = if fires { matchup.weapon.shots_after_damage(0) } else { 0 };
    let shots = each.saturating_mul(squad.squad_without_losses().living_model_count() as u16);
    let first = situation_in_round(matchup.situation, own, own.rounds_before + 1);
    let merged = focus_weapons::hits_merged_by_focus(
        by,
        &WeaponMatchup { situation: &first, ..*matchup },
        shots,
        notes,
    )?;
    let attack = |round: u8| {
        let situation =
            situation_in_round(matchup.situation, own, own.rounds_before + u16::from(round));
        WeaponMatchup { situation: &situation, ..*matchup }.face_meanings_of_merged_hits(merged)
    };
    Ok(EngagementSide {
        weapon: matchup.weapon.clone(),
        attacks: (1..=own.rounds).map(attack).collect(),
        points: squad.points,
        fires,
    })
}

/// GARRISONS: Close Quarters damage is rolled again "on the turn they enter", no longer. ACCURACY:
/// the penalty of squads that disembarked names no turn; it lasts `disembarked_rounds`.
fn situation_in_round(
    there: &ShootingSituation,
    own: &EngagementFields,
    round: u16,
) -> ShootingSituation {
    ShootingSituation {
        entered_garrison: there.entered_garrison && round == 1,
        disembarked: there.disembarked && round <= own.disembarked_rounds.into(),
        ..there.clone()
    }
}

/// Reads one of the shooters as a target: described, or the unit that carries their weapon, or one
/// point of armour 1 that is never shot at.
fn read_shooter_as_target(
    own: &EngagementFields,
    weapon: Option<&WeaponRow>,
) -> Result<TargetSquad, Vec<Fault>> {
    let carrier = weapon.and_then(|row| row_books::unit_rows().get(row.carrier_key()));
    match (&own.shooter, carrier, &own.return_fire) {
        (Some(given), ..) => {
            TargetSquad::from_row_or_numbers(given.clone()).map_err(fault_prefixer("shooter"))
        }
        (None, Some(unit), _) => Ok(TargetSquad::from(unit)),
        (None, None, None) => Ok(TargetSquad::placeholder_not_shot_at()),
        (None, None, Some(_)) => {
            let fault =
                Fault::new("shooter", "`shooter` is missing, the unit that is shot at in return");
            Err(vec![fault.with_help("give its `target` or its `armour`, or name a `weapon`")])
        }
    }
}

/// State of an engagement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct EngagementState {
    /// Rounds begun.
    round: u8,
    /// Firing side: 0 the attackers, 1 the target.
    side: u8,
    /// Volley of the firing side at the other squad; over before the first die.
    volley: VolleyState,
    /// Squad of the firing side.
    firing_squad: DamagePointsLeftByModel,
}

/// Both squads at the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct EngagementOutcome {
    round: u8,
    survivors: u8,
    damage: u16,
    destroyed: u8,
    shooters: u8,
    shooter_damage: u16,
    shooters_destroyed: u8,
}

impl EngagementSide {
    /// Returns the dice of the side's volley in a round, counted from 1.
    fn face_meanings_in_round(&self, round: u8) -> &VolleyDieFaceEffects {
        &self.attacks[usize::from(round) - 1]
    }
}

impl EngagementCombat {
    /// Reduced-X, Limited-X: the number of models that still fire, and their shots.
    ///
    /// Creates the volley of `side` in `round`, by the models it has left.
    fn build_round_volley(
        &self,
        side: usize,
        round: u8,
        own: DamagePointsLeftByModel,
        other: DamagePointsLeftByModel,
    ) -> VolleyState {
        let fire = &self.sides[side];
        // Limited-X counts the rounds of earlier engagements, too.
        let nth = self.rounds_before + u16::from(round);
        let ready = fire.weapon.specials.limited.is_none_or(|limit| nth <= limit);
        let lost = own.surviving_model_points().map(|left| u16::from(fire.points - left));
        let shots = lost.map(|lost| fire.weapon.shots_after_damage(lost));
        let shots = shots.fold(0, u16::saturating_add);
        let shots = if fire.fires && ready { shots } else { 0 };
        fire.face_meanings_in_round(round).open_volley(shots, other)
    }

    /// Passes volleys without a die until there is one to roll or the rounds are over.
    fn advance_to_next_die(&self, mut now: EngagementState) -> EngagementState {
        while now.volley.stage == NextVolleyDie::Over && !self.is_engagement_over(&now) {
            let other = now.volley.squad;
            let round = now.round + now.side;
            let side = 1 - now.side;
            now = EngagementState {
                round,
                side,
                volley: self.build_round_volley(usize::from(side), round, other, now.firing_squad),
                firing_squad: other,
            };
        }
        now
    }

    fn is_engagement_over(&self, now: &EngagementState) -> bool {
        let wiped = now.firing_squad.living_model_count() == 0
            || now.volley.squad.living_model_count() == 0;
        now.volley.stage == NextVolleyDie::Over
            && (wiped || (now.round == self.rounds && now.side == 1))
    }

    /// Returns attackers and target, in this order.
    fn squads_with_attackers_first(&self, now: &EngagementState) -> [DamagePointsLeftByModel; 2] {
        match now.side {
            0 => [now.firing_squad, now.volley.squad],
            _ => [now.volley.squad, now.firing_squad],
        }
    }
}

impl Combat for EngagementCombat {
    type State = EngagementState;
    type Outcome = EngagementOutcome;

    fn initial_state(&self) -> EngagementState {
        let [own, other] = self.fresh;
        self.advance_to_next_die(EngagementState {
            round: 1,
            side: 0,
            volley: self.build_round_volley(0, 1, own, other),
            firing_squad: own,
        })
    }

    fn play_one_step(&self, mut now: EngagementState, dice: &mut impl Dice) -> EngagementState {
        let attack = self.sides[usize::from(now.side)].face_meanings_in_round(now.round);
        now.volley = attack.roll_next_die(now.volley, dice);
        self.advance_to_next_die(now)
    }

    fn outcome_if_over(&self, now: &EngagementState) -> Option<EngagementOutcome> {
        if !self.is_engagement_over(now) {
            return None;
        }
        let [shooters, target] = self.squads_with_attackers_first(now);
        let [all_shooters, all_targets] = self.fresh;
        let wiped = shooters.living_model_count() == 0 || target.living_model_count() == 0;
        Some(EngagementOutcome {
            // 0 means that neither side was destroyed.
            round: if wiped { now.round } else { 0 },
            survivors: target.living_model_count() as u8,
            damage: all_targets.total_points() - target.total_points(),
            destroyed: (all_targets.living_model_count() - target.living_model_count()) as u8,
            shooters: shooters.living_model_count() as u8,
            shooter_damage: all_shooters.total_points() - shooters.total_points(),
            shooters_destroyed: (all_shooters.living_model_count() - shooters.living_model_count())
                as u8,
        })
    }

    /// Returns both squads, and the number of rounds fought. The loss of each shooter is one number
    /// only where all have lost equally.
    fn field_changes(&self, now: &EngagementState) -> Vec<FieldChange> {
        let [shooters, target] = self.squads_with_attackers_first(now);
        let mut left = squad_changes_to_carry_over(&self.target, target);
        let points = self.sides[0].points;
        let mut lost: Vec<u8> =
            shooters.surviving_model_points().map(|left| points - left).collect();
        let counted = if lost.is_empty() { -1 } else { lost.len() as i32 };
        left.push(FieldChange::Is(Text::Static("squad"), counted));
        let points = shooters.surviving_model_points().map(i32::from).collect();
        left.push(FieldChange::Numbers(Text::Static("shooters_left"), points));
        lost.dedup();
        let each = Text::Static("damage_lost");
        match lost[..] {
            [lost] => left.push(FieldChange::Is(each, lost.into())),
            // For shooters without Reduced-X it makes no difference.
            _ if self.sides[0].weapon.specials.reduced == 0 => {}
            _ => left.push(FieldChange::Untold(each)),
        }
        let rounds = i32::from(self.rounds_before) + i32::from(self.rounds);
        left.push(FieldChange::Is(Text::Static("rounds_before"), rounds));
        left
    }

    vocabulary! { o: EngagementOutcome;
        columns {
            /// models of the target left
            survivors = count(o.survivors).label("target models left").unit("models")
                .rule("DAMAGE");
            /// Damage Points lost by the target
            damage = count(o.damage).label("Damage Points lost").unit("Damage Points")
                .rule("DAMAGE")
                .with_harm_degree(20, "damage").adds();
            /// models of the target destroyed
            destroyed = count(o.destroyed).label("models destroyed").unit("models").rule("DAMAGE")
                .with_harm_degree(80, "kill").adds();
            /// shooters left
            shooters = count(o.shooters).label("shooters left").unit("models").rule("DAMAGE");
            /// Damage Points lost by the shooters
            shooter_damage = count(o.shooter_damage).label("Damage Points lost by the shooters")
                .unit("Damage Points").rule("DAMAGE").adds();
            /// shooters destroyed
            shooters_destroyed = count(o.shooters_destroyed).label("shooters destroyed")
                .unit("models")
                .rule("DAMAGE").adds();
            /// the round in which a side was wiped out; 0: none
            round = count(o.round).label("round of the wipe-out");
        }
        measures {
            /// at least one model of the target is destroyed
            p_kill = probability(o.destroyed > 0).label("target model destroyed").with_headline_role()
                .with_target_disabled_role().adds();
            /// the target is wiped out
            p_wipe = probability(o.survivors == 0).label("target wiped out");
            /// the shooters are wiped out
            p_shooters_wiped = probability(o.shooters == 0).label("shooters wiped out");
            /// models of the target left
            e_survivors = mean(o.survivors).label("target models left on average").unit("models");
            /// Damage Points lost by the target
            e_damage = mean(o.damage).label("Damage Points lost on average").unit("Damage Points").adds();
            /// models of the target destroyed
            e_destroyed = mean(o.destroyed).label("models destroyed on average").unit("models").adds();
            /// shooters left
            e_shooters = mean(o.shooters).label("shooters left on average").unit("models");
            /// Damage Points lost by the shooters
            e_shooter_damage = mean(o.shooter_damage)
                .label("Damage Points lost by the shooters on average").unit("Damage Points").adds();
        }
    }

    fn explain_step(
        &self,
        from: &EngagementState,
        rolls: &[RolledDie],
        to: &EngagementState,
    ) -> CombatStepExplanation {
        let mut after = to.volley;
        if from.side != to.side {
            after.squad = to.firing_squad;
        }
        let fire = &self.sides[usize::from(from.side)];
        let (rule, text) = fire.face_meanings_in_round(from.round).explain_volley_step(
            &from.volley,
            rolls,
            &after,
        );
        let who = ["attackers fire", "target fires"][usize::from(from.side)];
        CombatStepExplanation::new(rule, format!("Round {}, the {who}. {text}", from.round))
    }
}
