//! `enfilade odds … --law NAME --given TEST`: the distribution of one show or one tally alone.

use crate::cancel::NEVER_CANCELLED;
use crate::combat::MeasureHead;
use crate::error::Error;
use crate::form::name_matching::find_nearest_name;
use crate::report::answers::show_distributions::{self, OutcomeFieldDistribution, ShowValueChance};
use crate::report::blocks::{ReportBlock, ReportTableCell, TextTable};
use crate::report::text::number_format::format_exact_percent;
use crate::study::answer::{Answer, OutcomeWithProbability};
use crate::study::solve::tally_distribution::{
    TallyDistributionByEnding, tally_distribution_in_endings,
};

/// Numbers of a tally that are listed.
const MAX_LISTED_NUMBERS: usize = 60;

/// A test of one show: `won`, `not won`, `lost >= 2`.
#[derive(Clone, Debug)]
struct ShownValueTest {
    name: String,
    sign: ValueTestOperator,
    number: i32,
    text: String,
}

#[derive(Clone, Copy, Debug)]
enum ValueTestOperator {
    Less,
    Most,
    Is,
    Not,
    More,
    Least,
}

/// Signs as they are written, those of two characters first.
const TEST_SIGN_SPELLINGS: [(&str, ValueTestOperator); 7] = [
    ("<=", ValueTestOperator::Most),
    (">=", ValueTestOperator::Least),
    ("==", ValueTestOperator::Is),
    ("!=", ValueTestOperator::Not),
    ("<", ValueTestOperator::Less),
    (">", ValueTestOperator::More),
    ("=", ValueTestOperator::Is),
];

impl ShownValueTest {
    fn parse_test(text: &str) -> Result<ShownValueTest, Error> {
        let trimmed = text.trim();
        let test = |name: &str, sign, number| ShownValueTest {
            name: name.trim().to_owned(),
            sign,
            number,
            text: trimmed.to_owned(),
        };
        let sign = TEST_SIGN_SPELLINGS
            .iter()
            .find_map(|(sign, kind)| Some((trimmed.split_once(sign)?, *kind)));
        if let Some(((name, number), sign)) = sign {
            let number = number.trim().parse().map_err(|_| {
                let problem =
                    format!("--given {text}: a whole number was expected behind the sign");
                Error::Usage(format!("{problem}; write it like `lost >= 2`"))
            })?;
            return Ok(test(name, sign, number));
        }
        Ok(match trimmed.strip_prefix("not ") {
            Some(name) => test(name, ValueTestOperator::Is, 0),
            None => test(trimmed, ValueTestOperator::Not, 0),
        })
    }

    fn is_passed_by(&self, value: i32) -> bool {
        match self.sign {
            ValueTestOperator::Less => value < self.number,
            ValueTestOperator::Most => value <= self.number,
            ValueTestOperator::Is => value == self.number,
            ValueTestOperator::Not => value != self.number,
            ValueTestOperator::More => value > self.number,
            ValueTestOperator::Least => value >= self.number,
        }
    }
}

/// Request for the distribution of one show or tally, over the trials that count.
#[derive(Debug)]
pub struct ShowOrTallyDistributionQuery {
    name: String,
    condition: Option<ShownValueTest>,
}

impl ShowOrTallyDistributionQuery {
    /// Parses the two options.
    ///
    /// # Errors
    /// When the condition is no test.
    pub fn parse_name_and_condition(
        name: &str,
        condition: Option<&str>,
    ) -> Result<ShowOrTallyDistributionQuery, Error> {
        let show_test = condition.map(ShownValueTest::parse_test).transpose()?;
        Ok(ShowOrTallyDistributionQuery { name: name.to_owned(), condition: show_test })
    }

    /// Builds the distribution in one cell, as a table below its heading.
    ///
    /// # Errors
    /// When the cell has no show or tally of that name, or no graph to compute a tally with.
    pub fn distribution_blocks(&self, answer: &Answer) -> Result<Vec<ReportBlock>, Error> {
        let mut heading = answer.rulebook_and_action();
        for (axis, value) in &answer.axes {
            heading.push_str(&format!(", {axis} {value}"));
        }
        if let Some(test) = &self.condition {
            heading.push_str(&format!(", given {}", test.text));
        }
        let place = self
            .condition
            .as_ref()
            .map(|test| self.index_of_show(answer, &test.name))
            .transpose()?;
        let wanted = |values: &[i32]| match (&self.condition, place) {
            (Some(test), Some(place)) => test.is_passed_by(values[place]),
            _ => true,
        };
        let mut blocks = vec![ReportBlock::Heading(heading)];
        if let Some(place) = answer.fields.iter().position(|field| *field.name == *self.name) {
            let inside = |outcome: &OutcomeWithProbability| wanted(&outcome.values);
            let law = show_distributions::compute_show_distribution(
                answer,
                place,
                &answer.fields[place],
                inside,
            );
            blocks.extend(self.conditional_blocks_of_show(answer, law));
            return Ok(blocks);
        }
        let Some((head, counter)) = self.find_tally_measure(answer) else {
            return Err(self.unknown_name_error(answer, &self.name));
        };
        let law = tally_distribution_in_endings(answer, counter, wanted, &NEVER_CANCELLED)?;
        blocks.push(match law {
            None => ReportBlock::new_paragraph(
                "The tally may count down: only its mean is known.".to_owned(),
            ),
            Some(law) if law.share == 0.0 => self.condition_never_met_block(),
            Some(law) => build_tally_table(&tally_label(head), &law),
        });
        Ok(blocks)
    }

    /// Finds the measure of a tally by the name of either, `rounds` or `e_rounds`, with its
    /// counter.
    fn find_tally_measure<'a>(&self, answer: &'a Answer) -> Option<(&'a MeasureHead, u8)> {
        let is_named = |head: &MeasureHead| {
            [&head.name, &head.tally].iter().any(|own| ***own == *self.name)
                || head.is_mean_of(&self.name)
        };
        let heads = answer.measures.iter().map(|measure| &*measure.head);
        heads
            .filter(|head| is_named(head))
            .find_map(|head| Some((head, head.kind.measured_counter()?)))
    }

    fn index_of_show(&self, answer: &Answer, name: &str) -> Result<usize, Error> {
        let place = answer.fields.iter().position(|field| *field.name == *name);
        place.ok_or_else(|| self.unknown_name_error(answer, name))
    }

    fn unknown_name_error(&self, answer: &Answer, name: &str) -> Error {
        let shows = answer.fields.iter().map(|field| field.name.to_string());
        let heads = answer.measures.iter().map(|measure| &measure.head);
        let heads = heads.filter(|head| head.kind.measured_counter().is_some());
        let tallies = heads.map(|head| match head.tally.is_empty() {
            true => head.name.to_string(),
            false => head.tally.to_string(),
        });
        let known_names: Vec<String> = shows.chain(tallies).collect();
        let problem = format!("{} has no show and no tally `{name}`", answer.rulebook_and_action());
        Error::Usage(match find_nearest_name(name, known_names.iter().map(String::as_str)) {
            Some(near) => format!("{problem}: did you mean `{near}`?"),
            None => format!("{problem}: use one of {}", known_names.join(", ")),
        })
    }

    fn condition_never_met_block(&self) -> ReportBlock {
        let text = self.condition.as_ref().map_or("", |test| &test.text);
        ReportBlock::new_paragraph(format!("Never happens: `{text}`."))
    }

    /// Computes the distribution of a show over the trials that count.
    fn conditional_blocks_of_show(
        &self,
        answer: &Answer,
        law: OutcomeFieldDistribution,
    ) -> Vec<ReportBlock> {
        if self.condition.is_none() {
            return vec![show_distributions::show_distribution_table(answer, &law)];
        }
        let exact: f64 = law.values.iter().filter_map(|value| value.exact).sum();
        let trials = |value: &ShowValueChance| {
            value.simulated.map_or(0, |share| (share.value * answer.trials as f64).round() as u64)
        };
        let inside: u64 = law.values.iter().map(trials).sum();
        if exact <= 0.0 && inside == 0 {
            return vec![self.condition_never_met_block()];
        }
        let value = |value: &ShowValueChance| ShowValueChance {
            value: value.value,
            exact: value.exact.filter(|_| exact > 0.0).map(|p| (p / exact).min(1.0)),
            simulated: value
                .simulated
                .filter(|_| inside > 0)
                .map(|_| show_distributions::estimate_share_of_trials(trials(value), inside)),
        };
        let values = law.values.iter().map(value).collect();
        vec![show_distributions::show_distribution_table(
            answer,
            &OutcomeFieldDistribution { values, ..law },
        )]
    }
}

/// Returns the name of a tally above its numbers: that of the tally, not of a figure of it.
fn tally_label(head: &MeasureHead) -> String {
    match head.tally.is_empty() || head.is_mean_of(&head.tally) {
        true => head.display_name().to_string(),
        false => head.tally.to_string(),
    }
}

/// Lists the reachable numbers of a tally with their probabilities.
fn build_tally_table(label: &str, law: &TallyDistributionByEnding) -> ReportBlock {
    let row = |name: String, p: f64, sum: f64| {
        let numbers = [format_exact_percent(p), format_exact_percent(sum.min(1.0))]
            .map(ReportTableCell::Number);
        [ReportTableCell::Text(name)].into_iter().chain(numbers).collect::<Vec<_>>()
    };
    let mut sum = 0.0;
    let mut rows = Vec::new();
    let reached = law.chances.iter().enumerate().filter(|(_, p)| **p > 0.0);
    for (number, p) in reached.take(MAX_LISTED_NUMBERS) {
        sum += p;
        rows.push(row(number.to_string(), *p, sum));
    }
    if 1.0 - sum > 1e-12 {
        rows.push(row("more".to_owned(), 1.0 - sum, 1.0));
    }
    let heads = [label, "exact %", "at most %"].map(str::to_owned).to_vec();
    ReportBlock::Table(format!("{label} alone"), TextTable { heads, rows, fixed: 1 })
}
