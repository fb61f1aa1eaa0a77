//! A browser for the tests of pages: headless Chromium behind chromedriver, spoken to in the
//! WebDriver protocol. No name resolves in it but this machine itself, so nothing can be loaded
//! from anywhere else.
//!
//! One browser runs at a time; it has its own folder and port, and ends with its test. Where
//! there is no chromedriver (the build script looks) these tests are ignored, but not where `CI` is
//! set.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, mpsc};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tempfile::TempDir;

/// How long a start, a page or a script may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The name under which WebDriver hands out an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Keys as WebDriver writes them.
pub mod key {
    pub const TAB: &str = "\u{e004}";
    pub const ENTER: &str = "\u{e007}";
    pub const LEFT: &str = "\u{e012}";
    pub const RIGHT: &str = "\u{e014}";
    pub const END: &str = "\u{e010}";
}

pub struct Browser {
    driver: Child,
    agent: ureq::Agent,
    session: String,
    _folder: TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Browser {
    /// A browser with nothing in it.
    pub fn start() -> Browser {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
        let (driver, port) = driver();
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false);
        let mut browser = Browser {
            driver,
            agent: config.build().into(),
            session: format!("http://127.0.0.1:{port}/session"),
            _folder: TempDir::new().expect("a temporary folder"),
            _turn: turn,
        };
        let session = browser.post("", &capabilities(browser._folder.path()));
        let id = session["sessionId"].as_str().expect("a session has an id");
        browser.session = format!("{}/{id}", browser.session);
        // Away from the page a browser starts with.
        browser.post("/url", &json!({"url": "about:blank"}));
        browser.log("browser");
        browser
    }

    fn post(&self, what: &str, body: &Json) -> Json {
        let sent = self.agent.post(format!("{}{what}", self.session)).send_json(body);
        let answer = sent.expect("the driver answers");
        let body = answer.into_body().into_with_config().limit(100 << 20);
        let answer: Json = body.read_json().expect("the driver speaks JSON");
        assert!(answer["value"]["error"].is_null(), "{what}: {answer}");
        answer["value"].clone()
    }

    /// The window that is looked at.
    #[cfg(feature = "studio")]
    pub fn window(&self) -> String {
        let answer = self.agent.get(format!("{}/window", self.session)).call();
        let answer: Json =
            answer.expect("the driver answers").into_body().read_json().expect("it is JSON");
        answer["value"].as_str().expect("a name").to_owned()
    }

    /// Opens another window beside it, which is looked at from now on.
    #[cfg(feature = "studio")]
    pub fn beside(&self) -> String {
        let made = self.post("/window/new", &json!({"type": "tab"}));
        let name = made["handle"].as_str().expect("a name").to_owned();
        self.look(&name);
        name
    }

    /// Looks at a window.
    #[cfg(feature = "studio")]
    pub fn look(&self, window: &str) {
        self.post("/window", &json!({"handle": window}));
    }

    /// Opens a file.
    pub fn open(&self, path: &Path) {
        self.post("/url", &json!({"url": format!("file://{}", path.display())}));
    }

    /// Opens an address of this machine.
    #[cfg(feature = "studio")]
    pub fn visit(&self, address: &str) {
        self.post("/url", &json!({"url": address}));
    }

    /// Waits until a script returns something, and says what; a script that never does fails the
    /// test.
    #[cfg(feature = "studio")]
    pub fn wait(&self, what: &str, script: &str) -> Json {
        let look = format!(
            "const holds = () => {{ {script} }}; const begun = Date.now();
             return new Promise((done) => {{
                 const look = () => {{
                     let found = null;
                     try {{ found = holds(); }} catch {{ /* not yet there */ }}
                     if (found || Date.now() - begun > 60000) done(found || null);
                     else setTimeout(look, 20);
                 }};
                 look();
             }});"
        );
        let found = self.run(&look, json!([]));
        assert!(!found.is_null(), "{what}: {}", self.text("body"));
        found
    }

    /// What a script returns; `arguments` are its arguments, and a promise is waited for.
    pub fn run(&self, script: &str, arguments: Json) -> Json {
        self.post("/execute/sync", &json!({"script": script, "args": arguments}))
    }

    /// The text a reader sees in the first element that matches.
    pub fn text(&self, css: &str) -> String {
        let script = "return document.querySelector(arguments[0]).innerText.trim()";
        let text = self.run(script, json!([css]));
        text.as_str().expect("a text").to_owned()
    }

    /// The texts of all elements that match.
    pub fn texts(&self, css: &str) -> Vec<String> {
        let script =
            "return [...document.querySelectorAll(arguments[0])].map((e) => e.innerText.trim())";
        serde_json::from_value(self.run(script, json!([css]))).expect("texts")
    }

    fn element(&self, css: &str) -> String {
        let found = self.post("/element", &json!({"using": "css selector", "value": css}));
        found[ELEMENT].as_str().expect("an element").to_owned()
    }

    /// Types into an element, which gets the focus.
    pub fn type_into(&self, css: &str, keys: &str) {
        let element = self.element(css);
        self.post(&format!("/element/{element}/value"), &json!({"text": keys}));
    }

    /// Presses one key wherever the focus is.
    pub fn press(&self, key: &str) {
        let actions = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": actions});
        self.post("/actions", &json!({"actions": [keyboard]}));
    }

    /// A command of the developer tools.
    pub fn tool(&self, command: &str, parameters: Json) -> Json {
        self.post("/goog/cdp/execute", &json!({"cmd": command, "params": parameters}))
    }

    /// Everything written to a log since the last time: `browser` or `performance`.
    pub fn log(&self, kind: &str) -> Vec<Json> {
        let log = self.post("/se/log", &json!({"type": kind}));
        log.as_array().expect("a log is a list").clone()
    }

    /// The addresses of everything that pages, other than those of the browser itself, asked for
    /// since the last time.
    pub fn requests(&self) -> Vec<String> {
        let asked = self.log("performance").into_iter().filter_map(|entry| {
            let event: Json = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let event = &event["message"];
            let is_request = event["method"] == "Network.requestWillBeSent";
            let own = event["params"]["documentURL"].as_str()?.starts_with("chrome:");
            let url = event["params"]["request"]["url"].as_str()?;
            (is_request && !own && url != "about:blank").then(|| url.to_owned())
        });
        asked.collect()
    }

    /// The page as a PDF, in base64.
    pub fn print(&self) -> String {
        let printed = self.post("/print", &json!({}));
        printed.as_str().expect("base64").to_owned()
    }

    /// What is seen now, as colours: how many different ones, and the commonest as red, green,
    /// blue and its share of the picture. The page is left for it.
    pub fn colours(&self) -> Colours {
        let shot = self.tool("Page.captureScreenshot", json!({"format": "png"}));
        self.post("/url", &json!({"url": "about:blank"}));
        let counted = self.run(COUNT_COLOURS, json!([shot["data"]]));
        let number = |i: usize| counted[i].as_f64().expect("a number");
        Colours {
            different: number(0) as usize,
            commonest: [1, 2, 3].map(|i| number(i) as u8),
            share: number(4),
        }
    }
}

/// The colours of a picture.
#[derive(Debug)]
pub struct Colours {
    pub different: usize,
    pub commonest: [u8; 3],
    pub share: f64,
}

const COUNT_COLOURS: &str = "
    const picture = new Image();
    picture.src = 'data:image/png;base64,' + arguments[0];
    return picture.decode().then(() => {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [picture.width, picture.height];
        const context = canvas.getContext('2d');
        context.drawImage(picture, 0, 0);
        const bytes = context.getImageData(0, 0, canvas.width, canvas.height).data;
        const counts = new Map();
        for (let i = 0; i < bytes.length; i += 4) {
            const colour = bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2];
            counts.set(colour, (counts.get(colour) || 0) + 1);
        }
        const [colour, count] = [...counts].sort((a, b) => b[1] - a[1])[0];
        return [counts.size, colour >> 16, colour >> 8 & 255, colour & 255, 4 * count / bytes.length];
    });";

impl Drop for Browser {
    fn drop(&mut self) {
        // Ends the browser; the driver alone would leave it running.
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// A driver that is ready, and the port it chose. It takes any free port for IPv4 and the same for
/// IPv6 without a second try; where something else was given that one meanwhile it ends, and
/// another is started.
fn driver() -> (Child, u16) {
    let mut said = String::new();
    for _ in 0..10 {
        let driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut driver = driver.expect("chromedriver starts");
        match port(&mut driver) {
            Ok(port) => return (driver, port),
            Err(lines) => said = lines,
        }
        let _ = driver.kill();
        let _ = driver.wait();
    }
    panic!("chromedriver does not become ready: {said}")
}

/// The port the driver chose, once it is ready.
///
/// # Errors
///
/// What it said instead.
fn port(driver: &mut Child) -> Result<u16, String> {
    let lines = BufReader::new(driver.stdout.take().expect("it is piped")).lines();
    let (send, receive) = mpsc::channel();
    // Goes on reading, so that the driver never waits for a reader.
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    let deadline = Instant::now() + PATIENCE;
    let mut said = String::new();
    while let Ok(line) = receive.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        let (_, port) = line.rsplit_once("successfully on port ").unwrap_or_default();
        match port.trim_end_matches('.').parse() {
            Ok(port) => return Ok(port),
            Err(_) => said = said + &line + "\n",
        }
    }
    Err(said)
}

fn capabilities(folder: &Path) -> Json {
    let arguments = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-extensions",
        "--hide-scrollbars",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--window-size=1300,1000",
    ];
    let mut arguments: Vec<_> = arguments.map(str::to_owned).to_vec();
    arguments.push(format!("--user-data-dir={}", folder.display()));
    json!({"capabilities": {"alwaysMatch": {
        "goog:chromeOptions": {"args": arguments},
        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        "unhandledPromptBehavior": "ignore",
        "timeouts": {"script": 100_000, "pageLoad": 100_000},
    }}})
}
