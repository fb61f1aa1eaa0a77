//! Proof of the pricing on arsenals whose even prices are known: coverage of the ranges, errors
//! that are found, false findings, and the effect of pricing again.

mod known;

use enfilade_pricing::price::{ArsenalPrices, PricingSettings, ScaleSource, prices_from_evidence};

use known::{Design, Planted, kendall, planted};

/// Half of the prices right, the others wrong by 10, 20 and 40 % in both directions.
const ERRORS: &[f64] = &[1.0, 1.1, 1.0, 0.8, 1.0, 1.4, 1.0, 0.9, 1.0, 1.2, 1.0, 0.6];

/// Ten opponents, each met twice. A weapon's worth varies by 12 % from opponent to opponent and by
/// 8 % beside, and two assumptions move it by 4 % each.
const DESIGN: Design = Design {
    weapons: 12,
    opponents: 10,
    scenarios: 2,
    between: 0.12,
    within: 0.08,
    common: 0.0,
    model: 0.04,
    assumptions: 2,
    trials: None,
    errors: ERRORS,
    scatter: 0.0,
    exponent: 1.0,
};

fn priced(planted: &Planted, scale: ScaleSource) -> ArsenalPrices {
    let settings = PricingSettings { scale, ..PricingSettings::default() };
    prices_from_evidence(&planted.evidence, &settings).expect("planted arsenals are whole")
}

/// A point of worth costs a point: planted strengths are in points of the troops.
const REFERENCE: ScaleSource = ScaleSource::By(1.0);

/// Shares of the weapons with errors of one size.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    weapons: f64,
    /// Outside the interval, on the right side.
    outside: f64,
    /// Called too dear or too cheap, and rightly so.
    called: f64,
}

impl Found {
    fn add(&mut self, outside: bool, called: bool) {
        self.weapons += 1.0;
        self.outside += f64::from(u8::from(outside));
        self.called += f64::from(u8::from(called));
    }
}

/// Counts over many arsenals.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    weapons: f64,
    covered: f64,
    found: f64,
    false_found: f64,
    right: Found,
    twenty: Found,
    forty: Found,
    tau: f64,
    arsenals: f64,
}

impl Count {
    fn over(design: &Design, scale: ScaleSource, arsenals: u64) -> Count {
        let mut count = Count::default();
        for seed in 0..arsenals {
            let planted = planted(design, seed);
            count.add(&planted, &priced(&planted, scale));
        }
        // The table in docs/design/prices.md, printed with `--nocapture`.
        println!(
            "{} weapons: coverage {:.3}, 20 % outside {:.3}, 40 % called {:.3}, false {:.3}: {design:?}",
            count.weapons,
            count.coverage(),
            count.twenty.outside / count.twenty.weapons,
            count.forty.called / count.forty.weapons,
            count.false_found / count.found,
        );
        count
    }

    fn add(&mut self, planted: &Planted, pricing: &ArsenalPrices) {
        let share = |yes: bool| f64::from(u8::from(yes));
        let mut guesses = Vec::new();
        for (w, weapon) in pricing.weapons.iter().enumerate() {
            let (truth, error) = (planted.fair[w], planted.errors[w]);
            let fair = weapon.even_price_if_any().expect("it fights");
            let judged = fair.finding.expect("it has a price");
            let (price, range) = (weapon.price.expect("it has one"), fair.price);
            guesses.push(range.best);
            self.weapons += 1.0;
            self.covered += share(range.low <= truth && truth <= range.high);
            let found = judged.verdict.is_price_wrong();
            let rightly = judged.residual * error.ln() > 0.0;
            self.found += share(found);
            self.false_found += share(found && !rightly);
            let outside = (price < range.low || price > range.high) && rightly;
            let called = judged.verdict.is_price_wrong();
            match error {
                1.0 => self.right.add(outside, called),
                1.2 | 0.8 => self.twenty.add(outside, called && rightly),
                1.4 | 0.6 => self.forty.add(outside, called && rightly),
                _ => {}
            }
        }
        self.tau += kendall(&guesses, &planted.fair);
        self.arsenals += 1.0;
    }

    fn coverage(&self) -> f64 {
        self.covered / self.weapons
    }

    fn holds(&self, what: &str) {
        let coverage = self.coverage();
        assert!((0.925..=0.985).contains(&coverage), "{what}: {coverage}");
        let wrongly = self.right.called / self.right.weapons;
        // Eight others of which half are wrong are few: one false finding in twenty.
        let few = self.weapons / self.arsenals < 13.0;
        assert!(wrongly <= if few { 0.05 } else { 0.04 }, "{what}: {wrongly}");
        assert!(few || self.false_found <= 0.10 * self.found, "{what}: {self:?}");
    }
}

/// 720 weapons in 60 arsenals in points of the reference troops: the interval covers at its stated
/// rate, errors are found, false findings are rare, and the order is right.
#[test]
fn intervals_cover_and_errors_are_found() {
    let count = Count::over(&DESIGN, REFERENCE, 60);
    count.holds("reference");
    assert!(count.twenty.outside >= 0.85 * count.twenty.weapons, "{count:?}");
    assert!(count.forty.called >= 0.9 * count.forty.weapons, "{count:?}");
    assert!(count.tau >= 0.9 * count.arsenals, "{count:?}");
}

/// The prices of the others as the measure, in small and large arsenals, where every scenario
/// favours or hampers all weapons by 30 %. One factor holds for prices that follow worth; any other
/// pattern is reported and judges no weapon.
#[test]
fn the_prices_of_others_are_the_measure() {
    let mut all = Count::default();
    for (weapons, arsenals) in [(9, 40), (13, 30), (30, 12), (72, 8)] {
        let design = Design { weapons, common: 0.3, ..DESIGN };
        let count = Count::over(&design, ScaleSource::ByPrices, arsenals);
        count.holds(&format!("{weapons} weapons"));
        if weapons >= 13 {
            all.forty.weapons += count.forty.weapons;
            all.forty.called += count.forty.called;
        }
    }
    assert!(all.forty.called >= 0.8 * all.forty.weapons, "{all:?}");
}

/// With less evidence, intervals become wider and cover at least as often: few opponents, one
/// scenario each, all against one opponent, few trials, or no assumptions.
#[test]
fn intervals_cover_with_little_evidence_too() {
    let designs = [
        Design { opponents: 4, ..DESIGN },
        Design { opponents: 6, scenarios: 1, ..DESIGN },
        Design { opponents: 1, scenarios: 8, ..DESIGN },
        Design { trials: Some(50), assumptions: 0, ..DESIGN },
    ];
    for design in designs {
        let count = Count::over(&design, REFERENCE, 30);
        assert!(count.coverage() >= 0.92, "{} {design:?}", count.coverage());
        assert!(count.false_found <= 0.10 * count.found, "{count:?}");
    }
}

/// Every further opponent narrows the ranges, and one alone does not make them collapse: they keep
/// at least a factor of three, from the spread in other arsenals.
#[test]
fn more_opponents_narrow_and_one_does_not_collapse() {
    let mut last = f64::INFINITY;
    for (opponents, least) in [(1, 3.0), (2, 1.7), (4, 1.15), (8, 1.05)] {
        let design = Design { opponents, ..DESIGN };
        let (mut sum, mut count) = (0.0, 0.0);
        for seed in 0..6 {
            for weapon in priced(&planted(&design, seed), REFERENCE).weapons {
                let fair = weapon.even_price_if_any().expect("it fights").price;
                let half = (fair.high / fair.best).ln();
                assert!(half >= f64::ln(least), "{opponents}: {half}");
                let verdict = weapon.verdict_on_price().expect("it has a price");
                assert!(opponents >= 3 || !verdict.is_price_wrong(), "{opponents}");
                sum += half;
                count += 1.0;
            }
        }
        assert!(sum / count < last, "{opponents}: {} {last}", sum / count);
        last = sum / count;
    }
}

/// Distance of the prices from parity in scenarios that were not priced: the root of the mean
/// square of the mean log ratio of price to worth.
fn distance_from_parity(planted: &Planted) -> f64 {
    let weapons = planted.evidence.weapons.iter().zip(&planted.held_out);
    let square = weapons.map(|(weapon, worths)| {
        let price = weapon.price.expect("it has one");
        let ratios = worths.iter().map(|worth| (price / worth).ln());
        (ratios.sum::<f64>() / worths.len() as f64).powi(2)
    });
    (square.sum::<f64>() / planted.held_out.len() as f64).sqrt()
}

#[test]
fn repricing_leads_to_parity_in_scenarios_that_were_held_out() {
    let mut distances = [0.0; 4];
    for seed in 100..112 {
        let mut planted = planted(&DESIGN, seed);
        for distance in &mut distances {
            *distance += distance_from_parity(&planted) / 12.0;
            let pricing = priced(&planted, REFERENCE);
            for (weapon, priced) in planted.evidence.weapons.iter_mut().zip(&pricing.weapons) {
                if priced.verdict_on_price().is_some_and(|verdict| verdict.is_price_wrong()) {
                    weapon.price =
                        Some(priced.even_price_if_any().expect("it fights").rounded.best);
                }
            }
        }
    }
    // Each revision helps; the rest are errors up to the tolerance, which no verdict calls wrong.
    assert!(distances.windows(2).all(|pair| pair[1] <= pair[0]), "{distances:?}");
    assert!(distances[3] < 0.6 * distances[0], "{distances:?}");
}

/// Right prices are left alone: 5 % of the intervals miss, and findings are rare.
#[test]
fn right_prices_are_left_alone() {
    let design = Design { errors: &[1.0], ..DESIGN };
    let count = Count::over(&design, REFERENCE, 30);
    assert!((0.925..=0.985).contains(&count.coverage()), "{count:?}");
    assert!(count.found <= 0.01 * count.weapons, "{count:?}");
}

/// Weapons that differ from opponent to opponent as kinds do: the share of them within the range; a
/// shift of all prices together belongs to the scale.
fn covered(design: &Design, arsenals: u64) -> (f64, f64) {
    let (mut held, mut all, mut halves) = (0.0, 0.0, Vec::new());
    for seed in 0..arsenals {
        let planted = planted(design, seed);
        let pricing = priced(&planted, ScaleSource::ByPrices);
        let off = |w: usize| {
            let even = pricing.weapons[w].even_price_if_any().expect("it fights");
            (planted.fair[w] / even.price.best).ln()
        };
        let all_off: Vec<f64> = (0..design.weapons).map(off).collect();
        let shift = all_off.iter().sum::<f64>() / design.weapons as f64;
        for (weapon, off) in pricing.weapons.iter().zip(all_off) {
            let price = weapon.even_price_if_any().expect("it fights").price;
            let half = (price.high / price.best).ln();
            held += f64::from(u8::from((off - shift).abs() <= half));
            all += 1.0;
            halves.push(half.exp_m1());
        }
    }
    halves.sort_by(f64::total_cmp);
    (held / all, halves[halves.len() / 2])
}

/// From two to ten opponents, kinds against kinds and a drill where all are alike.
#[test]
fn ranges_cover_whomever_one_meets() {
    let kinds =
        Design { errors: &[1.0], scenarios: 1, within: 0.0, assumptions: 0, model: 0.0, ..DESIGN };
    for weapons in [12, 30] {
        for opponents in [2, 3, 4, 6, 8, 10] {
            let design = Design { weapons, opponents, between: 0.39, ..kinds };
            let (share, half) = covered(&design, 720 / weapons as u64);
            println!("{weapons} weapons, {opponents} opponents: {share:.3}, half {half:.2}");
            assert!(share >= 0.92, "{weapons} weapons, {opponents} opponents: {share}");
        }
    }
    for opponents in [2, 4, 6, 10] {
        let (share, half) = covered(&Design { opponents, between: 0.03, ..kinds }, 40);
        println!("drill, {opponents} opponents: {share:.3}, half {half:.3}");
        assert!(share >= 0.95 && (opponents < 6 || half <= 0.15), "{opponents}: {share} {half}");
    }
}
