//! Dots of an explosion as a contest gives them.

use super::super::hex_grid::Dot;
use super::finished_troopers::MAX_TROOPERS;
use enfilade_model::form::{Fault, both, each};

/// Given dots: two numbers each.
type Given = Option<Vec<Vec<i64>>>;

/// Reads the dots of the troopers; by default one on the aimed dot.
///
/// # Errors
/// Too many troopers, and entries that are not dots.
pub fn troopers(given: &Given) -> Result<Vec<Dot>, Vec<Fault>> {
    match given {
        None => Ok(vec![(0, 0)]),
        Some(given) if given.len() > MAX_TROOPERS => {
            let many = given.len();
            let problem =
                format!("at most {MAX_TROOPERS} troopers can be near, but there are {many}");
            Err(vec![Fault::new("troopers", problem)])
        }
        given => dots("troopers", given),
    }
}

/// Advanced Explosives: "impassible obstacles … block", low ones "if the affected trooper is
/// prone". A trooper in a trench "counts as prone when being targeted", but not for a blast.
///
/// # Errors
/// Entries that are not dots.
pub fn walls(given: &Given, low: &Given, low_ones_count: bool) -> Result<Vec<Dot>, Vec<Fault>> {
    let (mut walls, low) = both(dots("walls", given), dots("low_walls", low))?;
    walls.extend(low.into_iter().filter(|_| low_ones_count));
    Ok(walls)
}

fn dots(field: &str, given: &Given) -> Result<Vec<Dot>, Vec<Fault>> {
    let dot = |dot: &Vec<i64>| match dot[..] {
        [q, r] => Ok((q, r)),
        _ => Err(vec![Fault::new("", "a dot has two coordinates, such as [1, 0]")]),
    };
    given.as_ref().map_or(Ok(Vec::new()), |given| each(field, given, dot))
}
