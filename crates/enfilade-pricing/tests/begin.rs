//! Files to begin with: a custom weapon gets a price in every game, at the first or second try.

mod given;

use enfilade_games::built_in_catalogue;
use enfilade_model::catalogue::Catalogue;
use enfilade_pricing::arsenal::{Arsenal, rulebook_weapon_fields};
use enfilade_pricing::battle_runs::{
    BattleSettings, NoBattleObserver, index_of_weapon, run_battles,
};
use enfilade_pricing::doctrine::TURN_ORDER_ASSUMPTION;
use enfilade_pricing::price::prices_from_evidence;
use enfilade_pricing::rule_changes;
use enfilade_pricing::sample_arsenal;
use enfilade_pricing::scenario;
use enfilade_rules::read_without_built_in_base as read_rules;

/// A rulebook whose weapons have prices.
const GUNS: &str = "game \"Guns\"
data guns:
    name      dice needs cost
    carbine   1    5     10
    rifle     1    4     15
    repeater  2    5     20
    lance     3    5     30
    cannon    4    4     55
field gun: one of guns = carbine \"gun\"
field save: 0..5 = 0 \"save\" \"a die of this or less stops a hit\"
action fire \"one man fires\":
    lost = 0
    for i in 1..gun.dice:
        if d6 >= gun.needs:
            if d6 > save: lost += 1
    show lost \"lost\" harm
price:
    attack fire
    weapon gun
    target save
    losses lost
    cost   cost
";

fn guns() -> Catalogue {
    let none = |_: &str| Err("there are no files here".to_owned());
    let rulebook =
        read_rules("guns", "guns.rules", GUNS, &none).unwrap_or_else(|e| panic!("{e:?}"));
    Catalogue::from_rulebooks([rulebook.system])
}

fn begun(catalogue: &Catalogue, id: &str) -> String {
    let system = catalogue.rulebook_by_id(id).expect("it is there");
    sample_arsenal::runnable_sample_arsenal(
        system,
        system.pricing.as_deref().expect("it has prices"),
        "my.toml",
        None,
    )
}

fn read(catalogue: &Catalogue, text: &str) -> Arsenal {
    Arsenal::read_arsenal_text(catalogue, "my.toml", text)
        .unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// The games, and the changes that a designer makes to the custom weapon.
const GAMES: [(&str, &str, &str); 5] = [
    ("skirmishers", "damage = \"9X\"", "damage = \"8X\""),
    ("dropzone", "energy = 11", "energy = 10"),
    ("asl", "weapon = \"MMG\"", "weapon = \"HMG\""),
    ("aic", "weapons = [\"d8\", \"d8\"]", "weapons = [\"d8\", \"d10\", \"d6\"]"),
    (
        "d20",
        "\nweapon = \"bolt-action rifle\"",
        "\nweapon = { name = \"bolt-action rifle\", dice = 2 }",
    ),
];

/// The file contains every field of a weapon and every assumption, and is read unchanged; it is
/// also read with every line that has a value behind its `#`.
#[test]
fn a_file_to_begin_with_says_what_can_be_said() {
    let catalogue = built_in_catalogue();
    for (id, from, _) in GAMES {
        let text = begun(&catalogue, id);
        assert!(text.contains(from), "{text}");
        let arsenal = read(&catalogue, &text);
        let own = arsenal.weapons.last().expect("there are some");
        assert_eq!((own.name.as_str(), own.price), ("my own", None), "{id}");
        assert!(arsenal.scenarios.len() >= 3, "{id}");
        for field in rulebook_weapon_fields(&*arsenal.rules).iter() {
            let said = [format!("{} = ", field.name), format!("[weapon.{}]", field.name)];
            assert!(said.iter().any(|said| text.contains(said)), "{id}: {}", field.name);
        }
        for assumed in ["horizon", "attention", "turns", "fire"] {
            assert!(text.contains(&format!("{assumed} = ")), "{id}: {assumed}");
        }
        let assumed = text.replace("# turns = ", "turns = ").replace("# fire = ", "fire = ");
        let assumed = assumed.replace("# horizon = ", "horizon = ").replace("# lists", "lists");
        assert!(read(&catalogue, &assumed).assumptions.iter().any(|a| a.name == "fire"), "{id}");
    }
}

/// One try: a line of the file is changed, and the arsenal is priced. The file of `asl` has no
/// printed prices beside the weapon, that of `aic` too few, so theirs is in points of the troops
/// they meet.
fn own_price(catalogue: &Catalogue, text: &str) -> f64 {
    // Fewer men for two moves, and no other assumption changes: battles are short.
    let text = ["troopers = 6", "troopers = 4", "troopers = 3"]
        .iter()
        .fold(text.to_owned(), |text, many| text.replace(many, "troopers = 2"))
        .replace("moves = 5", "moves = 2")
        .replace("moves = 4", "moves = 2");
    let arsenal = read(catalogue, &text);
    let own = index_of_weapon(&arsenal, "my own").expect("it is there");
    let settings =
        BattleSettings { only: Some(arsenal.weapons.len()), ..BattleSettings::default() };
    let evidence = run_battles(&arsenal, &settings, &NoBattleObserver).expect("nothing stops it");
    let pricing = prices_from_evidence(&evidence, &arsenal.settings).expect("it is whole");
    let even = pricing.weapons[own].even_price_if_any().expect("it has a price");
    assert!(even.price.low < even.price.best && even.price.best < even.price.high);
    even.price.best
}

#[test]
fn an_own_gun_of_a_rulebook_is_priced() {
    let guns = guns();
    let text = begun(&guns, "guns");
    let copy = own_price(&guns, &text);
    // The unchanged weapon is a carbine: five guns with prices give its price.
    assert!((5.0..20.0).contains(&copy), "{copy}");
    // It says how: the line behind the `#` may take the place of the other.
    assert!(text.contains("\n# gun = { name = \"carbine\", "), "{text}");
    let own = text.replace("\ngun = \"carbine\"", "\ngun = { dice = 4, needs = 4 }");
    assert_ne!(own, text);
    assert!(own_price(&guns, &own) > 1.5 * copy);
    // A rulebook without a starter arsenal.
    let planted = given::catalogue();
    let text = begun(&planted, "planted");
    assert!(own_price(&planted, &text.replace("# dice = 1", "dice = 3")) > 0.0);
}

#[test]
fn an_own_gun_of_every_game_is_priced() {
    let catalogue = built_in_catalogue();
    for (id, from, to) in GAMES {
        let text = begun(&catalogue, id).replace(from, to);
        println!("{id}: {:.1}", own_price(&catalogue, &text));
    }
}

/// Units of `dropzone` are activated in turn, those of the other games by sides.
#[test]
fn a_new_arsenal_has_the_turns_of_its_game() {
    let catalogue = built_in_catalogue();
    for (id, _, _) in GAMES {
        let arsenal = read(&catalogue, &begun(&catalogue, id));
        let turns = arsenal.assumptions.iter().find(|of| of.name == TURN_ORDER_ASSUMPTION);
        assert_eq!(turns.map(|of| of.default), (id == "dropzone").then_some(1.0), "{id}");
    }
}

/// A wrong name below `[change]` gets the nearest names.
#[test]
fn a_wrong_name_of_a_change_has_five_near_it() {
    let catalogue = built_in_catalogue();
    let text = begun(&catalogue, "skirmishers") + "[change]\nbase_rangd = 7\n";
    let told = format!(
        "{:?}",
        Arsenal::read_arsenal_text(&catalogue, "my.toml", &text).expect_err("no name")
    );
    assert!(told.contains("enfilade systems skirmishers price"), "{told}");
    assert!(told.contains("the nearest are `base_ranged`, `"), "{told}");
    let system = catalogue.rulebook_by_id("skirmishers").expect("built in");
    assert!(rule_changes::fields_that_may_change(system).any(|field| field.name == "base_ranged"));
    let none =
        "system = 'dropzone'\n[[scenario]]\nname = 'open'\ntarget = { unit = 'UCM/Sabre Tank' }\n";
    let told = format!(
        "{:?}",
        Arsenal::read_arsenal_text(&catalogue, "my.toml", none).expect_err("no weapon")
    );
    assert!(told.contains("enfilade new dropzone price"), "{told}");
}

/// Points of troops in halves and quarters, as prices.
#[test]
fn troops_cost_halves_and_quarters() {
    let catalogue = built_in_catalogue();
    let text = "system = 'dropzone'\n[[weapon]]\nname = 'UCM/Sabre Tank'\nprice = 2.25\n[[scenario]]\nname = 'open'\n\
        range = [12]\ntarget = { unit = 'UCM/Sabre Tank', troopers = 3, points_each = 2.5 }\n";
    let arsenal = read(&catalogue, text);
    let settings = BattleSettings { only: Some(1), ..BattleSettings::default() };
    let evidence = run_battles(&arsenal, &settings, &NoBattleObserver).expect("nothing stops it");
    let pricing = prices_from_evidence(&evidence, &arsenal.settings).expect("it is whole");
    assert!((pricing.weapons[0].worth.best - 2.5).abs() < 1e-9, "{:?}", pricing.weapons[0].worth);
    // The help of the field says what is read, and no whole number.
    let fields = rulebook_weapon_fields(&*arsenal.rules);
    let help =
        scenario::describe_arsenal_field_values(fields.get("price").expect("it has a price"));
    assert_eq!(help, "points in halves and quarters, 0.25 to 1000000");
}
