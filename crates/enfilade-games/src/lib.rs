//! Rulebooks that come with the program.
//!
//! A rulebook is a folder here, or a text in `rulebooks/`, and one line in [`built_in_catalogue`].
//! Nothing in a folder names an engine: a rule is implemented as a
//! [`Combat`](enfilade_model::combat::Combat), and the catalogue hides its types. A text is read on
//! first use, like any user's file.
//!
//! ```
//! let catalogue = enfilade_games::built_in_catalogue();
//! let fire = catalogue.action("asl", "fire")?;
//! assert!(fire.fields.iter().any(|field| field.name == "fp"));
//! # Ok::<(), enfilade_model::form::Fault>(())
//! ```

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
use enfilade_model::static_or_shared::{StaticOrCounted, Text};

/// Returns a catalogue of the built-in rulebooks.
///
/// ```
/// let ids: Vec<String> = enfilade_games::built_in_catalogue().rulebook_ids().map(str::to_owned).collect();
/// assert_eq!(ids, ["aic", "asl", "d20", "dropzone", "skirmishers"]);
/// ```
pub fn built_in_catalogue() -> Catalogue {
    Catalogue::default()
        .with_lazy_system("aic", || {
            Arc::new(with_rule_language_versions(aic::with_team_pricing(read_bundled_rulebook(
                AIC_RULEBOOK_TEXT,
            ))))
        })
        .with_rulebook(with_rule_language_versions(asl::build_asl()))
        .with_lazy_system("d20", || {
            Arc::new(with_rule_language_versions(read_bundled_rulebook(D20_RULEBOOK_TEXT)))
        })
        .with_rulebook(with_rule_language_versions(dropzone::build_dropzone()))
        .with_rulebook(with_rule_language_versions(skirmishers::build_skirmishers()))
}

macro_rules! retellings {
    ($($id:literal: $file:literal),+ $(,)?) => {
        &[$(($id, $file, include_str!(concat!("../rulebooks/", $file)))),+]
    };
}

/// Actions of built-in rulebooks that are also written in the rule language, each as id, file name
/// and text.
const TRANSLATED_ACTIONS: &[(&str, &str, &str)] = retellings! {
    "aic": "aic_close_combat.rules",
    "asl": "asl_fire.rules",
    "d20": "d20_fire.rules",
    "dropzone": "dropzone_shoot.rules",
    "skirmishers": "skirmishers_attack.rules",
    "skirmishers": "skirmishers_breach.rules",
};

/// Adds to a rulebook its actions that are also written in the rule language.
fn with_rule_language_versions(system: System) -> System {
    let own = TRANSLATED_ACTIONS.iter().filter(|(id, ..)| system.id == **id);
    let retold = own.map(|(_, name, text)| SourceFile::new(Text::Static(name), Text::Static(text)));
    let retold: Vec<SourceFile> = retold.collect();
    System { retold: retold.into(), ..system }
}

/// Rulebook in the rule language: its id, and its files, the main one first.
struct BundledRulebookText {
    id: &'static str,
    files: &'static [(&'static str, &'static str)],
}

const AIC_RULEBOOK_TEXT: BundledRulebookText = BundledRulebookText {
    id: "aic",
    files: &[("aic.rules", include_str!("../rulebooks/aic.rules"))],
};

const D20_RULEBOOK_TEXT: BundledRulebookText = BundledRulebookText {
    id: "d20",
    files: &[
        ("d20.rules", include_str!("../rulebooks/d20.rules")),
        ("d20_weapons.tsv", include_str!("../rulebooks/d20_weapons.tsv")),
    ],
};

/// Reads the rulebook of a text.
fn read_bundled_rulebook(BundledRulebookText { id, files }: BundledRulebookText) -> System {
    let text = |name: &str| {
        let file = files.iter().find(|(known, _)| *known == name);
        file.map(|(_, text)| (*text).to_owned()).ok_or_else(|| "it is not built in".to_owned())
    };
    let name = format!("{id}.rules");
    let read = text(&name).unwrap_or_default();
    match enfilade_rules::read_without_built_in_base(id, &name, &read, &text) {
        Ok(read) => System { built_in: true, ..read.system },
        // A test reads all texts; here a broken one is handled like a broken row of data.
        Err(why) => {
            let why = why.to_string();
            let check_data = StaticOrCounted::Counted(Arc::new(move || Err(why.clone())) as Arc<_>);
            System { check_data, ..System::new(id, id, []) }
        }
    }
}
