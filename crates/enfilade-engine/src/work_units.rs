//! Resumable work: units may finish in any order and merge to the same sum.
//!
//! The sum does not depend on the order of the units, so neither threads nor interruptions show in
//! the result.

use parking_lot::Mutex;

use crate::parallel::prelude::*;

/// Partial result of a work: the finished units and their sum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartialWorkResult<T> {
    /// Finished units.
    pub pieces: WorkUnitIndexSet,
    /// Sum of the finished units.
    pub sum: T,
}

impl<T> PartialWorkResult<T> {
    /// Converts the sum and keeps the units.
    pub fn convert_sum<U>(self, convert: impl FnOnce(T) -> U) -> PartialWorkResult<U> {
        PartialWorkResult { pieces: self.pieces, sum: convert(self.sum) }
    }
}

/// Result of work units that can be merged.
pub trait MergeableUnitResult: Send {
    /// Merges the result of another unit into this one.
    fn merge(&mut self, other: Self);
}

/// Resumes a work of `count` units, of which those in `start` are finished, on the threads of the
/// current rayon pool.
///
/// `make` returns the result of one unit, or `None` if it was cancelled inside the unit; that unit
/// is left undone. `on_progress` is called after each unit, by one thread at a time, with the
/// result so far and the index of the unit, so that the result can be saved. After a `None`, or
/// when `on_progress` returns false, no further unit is begun, and the remaining units are not
/// enumerated: there may be thousands of millions.
pub fn run_remaining_units<T: MergeableUnitResult>(
    count: u64,
    start: PartialWorkResult<T>,
    make: impl Fn(u64) -> Option<T> + Sync,
    on_progress: impl Fn(&PartialWorkResult<T>, u64) -> bool + Sync,
) -> PartialWorkResult<T> {
    let finished_units = start.pieces.clone();
    let whole = Mutex::new(start);
    let piece = |index| {
        if finished_units.contains(index) {
            return Some(());
        }
        let sum = make(index)?;
        let mut whole = whole.lock();
        whole.sum.merge(sum);
        whole.pieces.insert(index);
        on_progress(&whole, index).then_some(())
    };
    let _: Option<()> = (0..count).into_par_iter().try_for_each(piece);
    whole.into_inner()
}

/// Set of unit indices, as ascending ranges that do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkUnitIndexSet(Vec<(u64, u64)>);

impl WorkUnitIndexSet {
    /// Creates the set of these ranges, each from its first index to before its last. Returns
    /// `None` unless they ascend and do not touch.
    pub fn from_ranges(ranges: &[(u64, u64)]) -> Option<WorkUnitIndexSet> {
        let filled = ranges.iter().all(|(first, end)| first < end);
        let apart = ranges.windows(2).all(|pair| pair[0].1 < pair[1].0);
        (filled && apart).then(|| WorkUnitIndexSet(ranges.to_vec()))
    }

    /// Returns the ranges.
    pub fn ranges(&self) -> &[(u64, u64)] {
        &self.0
    }

    /// Returns whether a unit is in the set.
    pub fn contains(&self, index: u64) -> bool {
        let after = self.0.partition_point(|(_, end)| *end <= index);
        self.0.get(after).is_some_and(|(first, _)| *first <= index)
    }

    /// Adds a unit that is not in the set.
    pub fn insert(&mut self, index: u64) {
        let after = self.0.partition_point(|(_, end)| *end < index);
        let joins_before = self.0.get(after).is_some_and(|(_, end)| *end == index);
        let next = after + usize::from(joins_before);
        let joins_next = self.0.get(next).is_some_and(|(first, _)| *first == index + 1);
        match (joins_before, joins_next) {
            (true, true) => self.0[after].1 = self.0.remove(next).1,
            (true, false) => self.0[after].1 = index + 1,
            (false, true) => self.0[next].0 = index,
            (false, false) => self.0.insert(after, (index, index + 1)),
        }
    }

    /// Returns the number of trials in these units of a work of `all` trials with `each` trials in
    /// a unit; the last unit may have fewer.
    pub fn trials_in_units(&self, each: u64, all: u64) -> u64 {
        let until = |index: u64| index.saturating_mul(each).min(all);
        let ranges = self.0.iter();
        ranges.map(|(first, end)| until(*end) - until(*first)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(indices: &[u64]) -> WorkUnitIndexSet {
        let mut pieces = WorkUnitIndexSet::default();
        indices.iter().for_each(|index| pieces.insert(*index));
        pieces
    }

    #[test]
    fn pieces_join_in_any_order() {
        let pieces = made(&[7, 3, 0, 4, 1]);
        assert_eq!(pieces.ranges(), [(0, 2), (3, 5), (7, 8)]);
        assert_eq!(pieces, made(&[0, 1, 3, 4, 7]));
        let inside: Vec<_> = (0..10).filter(|index| pieces.contains(*index)).collect();
        assert_eq!(inside, [0, 1, 3, 4, 7]);
        // Units of ten: 0 to 19, 30 to 49, and of the last one 70 to 74.
        assert_eq!(pieces.trials_in_units(10, 75), 45);
        assert_eq!(made(&[0, 2, 1]).ranges(), [(0, 3)]);
        assert_eq!(made(&[2, 1, 0]).ranges(), [(0, 3)]);
    }

    /// Sum of the indices of the finished units, and their number.
    impl MergeableUnitResult for u64 {
        fn merge(&mut self, other: u64) {
            *self += other;
        }
    }

    #[test]
    fn what_was_made_is_not_made_again_and_what_was_refused_is_left_undone() {
        let start = PartialWorkResult { pieces: made(&[2, 5]), sum: 7 };
        let shown = Mutex::new(Vec::new());
        let show = |part: &PartialWorkResult<u64>, _| {
            shown.lock().push(part.clone());
            true
        };
        let not_six = |index: u64| (index != 6).then_some(index);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let part =
            one.expect("a thread").install(|| run_remaining_units(u64::MAX, start, not_six, show));
        assert_eq!(part.pieces, made(&[0, 1, 2, 3, 4, 5]));
        assert_eq!(part.sum, 7 + 1 + 3 + 4);
        let shown = shown.into_inner();
        assert_eq!((shown.len(), shown.last()), (4, Some(&part)));
    }

    #[test]
    fn no_piece_is_begun_after_a_no() {
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let part = one.expect("a thread").install(|| {
            let enough = |part: &PartialWorkResult<u64>, _| part.sum < 3;
            run_remaining_units(100, PartialWorkResult::default(), |_| Some(1), enough)
        });
        assert_eq!(part.sum, 3);
    }

    #[test]
    fn ranges_from_a_file_are_checked() {
        let ranges = [(0, 2), (3, 5)];
        assert_eq!(
            WorkUnitIndexSet::from_ranges(&ranges).as_ref().map(WorkUnitIndexSet::ranges),
            Some(&ranges[..])
        );
        for wrong in [[(3, 5), (0, 2)], [(0, 3), (3, 5)], [(0, 0), (3, 5)], [(4, 2), (5, 6)]] {
            assert_eq!(WorkUnitIndexSet::from_ranges(&wrong), None);
        }
    }
}
