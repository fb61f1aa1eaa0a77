//! House rules on a rulebook that is built in: `extends "d20"` in a file of its own.
//!
//! Expected odds are by hand: a rifle at a spotted target hits on a d20 at or under the modified
//! skill, never on a 20; a hit kills on 13 and more, plus what the skill is above 20.

use std::path::Path;

use dashu_int::{IBig, UBig};
use enfilade_engine::exact::measure_fraction::FractionOrRoot;
use enfilade_model::error::InputError;
use enfilade_model::plain_file::UserFileReadError;
use enfilade_rules::{self as rulebook, Rulebook};
use enfilade_testkit::reported_distributions::ReportedDistribution;
use enfilade_testkit::source_files::repository_folder;
use toml::Table;

use super::retold;
use crate::built_in;

fn house() -> Rulebook {
    let path = repository_folder().join("experiments/variants/d20_house.rules");
    rulebook::read_rulebook_at_path(&path, built_in()).expect("it is in order")
}

/// A file that extends another, in a folder of its own.
fn extending(text: &str) -> Result<Rulebook, UserFileReadError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("house.rules");
    std::fs::write(&path, text).expect("written");
    rulebook::read_rulebook_at_path(&path, built_in())
}

/// The problem and the help of everything that is wrong with it, and which file that is in.
fn wrong(text: &str) -> (String, Vec<String>) {
    let Err(UserFileReadError::Input(InputError { name, faults, .. })) = extending(text) else {
        panic!("{text} is read");
    };
    let said = faults.iter().map(|found| {
        let help = found.fault.help.as_deref().unwrap_or_default();
        format!("{} / {help}", found.fault.problem)
    });
    let name = Path::new(&name).file_name().expect("a name").to_string_lossy().into_owned();
    (name, said.collect())
}

/// The chance of a kill, in 400ths.
fn p_kill(
    system: &enfilade_model::catalogue::System,
    spend: &str,
    skill: i64,
    more: &str,
) -> FractionOrRoot {
    let action = system.action("action-points").expect("it is there");
    let text = format!(
        "weapon = 'bolt-action rifle'\nap = 4\nspotted = true\nspend = '{spend}'\nfirearms = {skill}\n{more}"
    );
    let contest = retold::contest(action, &text.parse::<Table>().expect("TOML"));
    ReportedDistribution::from_contest(&contest.expect("a contest"), None).measures["p_kill"]
        .clone()
}

fn of_400(ways: i64) -> FractionOrRoot {
    FractionOrRoot::from_fraction(IBig::from(ways), UBig::from(400_u16))
}

#[test]
fn a_number_a_cell_and_a_part_are_changed() {
    let house = house();
    assert!(house.warnings.is_empty(), "{:?}", house.warnings);
    let printed = built_in().rulebook_by_id("d20").expect("built in");
    let cases = [
        ("fire", 8, "", 8 * 8, 8 * 8),
        ("fire", 8, "concealed = true", 8 * 8, 6 * 8),
        ("fire", 8, "in_cover = true", 2 * 8, 4 * 8),
        ("fire", 8, "in_cover = true\nconcealed = true", 2 * 8, 2 * 8),
        // 8 + 12 and 8 + 8.
        ("aim-3-fire", 8, "", 19 * 8, 16 * 8),
        // 11 + 12 is 3 above 20: a 10 kills. 11 + 8 is not.
        ("aim-3-fire", 11, "", 19 * 11, 19 * 8),
        ("aim-3-fire", 11, "in_cover = true", 17 * 8, 15 * 8),
        // What is not changed.
        ("aim-2-fire", 8, "", 16 * 8, 16 * 8),
    ];
    for (spend, skill, more, as_printed, by_house) in cases {
        let told = format!("{spend} {skill} {more}");
        assert_eq!(p_kill(printed, spend, skill, more), of_400(as_printed), "{told}");
        assert_eq!(p_kill(&house.system, spend, skill, more), of_400(by_house), "{told}");
    }
}

#[test]
fn all_files_are_named_with_the_results() {
    let names: Vec<_> = house().system.files.iter().map(|file| file.name.to_string()).collect();
    assert_eq!(names, ["d20_house.rules", "d20.rules", "d20_weapons.tsv"]);
    assert!(house().system.is_from_text());
}

#[test]
fn what_cannot_be_extended_is_told_with_what_can() {
    let (file, said) = wrong("game \"House\" extends \"d2O\"\n");
    assert_eq!(file, "house.rules");
    let help = "did you mean `d20`? a file is named with its ending: \"d2O.rules\"";
    assert_eq!(said, [format!("there is no built-in rulebook `d2O` / {help}")]);
    let (_, said) = wrong("game \"House\" extends \"asl\"\n");
    assert!(said[0].starts_with("`asl` is written in Rust"), "{said:?}");
}

#[test]
fn what_is_changed_must_be_there() {
    let of = |change: &str| wrong(&format!("game \"House\" extends \"d20\"\n{change}\n"));
    let (file, said) = of("change record table_numbers:\n    field spot_hiden = -10");
    assert_eq!(file, "house.rules");
    let expected = "there is no field `spot_hiden` to change / did you mean `spot_hidden`?";
    assert_eq!(said, [expected]);
    let (_, said) = of("change part shoting(ap): give ap");
    let expected = "there is no `part shoting` in d20 to change / did you mean `shooting`?";
    assert_eq!(said, [expected]);
}

/// What a change breaks is found where it breaks: in the built-in text.
#[test]
fn a_change_that_does_not_fit_shows_where() {
    let text =
        "game \"House\" extends \"d20\"\nchange part shooting(ap, also, more): give ap + more\n";
    let (file, said) = wrong(text);
    assert_eq!(file, "house.rules");
    assert_eq!(
        said,
        [
            "`shooting` takes 2 values, and here it takes 3 / a part that is changed keeps its parameters"
        ]
    );
}
