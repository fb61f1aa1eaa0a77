//! The table of routes: a method, a path, and the function that answers.

use std::sync::Arc;

use super::bench::Bench;
use super::call::Call;
use super::jobs::{Job, Jobs};
use super::reply::Reply;
use super::work::Work;
use super::{dice, files, forms, live, papers, rules, runs, sheets, texts, why};

/// How a route answers.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// With work, whose reply is the answer.
    Work(fn(&Bench, &Call<'_>) -> Result<Work, Reply>),
    /// With a job that goes on after the reply.
    Begin(fn(&Jobs, &Call<'_>) -> Result<(Arc<Job>, Reply), Reply>),
    /// With the events of a job, until it is over.
    Follow(fn(&Jobs, &Call<'_>) -> Result<Arc<Job>, Reply>),
    /// With the job that was asked to stop.
    Stop(fn(&Jobs, &Call<'_>) -> Reply),
}

/// A row of the table. In its path one part may be a name, in braces.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The method.
    pub method: &'static str,
    /// The path.
    pub path: &'static str,
    /// How it answers.
    pub way: Way,
}

const fn work(
    method: &'static str,
    path: &'static str,
    way: fn(&Bench, &Call<'_>) -> Result<Work, Reply>,
) -> Route {
    Route { method, path, way: Way::Work(way) }
}

/// Every route.
pub const ROUTES: &[Route] = &[
    work("GET", "/api/tiles", forms::tiles),
    work("GET", "/api/forms", forms::forms),
    work("POST", "/api/odds", live::odds),
    work("POST", "/api/dice", dice::dice),
    work("POST", "/api/explain", why::explain),
    work("POST", "/api/rules", rules::check),
    work("POST", "/api/sheets/{name}", sheets::sheet),
    work("GET", "/api/texts", texts::list),
    work("GET", "/api/texts/{name}", texts::read),
    work("GET", "/api/files", files::list),
    work("GET", "/api/files/{name}", files::read),
    work("PUT", "/api/files/{name}", files::write),
    work("GET", "/api/variants", papers::variants::list),
    work("GET", "/api/variants/{name}", papers::variants::read),
    work("PUT", "/api/variants/{name}", papers::variants::keep),
    work("DELETE", "/api/variants/{name}", papers::variants::forget),
    work("GET", "/api/drafts", papers::drafts::list),
    work("GET", "/api/drafts/{name}", papers::drafts::read),
    work("PUT", "/api/drafts/{name}", papers::drafts::keep),
    work("DELETE", "/api/drafts/{name}", papers::drafts::forget),
    Route { method: "POST", path: "/api/jobs", way: Way::Begin(runs::begin) },
    Route { method: "DELETE", path: "/api/jobs/{name}", way: Way::Stop(runs::stop) },
    Route { method: "GET", path: "/api/jobs/{name}/events", way: Way::Follow(runs::follow) },
];

/// The route that a request is for, and the name in its path.
pub fn find<'p>(method: &str, path: &'p str) -> Option<(&'static Route, &'p str)> {
    ROUTES
        .iter()
        .filter(|route| route.method == method)
        .find_map(|route| Some((route, name(route.path, path)?)))
}

/// The name in a path, if it is one of this pattern.
fn name<'p>(pattern: &str, path: &'p str) -> Option<&'p str> {
    let Some((before, after)) = pattern.split_once("{name}") else {
        return (pattern == path).then_some("");
    };
    let name = path.strip_prefix(before)?.strip_suffix(after)?;
    (!name.is_empty() && !name.contains('/')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_one_route_and_its_name() {
        let found = |method, path| find(method, path).map(|(route, name)| (route.path, name));
        assert_eq!(found("GET", "/api/files"), Some(("/api/files", "")));
        assert_eq!(found("GET", "/api/files/a.toml"), Some(("/api/files/{name}", "a.toml")));
        assert_eq!(found("DELETE", "/api/jobs/7"), Some(("/api/jobs/{name}", "7")));
        assert_eq!(found("GET", "/api/jobs/7/events"), Some(("/api/jobs/{name}/events", "7")));
        for (method, path) in [
            ("GET", "/api/files/"),
            ("GET", "/api/files/a/b"),
            ("DELETE", "/api/files/a.toml"),
            ("GET", "/api/jobs/7"),
            ("GET", "/api/filesa"),
            ("get", "/api/files"),
            ("GET", ""),
        ] {
            assert!(find(method, path).is_none(), "{method} {path}");
        }
    }
}
