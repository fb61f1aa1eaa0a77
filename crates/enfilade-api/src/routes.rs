//! The table of routes: a method, a path, and the function that answers.

use std::sync::Arc;

use super::app_state::AppState;
use super::jobs::{StudioJob, StudioJobSlot};
use super::replies::RouteReply;
use super::request_parts::RouteParamsAndBody;
use super::work::RouteWork;
use super::{
    bundled_texts, completion_route, dice_route, draft_check, export_route, file_routes,
    forms_route, job_routes, live_question, roll_explanation, strategy_route, variant_draft_routes,
    wanted_route,
};

/// A job under way, and the reply about it.
pub type StartedJob = (Arc<StudioJob>, RouteReply);

/// How a route answers.
#[derive(Clone, Copy, Debug)]
pub enum RouteHandlerByKind {
    /// With the reply of some work.
    Work(fn(&AppState, &RouteParamsAndBody<'_>) -> Result<RouteWork, RouteReply>),
    /// With a job that goes on after the reply.
    Begin(fn(&StudioJobSlot, &RouteParamsAndBody<'_>) -> Result<StartedJob, RouteReply>),
    /// With the events of a job, until it is over.
    Follow(fn(&StudioJobSlot, &RouteParamsAndBody<'_>) -> Result<Arc<StudioJob>, RouteReply>),
    /// With the job that is to stop.
    Stop(fn(&StudioJobSlot, &RouteParamsAndBody<'_>) -> RouteReply),
}

/// A row of the table. One part of its path may be a name, in braces.
#[derive(Clone, Copy, Debug)]
pub struct StudioRoute {
    /// The method.
    pub method: &'static str,
    /// The path.
    pub path: &'static str,
    /// How it answers.
    pub handler: RouteHandlerByKind,
}

const fn route_with_work(
    method: &'static str,
    path: &'static str,
    way: fn(&AppState, &RouteParamsAndBody<'_>) -> Result<RouteWork, RouteReply>,
) -> StudioRoute {
    StudioRoute { method, path, handler: RouteHandlerByKind::Work(way) }
}

/// Every route.
pub const ALL_STUDIO_ROUTES: &[StudioRoute] = &[
    route_with_work("GET", "/api/tiles", forms_route::reply_with_tiles),
    route_with_work("GET", "/api/forms", forms_route::reply_with_all_action_forms),
    route_with_work("POST", "/api/odds", live_question::answer_live_odds),
    route_with_work("POST", "/api/dice", dice_route::answer_dice),
    route_with_work("POST", "/api/explain", roll_explanation::answer_roll_explanation),
    route_with_work("POST", "/api/strategy", strategy_route::answer_strategy),
    route_with_work("POST", "/api/wanted", wanted_route::answer_wanted),
    route_with_work("POST", "/api/rules", draft_check::answer_check_and_odds),
    route_with_work("POST", "/api/completions", completion_route::answer_completions),
    route_with_work("POST", "/api/sheets/{name}", export_route::export_named_sheet),
    route_with_work("GET", "/api/texts", bundled_texts::list_bundled_rulebooks),
    route_with_work("GET", "/api/texts/{name}", bundled_texts::read_bundled_rulebook),
    route_with_work("GET", "/api/files", file_routes::list_folder_files),
    route_with_work("GET", "/api/files/{name}", file_routes::read_folder_file),
    route_with_work("PUT", "/api/files/{name}", file_routes::write_folder_file),
    route_with_work("DELETE", "/api/files/{name}", file_routes::remove_folder_file),
    route_with_work("GET", "/api/variants", variant_draft_routes::variants::list),
    route_with_work("GET", "/api/variants/{name}", variant_draft_routes::variants::read),
    route_with_work("PUT", "/api/variants/{name}", variant_draft_routes::variants::keep),
    route_with_work("DELETE", "/api/variants/{name}", variant_draft_routes::variants::forget),
    route_with_work("GET", "/api/drafts", variant_draft_routes::drafts::list),
    route_with_work("GET", "/api/drafts/{name}", variant_draft_routes::drafts::read),
    route_with_work("PUT", "/api/drafts/{name}", variant_draft_routes::drafts::keep),
    route_with_work("DELETE", "/api/drafts/{name}", variant_draft_routes::drafts::forget),
    StudioRoute {
        method: "POST",
        path: "/api/jobs",
        handler: RouteHandlerByKind::Begin(job_routes::register_requested_job),
    },
    StudioRoute {
        method: "DELETE",
        path: "/api/jobs/{name}",
        handler: RouteHandlerByKind::Stop(job_routes::stop_numbered_job),
    },
    StudioRoute {
        method: "GET",
        path: "/api/jobs/{name}/events",
        handler: RouteHandlerByKind::Follow(job_routes::find_followed_job),
    },
];

/// Finds the route of a request, and the name in its path; `None` if there is no such route.
pub fn find_route<'p>(method: &str, path: &'p str) -> Option<(&'static StudioRoute, &'p str)> {
    ALL_STUDIO_ROUTES
        .iter()
        .filter(|route| route.method == method)
        .find_map(|route| Some((route, match_path_name(route.path, path)?)))
}

/// Returns the name in a path that fits this pattern; empty if the pattern has no name. A file may
/// be below folders.
fn match_path_name<'p>(pattern: &str, path: &'p str) -> Option<&'p str> {
    let Some((before, after)) = pattern.split_once("{name}") else {
        return (pattern == path).then_some("");
    };
    let name = path.strip_prefix(before)?.strip_suffix(after)?;
    let is_path = pattern.starts_with("/api/files/");
    (!name.is_empty() && (is_path || !name.contains('/'))).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_one_route_and_its_name() {
        let found = |method, path| find_route(method, path).map(|(route, name)| (route.path, name));
        assert_eq!(found("GET", "/api/files"), Some(("/api/files", "")));
        assert_eq!(found("GET", "/api/files/a.toml"), Some(("/api/files/{name}", "a.toml")));
        assert_eq!(found("GET", "/api/files/a/b"), Some(("/api/files/{name}", "a/b")));
        assert_eq!(found("DELETE", "/api/jobs/7"), Some(("/api/jobs/{name}", "7")));
        assert_eq!(found("GET", "/api/jobs/7/events"), Some(("/api/jobs/{name}/events", "7")));
        for (method, path) in [
            ("GET", "/api/files/"),
            ("GET", "/api/variants/a/b"),
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
