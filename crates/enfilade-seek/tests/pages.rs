//! The questions of docs/seek.md have the answers printed there.

use std::path::Path;

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_seek::seek_answer::answer_search;
use enfilade_seek::seek_page;
use enfilade_seek::seek_question::SeekQuestion;
use enfilade_study::file::{rulebook_loader as shelf, source_document::SourceInput};
use enfilade_study::solve::NoObserver;

#[test]
fn ten_questions_have_their_answers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/seek.md")).expect("the page");
    let mut asked = 0;
    for part in page.split("\n### ").skip(1) {
        let (_, link) = part.split_once("](../").expect("a link to the file");
        let file = link.split(')').next().expect("it ends");
        let input = SourceInput::read_path_or_stdin(&root.join(file)).expect("it lies there");
        let catalogue = shelf::catalogue_with_rulebook_files(
            &enfilade_games::built_in_catalogue(),
            &[],
            Some(&input),
        )
        .expect("rules");
        let question =
            SeekQuestion::read_or_cancel(&catalogue, &input.name, &input.text, &NEVER_CANCELLED);
        let mut question = question.expect("in order");
        let answer = answer_search(&mut question, &NoObserver).expect("it is answered");
        let told = seek_page::render_answer_text(&question, &answer, 3, "enfilade seek FILE");
        let (_, block) = part.split_once("```text\n").expect("its answer");
        for line in block.split("```").next().expect("it ends").lines() {
            assert!(told.lines().any(|own| own == line), "{file}: {line}\n{told}");
        }
        asked += 1;
    }
    assert_eq!(asked, 10);
}

#[test]
fn the_file_of_the_page_is_answered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("../../docs/seek.md")).expect("the page");
    let (_, file) = page.split_once("```toml\n").expect("a file");
    let text = file.split("```").next().expect("it ends").to_owned();
    let folder = root.join("tests/questions");
    let origin = enfilade_study::file::source_document::AllowedFilePaths::File;
    let input = SourceInput { name: "page.toml".to_owned(), text, folder, origin };
    let catalogue = shelf::catalogue_with_rulebook_files(
        &enfilade_games::built_in_catalogue(),
        &[],
        Some(&input),
    )
    .expect("rules");
    let question =
        SeekQuestion::read_or_cancel(&catalogue, &input.name, &input.text, &NEVER_CANCELLED);
    let mut question = question.unwrap_or_else(|error| panic!("{error:?}"));
    let answer = answer_search(&mut question, &NoObserver).expect("it is answered");
    // Two rows of five, five volleys, and five sizes of squad for the rifles alone.
    assert_eq!(answer.designs, 5 * 5 * 5 * 5);
    assert!(
        answer.fits > 0 && answer.solved_contests < 200,
        "{} {}",
        answer.fits,
        answer.solved_contests
    );
}

#[test]
fn experiments_have_the_answers_in_their_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/seek");
    let files = std::fs::read_dir(&folder).expect("the folder");
    let mut played = 0;
    for file in files {
        let path = file.expect("a file").path();
        let input = SourceInput::read_path_or_stdin(&path).expect("it lies there");
        let catalogue = shelf::catalogue_with_rulebook_files(
            &enfilade_games::built_in_catalogue(),
            &[],
            Some(&input),
        )
        .expect("rules");
        let question =
            SeekQuestion::read_or_cancel(&catalogue, &input.name, &input.text, &NEVER_CANCELLED);
        let mut question = question.unwrap_or_else(|error| panic!("{path:?}: {error:?}"));
        let answer = answer_search(&mut question, &NoObserver).expect("it is answered");
        let page = seek_page::render_answer_text(&question, &answer, 3, "enfilade seek FILE");
        let promised: Vec<&str> =
            input.text.lines().filter_map(|line| line.strip_prefix("#: ")).collect();
        assert!(!promised.is_empty() && input.text.contains("\nprediction = "), "{path:?}");
        for line in promised {
            assert!(page.lines().any(|own| own == line), "{path:?}: {line}\n{page}");
        }
        played += 1;
    }
    assert_eq!(played, 3);
}
