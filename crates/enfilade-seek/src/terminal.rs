//! The answer as lines for a terminal of 80 columns.

use crate::answer::{SeekAnswer, SeekDesign, SeekStep};
use crate::missing::{Excluding, Missing};
use crate::numbers::ChangedNumber;
use crate::question::SeekQuestion;
use crate::text::{count, listed, measured, with_unit};

/// Columns of a terminal.
const WIDTH: usize = 80;

/// Designs that are shown where nothing is said.
pub const SHOWN: usize = 3;

impl SeekAnswer {
    /// The word that the answer has earned.
    pub fn word(&self) -> &'static str {
        if self.complete { "all" } else { "at least" }
    }

    /// The answer in one sentence.
    pub fn sentence(&self) -> String {
        let (fits, designs) = (count(self.fits), count(self.designs));
        let cells = format!("{} exact cells", count(self.asked));
        match (self.fits, self.complete) {
            (0, true) => format!("None of {designs} designs fits, and all were decided: {cells}."),
            (0, false) => {
                format!("None of the designs that were looked at fits, of {designs}: {cells}.")
            }
            (1, true) => format!("1 of {designs} designs fits, and this is the only one: {cells}."),
            (_, true) => format!("{fits} of {designs} designs fit, and these are all: {cells}."),
            (_, false) => format!("At least {fits} of {designs} designs fit: {cells}."),
        }
    }
}

/// The answer as it is printed, with at most so many designs; `asked` is how the search was called.
pub fn page(question: &SeekQuestion, answer: &SeekAnswer, best: usize, asked: &str) -> String {
    let mut lines = vec![answer.sentence()];
    lines.extend(remarks(question, answer));
    let shown: Vec<&SeekDesign> = answer.found.iter().take(best).collect();
    if let Some(missing) = &answer.missing {
        lines.extend(told(question, missing));
    }
    let near = answer.missing.as_ref().and_then(|missing| missing.nearest.as_ref());
    let columns: Vec<(String, &SeekDesign)> = match near {
        Some(near) => vec![("nearest".to_owned(), near)],
        None => {
            shown.iter().enumerate().map(|(at, design)| ((at + 1).to_string(), *design)).collect()
        }
    };
    if !columns.is_empty() {
        lines.push(String::new());
        lines.extend(designs(question, &columns));
        let more = answer.found.len().saturating_sub(shown.len());
        if more > 0 {
            let all = answer.found.len();
            lines.push(format!("          {} more: --best {all}", count(more as u64)));
        }
        lines.push(String::new());
        lines.extend(wanted(question, answer.now.as_ref(), &columns));
    }
    if answer.fits > 0 {
        lines.push(String::new());
        lines.extend(always(question, answer));
        lines.extend(from_first(question, &answer.steps));
        lines.push(format!("{:<10}{asked} --format toml", "take 1:"));
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// What a reader has to know before the table.
fn remarks(question: &SeekQuestion, answer: &SeekAnswer) -> Vec<String> {
    let mut lines = Vec::new();
    if answer.now.as_ref().is_some_and(|now| now.reached.iter().all(|one| one.holds))
        && answer.fits > 0
    {
        lines.push("The numbers as they are fit already.".to_owned());
    }
    for unread in &answer.unread {
        let name = &question.numbers[*unread].name;
        lines.push(format!("Nothing wanted reads {name}; it is left as it is."));
    }
    for (check, designs) in &answer.broken {
        lines
            .push(format!("{} more meet all that is wanted and break `{check}`.", count(*designs)));
    }
    if answer.open > 0 {
        lines.push(format!(
            "{} of them are open (?): what is not settled reaches over the edge.",
            count(answer.open)
        ));
    }
    if answer.holes > 0 {
        let why = answer.why.as_deref().unwrap_or("there is no such contest");
        lines.push(format!("{} cells have no answer and fit nothing: {why}", count(answer.holes)));
    }
    lines
}

/// Why nothing fits.
fn told(question: &SeekQuestion, missing: &Missing) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((want, near)) = &missing.impossible {
        let want_of = &question.wanted.wants[*want];
        let value = with_unit(near.reached[*want].value, want_of.is_share);
        let with = question
            .numbers
            .iter()
            .zip(&near.values)
            .filter(|(number, at)| number.now_at() != Some(usize::from(**at)));
        let with: Vec<String> = with
            .map(|(number, at)| format!("{} = {}", number.name, number.shown(usize::from(*at))))
            .collect();
        let with =
            if with.is_empty() { String::new() } else { format!(", with {}", with.join(", ")) };
        lines.push(format!(
            "No design has \"{}\": the nearest there is is {value}{with}.",
            want_of.text
        ));
        return lines;
    }
    lines.extend(sentence(&missing.excluding));
    lines
}

/// Which wants cannot be together.
fn sentence(excluding: &[Excluding]) -> Option<String> {
    let quoted = |one: &Excluding| format!("\"{}\"", one.text);
    let what = match excluding.iter().any(|one| one.is_condition) {
        true => "of these",
        false => "wants",
    };
    Some(match excluding {
        [] => return None,
        [only] => format!("{} leaves no design.", quoted(only)),
        [a, b] => format!(
            "These two {what} exclude each other: {} ({} designs alone) and {} ({}).",
            quoted(a),
            count(a.alone),
            quoted(b),
            count(b.alone)
        ),
        several => {
            const PLACES: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
            let texts: Vec<_> = several
                .iter()
                .map(|one| format!("{} ({})", quoted(one), count(one.alone)))
                .collect();
            let without = several.iter().enumerate().map(|(at, one)| {
                let place =
                    PLACES.get(at).map_or_else(|| format!("{}th", at + 1), |p| (*p).to_owned());
                match at {
                    0 => format!("Without the {place} {} designs fit", count(one.without)),
                    _ => format!("without the {place} {}", count(one.without)),
                }
            });
            let number =
                ["three", "four", "five", "six"].get(several.len() - 3).unwrap_or(&"several");
            format!(
                "These {number} cannot be together, and without any one of them they can: {}. {}.",
                texts.join(", "),
                without.collect::<Vec<_>>().join(", ")
            )
        }
    })
}

/// The table of designs: a row each, or where that is too wide a column each.
fn designs(question: &SeekQuestion, columns: &[(String, &SeekDesign)]) -> Vec<String> {
    let rows = rows(question, columns);
    match rows.iter().all(|row| row.chars().count() <= WIDTH) {
        true => rows,
        false => beside(question, columns),
    }
}

/// The name of a number in two: what it stands in, and its own.
fn parted(number: &ChangedNumber) -> (String, &str) {
    match number.name.rsplit_once('.') {
        Some((outer, own)) => (outer.replace('.', " "), own),
        None => (String::new(), &number.name),
    }
}

fn rows(question: &SeekQuestion, columns: &[(String, &SeekDesign)]) -> Vec<String> {
    let numbers = &question.numbers;
    let width = |number: &ChangedNumber| {
        let values = number.values.iter().map(crate::text::plain).chain([number.shown_now()]);
        let longest = values.map(|text| text.chars().count()).max().unwrap_or(1);
        longest.max(parted(number).1.chars().count()) + 2
    };
    let mut lines = vec![String::new(), format!("{:<8}", "")];
    let mut at = 0;
    while at < numbers.len() {
        let (outer, _) = parted(&numbers[at]);
        let group = numbers[at..].iter().take_while(|number| parted(number).0 == outer).count();
        let inside: usize = numbers[at..at + group].iter().map(width).sum();
        let last = outer.rsplit(' ').next().unwrap_or_default();
        let head = if outer.chars().count() < inside { outer.as_str() } else { last };
        let head: String = head.chars().take(inside.saturating_sub(1)).collect();
        lines[0] += &format!("  {head:<room$}", room = inside.saturating_sub(2));
        for number in &numbers[at..at + group] {
            lines[1] += &format!("{:>room$}", parted(number).1, room = width(number));
        }
        at += group;
    }
    lines[0] = format!("{:<8}{}", "", lines[0]);
    lines[1] += "  changed";
    let now =
        numbers.iter().map(|number| format!("{:>room$}", number.shown_now(), room = width(number)));
    lines.push(format!("{:<8}{}", "now", now.collect::<String>()));
    for (name, design) in columns {
        let values = numbers.iter().zip(&design.values).map(|(number, at)| {
            let at = usize::from(*at);
            let text = if number.now_at() == Some(at) { ".".to_owned() } else { number.shown(at) };
            format!("{text:>room$}", room = width(number))
        });
        lines.push(format!("{name:<8}{}  {:>7}", values.collect::<String>(), design.changes));
    }
    if lines[0].trim().is_empty() {
        lines.remove(0);
    }
    lines
}

/// The same with a line for each number.
fn beside(question: &SeekQuestion, columns: &[(String, &SeekDesign)]) -> Vec<String> {
    let numbers = &question.numbers;
    let name = numbers.iter().map(|number| number.name.chars().count()).max().unwrap_or(4) + 2;
    let texts = numbers.iter().flat_map(|number| number.values.iter().map(crate::text::plain));
    let room = texts.map(|text| text.chars().count()).max().unwrap_or(1).max(7) + 2;
    let fits = (WIDTH.saturating_sub(name + room) / room).max(1);
    let columns = &columns[..columns.len().min(fits)];
    let heads = columns.iter().map(|(head, _)| format!("{head:>room$}"));
    let mut lines = vec![format!("{:<name$}{:>room$}{}", "", "now", heads.collect::<String>())];
    for (at, number) in numbers.iter().enumerate() {
        let cells = columns.iter().map(|(_, design)| {
            let value = usize::from(design.values[at]);
            let text =
                if number.now_at() == Some(value) { ".".to_owned() } else { number.shown(value) };
            format!("{text:>room$}")
        });
        let cells: String = cells.collect();
        lines.push(format!("{:<name$}{:>room$}{cells}", number.name, number.shown_now()));
    }
    lines
}

/// What is wanted beside what it is.
fn wanted(
    question: &SeekQuestion,
    now: Option<&SeekDesign>,
    columns: &[(String, &SeekDesign)],
) -> Vec<String> {
    const ROOM: usize = 9;
    let wants = &question.wanted.wants;
    let columns = &columns[..columns.len().min(3)];
    let room = WIDTH - ROOM * (columns.len() + 1);
    let longest = wants.iter().map(|want| want.text.chars().count()).max().unwrap_or(0).max(6);
    let name = (longest + 2).min(room);
    let heads = columns.iter().map(|(head, _)| format!("{head:>ROOM$}"));
    let mut lines =
        vec![format!("{:<name$}{:>ROOM$}{}", "wanted", "now", heads.collect::<String>())];
    for (at, want) in wants.iter().enumerate() {
        let cell = |design: Option<&SeekDesign>| {
            let Some(reached) = design.map(|design| &design.reached[at]) else {
                return format!("{:>ROOM$}", "–");
            };
            let mark = reached.mark.map_or("", |mark| mark.sign());
            let missed = if reached.holds { "" } else { " ✗" };
            format!(
                "{:>ROOM$}",
                format!("{mark}{}{missed}", measured(reached.value, want.is_share))
            )
        };
        let text = match want.text.chars().count() + 1 > name {
            true => want.text.chars().take(name - 2).chain(['…']).collect::<String>(),
            false => want.text.clone(),
        };
        let cells: String = columns.iter().map(|(_, design)| cell(Some(design))).collect();
        lines.push(format!("{text:<name$}{}{cells}", cell(now)));
    }
    lines
}

/// Numbers with one value among all that fit, and the others with theirs.
fn always(question: &SeekQuestion, answer: &SeekAnswer) -> Vec<String> {
    let read = question.numbers.iter().zip(&answer.occurring).enumerate();
    let read =
        read.filter(|(at, (number, _))| number.values.len() > 1 && !answer.unread.contains(at));
    let (mut same, mut open) = (Vec::new(), Vec::new());
    for (_, (number, seen)) in read {
        let values: Vec<String> = seen.iter().map(|at| number.shown(*at)).collect();
        let follow_on = seen.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let follow_on = follow_on && number.values.iter().all(toml::Value::is_integer);
        match values.as_slice() {
            [only] => same.push(format!("{} = {only}", number.name)),
            several => open.push(format!("{} {}", number.name, listed(several, follow_on))),
        }
    }
    let mut lines = Vec::new();
    lines.extend(wrapped("always:", &same));
    lines.extend(wrapped("open:", &open));
    lines
}

/// What a step from the first design makes of it: some that still fit, some that do not.
fn from_first(question: &SeekQuestion, steps: &[SeekStep]) -> Vec<String> {
    let sign = |step: &SeekStep| if step.up { "+1" } else { "-1" };
    let name = |step: &SeekStep| &question.numbers[step.number].name;
    let fits = steps.iter().filter(|step| step.lost.is_none()).take(2);
    let fits = fits.map(|step| format!("{} {} still fits", name(step), sign(step)));
    let loses = steps.iter().filter_map(|step| step.lost.map(|lost| (step, lost))).take(2);
    let loses = loses.map(|(step, (want, value))| {
        let want = &question.wanted.wants[want];
        let value = with_unit(value, want.is_share);
        format!("{} {} loses {} ({value})", name(step), sign(step), want.quantity)
    });
    let all: Vec<String> = fits.chain(loses).collect();
    wrapped("from 1:", &all)
}

/// Texts behind a head, on as many lines as they take.
fn wrapped(head: &str, texts: &[String]) -> Vec<String> {
    const INDENT: usize = 10;
    let mut lines: Vec<String> = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let text = if at + 1 < texts.len() { format!("{text},") } else { text.clone() };
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + text.chars().count() <= WIDTH => {
                *line += " ";
                *line += &text;
            }
            Some(_) => lines.push(format!("{:<INDENT$}{text}", "")),
            None => lines.push(format!("{head:<INDENT$}{text}")),
        }
    }
    lines
}
