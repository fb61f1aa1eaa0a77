//! Pages as text; `tests/it/page` opens them in a browser.

use std::time::SystemTime;

use super::*;
use crate::blocks::PictureFileAndTitle;
use crate::blocks::html::{PAGE_FRAME_HTML, STANDALONE_PAGE_STYLE};
use crate::folder::manifest::InputFileWithRulebooks;
use crate::test_answers;
use enfilade_model::form::Value;
use enfilade_study::experiment::SimulationStopRule;

fn build_facts() -> RunFacts {
    RunFacts {
        command: ["enfilade", "run", "a b.toml"].map(str::to_owned).to_vec(),
        build: enfilade_study::checkpoint::journal::BuildId("a test"),
        input: Some(InputFileWithRulebooks::new("a b.toml", "")),
        started: SystemTime::UNIX_EPOCH,
        duration: std::time::Duration::ZERO,
        identity: None,
    }
}

fn build_experiment() -> ExperimentSpec {
    ExperimentSpec {
        name: "ift-odds".into(),
        question: Some("How often\ndoes a <squad> break?".into()),
        prediction: Some("Often & badly.".into()),
        seed: 7,
        stop: SimulationStopRule::Trials(test_answers::TRIALS),
        cell_count: 0,
        charts: Vec::new(),
        cards: Vec::new(),
        search: None,
        rulebooks: Vec::new(),
    }
}

fn render_page(answers: &[Answer], figures: &[PictureWithContent]) -> String {
    super::render_run_page(
        &build_experiment(),
        answers,
        &build_facts(),
        figures,
        PageEngineAndBestPlay::default(),
        &enfilade_engine::cancel::NEVER_CANCELLED,
    )
}

fn build_figure(contest: usize, number: usize, bytes: usize) -> PictureWithContent {
    PictureWithContent {
        picture: PictureFileAndTitle {
            contest,
            file: format!("charts/{number}-bars.svg"),
            title: format!("chart {number}"),
        },
        svg: format!("<svg width=\"1\"><!--{}--></svg>", "x".repeat(bytes)),
    }
}

#[test]
fn it_says_what_the_summary_says() {
    let mut answers = test_answers::build_grid();
    answers[0].notes.push("unverified <row>".into());
    let html = render_page(&answers, &[]);
    let expected = [
        "<h1>How often does a &lt;squad&gt; break?</h1>",
        "<p class=\"lead\">Killed: from ",
        "Often &amp; badly.",
        "Exact and simulated agree.",
        "N = 1 000 000 trials a cell (seed 7)",
        "<dt>Seed</dt><dd>7</dd>",
        "<dt>Input</dt><dd>a b.toml</dd>",
        "<pre>enfilade run &#39;a b.toml&#39;</pre>",
        "Note (1 of 12 cells): unverified &lt;row&gt;",
        "<td>8.33 <small>8.33 ± 0.05</small></td>",
        env!("CARGO_PKG_VERSION"),
        // From the rulebook of the test answers, which is built in.
        "asl: Fire attacks on the Infantry Fire Table",
    ];
    for text in expected {
        assert!(html.contains(text), "{text}");
    }
    let asl = &test_answers::build_single()[0].system;
    for text in asl.not_modelled.iter().chain(asl.readings.iter()) {
        assert!(html.contains(&format!("<li>{}</li>", escape_xml(text))), "{text}");
    }
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let figures = [build_figure(0, 1, 100)];
    let answers = test_answers::build_grid();
    assert_eq!(render_page(&answers, &figures), render_page(&answers, &figures));
}

#[test]
fn nothing_on_the_page_loads_anything() {
    // Comments name the types of the data by their file; no browser reads it.
    let types =
        |line: &&str| !(line.starts_with("/** @") && line.find("*/") == Some(line.len() - 2));
    let script = PAGE_SCRIPT_TEXT.lines().filter(types).collect::<Vec<_>>().join("\n");
    for text in [PAGE_FRAME_HTML, PAGE_TEMPLATE_HTML, STANDALONE_PAGE_STYLE, &script] {
        for loads in ["://", "src=", "url(", "@import", "import(", "fetch(", "XMLHttp", "</script"]
        {
            let own_end = loads == "</script" && text == PAGE_TEMPLATE_HTML;
            assert!(own_end || !text.contains(loads), "{loads}");
        }
    }
    // Names become text, never markup or code.
    for risky in
        ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function("]
    {
        assert!(!PAGE_SCRIPT_TEXT.contains(risky), "{risky}");
    }
    for inline in [" style=", "onload", "onclick", "oninput", "onerror"] {
        assert!(
            !PAGE_FRAME_HTML.contains(inline) && !PAGE_TEMPLATE_HTML.contains(inline),
            "{inline}"
        );
    }
    assert!(!PAGE_SCRIPT_TEXT.contains("<!--") && !STANDALONE_PAGE_STYLE.contains('<'));
}

#[test]
fn a_page_with_the_engine_allows_its_scripts_and_asks_nobody() {
    let engine = PageEngineScripts { scripts: ["let data = 1;".to_owned(), "start();".to_owned()] };
    let html = super::render_run_page(
        &build_experiment(),
        &build_large_grid(12, 5),
        &build_facts(),
        &[],
        PageEngineAndBestPlay { engine: Some(&engine), ..PageEngineAndBestPlay::default() },
        &enfilade_engine::cancel::NEVER_CANCELLED,
    );
    let policy = html.split("Content-Security-Policy\" content=\"").nth(1).expect("it has one");
    let policy = policy.split('"').next().expect("it ends");
    for script in html.split("<script>").skip(1).filter_map(|rest| rest.split("</script>").next()) {
        assert!(policy.contains(&csp::csp_hash_source(script)), "{script}");
    }
    assert_eq!(policy.matches("sha256-").count(), 4, "a style and three scripts: {policy}");
    assert!(policy.contains("'wasm-unsafe-eval'; worker-src blob:"), "{policy}");
    assert!(
        policy.starts_with("default-src 'none'") && !policy.contains("connect-src"),
        "{policy}"
    );
    let without = render_page(&build_large_grid(12, 5), &[]);
    assert!(!without.contains("wasm") && !without.contains("Worker"));
}

#[test]
fn what_fills_a_slot_is_not_looked_through_again() {
    assert_eq!(fill_template_slots("a{{x}}b{{y}}", &[("x", "{{y}}"), ("y", "1")]), "a{{y}}b1");
}

/// A grid with this number of cells, with long distributions and means.
fn build_large_grid(cells: usize, outcomes: i32) -> Vec<Answer> {
    let cell = |number: usize| {
        let axes = vec![
            ("fp", Value::Int((number / 40) as i64)),
            ("drm", Value::Int((number % 40) as i64)),
        ];
        let mut answer = test_answers::squad_answer_from_36ths(
            axes,
            1 + number as u64 % 17,
            3 + number as u64 % 13,
        );
        answer.cell = number;
        let likely = answer.outcomes[2].clone();
        answer.outcomes = (0..outcomes)
            .map(|i| {
                let mut outcome = likely.clone();
                outcome.values = vec![i / 10, i % 10];
                let chance = f64::from(2 * i + 1) / f64::from(outcomes).powi(2);
                outcome.exact = Some(chance);
                outcome
            })
            .collect();
        answer
    };
    (0..cells).map(cell).collect()
}

#[test]
fn a_page_keeps_to_its_allowance_whatever_is_in_it() {
    let figures: Vec<_> = (0..30).map(|n| build_figure(0, n + 1, 20_000)).collect();
    for (cells, outcomes) in [(1, 3000), (40, 400), (1000, 5), (1000, 100), (6000, 30)] {
        let html = render_page(&build_large_grid(cells, outcomes), &figures);
        assert!(html.len() <= page_size_limit(cells), "{cells}: {}", html.len());
        // The allowance is used up: the charts that are left out would not have fitted.
        assert!(html.contains("More charts"), "{cells}");
        assert!(html.len() + 21_000 > page_size_limit(cells), "{cells}: {}", html.len());
        assert!(html.matches("<figure tabindex").count() >= 1, "{cells}");
        let all =
            html.matches("<figure tabindex").count() + html.matches("<a href=\"charts/").count();
        assert_eq!(all, 30);
    }
    assert_eq!((page_size_limit(1), page_size_limit(1000)), (300_000, 300_000));
    assert_eq!(page_size_limit(100_000), 3_000_000);
}

#[test]
fn a_page_says_what_it_leaves_out() {
    let short = render_page(&build_large_grid(12, 5), &[]);
    assert!(!short.contains("Left out"));
    let long = render_page(&build_large_grid(1000, 100), &[]);
    assert!(long.contains("Each law is shown with its "), "cut laws");
    // No room at all: the last budget, which has one measure of three and no fraction.
    let answers = test_answers::build_exact_only();
    let (cut, data) =
        largest_data_within_limit(&[], &answers, 0, &enfilade_engine::cancel::NEVER_CANCELLED);
    let left_out = size_omission_note(cut, &answers);
    for text in [
        "The laws of the outcomes are in outcomes.csv.",
        "Simulated values are in cells.csv",
        "Only the first 1 measures",
        "Fractions are in outcomes.csv.",
    ] {
        assert!(left_out.contains(text), "{left_out}");
    }
    assert!(data.contains("\"odds\":\"11.11\"") && !data.contains("4/36"), "{data}");
}

#[test]
fn every_rung_of_the_ladder_is_smaller() {
    let mut answers = build_large_grid(50, 100);
    answers.extend(test_answers::build_exact_only().into_iter().map(|mut answer| {
        (answer.contest, answer.cell) = (1, 50);
        answer
    }));
    let sizes = PageDetailLevel::levels_from_full_to_least()
        .map(|cut| csp::json_for_script_element(&page_data::build_page_data(&answers, cut)).len());
    let sizes: Vec<_> = sizes.collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    assert!(sizes[0] > 4 * sizes[sizes.len() - 1], "{sizes:?}");
}

/// Two of the distribution's hundred outcomes are left; the rest have 1 - (199 + 197) / 10 000.
#[test]
fn what_is_rare_is_summed_up() {
    let cut = PageDetailLevel { outcomes: 2, ..PageDetailLevel::COMPLETE_DETAIL };
    let json =
        csp::json_for_script_element(&page_data::build_page_data(&build_large_grid(1, 100), cut));
    assert!(
        json.contains("\"outcomes\":[\"9 squads eliminated, 9 squads broken\",\"9 squads eliminated, 8 squads broken\"]"),
        "{json}"
    );
    assert!(json.contains("\"rarer\":\"98 96.04\""), "{json}");
    // A complete distribution between two incomplete ones.
    let mut answers = build_large_grid(3, 100);
    answers[1].outcomes.truncate(2);
    let json = csp::json_for_script_element(&page_data::build_page_data(&answers, cut));
    assert!(json.contains("\"rarer\":\"98 96.04;0 0;98 96.04\""), "{json}");
}

/// A cell that counts one field fewer than the others keeps its numbers under their names.
#[test]
fn a_field_that_a_cell_does_not_count_is_blank_there() {
    let mut answers = build_large_grid(2, 12);
    answers[0].fields = answers[0].fields[1..].into();
    for outcome in &mut answers[0].outcomes {
        outcome.values.remove(0);
    }
    answers[0].outcomes.truncate(1);
    let json = csp::json_for_script_element(&page_data::build_page_data(
        &answers,
        PageDetailLevel::COMPLETE_DETAIL,
    ));
    // The only outcome of the first cell has no eliminated and no broken; neither have others of
    // the second.
    assert!(json.contains("\"nothing\"") && json.contains("\"9 squads broken\""), "{json}");
}

/// By hand: of 100 outcomes, ten each have 0 to 9 eliminated, with chances (2i + 1) / 10 000 for
/// the i-th; the first ten have (1 + 3 + … + 19) / 10 000 = 1 %, the last ten 1 - 0.9² = 19 %.
#[test]
fn fields_stand_alone_where_laws_are_long() {
    let json = csp::json_for_script_element(&page_data::build_page_data(
        &build_large_grid(1, 100),
        PageDetailLevel::COMPLETE_DETAIL,
    ));
    let alone = "\"alone\":[{\"label\":\"squads eliminated\",\"values\":[\"0\",\"1\",";
    assert!(json.contains(alone), "{json}");
    assert!(json.contains("\"hurts\":true,\"odds\":[\"1.00\",\"3.00\",\"5.00\""), "{json}");
    assert!(json.contains("\"17.00\",\"19.00\"]"), "{json}");
    let short = csp::json_for_script_element(&page_data::build_page_data(
        &test_answers::build_grid(),
        PageDetailLevel::COMPLETE_DETAIL,
    ));
    assert!(!short.contains("\"alone\""), "{short}");
    // Ten eliminated; values from the eleventh on are summed up: 12 values.
    let many = csp::json_for_script_element(&page_data::build_page_data(
        &build_large_grid(1, 200),
        PageDetailLevel::COMPLETE_DETAIL,
    ));
    assert!(many.contains("\"10\",\"11 or more\"]"), "{many}");
}

/// Readers without JavaScript see each show by itself before a long joint law, and after a short
/// one nothing.
#[test]
fn static_laws_of_single_shows_come_first() {
    let html = render_page(&build_large_grid(1, 100), &[]);
    let alone = html.find("squads eliminated alone").expect("each show has a table");
    let joint = html.find("Law of the outcomes").expect("so has the joint law");
    assert!(alone < joint);
    let short = render_page(&build_large_grid(1, 5), &[]);
    assert!(!short.contains(" alone</caption>"), "{short}");
}

#[test]
fn nothing_one_and_odd_answers_make_a_page() {
    for answers in [
        Vec::new(),
        test_answers::build_single(),
        test_answers::build_simulated_only(),
        test_answers::build_exact_only(),
    ] {
        let html = render_page(&answers, &[]);
        assert!(html.ends_with("</html>\n"));
        assert!(html.contains("<h1>How often does a &lt;squad&gt; break?</h1>"));
    }
    let mut open = test_answers::build_single();
    (open[0].unsettled, open[0].unsettled_trials) = (Some(0.5), 12);
    assert!(render_page(&open, &[]).contains("\"unsettled\":\"50.00 12\""));
    let fractions = render_page(&test_answers::build_exact_only(), &[]);
    assert!(fractions.contains("11.11|4/36"), "{fractions}");
}

#[test]
fn contests_beyond_the_room_for_tables_are_counted() {
    let mut answers = Vec::new();
    for contest in 0..400 {
        let mut answer = test_answers::squad_answer_from_36ths(Vec::new(), 4, 12);
        (answer.contest, answer.cell) = (contest, contest);
        answer.name = format!("contest {contest}");
        answers.push(answer);
    }
    let html = render_page(&answers, &[]);
    assert!(html.len() <= page_size_limit(400), "{}", html.len());
    let shown = html.matches("<section class=\"contest\">").count();
    assert!(shown < 400 && html.contains(&format!("{} more contests", 400 - shown)));
    // In the data all of them are included.
    assert_eq!(html.matches("\"title\":\"contest ").count(), 400);
}

/// Best play is a section of the page, and counts for its size.
#[test]
fn best_play_is_a_section_of_the_page() {
    use enfilade_model::combat::{Decision, MeanDirection};
    use enfilade_study::strategy::{BestPlayOfDecision, OneRuleOrRulesByRange, OptionByBound};
    let decision = Decision::new("<raid>", "won", MeanDirection::Highest).with_option("go");
    let strategy = BestPlayOfDecision {
        decision,
        situations: Vec::new(),
        names: Vec::new(),
        description: OneRuleOrRulesByRange::One { variable: 0, rule: OptionByBound::Always(1) },
        simpler: None,
        mean: 0.5,
    };
    let answers = test_answers::build_grid();
    let strategies = vec![vec![strategy]; answers.len()];
    let html = super::render_run_page(
        &build_experiment(),
        &answers,
        &build_facts(),
        &[],
        PageEngineAndBestPlay { strategies: &strategies, ..PageEngineAndBestPlay::default() },
        &enfilade_engine::cancel::NEVER_CANCELLED,
    );
    let (_, section) = html.split_once("<section class=\"play\">").expect("it is there");
    assert!(section.starts_with("\n<h2>Best play</h2>"), "{}", &section[..60]);
    assert_eq!(section.matches("&lt;raid&gt; (for highest won), fp ").count(), 12);
    assert!(html.len() < page_size_limit(answers.len()));
    assert!(!render_page(&answers, &[]).contains("Best play"));
}
