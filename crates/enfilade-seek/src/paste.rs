//! A design as a file: `enfilade odds` answers it with the odds of the search.

use toml::{Table, Value as Toml};

use crate::answer::SeekAnswer;
use crate::design::SeekDesign;
use crate::places::Place;
use crate::question::{SEEK, SeekQuestion};
use crate::text::with_unit;

/// Renders the file of a design, with the wants and their values as remarks.
pub fn file(question: &SeekQuestion, answer: &SeekAnswer, design: &SeekDesign) -> String {
    let mut table = question.file.clone();
    table.remove(SEEK);
    for (number, at) in question.numbers.iter().zip(&design.values) {
        let value = number.values[usize::from(*at)].clone();
        let contests = question.contests.len();
        let own = number.places.iter().flatten().next();
        match own {
            Some(place) if place.is_of_rules() => place.set(&mut table, value),
            _ => {
                (0..contests).for_each(|side| set(&mut table, side, &number.places, value.clone()))
            }
        }
    }
    let mut text = String::new();
    let wants = question.wanted.wants.iter().zip(&design.reached);
    for (want, reached) in wants {
        let value = with_unit(reached.value, want.is_share);
        text += &format!("# {}: {value}\n", want.text);
    }
    text += &format!("# {} of {} designs fit\n\n", answer.fits, answer.designs);
    text + &table.to_string()
}

/// Sets a field of a contest of the file.
fn set(table: &mut Table, side: usize, places: &[Option<Place>], value: Toml) {
    if let (Some(place), Some(contest)) = (&places[side], contest_of(table, side)) {
        place.set(contest, value);
    }
}

/// The table of a contest.
fn contest_of(table: &mut Table, side: usize) -> Option<&mut Table> {
    match table.get_mut("contest")? {
        Toml::Array(several) => several.get_mut(side)?.as_table_mut(),
        Toml::Table(only) => Some(only),
        _ => None,
    }
}
