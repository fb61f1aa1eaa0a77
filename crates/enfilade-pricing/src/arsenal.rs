//! An arsenal file: weapons with their prices, the scenarios that they may meet, and assumptions.
//!
//! An arsenal is read as an experiment is: the whole file is checked, every fault is reported at
//! once with its place, and a weapon that cannot be set up for battle is found here, not in the
//! middle of the work. [`run_battles`](super::battle_runs::run_battles) solves the contests of the
//! weapons.

mod arsenal_keys;
mod assumptions;
pub(crate) mod points;

use std::cell::RefCell;
use std::sync::Arc;

use toml::{Table, Value as Toml};

pub(crate) use arsenal_keys::OPPONENTS_KEY;
pub use arsenal_keys::{
    ARSENAL_FIELDS, LIST_BUDGET_KEY, PRICE_STEP_RANGE, TOLERANCE_RANGE, TRIAL_PRICES_KEY,
    WORTH_SCALE_KEY, rulebook_weapon_fields,
};
use arsenal_keys::{BOUND_KEY, FORM_KEYS};

use super::battle_settings::BattleSettings;
use super::contest_cache::{ContestCache, DistributionSourceWithNotes, TrialsAndNotes};
use super::evidence::{AssumptionCase, PriceAssumption, ScenarioForStatistics};
use super::price::PricingSettings;
use super::price::verdict::DEFAULT_PRICE_TOLERANCE;
use super::rule_changes::RuleChanges;
use super::scenario::{self, Scenario, relocate_setup_fault};
use enfilade_engine::graph::CompiledContestLimits;
use enfilade_model::catalogue::System;
use enfilade_model::error::FaultWithByteSpan;
use enfilade_model::form::bounds;
use enfilade_model::form::name_matching::{find_nearest_name, name_matching_key};
use enfilade_model::form::sanitize::shorten_and_make_safe;
use enfilade_model::form::{Fault, Form};
use enfilade_model::static_or_shared::{StaticOrCounted, Text, opaque};
use enfilade_model::weapons::{
    AssumptionValues, BattleSetup, DISTANCE_ASSUMPTION_NAME, FaultResult, PRICE_RANGE,
    PricingRules, PricingScenario, WeaponTraitsOutsideBattle, WeaponWithoutItsPrice,
};
use enfilade_study::file::experiment_file::CHANGES_KEY;
use enfilade_study::file::file_reader::{TomlReaderWithFaults, name_without_ending};
use enfilade_study::file::rulebook_loader::{self, RULEBOOKS_KEY};
use enfilade_study::file::source_document::TomlDocumentWithPositions;

/// A weapon of an arsenal.
#[derive(Clone, Debug, PartialEq)]
pub struct ArsenalWeapon {
    /// Its name.
    pub name: String,
    /// Its current price in points, above 0; `None` for a candidate, whose price is the question.
    pub price: Option<f64>,
    /// Traits that its rulebook reads from the form.
    pub nature: WeaponTraitsOutsideBattle,
    /// Every field that the file sets, defaults included.
    pub form: Form,
}

impl ArsenalWeapon {
    /// Converts the weapon into the view of its rulebook.
    pub fn as_weapon_entry(&self) -> WeaponWithoutItsPrice<'_> {
        WeaponWithoutItsPrice { name: &self.name, form: &self.form }
    }
}

/// A checked arsenal.
///
/// ```
/// use enfilade_games::built_in_catalogue;
/// use enfilade_pricing::arsenal::Arsenal;
/// let file = "system = 'skirmishers'\n[[weapon]]\nname = 'LMG'\n[[scenario]]\nname = 'open'\n\
///     range = [90, 60, 30]\nmoves = 5\ntarget = { troopers = 6 }\n";
/// let arsenal = Arsenal::read_arsenal_text(&built_in_catalogue(), "mine.toml", file)?;
/// assert_eq!(arsenal.weapons[0].name, "LMG");
/// # Ok::<(), enfilade_pricing::error::PricingError>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Arsenal {
    /// Its name; that of the file if it has none.
    pub name: String,
    /// The question it answers.
    pub question: Option<String>,
    /// Expectation of its author before the first run.
    pub prediction: Option<String>,
    /// Its rulebook.
    pub system: Arc<System>,
    /// Rules for the weapons of its rulebook.
    pub rules: StaticOrCounted<dyn PricingRules>,
    /// Tolerance, step and scale of its prices.
    pub settings: PricingSettings,
    /// Whether every unit is the opponent of the others.
    pub all_meet: bool,
    /// Points of the lists that are fought, if the file sets them.
    pub lists: Option<f64>,
    /// Whether prices are fitted to the battles of these lists.
    pub bound: bool,
    /// Prices that lists are bought at as well, by the position of their weapon.
    pub tries: Vec<(usize, f64)>,
    /// Numbers and tables of the rules that this arsenal changes.
    pub change: Table,
    /// The weapons, in the order of the file; at least one.
    pub weapons: Vec<ArsenalWeapon>,
    /// The scenarios that weapons meet; at least one, and not all weights 0.
    pub scenarios: Vec<Scenario>,
    /// The assumptions.
    pub assumptions: Vec<PriceAssumption>,
}

opaque!(Arsenal);

/// Finds the weapon of that name.
///
/// # Errors
/// A fault without a place if there is none, with the nearest name.
pub(crate) fn find_weapon_index(weapons: &[ArsenalWeapon], name: &str) -> Result<usize, Fault> {
    let (key, all) = (name_matching_key(name), || weapons.iter().map(|weapon| &*weapon.name));
    all().position(|known| name_matching_key(known) == key).ok_or_else(|| {
        let problem = format!("there is no weapon \"{}\"", shorten_and_make_safe(name));
        let near = find_nearest_name(name, all());
        let near = near.map(|near| format!("did you mean \"{near}\"?"));
        let help = near.unwrap_or_else(|| "the weapons are those of [[weapon]]".to_owned());
        Fault::new("", problem).with_help(help)
    })
}

impl Arsenal {
    /// Returns the values of the assumptions in case `model`.
    pub fn assumptions_in_case(&self, model: AssumptionCase) -> AssumptionValues {
        let value = |(place, assumption): (usize, &PriceAssumption)| {
            let value = match model {
                AssumptionCase::Low(moved) if moved == place => assumption.low,
                AssumptionCase::High(moved) if moved == place => assumption.high,
                _ => assumption.default,
            };
            (Text::from(assumption.name.clone()), value)
        };
        self.assumptions.iter().enumerate().map(value).collect()
    }

    /// Creates a cache for the contests of the weapons under the arsenal's changes of the rules.
    #[doc(hidden)]
    pub fn new_contest_cache(&self, settings: &BattleSettings) -> ContestCache {
        let changes = RuleChanges::from_table(self.change.clone());
        ContestCache::new(self.system.clone(), changes, settings)
    }

    /// Sets up a weapon against one setting, with the trials and notes of its contests; `own` are
    /// the rulebook's assumptions.
    #[doc(hidden)]
    pub fn set_up_weapon(
        &self,
        weapon: &ArsenalWeapon,
        there: &PricingScenario,
        own: &AssumptionValues,
        contests: &ContestCache,
    ) -> FaultResult<(BattleSetup, TrialsAndNotes)> {
        let source = DistributionSourceWithNotes { contests, log: RefCell::default() };
        let setup = self.rules.set_up_battle(weapon.as_weapon_entry(), there, own, &source)?;
        Ok((setup, source.log.into_inner()))
    }

    /// Returns the values of the rulebook's own assumptions in case `model`.
    #[doc(hidden)]
    pub fn values_of_rulebook_assumptions(&self, model: AssumptionCase) -> AssumptionValues {
        let (assumed, own) = (self.assumptions_in_case(model), self.rules.assumptions().iter());
        own.filter_map(|own| Some((own.name.clone(), assumed.get(&own.name)?))).collect()
    }

    /// Its rulebook, if that was read from files.
    pub fn rulebooks_read_from_files(&self) -> Vec<Arc<System>> {
        [&self.system].into_iter().filter(|system| system.is_from_text()).cloned().collect()
    }

    /// The arsenal as the file has it, before opponents are expanded.
    pub(crate) fn read_without_opponents(
        reader: &mut TomlReaderWithFaults,
        name: &str,
    ) -> Option<Arsenal> {
        let rulebook = read_rulebook_keys(reader)?;
        let rules = rulebook.1.clone();
        let arsenal = ArsenalReader(reader, &*rules).read_arsenal(name, rulebook)?;
        if reader.faults.is_empty() {
            check_each_setup_once(reader, &arsenal);
        }
        Some(arsenal)
    }
}

/// Whether a file is an arsenal: it has weapons or scenarios, and no contest.
pub fn is_arsenal_text(text: &str) -> bool {
    let has = |document: &TomlDocumentWithPositions, keys: &[&str]| {
        document.first_key_present_of(keys).is_some()
    };
    TomlDocumentWithPositions::parse_toml(text)
        .is_ok_and(|file| has(&file, &["weapon", "scenario"]) && !has(&file, &["contest"]))
}

/// A reading of an arsenal in progress, with the rules of its weapons.
struct ArsenalReader<'r, 'a>(&'r mut TomlReaderWithFaults<'a>, &'r dyn PricingRules);

impl ArsenalReader<'_, '_> {
    fn read_arsenal(
        &mut self,
        file: &str,
        (system, rules): (Arc<System>, StaticOrCounted<dyn PricingRules>),
    ) -> Option<Arsenal> {
        let table = &self.0.document.table;
        let all_meet = table.contains_key(OPPONENTS_KEY);
        let bound = table.get(BOUND_KEY).and_then(Toml::as_bool).unwrap_or(false);
        // Everything is read before the first `?` below, so that all faults of the file are
        // reported at once.
        let weapons = self.read_weapons();
        let settings = self.read_tolerance_step_and_scale(weapons.as_deref());
        let (lists, tries) = self.read_list_budget_and_prices(weapons.as_deref());
        let scenarios = self.read_scenarios();
        let open = scenarios.iter().flatten().any(|s| s.setting.lacks_needed_distances());
        let mut assumptions = self.read_assumptions();
        let concerns = |name: &str| {
            let mut all = weapons.iter().flatten();
            all.any(|weapon| rules.assumption_concerns_weapon(name, weapon.as_weapon_entry()))
        };
        // An assumption that affects no battle would appear in the report as an uncertainty that
        // moves no price. The distance belongs to no weapon: it is assumed where a scenario leaves
        // it open.
        assumptions.retain(|assumption| match assumption.name == DISTANCE_ASSUMPTION_NAME {
            true => open,
            false => concerns(&assumption.name),
        });
        let cells = (scenarios.iter().flatten().count() * weapons.iter().flatten().count()) as i64;
        // An arsenal without weapons or scenarios has a separate fault.
        if !bounds::CELLS.contains(cells.max(1)) {
            let most = bounds::CELLS.high;
            let problem = format!("the weapons meet {cells} scenarios together, more than {most}");
            let fault = Fault::new("weapon", problem);
            self.0.note_at_value(fault.with_help("split the arsenal into several files"));
            return None;
        }
        let change = self.0.document.table.get(CHANGES_KEY);
        let expected = "expected a table, such as `base_ranged = 7` below [change]";
        Some(Arsenal {
            name: self.0.text_under_key("name").unwrap_or_else(|| name_without_ending(file)),
            question: self.0.text_under_key("question"),
            prediction: self.0.text_under_key("prediction"),
            settings,
            all_meet,
            lists,
            bound,
            tries,
            change: self.read_table_or_empty(change, CHANGES_KEY, expected),
            system,
            rules,
            weapons: weapons?,
            scenarios: scenarios?,
            assumptions,
        })
    }

    /// Reads tolerance, step and scale of the prices.
    fn read_tolerance_step_and_scale(
        &mut self,
        weapons: Option<&[ArsenalWeapon]>,
    ) -> PricingSettings {
        let table = &self.0.document.table;
        let (tolerance, step) = (table.get("tolerance"), table.get("price_step"));
        let tolerance = self.0.read_real_number(tolerance, &TOLERANCE_RANGE, "tolerance").flatten();
        let tolerance = tolerance.unwrap_or(DEFAULT_PRICE_TOLERANCE);
        let step =
            step.and_then(|it| self.read_quarter_points(it, &PRICE_STEP_RANGE, "price_step"));
        PricingSettings { tolerance, step, scale: self.read_scale_source(weapons) }
    }

    fn read_weapons(&mut self) -> Option<Vec<ArsenalWeapon>> {
        let none =
            "an arsenal has at least one weapon: expected tables, each beginning with [[weapon]]";
        let id = self.0.document.table.get("system").and_then(Toml::as_str).unwrap_or("SYSTEM");
        let new =
            format!("`enfilade new {} price` writes a file with some", shorten_and_make_safe(id));
        let none = Fault::new("weapon", none).with_help(new);
        let rules = self.1;
        let weapons = self.0.read_each_required_table("weapon", none, |reader, place, table| {
            ArsenalReader(reader, rules).read_weapon(table, &format!("weapon[{place}]"))
        });
        let weapons: Vec<ArsenalWeapon> = weapons.into_iter().collect::<Option<_>>()?;
        self.0.note_repeated_names("weapon", weapons.iter().map(|weapon| weapon.name.as_str()));
        Some(weapons)
    }

    fn read_weapon(&mut self, mut table: Table, path: &str) -> Option<ArsenalWeapon> {
        // A form knows no halves and quarters.
        let (given, price_path) = (table.remove("price"), format!("{path}.price"));
        let given =
            given.and_then(|price| self.read_quarter_points(&price, &PRICE_RANGE, &price_path));
        let form = self.0.fill_form(&rulebook_weapon_fields(self.1), &table, path)?;
        let name = form.text_of_field("name").trim().to_owned();
        let entry = WeaponWithoutItsPrice { name: &name, form: &form };
        let printed = self.1.printed_price(entry);
        let printed = printed.map_err(|faults| {
            faults.into_iter().for_each(|fault| self.0.note_at_value(fault.prefix_path(path)));
        });
        let nature = self.1.traits_outside_battle(entry);
        let price = given.or(printed.ok()?).filter(|price| *price > 0.0);
        Some(ArsenalWeapon { price, nature, name, form })
    }

    fn read_scenarios(&mut self) -> Option<Vec<Scenario>> {
        let none = "weapons need at least one scenario to meet something in: expected tables, each beginning with [[scenario]]";
        let (none, rules) = (Fault::new("scenario", none), self.1);
        let scenarios =
            self.0.read_each_required_table("scenario", none, |reader, place, table| {
                ArsenalReader(reader, rules).read_scenario(table, &format!("scenario[{place}]"))
            });
        let scenarios: Vec<Scenario> = scenarios.into_iter().collect::<Option<_>>()?;
        let names = scenarios.iter().map(|scenario| scenario.weights.name.as_str());
        self.0.note_repeated_names("scenario", names);
        // If a weight is already a fault, their sum is not checked.
        let is_of_weight = |fault: &FaultWithByteSpan| fault.fault.path.ends_with(".weight");
        let weighed = !self.0.faults.iter().any(is_of_weight);
        let is_weightless = |scenario: &Scenario| scenario.weights.weight == 0.0;
        if weighed && !scenarios.is_empty() && scenarios.iter().all(is_weightless) {
            let problem =
                "the weights of the scenarios sum to zero, so that none of them would count";
            let fault = Fault::new("scenario[0].weight", problem);
            self.0.note_at_value(fault.with_help("give at least one of them a weight above 0"));
        }
        Some(scenarios)
    }

    fn read_scenario(&mut self, mut table: Table, path: &str) -> Option<Scenario> {
        let (weight, weight_path) = (table.remove("weight"), format!("{path}.weight"));
        let bound = &scenario::WEIGHT_BOUND;
        let weight = self.0.read_real_number(weight.as_ref(), bound, &weight_path);
        let form = self.0.fill_form(&scenario::all_scenario_fields(self.1), &table, path)?;
        let name = form.text_of_field("name").trim().to_owned();
        let weights = ScenarioForStatistics {
            weight: weight?.unwrap_or(1.0),
            points_in_play: form.maybe_int("points_in_play").map(|points| points as f64),
            opponent: form.optional_text("opponent").unwrap_or(&name).to_owned(),
            name,
        };
        Some(Scenario { weights, setting: PricingScenario::from_scenario_form(form) })
    }
}

/// Reads the keys outside weapons and scenarios: the rulebook and its rules.
fn read_rulebook_keys(
    reader: &mut TomlReaderWithFaults,
) -> Option<(Arc<System>, StaticOrCounted<dyn PricingRules>)> {
    let mut table = reader.document.table.clone();
    table.retain(|key, _| FORM_KEYS.contains(&key) || ARSENAL_FIELDS.get(key).is_none());
    for fault in rulebook_loader::find_rulebook_faults(reader.catalogue, reader.document) {
        let numbers = reader.document.table.get(RULEBOOKS_KEY).is_some_and(Toml::is_table);
        reader.note_at_value(match numbers {
            true => fault.with_help("put changed numbers of the rules below [change]"),
            false => fault,
        });
    }
    // With one rulebook from a file the system needs no name.
    if let (Some(only), false) =
        (reader.catalogue.sole_text_rulebook(), table.contains_key("system"))
    {
        table.insert("system".to_owned(), Toml::String(only.id.to_string()));
    }
    let top = reader.fill_form(&ARSENAL_FIELDS, &table, "");
    // A fault in the form does not hide the system: what follows is checked by its fields.
    let table = reader.document.table.get("system");
    let id = top.map(|top| top.text_of_field("system").to_owned());
    let id = id.or_else(|| table.and_then(Toml::as_str).map(str::to_owned))?;
    let system = reader.find_sound_rulebook(&id, "")?;
    let rules = system.pricing.clone();
    if rules.is_none() {
        reader.note_at_value(unpriced_rulebook_fault(reader, &system));
    }
    Some((system, rules?))
}

/// The fault of a rulebook that has no prices.
fn unpriced_rulebook_fault(reader: &TomlReaderWithFaults, system: &System) -> Fault {
    let id = &system.id;
    if system.is_from_text() {
        let problem = format!("arsenals of {id} cannot be priced: it has no `price:` lines");
        return Fault::new("system", problem).with_help(
            "add `price:` with the lines `attack ACTION`, `weapon FIELD`, `target FIELD`, `losses SHOW`, \
             and `cost COLUMN`, `of FIELD`, `distance FIELD` where there are such",
        );
    }
    let problem =
        format!("arsenals of {id} cannot be priced: its rules do not cover a battle to its end");
    let fault = Fault::new("system", problem);
    let all = reader.catalogue.rulebooks_created_on_demand();
    let priced = all.filter(|system| system.pricing.is_some());
    let ids: Vec<&str> = priced.map(|system| &*system.id).collect();
    match ids.is_empty() {
        true => fault,
        false => fault.with_help(format!("there are arsenals of {}", ids.join(", "))),
    }
}

/// Sets up every weapon in the first scenario and the first weapon in every scenario, so that
/// combinations that do not fit are reported where they are written.
fn check_each_setup_once(reader: &mut TomlReaderWithFaults, arsenal: &Arsenal) {
    // Only the set-up is checked here; one trial of a contest that is too large is enough.
    let limits = CompiledContestLimits { states: 1, endless: 0, nodes: 1, sequences: 1 };
    let settings = BattleSettings { seed: 0, trials: 1, limits, only: None };
    let contests = arsenal.new_contest_cache(&settings);
    let assumed = arsenal.values_of_rulebook_assumptions(AssumptionCase::Default);
    let mut stage = |weapon: usize, scenario: usize| {
        let (gun, there) = (&arsenal.weapons[weapon], &arsenal.scenarios[scenario]);
        let staged = arsenal.set_up_weapon(gun, &there.setting, &assumed, &contests);
        for fault in staged.err().unwrap_or_default() {
            let key = fault.problem.starts_with("there is no field");
            let fault = relocate_setup_fault(fault, weapon, scenario);
            reader.note_at_path(contests.changes.move_fault_to_change(fault), key);
        }
    };
    (0..arsenal.scenarios.len()).for_each(|scenario| stage(0, scenario));
    (1..arsenal.weapons.len()).for_each(|weapon| stage(weapon, 0));
    for fault in contests.changes.unused_change_faults(&arsenal.system) {
        reader.note_at_value(fault);
    }
}
