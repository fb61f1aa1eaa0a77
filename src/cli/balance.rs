//! `enfilade balance`.

use std::path::PathBuf;

use clap::Args;

use super::failure;
use super::format::{self, Shown};
use super::lists::{FoughtLists, ListArgs};
use super::options::{Machine, Rulebooks, Seed};
use super::page::{Page, way_in};
use super::question;
use super::work::{self, Clock};
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::pricing::{self, gather};
use crate::report::folder::archived_rules;
use crate::report::folder::manifest::InputFile;
use crate::report::pricing::price_sentences::order;
use crate::report::pricing::{Findings, blocks, first, price_folder, prices_json};
use crate::report::terminal::{self, Screen};
use crate::report::text::sentences::clean;

/// Compute what the weapons of an arsenal should cost
///
/// Forces meet in every scenario of the file, one side with the weapon, the other with more and
/// more troops in its place. The worth of a weapon is the number of points at which it wins as many
/// battles as it loses; times the cost of a point of worth in this list that is its even price. The
/// price comes with a range over opponents, assumptions and dice, and a verdict on the current
/// price.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade balance experiments/crewed_weapons.toml")]
pub struct Balance {
    /// The arsenal file, or - for standard input
    file: PathBuf,
    /// Price this weapon alone, quickly, and explain its price: of the others only the battles that
    /// set the scale are fought
    #[arg(long, value_name = "NAME", conflicts_with = "out")]
    only: Option<String>,
    /// How to write the prices
    #[arg(long, value_parser = format::reader::<Format>(), default_value = "table")]
    format: Shown<Format>,
    /// Also write tables, charts, a summary and a manifest to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace files in the folder that enfilade did not write, or that were changed since
    #[arg(long)]
    overwrite: bool,
    /// Print everything: every reason, all tables, the method
    #[arg(long)]
    all: bool,
    /// Has no effect any more: the cost of a point of worth comes from the prices, or from
    /// `[scale]` in the file
    #[arg(long, value_name = "POINTS", hide = true)]
    anchor: Option<String>,
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
    lists: ListArgs,
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

impl Balance {
    /// Prices the arsenal; no battle is fought before the file is checked.
    ///
    /// # Errors
    /// When the file cannot be read or has faults, the work is interrupted, or the results cannot be
    /// written.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let input = question::file(&self.file)?;
        let arsenal = work::arsenal(catalogue, &self.rulebooks, &input)?;
        let rulebooks = arsenal.rulebooks();
        let writes = archived_rules::and(price_folder::FILES, &rulebooks);
        // The folder is claimed before any battle: one that cannot be written to must not cost the
        // wait.
        let claim = |folder| work::claim(folder, &[&self.file], self.overwrite, writes);
        let claim = self.out.as_deref().map(claim).transpose()?;
        let machine = self.machine();
        if let Some(remark) = machine.remark() {
            failure::remark(&remark);
        }
        if self.anchor.is_some() {
            failure::remark(ANCHOR);
        }
        let clock = Clock::now();
        let settings = pricing::settings(&arsenal);
        let only = self.only.as_deref().map(|name| gather::named(&arsenal, name));
        let only = only.transpose().map_err(|why| Error::Usage(format!("--only: {why}")))?;
        let battles = gather::Settings { only, ..work::battles(&machine, self.trials) };
        let wanted = self.lists.wanted(&arsenal, &battles)?;
        let (evidence, mut pricing) = work::priced(&arsenal, (&battles, &settings), &machine)?;
        let about = (battles.seed, only);
        let fought = self.lists.fight(wanted, (&arsenal, &mut pricing), &battles, &machine)?;
        let lists = fought.as_ref().map(|fought| &fought.lists);
        let findings =
            Findings { fought: lists, ..Findings::of(&arsenal, &evidence, &pricing, about) };
        if let Some(claim) = &claim {
            let input = InputFile::new(input.name, &input.text).with(&rulebooks);
            price_folder::write(claim, &findings, &clock.facts(Some(input), None))?;
        }
        let page = self.page(&findings, fought.as_ref());
        Ok(Page::new(page, fought.and_then(FoughtLists::trouble)))
    }

    fn page(&self, findings: &Findings, fought: Option<&FoughtLists>) -> String {
        match self.format {
            Shown::Own(Format::Table) => {
                let screen = Screen::of_stdout();
                let whole = if self.all { blocks(findings, Vec::new()) } else { first(findings) };
                let mut page = terminal::write(&whole, screen);
                match &self.out {
                    Some(out) => page += &format!("\n{}", way_in(out)),
                    None if !self.all => page += &format!("\n{}", self.more(findings, screen)),
                    None => {}
                }
                let below = fought.filter(|_| !self.all);
                page + &below
                    .map_or(String::new(), |fought| fought.text(findings.pricing, screen.width))
            }
            Shown::Own(Format::Json) => prices_json::render(findings),
            Shown::Page(writer) => (writer.write)(&blocks(findings, Vec::new())),
        }
    }

    /// Renders the details below the first screen.
    fn more(&self, findings: &Findings, screen: Screen) -> String {
        let (file, mut told) = (clean(&self.file.display().to_string()), findings.told());
        let one = told.next().filter(|_| told.next().is_some());
        let name = |w: usize| clean(&findings.pricing.weapons[w].name);
        let why = one.map(|_| {
            format!("Why: enfilade balance {file} --only \"{}\"  ", name(order(findings)[0]))
        });
        terminal::wrapped(
            &format!("{}Everything: --all, or --out FOLDER", why.unwrap_or_default()),
            screen.width,
        )
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

const ANCHOR: &str = "--anchor has no effect any more: the cost of a point of worth comes from the prices of \
    the other weapons; set it with `[scale]` in the file";
