//! The engine as a module of a page: a few functions and imports, and no glue that is generated.
//!
//! The page writes a question to the bytes at `room`, calls `ask`, and reads `length` bytes at its
//! result. A question is `METHOD PATH`, a line feed, the value of `If-Match` or `*` for
//! `If-None-Match: *` or nothing, a line feed, and the body. An answer is the status in three
//! digits, and the body. A panic ends the module: its message goes to `wrong`, and the page starts
//! another module.
//!
//! The crate is empty on other targets than `wasm32`.

#![cfg(target_arch = "wasm32")]
#![expect(unsafe_code, reason = "what crosses the border of a module is bytes at an address")]

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use enfilade_api::{
    AnswerHost, AppState, BuildId, MemoryFolder, PageSession, ReportError, RouteParamsAndBody,
};
use enfilade_engine::cancel::CancelToken;
use enfilade_study::checkpoint::journal::CellTrialJournal;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Returns the milliseconds since 1970.
    safe fn now() -> f64;
    /// Returns 1 if the work under way is to stop, else 0.
    safe fn over() -> i32;
    /// Receives the message of a panic, before the module ends.
    fn wrong(at: *const u8, length: usize);
}

/// The build, for the script that packs the module: a page and a program of the same sources give
/// the same answers.
#[unsafe(link_section = "enfilade.build")]
#[used]
static BUILD_HASH: [u8; 16] = {
    let (name, mut build) = (env!("ENFILADE_BUILD").as_bytes(), [0; 16]);
    build.copy_from_slice(name);
    build
};

/// The source of randomness, of which a page has none. The library of workbooks links it for
/// encrypted files, and none is made here.
#[cfg(feature = "sheets")]
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(
    _: *mut u8,
    _: usize,
) -> Result<(), getrandom::Error> {
    Err(getrandom::Error::UNSUPPORTED)
}

/// The page as a host, with a clock, a way to stop work, and trials stored as long as the module
/// lives.
struct BrowserAnswerHost {
    journal: CellTrialJournal,
}

impl AnswerHost for BrowserAnswerHost {
    fn time_since_epoch(&self) -> Duration {
        Duration::try_from_secs_f64(now() / 1e3).unwrap_or_default()
    }

    fn new_cancel_token(&self) -> CancelToken {
        CancelToken::from_query(|| over() != 0)
    }

    // One for all jobs: equal questions have equal keys, and the next slice of a job goes on from
    // the one before.
    fn open_trial_journal(&self) -> Result<CellTrialJournal, ReportError> {
        Ok(self.journal.clone())
    }
}

thread_local! {
    static SESSION: PageSession = {
        std::panic::set_hook(Box::new(|panic| {
            let said = panic.to_string();
            // SAFETY: the page reads these bytes before it returns.
            unsafe { wrong(said.as_ptr(), said.len()) }
        }));
        let files = Arc::new(MemoryFolder::new("this browser", &[]));
        let page = BrowserAnswerHost { journal: CellTrialJournal::in_memory() };
        let build = BuildId(env!("ENFILADE_BUILD"));
        PageSession::new(AppState::new(&enfilade_games::built_in_catalogue(), files, Box::new(page), build))
    };
    static REQUEST_BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static REPLY_BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static EVENT_BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Reserves the place for a question of this many bytes, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    REQUEST_BUFFER.with_borrow_mut(|sent| {
        sent.clear();
        sent.resize(length, 0);
        sent.as_mut_ptr()
    })
}

/// Answers the question, and returns the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> *const u8 {
    let sent = REQUEST_BUFFER.take();
    let mut lines = sent.splitn(3, |byte| *byte == b'\n');
    let mut word = || std::str::from_utf8(lines.next().unwrap_or_default()).unwrap_or_default();
    let (route, seen) = (word(), word());
    let body = lines.next().unwrap_or_default();
    let (method, path) = route.split_once(' ').unwrap_or_default();
    let replaces = Some(seen).filter(|seen| !["", "*"].contains(seen));
    let call = RouteParamsAndBody {
        replaces,
        unless: (seen == "*").then_some(seen),
        body,
        ..RouteParamsAndBody::default()
    };
    let reply = SESSION.with(|session| session.answer_request(method, path, &call));
    put(&REPLY_BUFFER, [reply.status.as_str().as_bytes(), &reply.body].concat())
}

/// Returns the number of bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    REPLY_BUFFER.with_borrow(Vec::len)
}

/// Writes the progress of the running job, and returns its address. The page calls this from within
/// `over`.
#[unsafe(no_mangle)]
pub extern "C" fn event() -> *const u8 {
    put(&EVENT_BUFFER, SESSION.with(PageSession::job_progress_json))
}

/// Returns the number of bytes of the progress.
#[unsafe(no_mangle)]
pub extern "C" fn event_length() -> usize {
    EVENT_BUFFER.with_borrow(Vec::len)
}

fn put(place: &'static std::thread::LocalKey<RefCell<Vec<u8>>>, bytes: Vec<u8>) -> *const u8 {
    place.with_borrow_mut(|held| {
        *held = bytes;
        held.as_ptr()
    })
}
