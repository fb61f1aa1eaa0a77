//! A work in pieces, which can be stopped and go on.
//!
//! What the pieces add up to does not depend on the order in which they are made, so neither
//! threads nor interruptions show in it.

use parking_lot::Mutex;
#[cfg(feature = "threads")]
use rayon::prelude::*;

/// What has been made of a work: some of its pieces, and what they add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part<T> {
    /// Which pieces.
    pub pieces: Pieces,
    /// What they add up to.
    pub sum: T,
}

impl<T> Part<T> {
    /// The same pieces, what they add up to told otherwise.
    pub fn map<U>(self, told: impl FnOnce(T) -> U) -> Part<U> {
        Part { pieces: self.pieces, sum: told(self.sum) }
    }
}

/// What pieces of a work add up to.
pub trait Sum: Send {
    /// Adds what another piece gave.
    fn add(&mut self, other: Self);
}

/// Goes on with a work of `count` pieces, of which `start` has been made, on the threads of the
/// current rayon pool.
///
/// `make` gives the sum of one piece, or `None` when it was stopped in the middle of it; such a
/// piece is left undone. `made` is shown what there is after each piece, and told which, by one
/// thread at a time, so that it can be kept. After a `None`, or when `made` answers no, no further
/// piece is begun, nor are those that are left gone through: there may be thousands of millions.
pub fn go_on<T: Sum>(
    count: u64,
    start: Part<T>,
    make: impl Fn(u64) -> Option<T> + Sync,
    made: impl Fn(&Part<T>, u64) -> bool + Sync,
) -> Part<T> {
    let done = start.pieces.clone();
    let whole = Mutex::new(start);
    let piece = |index| {
        if done.contains(index) {
            return Some(());
        }
        let sum = make(index)?;
        let mut whole = whole.lock();
        whole.sum.add(sum);
        whole.pieces.insert(index);
        made(&whole, index).then_some(())
    };
    #[cfg(feature = "threads")]
    let _: Option<()> = (0..count).into_par_iter().try_for_each(piece);
    #[cfg(not(feature = "threads"))]
    let _: Option<()> = (0..count).try_for_each(piece);
    whole.into_inner()
}

/// Pieces of a work that have been done, by their indices: ranges in order that do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces(Vec<(u64, u64)>);

impl Pieces {
    /// The pieces of these ranges, each from its first index to before its last; `None` unless
    /// they are in order and do not touch.
    pub fn of(ranges: &[(u64, u64)]) -> Option<Pieces> {
        let filled = ranges.iter().all(|(first, end)| first < end);
        let apart = ranges.windows(2).all(|pair| pair[0].1 < pair[1].0);
        (filled && apart).then(|| Pieces(ranges.to_vec()))
    }

    /// The ranges.
    pub fn ranges(&self) -> &[(u64, u64)] {
        &self.0
    }

    /// Whether a piece is among them.
    pub fn contains(&self, index: u64) -> bool {
        let after = self.0.partition_point(|(_, end)| *end <= index);
        self.0.get(after).is_some_and(|(first, _)| *first <= index)
    }

    /// Adds a piece that is not among them.
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

    /// Trials in these pieces of a work of `all` trials, of which a piece has `each`, the last one
    /// perhaps fewer.
    pub fn trials(&self, each: u64, all: u64) -> u64 {
        let until = |index: u64| index.saturating_mul(each).min(all);
        let ranges = self.0.iter();
        ranges.map(|(first, end)| until(*end) - until(*first)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(indices: &[u64]) -> Pieces {
        let mut pieces = Pieces::default();
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
        // Pieces of ten: 0 to 19, 30 to 49, and of the last one 70 to 74.
        assert_eq!(pieces.trials(10, 75), 45);
        assert_eq!(made(&[0, 2, 1]).ranges(), [(0, 3)]);
        assert_eq!(made(&[2, 1, 0]).ranges(), [(0, 3)]);
    }

    /// The numbers of the pieces made, and how many there were.
    impl Sum for u64 {
        fn add(&mut self, other: u64) {
            *self += other;
        }
    }

    #[test]
    fn what_was_made_is_not_made_again_and_what_was_refused_is_left_undone() {
        let start = Part { pieces: made(&[2, 5]), sum: 7 };
        let shown = Mutex::new(Vec::new());
        let show = |part: &Part<u64>, _| {
            shown.lock().push(part.clone());
            true
        };
        let not_six = |index: u64| (index != 6).then_some(index);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let part = one.expect("a thread").install(|| go_on(u64::MAX, start, not_six, show));
        assert_eq!(part.pieces, made(&[0, 1, 2, 3, 4, 5]));
        assert_eq!(part.sum, 7 + 1 + 3 + 4);
        let shown = shown.into_inner();
        assert_eq!((shown.len(), shown.last()), (4, Some(&part)));
    }

    #[test]
    fn no_piece_is_begun_after_a_no() {
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let part = one.expect("a thread").install(|| {
            let enough = |part: &Part<u64>, _| part.sum < 3;
            go_on(100, Part::default(), |_| Some(1), enough)
        });
        assert_eq!(part.sum, 3);
    }

    #[test]
    fn ranges_from_a_file_are_checked() {
        let ranges = [(0, 2), (3, 5)];
        assert_eq!(Pieces::of(&ranges).as_ref().map(Pieces::ranges), Some(&ranges[..]));
        for wrong in [[(3, 5), (0, 2)], [(0, 3), (3, 5)], [(0, 0), (3, 5)], [(4, 2), (5, 6)]] {
            assert_eq!(Pieces::of(&wrong), None);
        }
    }
}
