//! Numbers of a unit for a wanted worth, compared with an arsenal of its own for each variant.

use std::collections::BTreeSet;
use std::path::Path;

use enfilade_model::catalogue::Catalogue;
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::price_arsenal;
use enfilade_seek::price_question::PriceQuestion;
use enfilade_study::file::{rulebook_loader, source_document::SourceInput};

fn question_file() -> (Catalogue, SourceInput) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/questions/07_price.toml");
    let input = SourceInput::read_path_or_stdin(&file).expect("it lies there");
    let catalogue =
        rulebook_loader::load_catalogue(&enfilade_games::built_in_catalogue(), &[], Some(&input))
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
    let question = PriceQuestion::read(&catalogue, "x.toml", &input.text).expect("in order");
    let pricing = price_arsenal(&question.arsenal).expect("prices");
    let answer = question.judge(&pricing);
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
        PriceQuestion::read(&catalogue, "x.toml", &text).expect_err("refused").to_string()
    };
    // A scenario shoots back with muskets.
    let told = refused("{ name = \"hero\" }", "{ name = \"musket\" }").replace("arms.hero", "");
    assert!(told.contains("has no number"), "{told}");
    let text = input
        .text
        .replace("{ name = \"hero\" }", "{ name = \"musket\" }")
        .replace("arms.hero", "arms.musket");
    let told = PriceQuestion::read(&catalogue, "x.toml", &text).expect_err("refused").to_string();
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
