//! Arsenal files: what is read, what is refused, and what their evidence says. Expected numbers are
//! counted by hand or by a second telling of the rule.

mod arsenals;

use enfilade_engine::graph::CompiledContestLimits;
use enfilade_model::catalogue::System;
use enfilade_model::error::InputError;
use enfilade_pricing::arsenal::{Arsenal, is_arsenal_text};
use enfilade_pricing::battle_runs::{
    BattleObserver, BattleSettings, NoBattleObserver, run_battles,
};
use enfilade_pricing::error::PricingError;
use enfilade_pricing::evidence::AssumptionCase;
use enfilade_pricing::price::ScaleSource;
use enfilade_study::error::StudyError;

use arsenals::{BUILT_IN, chance, gathered, kernels, read, refused, set_up, staged, told};

const HEAD: &str = "system = 'skirmishers'\n";

/// The only fault of a file with this weapon and scenario.
fn the_fault(weapon: &str, scenario: &str) -> (String, String, String) {
    let text = format!("{HEAD}[[weapon]]\n{weapon}\n[[scenario]]\n{scenario}\n");
    let mut faults = refused(&text);
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults.remove(0)
}

const HMG: &str = "name = 'HMG'";
const OPEN: &str = "name = 'open'\nwithin_reach = true\ntarget = { troopers = 4 }";

#[test]
fn what_is_left_out_has_its_default() {
    let arsenal = read(&format!("{HEAD}[[weapon]]\n{HMG}\n[[scenario]]\n{OPEN}\n"));
    assert_eq!((arsenal.name.as_str(), arsenal.weapons[0].price), ("test", Some(229.0)));
    let scenario = &arsenal.scenarios[0];
    assert_eq!(
        (scenario.weights.weight, scenario.setting.moves, scenario.weights.opponent.as_str()),
        (1.0, 6, "open")
    );
    let named: Vec<_> = arsenal.assumptions.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(named, ["horizon", "discount", "attention", "base", "arc", "attacks"]);
}

#[test]
fn weights_that_sum_to_zero_are_refused() {
    let (path, problem, _) = the_fault(HMG, &format!("weight = 0\n{OPEN}"));
    assert_eq!(path, "scenario[0].weight");
    assert!(problem.contains("sum to zero"), "{problem}");
}

#[test]
fn a_scenario_without_target_is_refused() {
    let (path, problem, _) = the_fault(HMG, "name = 'empty'");
    assert_eq!(path, "scenario[0].target");
    assert!(problem.contains("missing"), "{problem}");
}

#[test]
fn a_weapon_without_profile_is_refused_with_the_nearest_name() {
    let (path, problem, help) = the_fault("name = 'HGM'\nprice = 10", OPEN);
    assert_eq!(path, "weapon[0].name");
    assert!(problem.contains("no profile"), "{problem}");
    assert!(help.contains("\"HMG\"") || help.contains("\"MMG\""), "{help}");
    // Described in full it is one.
    read(&format!(
        "{HEAD}[[weapon]]\nname = 'HGM'\nprice = 10\ndamage = '7X'\nshort = 20\nlong = 60\n[[scenario]]\n{OPEN}\n"
    ));
}

#[test]
fn a_price_of_nothing_or_less_is_refused() {
    for price in ["0", "-5"] {
        let (path, problem, _) = the_fault(&format!("{HMG}\nprice = {price}"), OPEN);
        assert_eq!(path, "weapon[0].price");
        assert!(problem.ends_with(&format!("but it is {price}")), "{problem}");
    }
    // A weapon of one's own that has none yet is a candidate: its price is the question.
    let mine =
        read(&format!("{HEAD}[[weapon]]\nname = 'mine'\ndamage = '4X'\n[[scenario]]\n{OPEN}\n"));
    assert_eq!(mine.weapons[0].price, None);
    // The knife is printed without a point value, and is not fired at all.
    let (path, problem, _) = the_fault("name = 'knife'", OPEN);
    assert_eq!(path, "weapon[0].name");
    assert!(problem.contains("melee"), "{problem}");
}

#[test]
fn numbers_that_are_none_are_refused() {
    for weight in ["nan", "inf", "-1", "1e300", "'much'"] {
        let (path, ..) = the_fault(HMG, &format!("weight = {weight}\n{OPEN}"));
        assert_eq!(path, "scenario[0].weight", "{weight}");
    }
}

/// Lists, fitted prices and prices to try are keys of a file; a wrong name below the last is marked
/// itself.
#[test]
fn a_file_sets_what_its_lists_try() {
    let text = |keys: &str, below: &str| {
        format!(
            "{HEAD}{keys}[[weapon]]\n{HMG}\n[[scenario]]\n{OPEN}\n[prices.try]\n{below} = 12.5\n"
        )
    };
    let arsenal = read(&text("lists = 500\nbound = true\n", "hmg"));
    assert_eq!((arsenal.lists, arsenal.bound), (Some(500.0), true));
    assert_eq!(arsenal.tries, [(0, 12.5)]);
    assert!(!read(&text("bound = false\n", "HMG")).bound);
    let wrong = text("", "HGM");
    let Err(PricingError::Study(StudyError::Input(InputError { faults, .. }))) =
        Arsenal::read_arsenal_text(&BUILT_IN, "test", &wrong)
    else {
        panic!("it has a fault")
    };
    assert_eq!((faults.len(), &wrong[faults[0].span.clone()]), (1, "HGM"));
    assert_eq!(faults[0].fault.help.as_deref(), Some("did you mean \"HMG\"?"));
    assert!(refused(&text("bound = 3\n", "HMG"))[0].1.contains("true or false"));
}

/// What is known for sure is one number, prices take halves and quarters, and the scale can be
/// settled.
#[test]
fn a_file_may_say_less_and_more() {
    let text = |price: &str, below: &str| {
        format!(
            "{HEAD}price_step = 0.5\n{below}\n[[weapon]]\nname = 'HMG'\nprice = {price}\n\
             [[weapon]]\nname = 'mine'\ndamage = '4X'\n[[scenario]]\n{OPEN}\n"
        )
    };
    let arsenal = read(&text("12.25", "[scale]\nunit = 'hmg'\n[assumptions]\nhorizon = 1.5"));
    assert_eq!((arsenal.weapons[0].price, arsenal.settings.step), (Some(12.25), Some(0.5)));
    assert_eq!(arsenal.settings.scale, ScaleSource::ByUnit(0));
    let horizon = arsenal.assumptions.iter().find(|assumed| assumed.name == "horizon");
    let horizon = horizon.expect("it is assumed");
    assert_eq!([horizon.low, horizon.default, horizon.high], [1.5; 3]);
    assert_eq!(read(&text("12", "[scale]\nk = 0.62")).settings.scale, ScaleSource::By(0.62));
    let fault = |price: &str, below: &str| {
        let Err(error) = Arsenal::read_arsenal_text(&BUILT_IN, "test", &text(price, below)) else {
            panic!("{price} {below} has no fault")
        };
        let [(path, problem, help)] = &told(error)[..] else { panic!("one fault") };
        format!("{path}: {problem}; {help}")
    };
    let odd = fault("12.3", "");
    assert!(odd.contains("weapon[0].price: 12.3 is no whole number, half or quarter"), "{odd}");
    assert!(odd.contains("the nearest is 12.25"), "{odd}");
    for (below, expected) in [
        ("[scale]\nunit = 'HGM'", "scale.unit: there is no weapon \"HGM\"; did you mean \"HMG\"?"),
        ("[scale]\nunit = 'mine'", "scale.unit: \"mine\" has no price"),
        ("[scale]\nunit = 3", "scale.unit: expected the name"),
        ("[scale]\nk = 0", "scale.k: "),
        ("[scale]\nk = 1\nunit = 'HMG'", "scale.k: `unit` and `k` both set"),
        ("[scale]\nfactor = 1", "scale.factor: there is no field `factor` here"),
        ("scale = 3", "scale: expected a table"),
    ] {
        let told = fault("12", below);
        assert!(told.starts_with(expected), "{below}: {told}");
    }
}

#[test]
fn every_fault_is_found_at_once_and_where_it_stands() {
    let text = "system = 'skirmishers'\nsistem = 1\n[[weapon]]\nname = 'HMG'\nprise = 3\n[[scenario]]\nname = 'a'\n\
                target = { troopers = 400, armour = 'iron', wepon = 'rifle' }\n[assumptions]\nhorizont = [1, 2, 3]\n\
                discount = [0.9, 0.8, 1]\nbase = [2]\n";
    let Err(PricingError::Study(StudyError::Input(InputError { faults, .. }))) =
        Arsenal::read_arsenal_text(&BUILT_IN, "test", text)
    else {
        panic!("it has faults")
    };
    let spots: Vec<_> = faults.iter().map(|f| &text[f.span.clone()]).collect();
    let expected =
        ["sistem", "prise", "400", "'iron'", "wepon", "horizont", "[0.9, 0.8, 1]", "[2]"];
    let mut found = spots.clone();
    found.sort_unstable();
    let mut wanted = expected.to_vec();
    wanted.sort_unstable();
    assert_eq!(found, wanted);
    let help = |at: &str| {
        let fault = faults.iter().find(|f| f.fault.path.ends_with(at)).expect("it is one of them");
        fault.fault.help.clone().unwrap_or_default()
    };
    assert_eq!(help("wepon"), "did you mean `weapon`?");
    assert_eq!(help("horizont"), "did you mean `horizon`?");
}

#[test]
fn files_that_are_no_arsenals_are_refused() {
    assert!(refused("")[0].1.contains("`system` is missing"));
    let without = BUILT_IN.clone().with_rulebook(System::new("bare", "No prices", []));
    let bare =
        Arsenal::read_arsenal_text(&without, "test", "system = 'bare'").expect_err("it has faults");
    let (path, problem, help) = told(bare).remove(0);
    assert_eq!(path, "system");
    assert!(problem.contains("cannot be priced"), "{problem}");
    assert!(help.contains("skirmishers"), "{help}");
    assert!(refused("system = 'skirmisher'")[0].2.contains("skirmishers"));
    let none = refused(HEAD);
    assert_eq!(none.iter().map(|f| f.0.as_str()).collect::<Vec<_>>(), ["weapon", "scenario"]);
    let large = format!("{HEAD}# {}", "x".repeat(1 << 20));
    assert!(refused(&large)[0].1.contains("more than"));
    let twice =
        format!("{HEAD}[[weapon]]\n{HMG}\n[[weapon]]\nname = 'hmg'\n[[scenario]]\n{OPEN}\n");
    assert!(refused(&twice)[0].1.contains("two weapons called"));
}

/// A file with weapons or scenarios is one, unless it asks for a contest.
#[test]
fn an_arsenal_is_told_by_its_keys() {
    for (text, expected) in [
        ("[[weapon]]\nname = 'HMG'\n", true),
        ("[[scenario]]\nname = 'open'\n", true),
        ("[contest]\n", false),
        ("[contest]\n[[weapon]]\nname = 'HMG'\n", false),
        ("system = 'skirmishers'\n", false),
        ("[[weapon]\n", false),
    ] {
        assert_eq!(is_arsenal_text(text), expected, "{text}");
    }
}

#[test]
fn what_cannot_be_staged_is_found_where_it_is_written() {
    let (path, _, help) = the_fault(HMG, "name = 'a'\ntarget = { weapon = 'rifel' }");
    assert_eq!(
        (path.as_str(), help.as_str()),
        ("scenario[0].target.weapon", "did you mean \"rifle\"?")
    );
    let (path, ..) = the_fault("name = 'mine'\nprice = 3\ndamage = 'seven'", OPEN);
    assert_eq!(path, "weapon[0].damage");
    let (path, ..) =
        the_fault("name = 'mine'\nprice = 3\ndamage = '7X'\nshort = 9\nlong = 5", OPEN);
    assert_eq!(path, "weapon[0].short");
}

/// Attacks until a man without armour is out of action: `points` cells are crossed from the cell
/// that 2d6 pick towards 0; he is out once cell 1 or 0 is crossed, or damage runs past it.
fn attacks_needed(points: usize, hit: f64, crossed: u16) -> f64 {
    let mut expected = 1.0 / hit;
    for sum in 2..=12_i32 {
        let (mut cell, mut left, mut card) = (sum.min(10), points, crossed);
        while left > 0 && cell >= 0 {
            if card & (1 << cell) == 0 {
                (card, left) = (card | 1 << cell, left - 1);
            }
            cell -= 1;
        }
        if left == 0 && card & 0b11 == 0 {
            let picked = f64::from(6 - (sum - 7).abs()) / 36.0;
            expected += picked * attacks_needed(points, hit, card);
        }
    }
    expected
}

#[test]
fn kernels_are_those_of_the_rules() {
    let text = |weapon: &str, range: i64| {
        format!(
            "{HEAD}[[weapon]]\nname = '{weapon}'\n[[scenario]]\nname = 'a'\nrange = [{range}]\ntarget = {{ troopers = 4 }}\n"
        )
    };
    // 13X ends everybody it hits; 106 dots are short range: 6 or more.
    let laser = staged(&text("heavy semi-portable laser", 60));
    assert!((laser.rounds[0].by_weapon[0][1].1 - chance(6)).abs() < 1e-9);
    // The rifle: 4X, long range beyond 26 dots: 8 or more.
    let far = laser.rounds[0].on_troops[0][1].1;
    assert!((1.0 / far - attacks_needed(4, chance(8), 0)).abs() < 1e-3, "{far}");
    // The HMG: 7X, short range to 36 dots.
    let near = staged(&text("HMG", 30)).rounds[0].by_weapon[0][1].1;
    assert!((1.0 / near - attacks_needed(7, chance(6), 0)).abs() < 1e-3, "{near}");
    // Out of reach of rifles (85) and within that of the HMG (125).
    let beyond = staged(&text("HMG", 90));
    assert_eq!(beyond.rounds[0].on_troops[0][1].1, 0.0);
    assert!(beyond.rounds[0].by_weapon[0][1].1 > 0.2);
    // Three men, who take over one after another: 6 AP of 8 is one activation.
    assert_eq!(beyond.weapon.conditions.len(), 5);
}

#[test]
fn the_chance_of_a_shot_keeps_pace_with_the_cards() {
    // Attacks on eight men one after another, cell by cell, against as many shots of the chain:
    // wounds that have not ended a man yet are all they differ by, less than half a man.
    let kernels = kernels(&read(&format!("{HEAD}[[weapon]]\n{HMG}\n[[scenario]]\n{OPEN}\n")));
    for (weapon, armour) in
        [("rifle", "none"), ("rifle", "standard"), ("LMG", "none"), ("HMG", "standard")]
    {
        let text = format!(
            "{HEAD}[[weapon]]\nname = '{weapon}'\n[[scenario]]\nname = 'a'\nrange = [20]\ntarget = {{ armour = '{armour}' }}\n"
        );
        let chance = staged(&text).rounds[0].by_weapon[0][1].1;
        for shots in [1, 4, 8, 12] {
            let contest = format!(
                "weapon = '{weapon}'\nrange = 20\ntarget_armour = '{armour}'\nshots = {shots}\ntargets = 8"
            );
            let answer = kernels.solve_action("attack", &contest.parse().expect("TOML"));
            let killed = answer.expect("it is a contest").law.measure_value("e_kills");
            let off = killed - chance * f64::from(shots);
            assert!((-0.5..=0.1).contains(&off), "{weapon}, {armour}, {shots} shots: {off}");
        }
    }
}

#[test]
fn units_of_dropzone_are_worn_down_point_by_point() {
    let text = |unit: &str, target: &str| {
        format!(
            "system = 'dropzone'\n[[weapon]]\nname = '{unit}'\n[[scenario]]\nname = 'a'\nwithin_reach = true\ntarget = {{ unit = '{target}' }}\n"
        )
    };
    // A railgun of Energy 10 that hits on 1+ against Armour 15 and one Damage Point: 5 and 6. The
    // Gatling guns of Energy 3 cannot hurt it.
    let sabres = staged(&text("UCM/Sabre", "UCM/Sabre"));
    assert!((sabres.rounds[0].on_troops[0][1].1 - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(sabres.troop_points, 35.0);
    // Against Armour 14 and two points: 4 and 5 take one, 6 is a Critical and takes both.
    // From two: 1/3 to one, 1/6 gone; from one: 1/2 gone.
    let ares = staged(&text("PHR/Ares", "UCM/Sabre"));
    let mut of = ares.rounds[0].on_weapon.clone();
    of.iter_mut().for_each(|leads| leads.sort_unstable_by_key(|lead| lead.0));
    let expected = [vec![(0, 0.5), (1, 1.0 / 3.0), (2, 1.0 / 6.0)], vec![(1, 0.5), (2, 0.5)]];
    for (found, expected) in of.iter().zip(&expected) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.0 == expected.0 && (found.1 - expected.1).abs() < 1e-12, "{of:?}");
        }
    }
    // Hurt it is half of what it was, fires as well, and none of its points is lost.
    let conditions = ares.weapon.conditions.iter();
    let left: Vec<_> = conditions.map(|c| (c.fires, c.unhurt, c.share_left)).collect();
    assert_eq!(left, [(1.0, 1.0, 1.0), (1.0, 0.5, 1.0)]);
    // A unit without weapons hurts nobody.
    let unarmed = staged(&text("Shaltari/Tate", "UCM/Sabre"));
    assert_eq!(unarmed.rounds[0].by_weapon[0][1].1, 0.0);
}

#[test]
fn a_team_is_worth_a_team_with_all_its_nerve() {
    let text = "system = 'aic'\n[[weapon]]\nname = 'team'\nprice = 40\nweapons = ['d6', 'd6', 'd6']\ndefense = 7\n\
        [[scenario]]\nname = 'a'\nmoves = 3\ntarget = { troopers = 2, points_each = 40, figures = 3, weapon = 'd6', defense = 7 }\n";
    let evidence = gathered(text, &BattleSettings::default());
    for battle in &evidence.battles {
        let even = battle.curve.iter().find(|meeting| meeting.points == 40.0);
        let won = even.expect("one team more").won;
        assert!((won - 0.5).abs() < 1e-12, "{:?}: {won}", battle.model);
    }
}

/// Two weapons, one of them the reference trooper's own, in two scenarios that are alike.
const SMALL: &str = "system = 'skirmishers'\n[[weapon]]\nname = 'MMG'\n[[weapon]]\nname = 'rifle'\n\
    [[scenario]]\nname = 'a'\nrange = [60, 20]\nmoves = 3\ntarget = { troopers = 3 }\n\
    [[scenario]]\nname = 'b'\nrange = [20, 60]\nmoves = 3\ntarget = { troopers = 3 }\n";

#[test]
fn a_trooper_is_worth_a_trooper_and_scenarios_that_are_alike_say_the_same() {
    let evidence = gathered(SMALL, &BattleSettings::default());
    // The default and both ends of six assumptions.
    assert_eq!(evidence.battles.len(), 2 * 2 * 13);
    for battle in &evidence.battles {
        let points: Vec<_> = battle.curve.iter().map(|meeting| meeting.points).collect();
        // Under other assumptions only what the worth is read from.
        let least = if battle.model == AssumptionCase::Default { 9 } else { 2 };
        assert!(points.is_sorted() && points.len() >= least, "{points:?}");
        assert!(battle.curve.iter().all(|meeting| meeting.trials.is_none()));
        assert_eq!(battle.copies.is_empty(), battle.model != AssumptionCase::Default);
        if battle.weapon == 1 {
            let even = battle.curve.iter().find(|meeting| meeting.points == 159.0);
            assert!((even.expect("one rifle").won - 0.5).abs() < 1e-12, "{:?}", battle.model);
        }
    }
    let of = |scenario: usize| {
        let there = evidence.battles.iter().filter(move |battle| battle.scenario == scenario);
        there.map(|battle| (battle.weapon, battle.model, battle.curve.clone()))
    };
    assert!(of(0).eq(of(1)));
}

/// Eight copies fight where the troops that they are worth have room: sixty at most on a side.
#[test]
fn eight_copies_fight_where_there_is_room_for_their_worth() {
    let mut have_room = Vec::new();
    for (troopers, base) in [(20, 1.0), (24, 1.25)] {
        let arsenal = read(&format!(
            "system = 'skirmishers'\n[assumptions]\nbase = {base}\n\
             [[weapon]]\nname = 'gun'\ndamage = '9X'\nshort = 90\nlong = 180\ncrew = 3\n\
             [[scenario]]\nname = 'a'\nrange = [60, 20]\nmoves = 3\n\
             target = {{ troopers = {troopers} }}\n"
        ));
        let settings = BattleSettings { only: Some(0), ..BattleSettings::default() };
        let evidence = run_battles(&arsenal, &settings, &NoBattleObserver).expect("it is whole");
        let (battle, setup) = (&evidence.battles[0], set_up(&arsenal, 0));
        let won = battle.curve.iter().rfind(|point| point.won > 0.5).expect("it wins some");
        let troops = (won.points + setup.extra_points) / setup.troop_points;
        let room = f64::from(troopers) * base + 8.0 * troops <= 60.0;
        assert_eq!(battle.copies.is_empty(), !room, "{troops} troops");
        have_room.push(room);
    }
    assert_eq!(have_room, [true, false]);
}

#[test]
fn evidence_does_not_depend_on_threads() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads can be had").install(|| gathered(SMALL, &BattleSettings::default()))
    };
    let one = with(1);
    assert_eq!(one, with(2));
    assert_eq!(one, with(5));
}

#[test]
fn what_is_too_large_is_simulated_and_says_so() {
    let text = "system = 'skirmishers'\n[[weapon]]\nname = 'LMG'\n[[scenario]]\nname = 'a'\nmoves = 2\ntarget = { troopers = 2 }\n";
    let exact = gathered(text, &BattleSettings::default());
    let small = CompiledContestLimits { states: 2, ..CompiledContestLimits::default() };
    let settings = BattleSettings { trials: 40_000, limits: small, ..BattleSettings::default() };
    let rolled = gathered(text, &settings);
    for (exact, rolled) in exact.battles.iter().zip(&rolled.battles) {
        // Which points are fought hangs on the chances, and those differ by what was rolled.
        let mut pairs = 0;
        for exact in &exact.curve {
            let rolled = rolled.curve.iter().filter(|rolled| rolled.points == exact.points);
            for rolled in rolled {
                assert_eq!((exact.trials, rolled.trials), (None, Some(40_000)));
                // Six standard errors of a chance at 40 000 trials are 0.015.
                assert!((exact.won - rolled.won).abs() < 0.03, "{exact:?} {rolled:?}");
                pairs += 1;
            }
        }
        assert!(pairs >= 2, "{pairs} points were fought in both ways");
    }
}

#[test]
fn a_watcher_can_stop_it() {
    struct Impatient;
    impl BattleObserver for Impatient {
        fn should_continue(&self) -> bool {
            false
        }
    }
    let stopped = run_battles(&read(SMALL), &BattleSettings::default(), &Impatient);
    assert!(matches!(stopped, Err(PricingError::Interrupted(_))));
}

#[test]
fn the_arsenals_of_the_house_can_be_read() {
    for (file, weapons, scenarios) in [
        ("crewed_weapons", 13, 13),
        ("all_arms", 25, 7),
        ("dropzone_arsenal", 131, 6),
        ("aic_teams", 5, 3),
        ("my_gun", 10, 3),
    ] {
        let path = format!("{}/../../experiments/{file}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("it is there");
        let arsenal = read(&text);
        assert_eq!(
            (arsenal.weapons.len(), arsenal.scenarios.len()),
            (weapons, scenarios),
            "{file}"
        );
        assert!(arsenal.question.is_some() && arsenal.prediction.is_some(), "{file}");
    }
}
