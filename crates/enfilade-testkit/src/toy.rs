//! The rulebook of `examples/toy`, in a catalogue without any that is built in.

use std::sync::LazyLock;

use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::static_or_shared::StaticOrCounted;

#[path = "../../../examples/toy/rulebook.rs"]
mod rulebook;

pub use rulebook::toy;

/// A catalogue of this rulebook alone.
pub static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::from_rulebooks([toy()]));

/// Returns a catalogue of the same rulebook with a row in its data that cannot be read.
pub fn broken() -> Catalogue {
    fn unreadable() -> Result<(), String> {
        Err("data/broken.tsv:7: unknown kind \"crwed\"".to_owned())
    }
    Catalogue::from_rulebooks([System {
        id: "broken".into(),
        check_data: StaticOrCounted::Static(&unreadable),
        ..toy()
    }])
}
