//! `enfilade sweep emit`: files that make other engines compute the shards, to be read and edited.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::catalogue::Catalogue;
use crate::cli::command_output::OutputAndError;
use crate::error::Error;
use crate::simulate::InstructionSet;

/// Arguments of `enfilade sweep emit`.
#[derive(Debug, Args)]
pub struct EmitArgs {
    /// The engine
    engine: WorkflowEngine,
    /// The plan
    plan: PathBuf,
    /// Shards of one task, for engines that allow few tasks [default: as few as make at most 1000
    /// tasks]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u64).range(1..))]
    per_task: Option<u64>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum WorkflowEngine {
    /// Dask.distributed: office machines, clusters, clouds; needs no shared disk
    Dask,
    /// Slurm: an array of jobs, and a merge after them
    Slurm,
    /// Kubernetes: an indexed job
    Kubernetes,
    /// HyperQueue: an array of tasks
    Hyperqueue,
    /// GNU parallel
    Parallel,
    /// Snakemake: a rule a shard, for at most some hundred
    Snakemake,
}

impl WorkflowEngine {
    fn workflow_template(self) -> &'static str {
        match self {
            WorkflowEngine::Dask => include_str!("templates/dask.py"),
            WorkflowEngine::Slurm => include_str!("templates/slurm.sh"),
            WorkflowEngine::Kubernetes => include_str!("templates/kubernetes.yaml"),
            WorkflowEngine::Hyperqueue => include_str!("templates/hyperqueue.sh"),
            WorkflowEngine::Parallel => include_str!("templates/parallel.sh"),
            WorkflowEngine::Snakemake => include_str!("templates/Snakefile"),
        }
    }

    /// Quotes the path of the plan for the engine's file.
    fn quote_plan_path(self, path: &str) -> String {
        match self {
            WorkflowEngine::Slurm | WorkflowEngine::Hyperqueue | WorkflowEngine::Parallel => {
                format!("'{}'", path.replace('\'', "'\\''"))
            }
            // Python and YAML read strings that are quoted as JSON.
            _ => serde_json::Value::from(path).to_string(),
        }
    }
}

/// The largest number of tasks by default: many sites allow no more.
const MAX_TASKS_BY_DEFAULT: u64 = 1000;

impl EmitArgs {
    /// Writes the file.
    ///
    /// # Errors
    /// When the plan cannot be read.
    pub fn render_workflow_file(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let plan =
            super::read_plan_file(catalogue, &self.plan, InstructionSet::widest_available())?;
        let shards = plan.shard_count();
        let per_task =
            self.per_task.unwrap_or_else(|| shards.div_ceil(MAX_TASKS_BY_DEFAULT).max(1));
        let tasks = shards.div_ceil(per_task);
        // The path must not be mistaken for an option.
        let path = match self.plan.to_string_lossy() {
            path if path.starts_with('-') => format!("./{path}"),
            path => path.into_owned(),
        };
        let values = [
            // The first digits of the hash, as names of parts begin with them.
            ("@HASH@", plan.hash[..16].to_owned()),
            ("@SHARDS@", shards.to_string()),
            ("@LAST@", (shards - 1).to_string()),
            ("@PER_TASK@", per_task.to_string()),
            ("@TASKS@", tasks.to_string()),
            ("@LAST_TASK@", (tasks - 1).to_string()),
            // Last, because the path may contain any of the other keys.
            ("@PLAN@", self.engine.quote_plan_path(&path)),
        ];
        let mut text = self.engine.workflow_template().to_owned();
        for (key, value) in values {
            text = text.replace(key, &value);
        }
        Ok(OutputAndError::from(text))
    }
}
