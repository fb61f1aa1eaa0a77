//! The studio without a page, for programs in other languages: a question is a line of JSON, and so
//! is its answer.
//!
//! The routes are those of the page, by the same router; no guard checks them, because the caller
//! has started this program and has its rights. One loop reads the input and writes the answers, so
//! nothing here is locked; questions are solved in parallel and answered in the order in which they
//! finish.

use std::collections::HashMap;
use std::future::poll_fn;
use std::io::{self, BufRead, ErrorKind, Write};
use std::pin::Pin;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use enfilade_api::RefusalReply;
use hyper::body::Body as Stream;
use hyper::header::CONTENT_TYPE;
use hyper::service::Service;
use hyper::{Method, Request, StatusCode};
use hyper_util::service::TowerToHyperService;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use tokio::sync::mpsc::{Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;

use super::connections::SOCKET_TIME_LIMIT;
use super::machine::AllowedRulebookPlaces;
use super::request_guard;
use super::router::build_unguarded_router;
use super::server::{STUDIO_THREAD_COUNT, StudioServer};
use super::studio_options::StudioOptions;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::report::json_text::to_flat_json;

/// The largest number of open questions; the next line is read when one of them is answered.
const MAX_OPEN_QUESTIONS: usize = 256;

/// The largest number of answers that wait to be written.
const MAX_WAITING_ANSWERS: usize = 64;

/// The bytes of a line in addition to the largest body.
const MAX_LINE_OVERHEAD: u64 = 4096;

/// The client's id of a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(untagged)]
enum QuestionId {
    Number(i64),
    Word(String),
}

/// A line of input: a question, or the cancellation of one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionOrCancellation {
    id: Option<QuestionId>,
    /// The route, by its path below `/api/`.
    ask: Option<String>,
    /// The HTTP method: POST with a body, else GET.
    method: Option<String>,
    body: Option<Json>,
    cancel: Option<QuestionId>,
}

/// An event of the loop.
enum LineServerEvent {
    /// A line has arrived, or was too long.
    Line(Option<Vec<u8>>, OwnedSemaphorePermit),
    /// A line of a reply; `last` ends the question.
    ReplyLine { id: QuestionId, serial: u64, line: Vec<u8>, last: bool },
    /// The end of the input.
    End,
}

/// Open questions, each with its serial number.
type QuestionsInProgress = HashMap<QuestionId, (u64, AbortHandle)>;

/// Answers the lines of `input` on `output` until there are no more and all are answered, or the
/// output is closed.
///
/// # Errors
/// When the folder does not exist, the threads cannot be started, or the answers cannot be written.
pub fn answer_input_lines(
    catalogue: &Catalogue,
    terms: &StudioOptions,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), Error> {
    let server = Arc::new(StudioServer::new(catalogue, terms, AllowedRulebookPlaces::Path)?);
    let failed = |why| Error::Usage(format!("the lines cannot be answered: {why}"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(STUDIO_THREAD_COUNT)
        .enable_all()
        .build();
    let runtime = runtime.map_err(failed)?;
    let routes = build_unguarded_router(Arc::clone(&server));
    let answered =
        runtime.block_on(LineServerLoop::new(routes, output).run_until_input_ends(input));
    server.stop_all_work();
    // Cancelled work stops at its next die.
    runtime.shutdown_timeout(SOCKET_TIME_LIMIT);
    match answered {
        // The client has closed the output.
        Err(why) if why.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(failed),
    }
}

/// Reads lines in a separate thread, each when there is a place for it.
fn read_lines_into_channel(
    mut input: impl BufRead,
    places: &Arc<Semaphore>,
    events: &Sender<LineServerEvent>,
) {
    let handle = tokio::runtime::Handle::current();
    loop {
        let Ok(place) = handle.block_on(Arc::clone(places).acquire_owned()) else { return };
        // A read error ends the input, as a closed pipe does.
        let event = match read_bounded_line(
            &mut input,
            request_guard::max_body_bytes() + MAX_LINE_OVERHEAD,
        ) {
            Ok(Some(line)) => LineServerEvent::Line(line, place),
            Ok(None) | Err(_) => LineServerEvent::End,
        };
        let is_end = matches!(event, LineServerEvent::End);
        if events.blocking_send(event).is_err() || is_end {
            return;
        }
    }
}

/// Reads the next line; `Some(None)` for one of more than `most` bytes, which is dropped, and
/// `None` at the end.
#[expect(clippy::option_option, reason = "no line, and a line that is not kept, are two things")]
fn read_bounded_line(input: &mut impl BufRead, most: u64) -> io::Result<Option<Option<Vec<u8>>>> {
    let mut line = Vec::new();
    let read = io::Read::take(&mut *input, most).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') && read as u64 == most {
        input.skip_until(b'\n')?;
        return Ok(Some(None));
    }
    Ok(Some(Some(line)))
}

/// The loop that handles all events and writes all lines.
struct LineServerLoop<W> {
    routes: TowerToHyperService<Router>,
    output: W,
    under_way: QuestionsInProgress,
    serial: u64,
}

impl<W: Write> LineServerLoop<W> {
    fn new(routes: Router, output: W) -> LineServerLoop<W> {
        let routes = TowerToHyperService::new(routes);
        LineServerLoop { routes, output, under_way: HashMap::new(), serial: 0 }
    }

    async fn run_until_input_ends(
        mut self,
        input: impl BufRead + Send + 'static,
    ) -> io::Result<()> {
        let (events, mut heard) = channel(MAX_WAITING_ANSWERS);
        let (places, teller) = (Arc::new(Semaphore::new(MAX_OPEN_QUESTIONS)), events.clone());
        // The thread may wait for a line for ever, and the program ends without it.
        let handle = tokio::runtime::Handle::current();
        std::thread::spawn(move || {
            let _within = handle.enter();
            read_lines_into_channel(input, &places, &teller);
        });
        let mut is_ended = false;
        while !(is_ended && self.under_way.is_empty()) {
            match heard.recv().await {
                Some(LineServerEvent::Line(line, place)) => {
                    self.handle_input_line(line.as_deref(), place, &events)?
                }
                Some(LineServerEvent::ReplyLine { id, serial, line, last }) => {
                    // A question that was cancelled in the meantime gets no further lines.
                    if self.under_way.get(&id).is_some_and(|(asking, _)| *asking == serial) {
                        self.write_output_line(&line)?;
                        if last {
                            self.under_way.remove(&id);
                        }
                    }
                }
                Some(LineServerEvent::End) => is_ended = true,
                None => return Ok(()),
            }
        }
        Ok(())
    }

    fn handle_input_line(
        &mut self,
        line: Option<&[u8]>,
        place: OwnedSemaphorePermit,
        events: &Sender<LineServerEvent>,
    ) -> io::Result<()> {
        let Some(line) = line else {
            return self.write_refusal_line(
                &Json::Null,
                StatusCode::PAYLOAD_TOO_LARGE,
                "the line is too long",
            );
        };
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let read = serde_json::from_slice::<Json>(line);
        // Answered under its id, if it has one.
        let named = read.as_ref().map(|read| read["id"].clone()).unwrap_or_default();
        match read.and_then(QuestionOrCancellation::deserialize) {
            Err(why) => {
                let why = format!("unexpected content: {why}");
                self.write_refusal_line(&named, StatusCode::BAD_REQUEST, &why)
            }
            Ok(QuestionOrCancellation { cancel: Some(id), .. }) => match self.under_way.remove(&id)
            {
                // A question that is answered already has its answer.
                None => Ok(()),
                Some((_, task)) => {
                    // The future that waits for the work is dropped, and that stops the work.
                    task.abort();
                    self.write_refusal_line(&id, StatusCode::CONFLICT, "the question was cancelled")
                }
            },
            Ok(sent) => match self.start_question(sent, place, events) {
                Ok(()) => Ok(()),
                Err(why) => self.write_refusal_line(&named, StatusCode::BAD_REQUEST, &why),
            },
        }
    }

    /// Starts a question.
    fn start_question(
        &mut self,
        sent: QuestionOrCancellation,
        place: OwnedSemaphorePermit,
        events: &Sender<LineServerEvent>,
    ) -> Result<(), String> {
        let id = sent.id.clone();
        let id = id.ok_or("a question has an `id`, a whole number or a word, for its answer")?;
        if self.under_way.contains_key(&id) {
            return Err("another question of this `id` is not answered yet".to_owned());
        }
        let answer = self.routes.call(build_router_request(sent)?);
        let (serial, events, known) = (self.serial, events.clone(), id.clone());
        self.serial += 1;
        let task = tokio::spawn(async move {
            let Ok(reply) = answer.await;
            forward_events_and_reply(&id, serial, reply, &events).await;
            drop(place);
        });
        self.under_way.insert(known, (serial, task.abort_handle()));
        Ok(())
    }

    fn write_refusal_line(
        &mut self,
        id: &impl Serialize,
        status: StatusCode,
        why: &str,
    ) -> io::Result<()> {
        let body = RefusalReply { error: why.to_owned(), faults: None };
        self.write_output_line(&wrap_body_as_line(id, Some(status), to_flat_json(&body).as_bytes()))
    }

    fn write_output_line(&mut self, line: &[u8]) -> io::Result<()> {
        self.output.write_all(line)?;
        self.output.flush()
    }
}

/// Converts a question to a request of the router.
fn build_router_request(sent: QuestionOrCancellation) -> Result<Request<Body>, String> {
    let door = sent.ask.ok_or("a question needs `ask`, such as \"odds\" or \"dice\"")?;
    let method = match (&sent.method, &sent.body) {
        (Some(method), _) => {
            Method::from_bytes(method.as_bytes()).map_err(|why| why.to_string())?
        }
        (None, Some(_)) => Method::POST,
        (None, None) => Method::GET,
    };
    let body = sent.body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    let request = Request::builder().method(method).uri(format!("/api/{door}")).body(body);
    request.map_err(|why| format!("`ask` names no request: {why}"))
}

/// Forwards the reply of a route: events as they come, and then the answer.
async fn forward_events_and_reply(
    id: &QuestionId,
    serial: u64,
    reply: Response,
    events: &Sender<LineServerEvent>,
) {
    let (head, mut body) = reply.into_parts();
    let kind = head.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.unwrap_or_default().to_owned();
    let said =
        |line: Vec<u8>, last| LineServerEvent::ReplyLine { id: id.clone(), serial, line, last };
    if kind == "text/event-stream" {
        while let Some(Ok(frame)) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
            let frame = frame.into_data().unwrap_or_default();
            // A heartbeat carries no data.
            let Some(event) = frame.strip_prefix(b"data: ") else { continue };
            let line = wrap_body_as_line(id, None, &strip_line_breaks(event));
            if events.send(said(line, false)).await.is_err() {
                return;
            }
        }
        let line = wrap_body_as_line(id, Some(head.status), b"null");
        let _ = events.send(said(line, true)).await;
        return;
    }
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let body = match kind.split(';').next().unwrap_or_default() {
        "application/json" => strip_line_breaks(&body),
        // A page, a drawing, a table: text.
        _ => match str::from_utf8(&body) {
            Ok(text) => to_flat_json(&text).into_bytes(),
            Err(_) => to_flat_json(&Base64Body { base64: STANDARD.encode(&body) }).into_bytes(),
        },
    };
    let _ = events.send(said(wrap_body_as_line(id, Some(head.status), &body), true)).await;
}

/// Bytes of a binary body.
#[derive(Serialize)]
struct Base64Body {
    base64: String,
}

/// Puts JSON on one line: between its parts a line end means nothing, and strings contain none.
fn strip_line_breaks(json: &[u8]) -> Vec<u8> {
    json.iter().copied().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect()
}

/// Wraps a body as a line for a question: an answer has a status, an event has none.
fn wrap_body_as_line(id: &impl Serialize, status: Option<StatusCode>, body: &[u8]) -> Vec<u8> {
    let head = match status {
        Some(status) => {
            format!("{{\"id\":{},\"status\":{},\"body\":", to_flat_json(id), status.as_u16())
        }
        None => format!("{{\"id\":{},\"event\":", to_flat_json(id)),
    };
    [head.as_bytes(), body, b"}\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::read_bounded_line;

    #[test]
    fn a_line_is_kept_up_to_its_bound_and_the_next_is_found() {
        let mut input: &[u8] = b"abc\n\nabcd\nabcde\nx";
        let mut next = || read_bounded_line(&mut input, 5).expect("bytes can be read");
        assert_eq!(next(), Some(Some(b"abc\n".to_vec())));
        assert_eq!(next(), Some(Some(b"\n".to_vec())));
        assert_eq!(next(), Some(Some(b"abcd\n".to_vec())));
        assert_eq!(next(), Some(None));
        // The last line may have no end.
        assert_eq!(next(), Some(Some(b"x".to_vec())));
        assert_eq!(next(), None);
    }
}
