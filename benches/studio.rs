//! From a key to the answer: `cargo bench --bench studio`.
//!
//! A studio on loopback is asked what its page asks when somebody types: every ready question of
//! every action, with one of its numbers changed from key to key. Times are those of the clock,
//! from the request to the whole answer. The 12 ms for which the page waits for another key are not
//! in them.
//!
//! Then every ready question is asked *make it …*: its first measure a little higher, by single
//! numbers and by pairs. The goal is 100 ms for one number and 300 ms with pairs.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use enfilade::cancel::CancelToken;
use enfilade::catalogue::Catalogue;
use enfilade::report::forms_json::{self, SampleQuestionAndFileText};
use enfilade::studio::{Studio, StudioOptions};
use enfilade::study::file::edit;
use enfilade::study::file::source_document::TomlDocumentWithPositions;
use enfilade::systems;
use serde_json::{Map, Value as Json, json};

/// Keys to each question.
const KEYS: usize = 12;

fn main() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let catalogue = systems::built_in_catalogue();
    let studio = Studio::open_with_catalogue(&catalogue, &terms(folder.path())).expect("it opens");
    let page = Page::of(&studio.url_with_token());
    let halt = Arc::new(CancelToken::new());
    let asked = Arc::clone(&halt);
    let server = std::thread::spawn(move || studio.serve_until_idle(&asked));
    println!("| action | questions | keys | median, ms | worst, ms | too long |");
    println!("|---|--:|--:|--:|--:|--:|");
    let mut all = Keys::default();
    for (name, files) in actions(&catalogue) {
        let mut own = Keys::default();
        files.iter().for_each(|file| own.typed(&page, file));
        println!("| {name} | {} | {own} |", files.len());
        all.add(own);
    }
    println!("| all | | {all} |");
    println!("\n95 of 100 keys within {:.1} ms, 99 within {:.1} ms", all.at(0.95), all.at(0.99));
    println!("\n| make it … | questions | median, ms | 9 of 10, ms | worst, ms | cut |");
    println!("|---|--:|--:|--:|--:|--:|");
    for patient in [false, true] {
        let mut own = Keys::default();
        let files = actions(&catalogue);
        files.iter().flat_map(|(_, files)| files).for_each(|file| own.wanted(&page, file, patient));
        let what = if patient { "to the end" } else { "as it is typed" };
        let (count, tenth) = (own.times.len(), own.at(0.9));
        println!(
            "| {what} | {count} | {:.1} | {tenth:.1} | {:.1} | {} |",
            own.at(0.5),
            own.at(1.0),
            own.slow
        );
    }
    halt.cancel();
    server.join().expect("it ends").expect("it served");
}

/// As the program starts it.
fn terms(folder: &Path) -> StudioOptions {
    let budget = Duration::from_millis(250);
    let (folder, threads) = (folder.to_owned(), Some(2));
    StudioOptions { folder, port: 0, budget, patient_budget: budget, threads, idle_limit: None }
}

/// Every action with the files of its ready questions.
fn actions(catalogue: &Catalogue) -> Vec<(String, Vec<String>)> {
    let systems = catalogue.rulebooks_created_on_demand();
    let all = systems.flat_map(|system| system.actions.iter().map(move |action| (system, action)));
    let files = |questions: Vec<SampleQuestionAndFileText>| {
        questions.into_iter().map(|question| question.file).collect()
    };
    all.map(|(system, action)| {
        let name = format!("{} {}", system.id, action.name);
        (name, files(forms_json::sample_questions(system, action)))
    })
    .collect()
}

/// The page that asks.
struct Page {
    agent: ureq::Agent,
    origin: String,
    token: String,
    number: std::cell::Cell<u64>,
}

impl Page {
    fn of(address: &str) -> Page {
        let (origin, token) = address.split_once("/#t=").expect("it has a secret");
        let (origin, token) = (origin.to_owned(), format!("Bearer {token}"));
        Page { agent: ureq::agent(), origin, token, number: std::cell::Cell::new(0) }
    }

    fn odds(&self, file: &str, form: &Map<String, Json>) -> Json {
        self.ask("odds", json!({ "text": file, "form": form }))
    }

    fn ask(&self, what: &str, mut body: Json) -> Json {
        self.number.set(self.number.get() + 1);
        body["page"] = "bench".into();
        body["number"] = self.number.get().into();
        let request = self.agent.post(format!("{}/api/{what}", self.origin));
        let request = request.header("Authorization", &self.token).header("Origin", &self.origin);
        let request = request.header("Content-Type", "application/json");
        let reply = request.send(body.to_string()).expect("it answers");
        reply.into_body().read_json().expect("it speaks JSON")
    }
}

/// Times of keys in milliseconds, in order, and how many were not answered in their time.
#[derive(Default)]
struct Keys {
    times: Vec<f64>,
    slow: usize,
}

impl Keys {
    /// A question, with one number changed from key to key; a number that is no answer's is no
    /// key's.
    fn typed(&mut self, page: &Page, file: &str) {
        let document = TomlDocumentWithPositions::parse_toml(file).expect("it is TOML");
        let form = edit::contest_parameters_as_json(
            document.table["contest"][0].as_table().expect("a contest"),
        );
        let number = form.iter().find_map(|(key, value)| Some((key.clone(), value.as_i64()?)));
        for key in 0..KEYS {
            let mut changed = form.clone();
            if let Some((name, value)) = &number {
                let step = (key as i64 + 1) / 2 * if key % 2 == 0 { 1 } else { -1 };
                changed.insert(name.clone(), (value + step).into());
            }
            let begun = Instant::now();
            let reply = page.odds(file, &changed);
            let taken = begun.elapsed().as_secs_f64() * 1e3;
            if reply["faults"].is_null() {
                self.times.push(taken);
                self.slow += usize::from(reply["slow"] == true);
            }
        }
        self.times.sort_by(f64::total_cmp);
    }

    /// Asks for a higher first measure; a question without a number to change is none.
    fn wanted(&mut self, page: &Page, file: &str, patient: bool) {
        let told = page.ask("odds", json!({ "text": file }));
        let measures = told["told"]["measures"].as_array().cloned().unwrap_or_default();
        let Some(first) = measures.iter().find(|measure| measure["value"].is_number()) else {
            return;
        };
        let (name, value) = (&first["name"], first["value"].as_f64().unwrap_or_default());
        let want = match first["share"] == true {
            true => format!(
                "{} = {:.0} % ± 2 %",
                name.as_str().unwrap_or_default(),
                (100.0 * value + 7.0).min(95.0)
            ),
            false => format!("{} = {:.3} ± 0.1", name.as_str().unwrap_or_default(), 1.15 * value),
        };
        let begun = Instant::now();
        let reply = page.ask("wanted", json!({ "text": file, "want": want, "patient": patient }));
        let taken = begun.elapsed().as_secs_f64() * 1e3;
        if reply["faults"].is_null() {
            self.times.push(taken);
            self.slow += usize::from(reply["cut"] == true);
        }
        self.times.sort_by(f64::total_cmp);
    }

    fn add(&mut self, other: Keys) {
        self.times.extend(other.times);
        self.times.sort_by(f64::total_cmp);
        self.slow += other.slow;
    }

    fn at(&self, share: f64) -> f64 {
        let place = (self.times.len() as f64 * share) as usize;
        self.times.get(place.min(self.times.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    }
}

impl std::fmt::Display for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (count, median, worst) = (self.times.len(), self.at(0.5), self.at(1.0));
        write!(f, "{count} | {median:.1} | {worst:.1} | {}", self.slow)
    }
}
