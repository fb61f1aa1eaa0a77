//! `enfilade page --site`: the questions of the gallery are solved, and the files of the site are
//! written.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::cancel::CancelToken;
use crate::catalogue::{Catalogue, System};
use crate::error::{Error, FileError};
use crate::report::charts::{self, ChartDrawing};
use crate::report::drawing::{self, DrawingMedium, PictureFormat, RgbColor, Scene};
use crate::report::text::labels;
use crate::rulebook;
use crate::studio::PackedEngineModules;
use crate::studio::site::{
    BundledSiteText, GalleryPicture, GalleryQuestion, SiteContent, SiteGame, unpack_texts,
};
use crate::study::checkpoint::journal::CellTrialJournal;
use crate::study::experiment::Experiment;
use crate::study::samples;
use crate::study::solve::{SolveObserver, SolverSettings, solve_cells};

/// Time for the picture of one question; a question that takes longer has none.
const PICTURE_BUDGET: Duration = Duration::from_secs(3);

/// Most cells of a picture.
const PICTURE_CELLS: usize = 3000;

/// Writes the site into `folder` and returns its number of files. `address` is where it will be, or
/// empty.
///
/// # Errors
/// When the folder has other files in it, or cannot be written.
pub fn write_site(
    folder: &Path,
    modules: PackedEngineModules,
    address: &str,
    catalogue: &Catalogue,
) -> Result<usize, Error> {
    check_folder(folder)?;
    let gallery = SampleQuestionGallery { texts: unpack_texts(), catalogue };
    let slash = if address.is_empty() || address.ends_with('/') { "" } else { "/" };
    let content = SiteContent {
        modules,
        games: gallery.list_games(),
        questions: gallery.build_questions(),
        address: format!("{address}{slash}"),
        icons: draw_icons()?,
    };
    let files = content.build_files();
    for (path, bytes) in &files {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(FileError::io_error_converter("creating", parent))?;
        fs::write(&path, bytes).map_err(FileError::io_error_converter("writing", &path))?;
    }
    Ok(files.len())
}

/// Checks that a folder is new, empty, or has a site in it.
fn check_folder(folder: &Path) -> Result<(), Error> {
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if is_empty || folder.join("manifest.webmanifest").is_file() {
        return Ok(());
    }
    let shown = folder.display();
    Err(Error::Usage(format!("{shown}: other files are in this folder; name a new or empty one")))
}

/// The questions that come with the program.
struct SampleQuestionGallery<'a> {
    texts: Vec<BundledSiteText>,
    catalogue: &'a Catalogue,
}

impl SampleQuestionGallery<'_> {
    /// Lists the built-in games, each with the first question that is ready for it.
    fn list_games(&self) -> Vec<SiteGame> {
        self.catalogue
            .rulebooks_created_on_demand()
            .filter_map(|system| build_game(system))
            .collect()
    }

    /// Builds the questions of the gallery: experiments first, then those to each game.
    fn build_questions(&self) -> Vec<GalleryQuestion> {
        let of = |folder: &'static str| {
            self.texts.iter().filter(move |text| text.is_directly_in_folder(folder))
        };
        let experiments = of("experiments").map(|text| (text, "Experiments".to_owned()));
        let questions = of("experiments/questions").map(|text| (text, self.name_group(text)));
        let files = experiments.chain(questions);
        files.filter_map(|(text, group)| self.build_question(text, group)).collect()
    }

    /// The heading of a question: the title of the game that its name begins with.
    fn name_group(&self, text: &BundledSiteText) -> String {
        let id = text.stem().split('_').next().unwrap_or_default();
        let game = self.catalogue.rulebooks_created_on_demand().find(|system| *system.id == *id);
        game.map_or_else(|| id.to_owned(), |game| game.title.to_string())
    }

    fn build_question(&self, text: &BundledSiteText, group: String) -> Option<GalleryQuestion> {
        let (own, files) = self.text_and_files_it_names(text);
        let table: toml::Table = own.parse().ok()?;
        let line = |key: &str| table.get(key).and_then(toml::Value::as_str);
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let title = match line("name") {
            Some(name) => labels::experiment_name_with_spaces(&name.replace('-', " ")),
            None => text.stem().split('_').skip(2).collect::<Vec<_>>().join(" "),
        };
        Some(GalleryQuestion {
            name: text.stem().to_owned(),
            group,
            title: capitalize(&title),
            question: line("question").map(words).unwrap_or_default(),
            picture: self.draw_picture(text.file_name(), &own, &files),
            text: own,
            files,
        })
    }

    /// The text with plain names of the files that it names, and those files.
    fn text_and_files_it_names(&self, text: &BundledSiteText) -> (String, Vec<(String, String)>) {
        let (mut own, mut files) = (text.text.clone(), BTreeMap::new());
        let mut waiting = vec![own.clone()];
        while let Some(now) = waiting.pop() {
            for other in self.texts.iter().filter(|other| !other.path.ends_with(".toml")) {
                let name = other.file_name();
                let path = format!("\"../rulebooks/{name}\"");
                let is_named = now.contains(&format!("\"{name}\"")) || now.contains(&path);
                if is_named && !files.contains_key(name) {
                    files.insert(name.to_owned(), other.text.clone());
                    waiting.push(other.text.clone());
                }
                own = own.replace(&path, &format!("\"{name}\""));
            }
        }
        (own, files.into_iter().collect())
    }

    /// Draws the first chart of the answer; `None` if there is none in time.
    fn draw_picture(
        &self,
        name: &str,
        text: &str,
        files: &[(String, String)],
    ) -> Option<GalleryPicture> {
        let near = |wanted: &str| {
            let file = files.iter().find(|(name, _)| name == wanted);
            file.map(|(_, text)| text.clone()).ok_or_else(|| "it is not there".to_owned())
        };
        let mut catalogue = self.catalogue.clone();
        for (file, rules) in files.iter().filter(|(file, _)| file.ends_with(".rules")) {
            let id = file.trim_end_matches(".rules");
            let read =
                rulebook::read_with_built_in_bases(id, file, rules, &near, self.catalogue).ok()?;
            catalogue = catalogue.with_rulebook(read.system);
        }
        let experiment = Experiment::read_experiment_text(&catalogue, name, text).ok()?;
        let experiment = Some(experiment).filter(|one| one.cells.len() <= PICTURE_CELLS)?;
        let drawing = solve_and_draw_first_chart(&experiment)?;
        let png = PictureFormat::format_for_extension("png");
        let scenes = [drawing.scene];
        let png = png.and_then(|png| png.encode_pages(&drawing.title, &scenes).ok());
        let svg = drawing::render_scene_as_svg(&scenes[0]);
        Some(GalleryPicture { svg, png, title: drawing.title })
    }
}

fn build_game(system: &System) -> Option<SiteGame> {
    let mut actions = system.actions.iter();
    let (action, sample) = actions.find_map(|one| Some((one, one.samples.get(0)?)))?;
    let question = GalleryQuestion {
        name: system.id.to_string(),
        group: String::new(),
        title: system.title.to_string(),
        question: action.question.to_string(),
        text: samples::contest_file_of_sample(system, action, sample),
        files: Vec::new(),
        picture: None,
    };
    let about = format!("{} actions. {}", system.actions.len(), system.source);
    Some(SiteGame { title: system.title.to_string(), about, question })
}

fn capitalize(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Solves an experiment exactly in the time that a picture has, and draws its first chart.
fn solve_and_draw_first_chart(experiment: &Experiment) -> Option<ChartDrawing> {
    let watch = TimeLimitObserver(Arc::new(CancelToken::new()));
    let token = Arc::clone(&watch.0);
    // The thread ends with the program at the latest.
    thread::spawn(move || {
        thread::sleep(PICTURE_BUDGET);
        token.cancel();
    });
    let journal = CellTrialJournal::without_storage();
    let solved =
        solve_cells(&experiment.cells, &SolverSettings::for_exact_only(), &watch, &journal).ok()?;
    if solved.interrupted || solved.answers.iter().any(|answer| answer.is_cell_refused()) {
        return None;
    }
    charts::draw_possible_charts(&experiment.spec.charts, &solved.answers).into_iter().next()
}

/// Observer that cancels work after a time.
struct TimeLimitObserver(Arc<CancelToken>);

impl SolveObserver for TimeLimitObserver {
    fn cancel_token(&self) -> &CancelToken {
        &self.0
    }
}

/// Draws the icons of the site: bars of a distribution on the colour of its links.
fn draw_icons() -> Result<Vec<(String, Vec<u8>)>, Error> {
    let Some(png) = PictureFormat::format_for_extension("png").filter(|png| png.is_in_this_build())
    else {
        return Ok(Vec::new());
    };
    let icon = |size: u32| -> Result<(String, Vec<u8>), Error> {
        let written = png.encode_pages("Enfilade", &[icon_scene(f64::from(size) / PNG_SCALE)])?;
        Ok((format!("icon-{size}.png"), written))
    };
    [192, 512].into_iter().map(icon).collect()
}

/// Pixels of a picture for each unit of its scene.
const PNG_SCALE: f64 = 2.0;

fn icon_scene(size: f64) -> Scene {
    let mut scene = Scene::new(DrawingMedium::Screen, size, size);
    scene.fill_rectangle((0.0, 0.0), (size, size), RgbColor(0x1d, 0x5b, 0x79));
    // Within the middle four fifths, which every system shows of an icon.
    for (place, height) in [0.18, 0.42, 0.56, 0.34, 0.14].into_iter().enumerate() {
        let left = size * (0.2 + 0.125 * place as f64);
        let top = size * (0.78 - height);
        let ink = if place == 2 { RgbColor(0xf0, 0xa2, 0x7f) } else { RgbColor(0xfb, 0xfa, 0xf6) };
        scene.fill_rectangle((left, top), (left + size * 0.1, size * 0.78), ink);
    }
    scene
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn experiments_bring_their_rulebooks_under_plain_names() {
        let catalogue = crate::systems::built_in_catalogue();
        let gallery = SampleQuestionGallery { texts: unpack_texts(), catalogue: &catalogue };
        let text = gallery.texts.iter().find(|text| text.path == "experiments/line_of_battle.toml");
        let (own, files) = gallery.text_and_files_it_names(text.expect("it is shipped"));
        let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["line_of_battle.rules", "line_of_battle_ships.tsv"]);
        assert!(own.contains("rules = \"line_of_battle.rules\"") && !own.contains("../"), "{own}");
        let picture = gallery.draw_picture("a.toml", &own, &files).expect("it has a chart");
        assert!(picture.svg.contains("<svg") && picture.png.is_some());
    }

    #[test]
    fn a_folder_with_other_files_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        check_folder(folder.path()).expect("it is empty");
        fs::write(folder.path().join("mine.txt"), "x").expect("it is written");
        let refusal = check_folder(folder.path()).expect_err("it has a file").to_string();
        assert!(refusal.contains("name a new or empty one"), "{refusal}");
        fs::write(folder.path().join("manifest.webmanifest"), "{}").expect("it is written");
        check_folder(folder.path()).expect("a site is replaced");
    }
}
