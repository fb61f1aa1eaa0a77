//! Wrong prices in the published arsenals: how far one of them moves the cost of a point for the others.

use enfilade_pricing::price::scale::Factor;

/// Returns the value below which this share of the values lies.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() as f64 * share) as usize]
}

/// Returns log price and log worth of the weapons in a published report that decide what a point costs: weapons with
/// both numbers, for which most battles gave more than a bound.
fn published(report: &str) -> Vec<(f64, f64)> {
    let path = format!("{}/../../reports/{report}/balance.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("it is published");
    let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let weapons = json["weapons"].as_array().expect("a list").iter();
    let heard = |weapon: &serde_json::Value| weapon["bounded_share"].as_f64() <= Some(0.5);
    let priced = weapons.filter(|weapon| weapon["not_priced"].is_null() && heard(weapon));
    let pair = |weapon: &serde_json::Value| {
        Some((weapon["price"].as_f64()?.ln(), weapon["worth"]["best"].as_f64()?.ln()))
    };
    priced.filter_map(pair).collect()
}

/// On what ships, by the worths that were published: one price ten times too high or too low, or left out, moves what
/// a point of worth costs for another by no more than 30 % among the twelve crewed weapons that are priced, whose
/// prices scatter by a half, and by 5 % among eighty units.
#[test]
fn liars_on_the_arsenals_of_the_house_move_the_others_little() {
    for (report, least, most) in [("crewed-weapons", 12, 0.30), ("dropzone-arsenal", 80, 0.05)] {
        let pairs = published(report);
        assert!(pairs.len() >= least, "{report}: {}", pairs.len());
        let factor = |pairs: &[(f64, f64)], own: usize, out: Option<usize>| {
            let others = pairs.iter().enumerate().filter(|(w, _)| *w != own && Some(*w) != out);
            let others: Vec<(f64, f64)> = others.map(|(_, pair)| *pair).collect();
            Factor::of(&others).expect("they are enough").log
        };
        let all = || 0..pairs.len();
        let honest: Vec<f64> = all().map(|w| factor(&pairs, w, None)).collect();
        let mut moved = Vec::new();
        for liar in all().step_by((pairs.len() / 13).max(1)) {
            for off in [10f64.ln(), -10f64.ln()] {
                let mut lied = pairs.clone();
                lied[liar].0 += off;
                let others = all().filter(|w| *w != liar);
                moved.extend(others.map(|w| (factor(&lied, w, None) - honest[w]).abs().exp_m1()));
            }
            let left_out = all().filter(|w| *w != liar);
            let left_out = left_out.map(|w| (factor(&pairs, w, Some(liar)) - honest[w]).abs());
            assert!(left_out.fold(0.0, f64::max).exp_m1() <= most, "{report}: {liar}");
        }
        let found = [0.5, 0.9, 0.999].map(|share| quantile(&mut moved, share));
        println!("{report}: a liar moves others by {found:.3?}");
        assert!(found[2] <= most, "{report}: {found:?}");
    }
}
