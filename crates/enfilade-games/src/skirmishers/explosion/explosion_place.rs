//! Dots of an explosion as a contest gives them.

use super::super::hex_grid::HexDot;
use super::finished_troopers::MAX_NEARBY_TROOPERS;
use enfilade_model::form::{Fault, combine_results, read_each_table};

/// Given dots: two numbers each.
type DotCoordinates = Option<Vec<Vec<i64>>>;

/// Reads the dots of the troopers; by default one on the aimed dot.
///
/// # Errors
/// Too many troopers, and entries that are not dots.
pub fn read_trooper_dots(coordinates: &DotCoordinates) -> Result<Vec<HexDot>, Vec<Fault>> {
    match coordinates {
        None => Ok(vec![(0, 0)]),
        Some(given) if given.len() > MAX_NEARBY_TROOPERS => {
            let many = given.len();
            let problem =
                format!("at most {MAX_NEARBY_TROOPERS} troopers can be near, but there are {many}");
            Err(vec![Fault::new("troopers", problem)])
        }
        given => read_dots_of_field("troopers", given),
    }
}

/// Advanced Explosives: "impassible obstacles … block", low ones "if the affected trooper is
/// prone". A trooper in a trench "counts as prone when being targeted", but not for a blast.
///
/// # Errors
/// Entries that are not dots.
pub fn read_blocking_dots(
    coordinates: &DotCoordinates,
    low: &DotCoordinates,
    low_ones_count: bool,
) -> Result<Vec<HexDot>, Vec<Fault>> {
    let (mut walls, low) = combine_results(
        read_dots_of_field("walls", coordinates),
        read_dots_of_field("low_walls", low),
    )?;
    walls.extend(low.into_iter().filter(|_| low_ones_count));
    Ok(walls)
}

fn read_dots_of_field(
    field: &str,
    coordinates: &DotCoordinates,
) -> Result<Vec<HexDot>, Vec<Fault>> {
    let dot = |dot: &Vec<i64>| match dot[..] {
        [q, r] => Ok((q, r)),
        _ => Err(vec![Fault::new("", "a dot has two coordinates, such as [1, 0]")]),
    };
    coordinates.as_ref().map_or(Ok(Vec::new()), |given| read_each_table(field, given, dot))
}
