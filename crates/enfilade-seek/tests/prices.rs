//! Numbers of a unit for a wanted worth, compared with an arsenal of its own for each variant.

use std::collections::BTreeSet;
use std::path::Path;

use enfilade_model::catalogue::Catalogue;
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::price_arsenal;
use enfilade_seek::price_question::ArsenalDesignSearch;
use enfilade_study::file::{rulebook_loader, source_document::SourceInput};

fn question_file() -> (Catalogue, SourceInput) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/questions/07_price.toml");
    let input = SourceInput::read_path_or_stdin(&file).expect("it lies there");
    let catalogue = rulebook_loader::catalogue_with_rulebook_files(
        &enfilade_games::built_in_catalogue(),
        &[],
        Some(&input),
    )
    .expect("rules");
    (catalogue, input)
}

/// The worth of the hero with these numbers, in an arsenal of its own.
fn worth_alone(catalogue: &Catalogue, text: &str, numbers: [&str; 3]) -> f64 {
    let [dice, hit, save] = numbers;
    let (head, rest) = text.split_once("[seek]").expect("the search");
    let (_, rest) = rest.split_once("[assumptions]").expect("the assumptions");
    let rest = rest
        .replace(
            "{ name = \"hero\" }",
            &format!("{{ name = \"hero\", dice = {dice}, hit = {hit} }}"),
        )
        .replace("save = 1\n", &format!("save = {save}\n"));
    let file = format!("{head}[assumptions]{rest}");
    let arsenal = Arsenal::read_arsenal_text(catalogue, "one.toml", &file).expect("in order");
    price_arsenal(&arsenal).expect("a price").weapons[0].worth.best
}

#[test]
fn one_arsenal_gives_every_variant_the_worth_of_its_own() {
    let (catalogue, input) = question_file();
    let question = ArsenalDesignSearch::read(&catalogue, "x.toml", &input.text).expect("in order");
    let pricing = price_arsenal(&question.arsenal).expect("prices");
    let answer = question.judge_variants_by_wants(&pricing);
    let found: BTreeSet<Vec<&str>> =
        answer.fits.iter().map(|own| own.values.iter().map(String::as_str).collect()).collect();
    // Five dice that hit on 6, with a save of 2, are worth 2 054 in an arsenal of their own.
    let expected = [["2", "4", "1"], ["3", "5", "1"], ["5", "6", "2"], ["6", "6", "1"]];
    let expected = expected.map(Vec::from);
    assert_eq!((answer.designs, found), (200, BTreeSet::from(expected)));
    // As it is: three dice that hit on 4, and a save of 1.
    assert!((answer.now[0].value - 2540.0).abs() < 10.0, "{:?}", answer.now);
    for own in &answer.fits {
        let [dice, hit, save] = [0, 1, 2].map(|at| own.values[at].as_str());
        let alone = worth_alone(&catalogue, &input.text, [dice, hit, save]);
        assert_eq!(own.reached[0].value, alone, "{:?}", own.values);
        assert!((alone - 2000.0).abs() <= 60.0, "{alone}");
    }
    // Every variant near the edges, and every nineteenth of all.
    for (at, unit) in pricing.weapons[1..].iter().enumerate() {
        if at % 19 != 0 && (unit.worth.best - 2000.0).abs() > 100.0 {
            continue;
        }
        let numbers = [1 + at / 25, 2 + at / 5 % 5, at % 5].map(|n| n.to_string());
        let numbers = [0, 1, 2].map(|place| numbers[place].as_str());
        assert_eq!(unit.worth.best, worth_alone(&catalogue, &input.text, numbers), "{numbers:?}");
    }
}

#[test]
fn a_number_that_moves_other_units_is_refused() {
    let (catalogue, input) = question_file();
    let refused = |from: &str, to: &str| {
        let text = input.text.replace(from, to);
        ArsenalDesignSearch::read(&catalogue, "x.toml", &text).expect_err("refused").to_string()
    };
    // A scenario shoots back with muskets.
    let told = refused("{ name = \"hero\" }", "{ name = \"musket\" }").replace("arms.hero", "");
    assert!(told.contains("has no number"), "{told}");
    let text = input
        .text
        .replace("{ name = \"hero\" }", "{ name = \"musket\" }")
        .replace("arms.hero", "arms.musket");
    let told =
        ArsenalDesignSearch::read(&catalogue, "x.toml", &text).expect_err("refused").to_string();
    assert!(told.contains("muskets reads `musket` too"), "{told}");
    let told = refused("save = { from = 0", "sava = { from = 0");
    assert!(told.contains("did you mean `save`?"), "{told}");
    let told = refused("worth of hero", "worth of heroes");
    assert!(told.contains("there is no weapon \"heroes\""), "{told}");
    let told = refused("± 3 % of it", "± 3 %");
    assert!(told.contains("± 3 % of it"), "{told}");
    let told = refused("to = 6 }", "to = 600 }");
    assert!(told.contains("more than 5000 variants: fix one of arms.hero.dice (8)"), "{told}");
}

/// Four guns with printed prices and one without, in one scenario.
const GUNS: &str = "system = 'skirmishers'\n[[weapon]]\nname = 'my gun'\ndamage = '7X'\nshort = SHORT\nlong = LONG\n\
                    [[weapon]]\nname = 'LMG'\n[[weapon]]\nname = 'MMG'\n[[weapon]]\nname = 'rifle'\n\
                    [[weapon]]\nname = 'laser rifle'\n[[scenario]]\nname = 'open ground'\nrange = [90, 60, 30]\n\
                    moves = 5\ntarget = { troopers = 6 }\n";

/// The even price of the gun with these ranges, in an arsenal of its own.
fn even_price_alone(short: i64, long: i64) -> Option<f64> {
    let file = GUNS.replace("SHORT", &short.to_string()).replace("LONG", &long.to_string());
    let catalogue = enfilade_games::built_in_catalogue();
    let arsenal = Arsenal::read_arsenal_text(&catalogue, "one.toml", &file).expect("in order");
    let pricing = price_arsenal(&arsenal).expect("a price");
    pricing.weapons[0].even_price_if_any().map(|even| even.price.best)
}

#[test]
fn an_even_price_is_that_of_the_gun_alone() {
    let (shorts, longs) = ([20, 60], [80, 120, 160]);
    let mut alone: Vec<((i64, i64), f64)> = Vec::new();
    for short in shorts {
        for long in longs {
            alone.push(((short, long), even_price_alone(short, long).expect("an even price")));
        }
    }
    // A gun that reaches farther is worth no less.
    for pair in alone.chunks(longs.len()) {
        assert!(pair.windows(2).all(|two| two[0].1 <= two[1].1 * 1.000_001), "{alone:?}");
    }
    let mut prices: Vec<f64> = alone.iter().map(|(_, price)| *price).collect();
    prices.sort_by(f64::total_cmp);
    let target = (prices[2] + prices[3]) / 2.0;
    let want = format!("even price of \"my gun\" = {target:.3} ± 5 % of it");
    let file = GUNS.replace("SHORT", "20").replace("LONG", "80");
    let text = format!(
        "{file}[seek]\nso_that = ['{want}']\n[seek.change]\nshort = {shorts:?}\nlong = {longs:?}\n"
    );
    let catalogue = enfilade_games::built_in_catalogue();
    let question = ArsenalDesignSearch::read(&catalogue, "x.toml", &text).expect("in order");
    let pricing = price_arsenal(&question.arsenal).expect("prices");
    let answer = question.judge_variants_by_wants(&pricing);
    let found: BTreeSet<Vec<String>> = answer.fits.iter().map(|own| own.values.clone()).collect();
    let fits = alone.iter().filter(|(_, price)| (price - target).abs() <= 0.05 * target);
    let expected = fits.map(|((short, long), _)| vec![short.to_string(), long.to_string()]);
    assert_eq!(found, expected.collect::<BTreeSet<_>>(), "{alone:?}");
    for own in &answer.fits {
        let [short, long] = [0, 1].map(|at| own.values[at].parse::<i64>().expect("a number"));
        let (_, price) = alone.iter().find(|(design, _)| *design == (short, long)).expect("one");
        assert!((own.reached[0].value - price).abs() <= 1e-9 * price, "{own:?} {price}");
    }
}
