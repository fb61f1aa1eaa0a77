//! `report.html` in a real browser: what it shows and does, what it does not let in, how it looks.
//!
//! Here are the runs whose pages are opened, and what every page is asked.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use enfilade::catalogue::Catalogue;
use enfilade::report::answers::answer_tables;
use enfilade::report::blocks::ReportTableCell;
use enfilade::report::folder::staging::FolderClaim;
use enfilade::report::text::labels;
use enfilade::report::text::number_format::{format_exact_percent, format_simulated_percent};
use enfilade::report::text::sentences;
use enfilade::report::{self, InputFileWithRulebooks, RunFacts, page};
use enfilade::stats::intervals::Interval;
use enfilade::study::answer::{Answer, OutcomeWithProbability};
use enfilade::study::checkpoint::journal::CellTrialJournal;
use enfilade::study::experiment::{Experiment, SimulationStopRule};
use enfilade::study::solve::{NoObserver, SolverSettings, solve_cells};
use enfilade_testkit::toy::CATALOGUE;
use serde_json::json;
use tempfile::TempDir;

use crate::browser::{Browser, key};

mod found;
mod looks;
mod safe;
mod shows;
mod sizes;

/// A run in a folder of its own.
struct Run {
    experiment: Experiment,
    answers: Vec<Answer>,
    folder: TempDir,
}

impl Run {
    fn of(catalogue: &Catalogue, file: &str) -> Run {
        Run::with(catalogue, file, |_| {})
    }

    fn with(catalogue: &Catalogue, file: &str, change: fn(&mut SolverSettings)) -> Run {
        let experiment = Experiment::read_experiment_text(catalogue, "page.toml", file);
        let experiment = experiment.unwrap_or_else(|e| panic!("{e:?}"));
        let mut settings = SolverSettings::from_experiment(&experiment);
        change(&mut settings);
        let solved = solve_cells(
            &experiment.cells,
            &settings,
            &NoObserver,
            &CellTrialJournal::without_storage(),
        );
        let answers = solved.expect("it is small enough").answers;
        let folder = TempDir::new().expect("a temporary folder");
        let run = Run { experiment, answers, folder };
        run.write();
        run
    }

    /// Writes the folder again, after the answers were changed.
    fn write(&self) {
        let facts = RunFacts {
            command: ["enfilade", "run", "page.toml"].map(str::to_owned).to_vec(),
            build: enfilade::PROGRAM_BUILD_ID,
            input: Some(InputFileWithRulebooks::new("page.toml", "")),
            started: SystemTime::UNIX_EPOCH,
            duration: std::time::Duration::ZERO,
            identity: None,
        };
        let claim = FolderClaim::claim_to_overwrite_all(self.folder.path()).expect("nobody has it");
        report::write_run_folder(
            &claim,
            &self.experiment,
            &self.answers,
            &facts,
            report::OptionalRunFiles {
                pictures: &report::default_formats_beside_svg(),
                ..report::OptionalRunFiles::default()
            },
        )
        .expect("the folder is writable");
    }

    fn page(&self) -> PathBuf {
        self.folder.path().join("report.html")
    }

    fn html(&self) -> String {
        std::fs::read_to_string(self.page()).expect("the page is there")
    }

    /// A browser in which the page is open.
    fn opened(&self) -> Browser {
        let browser = Browser::start();
        browser.open(&self.page());
        browser
    }
}

const TOY: &str = "name = 'toy-odds'\nquestion = 'How often does a die hit?'\n\
    prediction = 'Half of the time on 4 or more.'\nseed = 5\ntrials = 100_000\n\
    [[contest]]\nsystem = 'toy'\naction = 'shoot'\n\
    needed = [2, 4, 6]\ndie = ['d6', 'd8', 'd20']\n";

const FIRE: &str = "name = 'fire'\nseed = 3\ntrials = 100_000\n\
    [[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [1, 8, 36]\ndrm = [-3, 0, 4]\n\
    [[contest.target]]\nkind = 'squad'\nmorale = [6, 8]\n\
    [[contest]]\nsystem = 'd20'\naction = 'shoot'\nweapon = ['SMG', 'HMG']\nspotted = true\nfirearms = 11\n";

/// The head of the column of hits.
const HIT: &str = "a hit %";

/// A page asks for itself and nothing else, and has nothing to complain about.
fn assert_quiet(browser: &Browser, page: &Path) {
    let complaints = browser.log("browser");
    assert!(complaints.is_empty(), "{complaints:#?}");
    let own = format!("file://{}", page.display());
    let requests = browser.requests();
    assert!(requests.iter().all(|url| url.split('#').next() == Some(&own)), "{requests:?}");
    assert!(!requests.is_empty(), "the log of requests is not kept");
    let loaded = browser
        .run("return performance.getEntriesByType('resource').map((e) => e.name)", json!([]));
    assert_eq!(loaded, json!([]));
}

/// Walks through every cell with the sliders and returns what the page shows: place, measures
/// and law, number by number.
const WALK: &str = r"
    const text = (css) => [...document.querySelectorAll(css)].map((e) => e.innerText);
    const rows = (id) => [...document.querySelectorAll(`#${id} tr`)].map(
        (row) => [...row.children].slice(0, 3).map((e) => e.firstChild ? e.firstChild.textContent : ''));
    const seen = [];
    const contest = document.getElementById('contest');
    for (const option of contest.options) {
        contest.value = option.value;
        contest.dispatchEvent(new Event('input'));
        const ranges = [...document.querySelectorAll('#axes input[type=range]')];
        const walk = (k) => {
            if (k === ranges.length) {
                seen.push([text('#place')[0], rows('measures'), rows('law'), text('#rarer')[0]]);
                return;
            }
            for (let step = 0; step <= Number(ranges[k].max); step++) {
                ranges[k].value = step;
                ranges[k].dispatchEvent(new Event('input'));
                walk(k + 1);
            }
        };
        walk(0);
    }
    return seen;";

type Seen = (String, Vec<[String; 3]>, Vec<[String; 3]>, String);

fn both(odds: ReportTableCell) -> [String; 2] {
    let ReportTableCell::Odds { exact, simulated } = odds else {
        panic!("odds are odds");
    };
    [exact, simulated].map(|text| text.unwrap_or("–".to_owned()))
}

fn law_line(answer: &Answer, outcome: &OutcomeWithProbability) -> [String; 2] {
    let estimate = outcome.simulated.map(|e| {
        let interval = Interval { low: e.low, high: e.high };
        format_simulated_percent(e.value, interval, answer.trials)
    });
    both(ReportTableCell::Odds {
        exact: outcome.exact.map(format_exact_percent),
        simulated: estimate,
    })
}

/// The outcomes of an answer, the worst first.
fn worst_first(answer: &Answer) -> Vec<&OutcomeWithProbability> {
    let mut outcomes: Vec<_> = answer.outcomes.iter().collect();
    let worst = |o: &&OutcomeWithProbability| {
        (sentences::sort_key_by_harm(&answer.fields, &o.values), o.values.clone())
    };
    outcomes.sort_by_cached_key(|outcome| std::cmp::Reverse(worst(outcome)));
    outcomes
}

/// Everything the page shows of `answers`, from what other reports print, with `most` outcomes of
/// each law.
fn assert_shown(seen: &[Seen], answers: &[Answer], most: usize) {
    assert_eq!(seen.len(), answers.len());
    for ((place, measures, law, rarer), answer) in seen.iter().zip(answers) {
        let known: Vec<_> = answer.measures.iter().map(|m| (m.head.display_name(), m)).collect();
        assert!(!measures.is_empty());
        for [name, exact, simulated] in measures {
            let name = name.trim_end_matches(" %");
            let measure = known.iter().find(|(label, _)| **label == *name);
            let (_, measure) = measure.unwrap_or_else(|| panic!("{name}"));
            let expected = both(answer_tables::exact_and_simulated_cell(measure, answer.trials));
            assert_eq!([exact.clone(), simulated.clone()], expected, "{place}: {name}");
        }
        assert_eq!(law.len(), answer.outcomes.len().min(most), "{place}");
        let hidden = answer.outcomes.len() - law.len();
        let said = format!("{hidden} rarer outcomes, together ");
        assert_eq!(rarer.starts_with(&said), hidden > 0, "{place}: {rarer}");
        assert_eq!(rarer.is_empty(), hidden == 0, "{place}: {rarer}");
        let line = |outcome: &OutcomeWithProbability| {
            let [exact, simulated] = law_line(answer, outcome);
            [labels::describe_outcome(&answer.fields, &outcome.values), exact, simulated]
        };
        let printed: Vec<_> = worst_first(answer).into_iter().map(line).collect();
        for outcome in law {
            assert!(printed.contains(outcome), "{place}: {outcome:?}");
        }
        // Short laws stand with the worst first.
        if law.len() == printed.len() && law.len() <= 12 {
            assert_eq!(*law, printed, "{place}");
        }
    }
}

/// Where the cells stand, in a player's words.
fn places(seen: &[Seen]) -> Vec<&str> {
    seen.iter().map(|(place, ..)| place.as_str()).collect()
}

/// Numbers of the cells in the table, from the top.
fn listed(browser: &Browser) -> Vec<usize> {
    let numbers = browser.texts("#rows th");
    numbers.iter().map(|n| n.parse().expect("a number")).collect()
}
