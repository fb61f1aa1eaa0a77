//! `aic`: Advanced Infantry Combat, a 15 mm science-fiction platoon game with Experience dice.
//!
//! Source: Advanced Infantry Combat rules, sections 4.1 to 7.0 (the part of the rulebook that is at
//! hand begins in 4.1). One file per action; `encounter` plays the attacks they list.
//! Not played: see `not_modelled` below.

use enfilade::catalogue::{DataTable, System};
use enfilade::form::Words;
use enfilade::shared::Shared;

mod armored_assault;
mod assault_fire;
mod close_combat;
mod contest;
mod encounter;
mod fields;
mod fire;
mod headings;
mod ladder;
mod morale;
mod outcome;
mod squad;
mod suppression;
mod team;
mod tell;
mod tests_of_morale;

/// The rule system.
pub fn system() -> System {
    let actions = [
        close_combat::ACTION,
        fire::FIRE,
        fire::ADVANCING,
        assault_fire::ACTION,
        fire::INTO_CLOSE_COMBAT,
        tests_of_morale::MORALE,
        tests_of_morale::RALLY,
        armored_assault::ACTION,
        suppression::ACTION,
    ];
    System {
        source: "Advanced Infantry Combat rules (2014), sections 4.1 to 7.0".into(),
        dice: "one Experience die d4 to d12 per team or squad, one weapon die d4 to d12 per figure, 1d6".into(),
        direction: "Experience die + weapon die against Defense, high is good".into(),
        off_table: "A die reduced below d4 stays a d4 (our reading); there is none above d12 (6.0).".into(),
        data_date: "2026-11-21".into(),
        check_data: Shared::Static(&|| Ok(())),
        data_tables: Shared::Static(&data_tables),
        readings: Words::Static(READINGS),
        not_modelled: Words::Static(NOT_MODELLED),
        ..System::new("aic", "Advanced Infantry Combat: 15 mm science-fiction platoons with Experience dice", actions)
    }
}

const READINGS: &[&str] = &[
    "A figure's total is the team's one Experience roll plus its own weapon die (6.0 example).",
    "The owner gives a KIA to a Wounded figure while there is one, and its marker goes with it (4.2: \
     any figure he chooses); with `kia_takes = \"unwounded\"` no marker does, and markers that are \
     then in excess take another figure.",
    "KIA and Wounded results beyond a team's last figure are lost, as its markers are (4.2); with \
     `overkill = \"passes-on\"` they fall on the squad's other teams, in the same order.",
    "One other team may take as many results as the target (4.1: any or all of the other teams); with \
     `others_take = \"fewer\"` each takes fewer, and the target keeps the rest (the example's \"as \
     there are less results\").",
    "A team keeps its best weapons: the owner removes the figure with the smallest die (4.2).",
    "In close combat results are shared out over a squad as in fire when squadmates are listed (6.1); \
     the defender's blow falls on the team it strikes back at alone (6.2).",
    "Results that may go elsewhere are dealt to friends of the firer before the owner's own teams; \
     `even` deals to the teams with the fewest pins first, `one` to the team with the most. Of \
     teams with as many pins the one with the most figures comes first, then the one with the \
     fewest Wounded markers, then the highest Motivation, then one that is not Cowering, then one that is \
     not in contact; the order of the tables is none.",
    "When the target team is gone, the next firing team fires at the squadmate with the most figures, \
     then the fewest Wounded markers and pins, of such as results are dealt, at the same Defense.",
    "`kia` counts every figure that leaves the table: KIA results, figures lost to excess Wounded \
     markers, and those of teams removed by a second Cowering.",
    "Without a pin in the squad only its Cowering teams take a test, each with a die of its own (5.1: \
     individually).",
    "Prone lowers the Experience die in close combat alone, as the source has it (6.0); \
     `prone_fire_reduction` lowers it in fire too.",
    "Assault Fire of several teams: each fires and fights before the next one fires, at the team that is \
     fought (7.0: the same enemy team). When that is gone, the others do nothing.",
    "The bands of the fire roll are lost from the source; `bands` and the three margins stand in.",
];

const NOT_MODELLED: &[&str] = &[
    "Movement, ranges, line of sight, Overwatch and where Cowering teams crawl to (5.0).",
    "The movement that Wounded figures cost (4.2).",
    "Team attributes, close combat weapons, snipers and special weapons (14.0), vehicles (Part Three).",
    "Leadership actions (10.0).",
    "The coherency range: list the squadmates that are in it.",
];

/// The steps of the die ladder and what each reduction makes of them.
fn data_tables() -> Vec<DataTable> {
    let columns = ["die", "one type down", "two types down"];
    let row = |&die: &u8| {
        let down = |steps| format!("d{}", ladder::reduced(die, steps, ladder::SIDES[0]));
        vec![format!("d{die}"), down(1), down(2)]
    };
    vec![DataTable {
        name: "die ladder".into(),
        columns: columns.map(String::from).into(),
        rows: ladder::SIDES.iter().rev().map(row).collect(),
    }]
}
