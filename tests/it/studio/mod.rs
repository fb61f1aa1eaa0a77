//! The studio: a real server on loopback, asked through real sockets and by a real browser.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use enfilade::cancel::CancelToken;
use enfilade::studio::{PATIENT_TIME_LIMIT, Studio, StudioOptions};
use serde_json::Value as Json;
use tempfile::TempDir;

mod access;
mod answers;
mod asked_often;
mod best_play;
mod browser;
mod crowd;
mod designer;
mod editor;
mod first;
mod form;
mod guard;
mod library;
mod lines;
mod links;
mod page;
mod papers;
mod pasted;
mod rulebooks;
mod sheets;
mod tabs;
mod trust;
mod workbooks;

/// A file with a remark, as people have them.
const FIRE: &str = "# mine\n[[contest]]\nsystem = \"asl\"\naction = \"fire\"\nfp = 8 # two squads\n\
    drm = -1\ntarget = { kind = \"squad\", morale = 7 }\n";

/// A studio over a folder of its own; it ends with its test.
pub struct Served {
    pub folder: Arc<TempDir>,
    pub port: u16,
    pub token: String,
    halt: Arc<CancelToken>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub fn with(files: &[(&str, &str)]) -> Served {
        // Tests run unoptimised and beside each other.
        Served::within(files, Duration::from_secs(20))
    }

    pub fn within(files: &[(&str, &str)], budget: Duration) -> Served {
        Served::at(0, files, budget)
    }

    /// On this port: the place of one that ended.
    pub fn at(port: u16, files: &[(&str, &str)], budget: Duration) -> Served {
        let folder = TempDir::new().expect("a temporary folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        Served::over(Arc::new(folder), port, budget)
    }

    /// Another studio over the same folder: at another port, as when it is started again.
    pub fn again(&self) -> Served {
        Served::over(Arc::clone(&self.folder), 0, Duration::from_secs(20))
    }

    fn over(folder: Arc<TempDir>, port: u16, budget: Duration) -> Served {
        let (folder_of, threads) = (folder.path().to_owned(), Some(2));
        let terms = StudioOptions {
            folder: folder_of,
            port,
            budget,
            patient_budget: budget.max(PATIENT_TIME_LIMIT),
            threads,
            idle_limit: None,
        };
        let studio = Studio::open_with_catalogue(crate::built_in(), &terms).expect("it opens");
        let address = studio.url_with_token();
        let (_, rest) = address.split_once("127.0.0.1:").expect("it is on loopback");
        let (port, token) = rest.split_once("/#t=").expect("it has a secret");
        let (port, token) = (port.parse().expect("a port"), token.to_owned());
        let halt = Arc::new(CancelToken::new());
        let asked = Arc::clone(&halt);
        let thread =
            std::thread::spawn(move || studio.serve_until_idle(&asked).expect("it serves"));
        Served { folder, port, token, halt, thread: Some(thread) }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn socket(&self) -> TcpStream {
        let socket = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        socket.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
        socket
    }

    /// What is answered to these bytes.
    pub fn raw(&self, request: &[u8]) -> Reply {
        let mut socket = self.socket();
        // A server that refuses early closes before it has read everything.
        let _ = socket.write_all(request);
        Reply::read(&mut socket)
    }

    /// A request as the page makes it, with changes: of several headers of a name the last counts,
    /// one without a value is left out.
    pub fn ask(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        self.raw(&self.request(line, headers, body))
    }

    /// A question that was sent: its answer comes on the socket.
    pub fn send(&self, path: &str, body: &Json) -> TcpStream {
        let mut socket = self.socket();
        let request = self.request(&format!("POST {path}"), &[], &body.to_string());
        socket.write_all(&request).expect("it is sent");
        socket
    }

    /// A question that was sent after the server has begun to read it: it says so in a line before
    /// the body.
    pub fn send_heard(&self, path: &str, body: &Json) -> TcpStream {
        let (mut socket, body) = (self.socket(), body.to_string());
        let request = self.request(&format!("POST {path}"), &[("Expect", "100-continue")], &body);
        let (head, body) = request.split_at(request.len() - body.len());
        socket.write_all(head).expect("it is sent");
        let mut line = [0; b"HTTP/1.1 100 Continue\r\n\r\n".len()];
        socket.read_exact(&mut line).expect("it answers");
        assert_eq!(&line, b"HTTP/1.1 100 Continue\r\n\r\n");
        socket.write_all(body).expect("it is sent");
        socket
    }

    fn request(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
        let own = [
            ("Host", format!("127.0.0.1:{}", self.port)),
            ("Connection", "close".to_owned()),
            ("Authorization", format!("Bearer {}", self.token)),
            ("Origin", self.origin()),
            ("Content-Type", "application/json".to_owned()),
            ("Content-Length", body.len().to_string()),
        ];
        let mut all: Vec<(String, String)> =
            own.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        for (name, value) in headers {
            all.retain(|(known, _)| known != name);
            if !value.is_empty() {
                all.push(((*name).to_owned(), (*value).to_owned()));
            }
        }
        let head: String = all.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!("{line} HTTP/1.1\r\n{head}\r\n{body}").into_bytes()
    }

    pub fn get(&self, path: &str) -> Json {
        let reply = self.ask(&format!("GET {path}"), &[], "");
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        reply.json()
    }

    pub fn post(&self, path: &str, body: &Json) -> Reply {
        self.ask(&format!("POST {path}"), &[], &body.to_string())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.halt.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What a server answered; status 0 where it closed without a word.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    fn read(socket: &mut TcpStream) -> Reply {
        let mut bytes = Vec::new();
        let _ = socket.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Reply { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    pub fn json(&self) -> Json {
        serde_json::from_str(&self.body).unwrap_or_else(|why| panic!("{why}: {}", self.body))
    }
}
