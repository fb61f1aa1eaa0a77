//! The shelf of rulebooks that come with the program.
//!
//! A rulebook is one folder here, or one text of `rulebooks/`, and one line in [`built_in`]. Nothing in
//! a folder names an engine: a rule is told as a [`Combat`](enfilade_model::combat::Combat), and the catalogue
//! hides its types. A text is read when it is first asked for, as anybody's file is.

mod aic;
#[doc(hidden)]
pub mod asl;
#[doc(hidden)]
pub mod dropzone;
#[doc(hidden)]
pub mod skirmishers;
mod tsv;

use std::sync::Arc;

use enfilade_model::catalogue::{Catalogue, SourceFile, System};
use enfilade_model::shared::{Shared, Text};

/// A catalogue of the built-in rulebooks.
///
/// ```
/// let ids: Vec<String> = enfilade_games::built_in().ids().map(str::to_owned).collect();
/// assert_eq!(ids, ["aic", "asl", "d20", "dropzone", "skirmishers"]);
/// ```
pub fn built_in() -> Catalogue {
    Catalogue::default()
        .with_later("aic", || Arc::new(retold(aic::priced(told(AIC)))))
        .with(retold(asl::system()))
        .with_later("d20", || Arc::new(retold(told(D20))))
        .with(retold(dropzone::system()))
        .with(retold(skirmishers::system()))
}

macro_rules! retellings {
    ($($id:literal: $file:literal),+ $(,)?) => {
        &[$(($id, $file, include_str!(concat!("../rulebooks/", $file)))),+]
    };
}

/// By rulebook: actions of it told again in the language of rulebooks, each a file.
const RETOLD: &[(&str, &str, &str)] = retellings! {
    "aic": "aic_close_combat.rules",
    "asl": "asl_fire.rules",
    "d20": "d20_fire.rules",
    "dropzone": "dropzone_shoot.rules",
    "skirmishers": "skirmishers_attack.rules",
    "skirmishers": "skirmishers_breach.rules",
};

/// A rulebook with what is told again of it.
fn retold(system: System) -> System {
    let own = RETOLD.iter().filter(|(id, ..)| system.id == **id);
    let retold = own.map(|(_, name, text)| SourceFile::new(Text::Static(name), Text::Static(text)));
    let retold: Vec<SourceFile> = retold.collect();
    System { retold: retold.into(), ..system }
}

/// A rulebook in the language of rulebooks: what it is called, and its files, its own first.
struct Told {
    id: &'static str,
    files: &'static [(&'static str, &'static str)],
}

const AIC: Told =
    Told { id: "aic", files: &[("aic.rules", include_str!("../rulebooks/aic.rules"))] };

const D20: Told = Told {
    id: "d20",
    files: &[
        ("d20.rules", include_str!("../rulebooks/d20.rules")),
        ("d20_weapons.tsv", include_str!("../rulebooks/d20_weapons.tsv")),
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
    match enfilade_rules::read(id, &name, &read, &text) {
        Ok(read) => System { built_in: true, ..read.system },
        // A test reads them all; here a broken one is no worse than a broken row of data.
        Err(why) => {
            let why = why.to_string();
            let check_data = Shared::Made(Arc::new(move || Err(why.clone())) as Arc<_>);
            System { check_data, ..System::new(id, id, []) }
        }
    }
}
