//! Loads rulebooks from files, for a command line and for the files that name them.

use std::path::{Component, Path, PathBuf};

use super::rulebook_names::{paths_of_named_rulebooks, rulebook_name_of_path};
use crate::error::StudyError;
use crate::file::source_document::{AllowedFilePaths, SourceInput, TomlDocumentWithPositions};
use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::error::{FaultWithByteSpan, FileError, InputError};
use enfilade_model::form::sanitize::{is_control_or_invisible, shorten_and_make_safe};
use enfilade_model::form::{Fault, name_matching};
use enfilade_model::plain_file::{self, FileReadRefusal, UserFileReadError};
use enfilade_rules::{self, Rulebook};

/// Extension of rulebook files.
const RULEBOOK_FILE_EXTENSION: &str = "rules";

/// Adds to `catalogue` the rulebooks in the files `paths`, and those that `input` names.
///
/// # Errors
/// [`StudyError::Input`] with the faults of a rulebook, or of the file that names it;
/// [`StudyError::Invalid`] if a given one has the name of another; [`StudyError::File`] if it
/// cannot be read.
pub fn catalogue_with_rulebook_files(
    catalogue: &Catalogue,
    paths: &[PathBuf],
    input: Option<&SourceInput>,
) -> Result<Catalogue, StudyError> {
    let mut shelf = CatalogueWithFiles { catalogue: catalogue.clone(), paths: Vec::new() };
    for path in paths {
        let added = shelf.add_file_at_path(path).map_err(|error| error.into_command_error(path));
        added?;
    }
    let Some(input) = input else {
        return Ok(shelf.catalogue);
    };
    // Faults of the file itself are reported when it is read.
    let Ok(document) = TomlDocumentWithPositions::parse_toml(&input.text) else {
        return Ok(shelf.catalogue);
    };
    for (key, written) in paths_of_named_rulebooks(&document) {
        let added = shelf.add_file_named_by_input(input, &written);
        added.map_err(|error| error.into_file_error(input, &document, &key, &written))?;
    }
    Ok(shelf.catalogue)
}

/// Catalogue that grows by files.
struct CatalogueWithFiles {
    catalogue: Catalogue,
    /// Files in the catalogue.
    paths: Vec<PathBuf>,
}

/// Reason why a rulebook is not loaded.
enum RulebookLoadError {
    /// A rulebook with its name is already loaded.
    Clash(String),
    /// The file is not a rulebook: the reason, and the remedy.
    Odd(String, &'static str),
    /// The file cannot be read, or has faults.
    Read(UserFileReadError),
}

impl CatalogueWithFiles {
    /// Adds the rulebook at `path`, unless that very file has been added.
    fn add_file_at_path(&mut self, path: &Path) -> Result<(), RulebookLoadError> {
        self.add_file_once_with_reader(path, |known| {
            enfilade_rules::read_rulebook_at_path(path, known).map_err(RulebookLoadError::Read)
        })
    }

    /// Adds the rulebook that `input` names as `written`, unless that very file has been added.
    fn add_file_named_by_input(
        &mut self,
        input: &SourceInput,
        written: &str,
    ) -> Result<(), RulebookLoadError> {
        let path = input.folder.join(written);
        match input.origin {
            AllowedFilePaths::Command => self.add_file_at_path(&path),
            AllowedFilePaths::File => self.add_file_once_with_reader(&path, |known| {
                open_named_rulebook(&input.folder, written, known)
            }),
        }
    }

    /// Adds the rulebook at `path`, read by `read`, unless that very file has been added.
    fn add_file_once_with_reader(
        &mut self,
        path: &Path,
        read: impl FnOnce(&Catalogue) -> Result<Rulebook, RulebookLoadError>,
    ) -> Result<(), RulebookLoadError> {
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.paths.contains(&place) {
            return Ok(());
        }
        let id = rulebook_name_of_path(path);
        if id.trim().is_empty()
            || id.chars().any(|c| is_control_or_invisible(c) || matches!(c, '/' | '\\' | ':' | '"'))
        {
            let problem =
                format!("{} cannot be the name of a rulebook", shorten_and_make_safe(&id));
            return Err(RulebookLoadError::Clash(problem));
        }
        if let Some(there) = self.rulebook_with_same_id(&id) {
            let of = match there.files.first().filter(|_| there.is_from_text()) {
                None => "is built in".to_owned(),
                Some(file) => format!("is read from another {}", shorten_and_make_safe(&file.name)),
            };
            let problem = format!("a rulebook `{}` {of}", shorten_and_make_safe(&there.id));
            return Err(RulebookLoadError::Clash(problem));
        }
        let read = read(&self.catalogue)?;
        self.paths.push(place);
        self.catalogue = std::mem::take(&mut self.catalogue).with_rulebook(read.system);
        Ok(())
    }

    /// Returns another rulebook that a contest would mean by `id` as well.
    fn rulebook_with_same_id(&self, id: &str) -> Option<&System> {
        let there = self.catalogue.rulebook_ids().find(|there| {
            name_matching::name_matching_key(there) == name_matching::name_matching_key(id)
        })?;
        self.catalogue.rulebook_by_id(there).ok().map(|system| &**system)
    }
}

/// Opens the rulebook that a file in `folder` names as `written`. The file may come from another
/// person: the rulebook must be below its folder, or below one above it that it climbs to with
/// `..`, must be reached through no link, and must have the extension and the first line of a
/// rulebook. No message repeats the contents of any other file.
fn open_named_rulebook(
    folder: &Path,
    written: &str,
    catalogue: &Catalogue,
) -> Result<Rulebook, RulebookLoadError> {
    let (mut up, mut down) = (PathBuf::new(), PathBuf::new());
    for part in Path::new(written).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if down.pop() => {}
            Component::ParentDir => up.push(part),
            Component::Normal(part) => down.push(part),
            Component::Prefix(_) | Component::RootDir => {
                let problem = format!("{} is an absolute path", shorten_and_make_safe(written));
                return Err(RulebookLoadError::Odd(problem, OWN_FOLDER_ONLY_HELP));
            }
        }
    }
    if down.extension().is_none_or(|ending| ending != RULEBOOK_FILE_EXTENSION) {
        let problem = format!(
            "{} is no rulebook: its name does not end in .rules",
            shorten_and_make_safe(written)
        );
        return Err(RulebookLoadError::Odd(problem, OWN_FOLDER_ONLY_HELP));
    }
    let above = folder.join(up);
    let path = above.join(&down);
    let text =
        plain_file::read_text_in_folder(&above, &down, enfilade_rules::MAX_RULEBOOK_FILE_BYTES)
            .map_err(|why| match why {
                FileReadRefusal::Io(source) => RulebookLoadError::Read(
                    FileError::io_error_converter("reading", &path)(source).into(),
                ),
                other => RulebookLoadError::Odd(
                    format!("{} cannot be read: {other}", shorten_and_make_safe(written)),
                    OWN_FOLDER_ONLY_HELP,
                ),
            })?;
    if !enfilade_rules::is_rulebook_text(&text) {
        let problem = format!(
            "{} is no rulebook: it has no line `game \"Name\"` and no action",
            shorten_and_make_safe(written)
        );
        return Err(RulebookLoadError::Odd(
            problem,
            "run `enfilade rules check FILE` to see its faults",
        ));
    }
    enfilade_rules::read_rulebook_from_text(&path, &text, catalogue)
        .map_err(|error| RulebookLoadError::Read(error.into()))
}

const OWN_FOLDER_ONLY_HELP: &str = "a file names rulebooks from its own folder on and through no link; any other is given on the \
    command line: --rules FILE";

const RENAME_FILE_HELP: &str = "the name of a rulebook is that of its file: rename the file, and the `system` \
    of its contests";

impl RulebookLoadError {
    fn into_command_error(self, path: &Path) -> StudyError {
        match self {
            RulebookLoadError::Clash(problem) => {
                let path = shorten_and_make_safe(&path.display().to_string());
                StudyError::Invalid(format!("--rules {path}: {problem}; {RENAME_FILE_HELP}"))
            }
            RulebookLoadError::Odd(problem, help) => {
                StudyError::Invalid(format!("--rules: {problem}; {help}"))
            }
            RulebookLoadError::Read(error) => error.into(),
        }
    }

    /// Converts the failure to an error at the position in the file that names the rulebook. Faults
    /// of the rulebook stay in the rulebook.
    fn into_file_error(
        self,
        input: &SourceInput,
        document: &TomlDocumentWithPositions,
        key: &str,
        written: &str,
    ) -> StudyError {
        let fault = match self {
            RulebookLoadError::Clash(problem) => {
                Fault::new(key, problem).with_help(RENAME_FILE_HELP)
            }
            RulebookLoadError::Odd(problem, help) => Fault::new(key, problem).with_help(help),
            RulebookLoadError::Read(UserFileReadError::File(FileError { source, .. })) => {
                let problem =
                    format!("{} cannot be read: {source}", shorten_and_make_safe(written));
                let fault = Fault::new(key, problem);
                match find_similar_rulebook_file(&input.folder, written) {
                    Some(near) => fault.with_help(format!("did you mean \"{near}\"?")),
                    None => fault.with_help("its path begins at the folder of this file"),
                }
            }
            RulebookLoadError::Read(error) => return error.into(),
        };
        let span = document.byte_range_of_value(key);
        InputError {
            name: input.name.clone(),
            text: input.text.clone(),
            faults: vec![FaultWithByteSpan { fault, span }],
        }
        .into()
    }
}

/// Returns the rulebook in the same folder whose name is nearest to the written one.
fn find_similar_rulebook_file(folder: &Path, written: &str) -> Option<String> {
    let wanted = folder.join(written);
    let place = wanted.parent().filter(|place| !place.as_os_str().is_empty());
    let entries = std::fs::read_dir(place.unwrap_or(Path::new("."))).ok()?;
    let files = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let ending = format!(".{RULEBOOK_FILE_EXTENSION}");
    let files: Vec<_> = files.filter(|name| name.ends_with(&ending)).collect();
    let (before, last) = match written.rsplit_once('/') {
        Some((before, last)) => (format!("{before}/"), last),
        None => (String::new(), written),
    };
    let near = name_matching::find_nearest_name(last, files.iter().map(String::as_str))?;
    (!near.contains(is_control_or_invisible)).then(|| format!("{before}{near}"))
}

/// Returns the path of a rulebook as a file in `folder` names it.
pub fn path_relative_to_folder(folder: &Path, rules: &Path) -> String {
    let place = |folder: &Path| match folder.as_os_str().is_empty() {
        true => Path::new(".").canonicalize(),
        false => folder.canonicalize(),
    };
    // The file itself keeps its name, also if it is a link to another.
    let (name, of) = (rules.file_name().unwrap_or_default(), rules.parent().unwrap_or(folder));
    let (Ok(from), Ok(to)) = (place(folder), place(of).map(|of| of.join(name))) else {
        return rules.display().to_string();
    };
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    // On another disk.
    if shared == 0 {
        return to.display().to_string();
    }
    let up = from.components().skip(shared).map(|_| "..".to_owned());
    let down = to.components().skip(shared);
    let down = down.map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}
