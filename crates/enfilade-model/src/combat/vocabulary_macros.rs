//! Macros that declare the columns and measures of a report as rows of a table: help, name, and the
//! counted value.
//!
//! ```text
//! columns! { o: Outcome;
//!     /// Damage Points lost by the target
//!     damage = count(o.damage).label("Damage Points lost").unit("Damage Points");
//! }
//! ```

/// Builds the columns of an outcome, in order.
#[macro_export]
#[doc(hidden)]
macro_rules! __columns {
    ($o:ident: $outcome:ty; $(
        $(#[doc = $about:literal])+
        $name:ident = count($value:expr) $(.$method:ident($($argument:expr),*))*;
    )+) => {
        vec![$($crate::combat::OutcomeField::new(
            stringify!($name),
            concat!($($about),+).trim_ascii_start(),
            |$o: &$outcome| i32::from($value),
        )$(.$method($($argument),*))*),+]
    };
}

/// Builds the measures of an outcome, in order: `probability` of an event, `mean` of a count.
#[macro_export]
#[doc(hidden)]
macro_rules! __measures {
    ($o:ident: $outcome:ty; $(
        $(#[doc = $about:literal])+
        $name:ident = $make:ident($value:expr) $(.$method:ident($($argument:expr),*))*;
    )+) => {
        vec![$($crate::combat::Measure::$make(
            stringify!($name),
            concat!($($about),+).trim_ascii_start(),
            $crate::combat::vocabulary_macros::measures!(@ $make $o $outcome, $value),
        )$(.$method($($argument),*))*),+]
    };
    (@ probability $o:ident $outcome:ty, $value:expr) => { |$o: &$outcome| $value };
    (@ $make:ident $o:ident $outcome:ty, $value:expr) => { |$o: &$outcome| i32::from($value) };
}

/// Implements [`vocabulary`](crate::combat::Combat::vocabulary) for a combat whose columns and
/// measures are the same in every contest.
#[macro_export]
#[doc(hidden)]
macro_rules! __vocabulary {
    ($o:ident: $outcome:ty; columns { $($columns:tt)+ } measures { $($measures:tt)+ }) => {
        fn vocabulary(&self) -> $crate::combat::OutcomeVocabulary<$outcome> {
            $crate::combat::OutcomeVocabulary {
                fields: $crate::combat::vocabulary_macros::columns! { $o: $outcome; $($columns)+ },
                measures: $crate::combat::vocabulary_macros::measures! { $o: $outcome; $($measures)+ },
            }
        }
    };
}

pub use {__columns as columns, __measures as measures, __vocabulary as vocabulary};

#[cfg(test)]
mod tests {
    use super::super::MeasureKind;
    use super::{columns, measures};

    struct Outcome {
        hits: u8,
        fled: bool,
    }

    #[test]
    fn a_row_says_name_help_and_number() {
        let columns = columns! { o: Outcome;
            /// attacks that
            /// hit
            hits = count(o.hits).unit("hits").with_harm_degree(20, "hit");
            /// whether it fled
            fled = count(o.fled);
        };
        let outcome = Outcome { hits: 3, fled: true };
        let told = columns
            .iter()
            .map(|c| (&*c.head.name, &*c.head.about, c.value.compute_for_outcome(&outcome)));
        assert!(told.eq([("hits", "attacks that hit", 3), ("fled", "whether it fled", 1)]));
        let measures = measures! { o: Outcome;
            /// something hits
            p_hit = probability(o.hits > 0).with_headline_role();
            /// attacks that hit
            e_hits = mean(o.hits).unit("hits");
        };
        let told = measures
            .iter()
            .map(|m| (&*m.head.name, m.head.kind, m.weight.compute_for_outcome(&outcome)));
        assert!(told.eq([("p_hit", MeasureKind::Event, 1), ("e_hits", MeasureKind::Mean, 3)]));
    }
}
