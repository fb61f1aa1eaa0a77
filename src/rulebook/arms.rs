//! How the weapons of a game in a text file are staged, from its `price:` lines: so `balance` prices
//! them as any others, and no line of Rust is written for a game.
//!
//! `attack` is one activation of one weapon; `losses` is the show that counts what it takes. Whoever
//! carries a weapon is a target like the reference troops where nothing else is said, whole or gone. An attack on as
//! many as stand there may take several: it is staged as so many shots as it can take at most, each with
//! the chance that gives the right mean. What the game says beside weapon, target, number and
//! distance is where they fight, the same for both sides.
//!
//! With `nerve` and `morale` whoever is left can lose its nerve: one attack in so many does that, by what
//! the attack shows; it is shaken until the test of its own activation brings it back, and fires as well as
//! the rules let it with `unnerved`, or not at all. So the worth of a pin is what the game's own test takes.
//!
//! Not told: nerve that is lost twice, and that of several at once.

use std::sync::Arc;

use toml::{Table, Value as Toml};

use super::forms::{form_field, plain, record_fields};
use super::game::{FieldKind, Game, Holds};
use super::kind::THINGS;
use crate::arsenal::{
    self, Ask, Assumed, Checked, Condition, Effect, PRICE, Priced, Profile, RANGE, Round, Setting,
    Staging, TROOPERS, Unit, takes, within,
};
use crate::form::{Field, Fields, Form, Kind, Preset, ROW_NAME, Value};
use crate::shared::{Shared, Text};

/// The weapons of a game with `price:` lines.
pub struct Arms {
    game: Arc<Game>,
    said: Said,
    weapon: Fields,
    scenario: Fields,
    /// Names of what a scenario says of where they fight.
    circumstances: Vec<Text>,
    /// Fields of the attack.
    attack: Vec<Text>,
}

/// Which is which: names of fields, those in a record with its name before a dot.
struct Said {
    attack: Text,
    weapon: String,
    target: String,
    losses: String,
    of: Option<String>,
    distance: Option<String>,
    cost: Option<String>,
    nerve: Option<Nerve>,
}

/// How nerve is lost and comes back.
struct Nerve {
    /// The show of the attack, and of the test: whether it is lost.
    lost: Text,
    /// The action by which it comes back.
    test: Text,
    /// The field of the test that says that it was lost.
    shaken: Option<String>,
    /// The field of the attack that says so of whoever fires.
    unnerved: Option<String>,
    /// Fields of the test.
    fields: Vec<Text>,
}

/// What every scenario has; a field of the game of such a name keeps its default.
const EVERYWHERE: [&str; 5] = ["name", "weight", "points_in_play", "opponent", "moves"];

/// Points of each of the reference troops.
const POINTS_EACH: &str = "points_each";

/// What its weapons are; `None` for a game without `price:` lines.
pub fn pricing(game: &Arc<Game>) -> Option<Shared<dyn Priced>> {
    let said = |key: &str| {
        let mut lines = game.price.iter();
        lines.find(|(name, _)| name.text == key).map(|(_, of)| of.text.clone())
    };
    let nerve = said("nerve").zip(said("morale")).map(|(lost, test)| Nerve {
        fields: fields_of(game, &test).map(|field| Text::from(field.name.text.clone())).collect(),
        lost: Text::from(lost),
        test: Text::from(test),
        shaken: said("shaken"),
        unnerved: said("unnerved"),
    });
    let said = Said {
        nerve,
        attack: Text::from(said("attack")?),
        weapon: said("weapon")?,
        target: said("target")?,
        losses: said("losses")?,
        of: said("of"),
        distance: said("distance"),
        cost: said("cost"),
    };
    Some(Shared::Made(Arc::new(Arms::new(game, said)?)))
}

/// The fields of an action, shared ones first.
fn fields_of<'g>(game: &'g Game, action: &str) -> impl Iterator<Item = &'g FieldKind> {
    let place = game.actions.iter().position(|known| known.name.text == action);
    place.into_iter().flat_map(|place| {
        let shared = game.found[place].fields.iter().map(|&at| &game.fields[at]);
        shared.chain(&game.actions[place].fields)
    })
}

/// The field at the top under which a name stands.
fn head(path: &str) -> &str {
    path.split_once('.').map_or(path, |(head, _)| head)
}

impl Arms {
    fn new(game: &Arc<Game>, said: Said) -> Option<Arms> {
        let fields: Vec<&FieldKind> = fields_of(game, &said.attack).collect();
        let of = |name: &str| fields.iter().find(|field| field.name.text == name);
        let carried = optional(form_field(game, of(head(&said.weapon))?));
        let aimed_at = bearer(game, of(head(&said.target))?);
        let mut taken = vec![head(&said.weapon), head(&said.target)];
        taken.extend(said.of.as_deref().map(head));
        taken.extend(said.distance.as_deref().map(head));
        taken.extend(EVERYWHERE);
        let attack = fields.iter().map(|field| Text::from(field.name.text.clone())).collect();
        let tested = said.nerve.iter().flat_map(|nerve| {
            taken.extend(nerve.shaken.as_deref());
            taken.extend(nerve.unnerved.as_deref());
            fields_of(game, &nerve.test)
        });
        let mut all: Vec<&FieldKind> = Vec::new();
        let tested: Vec<&FieldKind> = tested.collect();
        for field in fields.iter().copied().chain(tested) {
            let known = |other: &&FieldKind| other.name.text == field.name.text;
            if !taken.contains(&field.name.text.as_str()) && !all.iter().any(known) {
                all.push(field);
            }
        }
        let rest: Vec<Field> = all.iter().map(|field| form_field(game, field)).collect();
        let circumstances = rest.iter().map(|field| field.name.clone()).collect();
        let troops = troops(&carried, &aimed_at);
        let mut scenario: Vec<Field> = said.distance.iter().map(|_| RANGE).collect();
        scenario.push(plain(
            "target",
            Kind::Table(troops.into()),
            Preset::Required,
            "the reference troops of both sides",
        ));
        scenario.extend(rest);
        Some(Arms {
            game: Arc::clone(game),
            weapon: vec![carried, aimed_at].into(),
            scenario: scenario.into(),
            circumstances,
            attack,
            said,
        })
    }

    /// The name of the row that a weapon is, by its field or its own name.
    fn row<'a>(&self, name: &'a str, form: &'a Form) -> &'a str {
        let within = leaf(&self.said.weapon).unwrap_or(ROW_NAME);
        let given = match form.get(head(&self.said.weapon)) {
            Some(Value::Table(form)) => form.get(within),
            given => given,
        };
        match given {
            Some(Value::Text(row)) => row,
            _ => name,
        }
    }

    /// What is printed of a row in the column of prices.
    fn printed(&self, row: &str) -> Option<f64> {
        let column = self.said.cost.as_deref()?;
        let blocks = self.game.data.iter();
        let cells = blocks.filter_map(|block| {
            let place = block.columns.iter().position(|known| known == column)?;
            let row = block.rows.iter().position(|known| known.text == row)?;
            block.printed[row][place].parse().ok()
        });
        cells.into_iter().find(|price: &f64| *price > 0.0)
    }

    /// Whether any data has a row of that name.
    fn known(&self, row: &str) -> bool {
        let mut blocks = self.game.data.iter();
        blocks.any(|block| block.rows.iter().any(|known| known.text == row))
    }

    /// One attack by the weapon of a form at whoever another describes.
    fn attack(&self, by: (&str, &Form), at: &Form, there: &Place) -> Checked<Losses> {
        let (name, form) = by;
        let mut contest = self.place(there.setting, &self.attack);
        let weapon = head(&self.said.weapon);
        match (form.get(weapon), leaf(&self.said.weapon)) {
            (Some(value), _) => put(&mut contest, weapon, value.into()),
            (None, Some(_)) => put(&mut contest, &self.said.weapon, name.into()),
            (None, None) => put(&mut contest, weapon, name.into()),
        }
        self.aim(&mut contest, at, there.stand);
        if let (Some(distance), Some(range)) = (&self.said.distance, there.range) {
            put(&mut contest, distance, range.into());
        }
        let unnerved = self.said.nerve.as_ref().and_then(|nerve| nerve.unnerved.as_ref());
        if let (Some(field), true) = (unnerved, there.unnerved) {
            put(&mut contest, field, true.into());
        }
        let law = there.rules.ask(&self.said.attack, &contest)?;
        let losses = self.said.losses.as_str();
        let nerve = self.said.nerve.as_ref().map_or(losses, |nerve| &nerve.lost);
        let mut found = Losses { most: 0, mean: 0.0, shaken: 0.0 };
        for ([lost, shaken], p) in law.outcomes([losses, nerve]) {
            let lost = u32::try_from(lost).unwrap_or(0);
            found.most = found.most.max(lost);
            found.mean += f64::from(lost) * p;
            found.shaken += if lost == 0 && shaken > 0 { p } else { 0.0 };
        }
        // One that only shakes is a shot too.
        found.most = found.most.max(u32::from(found.shaken > 0.0));
        Ok(found)
    }

    /// What a scenario says of an action with these fields.
    fn place(&self, setting: &Setting, fields: &[Text]) -> Table {
        let said = self.circumstances.iter().filter(|field| fields.contains(field));
        let said =
            said.filter_map(|field| Some((field.to_string(), setting.form.get(field)?.into())));
        said.collect()
    }

    /// Whoever is shot at, by its nerve: `fires` is how well one that is shaken does.
    fn unit(&self, target: &Form, fires: f64, there: &Place) -> Checked<Unit> {
        let Some(nerve) = &self.said.nerve else {
            return Ok(Unit::whole());
        };
        let mut contest = self.place(there.setting, &nerve.fields);
        let known = |path: &str| nerve.fields.iter().any(|field| **field == *head(path));
        if known(&self.said.target) && !self.listed() {
            self.aim(&mut contest, target, 1);
        }
        if let Some(of) = self.said.of.as_ref().filter(|of| !known(of)) {
            contest.remove(head(of));
        }
        if let Some(shaken) = &nerve.shaken {
            put(&mut contest, shaken, true.into());
        }
        let law = there.rules.ask(&nerve.test, &contest)?;
        let stays = law.outcomes([&*nerve.lost]).filter(|([lost], _)| *lost > 0);
        let stays: f64 = stays.map(|(_, p)| p).sum();
        let steady = Condition { fires: 1.0, left: 1.0, rest: vec![(0, 1.0)] };
        let shaken = Condition { fires, left: 1.0, rest: vec![(0, 1.0 - stays), (1, stays)] };
        Ok(Unit { conditions: vec![steady, shaken], start: 0 })
    }

    /// How well a man of the reference troops fires who has lost his nerve, beside one who has not.
    fn unnerved(&self, by: (&str, &Form), target: &Form, there: &Place) -> Checked<f64> {
        if self.said.nerve.as_ref().is_none_or(|nerve| nerve.unnerved.is_none()) {
            return Ok(0.0);
        }
        let whole = self.attack(by, target, there)?;
        let shaken = self.attack(by, target, &Place { unnerved: true, ..*there })?;
        let does = |losses: Losses| losses.mean + losses.shaken;
        Ok(if does(whole) > 0.0 { (does(shaken) / does(whole)).min(1.0) } else { 0.0 })
    }

    /// Whoever is shot at, `stand` of them.
    fn aim(&self, contest: &mut Table, at: &Form, stand: i64) {
        let path = head(&self.said.target);
        let value: Option<Toml> = at.get(path).map(Toml::from);
        match (self.listed(), value) {
            (true, value) => {
                let mut one = match value {
                    Some(Toml::Table(table)) => table,
                    _ => Table::new(),
                };
                if self.said.of.is_none() {
                    one.insert(super::forms::COUNT.to_owned(), stand.into());
                }
                contest.insert(path.to_owned(), Toml::Array(vec![one.into()]));
            }
            (false, Some(value)) => put(contest, path, value),
            (false, None) => {}
        }
        if let Some(of) = &self.said.of {
            put(contest, of, stand.into());
        }
    }

    /// Whether a list of records is shot at.
    fn listed(&self) -> bool {
        let path = head(&self.said.target);
        let own = self.game.actions.iter().flat_map(|action| &action.fields);
        let mut fields = self.game.fields.iter().chain(own);
        let found = fields.find(|field| field.name.text == path);
        found.is_some_and(|field| matches!(field.holds, Holds::List(..)))
    }

    /// A round of attacks by the weapon, by the troops, and by the troops at men such as who carries
    /// the weapon: their shots fall on whoever stands there, so he takes as many as any.
    fn round(&self, by: Losses, of: Losses, on: Losses) -> Round {
        let nerve = self.said.nerve.is_some();
        let shots = of.most;
        Round {
            troop_shots: shots,
            on_troops: of.effect(shots, nerve),
            on_weapon: on.effect(shots, nerve),
            weapon_shots: by.most,
            by_weapon: by.effect(by.most, nerve),
        }
    }

    /// How many of the reference troops an attack can be made at.
    fn stand(&self, troopers: i64) -> i64 {
        if self.said.nerve.is_some() {
            return 1;
        }
        let most = match &self.said.of {
            Some(of) => {
                let own = self.game.actions.iter().flat_map(|action| &action.fields);
                let mut fields = self.game.fields.iter().chain(own);
                let found = fields.find(|field| field.name.text == *of);
                found.map_or(1, |field| match &field.holds {
                    Holds::Number(range) => range.hi,
                    _ => 1,
                })
            }
            None if self.listed() => THINGS as i64,
            None => 1,
        };
        troopers.min(most)
    }
}

/// Where an attack is made, and whether by one who has lost his nerve.
#[derive(Clone, Copy)]
struct Place<'a> {
    unnerved: bool,
    rules: &'a dyn Ask,
    setting: &'a Setting,
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

    fn printed_price(&self, weapon: Profile) -> Checked<Option<f64>> {
        let row = self.row(weapon.name, weapon.form);
        let described = weapon.form.has(head(&self.said.weapon));
        if !described && !self.known(row) {
            let rows = self.game.data.iter().flat_map(|block| &block.rows);
            let names: Vec<&str> = rows.map(|row| row.text.as_str()).collect();
            let how = format!("give its `{}`", head(&self.said.weapon));
            let fault = arsenal::without_profile(weapon.name, names.into_iter(), &how);
            return Err(vec![fault]);
        }
        Ok(self.printed(row))
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
        let points = arsenal::points_each(target, self.printed(rifle), rifle)?;
        let aimed = head(&self.said.target);
        let bearer = match weapon.form.has(aimed) {
            true => weapon.form,
            false => target,
        };
        let stand = self.stand(there.troopers() as i64);
        let place = |number| {
            let range = there.range(number, assumed);
            Place { unnerved: false, rules, setting: there, range, stand }
        };
        // How well the shaken fire is taken from where it begins.
        let first = place(0);
        let fires = self.unnerved((rifle, target), target, &first).map_err(within("scenario"))?;
        let own = self.unnerved((weapon.name, weapon.form), target, &first);
        let own = own.map_err(within("weapon"))?;
        let rounds = (0..there.moves).map(|number| {
            let at = place(number);
            let by = self.attack((weapon.name, weapon.form), target, &at);
            let of = self.attack((rifle, target), target, &at);
            let on = self.attack((rifle, target), bearer, &at);
            let [of, on] = [of, on].map(|losses| losses.map_err(within("scenario")));
            Ok(self.round(by.map_err(within("weapon"))?, of?, on?))
        });
        Ok(Staging {
            troops: self.unit(target, fires, &first).map_err(within("scenario"))?,
            weapon: self.unit(bearer, own, &first).map_err(within("weapon"))?,
            troop_points: points,
            paid: 0.0,
            rounds: rounds.collect::<Checked<Vec<_>>>()?,
        })
    }
}

/// What an attack takes: at most, and on average; and how often it takes only the nerve.
#[derive(Clone, Copy)]
struct Losses {
    most: u32,
    mean: f64,
    shaken: f64,
}

impl Losses {
    /// What each of so many shots does that take as many on average, to one who can lose his nerve.
    fn effect(self, shots: u32, nerve: bool) -> Effect {
        let each = |sum: f64| (sum / f64::from(shots.max(1))).min(1.0);
        let taken = each(self.mean);
        if !nerve {
            return takes(taken);
        }
        let shaken = each(self.shaken).min(1.0 - taken);
        let steady = vec![(0, 1.0 - taken - shaken), (1, shaken), (2, taken)];
        vec![steady, vec![(1, 1.0 - taken), (2, taken)]]
    }
}

/// The part of a name behind its dot.
fn leaf(path: &str) -> Option<&str> {
    path.split_once('.').map(|(_, leaf)| leaf)
}

/// A field that may be left out.
fn optional(field: Field) -> Field {
    Field { preset: Preset::Absent, ..field }
}

/// Who is shot at, as one of them: of a list of records, a record.
fn bearer(game: &Game, field: &FieldKind) -> Field {
    let one = optional(form_field(game, field));
    let kind = match &field.holds {
        Holds::List(_, _, of) => match &**of {
            Holds::Record(record) => Kind::Table(record_fields(game, *record, false)),
            _ => one.kind.clone(),
        },
        _ => one.kind.clone(),
    };
    Field { kind, ..one }
}

/// What a scenario says of the reference troops.
fn troops(carried: &Field, aimed_at: &Field) -> Vec<Field> {
    let many = Field::int("troopers", TROOPERS, 8, "reference troops on each side")
        .label("troops on each side");
    let points = Field::optional(
        POINTS_EACH,
        Kind::Int(PRICE),
        "points of each; the printed price of his weapon when left out",
    )
    .label("points of each");
    vec![many, points, carried.clone(), aimed_at.clone()]
}

/// Puts a value where a name leads, in tables that are made on the way.
fn put(table: &mut Table, path: &str, value: Toml) {
    match path.split_once('.') {
        None => drop(table.insert(path.to_owned(), value)),
        Some((head, rest)) => {
            let inner = table.entry(head).or_insert_with(|| Table::new().into());
            if let Toml::Table(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}
