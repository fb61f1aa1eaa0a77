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
use enfilade_api::Refusal;
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

use super::guard;
use super::machine::Reach;
use super::peers::PATIENCE;
use super::router::open;
use super::server::{Server, THREADS};
use super::terms::Terms;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::report::json::flat;

/// The largest number of open questions; the next line is read when one of them is answered.
const MOST: usize = 256;

/// The largest number of answers that wait to be written.
const WAITING: usize = 64;

/// The bytes of a line in addition to the largest body.
const ENVELOPE: u64 = 4096;

/// The client's id of a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(untagged)]
enum Id {
    Number(i64),
    Word(String),
}

/// A line of input: a question, or the cancellation of one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    id: Option<Id>,
    /// The route, by its path below `/api/`.
    ask: Option<String>,
    /// The HTTP method: POST with a body, else GET.
    method: Option<String>,
    body: Option<Json>,
    cancel: Option<Id>,
}

/// An event of the loop.
enum Event {
    /// A line has arrived, or was too long.
    Line(Option<Vec<u8>>, OwnedSemaphorePermit),
    /// A line of a reply; `last` ends the question.
    Said { id: Id, serial: u64, line: Vec<u8>, last: bool },
    /// The end of the input.
    End,
}

/// Open questions, each with its serial number.
type UnderWay = HashMap<Id, (u64, AbortHandle)>;

/// Answers the lines of `input` on `output` until there are no more and all are answered, or the
/// output is closed.
///
/// # Errors
/// When the folder does not exist, the threads cannot be started, or the answers cannot be written.
pub fn answer(
    catalogue: &Catalogue,
    terms: &Terms,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), Error> {
    let server = Arc::new(Server::new(catalogue, terms, Reach::Path)?);
    let failed = |why| Error::Usage(format!("the lines cannot be answered: {why}"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(THREADS)
        .enable_all()
        .build();
    let runtime = runtime.map_err(failed)?;
    let routes = open(Arc::clone(&server));
    let answered = runtime.block_on(Loop::new(routes, output).run(input));
    server.stop();
    // Cancelled work stops at its next die.
    runtime.shutdown_timeout(PATIENCE);
    match answered {
        // The client has closed the output.
        Err(why) if why.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(failed),
    }
}

/// Reads lines in a separate thread, each when there is a place for it.
fn listen(mut input: impl BufRead, places: &Arc<Semaphore>, events: &Sender<Event>) {
    let handle = tokio::runtime::Handle::current();
    loop {
        let Ok(place) = handle.block_on(Arc::clone(places).acquire_owned()) else { return };
        // A read error ends the input, as a closed pipe does.
        let event = match line(&mut input, guard::most() + ENVELOPE) {
            Ok(Some(line)) => Event::Line(line, place),
            Ok(None) | Err(_) => Event::End,
        };
        let is_end = matches!(event, Event::End);
        if events.blocking_send(event).is_err() || is_end {
            return;
        }
    }
}

/// Reads the next line; `Some(None)` for one of more than `most` bytes, which is dropped, and
/// `None` at the end.
#[expect(clippy::option_option, reason = "no line, and a line that is not kept, are two things")]
fn line(input: &mut impl BufRead, most: u64) -> io::Result<Option<Option<Vec<u8>>>> {
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
struct Loop<W> {
    routes: TowerToHyperService<Router>,
    output: W,
    under_way: UnderWay,
    serial: u64,
}

impl<W: Write> Loop<W> {
    fn new(routes: Router, output: W) -> Loop<W> {
        let routes = TowerToHyperService::new(routes);
        Loop { routes, output, under_way: HashMap::new(), serial: 0 }
    }

    async fn run(mut self, input: impl BufRead + Send + 'static) -> io::Result<()> {
        let (events, mut heard) = channel(WAITING);
        let (places, teller) = (Arc::new(Semaphore::new(MOST)), events.clone());
        // The thread may wait for a line for ever, and the program ends without it.
        let handle = tokio::runtime::Handle::current();
        std::thread::spawn(move || {
            let _within = handle.enter();
            listen(input, &places, &teller);
        });
        let mut ended = false;
        while !(ended && self.under_way.is_empty()) {
            match heard.recv().await {
                Some(Event::Line(line, place)) => self.hear(line.as_deref(), place, &events)?,
                Some(Event::Said { id, serial, line, last }) => {
                    // A question that was cancelled in the meantime gets no further lines.
                    if self.under_way.get(&id).is_some_and(|(known, _)| *known == serial) {
                        self.say(&line)?;
                        if last {
                            self.under_way.remove(&id);
                        }
                    }
                }
                Some(Event::End) => ended = true,
                None => return Ok(()),
            }
        }
        Ok(())
    }

    fn hear(
        &mut self,
        line: Option<&[u8]>,
        place: OwnedSemaphorePermit,
        events: &Sender<Event>,
    ) -> io::Result<()> {
        let Some(line) = line else {
            return self.refuse(&Json::Null, StatusCode::PAYLOAD_TOO_LARGE, "the line is too long");
        };
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let read = serde_json::from_slice::<Json>(line);
        // Answered under its id, if it has one.
        let named = read.as_ref().map(|read| read["id"].clone()).unwrap_or_default();
        match read.and_then(Sent::deserialize) {
            Err(why) => {
                let why = format!("unexpected content: {why}");
                self.refuse(&named, StatusCode::BAD_REQUEST, &why)
            }
            Ok(Sent { cancel: Some(id), .. }) => match self.under_way.remove(&id) {
                // A question that is answered already has its answer.
                None => Ok(()),
                Some((_, task)) => {
                    // The future that waits for the work is dropped, and that stops the work.
                    task.abort();
                    self.refuse(&id, StatusCode::CONFLICT, "the question was cancelled")
                }
            },
            Ok(sent) => match self.ask(sent, place, events) {
                Ok(()) => Ok(()),
                Err(why) => self.refuse(&named, StatusCode::BAD_REQUEST, &why),
            },
        }
    }

    /// Starts a question.
    fn ask(
        &mut self,
        sent: Sent,
        place: OwnedSemaphorePermit,
        events: &Sender<Event>,
    ) -> Result<(), String> {
        let id = sent.id.clone();
        let id = id.ok_or("a question has an `id`, a whole number or a word, for its answer")?;
        if self.under_way.contains_key(&id) {
            return Err("another question of this `id` is not answered yet".to_owned());
        }
        let answer = self.routes.call(request(sent)?);
        let (serial, events, known) = (self.serial, events.clone(), id.clone());
        self.serial += 1;
        let task = tokio::spawn(async move {
            let Ok(reply) = answer.await;
            tell(&id, serial, reply, &events).await;
            drop(place);
        });
        self.under_way.insert(known, (serial, task.abort_handle()));
        Ok(())
    }

    fn refuse(&mut self, id: &impl Serialize, status: StatusCode, why: &str) -> io::Result<()> {
        let body = Refusal { error: why.to_owned(), faults: None };
        self.say(&enveloped(id, Some(status), flat(&body).as_bytes()))
    }

    fn say(&mut self, line: &[u8]) -> io::Result<()> {
        self.output.write_all(line)?;
        self.output.flush()
    }
}

/// Converts a question to a request of the router.
fn request(sent: Sent) -> Result<Request<Body>, String> {
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
async fn tell(id: &Id, serial: u64, reply: Response, events: &Sender<Event>) {
    let (head, mut body) = reply.into_parts();
    let kind = head.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.unwrap_or_default().to_owned();
    let said = |line: Vec<u8>, last| Event::Said { id: id.clone(), serial, line, last };
    if kind == "text/event-stream" {
        while let Some(Ok(frame)) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
            let frame = frame.into_data().unwrap_or_default();
            // A heartbeat carries no data.
            let Some(event) = frame.strip_prefix(b"data: ") else { continue };
            let line = enveloped(id, None, &without_breaks(event));
            if events.send(said(line, false)).await.is_err() {
                return;
            }
        }
        let line = enveloped(id, Some(head.status), b"null");
        let _ = events.send(said(line, true)).await;
        return;
    }
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let body = match kind.split(';').next().unwrap_or_default() {
        "application/json" => without_breaks(&body),
        // A page, a drawing, a table: text.
        _ => match str::from_utf8(&body) {
            Ok(text) => flat(&text).into_bytes(),
            Err(_) => flat(&Encoded { base64: STANDARD.encode(&body) }).into_bytes(),
        },
    };
    let _ = events.send(said(enveloped(id, Some(head.status), &body), true)).await;
}

/// Bytes of a binary body.
#[derive(Serialize)]
struct Encoded {
    base64: String,
}

/// Puts JSON on one line: between its parts a line end means nothing, and strings contain none.
fn without_breaks(json: &[u8]) -> Vec<u8> {
    json.iter().copied().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect()
}

/// Wraps a body as a line for a question: an answer has a status, an event has none.
fn enveloped(id: &impl Serialize, status: Option<StatusCode>, body: &[u8]) -> Vec<u8> {
    let head = match status {
        Some(status) => format!("{{\"id\":{},\"status\":{},\"body\":", flat(id), status.as_u16()),
        None => format!("{{\"id\":{},\"event\":", flat(id)),
    };
    [head.as_bytes(), body, b"}\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_line_is_kept_up_to_its_bound_and_the_next_is_found() {
        let mut input: &[u8] = b"abc\n\nabcd\nabcde\nx";
        let mut next = || line(&mut input, 5).expect("bytes can be read");
        assert_eq!(next(), Some(Some(b"abc\n".to_vec())));
        assert_eq!(next(), Some(Some(b"\n".to_vec())));
        assert_eq!(next(), Some(Some(b"abcd\n".to_vec())));
        assert_eq!(next(), Some(None));
        // The last line may have no end.
        assert_eq!(next(), Some(Some(b"x".to_vec())));
        assert_eq!(next(), None);
    }
}
