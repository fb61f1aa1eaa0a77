//! `aic` and `d20` told a second time, in Rust: what their texts in `rulebooks/` are held against.
//!
//! Each stands on the crate as anybody's rulebook would, knows nothing of the language, and was
//! written from the same sources. A reading that is changed is changed in both.

use std::sync::LazyLock;

use enfilade::catalogue::Catalogue;

/// Groups of fields as one list.
macro_rules! joined {
    ($($group:expr),+ $(,)?) => {{
        const GROUPS: &[&[enfilade::form::Field]] = &[$(&$group),+];
        enfilade::form::Fields::Static(GROUPS)
    }};
}

/// Names that are made once, when they are first asked for.
macro_rules! name_list {
    ($(#[$doc:meta])* $visible:vis fn $name:ident() = $list:expr) => {
        $(#[$doc])*
        $visible fn $name() -> &'static enfilade::form::name_matching::NameList {
            static LIST: std::sync::LazyLock<enfilade::form::name_matching::NameList> =
                std::sync::LazyLock::new(|| $list);
            &LIST
        }
    };
}

pub mod aic;
pub mod d20;

/// Every rulebook in Rust: those that come with the program, and the second tellings.
pub fn in_rust() -> &'static Catalogue {
    static TOLD: LazyLock<Catalogue> = LazyLock::new(|| {
        let built_in = crate::built_in().systems().filter(|system| system.files.is_empty());
        let built_in = built_in.map(|system| (**system).clone());
        Catalogue::of(built_in.chain([aic::system(), d20::system()]))
    });
    &TOLD
}
