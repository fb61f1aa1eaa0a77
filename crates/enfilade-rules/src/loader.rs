//! Files of a rulebook: its own, those that it extends, and its data.

use std::path::{Component, Path};
use std::sync::Arc;

use crate::cache::program_cache::ProgramCache;
use crate::check::lost_changes::report_ineffective_parameter_changes;
use crate::check::sum_tests::find_doubtful_sum_tests;
use crate::check::unused::find_unused_names;
use crate::diagnostics::{Faults, did_you_mean as nearest};
use crate::resolve::game::ResolvedRulebook;
use crate::resolve::resolve_declarations::resolve_declarations;
use crate::resolve::rulebook_extension::extend_base_rulebook;
use crate::source_map::{SourceText, error_of_first_faulty_file};
use crate::syntax::ast::{
    DataRowsDecl, Declaration, DeclarationKind, Ident, RowDecl, RulebookAst, TableDecl,
};
use crate::syntax::foreign_lines::replace_faults_with_advice;
use crate::syntax::line_tree::strip_byte_order_mark;
use crate::syntax::parser::parse_rulebook_from;
use enfilade_model::catalogue::{Catalogue, SourceFile, System};
use enfilade_model::error::{FaultWithByteSpan, InputError};
#[cfg(feature = "files")]
use enfilade_model::plain_file::{self, MAX_INPUT_BYTES, UserFileReadError};
use enfilade_model::static_or_shared::StaticOrCounted;

/// Largest size of all files together, in bytes.
const MAX_ALL_FILES_BYTES: usize = 1024 * 1024;
/// Largest number of rulebooks that extend one another.
const MAX_EXTENDED_RULEBOOKS: usize = 4;
/// File name ending of rulebooks; `extends` with any other name refers to a built-in rulebook.
const RULEBOOK_FILE_EXTENSION: &str = ".rules";

/// Rulebook read from files.
#[derive(Debug)]
pub struct Rulebook {
    /// Catalogue entry.
    pub system: System,
    /// Warnings.
    pub warnings: Vec<FaultWithByteSpan>,
    /// Name in messages.
    pub name: String,
    /// Text of the main file.
    pub text: String,
    /// Resolved declarations.
    pub(crate) game: Arc<ResolvedRulebook>,
    /// Programs of the contests.
    programs: Arc<ProgramCache>,
}

impl Rulebook {
    /// Returns the number of programs compiled so far: cells of a grid that differ in numbers,
    /// words, switches or rows may share one.
    pub fn compiled_program_count(&self) -> usize {
        self.programs.len()
    }

    /// Moves an error of the example at `position` of the action at `action` to the example's place
    /// in the rulebook. In `error` the example is the last lines of the experiment that contains
    /// it.
    pub fn move_error_to_example_place(
        &self,
        action: usize,
        position: usize,
        error: InputError,
    ) -> InputError {
        let InputError { text, faults, .. } = &error;
        let of = |name: &Ident| name.text == self.game.actions[action].name.text;
        let mut examples = self.game.examples.iter().filter(|(name, ..)| of(name));
        let Some((name, _, lines)) = examples.nth(position) else { return error };
        let head = text.lines().count().saturating_sub(lines.len());
        let mut told = Faults::default();
        for FaultWithByteSpan { fault, span } in faults {
            let before = text.get(..span.start).unwrap_or_default();
            let written = before.rsplit('\n').next().unwrap_or_default().len();
            let line = before.matches('\n').count().checked_sub(head).and_then(|at| lines.get(at));
            let place = match line {
                None => name.span.clone(),
                // Table headings contain the path of the contest.
                Some(line) if line.text.starts_with('[') => line.span.clone(),
                Some(line) => {
                    let from = (line.span.start + written).min(line.span.end);
                    from..(from + span.len()).min(line.span.end)
                }
            };
            told.add_fault_at_span(place, &*fault.problem, fault.help.clone().unwrap_or_default());
        }
        error_of_first_faulty_file(&self.game.sources, told)
    }

    /// Returns the number of examples of all actions.
    pub fn example_count(&self) -> usize {
        self.game.examples.len()
    }
}

/// Reads the rulebook at `path` and the files that it names, all in its folder or below. It may
/// extend a text of the built-in rulebooks in `catalogue`, by its id.
///
/// # Errors
/// Unreadable files, and all faults of the rulebook with their places.
#[cfg(feature = "files")]
pub fn read_rulebook_at_path(
    path: &Path,
    catalogue: &Catalogue,
) -> Result<Rulebook, UserFileReadError> {
    if path.extension().is_some_and(|ending| ending == "toml") {
        let name = path.display();
        let problem =
            format!("{name} is an experiment, not a rulebook; enfilade rules new writes one");
        return Err(UserFileReadError::Refused(problem));
    }
    let name = path.display().to_string();
    let text = plain_file::read_text_up_to(path, MAX_INPUT_BYTES);
    let text = text.map_err(|refusal| refusal.into_named_error(&name, path))?;
    Ok(read_rulebook_from_text(path, &text, catalogue)?)
}

/// Reads the rulebook at `path` from its text.
///
/// # Errors
/// All faults of the rulebook with their places.
#[cfg(feature = "files")]
pub fn read_rulebook_from_text(
    path: &Path,
    text: &str,
    catalogue: &Catalogue,
) -> Result<Rulebook, InputError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let near = |name: &str| {
        let text = plain_file::read_text_in_folder(folder, name, MAX_INPUT_BYTES);
        text.map_err(|refusal| format!("`{name}`: {refusal}"))
    };
    let id = path.file_stem().unwrap_or_default().to_string_lossy();
    read_with_built_in_bases(&id, &path.display().to_string(), text, &near, catalogue)
}

/// Returns whether a text is a rulebook, valid or not: it has a line `game "Name"`, extends a
/// rulebook, or declares an action.
pub fn is_rulebook_text(text: &str) -> bool {
    let file = parse_rulebook_from(text, 0, &mut Faults::default());
    let is_action = |one: &Declaration| matches!(one.kind, DeclarationKind::Action(_));
    !file.game.is_empty() || file.extends.is_some() || file.declarations.iter().any(is_action)
}

/// Reads a rulebook that extends no built-in one. `id` is the stem of the file name, `name` its
/// name in messages, and `near` reads a file beside it.
///
/// # Errors
/// All faults of the rulebook with their places.
///
/// ```
/// let text = "game \"Coin\"\naction toss:\n    face = d2\n    show face\n";
/// let none = |_: &str| Err("there are no files here".to_owned());
/// let coin = enfilade_rules::read_without_built_in_base("coin", "coin.rules", text, &none)?;
/// assert_eq!(coin.system.actions.len(), 1);
/// # Ok::<(), enfilade_model::error::InputError>(())
/// ```
pub fn read_without_built_in_base(
    id: &str,
    name: &str,
    text: &str,
    near: &dyn Fn(&str) -> Result<String, String>,
) -> Result<Rulebook, InputError> {
    read_with_built_in_bases(id, name, text, near, &Catalogue::default())
}

/// Reads a rulebook that may extend one of the built-in texts of `catalogue`, by its id.
///
/// # Errors
/// As for [`read_without_built_in_base`].
pub fn read_with_built_in_bases(
    id: &str,
    name: &str,
    text: &str,
    near: &dyn Fn(&str) -> Result<String, String>,
    catalogue: &Catalogue,
) -> Result<Rulebook, InputError> {
    RulebookLoader {
        sources: Vec::new(),
        faults: Faults::default(),
        near,
        catalogue,
        built_in: None,
    }
    .load_all_files(id, name, text)
}

/// The faults of the first file that has some, with the ways out of habits from elsewhere.
fn faulty_file_error_with_advice(sources: &[SourceText], faults: Faults) -> InputError {
    let mut error = error_of_first_faulty_file(sources, faults);
    replace_faults_with_advice(&error.text, &mut error.faults);
    error
}

struct RulebookLoader<'n> {
    sources: Vec<SourceText>,
    faults: Faults,
    near: &'n dyn Fn(&str) -> Result<String, String>,
    catalogue: &'n Catalogue,
    /// Files of the built-in rulebook that is being read.
    built_in: Option<StaticOrCounted<[SourceFile]>>,
}

impl RulebookLoader<'_> {
    fn load_all_files(mut self, id: &str, name: &str, text: &str) -> Result<Rulebook, InputError> {
        let file = self.load_file_with_bases(name, text, &mut Vec::new());
        let RulebookLoader { sources, mut faults, .. } = self;
        let about = crate::system::RulebookHeader::from_syntax_tree(id, &file);
        if file.base_missing {
            return Err(faulty_file_error_with_advice(&sources, faults));
        }
        let end = sources.first().map_or(0, |own| own.text.len());
        let mut warnings = match faults.is_empty() {
            true => find_unused_names(&file, end),
            false => Vec::new(),
        };
        warnings.extend(find_doubtful_sum_tests(&file, text));
        report_ineffective_parameter_changes(&file, &mut faults);
        let mut game = resolve_declarations(file, &mut faults);
        game.sources = sources;
        let files = game.sources.iter().enumerate().map(|(at, source)| {
            let own = if at == 0 {
                format!("{id}{RULEBOOK_FILE_EXTENSION}")
            } else {
                source.name.clone()
            };
            SourceFile::new(own, source.text.to_string())
        });
        let files: Vec<SourceFile> = files.collect();
        let (system, game, cache) =
            crate::system::check_and_build_rulebook(about, game, files, faults)
                .map_err(|(sources, faults)| faulty_file_error_with_advice(&sources, faults))?;
        let remarks = game.action_facts.iter().flat_map(|found| &found.remarks);
        warnings.extend(remarks.filter(|remark| remark.span.start < end).cloned());
        warnings.sort_by_key(|warning| warning.span.start);
        warnings.dedup();
        Ok(Rulebook {
            system,
            warnings,
            name: name.to_owned(),
            text: text.to_owned(),
            game,
            programs: cache,
        })
    }

    /// Returns the tree of a rulebook, with everything that it extends and the data that it names.
    /// `open` contains the names of the rulebooks that are being read.
    fn load_file_with_bases(
        &mut self,
        name: &str,
        text: &str,
        open: &mut Vec<String>,
    ) -> RulebookAst {
        let start = self.add_source_and_return_offset(name, text);
        let mut file = parse_rulebook_from(text, start, &mut self.faults);
        open.push(name.to_owned());
        for declared in &mut file.declarations {
            let read = match &mut declared.kind {
                DeclarationKind::Data(data) => self.fill_data_rows_from_file(data),
                DeclarationKind::Table(table) => self.fill_table_rows_from_file(table),
                _ => continue,
            };
            if read.is_none() {
                file.unread.push(declared.name.text.clone());
            }
        }
        match file.extends.clone() {
            Some(base) => self.extend_base_rulebook(file, &base, open),
            None => {
                self.report_changes_without_base(&file);
                file
            }
        }
    }

    fn add_source_and_return_offset(&mut self, name: &str, text: &str) -> usize {
        let start = self.sources.last().map_or(0, |last| last.start + last.text.len() + 1);
        self.sources.push(SourceText { name: name.to_owned(), text: text.into(), start });
        start
    }

    fn report_changes_without_base(&mut self, file: &RulebookAst) {
        for declared in file.declarations.iter().filter(|declared| declared.change) {
            let help = "`game \"Mine\" extends \"theirs.rules\"` names the rulebook it changes";
            let problem = "`change` needs a rulebook to extend: this one extends no other";
            self.faults.add_fault_at_span(declared.name.span.clone(), problem, help);
        }
    }

    fn extend_base_rulebook(
        &mut self,
        mut file: RulebookAst,
        base: &Ident,
        open: &mut Vec<String>,
    ) -> RulebookAst {
        if open.contains(&base.text) {
            let circle = open.join(" → ");
            let problem = format!("`{}` extends itself ({circle} → {})", base.text, base.text);
            self.faults.add_fault_at_span(base.span.clone(), problem, "");
            return RulebookAst { base_missing: true, ..file };
        }
        if open.len() >= MAX_EXTENDED_RULEBOOKS {
            let problem =
                format!("rulebooks extend one another at most {MAX_EXTENDED_RULEBOOKS} deep");
            self.faults.add_fault_at_span(base.span.clone(), problem, "");
            return RulebookAst { base_missing: true, ..file };
        }
        let Some(mut base_rulebook) = self.load_base_rulebook(base, open) else {
            return RulebookAst { base_missing: true, ..file };
        };
        base_rulebook.base_missing |= file.base_missing;
        base_rulebook.unread.append(&mut file.unread);
        self.faults.suppress(base_rulebook.unread.iter().cloned());
        extend_base_rulebook(base_rulebook, file, &base.text, &self.sources, &mut self.faults)
    }

    /// Returns the rulebook that another one extends: a file beside it, or a built-in one with all
    /// its files.
    fn load_base_rulebook(&mut self, base: &Ident, open: &mut Vec<String>) -> Option<RulebookAst> {
        if base.text.ends_with(RULEBOOK_FILE_EXTENSION) {
            let text = self.read_sibling_text(base)?;
            return Some(self.load_file_with_bases(&base.text, &text, open));
        }
        let files = self.files_of_built_in_rulebook(base)?;
        let own = files.first()?.clone();
        let outer = self.built_in.replace(files);
        let file = self.load_file_with_bases(&own.name, &own.text, open);
        self.built_in = outer;
        Some(file)
    }

    /// Returns the files of a built-in text rulebook.
    fn files_of_built_in_rulebook(
        &mut self,
        base: &Ident,
    ) -> Option<StaticOrCounted<[SourceFile]>> {
        let built_in =
            self.catalogue.rulebook_by_id(&base.text).ok().filter(|found| found.built_in);
        if let Some(built_in) = built_in.filter(|found| !found.files.is_empty()) {
            return Some(built_in.files.clone());
        }
        let problem = match built_in {
            Some(built_in) => {
                format!("`{}` is written in Rust and cannot be extended", built_in.id)
            }
            None => format!("there is no built-in rulebook `{}`", base.text),
        };
        let texts = self
            .catalogue
            .rulebooks_created_on_demand()
            .filter(|one| one.built_in && !one.files.is_empty());
        let help = nearest(&base.text, texts.map(|text| &*text.id));
        let file =
            format!("a file is named with its ending: \"{}{RULEBOOK_FILE_EXTENSION}\"", base.text);
        let help = [help, file].into_iter().filter(|help| !help.is_empty());
        let help = help.collect::<Vec<_>>().join(" ");
        self.faults.add_fault_at_span(base.span.clone(), problem, help);
        None
    }

    /// Returns the text of a file beside the rulebook.
    fn read_sibling_text(&mut self, name: &Ident) -> Option<String> {
        let plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
        let inside = !name.text.is_empty() && Path::new(&name.text).components().all(plain);
        if !inside || name.text.contains('\\') {
            let problem = format!("`{}` is outside the folder of the rules", name.text);
            self.faults.add_fault_at_span(
                name.span.clone(),
                problem,
                "put it beside the rulebook, or below",
            );
            return None;
        }
        let read = match &self.built_in {
            Some(files) => {
                let file = files.iter().find(|file| file.name == name.text);
                file.map(|file| file.text.to_string()).ok_or("it is not built in".to_owned())
            }
            None => (self.near)(&name.text),
        };
        let all: usize = self.sources.iter().map(|source| source.text.len()).sum();
        let problem = match read {
            Ok(text) if all + text.len() <= MAX_ALL_FILES_BYTES => return Some(text),
            Ok(_) => format!("all files together have at most {} KiB", MAX_ALL_FILES_BYTES / 1024),
            Err(why) => format!("the file cannot be read: {why}"),
        };
        self.faults.add_fault_at_span(name.span.clone(), problem, "");
        None
    }

    /// Reads the rows of data from their file; `None` if the file cannot be read.
    fn fill_data_rows_from_file(&mut self, data: &mut DataRowsDecl) -> Option<()> {
        let Some(from) = &data.from else { return Some(()) };
        let (heads, rows) = self.read_tsv_heads_and_rows(&from.clone())?;
        data.heads = heads.into_iter().map(column_head_to_name).collect();
        data.rows.extend(rows);
        Some(())
    }

    /// Reads the rows of a table from the file that it names; its heads are keys only if they can
    /// be parsed as keys.
    fn fill_table_rows_from_file(&mut self, table: &mut TableDecl) -> Option<()> {
        let Some(from) = &table.from else { return Some(()) };
        let (heads, rows) = self.read_tsv_heads_and_rows(&from.clone())?;
        if heads.len() > 1
            || table.columns.is_empty()
                && heads.iter().all(|head| is_number_or_range_key(&head.text))
        {
            table.columns = heads;
        }
        table.rows.extend(rows);
        Some(())
    }

    /// Reads a file of tab-separated cells: its heads after the first, and its rows.
    fn read_tsv_heads_and_rows(&mut self, from: &Ident) -> Option<(Vec<Ident>, Vec<RowDecl>)> {
        let text = self.read_sibling_text(from)?;
        let at = self.add_source_and_return_offset(&from.text, &text);
        let lines = cells_of_lines_but_comments(&text, at);
        let mut lines = lines.into_iter();
        let heads = lines.next().unwrap_or_default();
        let width = heads.len();
        let rows = lines.map(|mut cells| {
            let end = cells.last().map_or(0..0, |cell| cell.span.end..cell.span.end);
            while cells.len() < width {
                cells.push(Ident { text: "-".into(), span: end.clone() });
            }
            let key = cells.remove(0);
            RowDecl { key, cells }
        });
        Some((heads.into_iter().skip(1).collect(), rows.collect()))
    }
}

/// Splits a line at its tabs.
fn split_at_tabs(line: &str, start: usize) -> Vec<Ident> {
    let mut at = start;
    let cells = line.split('\t').map(|cell| {
        let text = cell.trim();
        let from = at + (cell.len() - cell.trim_start().len());
        at += cell.len() + 1;
        // Spreadsheets quote a cell that contains a comma or a quote.
        let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let field_text = quoted.map_or(text.to_owned(), |inner| inner.replace("\"\"", "\""));
        Ident { text: field_text, span: from..from + text.len() }
    });
    cells.collect()
}

/// Converts a column head to a name: `Max. Range` becomes `max__range`.
fn column_head_to_name(head: Ident) -> Ident {
    Ident {
        text: crate::resolve::printed_cells::name_of_printed_word(&head.text).to_lowercase(),
        ..head
    }
}

fn is_number_or_range_key(text: &str) -> bool {
    crate::resolve::tables::parse_number_or_range_key(text).is_some()
}

/// Returns the cells of each line of a file whose first byte has the offset `at`; lines that begin
/// with `#` are comments.
fn cells_of_lines_but_comments(text: &str, mut at: usize) -> Vec<Vec<Ident>> {
    let mut lines: Vec<Vec<Ident>> = Vec::new();
    let marked = strip_byte_order_mark(text);
    at += text.len() - marked.len();
    for line in marked.split('\n') {
        let line_text = line.trim_end_matches('\r');
        if !line_text.trim().is_empty() && !line_text.starts_with('#') {
            lines.push(split_at_tabs(line_text, at));
        }
        at += line.len() + 1;
    }
    lines
}
