//! `enfilade balance`.

use std::path::PathBuf;

use clap::Args;

use super::failure;
use super::format::{self, Shown};
use super::options::{Machine, Rulebooks, Seed};
use super::page::{Page, way_in};
use super::question;
use super::work::{self, Clock};
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::pricing::gather;
use crate::pricing::price::{self, Anchor};
use crate::report::balance::{Findings, blocks, folder, json};
use crate::report::manifest::InputFile;
use crate::report::rulebooks;
use crate::report::terminal::{self, Screen};

/// Say what the weapons of an arsenal should cost
///
/// Forces meet in every scenario of the file, one side with the weapon, the other with more and
/// more reference troops in its place. A weapon is worth the number of points at which both win as
/// often. Its fair price comes with an interval over opponents, scenarios, assumptions and dice, a
/// verdict on the current price and the price to try next.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade balance experiments/crewed_weapons.toml")]
pub struct Balance {
    /// The arsenal file, or - for standard input
    file: PathBuf,
    /// Price this weapon alone, quickly: of the others only what points are worth is fought
    #[arg(long, value_name = "NAME", conflicts_with = "out")]
    only: Option<String>,
    /// How to write the prices
    #[arg(long, value_parser = format::reader::<Format>(), default_value = "table")]
    format: Shown<Format>,
    /// Also write tables, charts, a summary and a manifest to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace files in the folder that were not written by enfilade, or were changed since
    #[arg(long)]
    overwrite: bool,
    /// In which points a price is fair [default: arsenal where eight other weapons have a price]
    #[arg(long, value_parser = format::one_of(&[Anchor::Reference, Anchor::Arsenal], anchor))]
    anchor: Option<Anchor>,
    /// Trials of each contest that is too large to be solved exactly [default: 1000000]
    #[arg(long, value_name = "N", value_parser = super::options::trials)]
    trials: Option<u64>,
    /// The seed, or "random" [default: 1]
    #[arg(long, value_name = "S")]
    seed: Option<Seed>,
    /// Threads to use [default: one per processor]
    #[arg(long, value_name = "N", value_parser = super::options::threads)]
    threads: Option<usize>,
    /// No progress bar and no remarks
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    rulebooks: Rulebooks,
}

/// How prices are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Tables and reasons for reading
    Table,
    /// One JSON document
    Json,
}

/// The word of an anchor, with what it is.
fn anchor(anchor: Anchor) -> (&'static str, &'static str) {
    let about = match anchor {
        Anchor::Reference => "Points of the reference troops",
        Anchor::Arsenal => {
            "What the arsenal pays for the same worth; takes eight other weapons with prices"
        }
    };
    (anchor.word(), about)
}

impl Balance {
    /// Prices the arsenal; nothing is fought before the file is right.
    ///
    /// # Errors
    /// When the file cannot be read or has faults, the work is interrupted, or the results cannot be
    /// written.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let input = question::file(&self.file)?;
        let arsenal = work::arsenal(catalogue, &self.rulebooks, &input)?;
        let rulebooks = arsenal.rulebooks();
        let writes = rulebooks::and(folder::FILES, &rulebooks);
        // Claimed before anything is fought: a folder that cannot be written to is no reason to wait.
        let claim = |folder| work::claim(folder, &[&self.file], self.overwrite, writes);
        let claim = self.out.as_deref().map(claim).transpose()?;
        let machine = self.machine();
        if let Some(remark) = machine.remark() {
            failure::remark(&remark);
        }
        let clock = Clock::now();
        let settings = price::Settings { anchor: self.anchor, ..work::pricing(&arsenal, &machine) };
        let only = self.only.as_deref().map(|name| gather::named(&arsenal, name));
        let only = only.transpose().map_err(|why| Error::Usage(format!("--only: {why}")))?;
        let battles = gather::Settings { only, ..work::battles(&machine, self.trials) };
        let (evidence, pricing) = work::priced(&arsenal, (&battles, &settings), &machine)?;
        let about = (settings.seed, only);
        let findings = Findings::of(&arsenal, &evidence, &pricing, about);
        if let Some(claim) = &claim {
            let input = InputFile::new(input.name, &input.text).with(&rulebooks);
            folder::write(claim, &findings, &clock.facts(Some(input), None))?;
        }
        Ok(Page::from(self.page(&findings)))
    }

    fn page(&self, findings: &Findings) -> String {
        match self.format {
            Shown::Own(Format::Table) => {
                let screen = Screen::of_stdout();
                let mut page = terminal::write(&blocks(findings, Vec::new()), screen);
                if let Some(out) = &self.out {
                    page += &format!("\n{}", way_in(out));
                }
                page
            }
            Shown::Own(Format::Json) => json::render(findings),
            Shown::Page(writer) => (writer.write)(&blocks(findings, Vec::new())),
        }
    }

    /// The options of other commands that this one shares.
    fn machine(&self) -> Machine {
        Machine {
            seed: self.seed,
            threads: self.threads,
            isa: None,
            quiet: self.quiet,
            within: None,
        }
    }
}
