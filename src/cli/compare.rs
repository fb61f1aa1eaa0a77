//! `enfilade compare`.

use std::path::PathBuf;

use clap::Args;

use super::format::{self, Shown};
use super::options::{Options, Rulebooks};
use super::page::Page;
use super::question;
use super::sides::{self, Side, strangers};
use super::work::{self, Clock, Size};
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::pricing;
use crate::pricing::arsenal::is_arsenal;
use crate::pricing::price::moved::moved;
use crate::report::compare::{self, Sides, arsenals};
use crate::report::folder::manifest::InputFile;
use crate::report::{self, Style, terminal::Screen};
use crate::study::comparison::Comparison;
use crate::study::file::document::Input;

/// Set two variants of an experiment, or of an arsenal, side by side
///
/// For two arsenals, the changes of prices are shown, scenario by scenario.
///
/// Contests are matched by name, cells by the values of their axes. Each measure is shown in A, in
/// B, and as the difference B less A: exact if both are exact, else simulated with its interval.
/// Parameters that differ and cells without a partner are listed.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  enfilade compare experiments/variants/cowering.toml experiments/variants/no_cowering.toml")]
pub struct Compare {
    /// The first file: the current variant
    a: PathBuf,
    /// The second file: the variant to compare with it
    b: PathBuf,
    /// A folder for summary, table and picture
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace files in the folder that enfilade did not write, or that were changed since
    #[arg(long)]
    overwrite: bool,
    /// Show every cell and every measure on the terminal, not only the largest differences
    #[arg(long)]
    all: bool,
    /// How to write the comparison
    #[arg(long, value_parser = format::reader::<Format>(), default_value = "table")]
    format: Shown<Format>,
    #[command(flatten)]
    rulebooks: Rulebooks,
    #[command(flatten)]
    options: Options,
}

/// How a comparison is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Aligned columns for reading
    Table,
    /// One JSON document
    Json,
    /// Comma-separated values
    Csv,
}

impl Compare {
    /// Answers both files and compares them; both are read before anything runs.
    ///
    /// # Errors
    /// When a file cannot be read or has faults, a contest is too large, no cell of one has a
    /// partner in the other, or the results cannot be written; in the page's trouble when engines
    /// disagree or the work was interrupted.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let clock = Clock::now();
        // Two arsenals have no cells to be paired; their text shows that they are arsenals.
        if let Some(both) = self.arsenals()? {
            return self.prices(catalogue, both, &clock);
        }
        let read = |path| {
            let input = (question::file(path)?, Size::Shown);
            work::plan(catalogue, &self.rulebooks, &self.options, input)
        };
        let (a, b) = (read(&self.a)?, read(&self.b)?);
        let writes = compare::FILES.iter().map(|&name| name.to_owned()).collect();
        let claim = |folder| work::claim(folder, &[&self.a, &self.b], self.overwrite, writes);
        // Before any work, so that a fault of the folder is reported at once.
        let claim = self.out.as_deref().map(claim).transpose()?;
        let (a, b) = (Side::answered(a, &self.options)?, Side::answered(b, &self.options)?);
        let comparison = Comparison::new(&a.solved.answers, &b.solved.answers);
        let interrupted = a.solved.interrupted || b.solved.interrupted;
        if comparison.pairs.is_empty() && !interrupted {
            return Err(strangers([
                (&a.file.name, &a.solved.answers),
                (&b.file.name, &b.solved.answers),
            ]));
        }
        let names = sides::names(&a, &b);
        let sides = Sides { a: a.file, b: b.file, names };
        // Half a comparison may not replace a whole one.
        if let Some(claim) = claim.filter(|_| !interrupted) {
            compare::comparison_folder::write(
                &claim,
                &comparison,
                &sides,
                &clock.facts(None, None),
            )?;
        }
        let text = compare::render(&comparison, &sides, shown(self.format), self.all);
        Ok(Page::new(text, a.trouble.or(b.trouble)))
    }

    /// Reads both files, if they are arsenals.
    fn arsenals(&self) -> Result<Option<[Input; 2]>, Error> {
        // Any other file is read again as an experiment, from its path.
        if [&self.a, &self.b].into_iter().any(|path| path.as_os_str() == "-") {
            return Ok(None);
        }
        let both = [question::file(&self.a)?, question::file(&self.b)?];
        Ok(both.iter().all(|input| is_arsenal(&input.text)).then_some(both))
    }

    /// Prices both arsenals and compares them.
    fn prices(
        &self,
        catalogue: &Catalogue,
        both: [Input; 2],
        clock: &Clock,
    ) -> Result<Page, Error> {
        let machine = &self.options.machine;
        let read = |input| work::arsenal(catalogue, &self.rulebooks, input);
        let arsenals = [read(&both[0])?, read(&both[1])?];
        let writes = arsenals::FILES.iter().map(|&name| name.to_owned()).collect();
        let claim = |folder| work::claim(folder, &[&self.a, &self.b], self.overwrite, writes);
        let claim = self.out.as_deref().map(claim).transpose()?;
        let battles = work::battles(machine, self.options.trials);
        let priced = |arsenal| {
            let settings = pricing::settings(arsenal);
            work::priced(arsenal, (&battles, &settings), machine).map(|(_, pricing)| pricing)
        };
        let [a, b] = [priced(&arsenals[0])?, priced(&arsenals[1])?];
        let file = |side: usize| {
            InputFile::new(&*both[side].name, &both[side].text).with(&arsenals[side].rulebooks())
        };
        let (moved, sides) = (moved(&a, &b), Sides::of_files(file(0), file(1)));
        if let Some(claim) = claim {
            compare::comparison_folder::write_arsenals(
                &claim,
                &moved,
                &sides,
                &clock.facts(None, None),
            )?;
        }
        Ok(Page::from(arsenals::render(&moved, &sides, shown(self.format))))
    }
}

/// Converts a format to that of the report.
fn shown(format: Shown<Format>) -> report::Format {
    match format {
        Shown::Own(Format::Table) => report::Format::Text(Style::Terminal(Screen::of_stdout())),
        Shown::Own(Format::Json) => report::Format::Json,
        Shown::Own(Format::Csv) => report::Format::Csv,
        Shown::Page(writer) => report::Format::Text(Style::Page(writer)),
    }
}
