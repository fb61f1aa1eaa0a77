//! Work on all threads of a pool. Where there are no threads the same calls work one after the
//! other.
//!
//! A page has one thread, so its module is built without the library of pools.

#[cfg(all(feature = "threads", not(target_family = "wasm")))]
pub use rayon::{ThreadPool, current_num_threads, join, prelude};

#[cfg(not(all(feature = "threads", not(target_family = "wasm"))))]
pub use one_thread::{ThreadPool, current_num_threads, join, prelude};

/// The names of rayon that are used here, for one thread.
#[cfg(not(all(feature = "threads", not(target_family = "wasm"))))]
mod one_thread {
    /// Threads that cannot be there.
    #[derive(Debug)]
    pub enum ThreadPool {}

    impl ThreadPool {
        /// Works on the pool.
        pub fn install<T>(&self, _work: impl FnOnce() -> T) -> T {
            match *self {}
        }
    }

    /// Returns the number of threads.
    pub fn current_num_threads() -> usize {
        1
    }

    /// Works on two things, and returns both results.
    pub fn join<A, B>(first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
        (first(), second())
    }

    /// Iterators in order, under the names of those in parallel.
    pub mod prelude {
        /// What gives its items away.
        pub trait IntoParallelIterator: IntoIterator + Sized {
            /// Returns the iterator over the items.
            fn into_par_iter(self) -> Self::IntoIter {
                self.into_iter()
            }
        }

        impl<I: IntoIterator> IntoParallelIterator for I {}

        /// What lends its items.
        pub trait IntoParallelRefIterator<'a> {
            /// The iterator over the items.
            type Iter;

            /// Returns the iterator over the items.
            fn par_iter(&'a self) -> Self::Iter;
        }

        impl<'a, I: ?Sized + 'a> IntoParallelRefIterator<'a> for I
        where
            &'a I: IntoIterator,
        {
            type Iter = <&'a I as IntoIterator>::IntoIter;

            fn par_iter(&'a self) -> Self::Iter {
                self.into_iter()
            }
        }

        /// What lends its items to be changed.
        pub trait IntoParallelRefMutIterator<'a> {
            /// The iterator over the items.
            type Iter;

            /// Returns the iterator over the items.
            fn par_iter_mut(&'a mut self) -> Self::Iter;
        }

        impl<'a, I: ?Sized + 'a> IntoParallelRefMutIterator<'a> for I
        where
            &'a mut I: IntoIterator,
        {
            type Iter = <&'a mut I as IntoIterator>::IntoIter;

            fn par_iter_mut(&'a mut self) -> Self::Iter {
                self.into_iter()
            }
        }
    }
}
