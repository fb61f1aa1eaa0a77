//! The table of routes behind axum, and the pages of the server itself.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, get, on};
use enfilade_api::{
    ALL_STUDIO_ROUTES, RouteHandlerByKind, RouteParamsAndBody, StudioJob, StudioRoute,
    refusal_reply,
};
use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{HeaderMap, HeaderName, IF_MATCH, IF_NONE_MATCH};

use super::server::{StudioServer, run_work_unless_outdated, to_http_response};
use super::{assets, event_stream, heartbeat};
use crate::report::json_text::to_flat_json;

/// Interval between two events of a job.
const JOB_EVENT_INTERVAL: Duration = Duration::from_millis(100);

/// The pages of the server itself; everything else is in [`ALL_STUDIO_ROUTES`].
const SERVER_ROUTES: [(&str, &str); 3] =
    [("GET", "/"), ("GET", "/assets/{name}"), ("GET", "/api/here")];

/// The methods and the paths of all routes, for tests that try them without the secret.
pub fn list_methods_and_paths() -> Vec<(&'static str, &'static str)> {
    let routes = ALL_STUDIO_ROUTES.iter().map(|route| (route.method, route.path));
    SERVER_ROUTES.into_iter().chain(routes).collect()
}

/// Builds the router of all routes, without the guard.
pub fn build_unguarded_router(server: Arc<StudioServer>) -> Router {
    let nothing = || async {
        to_http_response(refusal_reply(StatusCode::NOT_FOUND, "there is no such route"))
    };
    let router = Router::new()
        .route(SERVER_ROUTES[0].1, get(assets::serve_studio_page))
        .route(SERVER_ROUTES[1].1, get(assets::serve_asset))
        .route(SERVER_ROUTES[2].1, get(heartbeat::serve_heartbeat_stream));
    let router = ALL_STUDIO_ROUTES
        .iter()
        .fold(router, |all, route| all.route(route.path, to_method_router(route)));
    router.with_state(server).fallback(nothing).method_not_allowed_fallback(nothing)
}

/// Converts a row of the table for axum.
fn to_method_router(route: &'static StudioRoute) -> MethodRouter<Arc<StudioServer>> {
    let filter = match route.method {
        "POST" => MethodFilter::POST,
        "PUT" => MethodFilter::PUT,
        "DELETE" => MethodFilter::DELETE,
        _ => MethodFilter::GET,
    };
    let way = route.handler;
    let answer = move |State(server): State<Arc<StudioServer>>,
                       name: Option<Path<String>>,
                       headers: HeaderMap,
                       body: Bytes| async move {
        let name = name.map(|Path(name)| name).unwrap_or_default();
        answer_http_request(server, way, &name, &headers, &body).await
    };
    on(filter, answer)
}

async fn answer_http_request(
    server: Arc<StudioServer>,
    way: RouteHandlerByKind,
    name: &str,
    headers: &HeaderMap,
    body: &Bytes,
) -> Response {
    let word = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let (replaces, unless) = (word(IF_MATCH), word(IF_NONE_MATCH));
    let call = RouteParamsAndBody { name, replaces, unless, body };
    match way {
        RouteHandlerByKind::Work(prepare) => match prepare(&server.bench, &call) {
            Ok(work) => to_http_response(run_work_unless_outdated(server, work).await),
            Err(refused) => to_http_response(refused),
        },
        RouteHandlerByKind::Begin(begin) => match begin(&server.jobs, &call) {
            Ok((job, reply)) => {
                // The task is not awaited: the events of the job show its end.
                tokio::task::spawn_blocking(move || server.jobs.run_given_job(&job));
                to_http_response(reply)
            }
            Err(refused) => to_http_response(refused),
        },
        RouteHandlerByKind::Follow(follow) => {
            follow(&server.jobs, &call).map_or_else(to_http_response, stream_job_events)
        }
        RouteHandlerByKind::Stop(stop) => to_http_response(stop(&server.jobs, &call)),
    }
}

/// Streams the events of a job. The job continues when the page is gone.
fn stream_job_events(job: Arc<StudioJob>) -> Response {
    event_stream::stream_at_intervals(JOB_EVENT_INTERVAL, move || {
        let event = job.progress_or_result();
        (Bytes::from(format!("data: {}\n\n", to_flat_json(&*event))), event.is_final_event())
    })
}
