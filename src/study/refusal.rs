//! Why a cell cannot be answered, as an error that names it.

use super::experiment::Cell;
use crate::error::{CellName, Error, Mishap, TooLarge};
use crate::graph::Unbuilt;

/// Why a cell could not be compiled, as an error that names it.
pub fn unbuilt(cell: &Cell, why: Unbuilt) -> Error {
    match why {
        Unbuilt::TooLarge(refusal) => refused(cell, refusal),
        Unbuilt::Mishap(mishap) => went_wrong(cell, mishap),
        Unbuilt::Stopped => why.into(),
    }
}

/// What went wrong while a cell was rolled, as an error that names it.
pub fn went_wrong(cell: &Cell, mishap: Mishap) -> Error {
    mishap.of(named(cell)).into()
}

/// A refusal that says which fields to reduce, and in which cell.
fn refused(cell: &Cell, refusal: TooLarge) -> Error {
    let grows_with = cell.played.grows_with.iter().map(ToString::to_string);
    Error::TooLarge(TooLarge {
        grows_with: grows_with.collect(),
        decides: decides(cell),
        cell: Some(named(cell)),
        ..refusal
    })
}

/// Whether players decide in it: then it cannot be played without its graph.
pub(super) fn decides(cell: &Cell) -> bool {
    !cell.played.combat.decisions().is_empty()
}

/// A cell as a message names it.
fn named(cell: &Cell) -> CellName {
    let axes = cell.axes.iter();
    let axes: Vec<_> = axes.map(|(path, value)| format!("{path} {value}")).collect();
    CellName { contest: cell.contest, name: cell.name.clone(), axes: axes.join(", ") }
}
