//! What is said to who looks for a name that a rulebook in Rust tells otherwise, or writes as his
//! rulebook prints it.

use enfilade_study::experiment::Experiment;

use crate::sentences;

fn said(contest: &str) -> String {
    let text = format!("[[contest]]\n{contest}\n");
    match Experiment::read_experiment_text(crate::built_in(), "x.toml", &text) {
        Ok(_) => panic!("{contest} is refused"),
        Err(error) => sentences(error),
    }
}

#[test]
fn the_fire_table_says_where_a_name_stands() {
    let target = "[contest.target]\nkind = 'squad'\nmorale = 7";
    let contest = |more: &str| said(&format!("system = 'asl'\naction = 'fire'\n{more}\n{target}"));
    for (more, sentence) in [
        ("fp = 8\nterrain = 'Woods'", "terrain is a modifier by its name"),
        ("fp = 8\nhero = true", "`kind = \"hero\"`"),
        ("fp = 8\nleader_pinned = true", "a pinned leader does not direct fire (A7.53)"),
        ("firer = { weapons = ['FT'] }", "`kind = \"flamethrower\"`"),
        ("firer = { weapon = 'DC' }", "`kind = \"demolition-charge\"`"),
    ] {
        let told = contest(more);
        assert!(told.contains(sentence), "{more}: {told}");
    }
    let own = format!("system = 'asl'\naction = 'fire'\nfp = 8\n{target}\nhero = true");
    assert!(said(&own).contains("`heroic = true`"), "{}", said(&own));
}

#[test]
fn the_skirmish_says_where_a_name_stands() {
    let contest = |more: &str| {
        said(&format!("system = 'skirmishers'\naction = 'attack'\nweapon = 'HMG'\n{more}"))
    };
    assert!(contest("[[contest.target]]\narmour = 'heavy'").contains("`target_armours`"));
    assert!(contest("cells = 12").contains("a unit card of one's own is a table, `card`"));
}

#[test]
fn the_skirmish_knows_what_its_weapons_are_called() {
    let contest = |weapon: &str| {
        said(&format!("system = 'skirmishers'\naction = 'explosion'\nweapon = '{weapon}'"))
    };
    let smoke = contest("smoke grenade");
    assert!(smoke.contains("`smoke`") && !smoke.contains("SMG"), "{smoke}");
    let arc = said("system = 'skirmishers'\naction = 'attack'\nweapon = 'rifle'\narc = 60");
    assert!(arc.ends_with("in quotes: \"60\""), "{arc}");
}

#[test]
fn a_number_as_rulebooks_print_it_is_told() {
    let contest = |accuracy: &str| {
        said(&format!(
            "system = 'dropzone'\naction = 'shoot'\nshots = 1\nenergy = 3\narmour = 7\n\
             accuracy = {accuracy}"
        ))
    };
    assert!(contest("'2+'").ends_with("write 2"), "{}", contest("'2+'"));
    assert!(contest("'2'").ends_with("without the quotes"));
    assert!(contest("'a+'").ends_with("; "), "{}", contest("'a+'"));
    assert!(contest("'-'").ends_with("write 0, or leave it out"));
}

#[test]
fn several_weapons_follow_one_another() {
    let told = said(
        "system = 'dropzone'\naction = 'shoot'\ntarget = 'UCM/Gladius'\n\
         weapon = { name = 'UCM/Sabre Tank/Avenger Railgun' }",
    );
    assert!(told.contains("[[contest.then]]"), "{told}");
}
