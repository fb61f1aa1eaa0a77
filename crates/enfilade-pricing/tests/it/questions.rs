//! The questions of `experiments/questions`, one a file: each has its answer in words at its top,
//! with the numbers that the source, a hand, or a count outside the program gave, and they hold.
//!
//! `# expect [axis=value, …] measure = number` is a number (of an outcome field its mean), with as
//! many decimals as are meant, or a fraction; `contest=name` is an axis like the others.
//! `# note: words` is part of a remark beside the result, `# refused: words` of the sentence with
//! which the rules forbid what is asked, and of an arsenal `# dearer: one, other` says which of two
//! weapons should cost more.

use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::price_arsenal;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::Experiment;
use enfilade_study::parameters::value_to_json;
use enfilade_study::solve::{SolverSettings, solve_experiment};
use enfilade_testkit::source_files::repository_folder;

use crate::sentences;

/// As many as `findings` asked, those of one's own beside them.
const AT_LEAST: usize = 55;

struct Expected<'a> {
    at: Vec<(&'a str, &'a str)>,
    measure: &'a str,
    number: &'a str,
}

fn said<'a>(text: &'a str, mark: &str) -> Vec<&'a str> {
    text.lines().filter_map(|line| line.strip_prefix(mark)).map(str::trim).collect()
}

fn expected(line: &str) -> Expected<'_> {
    let (left, number) = line.rsplit_once(" = ").expect("`measure = number`");
    let (at, measure) = match left.strip_prefix('[').and_then(|left| left.split_once(']')) {
        Some((at, measure)) => (at, measure),
        None => ("", left),
    };
    let at = at.split(',').filter_map(|pair| pair.trim().split_once('=')).collect();
    Expected { at, measure: measure.trim(), number }
}

/// The number, and how far off it may be: half a unit of its last decimal.
fn number(text: &str) -> (f64, f64) {
    let read = |digits: &str| digits.parse::<f64>().expect("a number");
    match text.split_once('/') {
        Some((above, below)) => (read(above) / read(below), 1e-12),
        None => {
            let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            let half = if decimals == 0 { 0.0 } else { 0.5 / 10_f64.powi(decimals as i32) };
            (read(text), half + 1e-12)
        }
    }
}

/// The mean of an outcome field.
fn mean(answer: &Answer, field: &str) -> Option<f64> {
    let place = answer.fields.iter().position(|head| &*head.name == field)?;
    let each = answer.outcomes.iter();
    each.map(|outcome| Some(outcome.exact? * f64::from(outcome.values[place]))).sum()
}

impl Expected<'_> {
    fn is_about(&self, answer: &Answer) -> bool {
        self.at.iter().all(|(name, value)| {
            let of_axis = |(axis, held): &(String, _)| {
                axis == name && value_to_json(held).to_string().trim_matches('"') == *value
            };
            *name == "contest" && answer.name == *value || answer.axes.iter().any(of_axis)
        })
    }

    fn check(&self, file: &str, answers: &[Answer]) {
        let found = answers.iter().find(|answer| self.is_about(answer));
        let answer = found.unwrap_or_else(|| panic!("{file}: there is no cell {:?}", self.at));
        let measure = answer.measure_answer_by_name(self.measure).and_then(|measure| measure.exact);
        let measure = measure.or_else(|| mean(answer, self.measure));
        let Some(exact) = measure else { panic!("{file}: there is no `{}`", self.measure) };
        let (number, within) = number(self.number);
        let close = (exact - number).abs() <= within;
        assert!(close, "{file}: {} at {:?} is {exact}, not {number}", self.measure, self.at);
    }
}

/// An arsenal, in which one weapon should cost more than another.
fn priced(name: &str, text: &str, dearer: &[&str]) {
    let arsenal = Arsenal::read_arsenal_text(crate::built_in(), name, text);
    let arsenal = arsenal.unwrap_or_else(|error| panic!("{name}: {}", sentences(error)));
    let pricing = price_arsenal(&arsenal).expect("it is small");
    let worth = |weapon: &str| {
        let place = arsenal.weapons.iter().position(|known| known.name == weapon);
        let place = place.unwrap_or_else(|| panic!("{name}: there is no {weapon}"));
        pricing.weapons[place].even_price_if_any().expect("it has a price").price.best
    };
    for pair in dearer {
        let (one, other) = pair.split_once(", ").expect("two weapons");
        let (one, other) = (worth(one), worth(other));
        assert!(one > other, "{name}: {pair}: {one} and {other}");
    }
}

fn hold(name: &str, text: &str) {
    let (expects, notes, refused) =
        (said(text, "# expect "), said(text, "# note: "), said(text, "# refused: "));
    assert!(text.starts_with("# ") && text.contains("\nquestion = \""), "{name} asks and answers");
    let dearer = said(text, "# dearer: ");
    if !dearer.is_empty() {
        return priced(name, text, &dearer);
    }
    assert!(!expects.is_empty() || !refused.is_empty(), "{name} says what comes out");
    let read = Experiment::read_experiment_text(crate::built_in(), name, text).map_err(sentences);
    for sentence in &refused {
        let Err(said) = &read else { panic!("{name} is refused") };
        assert!(said.contains(sentence), "{name}: {said}");
    }
    if !refused.is_empty() {
        return;
    }
    let experiment = read.unwrap_or_else(|said| panic!("{name}: {said}"));
    let answers =
        solve_experiment(&experiment, &SolverSettings::for_exact_only()).expect("it is small");
    for line in expects {
        expected(line).check(name, &answers);
    }
    for note in notes {
        let remarks = answers.iter().flat_map(|answer| &answer.notes);
        assert!(remarks.clone().any(|remark| remark.contains(note)), "{name}: {note}");
    }
}

#[test]
fn every_question_has_the_answer_that_it_says() {
    let folder = repository_folder().join("experiments/questions");
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let mut count = 0;
    for file in files {
        let path = file.expect("it can be listed").path();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
        hold(name, &text);
        count += 1;
    }
    assert!(count >= AT_LEAST, "{count} questions");
}
