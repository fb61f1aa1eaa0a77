//! Weapons of a game in a text file are priced from its `price:` lines. Expected numbers are
//! counted by hand.

use enfilade_model::catalogue::Catalogue;
use enfilade_model::error::InputError;
use enfilade_model::weapons::BattleSetup;
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::battle_runs::{BattleSettings, NoBattleObserver, run_battles};
use enfilade_pricing::error::PricingError;
use enfilade_pricing::evidence::AssumptionCase;
use enfilade_pricing::price::{self, prices_from_evidence};
use enfilade_rules::{read_rulebook_at_path, read_without_built_in_base};
use enfilade_study::error::StudyError;
use enfilade_testkit::source_files::repository_folder;

/// A shot hits on so much or more of a six-sided die; a save of so much or less stops it. A mortar
/// takes one man for each of two dice.
const DUEL: &str = "game \"Duel\"

data guns:
    name    hit  shots  cost
    bow     5    1      10
    gun     3    1      20
    mortar  4    2      -
field weapon: one of guns = bow       \"weapon\"
field save: 0..6 = 0                  \"save\" \"a die of this or less stops a hit\"
field men: 1..8 = 1                   \"men\"
field far: 0..100 = 0                 \"distance\"
field fog: 0..3 = 0                   \"fog\" \"taken off every die\"

action fire \"one man shoots\":
    lost = 0
    for i in 1..weapon.shots:
        if far <= 50 and d6 - fog >= weapon.hit:
            if d6 > save: lost += 1
    lost = lost at most men
    show lost                         \"lost\"  harm
";

const PRICE: &str = "price:
    attack    fire
    weapon    weapon
    cost      cost
    target    save
    losses    lost
    of        men
    distance  far
";

fn duel(price: &str) -> Catalogue {
    let none = |_: &str| Err("there are no files here".to_owned());
    let text = format!("{DUEL}{price}");
    let rulebook = read_without_built_in_base("duel", "duel.rules", &text, &none);
    let rulebook = rulebook.unwrap_or_else(|error| panic!("{error:?}"));
    Catalogue::from_rulebooks([rulebook.system])
}

fn arsenal(catalogue: &Catalogue, text: &str) -> Arsenal {
    Arsenal::read_arsenal_text(catalogue, "test", text).unwrap_or_else(|error| panic!("{error:?}"))
}

/// The first weapon in the first scenario.
fn staged(text: &str) -> BattleSetup {
    staged_in(&duel(PRICE), text)
}

fn staged_in(catalogue: &Catalogue, text: &str) -> BattleSetup {
    let arsenal = arsenal(catalogue, text);
    let settings = BattleSettings { trials: 1000, ..BattleSettings::default() };
    let kernels = arsenal.new_contest_cache(&settings);
    let assumed = arsenal.values_of_rulebook_assumptions(AssumptionCase::Default);
    let (gun, there) = (&arsenal.weapons[0], &arsenal.scenarios[0].setting);
    let staged = arsenal.set_up_weapon(gun, there, &assumed, &kernels);
    staged.expect("it was staged when it was read").0
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
}

#[test]
fn one_attack_is_one_shot_by_the_rules_of_the_file() {
    let staging = staged(
        "system = 'duel'\n[[weapon]]\nname = 'gun'\n[[scenario]]\nname = 'a'\nmoves = 2\nrange = [60, 40]\n\
         target = { weapon = 'bow', save = 3, troopers = 4 }\n",
    );
    // Beyond 50 nobody hits; then a gun on 3 and more, a bow on 5 and more, half of them saved.
    assert_eq!(staging.rounds[0].by_weapon[0][0], (0, 1.0));
    close(staging.rounds[1].by_weapon[0][1].1, 4.0 / 6.0 / 2.0);
    close(staging.rounds[1].on_troops[0][1].1, 2.0 / 6.0 / 2.0);
    close(staging.rounds[1].on_weapon[0][1].1, 2.0 / 6.0 / 2.0);
    assert_eq!((staging.troop_points, staging.extra_points), (10.0, 0.0));
}

#[test]
fn an_attack_at_many_takes_as_many_as_it_can() {
    let staging = staged(
        "system = 'duel'\n[[weapon]]\nname = 'mortar'\nsave = 5\n[[scenario]]\nname = 'a'\nfog = 1\n\
         target = { weapon = 'bow', troopers = 4 }\n",
    );
    // Two dice of 5 and more in fog: two shots of a third each; alone one man can be lost.
    assert_eq!(staging.rounds[0].weapon_shots, 2);
    close(staging.rounds[0].by_weapon[0][1].1, 2.0 / 6.0);
    // Its bearer has a save of his own: a bow on 6 in fog, and one in six is not saved.
    close(staging.rounds[0].on_weapon[0][1].1, 1.0 / 36.0);
}

#[test]
fn a_weapon_of_the_file_is_priced_and_the_troops_own_is_worth_what_they_cost() {
    let catalogue = duel(PRICE);
    let text = "system = 'duel'\n[[weapon]]\nname = 'bow'\n[[weapon]]\nname = 'mortar'\n\
                [[weapon]]\nname = 'mine'\nweapon = { hit = 2, shots = 1, cost = 0 }\n\
                [[scenario]]\nname = 'a'\nmoves = 3\ntarget = { weapon = 'bow', troopers = 4 }\n";
    let arsenal = arsenal(&catalogue, text);
    let prices: Vec<_> = arsenal.weapons.iter().map(|weapon| weapon.price).collect();
    assert_eq!(prices, [Some(10.0), None, None]);
    let evidence = run_battles(&arsenal, &BattleSettings::default(), &NoBattleObserver)
        .expect("nothing stops it");
    let pricing =
        prices_from_evidence(&evidence, &price::PricingSettings::default()).expect("it is whole");
    let worth: Vec<f64> = pricing.weapons.iter().map(|weapon| weapon.worth.best).collect();
    close(worth[0], 10.0);
    assert!(worth[1] > 15.0 && worth[2] > 15.0, "{worth:?}");
}

/// What one of the file's own rows, one's own weapon and a changed one cost is not the same: the
/// price is the question of the last two, and so nobody has to give it. Where a rule reads it, it
/// is a number of the weapon like any other.
#[test]
fn a_weapon_of_ones_own_needs_no_price() {
    let own = "[[weapon]]\nname = 'bow'\n[[weapon]]\nname = 'mine'\nweapon = { hit = 2, shots = 1 }\n\
               [[weapon]]\nname = 'gun'\nweapon = { name = 'gun', shots = 2 }\n[[weapon]]\n\
               name = 'kept'\nprice = 20\nweapon = { name = 'gun', shots = 2 }\n[[scenario]]\nname = 'a'\n\
               moves = 3\ntarget = { weapon = 'bow', troopers = 4 }\n";
    let file = format!("system = 'duel'\n{own}");
    let priced = arsenal(&duel(PRICE), &file);
    let prices: Vec<_> = priced.weapons.iter().map(|weapon| weapon.price).collect();
    assert_eq!(prices, [Some(10.0), None, None, Some(20.0)]);
    // One shot on 2 and more.
    let mine = staged(&file.replacen("[[weapon]]\nname = 'bow'\n", "", 1));
    close(mine.rounds[0].by_weapon[0][1].1, 5.0 / 6.0);
    let none = |_: &str| Err("there are no files here".to_owned());
    let reads = DUEL.replace("lost = lost at most men", "lost = lost at most men + weapon.cost");
    let rulebook =
        read_without_built_in_base("duel", "duel.rules", &format!("{reads}{PRICE}"), &none)
            .expect("in order");
    let (problem, _) = problems(&Catalogue::from_rulebooks([rulebook.system]), &file).remove(0);
    assert!(problem.starts_with("`cost` is missing"), "{problem}");
    // A column that is no price is asked for still.
    let (problem, _) = problems(&duel(PRICE), &file.replace("hit = 2, ", "")).remove(0);
    assert!(problem.starts_with("`hit` is missing"), "{problem}");
}

/// Two data of a rulebook change at once: a bow hits on a 6 alone, and a cap stops every other hit.
#[test]
fn several_data_change_at_once() {
    let hats = "data hats:\n    name  stops\n    cap   0\nfield hat: one of hats = cap  \"hat\"\nfield weapon:";
    let rules =
        DUEL.replacen("field weapon:", hats, 1).replace("d6 > save", "d6 > save + hat.stops");
    let none = |_: &str| Err("there are no files here".to_owned());
    let rulebook =
        read_without_built_in_base("duel", "duel.rules", &format!("{rules}{PRICE}"), &none)
            .unwrap_or_else(|error| panic!("{error:?}"));
    let catalogue = Catalogue::from_rulebooks([rulebook.system]);
    let staging = staged_in(
        &catalogue,
        "system = 'duel'\n[change]\nguns.bow.hit = 6\nhats.cap.stops = 3\n[[weapon]]\nname = 'bow'\n\
         [[scenario]]\nname = 'a'\nmoves = 2\ntarget = { weapon = 'bow', troopers = 4, points_each = 10 }\n",
    );
    close(staging.rounds[0].by_weapon[0][1].1, 1.0 / 12.0);
}

/// The lines that `price:` cannot do without are those that it asks for, and a line has one name.
#[test]
fn what_price_needs_is_asked_for() {
    let none = |_: &str| Err("there are no files here".to_owned());
    let without = |line: &str| {
        let lines = PRICE.lines().filter(|known| !known.trim().starts_with(line));
        let text = format!("{DUEL}{}\n", lines.collect::<Vec<_>>().join("\n"));
        read_without_built_in_base("duel", "duel.rules", &text, &none)
            .map_err(|error| format!("{error:?}"))
    };
    for needed in ["attack", "weapon", "target", "losses"] {
        let told = without(needed).err().unwrap_or_else(|| panic!("{needed} is not needed"));
        assert!(told.contains(&format!("`price` needs a line `{needed}`")), "{told}");
    }
    for spared in ["cost", "of ", "distance"] {
        assert!(without(spared).is_ok(), "{spared} is needed");
    }
    let long = format!("{DUEL}{}", PRICE.replace("losses    lost", "losses lost 3"));
    let told = read_without_built_in_base("duel", "duel.rules", &long, &none).err();
    let told = told.map(|error| format!("{error:?}")).expect("it has three names");
    assert!(told.contains("a key, and the one name that it means"), "{told}");
}

/// A weapon may be several fields: three dice on 3 and more against two on 5 and more.
#[test]
fn a_weapon_may_be_several_fields() {
    let text = "game \"Plain\"
field shots: 1..6 = 2     \"shots\"
field hit: 2..6 = 5       \"to hit\"
field cover: 0..2 = 0     \"cover\"

action fire \"one man shoots\":
    lost = 0
    for i in 1..shots:
        if d6 >= hit + cover: lost += 1
    show lost             \"lost\"  harm

price:
    attack  fire
    weapon  shots
    weapon  hit
    target  cover
    losses  lost
";
    let none = |_: &str| Err("there are no files here".to_owned());
    let rulebook = read_without_built_in_base("plain", "plain.rules", text, &none);
    let catalogue =
        Catalogue::from_rulebooks([rulebook.unwrap_or_else(|e| panic!("{e:?}")).system]);
    let staging = staged_in(
        &catalogue,
        "system = 'plain'\n[[weapon]]\nname = 'mine'\nshots = 3\nhit = 3\ncover = 1\n[[scenario]]\nname = 'a'\n\
         target = { troopers = 4, points_each = 10 }\n",
    );
    let round = &staging.rounds[0];
    assert_eq!((round.weapon_shots, round.troop_shots), (3, 2));
    close(round.by_weapon[0][1].1, 4.0 / 6.0);
    close(round.on_troops[0][1].1, 2.0 / 6.0);
    close(round.on_weapon[0][1].1, 1.0 / 6.0);
}

fn problems(catalogue: &Catalogue, text: &str) -> Vec<(String, String)> {
    let Err(PricingError::Study(StudyError::Input(InputError { faults, .. }))) =
        Arsenal::read_arsenal_text(catalogue, "test", text)
    else {
        panic!("it has faults")
    };
    let told = faults.into_iter().map(|fault| fault.fault);
    told.map(|fault| (fault.problem, fault.help.unwrap_or_default())).collect()
}

#[test]
fn what_is_missing_is_told() {
    let scenario = "[[scenario]]\nname = 'a'\ntarget = { weapon = 'bow' }\n";
    let text = format!("system = 'duel'\n[[weapon]]\nname = 'gum'\n{scenario}");
    let (problem, help) = problems(&duel(PRICE), &text).remove(0);
    assert!(problem.contains("no profile") && help.contains("\"gun\""), "{problem} {help}");
    let (problem, help) = problems(&duel(""), &text.replace("gum", "gun")).remove(0);
    assert!(problem.contains("cannot be priced"), "{problem}");
    for line in ["price:", "attack", "weapon", "target", "losses"] {
        assert!(help.contains(line), "{help}");
    }
}

/// The game that ships: seven weapons for one fighter each, against carbines.
#[test]
fn the_salvage_crews_can_be_priced() {
    let path = repository_folder().join("rulebooks/salvage_crews.rules");
    let rulebook =
        read_rulebook_at_path(&path, crate::built_in()).unwrap_or_else(|error| panic!("{error:?}"));
    let catalogue = Catalogue::from_rulebooks([rulebook.system]);
    let names = ["pistol", "carbine", "scattergun", "rail rifle", "repeater"];
    let weapons = names.map(|name| format!("[[weapon]]\nname = '{name}'\n")).concat();
    let text = format!(
        "system = 'salvage_crews'\n{weapons}[[scenario]]\nname = 'wreck'\nmoves = 4\nshooters = 1\n\
         target = {{ weapon = 'carbine', troopers = 3 }}\n"
    );
    let arsenal = arsenal(&catalogue, &text);
    let evidence = run_battles(&arsenal, &BattleSettings::default(), &NoBattleObserver)
        .expect("nothing stops it");
    let pricing =
        prices_from_evidence(&evidence, &price::PricingSettings::default()).expect("it is whole");
    let worth = |name: &str| {
        let mut weapons = pricing.weapons.iter();
        weapons.find(|weapon| weapon.name == name).expect("it is one of them").worth.best
    };
    close(worth("carbine"), 20.0);
    assert!(worth("pistol") < 20.0 && worth("repeater") > worth("scattergun"));
}

/// A hit fells one man in two and takes the nerve of the other, who holds on so much or less.
const NERVE: &str = "game \"Nerve\"

data guns:
    name  hit  cost
    bow   5    10
    gun   3    20
field weapon: one of guns = bow   \"weapon\"
field cover: 0..3 = 0             \"cover\" \"added to what fells a man\"
field trembling: yes/no = no      \"trembling\" \"whoever shoots has lost his nerve\"
field scared: yes/no = no         \"scared\" \"the one who tests has lost his nerve\"
field brave: 0..6 = 3             \"brave\" \"a die of this or less holds\"

action fire \"one man shoots\":
    lost = no
    shaken = no
    aim = d6
    if trembling: aim -= 2
    if aim >= weapon.hit:
        if d6 > 3 + cover: lost = yes
        else: shaken = yes
    show lost    \"lost\"  harm
    show shaken  \"shaken\"

action hold \"one who has lost his nerve finds it again\":
    shaken = no
    if scared and d6 > brave: shaken = yes
    show shaken  \"shaken\"

price:
    attack    fire
    weapon    weapon
    cost      cost
    target    cover
    losses    lost
    nerve     shaken
    morale    hold
    shaken    scared
    unnerved  trembling
";

/// Whoever loses his nerve is a man of another condition until the game's own test brings him back.
#[test]
fn nerve_is_lost_and_comes_back_by_the_test_of_the_file() {
    let none = |_: &str| Err("there are no files here".to_owned());
    let read_in = |text: &str| read_without_built_in_base("nerve", "nerve.rules", text, &none);
    let rulebook = read_in(NERVE).unwrap_or_else(|error| panic!("{error:?}"));
    let catalogue = Catalogue::from_rulebooks([rulebook.system]);
    let text = "system = 'nerve'\n[[weapon]]\nname = 'gun'\n[[weapon]]\nname = 'bow'\n[[scenario]]\nname = 'a'\n\
                brave = 2\nmoves = 2\ntarget = { weapon = 'bow', troopers = 3 }\n";
    let staging = staged_in(&catalogue, text);
    // A bow on 5 and 6, half of them fatal; a gun on 3 and more.
    let leads = |effect: &[(usize, f64)], expected: [(usize, f64); 3]| {
        for ((to, p), (where_to, chance)) in effect.iter().zip(expected) {
            assert_eq!(*to, where_to);
            close(*p, chance);
        }
    };
    let round = &staging.rounds[0];
    leads(&round.on_troops[0], [(0, 4.0 / 6.0), (1, 1.0 / 6.0), (2, 1.0 / 6.0)]);
    leads(&round.by_weapon[0], [(0, 2.0 / 6.0), (1, 2.0 / 6.0), (2, 2.0 / 6.0)]);
    assert_eq!(round.by_weapon[1].len(), 2);
    close(round.by_weapon[1][1].1, 2.0 / 6.0);
    // Back on 1 and 2; a trembling bow never hits, a trembling gun half as often.
    let [steady, shaken] = &staging.troops.conditions[..] else { panic!("two conditions") };
    assert_eq!((steady.fires, &steady.rest[..]), (1.0, &[(0, 1.0)][..]));
    close(shaken.rest[0].1, 2.0 / 6.0);
    assert_eq!(shaken.fires, 0.0);
    close(staging.weapon.conditions[1].fires, 0.5);
    let evidence =
        run_battles(&arsenal(&catalogue, text), &BattleSettings::default(), &NoBattleObserver);
    let pricing =
        prices_from_evidence(&evidence.expect("it ends"), &price::PricingSettings::default());
    let pricing = pricing.expect("it is whole");
    close(pricing.weapons[1].worth.best, 10.0);
    assert!(pricing.weapons[0].worth.best > 15.0);
    // One without the other is a fault.
    let half = NERVE.replace("    morale    hold\n", "");
    let Err(InputError { faults, .. }) = read_in(&half) else { panic!("it has faults") };
    assert!(faults[0].fault.problem.contains("`morale`"), "{faults:?}");
}

/// The d20 game that ships: a machine gun is worth more than a rifle, the Pinned come back by its
/// own morale roll, and hold on less where they are novices.
#[test]
fn the_d20_game_is_priced_through_its_own_morale() {
    let path = repository_folder().join("rulebooks/d20.rules");
    let rulebook =
        read_rulebook_at_path(&path, crate::built_in()).unwrap_or_else(|error| panic!("{error:?}"));
    let catalogue = Catalogue::from_rulebooks([rulebook.system]);
    let text = |quality: &str| {
        format!(
            "system = 'd20'\n[[weapon]]\nname = 'bolt-action rifle'\n[[weapon]]\nname = 'HMG'\n\
             [[scenario]]\nname = 'a'\nmoves = 3\nspotted = true\n\
             quality = '{quality}'\n\
             target = {{ weapon = 'bolt-action rifle', troopers = 2, points_each = 10 }}\n"
        )
    };
    let back = |quality: &str| {
        let staging = staged_in(&catalogue, &text(quality));
        staging.troops.conditions[1].rest[0].1
    };
    // A d20 at or under 8 and 14, as average and veteran are.
    close(back("novice"), 8.0 / 20.0);
    close(back("veteran"), 14.0 / 20.0);
}
