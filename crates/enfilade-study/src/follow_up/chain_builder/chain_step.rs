//! A step of a chain as the file describes it, and the slots of what it carries.

use toml::Table;

use crate::follow_up::then_entry::FollowUp;
use enfilade_model::catalogue::RulebookAction;
use enfilade_model::form::Fault;

/// Step, as the file describes it.
pub(super) struct ChainStep<'a> {
    pub action: &'a RulebookAction,
    pub link: Option<&'a FollowUp>,
    /// Values of its fields in the file.
    pub fields: Table,
    /// Number of turns, if given.
    pub times: Option<u32>,
    /// Carried fields, each with its slot.
    pub pairs: Vec<(String, String)>,
}

impl<'a> ChainStep<'a> {
    pub fn new(
        action: &'a RulebookAction,
        link: Option<&'a FollowUp>,
        mut table: Table,
    ) -> ChainStep<'a> {
        let times = link.filter(|link| link.repeats).and_then(|_| table.remove("times"));
        let times = times.and_then(|times| times.as_integer()).map(|times| times as u32);
        ChainStep { action, link, fields: table, times, pairs: Vec::new() }
    }

    pub fn key_in_file(&self) -> &str {
        self.link.map_or("", |link| &link.key)
    }

    pub fn prefix_fault_with_step(&self, fault: Fault) -> Fault {
        match self.link {
            Some(link) => fault.prefix_path(&link.key),
            None => fault,
        }
    }

    pub fn prefix_faults_with_step(&self, faults: Vec<Fault>) -> Vec<Fault> {
        faults.into_iter().map(|fault| self.prefix_fault_with_step(fault)).collect()
    }
}

pub(super) fn too_many_branches_fault(what: &str, most: usize) -> Fault {
    let problem = format!("it branches into more than {most} {what}");
    Fault::new("", problem)
        .with_help("use fewer turns, smaller units, or fewer steps that hand on what is left")
}

/// Returns the slot that records that a step has set its carried fields.
pub(super) fn step_has_carried_slot(step: usize) -> String {
    format!("taken: {step}")
}

/// Returns the slot that records that a field is gone.
pub(super) fn removed_field_slot(slot: &str) -> String {
    format!("gone: {slot}")
}

/// Returns the slot that records that a field is several tables, not distinguished.
pub(super) fn undistinguished_tables_slot(slot: &str) -> String {
    format!("apart: {slot}")
}

/// Returns whether a name means the field of a step, alone or behind the key of the step.
pub(super) fn name_means_step_field(key: &str, field: &str, name: &str) -> bool {
    let behind = name.strip_suffix(field).and_then(|before| before.strip_suffix('_'));
    field == name || !key.is_empty() && behind == Some(key)
}
