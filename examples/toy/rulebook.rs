//! A rulebook of its own, small enough to check by hand: the whole of what a game needs to be
//! played, drawn, printed and explained.
//!
//! `shoot` rolls one die and hits on `needed` or more; it has a field of every kind. `volley` fires
//! several dice at models, one after another, and asks the nerve of those who are left. Weapons of
//! this game are priced because it says which of its names mean what. Nothing outside this file
//! knows any of it.

use std::sync::LazyLock;

use enfilade::catalogue::{Contest, PrintedDataTable, RulebookAction, System};
use enfilade::combat::{
    Combat, CombatStepExplanation, ExactRatio, Measure, MeasureKind, OutcomeField,
    OutcomeVocabulary,
};
use enfilade::dice::{Dice, RolledDie};
use enfilade::form::bounds::IntRange;
use enfilade::form::name_matching::NameList;
use enfilade::form::{DefaultValue, Fault, Field, FieldType, Fields, Form, Value, Words};
use enfilade::static_or_shared::StaticOrCounted;
use enfilade::weapons::by_name::{self, PricingFieldNames};

const NEEDED: IntRange = IntRange::new("number needed", 1, 20);
const POWER: IntRange = IntRange::new("firepower", 0, 100);
const MODIFIER: IntRange = IntRange::new("modifier", -5, 5);

const UNITS: [&str; 3] = ["4-4-7", "4-6-7", "8-3-8"];

fn units() -> &'static NameList {
    static LIST: LazyLock<NameList> =
        LazyLock::new(|| NameList::from_names_without_numbers(UNITS.map(String::from).to_vec()));
    &LIST
}

fn terrain() -> &'static NameList {
    static LIST: LazyLock<NameList> = LazyLock::new(|| {
        NameList::from_names_with_numbers(vec![("Woods".into(), 1), ("St. Wall".into(), 3)])
    });
    &LIST
}

const UNIT: &[Field] = &[
    Field::new_optional("unit", FieldType::name_from_list(units), "a printed unit"),
    Field::new_whole_number("morale", NEEDED, 7, "its morale"),
];

const FIELDS: &[Field] = &[
    Field::new_required("needed", FieldType::Int(NEEDED), "the face that hits")
        .with_rule_reference("T1")
        .with_player_name("to hit")
        .with_heading("the shot"),
    Field::new("fp", FieldType::Fraction(POWER), DefaultValue::Fraction(64), "firepower"),
    Field::new("die", FieldType::die_with_sides(&[6, 8, 20]), DefaultValue::Die(6), "the die"),
    Field::new_choice("stance", &["standing", "prone"], "how it stands").marked_as_interpretation(),
    Field::new_switch_with_default("cowers", true, "whether it cowers"),
    Field::new(
        "weapons",
        FieldType::list_of(const { &FieldType::die_with_sides(&[4, 6]) }),
        DefaultValue::Empty,
        "more dice",
    ),
    Field::new(
        "modifiers",
        FieldType::numbered_names(terrain, MODIFIER),
        DefaultValue::Empty,
        "modifiers",
    ),
    Field::new(
        "leader",
        FieldType::Table(Fields::Static(&[UNIT])),
        DefaultValue::Absent,
        "who leads",
    ),
    Field::new(
        "target",
        FieldType::tables(Fields::Static(&[UNIT])),
        DefaultValue::Empty,
        "the targets",
    ),
    Field::new_optional("note", FieldType::Text, "free text"),
];

/// Rolls one die.
struct Shot {
    needed: u8,
    sides: u8,
}

impl Combat for Shot {
    type State = Option<bool>;
    type Outcome = bool;

    fn initial_state(&self) -> Option<bool> {
        None
    }

    fn play_one_step(&self, _: Option<bool>, dice: &mut impl Dice) -> Option<bool> {
        Some(dice.die(self.sides) >= self.needed)
    }

    fn outcome_if_over(&self, state: &Option<bool>) -> Option<bool> {
        *state
    }

    fn vocabulary(&self) -> OutcomeVocabulary<bool> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("hit", "whether it hit", |&hit| hit.into())],
            measures: vec![Measure::probability("p_hit", "it hits", |&hit| hit).label("a hit")],
        }
    }

    fn explain_step(
        &self,
        _: &Option<bool>,
        rolls: &[RolledDie],
        to: &Option<bool>,
    ) -> CombatStepExplanation {
        let result = if *to == Some(true) { "a hit" } else { "a miss" };
        CombatStepExplanation::new("T1", format!("the die shows {}: {result}", rolls[0].face))
    }
}

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let narrow = |n: i64| u8::try_from(n).expect("within its bound");
    let shot = Shot { needed: narrow(form.int("needed")), sides: form.die("die") };
    if shot.needed > shot.sides {
        let problem = format!("a d{} never shows {}", shot.sides, shot.needed);
        return Err(vec![Fault::new("needed", problem)]);
    }
    let named = |unit: &Form| unit.get("unit") == Some(&Value::Text("8-3-8".into()));
    let faults = form.tables_of_field("target").iter().enumerate().filter(|(_, unit)| named(unit));
    let faults: Vec<_> = faults
        .map(|(i, _)| Fault::new(format!("target[{i}].unit"), "engineers are never targets"))
        .collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(Contest::from_rule(shot).with_size_fields(&["needed"]))
}

fn data_tables() -> Vec<PrintedDataTable> {
    vec![PrintedDataTable {
        name: "units".into(),
        columns: vec!["unit".into()],
        rows: UNITS.iter().map(|unit| vec![unit.to_string()]).collect(),
    }]
}

const SHOTS: IntRange = IntRange::new("number of shots", 1, 12);
const MODELS: IntRange = IntRange::new("number of models", 1, 8);
const NERVE: IntRange = IntRange::new("nerve", 2, 12);
const FACE: IntRange = IntRange::new("face of a d6", 2, 6);
const POINTS: IntRange = IntRange::new("number of points", 1, 500);

const VOLLEY_FIELDS: &[Field] = &[
    Field::new_whole_number("shots", SHOTS, 3, "dice that are thrown, one after another")
        .with_player_name("shots")
        .with_unit("dice")
        .with_heading("the shooters")
        .with_rule_reference("V1"),
    Field::new_whole_number("needed", FACE, 4, "the face of a d6 that takes a model away")
        .with_player_name("to hit")
        .with_heading("the shooters")
        .with_rule_reference("V1"),
    Field::new_optional("points", FieldType::Int(POINTS), "what the shooters cost")
        .with_player_name("cost")
        .with_unit("points")
        .with_heading("the shooters")
        .as_rarely_changed(),
    Field::new_whole_number("models", MODELS, 2, "models that are shot at")
        .with_player_name("models")
        .with_unit("models")
        .with_heading("the target"),
    Field::new_whole_number("nerve", NERVE, 8, "what 2d6 and the losses may come to")
        .with_player_name("nerve")
        .with_heading("the target")
        .with_rule_reference("V3"),
    Field::new_switch_with_default("in_cover", false, "each die counts one less")
        .with_player_name("cover")
        .with_value_labels(&["in the open", "in cover"])
        .with_heading("the target")
        .with_rule_reference("V2"),
];

/// Several dice at some models, then a test of nerve.
struct Volley {
    shots: u8,
    needed: u8,
    models: u8,
    nerve: u8,
    points: Option<u32>,
}

/// What became of the target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Target {
    fired: u8,
    lost: u8,
    /// Whether it broke, once it was asked.
    broken: Option<bool>,
}

impl Volley {
    fn is_over(&self, target: &Target) -> bool {
        let fired = target.fired == self.shots || target.lost == self.models;
        let asked = target.lost == 0 || target.lost == self.models || target.broken.is_some();
        fired && asked
    }

    fn is_firing(&self, target: &Target) -> bool {
        target.fired < self.shots && target.lost < self.models
    }
}

impl Combat for Volley {
    type State = Target;
    type Outcome = Target;

    fn initial_state(&self) -> Target {
        Target { fired: 0, lost: 0, broken: None }
    }

    /// V1: every die that shows the number needed takes a model away. V3: who has lost some, and
    /// not all, breaks when 2d6 and the losses come to more than its nerve.
    fn play_one_step(&self, mut target: Target, dice: &mut impl Dice) -> Target {
        if self.is_firing(&target) {
            target.fired += 1;
            target.lost += u8::from(dice.die(6) >= self.needed);
            return target;
        }
        target.broken = Some(dice.die(6) + dice.die(6) + target.lost > self.nerve);
        target
    }

    fn outcome_if_over(&self, target: &Target) -> Option<Target> {
        // How many dice were thrown is no part of the outcome.
        let counted = Target { fired: 0, ..*target };
        self.is_over(target).then_some(counted)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<Target> {
        let lost = |o: &Target| o.lost.into();
        let mut measures = vec![
            Measure::probability("p_break", "those who are left break", |o: &Target| {
                o.broken == Some(true)
            })
            .label("breaks")
            .rule("V3")
            .with_headline_role(),
            Measure::mean("e_lost", "mean number of models lost", lost)
                .label("models lost on average")
                .unit("models"),
            Measure::deviation("sd_lost", "standard deviation of the models lost", lost)
                .label("spread of the losses")
                .unit("models"),
            Measure::new_quantile(
                "q90_lost",
                "losses that nine volleys of ten do not exceed",
                NINE_TENTHS,
                lost,
            )
            .label("losses in all but one of ten volleys")
            .unit("models"),
        ];
        for least in 1..=self.models {
            let at_least = move |o: &Target| (o.lost >= least).into();
            let (name, about) =
                (format!("p_lose_{least}"), format!("{least} models or more are lost"));
            let measure = Measure::with_closure(name, about, MeasureKind::Event, at_least);
            let measure = measure.label(format!("{least} or more lost"));
            measures.push(match least == self.models {
                true => measure.with_target_disabled_role(),
                false => measure,
            });
        }
        if let Some(points) = self.points {
            let scale = ExactRatio { numerator: 100, denominator: points };
            let about = "mean number of models lost to 100 points of shooters";
            let measure =
                Measure::mean("lost_per_100_points", about, lost).with_exact_factor(scale);
            measures.push(measure.label("models lost to 100 points").with_per_points_role());
        }
        OutcomeVocabulary {
            fields: vec![
                OutcomeField::new("broken", "whether those who are left break", |o: &Target| {
                    (o.broken == Some(true)).into()
                })
                .label("broken")
                .rule("V3")
                .with_harm_degree(80, "break"),
                OutcomeField::new("lost", "models lost", lost)
                    .label("models lost")
                    .unit("models")
                    .rule("V1")
                    .with_harm_degree(50, "lose models"),
            ],
            measures,
        }
    }

    fn explain_step(
        &self,
        from: &Target,
        rolls: &[RolledDie],
        to: &Target,
    ) -> CombatStepExplanation {
        if self.is_firing(from) {
            let result = if to.lost > from.lost { "a model is lost" } else { "no effect" };
            let (face, needed) = (rolls[0].face, self.needed);
            return CombatStepExplanation::new("V1", format!("{face} against {needed}: {result}"));
        }
        let faces: u8 = rolls.iter().map(|roll| roll.face).sum();
        let result = if to.broken == Some(true) { "they break" } else { "they stand" };
        let (lost, nerve) = (to.lost, self.nerve);
        CombatStepExplanation::new(
            "V3",
            format!("{faces} and {lost} lost against {nerve}: {result}"),
        )
    }
}

const NINE_TENTHS: ExactRatio = ExactRatio { numerator: 9, denominator: 10 };

fn build_volley(form: &Form) -> Result<Contest, Vec<Fault>> {
    let narrow = |name| u8::try_from(form.int(name)).expect("within its bound");
    let cover = u8::from(form.flag("in_cover"));
    Ok(Contest::from_rule(Volley {
        shots: narrow("shots"),
        needed: narrow("needed") + cover,
        models: narrow("models"),
        nerve: narrow("nerve"),
        points: form.maybe_int("points").and_then(|points| u32::try_from(points).ok()),
    })
    .with_size_fields(&["shots", "models"]))
}

/// What is one attack, and by what and at whom: `enfilade balance` needs no more.
fn pricing() -> PricingFieldNames {
    let volley = by_name::ActionNameAndFields {
        name: "volley".into(),
        fields: Fields::Static(&[VOLLEY_FIELDS]),
    };
    PricingFieldNames {
        of: Some("models".into()),
        ..PricingFieldNames::new(volley, &["shots", "needed"], &["in_cover"], "lost")
    }
}

/// The rulebook.
pub fn toy() -> System {
    let shoot = RulebookAction::new(
        "shoot",
        "one shot",
        Fields::Static(&[FIELDS]),
        &build,
        &["needed = 4"],
    );
    let volley = RulebookAction::new(
        "volley",
        "several dice at some models, and the nerve of those who are left",
        Fields::Static(&[VOLLEY_FIELDS]),
        &build_volley,
        &["shots = 3", "shots = 2\nmodels = 3\npoints = 50\nin_cover = true"],
    );
    System {
        source: "this file".into(),
        dice: "1d6, 2d6".into(),
        direction: "1d6, high is good".into(),
        off_table: "A 7 cannot be rolled.".into(),
        data_date: "2026-11-21".into(),
        data_tables: StaticOrCounted::Static(&data_tables),
        readings: Words::Static(&["a die is fair"]),
        not_modelled: Words::Static(&["wind"]),
        pricing: pricing().into_rules_if_fields_exist(),
        ..System::new(
            "toy",
            "One die",
            [
                shoot.with_title_question("How often does {leader.unit|one shot} hit?"),
                volley
                    .with_title_question(
                        "How often do {shots|some} shots break {models|some} models?",
                    )
                    .with_dice_and_direction("1d6 to hit, high is good; 2d6 for nerve, low is good")
                    .with_off_table("In cover a 6 still may not hit: 7 cannot be rolled (V2)."),
            ],
        )
    }
}
