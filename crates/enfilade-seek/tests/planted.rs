//! Planted designs and planted contradictions in seven games: the answer is compared with the whole
//! grid of an experiment, whose cells are the designs.

use std::path::Path;

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_model::catalogue::Catalogue;
use enfilade_seek::seek_answer::{SeekAnswer, answer_search};
use enfilade_seek::seek_question::SeekQuestion;
use enfilade_study::experiment::Experiment;
use enfilade_study::file::{rulebook_loader, source_document};
use enfilade_study::solve::settings::SolverSettings;
use enfilade_study::solve::{NoObserver, solve_experiment};

/// A game: its rulebook in a file, its contest, the measures that are wanted, and its numbers with
/// their values.
struct Game {
    rules: &'static str,
    contest: &'static str,
    measures: &'static [&'static str],
    numbers: &'static [(&'static str, &'static [i64])],
}

const GAMES: [Game; 7] = [
    Game {
        rules: "",
        contest: "system = 'asl'\naction = 'fire'\ntarget.kind = 'squad'\n",
        measures: &["p_break", "p_kill"],
        numbers: &[
            ("fp", &[1, 2, 4, 6, 8, 12]),
            ("drm", &[-3, -2, -1, 0, 1, 2, 3]),
            ("target.morale", &[5, 6, 7, 8, 9]),
        ],
    },
    Game {
        rules: "",
        contest: "system = 'dropzone'\naction = 'shoot'\ntarget = 'UCM/Gladius'\nrange = 12\n\
                  close_quarters = false\narmour = 8\n",
        measures: &["p_kill"],
        numbers: &[
            ("shots", &[1, 2, 3, 4, 5, 6]),
            ("accuracy", &[2, 3, 4, 5, 6]),
            ("energy", &[4, 5, 6, 7, 8]),
        ],
    },
    Game {
        rules: "",
        contest: "system = 'aic'\naction = 'fire'\nattacker.weapon = 'd8'\nattacker.experience = 'd8'\n\
                  defender.figures = 4\n",
        measures: &["p_kill", "e_kia"],
        numbers: &[
            ("attacker.figures", &[1, 2, 3, 4, 5, 6]),
            ("defender.defense", &[4, 5, 6, 7, 8, 9, 10, 11, 12]),
        ],
    },
    Game {
        rules: "",
        contest: "system = 'skirmishers'\naction = 'attack'\nweapon = 'LMG'\nrange = 40\n",
        measures: &["p_kill"],
        numbers: &[("base_ranged", &[4, 5, 6, 7, 8, 9]), ("shots", &[1, 2, 3, 4, 5, 6])],
    },
    Game {
        rules: "blast.rules",
        contest: "system = 'blast'\naction = 'blast'\n",
        measures: &["p_dead"],
        numbers: &[
            ("dice", &[1, 2, 3, 4, 5, 6, 7, 8]),
            ("hp", &[1, 4, 7, 10, 13, 16, 19, 22, 25, 28]),
        ],
    },
    Game {
        rules: "bridgehead.rules",
        contest: "system = 'bridgehead'\naction = 'fire'\nweapon = 'lmg'\ncover = 1\n",
        measures: &["p_rout", "e_lost"],
        numbers: &[
            ("change.to_hit.close.1", &[2, 3, 4, 5, 6]),
            ("change.weapons.lmg.shots", &[1, 2, 3, 4, 5]),
            ("change.weapons.lmg.power", &[0, 1, 2]),
            ("models", &[4, 5, 6, 7]),
        ],
    },
    Game {
        rules: "battle.rules",
        contest: "system = 'battle'\naction = 'battle'\n",
        measures: &["p_win", "e_left"],
        numbers: &[
            ("men", &[4, 5, 6]),
            ("theirs", &[4, 5, 6]),
            ("hit", &[3, 4, 5]),
            ("save", &[3, 4, 5]),
        ],
    },
];

/// Random numbers, the same on every run.
struct Lot(u64);

impl Lot {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

impl Game {
    fn catalogue(&self) -> Catalogue {
        let built_in = enfilade_games::built_in_catalogue();
        if self.rules.is_empty() {
            return built_in;
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/questions");
        let (name, text) = ("x.toml".to_owned(), format!("rules = '{}'\n", self.rules));
        let origin = source_document::AllowedFilePaths::File;
        let input = source_document::SourceInput { name, text, folder, origin };
        rulebook_loader::catalogue_with_rulebook_files(&built_in, &[], Some(&input)).expect("rules")
    }

    /// Every design with its measures, the last number fastest.
    fn whole_grid(&self, catalogue: &Catalogue) -> Vec<Vec<f64>> {
        let axes = self.numbers.iter().map(|(name, values)| format!("{name} = {values:?}\n"));
        let text = format!("[[contest]]\n{}{}", self.contest, axes.collect::<String>());
        let experiment = Experiment::read_experiment_text(catalogue, "grid", &text)
            .unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let answers = solve_experiment(&experiment, &SolverSettings::for_exact_only());
        let answers = answers.expect("they are solved");
        let axes: Vec<&str> = self.numbers.iter().map(|(name, _)| *name).collect();
        let mut found: Vec<(Vec<usize>, Vec<f64>)> = Vec::new();
        for answer in &answers {
            let place = axes.iter().enumerate().map(|(at, name)| {
                let own = answer.axes.iter().find(|(axis, _)| **axis == **name);
                let value = own.expect("an axis").1.to_string();
                let values = self.numbers[at].1.iter();
                values.map(i64::to_string).position(|own| own == value).expect("a value")
            });
            let measure = |name: &&str| {
                let own = answer.measure_answer_by_name(name).and_then(|measure| measure.exact);
                own.unwrap_or_else(|| panic!("{name} of {}", self.contest))
            };
            found.push((place.collect(), self.measures.iter().map(measure).collect()));
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found.into_iter().map(|(_, measures)| measures).collect()
    }

    fn search(&self, catalogue: &Catalogue, wants: &[String]) -> (SeekQuestion, SeekAnswer) {
        let numbers = self.numbers.iter().map(|(name, values)| {
            let name = name.trim_start_matches("change.");
            format!("\"{name}\" = {values:?}\n")
        });
        let wants: Vec<String> = wants.iter().map(|want| format!("'{want}'")).collect();
        let text = format!(
            "[[contest]]\nname = 'own'\n{}[seek]\nso_that = [{}]\n[seek.change]\n{}",
            self.contest,
            wants.join(", "),
            numbers.collect::<String>()
        );
        let question = SeekQuestion::read_or_cancel(catalogue, "x.toml", &text, &NEVER_CANCELLED);
        let mut question = question.unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let answer = answer_search(&mut question, &NoObserver);
        let answer = answer.unwrap_or_else(|error| panic!("{error}\n{text}"));
        (question, answer)
    }

    /// The values of a design by its place in the grid.
    fn values_at(&self, mut place: usize) -> Vec<String> {
        let mut values: Vec<String> = Vec::new();
        for (_, own) in self.numbers.iter().rev() {
            values.push(own[place % own.len()].to_string());
            place /= own.len();
        }
        values.reverse();
        values
    }
}

fn is_same(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-10 * a.abs().max(1.0))
}

#[test]
fn designs_planted_in_seven_games_are_found() {
    let each = std::env::var("ENFILADE_PLANTED").ok().and_then(|n| n.parse().ok()).unwrap_or(8);
    let (mut lot, mut planted) = (Lot(3), 0);
    for game in &GAMES {
        let catalogue = game.catalogue();
        let grid = game.whole_grid(&catalogue);
        let designs: usize = game.numbers.iter().map(|(_, values)| values.len()).product();
        assert_eq!(grid.len(), designs, "{}", game.contest);
        for _ in 0..each {
            let own = lot.below(grid.len());
            let wants = game.measures.iter().zip(&grid[own]);
            let wants: Vec<String> =
                wants.map(|(measure, value)| format!("{measure} = {value}")).collect();
            let (question, answer) = game.search(&catalogue, &wants);
            let expected = grid.iter().filter(|other| is_same(other, &grid[own])).count() as u64;
            assert_eq!(answer.fits, expected, "{wants:?} {}", game.contest);
            let numbers = |design: &[u16]| -> Vec<String> {
                let numbers = question.numbers.iter().zip(design);
                numbers.map(|(number, at)| number.format_value(usize::from(*at))).collect()
            };
            let values = game.values_at(own);
            let is_found = answer.best_designs.iter().any(|one| numbers(&one.values) == values);
            assert!(is_found, "{values:?} {wants:?} {}", game.contest);
            planted += 1;
        }
    }
    assert_eq!(planted, 7 * each);
}

#[test]
fn a_want_in_the_widest_gap_excludes_itself_in_seven_games() {
    for game in &GAMES {
        let catalogue = game.catalogue();
        let grid = game.whole_grid(&catalogue);
        let mut values: Vec<f64> = grid.iter().map(|measures| measures[0]).collect();
        values.sort_by(f64::total_cmp);
        let widest = |a: &&[f64], b: &&[f64]| (a[1] - a[0]).total_cmp(&(b[1] - b[0]));
        let gap = values.windows(2).max_by(widest).expect("two values");
        let (middle, room) = ((gap[0] + gap[1]) / 2.0, (gap[1] - gap[0]) / 3.0);
        let own = format!("{} = {middle:.12} ± {room:.12}", game.measures[0]);
        // The other want has designs alone.
        let other = format!("{} >= {:.12}", game.measures[0], values[values.len() / 2]);
        let (_, answer) = game.search(&catalogue, &[other, own.clone()]);
        assert_eq!(answer.fits, 0, "{own} {}", game.contest);
        let missing = answer.no_fit.expect("why");
        assert_eq!(missing.impossible.map(|(want, _)| want), Some(1), "{}", game.contest);
        let set: Vec<&str> = missing.excluding.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(set, [own.as_str()], "{}", game.contest);
    }
}

#[test]
fn two_halves_exclude_each_other_and_a_harmless_want_is_not_in_the_set() {
    for game in &GAMES {
        let catalogue = game.catalogue();
        let grid = game.whole_grid(&catalogue);
        let mut values: Vec<f64> = grid.iter().map(|measures| measures[0]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
        let edge = (values[values.len() / 2] + values[values.len() / 2 - 1]) / 2.0;
        let measure = game.measures[0];
        let [low, high] = [format!("{measure} < {edge:.12}"), format!("{measure} > {edge:.12}")];
        let harmless = format!("{measure} >= 0");
        let wants = [low.clone(), harmless, high.clone()];
        let (_, answer) = game.search(&catalogue, &wants);
        let set = answer.no_fit.expect("none fits").excluding;
        let texts: Vec<&str> = set.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, [low.as_str(), high.as_str()], "{}", game.contest);
        let count = |test: &dyn Fn(f64) -> bool| {
            grid.iter().filter(|measures| test(measures[0])).count() as u64
        };
        let alone: Vec<u64> = set.iter().map(|one| one.alone).collect();
        assert_eq!(alone, [count(&|value| value < edge), count(&|value| value > edge)]);
        // Every proper subset has a design.
        let without: Vec<u64> = set.iter().map(|one| one.without).collect();
        assert!(without.iter().all(|designs| *designs > 0), "{}", game.contest);
    }
}
