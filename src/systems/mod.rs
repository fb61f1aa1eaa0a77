//! The shelf of rulebooks that come with the program.
//!
//! A rulebook is one folder here, or one text of `rulebooks/`, and one line in [`built_in`]. Nothing in
//! a folder names an engine: a rule is told as a [`Combat`](crate::combat::Combat), and the catalogue
//! hides its types. A text is read when it is first asked for, as anybody's file is.

mod aic;
#[doc(hidden)]
pub mod asl;
#[doc(hidden)]
pub mod dropzone;
mod sheet;
#[doc(hidden)]
pub mod skirmishers;

use std::sync::Arc;

use crate::catalogue::{Catalogue, System};
use crate::rulebook;
use crate::shared::Shared;

/// A catalogue of the built-in rulebooks.
pub fn built_in() -> Catalogue {
    Catalogue::default()
        .with_later("aic", || Arc::new(aic::priced(told(AIC))))
        .with(asl::system())
        .with_later("d20", || Arc::new(told(D20)))
        .with(dropzone::system())
        .with(skirmishers::system())
}

/// A rulebook in the language of rulebooks: what it is called, and its files, its own first.
struct Told {
    id: &'static str,
    files: &'static [(&'static str, &'static str)],
}

const AIC: Told =
    Told { id: "aic", files: &[("aic.rules", include_str!("../../rulebooks/aic.rules"))] };

const D20: Told = Told {
    id: "d20",
    files: &[
        ("d20.rules", include_str!("../../rulebooks/d20.rules")),
        ("d20_weapons.tsv", include_str!("../../rulebooks/d20_weapons.tsv")),
    ],
};

/// The rulebook that a text tells.
fn told(Told { id, files }: Told) -> System {
    let text = |name: &str| {
        let found = files.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| "it is not built in".to_owned())
    };
    let name = format!("{id}.rules");
    let read = text(&name).unwrap_or_default();
    match rulebook::read(id, &name, &read, &text) {
        Ok(read) => System { built_in: true, ..read.system },
        // A test reads them all; here a broken one is no worse than a broken row of data.
        Err(why) => {
            let why = why.to_string();
            let sound = Shared::Made(Arc::new(move || Err(why.clone())) as Arc<_>);
            System { sound, ..System::new(id, id, []) }
        }
    }
}
