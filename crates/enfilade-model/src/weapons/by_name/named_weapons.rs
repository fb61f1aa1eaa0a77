//! Battle setup for a weapon of a rulebook that names its attack, weapon, target and losses.

use indexmap::IndexSet;
use toml::{Table, Value as Toml};

use super::names::{Action, Back, COUNT, Named, Nerve, is_as_printed};
use super::starter_arsenal::ready;
use crate::form::{Field, Fields, Form, Kind, Preset as Left, ROW_NAME, Value, in_words};
use crate::shared::Text;
use crate::weapons::{
    Ask, Assumed, Checked, Condition, Denied, Effect, Exchange, Law, PRICE, Preset, Priced,
    Profile, RANGE, Round, Setting, Staging, TROOPERS, Unit, effect_value, points_each, takes,
    within, without_profile,
};

/// Fields of every scenario; a field of the rulebook with one of these names keeps its default.
const EVERYWHERE: [&str; 5] = ["name", "weight", "points_in_play", "opponent", "moves"];

/// Points of each of the reference troops.
const POINTS_EACH: &str = "points_each";

/// Weapons of a rulebook that names its attack, weapon, target and losses.
pub struct Arms {
    said: Named,
    weapon: Fields,
    scenario: Fields,
    assumptions: Vec<Preset>,
    /// Names of the fields that describe the place of the battle.
    circumstances: Vec<Text>,
}

/// Returns the top-level field of a name.
fn head(path: &str) -> &str {
    path.split_once('.').map_or(path, |(head, _)| head)
}

/// Returns the first parts of `names`, each once, in their order.
fn heads(names: &[Text]) -> IndexSet<&str> {
    names.iter().map(|name| head(name)).collect()
}

impl Arms {
    /// Creates the pricing rules; `None` where an attack lacks one of the named fields.
    pub fn new(said: Named) -> Option<Arms> {
        let first = &said.attack.first()?.fields;
        let all = |names: &[Text]| -> Option<Vec<Field>> {
            heads(names).into_iter().map(|name| Some(one(first.get(name)?))).collect()
        };
        let (carried, aimed_at) = (all(&said.weapon)?, all(&said.target)?);
        let own: Vec<Field> = carried.iter().chain(&aimed_at).cloned().collect();
        let mut scenario: Vec<Field> = said.distance.iter().map(|_| RANGE).collect();
        let about = "the reference troops of both sides";
        let troops = Kind::Table(Fields::from(troops(&own)));
        scenario.push(plain(Field::required("target", troops, about)));
        let rest = circumstances(&said, &own);
        let circumstances = rest.iter().map(|field| field.name.clone()).collect();
        scenario.extend(rest);
        let assumed = said.nerve.iter().filter_map(|nerve| match &nerve.back {
            Back::Assumed(preset) => Some(preset.clone()),
            Back::Test(..) => None,
        });
        let mut arms = Arms {
            assumptions: assumed.collect(),
            weapon: own.into(),
            scenario: scenario.into(),
            circumstances,
            said,
        };
        arms.said.ready = ready(&arms.said, arms.known()).into();
        Some(arms)
    }

    fn field(&self, path: &str) -> Option<&Field> {
        self.said.attack.iter().find_map(|attack| attack.fields.at(path))
    }

    /// Returns the names of the weapons, and the path of the field that contains them.
    fn known(&self) -> Option<(&str, Vec<&str>)> {
        self.said.weapon.iter().find_map(|path| match &self.field(path)?.kind {
            Kind::Row(names, _) | Kind::Name(names) => {
                Some((&**path, names.list().iter().collect()))
            }
            _ => None,
        })
    }

    /// Returns the printed name of a weapon: the value of its field, or its own name.
    fn row<'a>(&self, name: &'a str, form: &'a Form) -> &'a str {
        let Some((path, _)) = self.known() else { return name };
        let inner = path.split_once('.').map_or(ROW_NAME, |(_, leaf)| leaf);
        let given = match form.get(head(path)) {
            Some(Value::Table(form)) => form.get(inner),
            given => given,
        };
        match given {
            Some(Value::Text(row)) => row,
            _ => name,
        }
    }

    /// Solves one attack by the weapon of a form on the target of another form.
    fn attack(&self, by: (&str, &Form), at: &Form, there: &Place) -> Checked<Losses> {
        let mut refused = Vec::new();
        // The actions are alternatives; only the last one's faults are reported.
        for attack in &self.said.attack {
            let contest = self.contest(attack, by, at, there);
            match there.rules.ask(&attack.name, &contest) {
                Ok(law) => return Ok(self.losses(&law)),
                Err(faults) => refused = faults,
            }
        }
        Err(refused)
    }

    fn contest(&self, attack: &Action, by: (&str, &Form), at: &Form, there: &Place) -> Table {
        let mut contest = self.place(there.setting, &attack.fields);
        self.arm(&mut contest, by);
        self.aim(&mut contest, at, there.stand);
        if let (Some(distance), Some(range)) = (&self.said.distance, there.range) {
            put(&mut contest, distance, range.into());
        }
        if let Some(nerve) = &self.said.nerve {
            let marks = [(&nerve.unnerved, there.unnerved), (&nerve.cowed, there.cowed)];
            for (field, _) in marks.into_iter().filter(|(_, lost)| *lost) {
                field.iter().for_each(|field| put(&mut contest, field, true.into()));
            }
        }
        contest
    }

    /// Returns the fields of a scenario that an action with these fields has.
    fn place(&self, setting: &Setting, fields: &Fields) -> Table {
        let said = self.circumstances.iter().filter(|name| fields.get(name).is_some());
        let said = said.filter_map(|name| Some((name.to_string(), setting.form.get(name)?.into())));
        said.collect()
    }

    fn losses(&self, law: &Law) -> Losses {
        let lost = self.said.nerve.as_ref().map(|nerve| law.outcomes([&*nerve.lost]));
        let mut found = Losses { most: 0, mean: 0.0, shaken: 0.0 };
        let mut all: Vec<(f64, f64)> = law.outcomes.iter().map(|(_, p)| (0.0, *p)).collect();
        for (name, of_a_man) in &self.said.losses {
            for ((sum, _), ([count], _)) in all.iter_mut().zip(law.outcomes([&**name])) {
                *sum += f64::from(count.max(0)) * of_a_man;
            }
        }
        for (taken, p) in &all {
            found.most = found.most.max(taken.ceil() as u32);
            found.mean += taken * p;
        }
        for ((taken, p), ([shaken], _)) in all.iter().zip(lost.into_iter().flatten()) {
            found.shaken += if shaken > 0 { p * (1.0 - taken).max(0.0) } else { 0.0 };
        }
        // An attack that only shakes is a shot too.
        found.most = found.most.max(u32::from(found.shaken > 0.0));
        found
    }

    /// Creates the unit of a target with its nerve; `fires` is the share of its fire when shaken.
    fn unit(&self, target: &Form, fires: f64, there: &Place) -> Checked<Unit> {
        let Some(nerve) = &self.said.nerve else {
            return Ok(Unit::whole());
        };
        let stays = match &nerve.back {
            Back::Assumed(preset) => 1.0 - there.assumed.value(&preset.name),
            Back::Test(test, shaken) => {
                let mut contest = self.place(there.setting, &test.fields);
                if self.said.target.iter().all(|path| test.fields.get(head(path)).is_some()) {
                    self.aim_plain(&mut contest, target);
                }
                shaken.iter().for_each(|field| put(&mut contest, field, true.into()));
                let law = there.rules.ask(&test.name, &contest)?;
                let stays = law.outcomes([&*nerve.lost]).filter(|([lost], _)| *lost > 0);
                stays.map(|(_, p)| p).sum()
            }
        };
        let steady = Condition { fires: 1.0, left: 1.0, unhurt: 1.0, rest: vec![(STEADY, 1.0)] };
        let rest = vec![(STEADY, 1.0 - stays), (SHAKEN, stays)];
        let shaken = Condition { fires, left: 1.0, unhurt: 1.0, rest };
        Ok(Unit { conditions: vec![steady, shaken], start: STEADY })
    }

    /// Computes the fire of a reference trooper without nerve, as a share of full fire.
    fn unnerved(&self, by: (&str, &Form), target: &Form, there: &Place) -> Checked<f64> {
        if self.said.nerve.as_ref().is_none_or(|nerve| nerve.unnerved.is_none()) {
            return Ok(0.0);
        }
        let whole = self.attack(by, target, there)?;
        let shaken = self.attack(by, target, &Place { unnerved: true, ..*there })?;
        let does = |losses: Losses| losses.mean + losses.shaken;
        Ok(if does(whole) > 0.0 { (does(shaken) / does(whole)).min(1.0) } else { 0.0 })
    }

    /// Sets the firer and its weapon.
    fn arm(&self, contest: &mut Table, (name, form): (&str, &Form)) {
        let mut given = false;
        for path in heads(&self.said.weapon) {
            if let Some(value) = form.get(path).map(Toml::from) {
                given = true;
                let listed = self.listed(path);
                put(contest, path, if listed { Toml::Array(vec![value]) } else { value });
            }
        }
        if let (false, false, Some((path, _))) = (given, name.is_empty(), self.known()) {
            put(contest, path, name.into());
        }
    }

    /// Sets the targets, `stand` in number.
    fn aim(&self, contest: &mut Table, at: &Form, stand: i64) {
        self.aim_plain(contest, at);
        for path in self.said.target.iter().map(|path| head(path)).filter(|p| self.listed(p)) {
            let mut one = match at.get(path).map(Toml::from) {
                Some(Toml::Table(table)) => table,
                _ => Table::new(),
            };
            if self.said.of.is_none() {
                one.insert(COUNT.to_owned(), stand.into());
            }
            contest.insert(path.to_owned(), Toml::Array(vec![one.into()]));
        }
        if let Some(of) = &self.said.of {
            put(contest, of, stand.into());
        }
    }

    /// Sets the fields of the target that are not lists.
    fn aim_plain(&self, contest: &mut Table, at: &Form) {
        for path in self.said.target.iter().map(|path| head(path)).filter(|p| !self.listed(p)) {
            if let Some(value) = at.get(path).map(Toml::from) {
                put(contest, path, value);
            }
        }
    }

    /// Returns whether the field is a list of records.
    fn listed(&self, path: &str) -> bool {
        self.field(path).is_some_and(|field| matches!(field.kind, Kind::Tables(..)))
    }

    /// Computes the effect of an attack on a target in either condition, in equal shots.
    fn effect(&self, by: (&str, &Form), at: &Form, there: &Place) -> Checked<(u32, Effect)> {
        let first = self.attack(by, at, there)?;
        let Some(nerve) = &self.said.nerve else {
            return Ok((first.most, takes(first.each(first.mean))));
        };
        let (taken, shaken) = (first.each(first.mean), first.each(first.shaken));
        let shaken = shaken.min(1.0 - taken);
        let steady = vec![(STEADY, 1.0 - taken - shaken), (SHAKEN, shaken), (GONE, taken)];
        let taken = match nerve.cowed {
            Some(_) => {
                let again = self.attack(by, at, &Place { cowed: true, ..*there })?;
                first.each(again.mean)
            }
            None => taken,
        };
        Ok((first.most, vec![steady, vec![(SHAKEN, 1.0 - taken), (GONE, taken)]]))
    }

    /// Returns the number of the reference troops that one attack can hit.
    fn stand(&self, troopers: i64) -> i64 {
        if self.said.nerve.is_some() {
            return 1;
        }
        let most = match &self.said.of {
            Some(of) => match self.field(of).map(|field| &field.kind) {
                Some(Kind::Int(bound)) => bound.high,
                _ => 1,
            },
            None if self.said.target.iter().any(|path| self.listed(head(path))) => self.said.most,
            None => 1,
        };
        troopers.min(most)
    }
}

/// Conditions of a unit with nerve.
const STEADY: usize = 0;
const SHAKEN: usize = 1;
const GONE: usize = 2;

/// Conditions of an attack, with the firer's and the target's nerve.
#[derive(Clone, Copy)]
struct Place<'a> {
    unnerved: bool,
    cowed: bool,
    rules: &'a dyn Ask,
    setting: &'a Setting,
    assumed: &'a Assumed,
    range: Option<i64>,
    stand: i64,
}

impl Priced for Arms {
    fn weapon(&self) -> &Fields {
        &self.weapon
    }

    fn scenario(&self) -> &Fields {
        &self.scenario
    }

    fn known(&self) -> Vec<Text> {
        let names = Arms::known(self).map_or(Vec::new(), |(_, names)| names);
        names.into_iter().map(|name| Text::from(name.to_owned())).collect()
    }

    fn ready(&self) -> &str {
        &self.said.ready
    }

    fn assumptions(&self) -> &[Preset] {
        &self.assumptions
    }

    fn opinion(&self) -> Option<&Preset> {
        self.assumptions.first()
    }

    fn printed_price(&self, weapon: Profile) -> Checked<Option<f64>> {
        let row = self.row(weapon.name, weapon.form);
        let heads = heads(&self.said.weapon);
        let described = heads.iter().any(|head| weapon.form.has(head));
        let names = self.known().map_or(Vec::new(), |(_, names)| names);
        if !described && !names.contains(&row) {
            let fields: Vec<String> = heads.iter().map(|head| format!("`{head}`")).collect();
            let how = format!("give its {}", fields.join(", "));
            return Err(vec![without_profile(weapon.name, names.into_iter(), &how)]);
        }
        let as_printed = self.known().is_none_or(|(path, _)| is_as_printed(path, weapon.form));
        Ok(self.said.price_of(row).filter(|_| as_printed))
    }

    fn stage(
        &self,
        weapon: Profile,
        there: &Setting,
        assumed: &Assumed,
        rules: &dyn Ask,
    ) -> Checked<Staging> {
        let target = there.target();
        let rifle = self.row("", target);
        let points = points_each(target, self.said.price_of(rifle), rifle)?;
        let own = self.said.target.iter().any(|path| weapon.form.has(head(path)));
        let bearer = if own { weapon.form } else { target };
        let place = |number| Place {
            unnerved: false,
            cowed: false,
            rules,
            setting: there,
            assumed,
            range: there.range(number, assumed),
            stand: self.stand(there.troopers() as i64),
        };
        let (gun, man) = ((weapon.name, weapon.form), (rifle, target));
        // The fire of shaken units is taken at the starting distance.
        let first = place(0);
        let fires = self.unnerved(man, target, &first).map_err(within("scenario"))?;
        let own = self.unnerved(gun, target, &first).map_err(within("weapon"))?;
        let rounds = (0..there.moves).map(|number| {
            let at = place(number);
            let by = self.effect(gun, target, &at).map_err(within("weapon"));
            let of = self.effect(man, target, &at).map_err(within("scenario"));
            let on = self.effect(man, bearer, &at).map_err(within("scenario"));
            let ((weapon_shots, by_weapon), (troop_shots, on_troops)) = (by?, of?);
            Ok(Round { troop_shots, on_troops, on_weapon: on?.1, weapon_shots, by_weapon })
        });
        Ok(Staging {
            troops: self.unit(target, fires, &first).map_err(within("scenario"))?,
            weapon: self.unit(bearer, own, &first).map_err(within("weapon"))?,
            troop_points: points,
            paid: 0.0,
            rounds: rounds.collect::<Checked<Vec<_>>>()?,
        })
    }

    /// Computes the points of units that are gone, and the lost fire of units that are shaken.
    fn denied(&self, staging: &Staging, there: &Setting) -> Denied {
        if self.said.nerve.is_none() {
            return effect_value::killed(staging, there);
        }
        let kept = effect_value::lost(&staging.troops, SHAKEN, there.moves);
        let sum = |to: usize| -> f64 {
            let leads = staging.rounds.iter().flat_map(|round| {
                let shots = f64::from(round.weapon_shots);
                let of = round.by_weapon[STEADY].iter().filter(move |lead| lead.0 == to);
                of.map(move |lead| shots * lead.1)
            });
            leads.sum::<f64>() / staging.rounds.len() as f64 * staging.troop_points
        };
        Denied { kill: sum(GONE), broken: sum(SHAKEN) * kept, pin: 0.0 }
    }

    /// Computes the worth of the nerve of one of the reference troops.
    fn exchange(
        &self,
        there: &Setting,
        assumed: &Assumed,
        activations: usize,
        rules: &dyn Ask,
    ) -> Checked<Exchange> {
        if self.said.nerve.is_none() {
            return Ok(Exchange::default());
        }
        let (target, stand) = (there.target(), 1);
        let range = there.range(0, assumed);
        let at =
            Place { unnerved: false, cowed: false, rules, setting: there, assumed, range, stand };
        let rifle = self.row("", target);
        let fires = self.unnerved((rifle, target), target, &at).map_err(within("scenario"))?;
        let unit = self.unit(target, fires, &at).map_err(within("scenario"))?;
        let break_per_kill = Some(effect_value::lost(&unit, SHAKEN, activations));
        Ok(Exchange { break_per_kill, pin_per_kill: None })
    }
}

/// Losses of an attack: the most, the mean, and the probability that it takes only the nerve.
#[derive(Clone, Copy)]
struct Losses {
    most: u32,
    mean: f64,
    shaken: f64,
}

impl Losses {
    /// Returns the probability of each shot that gives this mean.
    fn each(self, mean: f64) -> f64 {
        (mean / f64::from(self.most.max(1))).min(1.0)
    }
}

/// Converts a field to an optional one; a list of records becomes a record.
fn one(field: &Field) -> Field {
    let kind = match &field.kind {
        Kind::Tables(fields, _) => Kind::Table(fields.clone()),
        kind => kind.clone(),
    };
    Field { kind, preset: Left::Absent, ..field.clone() }
}

/// Sets the label of a field to the words of its name.
fn plain(field: Field) -> Field {
    Field { label: in_words(&field.name), ..field }
}

/// Returns the other fields of the actions, which describe the place of the battle.
fn circumstances(said: &Named, own: &[Field]) -> Vec<Field> {
    let mut taken: Vec<&str> = own.iter().map(|field| &*field.name).chain(EVERYWHERE).collect();
    taken.extend(said.of.as_deref().map(head));
    taken.extend(said.distance.as_deref().map(head));
    if let Some(nerve) = &said.nerve {
        taken.extend(nerve.unnerved.as_deref().map(head));
        if let Back::Test(_, Some(shaken)) = &nerve.back {
            taken.push(shaken);
        }
    }
    let attacks = said.attack.iter().map(|attack| &attack.fields);
    let fields = attacks.chain(said.nerve.as_ref().map(Nerve::fields));
    let mut all: Vec<Field> = Vec::new();
    for field in fields.flat_map(Fields::iter) {
        let known = all.iter().any(|other| other.name == field.name);
        if !known && !taken.contains(&&*field.name) {
            all.push(field.clone());
        }
    }
    all
}

/// Returns the fields of the reference troops in a scenario.
fn troops(own: &[Field]) -> Vec<Field> {
    let many = Field::int("troopers", TROOPERS, 8, "reference troops on each side")
        .label("troops on each side");
    let points = Field::optional(
        POINTS_EACH,
        Kind::Fraction(PRICE),
        "points of each; the printed price of their weapon when left out",
    )
    .label("points of each");
    [many, points].into_iter().chain(own.iter().cloned()).collect()
}

/// Stores a value at a path, and creates tables on the way; in a list it uses the first entry.
fn put(table: &mut Table, path: &str, value: Toml) {
    match path.split_once('.') {
        None => drop(table.insert(path.to_owned(), value)),
        Some((head, rest)) => {
            let inner = table.entry(head).or_insert_with(|| Table::new().into());
            let inner = match inner {
                Toml::Array(several) => several.first_mut(),
                inner => Some(inner),
            };
            if let Some(Toml::Table(inner)) = inner {
                put(inner, rest, value);
            }
        }
    }
}
