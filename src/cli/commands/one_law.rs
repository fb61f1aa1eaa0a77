//! `enfilade odds … --law NAME --given TEST`: the distribution of one show or one tally alone.

use crate::cancel::NEVER;
use crate::combat::MeasureHead;
use crate::error::Error;
use crate::form::name_matching::find_nearest;
use crate::report::answers::single_laws::{self, SingleLaw, SingleValue};
use crate::report::blocks::{Block, TableEntry, TextTable};
use crate::report::text::number_format::exact_percent;
use crate::study::answer::{Answer, OutcomeAnswer};
use crate::study::solve::tally_law::{TallyLaw, tally_law};

/// Numbers of a tally that are listed.
const LISTED: usize = 60;

/// A test of one show: `won`, `not won`, `lost >= 2`.
#[derive(Clone, Debug)]
struct Test {
    name: String,
    sign: Sign,
    number: i32,
    text: String,
}

#[derive(Clone, Copy, Debug)]
enum Sign {
    Less,
    Most,
    Is,
    Not,
    More,
    Least,
}

/// Signs as they are written, those of two characters first.
const SIGNS: [(&str, Sign); 7] = [
    ("<=", Sign::Most),
    (">=", Sign::Least),
    ("==", Sign::Is),
    ("!=", Sign::Not),
    ("<", Sign::Less),
    (">", Sign::More),
    ("=", Sign::Is),
];

impl Test {
    fn parse(text: &str) -> Result<Test, Error> {
        let trimmed = text.trim();
        let test = |name: &str, sign, number| Test {
            name: name.trim().to_owned(),
            sign,
            number,
            text: trimmed.to_owned(),
        };
        let sign = SIGNS.iter().find_map(|(sign, kind)| Some((trimmed.split_once(sign)?, *kind)));
        if let Some(((name, number), sign)) = sign {
            let number = number.trim().parse().map_err(|_| {
                let problem =
                    format!("--given {text}: a whole number was expected behind the sign");
                Error::Usage(format!("{problem}; write it like `lost >= 2`"))
            })?;
            return Ok(test(name, sign, number));
        }
        Ok(match trimmed.strip_prefix("not ") {
            Some(name) => test(name, Sign::Is, 0),
            None => test(trimmed, Sign::Not, 0),
        })
    }

    fn passes(&self, value: i32) -> bool {
        match self.sign {
            Sign::Less => value < self.number,
            Sign::Most => value <= self.number,
            Sign::Is => value == self.number,
            Sign::Not => value != self.number,
            Sign::More => value > self.number,
            Sign::Least => value >= self.number,
        }
    }
}

/// Request for the distribution of one show or tally, over the trials that count.
#[derive(Debug)]
pub struct OneLaw {
    name: String,
    given: Option<Test>,
}

impl OneLaw {
    /// Parses the two options.
    ///
    /// # Errors
    /// When the condition is no test.
    pub fn parse(name: &str, given: Option<&str>) -> Result<OneLaw, Error> {
        let given = given.map(Test::parse).transpose()?;
        Ok(OneLaw { name: name.to_owned(), given })
    }

    /// Builds the distribution in one cell, as a table below its heading.
    ///
    /// # Errors
    /// When the cell has no show or tally of that name, or no graph to compute a tally with.
    pub fn blocks(&self, answer: &Answer) -> Result<Vec<Block>, Error> {
        let mut heading = answer.short_name();
        for (axis, value) in &answer.axes {
            heading.push_str(&format!(", {axis} {value}"));
        }
        if let Some(test) = &self.given {
            heading.push_str(&format!(", given {}", test.text));
        }
        let place = self.given.as_ref().map(|test| self.show(answer, &test.name)).transpose()?;
        let wanted = |values: &[i32]| match (&self.given, place) {
            (Some(test), Some(place)) => test.passes(values[place]),
            _ => true,
        };
        let mut blocks = vec![Block::Heading(heading)];
        if let Some(place) = answer.fields.iter().position(|field| *field.name == *self.name) {
            let inside = |outcome: &OutcomeAnswer| wanted(&outcome.values);
            let law = single_laws::law_of(answer, place, &answer.fields[place], inside);
            blocks.extend(self.rescaled(answer, law));
            return Ok(blocks);
        }
        let Some((head, counter)) = self.tally(answer) else {
            return Err(self.unknown(answer, &self.name));
        };
        let law = tally_law(answer, counter, wanted, &NEVER)?;
        blocks.push(match law {
            None => {
                Block::paragraph("The tally may count down: only its mean is known.".to_owned())
            }
            Some(law) if law.share == 0.0 => self.never(),
            Some(law) => tally_table(&head.display_name(), &law),
        });
        Ok(blocks)
    }

    /// Finds the measure of a tally by its name, `rounds` or `e_rounds`, with its counter.
    fn tally<'a>(&self, answer: &'a Answer) -> Option<(&'a MeasureHead, u8)> {
        let is_named = |head: &MeasureHead| {
            let bare = head.name.strip_prefix("e_").unwrap_or(&head.name);
            *head.name == *self.name || bare == self.name
        };
        let heads = answer.measures.iter().map(|measure| &*measure.head);
        heads.filter(|head| is_named(head)).find_map(|head| Some((head, head.kind.counter()?)))
    }

    fn show(&self, answer: &Answer, name: &str) -> Result<usize, Error> {
        let place = answer.fields.iter().position(|field| *field.name == *name);
        place.ok_or_else(|| self.unknown(answer, name))
    }

    fn unknown(&self, answer: &Answer, name: &str) -> Error {
        let shows = answer.fields.iter().map(|field| field.name.to_string());
        let tallies =
            answer.measures.iter().filter(|measure| measure.head.kind.counter().is_some());
        let tallies = tallies.map(|measure| measure.head.name.to_string());
        let known: Vec<String> = shows.chain(tallies).collect();
        let problem = format!("{} has no show and no tally `{name}`", answer.short_name());
        Error::Usage(match find_nearest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("{problem}: did you mean `{near}`?"),
            None => format!("{problem}: use one of {}", known.join(", ")),
        })
    }

    fn never(&self) -> Block {
        let text = self.given.as_ref().map_or("", |test| &test.text);
        Block::paragraph(format!("Never happens: `{text}`."))
    }

    /// Computes the distribution of a show over the trials that count.
    fn rescaled(&self, answer: &Answer, law: SingleLaw) -> Vec<Block> {
        if self.given.is_none() {
            return vec![single_laws::table(answer, &law)];
        }
        let exact: f64 = law.values.iter().filter_map(|value| value.exact).sum();
        let trials = |value: &SingleValue| {
            value.simulated.map_or(0, |share| (share.value * answer.trials as f64).round() as u64)
        };
        let inside: u64 = law.values.iter().map(trials).sum();
        if exact <= 0.0 && inside == 0 {
            return vec![self.never()];
        }
        let value = |value: &SingleValue| SingleValue {
            value: value.value,
            exact: value.exact.filter(|_| exact > 0.0).map(|p| (p / exact).min(1.0)),
            simulated: value
                .simulated
                .filter(|_| inside > 0)
                .map(|_| single_laws::estimate(trials(value), inside)),
        };
        let values = law.values.iter().map(value).collect();
        vec![single_laws::table(answer, &SingleLaw { values, ..law })]
    }
}

/// Lists the reachable numbers of a tally with their probabilities.
fn tally_table(label: &str, law: &TallyLaw) -> Block {
    let row = |name: String, p: f64, sum: f64| {
        let numbers = [exact_percent(p), exact_percent(sum.min(1.0))].map(TableEntry::Number);
        [TableEntry::Text(name)].into_iter().chain(numbers).collect::<Vec<_>>()
    };
    let mut sum = 0.0;
    let mut rows = Vec::new();
    let reached = law.chances.iter().enumerate().filter(|(_, p)| **p > 0.0);
    for (number, p) in reached.take(LISTED) {
        sum += p;
        rows.push(row(number.to_string(), *p, sum));
    }
    if 1.0 - sum > 1e-12 {
        rows.push(row("more".to_owned(), 1.0 - sum, 1.0));
    }
    let heads = [label, "exact %", "at most %"].map(str::to_owned).to_vec();
    Block::Table(format!("{label} alone"), TextTable { heads, rows, fixed: 1 })
}
