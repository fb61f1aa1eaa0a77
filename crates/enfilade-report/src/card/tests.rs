//! Cards of answers whose distribution is computed by hand.

use std::sync::Arc;

use super::card_model::{CardLine, CardTable, LineEmphasis};
use super::*;
use crate::blocks::WIDTHLESS_BLOCK_FORMATS;
use crate::test_answers;
use enfilade_model::catalogue::System;
use enfilade_model::form::Value;
use enfilade_study::experiment::{
    CardLineSpec, CardLineValue, CardRowOrColumnAxis, CardSpec, OutcomeFieldMinimum,
    SimulationStopRule,
};

fn build_experiment(cards: Vec<CardSpec>) -> ExperimentSpec {
    ExperimentSpec {
        name: "x".into(),
        question: None,
        prediction: None,
        seed: 7,
        stop: SimulationStopRule::Trials(test_answers::TRIALS),
        cell_count: 0,
        charts: Vec::new(),
        cards,
        search: None,
        rulebooks: Vec::new(),
    }
}

fn build_card(spec: CardSpec, answers: &[Answer]) -> ReferenceCard {
    let mut cards = build_cards(&build_experiment(vec![spec]), answers);
    assert_eq!(cards.len(), 1);
    cards.remove(0)
}

fn texts_of_line(line: &CardLine) -> Vec<&str> {
    line.cells.iter().map(|cell| cell.as_ref().map_or("", |cell| cell.text.as_str())).collect()
}

fn build_band(label: &str, field: &str, least: i32) -> CardLineSpec {
    CardLineSpec {
        label: label.into(),
        shows: CardLineValue::Band(vec![OutcomeFieldMinimum { field: field.into(), least }]),
    }
}

/// Fire at 1 and modifier −1: eliminated in 2 of 36 cases, broken in 8. In percent 5.6, 22.2 and
/// 72.2 are left: 5, 22, 72, and the hundredth that is missing goes to the largest remainder.
#[test]
fn without_a_word_a_grid_becomes_a_stack() {
    let cards = build_cards(&build_experiment(Vec::new()), &test_answers::build_grid());
    let [card] = &cards[..] else { panic!("one card") };
    assert_eq!(card.title, "asl fire: one fire attack on one Location");
    let [table] = &card.tables[..] else { panic!("one table") };
    assert_eq!((table.stubs.as_slice(), table.across.as_str()), (&["FP".to_owned()][..], "DRM"));
    assert_eq!(table.columns, ["−1", "+1", "+3"]);
    assert_eq!(table.subtitle, "2d6, low is good · DRM −1 to +3 · FP 1 to 8");
    let heads: Vec<_> = table.rows.iter().map(|row| row.heads[0].as_str()).collect();
    assert_eq!(heads, ["1", "2", "4", "8"]);
    let first = &table.rows[0].lines;
    let labels: Vec<_> = first.iter().map(|line| line.label.as_str()).collect();
    assert_eq!(labels, ["kill", "break", "no effect"]);
    let tones: Vec<_> = first.iter().map(|line| line.tone).collect();
    assert_eq!(tones, [LineEmphasis::Strong, LineEmphasis::Plain, LineEmphasis::Faint]);
    // At −1 as above; at +1 kill 1, break 7, rest 28 of 36: 2.8, 19.4, 77.8; at +3 kill 0, break
    // 6, rest 30 of 36: 0, 16.7, 83.3.
    assert_eq!(texts_of_line(&first[0]), ["6", "3", "–"]);
    assert_eq!(texts_of_line(&first[1]), ["22", "19", "17"]);
    assert_eq!(texts_of_line(&first[2]), ["72", "78", "83"]);
}

#[test]
fn equal_chances_print_equal_and_stacks_nearly_add_up() {
    let mut printed = std::collections::BTreeMap::new();
    for card in build_cards(&build_experiment(Vec::new()), &test_answers::build_grid()) {
        for row in card.tables.iter().flat_map(|table| &table.rows) {
            for column in 0..3 {
                let cells = row.lines.iter().map(|line| texts_of_line(line)[column].to_owned());
                let sum: u32 = cells.map(|cell| cell.parse().unwrap_or(0)).sum();
                assert!((99..=101).contains(&sum), "{} {column}: {sum}", row.heads[0]);
                for cell in row.lines.iter().filter_map(|line| line.cells[column].as_ref()) {
                    // The chances of the test answers are n/36.
                    let known = printed.entry((36.0 * cell.value).round() as i64);
                    assert_eq!(*known.or_insert(cell.text.clone()), cell.text);
                }
            }
        }
    }
}

#[test]
fn rows_and_columns_are_what_the_file_says() {
    let side = |path: &str| Some(CardRowOrColumnAxis::Axis(path.into()));
    let spec = CardSpec {
        rows: side("drm"),
        columns: side("fp"),
        row_title: Some("Modifier".into()),
        ..CardSpec::default()
    };
    let table = build_card(spec, &test_answers::build_grid()).tables.remove(0);
    assert_eq!((table.columns.len(), table.rows.len()), (4, 3));
    assert_eq!((table.stubs[0].as_str(), table.across.as_str()), ("Modifier", "FP"));
    assert_eq!(table.rows[2].heads, ["+3"]);
    assert_eq!(texts_of_line(&table.rows[2].lines[0])[0], "–");
    let spec = CardSpec {
        rows: side("fp"),
        columns: Some(CardRowOrColumnAxis::Results),
        ..CardSpec::default()
    };
    let card = build_card(spec, &test_answers::build_grid());
    let places: Vec<_> = card.tables.iter().map(|table| table.place.as_str()).collect();
    assert_eq!(places, ["DRM −1", "DRM +1", "DRM +3"]);
    assert_eq!(card.tables[0].columns, ["kill", "break", "no effect"]);
    assert_eq!(texts_of_line(&card.tables[0].rows[0].lines[0]), ["6", "22", "72"]);
    assert!(!card.tables[0].has_labels);
    let spec = CardSpec {
        rows: Some(CardRowOrColumnAxis::Results),
        columns: side("drm"),
        ..CardSpec::default()
    };
    let card = build_card(spec, &test_answers::build_grid());
    assert_eq!(card.tables.len(), 4);
    assert_eq!(card.tables[0].rows[1].heads, ["break"]);
    assert_eq!(texts_of_line(&card.tables[0].rows[1].lines[0]), ["22", "19", "17"]);
}

#[test]
fn contests_without_axes_stand_below_each_other() {
    let mut answers: Vec<_> =
        [4, 9].map(|kill| test_answers::squad_answer_from_36ths(Vec::new(), kill, 12)).into();
    answers[1].contest = 1;
    answers[1].name = "from behind".into();
    let cards = build_cards(&build_experiment(Vec::new()), &answers);
    let [card] = &cards[..] else { panic!("one card") };
    let table = &card.tables[0];
    assert_eq!(table.columns, ["kill", "break", "no effect"]);
    assert_eq!(table.rows[1].heads, ["from behind"]);
    // 9, 12 and 15 of 36.
    assert_eq!(texts_of_line(&table.rows[1].lines[0]), ["25", "33", "42"]);
}

#[test]
fn contests_of_different_reach_leave_blanks() {
    let at = |contest: usize, name: &str, range: i64| {
        let mut answer =
            test_answers::squad_answer_from_36ths(vec![("range", Value::Int(range))], 9, 9);
        (answer.contest, answer.name) = (contest, name.into());
        answer
    };
    let answers = [at(0, "HMG", 4), at(0, "HMG", 16), at(1, "LMG", 4), at(1, "LMG", 8)];
    let spec = CardSpec { rows: Some(CardRowOrColumnAxis::Contests), ..CardSpec::default() };
    let card = build_card(spec, &answers);
    let table = &card.tables[0];
    assert_eq!(table.columns, ["4", "8", "16"]);
    assert_eq!(texts_of_line(&table.rows[0].lines[0]), ["25", "", "25"]);
    assert_eq!(texts_of_line(&table.rows[1].lines[0]), ["25", "25", ""]);
    let numbers = card.legend.iter().find(|entry| entry.term == "Numbers");
    assert!(numbers.is_some_and(|entry| entry.text.contains("Blank: not on the grid")));
}

/// The first band takes an outcome; a band that needs more comes first.
#[test]
fn bands_take_outcomes_from_the_top() {
    let mut answer = test_answers::squad_answer_from_36ths(Vec::new(), 4, 12);
    // Half of the broken cases break two units.
    answer.outcomes[1].values[1] = 2;
    let spec = CardSpec {
        lines: vec![build_band("2 break", "broken", 2), build_band("breaks", "broken", 1)],
        rest: Some("else".into()),
        ..CardSpec::default()
    };
    let card = build_card(spec, &[answer]);
    // 12, 0 and 24 of 36.
    //
    // Every broken unit breaks together with another, and is counted there.
    assert_eq!(texts_of_line(&card.tables[0].rows[0].lines[0]), ["33", "·", "67"]);
    assert_eq!(card.tables[0].columns, ["2 break", "breaks", "else"]);
    assert_eq!(card.legend[0].text, "squads broken, 2 or more (A7.301, A10.3)");
}

#[test]
fn what_has_not_settled_is_part_of_the_stack() {
    let mut answer = test_answers::squad_answer_from_36ths(Vec::new(), 9, 9);
    answer.outcomes[0].exact = Some(9.0 / 36.0);
    answer.unsettled = Some(9.0 / 36.0);
    let card = build_card(CardSpec::default(), &[answer]);
    assert_eq!(card.tables[0].columns, ["kill", "break", "no effect", "not settled"]);
    assert_eq!(texts_of_line(&card.tables[0].rows[0].lines[0]), ["25", "25", "25", "25"]);
    assert_eq!(card.legend[2].text, "none of these");
    assert!(card.legend[3].text.contains("after the last round"));
}

#[test]
fn measures_keep_their_kind() {
    let measure = |name: &str| CardLineSpec {
        label: name.into(),
        shows: CardLineValue::Measure(name.into()),
    };
    let spec =
        CardSpec { lines: ["p_kill", "e_losses"].map(measure).into(), ..CardSpec::default() };
    let table: CardTable = build_card(spec, &test_answers::build_grid()).tables.remove(0);
    // 8 of 36 at fire 8 and −1: 22.2 %, and a mean of 0.22.
    let last = &table.rows[3].lines;
    assert_eq!((texts_of_line(&last[0])[0], texts_of_line(&last[1])[0]), ("22", "0.22"));
    let cell = last[0].cells[0].as_ref().expect("it is on the grid");
    assert!(cell.exact && cell.percent && (cell.value - 8.0 / 36.0).abs() < 1e-12);
    let (low, high) = cell.interval.expect("it was simulated");
    assert!(low < cell.value && cell.value < high);
}

/// A rulebook from a file has its own measures on a card, whatever their kind.
#[test]
fn own_measures_are_on_the_card_of_a_file() {
    let mut answer = test_answers::squad_answer_from_36ths(Vec::new(), 9, 9);
    let own = System { built_in: false, ..(*answer.system).clone() };
    answer.system = Arc::new(own);
    let columns = |answer: &Answer| {
        build_card(CardSpec::default(), std::slice::from_ref(answer)).tables.remove(0).columns
    };
    // The stack says the chances, and the mean follows it.
    assert_eq!(columns(&answer), ["kill", "break", "no effect", "squads lost on average"]);
    answer.fields = Arc::new([]);
    answer.outcomes.iter_mut().for_each(|outcome| outcome.values.clear());
    assert_eq!(columns(&answer), ["killed", "any break", "squads lost on average"]);
}

#[test]
fn only_an_exact_law_knows_the_impossible() {
    let mut answer = test_answers::build_simulated_only().remove(0);
    answer.outcomes.pop();
    answer.outcomes[0].count = Some(2000);
    answer.outcomes[1].count = Some(0);
    let card = build_card(CardSpec::default(), &[answer]);
    let cells = texts_of_line(&card.tables[0].rows[0].lines[0]).join(" ");
    // 3 in 2000 are 0.15 %.
    assert!(!cells.contains('–') && cells.contains("<0.2") && cells.contains(">99.8"), "{cells}");
    let numbers = card.legend.iter().find(|entry| entry.term == "Numbers").expect("it is there");
    assert!(numbers.text.contains("seen in none of 2 000 trials"), "{}", numbers.text);
    let said = card.footer.join(" ");
    assert!(said.contains("Simulated values (N = 2 000 a cell, seed 7); 95 % intervals"), "{said}");
}

#[test]
fn the_footer_says_how_it_was_made() {
    let said = |answers: &[Answer]| build_card(CardSpec::default(), answers).footer.join(" ");
    let version = format!("enfilade {}.", env!("CARGO_PKG_VERSION"));
    let date = &test_answers::build_grid()[0].system.data_date;
    let expected = format!(
        "{version} Exact values; a simulation agrees (N = 1 000 000 a cell, seed 7). Rules data of {date} (asl)."
    );
    assert_eq!(said(&test_answers::build_grid()), expected);
    assert!(
        said(&test_answers::build_exact_only())
            .contains("Exact values; nothing was simulated (seed 7).")
    );
    let mut answers = test_answers::build_grid();
    let undated = System { data_date: "".into(), ..(*answers[0].system).clone() };
    for answer in &mut answers {
        answer.system = Arc::new(undated.clone());
    }
    assert!(said(&answers).ends_with("(N = 1 000 000 a cell, seed 7)."));
    let mut answers = test_answers::build_grid();
    answers[3].agrees = Some(false);
    assert!(said(&answers).contains("a simulation DISAGREES in 1 of 12 cells"));
}

#[test]
fn notes_stand_where_they_belong() {
    let mut answers = test_answers::build_grid();
    for answer in &mut answers {
        answer.notes.push("about all".into());
    }
    answers[0].notes.push("about one".into());
    for answer in &mut answers[3..6] {
        answer.notes.push("about a row".into());
    }
    let card = build_card(CardSpec::default(), &answers);
    let rows = &card.tables[0].rows;
    assert_eq!(texts_of_line(&rows[0].lines[0]), ["6*", "3", "–"]);
    assert_eq!(texts_of_line(&rows[0].lines[1])[0], "22");
    assert_eq!((rows[0].heads[0].as_str(), rows[1].heads[0].as_str()), ("1", "2†"));
    let said = |term: &str| {
        card.legend.iter().find(|entry| entry.term == term).map(|entry| entry.text.as_str())
    };
    assert_eq!(said("Note"), Some("about all"));
    assert_eq!((said("*"), said("†")), (Some("about one"), Some("about a row")));
}

#[test]
fn the_legend_has_rule_references() {
    let card = build_card(CardSpec::default(), &test_answers::build_grid());
    let said = |term: &str| {
        card.legend.iter().find(|entry| entry.term == term).map_or("", |entry| &entry.text)
    };
    assert_eq!(said("kill"), "squads eliminated (A7.301)");
    assert!(said("FP").ends_with("(A7.2)"), "{}", said("FP"));
    assert!(said("Off the table").contains("36"));
    assert!(said("Numbers").contains("Kill, break, no effect add up to 100"));
}

#[test]
fn facts_are_found_by_the_name_of_the_row() {
    let guns = [("German LMG", "3"), ("Russian HMG .50", "8"), ("nothing known", "")];
    let answer = |(i, (name, _)): (usize, &(&str, &str))| {
        let mut answer = test_answers::squad_answer_from_36ths(Vec::new(), 4, 12);
        (answer.contest, answer.name) = (i, (*name).into());
        answer
    };
    let answers: Vec<_> = guns.iter().enumerate().map(answer).collect();
    let spec = CardSpec { facts: vec!["firepower".into()], ..CardSpec::default() };
    let table = build_card(spec, &answers).tables.remove(0);
    assert_eq!(table.stubs[1], "firepower");
    for (row, (_, fact)) in table.rows.iter().zip(guns) {
        assert_eq!(row.heads[1], fact);
    }
}

/// The game of a file has the title that its designer gave it; a game that is built in is named by
/// its action.
#[test]
fn a_card_has_the_title_of_its_game() {
    let named = |built_in: bool| {
        let mut answers = test_answers::build_grid();
        for answer in &mut answers {
            let system =
                System { built_in, title: "Bridgehead".into(), ..System::clone(&answer.system) };
            answer.system = Arc::new(system);
            answer.name = answer.rulebook_and_action();
        }
        build_card(CardSpec::default(), &answers).title
    };
    assert!(named(false).starts_with("Bridgehead: "), "{}", named(false));
    assert!(!named(true).contains("Bridgehead"), "{}", named(true));
}

#[test]
fn no_answers_are_no_card() {
    for format in [
        WrittenCardFormat::Text(&WIDTHLESS_BLOCK_FORMATS[0]),
        WrittenCardFormat::Csv(card_csv::CardPartPerCsvRecord::Long),
    ] {
        let refused =
            encode_cards(&build_experiment(Vec::new()), &[], format).expect_err("there is nothing");
        assert_eq!(refused.to_string(), "there is no answer to print on a card");
    }
}

/// Files with control characters are refused, but the writers do not rely on that.
#[test]
fn no_writer_lets_a_text_steer() {
    let evil = "\u{1b}[31m\u{202e}\u{7}<script>&\"'";
    let mut answer = test_answers::squad_answer_from_36ths(Vec::new(), 4, 12);
    (answer.name, answer.notes) = (evil.into(), vec![evil.into()]);
    let spec = CardSpec {
        title: Some(evil.into()),
        notes: vec![evil.into()],
        row_title: Some(evil.into()),
        lines: vec![build_band(evil, "broken", 1)],
        ..CardSpec::default()
    };
    let experiment = build_experiment(vec![spec]);
    let formats = [
        WrittenCardFormat::Text(&WIDTHLESS_BLOCK_FORMATS[0]),
        WrittenCardFormat::Html(OrientedPaperSheet::A4),
        WrittenCardFormat::Picture(
            PictureFormat::format_for_extension("svg").expect("it is built in"),
            OrientedPaperSheet::A4,
        ),
        WrittenCardFormat::Csv(card_csv::CardPartPerCsvRecord::Long),
        WrittenCardFormat::Csv(card_csv::CardPartPerCsvRecord::Wide),
        WrittenCardFormat::Csv(card_csv::CardPartPerCsvRecord::Merge),
    ];
    for format in formats {
        let made = encode_cards(&experiment, &[answer.clone()], format).expect("it can be written");
        let text = String::from_utf8(made).expect("text");
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{format:?}");
        assert!(
            text.contains("script")
                && (!text.contains("<script") || matches!(format, WrittenCardFormat::Csv(_)))
        );
    }
}
