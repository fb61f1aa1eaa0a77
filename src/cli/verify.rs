//! `enfilade verify`.

use clap::Args;

use super::options::Options;
use crate::error::Error;
use crate::study::experiment::Experiment;
use crate::study::sample;
use crate::systems::{self, System};

/// Check that exact, simulated and played results agree
///
/// Every sample contest of every rule system is played all three ways. The exit code is 1 if two
/// of them disagree.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade verify --system asl")]
pub struct Verify {
    /// Only this rule system
    #[arg(long, value_name = "ID")]
    pub system: Option<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub options: Options,
}

impl Verify {
    /// The samples to be played, one experiment each.
    ///
    /// # Errors
    /// When there is no such system, or a built-in sample has faults.
    pub fn samples(&self) -> Result<Vec<Experiment>, Error> {
        let systems = self.systems()?;
        let actions = systems
            .iter()
            .flat_map(|system| system.actions.iter().map(move |action| (system, action)));
        let samples = actions.flat_map(|(system, action)| {
            action
                .samples
                .iter()
                .enumerate()
                .map(move |(index, sample)| {
                    let name = format!("sample {} of {} {}", index + 1, system.id, action.name);
                    Experiment::read(&name, &sample::file(system, action, sample))
                })
        });
        samples.collect()
    }

    fn systems(&self) -> Result<Vec<&'static System>, Error> {
        match &self.system {
            None => Ok(systems::all().to_vec()),
            Some(id) => super::systems::find(id).map(|system| vec![system]),
        }
    }
}
