//! A question of a page: the text of a file, and the form that was filled in for one of its
//! contests.

use serde::Deserialize;
use serde_json::{Map, Value as Json};

use super::app_state::AppState;
use super::folder_rulebooks::{self, RulebookDraft};
use enfilade_engine::cancel::CancelToken;
use enfilade_model::catalogue::Catalogue;
use enfilade_model::error::InputError;
use enfilade_pricing::arsenal::is_arsenal_text;
use enfilade_report::error::ReportError;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::{Experiment, GridCell};
use enfilade_study::file::edit;
use enfilade_study::file::source_document::TomlDocumentWithPositions;

/// A question of a page.
#[derive(Clone, Debug, Deserialize)]
pub struct PageQuestion {
    /// The name of the file.
    #[serde(default)]
    name: String,
    /// Its text.
    text: String,
    /// The current contest, from 0.
    #[serde(default)]
    pub contest: usize,
    /// The values of that contest, if a form was filled in.
    #[serde(default)]
    form: Option<Map<String, Json>>,
    /// The current cell of the contest's grid, from 0.
    #[serde(default)]
    pub cell: usize,
    /// A rulebook that is being written.
    #[serde(default)]
    rules: Option<RulebookDraft>,
}

impl PageQuestion {
    /// Creates the question of a file, for its first contest.
    pub fn for_first_contest(text: String, rules: Option<RulebookDraft>) -> PageQuestion {
        PageQuestion { name: String::new(), text, contest: 0, form: None, cell: 0, rules }
    }

    /// The name of the file in messages.
    pub fn file_name_in_messages(&self) -> &str {
        if self.name.is_empty() { "unnamed" } else { &self.name }
    }

    /// The text of the file with the form in it. A text that cannot take the form is unchanged: its
    /// own faults explain why.
    pub fn text_with_form(&self) -> String {
        let with = |form| match is_arsenal_text(&self.text) {
            true => edit::arsenal_text_with_form_values(&self.text, form),
            false => edit::with_contest_values(&self.text, self.contest, form),
        };
        let edited = self.form.as_ref().map(with);
        edited.and_then(Result::ok).unwrap_or_else(|| self.text.clone())
    }

    /// Parses a text.
    ///
    /// # Errors
    /// When the text is no TOML.
    pub fn parse_toml_document(
        &self,
        text: &str,
    ) -> Result<TomlDocumentWithPositions, ReportError> {
        let (name, copy) = (self.file_name_in_messages().to_owned(), text.to_owned());
        Ok(TomlDocumentWithPositions::parse_toml(text).map_err(|faults| InputError {
            name,
            text: copy,
            faults,
        })?)
    }

    /// Reads the rulebooks that it may name.
    ///
    /// # Errors
    /// The faults of one that it names.
    pub fn read_rulebooks_in_reach(
        &self,
        bench: &AppState,
        document: &TomlDocumentWithPositions,
    ) -> Result<Catalogue, ReportError> {
        if self.rules.is_none()
            && let Some(near) = bench.host.read_rulebooks_named_by_path(
                &bench.built_in,
                self.file_name_in_messages(),
                &self.text,
            )?
        {
            return Ok(near);
        }
        folder_rulebooks::with_rulebooks_named_in_file(
            &bench.built_in,
            &bench.folder,
            (&self.name, document),
            self.rules.as_ref(),
        )
    }

    /// Reads the whole experiment, and its text.
    ///
    /// # Errors
    /// All faults of the file, or the cancellation.
    pub fn read_text_and_experiment(
        &self,
        bench: &AppState,
        halt: &CancelToken,
    ) -> Result<(String, Experiment), ReportError> {
        let text = self.text_with_form();
        let catalogue = self.read_rulebooks_in_reach(bench, &self.parse_toml_document(&text)?)?;
        let experiment =
            Experiment::read_or_cancel(&catalogue, self.file_name_in_messages(), &text, halt)?;
        Ok((text, experiment))
    }

    /// The cells of its contest.
    pub fn current_contest_cells<'c>(&self, cells: &'c [GridCell]) -> &'c [GridCell] {
        let mut contests = cells.chunk_by(|a, b| a.contest == b.contest);
        contests.find(|cells| cells[0].contest == self.contest).unwrap_or_default()
    }

    /// Returns the cells of the same contest that break a check of the rulebook.
    pub fn excluded_cells_of_contest<'e>(&self, experiment: &'e Experiment) -> Vec<&'e Answer> {
        experiment.excluded_rows.iter().filter(|row| row.contest == self.contest).collect()
    }

    /// Returns the number of the current cell. Cells of a grid are counted with those that break a
    /// check.
    pub fn current_cell_number(&self, own: &[GridCell], excluded: &[&Answer]) -> usize {
        let numbers = own.iter().map(|cell| cell.index).chain(excluded.iter().map(|row| row.cell));
        numbers.min().unwrap_or(0).saturating_add(self.cell)
    }
}
