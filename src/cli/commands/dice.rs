//! `enfilade dice`.

use clap::Args;

use crate::cli::OutputAndError;
use crate::cli::text_sheet::{HeadAndTextRows, TableTextFormat};
use crate::dice_laws::DiceDistribution;
use crate::error::Error;
use crate::report::dice::{self, DiceExpressionOdds, ShareShownPerValue, distribution_bars};
use crate::report::json_text::to_indented_json;
use crate::report::terminal::TerminalCapabilities;

/// Compute the exact distribution of dice, of one expression or several side by side
///
/// Sums and products of dice and numbers; tests with >=, <=, >, <, = and !=; "vs" compares two
/// sides. After dice: kh3 kl1 dh1 dl1 (keep, drop), adv and dis, r1 and ro1 (reroll until, once), !
/// !! !p (explode; `up to 2` limits how often), count 5+ (number of dice), up 1 and down 1 (the
/// ladder d4 d6 d8 d10 d12). d% is 1 to 100, d66 tens and ones, dF -1 to 1, d{1,1,2,3} has the
/// listed faces; max, min and up(d6/2).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade dice \"d8 + 4d6\"
  enfilade dice 3d6 4d6kh3
  enfilade dice \"6d10 count 8+\" \"5d10! count 8+\" --at-least
  enfilade dice \"2d6+1 vs 2d6\"
  enfilade dice \"2d6 >= 8\" --format json")]
pub struct DiceArgs {
    /// An expression, in quotes: "d8 + 4d6", "4d6kh3", "6d6 count 5+", "2d8 down 1"
    #[arg(allow_hyphen_values = true)]
    expression: String,
    /// More expressions, to show beside it
    more: Vec<String>,
    /// Show the chance of each value or more
    #[arg(long, conflicts_with = "at_most")]
    at_least: bool,
    /// Show the chance of each value or less
    #[arg(long)]
    at_most: bool,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    format: TableTextFormat,
}

impl DiceArgs {
    /// Computes and renders the distributions of the expressions.
    ///
    /// # Errors
    /// When an expression cannot be read or is too large.
    pub fn run(&self) -> Result<OutputAndError, Error> {
        let read = |text: &String| {
            Ok(DiceExpressionOdds {
                text: text.trim().to_owned(),
                law: DiceDistribution::from_text(text)?,
            })
        };
        let all = std::iter::once(&self.expression).chain(&self.more);
        let queries = all.map(read).collect::<Result<Vec<_>, Error>>()?;
        Ok(OutputAndError::from(match self.format {
            TableTextFormat::Table => distribution_bars::render_bar_tables(
                &queries,
                self.at_least_most_or_exactly(),
                TerminalCapabilities::from_stdout(),
            ),
            TableTextFormat::Markdown => self.render_as_markdown(&queries),
            TableTextFormat::Csv => self.distribution_sheet(&queries, false).render_as_csv(),
            TableTextFormat::Json => {
                to_indented_json(&dice::build_distributions_document(&queries))
            }
        }))
    }

    fn at_least_most_or_exactly(&self) -> ShareShownPerValue {
        match (self.at_least, self.at_most) {
            (true, _) => ShareShownPerValue::AtLeast,
            (_, true) => ShareShownPerValue::AtMost,
            _ => ShareShownPerValue::Exactly,
        }
    }

    fn distribution_sheet(
        &self,
        queries: &[DiceExpressionOdds],
        for_readers: bool,
    ) -> HeadAndTextRows {
        let (head, rows) = match (queries, self.at_least_most_or_exactly()) {
            ([only], ShareShownPerValue::Exactly) => dice::full_table(only, for_readers),
            (_, shares) => dice::build_combined_table(queries, shares, for_readers),
        };
        HeadAndTextRows { head, rows }
    }

    fn render_as_markdown(&self, queries: &[DiceExpressionOdds]) -> String {
        let lines =
            dice::describe_mean_deviation(queries).into_iter().chain(dice::collect_notes(queries));
        let lines: String = lines.map(|line| format!("\n{line}\n")).collect();
        self.distribution_sheet(queries, true).render_as_markdown() + &lines
    }
}
