//! Decisions of a rule in what the program explains and refuses.

use clap::Parser;
use enfilade::catalogue::{Catalogue, Contest, RulebookAction, System};
use enfilade::cli::CliArgs;
use enfilade::combat::{AnyCombat, MeanDirection};
use enfilade::error::{Error, FaultWithByteSpan, InputError};
use enfilade::form::{Fault, Fields, Form};
use enfilade_testkit::rerolled_die::{RuleMistake, new_rerolled_die};

fn contest(combat: AnyCombat) -> Result<Contest, Vec<Fault>> {
    Ok(Contest::new(combat))
}

fn twice(_: &Form) -> Result<Contest, Vec<Fault>> {
    contest(new_rerolled_die(6, 2, MeanDirection::Highest, RuleMistake::None))
}

fn late(_: &Form) -> Result<Contest, Vec<Fault>> {
    contest(new_rerolled_die(6, 2, MeanDirection::Highest, RuleMistake::Late))
}

/// What a command says of a contest of `action` and what it is in trouble with.
fn said(action: &str, arguments: &[&str]) -> (String, Option<Error>) {
    let actions = [
        RulebookAction::new("twice", "a die, perhaps twice", Fields::NO_FIELDS, &twice, &[""]),
        RulebookAction::new("late", "told wrongly", Fields::NO_FIELDS, &late, &[]),
    ];
    let catalogue = Catalogue::from_rulebooks([System::new("dice", "Dice", actions)]);
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("one.toml");
    let file = format!("[[contest]]\nsystem = 'dice'\naction = '{action}'\n");
    std::fs::write(&path, file).expect("it can be written");
    let path = path.to_str().expect("plain").to_owned();
    let arguments = [&["enfilade", arguments[0], &path], &arguments[1..]].concat();
    let cli = CliArgs::try_parse_from(&arguments).unwrap_or_else(|e| panic!("{arguments:?}: {e}"));
    match cli.command.run_command(&catalogue) {
        Ok(page) => (String::from_utf8(page.output).expect("text"), page.error),
        Err(error) => (String::new(), Some(error)),
    }
}

#[test]
fn explain_tells_what_was_decided() {
    let (text, trouble) = said("twice", &["explain", "--dice", "3,5"]);
    assert!(trouble.is_none(), "{trouble:?}");
    let told = "  2. again? roll: mean points 3.5 against 3 (keep)\n     d6 shows 5\n";
    assert!(text.contains(told), "{text}");
    assert!(text.ends_with("outcome: points: 5\n"), "{text}");
    let (text, _) = said("twice", &["explain", "--dice", "4"]);
    assert!(text.contains("  2. again? keep: mean points 4 against 3.5 (roll)\n"), "{text}");
}

/// A rule that goes wrong is a fault of the contest that asked for it, in every command.
#[test]
fn a_rule_that_goes_wrong_is_told_at_its_contest() {
    for arguments in [&["explain"][..], &["odds"], &["odds", "--played"]] {
        let (_, trouble) = said("late", arguments);
        let Some(Error::Input(InputError { text, faults, .. })) = trouble else {
            panic!("{arguments:?}: {trouble:?}");
        };
        let [FaultWithByteSpan { fault, span }] = &faults[..] else {
            panic!("{faults:?}");
        };
        assert!(fault.problem.contains("`again?` comes after a die"), "{fault:?}");
        assert!(fault.help.is_some());
        assert_eq!(&text[span.clone()], "[[contest]]");
    }
}
