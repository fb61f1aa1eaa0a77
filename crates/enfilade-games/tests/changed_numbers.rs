//! A contest that changes a number of its rulebook shares a program with others, which loads the
//! number at run time. Its distribution must equal, in every fraction, that of a rulebook whose
//! text was changed and read again.

use std::path::Path;

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::catalogue::RulebookAction;
use enfilade_model::form::Form;
use enfilade_rules::Rulebook;
use toml::{Table, Value};

const LIMITS: CompiledContestLimits =
    CompiledContestLimits { states: 1 << 12, nodes: 1 << 14, sequences: 1 << 18, endless: 0 };

/// Number of changed cells of a rulebook, spread over all of them.
const CELLS: usize = 14;

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/rulebooks"))
}

fn read(name: &str, text: &str) -> Option<Rulebook> {
    let near = |name: &str| std::fs::read_to_string(folder().join(name)).map_err(|e| e.to_string());
    enfilade_rules::read_without_built_in_base(name, name, text, &near).ok()
}

/// Returns every ending with its probability as a fraction, or a note that there is no
/// distribution.
fn law(action: &RulebookAction, form: &Form) -> String {
    let Ok(contest) = action.build_contest(form) else { return "refused".to_owned() };
    let Ok(graph) = DieGraph::compile_within_limits(&contest.combat, LIMITS) else {
        return "no graph".to_owned();
    };
    let Some(weights) = exact::solve_integer_weights(&graph) else {
        return "no fractions".to_owned();
    };
    let share = |ways: &_| {
        format!("{:?}", exact::reduce_fraction(Clone::clone(ways), weights.denominator.clone()))
    };
    let rows = graph.endings().iter().zip(&weights.numerators);
    let mut rows: Vec<_> =
        rows.map(|(ending, ways)| format!("{ending:?} {}", share(ways))).collect();
    rows.sort_unstable();
    rows.join("\n")
}

/// Whole number in a table or in data, as written in a text.
#[derive(Debug)]
struct Printed {
    /// Table or data block, row, and column if there are columns.
    path: Vec<String>,
    bytes: std::ops::Range<usize>,
    value: i64,
}

/// Splits a line into words with their places; a quoted text is one word.
fn words(line: &str) -> Vec<(usize, &str)> {
    let line = line.split("--").next().unwrap_or_default();
    let (mut words, mut at) = (Vec::new(), 0);
    while let Some(skip) = line[at..].find(|c: char| !c.is_whitespace()) {
        at += skip;
        let rest = &line[at..];
        let length = match rest.strip_prefix('"') {
            Some(quoted) => quoted.find('"').map_or(rest.len(), |end| end + 2),
            None => rest.find(char::is_whitespace).unwrap_or(rest.len()),
        };
        words.push((at, &rest[..length]));
        at += length;
    }
    words
}

/// Finds all printed numbers line by line, without the reader of rulebooks.
fn printed(text: &str) -> Vec<Printed> {
    let (mut found, mut block, mut columns) = (Vec::new(), None::<(String, bool)>, Vec::new());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (from, said) = (start, words(line));
        start += line.len();
        let Some((indent, first)) = said.first() else { continue };
        if *indent == 0 {
            let is_block = ["table", "data"].contains(first) && !line.contains(" from ");
            let name = said.get(1).map(|(_, name)| name.trim_end_matches(':').to_owned());
            block = name.filter(|_| is_block).map(|name| (name, *first == "data"));
            columns.clear();
            continue;
        }
        let Some((name, is_data)) = &block else { continue };
        if ["columns", "cell"].contains(first) || *is_data && columns.is_empty() {
            if *first != "cell" {
                columns = said[1..].iter().map(|(_, column)| (*column).to_owned()).collect();
            }
            continue;
        }
        for (at, (place, word)) in said[1..].iter().enumerate() {
            let Ok(value) = word.parse::<i64>() else { continue };
            let mut path = vec![name.clone(), first.trim_matches('"').to_owned()];
            path.extend(columns.get(at).cloned());
            found.push(Printed { path, bytes: from + place..from + place + word.len(), value });
        }
    }
    found
}

/// Returns a contest with one number of its rulebook changed.
fn changing(contest: &Table, path: &[String], value: i64) -> Table {
    let inner = path.iter().rev().fold(Value::Integer(value), |inner, key| {
        Value::Table([(key.clone(), inner)].into_iter().collect())
    });
    let mut contest = contest.clone();
    contest.insert("change".to_owned(), inner);
    contest
}

#[test]
fn a_changed_number_has_the_law_of_a_text_read_anew() {
    let (mut compared, mut moved, mut books) = (0, 0, 0);
    let mut paths: Vec<_> =
        std::fs::read_dir(folder()).expect("a folder").flatten().map(|e| e.path()).collect();
    paths.sort();
    paths.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulebooks/bridgehead.rules"));
    for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "rules")) {
        let name = path.file_name().expect("a file").to_string_lossy();
        let text = std::fs::read_to_string(path).expect("it is shipped");
        let shared = read(&name, &text).expect("it is in order");
        let all = printed(&text);
        books += usize::from(!all.is_empty());
        for cell in all.iter().step_by(all.len().div_ceil(CELLS).max(1)) {
            for value in [cell.value + 1, cell.value - 1, cell.value + 5, cell.value] {
                let mut changed = text.clone();
                changed.replace_range(cell.bytes.clone(), &value.to_string());
                let Some(anew) = read(&name, &changed) else { continue };
                for (own, new) in shared.system.actions.iter().zip(&anew.system.actions) {
                    let samples = own.samples.iter().take(3);
                    for sample in samples {
                        let plain: Table = sample.parse().expect("a contest");
                        let asked = changing(&plain, &cell.path, value);
                        let told = |what: &str| format!("{name} {cell:?} {value} {sample}: {what}");
                        let form = Form::from_table_with_defaults(&own.fields, &asked)
                            .unwrap_or_else(|e| panic!("{}", told(&format!("{e:?}"))));
                        let alone =
                            Form::from_table_with_defaults(&new.fields, &plain).expect("a contest");
                        let (law, expected) = (law(own, &form), law(new, &alone));
                        assert_eq!(law, expected, "{}", told("another law"));
                        let before =
                            Form::from_table_with_defaults(&own.fields, &plain).expect("a contest");
                        moved += usize::from(value != cell.value && law != self::law(own, &before));
                        compared += 1;
                    }
                }
            }
        }
    }
    println!("{compared} laws in {books} rulebooks, {moved} of them others than printed");
    assert!(books >= 8 && compared > 400 && moved > 60, "{books} {compared} {moved}");
}
