//! The table of routes: a method, a path, and the function that answers.

use std::sync::Arc;

use super::app_state::AppState;
use super::call::Call;
use super::jobs::{CurrentJob, StudioJob};
use super::replies::Reply;
use super::work::Work;
use super::{
    bundled_texts, dice_route, draft_check, file_routes, forms_route, job_routes, live_question,
    paper_routes, roll_explanation, sheet_route,
};

/// A job under way, and the reply about it.
pub type StartedJob = (Arc<StudioJob>, Reply);

/// How a route answers.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// With the reply of some work.
    Work(fn(&AppState, &Call<'_>) -> Result<Work, Reply>),
    /// With a job that goes on after the reply.
    Begin(fn(&CurrentJob, &Call<'_>) -> Result<StartedJob, Reply>),
    /// With the events of a job, until it is over.
    Follow(fn(&CurrentJob, &Call<'_>) -> Result<Arc<StudioJob>, Reply>),
    /// With the job that is to stop.
    Stop(fn(&CurrentJob, &Call<'_>) -> Reply),
}

/// A row of the table. One part of its path may be a name, in braces.
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
    way: fn(&AppState, &Call<'_>) -> Result<Work, Reply>,
) -> Route {
    Route { method, path, way: Way::Work(way) }
}

/// Every route.
pub const ROUTES: &[Route] = &[
    work("GET", "/api/tiles", forms_route::tiles),
    work("GET", "/api/forms", forms_route::list_forms),
    work("POST", "/api/odds", live_question::answer_odds),
    work("POST", "/api/dice", dice_route::answer_dice),
    work("POST", "/api/explain", roll_explanation::answer_explain),
    work("POST", "/api/rules", draft_check::answer_check),
    work("POST", "/api/sheets/{name}", sheet_route::export_sheet),
    work("GET", "/api/texts", bundled_texts::list_texts),
    work("GET", "/api/texts/{name}", bundled_texts::read_text),
    work("GET", "/api/files", file_routes::list),
    work("GET", "/api/files/{name}", file_routes::read),
    work("PUT", "/api/files/{name}", file_routes::write_file),
    work("GET", "/api/variants", paper_routes::variants::list),
    work("GET", "/api/variants/{name}", paper_routes::variants::read),
    work("PUT", "/api/variants/{name}", paper_routes::variants::keep),
    work("DELETE", "/api/variants/{name}", paper_routes::variants::forget),
    work("GET", "/api/drafts", paper_routes::drafts::list),
    work("GET", "/api/drafts/{name}", paper_routes::drafts::read),
    work("PUT", "/api/drafts/{name}", paper_routes::drafts::keep),
    work("DELETE", "/api/drafts/{name}", paper_routes::drafts::forget),
    Route { method: "POST", path: "/api/jobs", way: Way::Begin(job_routes::begin_job) },
    Route { method: "DELETE", path: "/api/jobs/{name}", way: Way::Stop(job_routes::stop_job) },
    Route { method: "GET", path: "/api/jobs/{name}/events", way: Way::Follow(job_routes::follow) },
];

/// Finds the route of a request, and the name in its path; `None` if there is no such route.
pub fn find<'p>(method: &str, path: &'p str) -> Option<(&'static Route, &'p str)> {
    ROUTES
        .iter()
        .filter(|route| route.method == method)
        .find_map(|route| Some((route, name(route.path, path)?)))
}

/// Returns the name in a path that fits this pattern; empty if the pattern has no name.
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
