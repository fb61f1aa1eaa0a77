//! A log of blocks where there is no disk.

use super::saved::Saved;
use crate::error::StudyError;

/// The log of a program without files, which has no value.
#[derive(Debug)]
pub enum BlockLog {}

impl BlockLog {
    pub(crate) fn next(
        &mut self,
        _: u64,
        _: u64,
    ) -> Result<Option<Vec<Option<Saved>>>, StudyError> {
        match *self {}
    }

    pub(crate) fn accept(&mut self) {
        match *self {}
    }

    pub(crate) fn append<'t>(
        &mut self,
        _: u64,
        _: impl Iterator<Item = &'t str>,
    ) -> Result<(), StudyError> {
        match *self {}
    }
}
