//! The routes to what is kept beside the questions: variants and drafts.

use serde::Serialize;

use super::bench::Bench;
use super::call::Call;
use super::drawer::{Paper, PaperEntry};
use super::folder::Kind;
use super::reply::{self, Reply, trouble};
use super::work::Work;

/// The papers of a drawer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PapersReply {
    papers: Vec<PaperEntry>,
}

/// A paper, its id, and its hash.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PaperReply {
    #[serde(flatten)]
    paper: Paper,
    id: String,
    hash: String,
}

/// A paper that was saved, with its hash, or removed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KeptReply {
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
}

fn list(kind: Kind) -> Work {
    Work::light(move |bench| reply::ok(&PapersReply { papers: bench.drawers.list(kind) }))
}

fn read(call: &Call<'_>, kind: Kind) -> Work {
    let id = call.name.to_owned();
    Work::light(move |bench| match bench.drawers.read(kind, &id) {
        Ok((paper, hash)) => reply::ok(&PaperReply { paper, id, hash }),
        Err(why) => trouble(&why),
    })
}

/// Keeps one. Its headers say which it replaces, as those of [files](super::files) do.
fn keep(call: &Call<'_>, kind: Kind) -> Result<Work, Reply> {
    let (id, seen) = (call.name.to_owned(), call.seen()?);
    let paper: Paper = reply::sent(call.body)?;
    Ok(Work::light(move |bench| match bench.drawers.put(kind, &id, &paper, seen.as_deref()) {
        Ok(hash) => reply::ok(&KeptReply { id, hash: Some(hash) }),
        Err(why) => trouble(&why),
    }))
}

fn forget(call: &Call<'_>, kind: Kind) -> Result<Work, Reply> {
    let (id, seen) = (call.name.to_owned(), call.seen()?.unwrap_or_default());
    Ok(Work::light(move |bench| match bench.drawers.forget(kind, &id, &seen) {
        Ok(()) => reply::ok(&KeptReply { id, hash: None }),
        Err(why) => trouble(&why),
    }))
}

/// The routes of a drawer.
macro_rules! drawer {
    ($name:ident, $kind:expr) => {
        pub mod $name {
            use super::{Bench, Call, Kind, Reply, Work};

            /// What is in it.
            pub fn list(_: &Bench, _: &Call<'_>) -> Result<Work, Reply> {
                Ok(super::list($kind))
            }

            /// One of its papers.
            pub fn read(_: &Bench, call: &Call<'_>) -> Result<Work, Reply> {
                Ok(super::read(call, $kind))
            }

            /// Puts one there.
            pub fn keep(_: &Bench, call: &Call<'_>) -> Result<Work, Reply> {
                super::keep(call, $kind)
            }

            /// Takes one away.
            pub fn forget(_: &Bench, call: &Call<'_>) -> Result<Work, Reply> {
                super::forget(call, $kind)
            }
        }
    };
}

drawer!(variants, Kind::Variants);
drawer!(drafts, Kind::Drafts);
