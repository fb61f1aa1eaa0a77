//! A page reads the progress of a job from within the question whether it has to stop: no lock is
//! held there.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;

use enfilade_api::{AnswerHost, AppState, BuildId, MemoryFolder, PageSession, RouteParamsAndBody};
use enfilade_engine::cancel::CancelToken;

static SESSION: OnceLock<PageSession> = OnceLock::new();
static LOOKS: AtomicU64 = AtomicU64::new(0);

/// Reads the progress at every look, and never stops the work.
fn read_progress() -> bool {
    LOOKS.fetch_add(1, Ordering::Relaxed);
    SESSION.get().map(PageSession::job_progress_json);
    false
}

struct Page;

impl AnswerHost for Page {
    fn new_cancel_token(&self) -> CancelToken {
        CancelToken::from_query(read_progress)
    }
}

const FIRE: &str = "[[contest]]\\nsystem = 'asl'\\naction = 'fire'\\nfp = [4, 8]\\n\
                    target = { kind = 'squad', morale = 7 }\\n";
const PRICES: &str = "system = 'skirmishers'\\n[[weapon]]\\nname = 'MMG'\\n\
                      [[scenario]]\\nname = 'a'\\nmoves = 2\\ntarget = { troopers = 2 }\\n";

#[test]
fn progress_may_be_read_at_every_look() {
    let files = Arc::new(MemoryFolder::new("a test", &[]));
    let app = AppState::new(
        &enfilade_games::built_in_catalogue(),
        files,
        Box::new(Page),
        BuildId("a test"),
    );
    let session = SESSION.get_or_init(|| PageSession::new(app));
    let (done, ends) = mpsc::channel();
    std::thread::spawn(move || {
        for (text, what) in [
            (FIRE, r#""trials": 200000"#),
            (FIRE, r#""exact": true"#),
            (PRICES, r#""exact": false"#),
        ] {
            let body = format!(r#"{{"text": "{text}", {what}}}"#);
            let call =
                RouteParamsAndBody { body: body.as_bytes(), ..RouteParamsAndBody::default() };
            let reply = session.answer_request("POST", "/api/jobs", &call);
            done.send((reply.status, reply.body)).expect("the test waits");
        }
    });
    for _ in 0..3 {
        let (status, body) = ends
            .recv_timeout(Duration::from_secs(120))
            .expect("the job holds a lock while it looks");
        let body = String::from_utf8_lossy(&body);
        assert_eq!(status, 200, "{body}");
        assert!(body.contains(r#""done":true"#) && !body.contains("faults"), "{body}");
    }
    assert!(LOOKS.load(Ordering::Relaxed) > 0);
}
