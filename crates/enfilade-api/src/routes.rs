//! The table of routes: a method, a path, and the function that answers.

use std::sync::Arc;

use super::app_state::AppState;
use super::call::RouteCall;
use super::jobs::{StudioJob, StudioJobSlot};
use super::replies::RouteReply;
use super::work::RouteWork;
use super::{
    bundled_texts, completion_route, dice_route, draft_check, file_routes, forms_route, job_routes,
    live_question, paper_routes, roll_explanation, sheet_route, wanted_route,
};

/// A job under way, and the reply about it.
pub type StartedJob = (Arc<StudioJob>, RouteReply);

/// How a route answers.
#[derive(Clone, Copy, Debug)]
pub enum RouteHandler {
    /// With the reply of some work.
    Work(fn(&AppState, &RouteCall<'_>) -> Result<RouteWork, RouteReply>),
    /// With a job that goes on after the reply.
    Begin(fn(&StudioJobSlot, &RouteCall<'_>) -> Result<StartedJob, RouteReply>),
    /// With the events of a job, until it is over.
    Follow(fn(&StudioJobSlot, &RouteCall<'_>) -> Result<Arc<StudioJob>, RouteReply>),
    /// With the job that is to stop.
    Stop(fn(&StudioJobSlot, &RouteCall<'_>) -> RouteReply),
}

/// A row of the table. One part of its path may be a name, in braces.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The method.
    pub method: &'static str,
    /// The path.
    pub path: &'static str,
    /// How it answers.
    pub handler: RouteHandler,
}

const fn work_route(
    method: &'static str,
    path: &'static str,
    way: fn(&AppState, &RouteCall<'_>) -> Result<RouteWork, RouteReply>,
) -> Route {
    Route { method, path, handler: RouteHandler::Work(way) }
}

/// Every route.
pub const ROUTES: &[Route] = &[
    work_route("GET", "/api/tiles", forms_route::list_tiles),
    work_route("GET", "/api/forms", forms_route::list_forms),
    work_route("POST", "/api/odds", live_question::answer_odds),
    work_route("POST", "/api/dice", dice_route::answer_dice),
    work_route("POST", "/api/explain", roll_explanation::answer_roll_explanation),
    work_route("POST", "/api/wanted", wanted_route::answer_wanted),
    work_route("POST", "/api/rules", draft_check::answer_check),
    work_route("POST", "/api/completions", completion_route::answer_completions),
    work_route("POST", "/api/sheets/{name}", sheet_route::export_sheet),
    work_route("GET", "/api/texts", bundled_texts::list_texts),
    work_route("GET", "/api/texts/{name}", bundled_texts::read_bundled_text),
    work_route("GET", "/api/files", file_routes::list_folder_files),
    work_route("GET", "/api/files/{name}", file_routes::read_folder_file),
    work_route("PUT", "/api/files/{name}", file_routes::write_file),
    work_route("DELETE", "/api/files/{name}", file_routes::remove_folder_file),
    work_route("GET", "/api/variants", paper_routes::variants::list),
    work_route("GET", "/api/variants/{name}", paper_routes::variants::read),
    work_route("PUT", "/api/variants/{name}", paper_routes::variants::keep),
    work_route("DELETE", "/api/variants/{name}", paper_routes::variants::forget),
    work_route("GET", "/api/drafts", paper_routes::drafts::list),
    work_route("GET", "/api/drafts/{name}", paper_routes::drafts::read),
    work_route("PUT", "/api/drafts/{name}", paper_routes::drafts::keep),
    work_route("DELETE", "/api/drafts/{name}", paper_routes::drafts::forget),
    Route {
        method: "POST",
        path: "/api/jobs",
        handler: RouteHandler::Begin(job_routes::begin_job),
    },
    Route {
        method: "DELETE",
        path: "/api/jobs/{name}",
        handler: RouteHandler::Stop(job_routes::stop_job),
    },
    Route {
        method: "GET",
        path: "/api/jobs/{name}/events",
        handler: RouteHandler::Follow(job_routes::find_followed_job),
    },
];

/// Finds the route of a request, and the name in its path; `None` if there is no such route.
pub fn find_route<'p>(method: &str, path: &'p str) -> Option<(&'static Route, &'p str)> {
    ROUTES
        .iter()
        .filter(|route| route.method == method)
        .find_map(|route| Some((route, match_path_name(route.path, path)?)))
}

/// Returns the name in a path that fits this pattern; empty if the pattern has no name.
fn match_path_name<'p>(pattern: &str, path: &'p str) -> Option<&'p str> {
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
        let found = |method, path| find_route(method, path).map(|(route, name)| (route.path, name));
        assert_eq!(found("GET", "/api/files"), Some(("/api/files", "")));
        assert_eq!(found("GET", "/api/files/a.toml"), Some(("/api/files/{name}", "a.toml")));
        assert_eq!(found("DELETE", "/api/jobs/7"), Some(("/api/jobs/{name}", "7")));
        assert_eq!(found("GET", "/api/jobs/7/events"), Some(("/api/jobs/{name}/events", "7")));
        for (method, path) in [
            ("GET", "/api/files/"),
            ("GET", "/api/files/a/b"),
            ("DELETE", "/api/files"),
            ("GET", "/api/jobs/7"),
            ("GET", "/api/filesa"),
            ("get", "/api/files"),
            ("GET", ""),
        ] {
            assert!(find_route(method, path).is_none(), "{method} {path}");
        }
    }
}
