//! `enfilade dice`.

use clap::Args;

use super::Page;
use super::sheet::{Format, Sheet};
use crate::dice_laws::DiceLaw;
use crate::error::Error;
use crate::report::dice::{self, Asked, Shares, bars};
use crate::report::json::indented;
use crate::report::terminal::Screen;

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
pub struct Dice {
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
    format: Format,
}

impl Dice {
    /// Computes and renders the distributions of the expressions.
    ///
    /// # Errors
    /// When an expression cannot be read or is too large.
    pub fn run(&self) -> Result<Page, Error> {
        let read =
            |text: &String| Ok(Asked { text: text.trim().to_owned(), law: DiceLaw::of(text)? });
        let all = std::iter::once(&self.expression).chain(&self.more);
        let asked = all.map(read).collect::<Result<Vec<_>, Error>>()?;
        Ok(Page::from(match self.format {
            Format::Table => bars::render(&asked, self.shares(), Screen::of_stdout()),
            Format::Markdown => self.markdown(&asked),
            Format::Csv => self.sheet(&asked, false).csv(),
            Format::Json => indented(&dice::document(&asked)),
        }))
    }

    fn shares(&self) -> Shares {
        match (self.at_least, self.at_most) {
            (true, _) => Shares::AtLeast,
            (_, true) => Shares::AtMost,
            _ => Shares::Exactly,
        }
    }

    fn sheet(&self, asked: &[Asked], for_readers: bool) -> Sheet {
        let (head, rows) = match (asked, self.shares()) {
            ([only], Shares::Exactly) => dice::table(only, for_readers),
            (_, shares) => dice::together(asked, shares, for_readers),
        };
        Sheet { head, rows }
    }

    fn markdown(&self, asked: &[Asked]) -> String {
        let lines = dice::moments(asked).into_iter().chain(dice::remarks(asked));
        let lines: String = lines.map(|line| format!("\n{line}\n")).collect();
        self.sheet(asked, true).markdown() + &lines
    }
}
