//! Files and drawers on a real disk: writing, removal, and files that are never opened.

use std::fs;
use std::sync::Arc;

use enfilade_api::{
    FileAccessError, FileTextAndHash, SavedText, SavedTexts, StudioFolder, VariantsOrDrafts,
};
use serde_json::{Value as Json, json};

use super::disk::DiskFolder;

fn folder() -> (tempfile::TempDir, StudioFolder) {
    let place = tempfile::TempDir::new().expect("a temporary folder");
    let folder =
        StudioFolder::new(Arc::new(DiskFolder::open_folder_at(place.path()).expect("it is there")));
    (place, folder)
}

#[test]
fn a_file_is_written_over_only_by_who_has_seen_it() {
    let (place, folder) = folder();
    let first = folder.write_if_unchanged("a.toml", "x = 1\n", None).expect("it is new");
    assert_eq!(folder.read_text_and_hash("a.toml").map(|found| found.hash), Ok(first.clone()));
    fs::write(place.path().join("a.toml"), "x = 2\n").expect("written");
    let other = FileTextAndHash::with_page_line_ends("x = 2\n");
    let hash = other.hash.clone();
    let refused = folder.write_if_unchanged("a.toml", "x = 3\n", Some(&first));
    assert_eq!(refused, Err(FileAccessError::Changed(Some(other))));
    assert!(matches!(
        folder.write_if_unchanged("a.toml", "x = 3\n", None),
        Err(FileAccessError::Changed(_))
    ));
    folder.write_if_unchanged("a.toml", "x = 3\n", Some(&hash)).expect("it was seen");
    assert_eq!(
        folder.read_text_and_hash("a.toml").map(|found| found.text),
        Ok("x = 3\n".to_owned())
    );
    // No other file is left, and a removed file is not created again.
    assert_eq!(fs::read_dir(place.path()).expect("readable").count(), 1);
    assert_eq!(
        folder.write_if_unchanged("b.toml", "", Some(&hash)),
        Err(FileAccessError::Changed(None))
    );
    // A writer that has not seen the text cannot remove it either.
    assert!(matches!(
        folder.remove_if_unchanged("a.toml", &hash),
        Err(FileAccessError::Changed(Some(_)))
    ));
    let hash = folder.read_text_and_hash("a.toml").expect("it is there").hash;
    assert_eq!(folder.remove_if_unchanged("a.toml", &hash), Ok(()));
    assert_eq!(fs::read_dir(place.path()).expect("readable").count(), 0);
}

/// With the line ends of Windows editors: an unchanged text is the same, byte by byte.
#[test]
fn a_file_keeps_its_line_ends() {
    let (place, folder) = folder();
    let path = place.path().join("a.rules");
    let of_windows = "\u{feff}game \"A\"\r\n-- Ä\r\n";
    fs::write(&path, of_windows).expect("written");
    let found = folder.read_text_and_hash("a.rules").expect("it is there");
    assert_eq!(found.text, "game \"A\"\n-- Ä\n");
    let hash =
        folder.write_if_unchanged("a.rules", &found.text, Some(&found.hash)).expect("it was seen");
    assert_eq!(fs::read_to_string(&path).expect("readable"), of_windows);
    let changed = format!("{}-- end\n", found.text);
    let hash = folder.write_if_unchanged("a.rules", &changed, Some(&hash)).expect("it was seen");
    let expected = format!("{of_windows}-- end\r\n");
    assert_eq!(fs::read_to_string(&path).expect("readable"), expected);
    assert_eq!(
        folder.read_text_and_hash("a.rules").map(|found| (found.text, found.hash)),
        Ok((changed, hash))
    );
}

#[cfg(unix)]
#[test]
fn links_folders_pipes_and_giants_are_not_opened() {
    let (place, folder) = folder();
    let at = |name: &str| place.path().join(name);
    let secret = tempfile::NamedTempFile::new().expect("a file elsewhere");
    std::os::unix::fs::symlink(secret.path(), at("link.toml")).expect("made");
    fs::create_dir(at("folder.toml")).expect("made");
    let made = std::process::Command::new("mkfifo").arg(at("pipe.toml")).status();
    assert!(made.expect("there is such a command").success());
    fs::File::create(at("giant.toml")).and_then(|file| file.set_len(2 << 30)).expect("made");
    fs::write(at("latin.toml"), b"\xff").expect("written");
    let status = |name: &str| match folder.read_text_and_hash(name) {
        Err(FileAccessError::Refused(status, _)) => status.as_u16(),
        other => panic!("{other:?}"),
    };
    let names = ["link.toml", "folder.toml", "pipe.toml", "giant.toml", "latin.toml", "no.toml"];
    assert_eq!(names.map(status), [403, 403, 403, 413, 415, 404]);
    assert!(folder.write_if_unchanged("link.toml", "x", None).is_err());
    assert_eq!(fs::read(secret.path()).expect("it is there"), b"");
    let listed: Vec<_> =
        folder.list_openable_files().into_iter().map(|listed| listed.name).collect();
    assert_eq!(listed, ["giant.toml", "latin.toml"]);
}

/// A new file makes its folders, and the last one that goes takes them along; hidden folders are
/// not listed.
#[test]
fn files_lie_in_folders() {
    let (place, folder) = folder();
    let at = |name: &str| place.path().join(name);
    let hash = folder.write_if_unchanged("lists/old/a.toml", "x = 1\n", None).expect("it is new");
    folder.write_if_unchanged("lists/b.toml", "x = 2\n", None).expect("it is new");
    folder.write_if_unchanged("c.toml", "x = 3\n", None).expect("it is new");
    fs::create_dir_all(at(".git/inner")).expect("made");
    fs::write(at(".git/inner/d.toml"), "x = 4\n").expect("written");
    let listed = folder.list_openable_files().into_iter().map(|listed| listed.name);
    assert_eq!(listed.collect::<Vec<_>>(), ["c.toml", "lists/b.toml", "lists/old/a.toml"]);
    assert_eq!(fs::read_to_string(at("lists/old/a.toml")).expect("readable"), "x = 1\n");
    assert_eq!(folder.remove_if_unchanged("lists/old/a.toml", &hash), Ok(()));
    assert!(!at("lists/old").exists() && at("lists/b.toml").exists());
    assert!(folder.write_if_unchanged("c.toml/d.toml", "", None).is_err());
    #[cfg(unix)]
    {
        let elsewhere = tempfile::TempDir::new().expect("a temporary folder");
        std::os::unix::fs::symlink(elsewhere.path(), at("out")).expect("made");
        assert!(folder.write_if_unchanged("out/e.toml", "", None).is_err());
        assert_eq!(fs::read_dir(elsewhere.path()).expect("readable").count(), 0);
        assert_eq!(folder.list_openable_files().len(), 2);
    }
}

fn paper(text: &str) -> SavedText {
    let empty = String::new;
    SavedText {
        name: "weak".to_owned(),
        note: empty(),
        of: "fire.toml".to_owned(),
        seen: None,
        kept: empty(),
        contest: 0,
        cell: 0,
        text: text.to_owned(),
        beside: Vec::new(),
    }
}

fn drawers() -> (tempfile::TempDir, SavedTexts) {
    let place = tempfile::TempDir::new().expect("a temporary folder");
    let disk = DiskFolder::open_folder_at(place.path()).expect("it is there");
    let drawers = SavedTexts::in_folder(Arc::new(StudioFolder::new(Arc::new(disk))));
    (place, drawers)
}

#[test]
fn a_paper_comes_back_as_it_was_and_is_replaced_by_who_has_seen_it() {
    let (place, drawers) = drawers();
    assert!(drawers.list_oldest_first(VariantsOrDrafts::Variants).is_empty());
    // Reading creates no folder.
    assert_eq!(fs::read_dir(place.path()).expect("readable").count(), 0);
    let odd = "# mine\n'''\n\"\"\"\\ Ä \u{1}\n\n  x = 1";
    let hash = drawers
        .save_if_unchanged(VariantsOrDrafts::Variants, "fire-1", &paper(odd), None)
        .expect("it is new");
    let (found, same) =
        drawers.read_text_and_hash(VariantsOrDrafts::Variants, "fire-1").expect("it is there");
    assert_eq!((&found, &same), (&paper(odd), &hash));
    let again = drawers.save_if_unchanged(VariantsOrDrafts::Variants, "fire-1", &paper("x"), None);
    assert!(matches!(again, Err(FileAccessError::Changed(Some(_)))), "{again:?}");
    let next =
        drawers.save_if_unchanged(VariantsOrDrafts::Variants, "fire-1", &paper("x"), Some(&hash));
    let next = next.expect("it was seen");
    assert!(matches!(
        drawers.remove_if_unchanged(VariantsOrDrafts::Variants, "fire-1", &hash),
        Err(FileAccessError::Changed(_))
    ));
    let listed = json!(drawers.list_oldest_first(VariantsOrDrafts::Variants));
    assert_eq!(listed[0]["of"], "fire.toml");
    assert_eq!(drawers.remove_if_unchanged(VariantsOrDrafts::Variants, "fire-1", &next), Ok(()));
    assert!(drawers.list_oldest_first(VariantsOrDrafts::Variants).is_empty());
    // Only drafts are excluded from Git.
    assert!(!place.path().join(".studio/variants/.gitignore").exists());
    drawers.save_if_unchanged(VariantsOrDrafts::Drafts, "a", &paper("x"), None).expect("it is new");
    let told = fs::read_to_string(place.path().join(".studio/drafts/.gitignore"));
    assert_eq!(told.expect("it is there"), "*\n");
}

#[test]
fn hostile_names_are_refused() {
    let (place, drawers) = drawers();
    let long = "x".repeat(61);
    for bad in ["", "..", "../x", "a/b", "a.b", "A", "ä", "-x", "con", "x\0", &long] {
        let put = drawers.save_if_unchanged(VariantsOrDrafts::Drafts, bad, &paper("x"), None);
        assert!(matches!(put, Err(FileAccessError::Refused(..))), "{bad:?}: {put:?}");
        assert!(drawers.read_text_and_hash(VariantsOrDrafts::Drafts, bad).is_err(), "{bad:?}");
        assert!(drawers.remove_if_unchanged(VariantsOrDrafts::Drafts, bad, "").is_err(), "{bad:?}");
    }
    let outside = fs::read_dir(place.path()).expect("readable").flatten();
    assert!(outside.map(|entry| entry.file_name()).all(|name| name == ".studio"));
}

#[cfg(unix)]
#[test]
fn no_link_leads_out() {
    let (place, drawers) = drawers();
    let elsewhere = tempfile::TempDir::new().expect("a temporary folder");
    std::os::unix::fs::symlink(elsewhere.path(), place.path().join(".studio")).expect("made");
    assert!(drawers.save_if_unchanged(VariantsOrDrafts::Drafts, "a", &paper("x"), None).is_err());
    fs::remove_file(place.path().join(".studio")).expect("removed");
    fs::create_dir(place.path().join(".studio")).expect("made");
    let inner = place.path().join(".studio/drafts");
    std::os::unix::fs::symlink(elsewhere.path(), inner).expect("made");
    assert!(drawers.save_if_unchanged(VariantsOrDrafts::Drafts, "a", &paper("x"), None).is_err());
    assert_eq!(fs::read_dir(elsewhere.path()).expect("readable").count(), 0);
}

#[test]
fn what_is_damaged_is_told_and_left() {
    let (place, drawers) = drawers();
    drawers
        .save_if_unchanged(VariantsOrDrafts::Variants, "a", &paper("x"), None)
        .expect("it is new");
    let path = place.path().join(".studio/variants/b.toml");
    fs::write(&path, "<<<<<<< mine\n").expect("written");
    let listed: Vec<Json> = drawers
        .list_oldest_first(VariantsOrDrafts::Variants)
        .iter()
        .map(|entry| json!(entry))
        .collect();
    assert_eq!(listed.len(), 2);
    assert!(listed.iter().any(|one| one["id"] == "b" && one["fault"].is_string()));
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "<<<<<<< mine\n");
}
