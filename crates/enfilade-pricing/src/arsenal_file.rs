//! An arsenal file read as a whole: if all units meet all, each becomes an opponent.

use crate::arsenal::{Arsenal, OPPONENTS_KEY};
use crate::battle_runs::BattleSettings;
use crate::error::PricingError;
use crate::opponents::UnitsForEitherSide;
use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_model::catalogue::Catalogue;
use enfilade_model::form::Fault;
use enfilade_model::form::bounds::CELLS;
use enfilade_study::file::file_reader::{self, TomlReaderWithFaults};
use enfilade_study::file::source_document::TomlDocumentWithPositions;

/// Trials for the test that repeats a contest that is too large: its distribution is computed
/// twice.
const REPEAT_CHECK_TRIALS: u64 = 100;

impl Arsenal {
    /// Reads the arsenal in `text`, a file called `name` in messages, of a rulebook in `catalogue`.
    ///
    /// # Errors
    /// [`InputError`](enfilade_model::error::InputError) with every fault of the file and its
    /// position.
    pub fn read_arsenal_text(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
    ) -> Result<Arsenal, PricingError> {
        Ok(file_reader::read_file_of_kind(
            (catalogue, name, text),
            &NEVER_CANCELLED,
            fault_if_experiment_file,
            |reader| {
                let arsenal = Arsenal::read_without_opponents(reader, name)?;
                match arsenal.all_meet && reader.faults.is_empty() {
                    true => expand_all_opponents(arsenal, reader),
                    false => Some(arsenal),
                }
            },
        )?)
    }
}

/// The fault of a file that is an experiment and no arsenal.
fn fault_if_experiment_file(document: &TomlDocumentWithPositions) -> Option<Fault> {
    let key = document.first_key_present_of(&["contest"])?;
    let problem = "this is an experiment: it has contests, and no weapon";
    let help = "answer them with `enfilade odds` or `enfilade run`";
    let arsenal = document.first_key_present_of(&["weapon", "scenario"]).is_some();
    (!arsenal).then(|| Fault::new(key, problem).with_help(help))
}

/// Returns the arsenal with every unit that can appear on both sides as the opponent of one
/// scenario.
fn expand_all_opponents(arsenal: Arsenal, reader: &mut TomlReaderWithFaults) -> Option<Arsenal> {
    let mut refuse = |problem: String, help: &str| {
        reader.note_at_value(Fault::new(OPPONENTS_KEY, problem).with_help(help));
        None
    };
    if arsenal.scenarios.len() > 1 {
        let all = arsenal.scenarios.len();
        let problem = format!("all units meet on the ground of one scenario, and there are {all}");
        return refuse(problem, "leave one [[scenario]] in the file");
    }
    let settings = BattleSettings { trials: REPEAT_CHECK_TRIALS, ..BattleSettings::default() };
    let scenarios = UnitsForEitherSide::new(&arsenal, &settings).arsenal.scenarios;
    if scenarios.len() < 2 {
        let problem = "fewer than two units of this file can be on both sides".to_owned();
        return refuse(
            problem,
            "a unit needs the fields of a target too; without this key they meet the troops of the scenarios",
        );
    }
    let cells = scenarios.len() * arsenal.weapons.len();
    if !CELLS.contains(cells as i64) {
        let problem = format!("there would be {cells} meetings, more than {}", CELLS.high);
        return refuse(problem, "split the arsenal into several files");
    }
    Some(Arsenal { scenarios, ..arsenal })
}
