//! `enfilade sweep status`: the parts of a plan that are there.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::read_plan_file;
use crate::catalogue::Catalogue;
use crate::cli::command_output::OutputAndError;
use crate::error::{Error, FolderDamaged};
use crate::report::json_text::to_flat_json;
use crate::report::shards;
use crate::simulate::InstructionSet;

#[derive(Debug, Args)]
pub struct StatusArgs {
    /// The plan
    plan: PathBuf,
    /// The folder of the parts
    #[arg(long, value_name = "DIR")]
    parts: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print only the numbers of the missing shards, one a line
    #[arg(long, conflicts_with = "json")]
    missing: bool,
}

/// The object that `status --json` prints.
#[derive(Serialize)]
struct SweepStatus {
    plan: String,
    cells: u64,
    shards: u64,
    sound: usize,
    missing: Vec<u64>,
    broken: Vec<String>,
}

impl StatusArgs {
    /// Lists the shards that are done, and those that are not.
    ///
    /// # Errors
    /// When the plan cannot be read; in the output's error when shards are missing or damaged.
    pub fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let plan = read_plan_file(catalogue, &self.plan, InstructionSet::widest_available())?;
        let listed = shards::list_shards_of_plan(&plan, &self.parts)?;
        let mut broken = listed.faults.clone();
        let mut missing = Vec::new();
        for (number, path) in (0..).zip(&listed.parts) {
            match path.as_ref().map(|path| shards::verify_shard_file(&plan, number, path)) {
                None => missing.push(number),
                Some(Ok(())) => {}
                // A damaged part must be computed again, and so is missing too.
                Some(Err(fault)) => {
                    missing.push(number);
                    broken.push(fault);
                }
            }
        }
        if self.missing {
            let lines = missing.iter().map(|number| format!("{number}\n"));
            return Ok(OutputAndError::from(lines.collect::<String>()));
        }
        let (shards, sound) = (plan.shard_count(), listed.parts.len() - missing.len());
        let text = if self.json {
            let (plan, cells) = (plan.hash.clone(), plan.run.cells.len());
            to_flat_json(&SweepStatus {
                plan,
                cells,
                shards,
                sound,
                missing: missing.clone(),
                broken: broken.clone(),
            }) + "\n"
        } else {
            let mut text = format!("{sound} of {shards} shards are done\n");
            if !missing.is_empty() {
                text += &format!("to do: {}\n", shards::format_number_ranges(&missing));
            }
            text.extend(broken.iter().map(|fault| format!("{fault}\n")));
            text
        };
        let folder = self.parts.clone();
        let error = match (broken.is_empty(), missing.is_empty()) {
            (false, _) => Some(FolderDamaged { folder, faults: broken }.into()),
            (true, false) => Some(shards::missing_shards_error(&listed).into()),
            (true, true) => None,
        };
        Ok(OutputAndError::new(text, error))
    }
}
