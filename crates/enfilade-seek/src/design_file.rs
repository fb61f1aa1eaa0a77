//! A design as a file: `enfilade odds` answers it with the odds of the search.

use toml::{Table, Value as Toml};

use crate::number_path::NumberPath;
use crate::seek_answer::SeekAnswer;
use crate::seek_design::FoundDesign;
use crate::seek_question::{SEEK_TABLE_KEY, SeekQuestion};
use crate::value_text::format_with_percent_if_share;

/// Renders the file of a design, with the wants and their values as remarks.
pub fn render_design_as_contest_file(
    question: &SeekQuestion,
    answer: &SeekAnswer,
    design: &FoundDesign,
) -> String {
    let mut table = question.file.clone();
    table.remove(SEEK_TABLE_KEY);
    for (number, at) in question.numbers.iter().zip(&design.values) {
        let value = number.values[usize::from(*at)].clone();
        let contests = question.contests.len();
        let own = number.places.iter().flatten().next();
        match own {
            Some(place) if place.is_rulebook_number() => place.set_value(&mut table, value),
            _ => (0..contests).for_each(|side| {
                set_contest_field(&mut table, side, &number.places, value.clone())
            }),
        }
    }
    let mut text = String::new();
    let wants_and_values = question.cells.wants.iter().zip(&design.reached);
    for (want, reached) in wants_and_values {
        let value = format_with_percent_if_share(reached.value, want.is_share);
        text += &format!("# {}: {value}\n", want.text);
    }
    text += &format!("# {} of {} designs fit\n\n", answer.fits, answer.designs);
    text + &table.to_string()
}

/// Sets a field of a contest of the file.
fn set_contest_field(table: &mut Table, side: usize, places: &[Option<NumberPath>], value: Toml) {
    if let (Some(place), Some(contest)) = (&places[side], find_contest_by_index(table, side)) {
        place.set_value(contest, value);
    }
}

/// The table of a contest.
fn find_contest_by_index(table: &mut Table, side: usize) -> Option<&mut Table> {
    match table.get_mut("contest")? {
        Toml::Array(several) => several.get_mut(side)?.as_table_mut(),
        Toml::Table(only) => Some(only),
        _ => None,
    }
}
