//! The answer as lines for a terminal of 80 columns.

use crate::line_wrapping::{TERMINAL_WIDTH, wrap_behind_head, wrap_sentence};
use crate::no_fit::{BelowOrAboveTarget, ConflictingWantOrCondition, NoFitReport};
use crate::seek_answer::{NumberStepFromDesign, SeekAnswer};
use crate::seek_design::{FoundDesign, WantValueInDesign};
use crate::seek_numbers::ChangeableNumber;
use crate::seek_question::SeekQuestion;
use crate::value_text::{
    alternatives_or_range, format_grouped_count, format_with_percent_if_share,
    format_without_percent_sign,
};
use crate::want::WantSign;
use crate::wanted_cells::WantComparisonOverCells;

/// Number of designs shown by default.
pub const DEFAULT_DESIGNS_SHOWN: usize = 3;

impl SeekAnswer {
    /// The status of the answer in one word.
    pub fn completeness_word(&self) -> &'static str {
        match (&self.fence, self.complete) {
            (None, true) => "all",
            (Some(_), true) => "all, if monotone",
            (Some(fence), false) if fence.found_by_steps => "found",
            (Some(_), false) => "nearest",
            (None, false) => "at least",
        }
    }

    /// The answer in one sentence.
    pub fn summary_sentence(&self, question: &SeekQuestion) -> String {
        let (fits, designs) = (format_grouped_count(self.fits), format_grouped_count(self.designs));
        let cells = format!("{} exact cells", format_grouped_count(self.solved_contests));
        if let Some(changes) = self.fence.as_ref().and_then(|fence| fence.decided_changes) {
            let changes = match changes {
                1 => "one change".to_owned(),
                several => format!("{several} changes"),
            };
            let by_steps = self.fence.as_ref().is_some_and(|fence| fence.found_by_steps);
            return match self.fits {
                0 => {
                    format!("None of the designs with up to {changes} fits, of {designs}: {cells}.")
                }
                _ if by_steps => format!(
                    "None of the designs with up to {changes} fits, of {designs}; {fits} found by steps fit, and nearer ones may: {cells}."
                ),
                _ => format!(
                    "At least {fits} of {designs} designs fit, and all with up to {changes} are decided: {cells}."
                ),
            };
        }
        let monotone = self.if_monotone_clause(question);
        match (self.fits, self.complete) {
            (0, true) => {
                format!("None of {designs} designs fits, and all were decided{monotone}: {cells}.")
            }
            (0, false) => {
                format!("None of the designs that were looked at fits, of {designs}: {cells}.")
            }
            (1, true) => {
                format!("1 of {designs} designs fits, and this is the only one{monotone}: {cells}.")
            }
            (_, true) => {
                format!("{fits} of {designs} designs fit, and these are all{monotone}: {cells}.")
            }
            (_, false) => format!("At least {fits} of {designs} designs fit: {cells}."),
        }
    }

    /// The condition under which a fence has decided all designs.
    fn if_monotone_clause(&self, question: &SeekQuestion) -> String {
        let Some(fence) = &self.fence else { return String::new() };
        let names: Vec<&str> =
            fence.both_ways.iter().map(|number| question.numbers[*number].name.as_str()).collect();
        match names.is_empty() {
            true => ", if monotone".to_owned(),
            false => format!(", if monotone but for {}", names.join(", ")),
        }
    }
}

/// Renders the answer as text with at most `best` designs; `command` is the command line.
pub fn render_answer_text(
    question: &SeekQuestion,
    answer: &SeekAnswer,
    best: usize,
    command: &str,
) -> String {
    let mut lines = wrap_sentence(&answer.summary_sentence(question));
    lines.extend(answer_remarks(question, answer).iter().flat_map(|line| wrap_sentence(line)));
    let shown: Vec<&FoundDesign> = answer.best_designs.iter().take(best).collect();
    let near = answer.no_fit.as_ref().and_then(|missing| missing.nearest.as_ref());
    let columns: Vec<(String, &FoundDesign)> = match near {
        Some(near) => vec![("nearest".to_owned(), near)],
        None => {
            shown.iter().enumerate().map(|(at, design)| ((at + 1).to_string(), *design)).collect()
        }
    };
    if !columns.is_empty() {
        lines.push(String::new());
        lines.extend(render_designs(question, &columns));
        let more = answer.best_designs.len().saturating_sub(shown.len());
        if more > 0 {
            let all = answer.best_designs.len();
            lines.push(format!(
                "          {} more: --best {all}",
                format_grouped_count(more as u64)
            ));
        }
        lines.push(String::new());
        lines.extend(render_wants_beside_values(question, answer.now.as_ref(), &columns));
    }
    if answer.fits > 0 {
        lines.push(String::new());
        lines.extend(lines_of_values_left(question, answer));
        lines.extend(render_single_step_effects(question, &answer.steps));
        lines.push(format!("{:<10}{command} --format toml", "take 1:"));
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Remarks to read before the table, and the reason why nothing fits.
pub fn answer_remarks(question: &SeekQuestion, answer: &SeekAnswer) -> Vec<String> {
    let mut remarks = remarks_before_table(question, answer);
    remarks.extend(answer.no_fit.iter().flat_map(|missing| no_fit_lines(question, missing)));
    remarks
}

/// Remarks to read before the table.
fn remarks_before_table(question: &SeekQuestion, answer: &SeekAnswer) -> Vec<String> {
    let mut lines = Vec::new();
    if meets_wants_already(answer) {
        lines.push("The numbers as they are fit already.".to_owned());
    }
    let unread = answer.unread.iter().map(|at| &question.numbers[*at].name);
    lines.extend(unread.map(|name| format!("No want reads {name}; it keeps its value.")));
    lines.extend(
        answer
            .broken_checks
            .iter()
            .map(|(check, designs)| check_breaking_designs_note(check, *designs, answer.fits)),
    );
    if answer.undecided > 0 {
        let open = format_grouped_count(answer.undecided);
        lines.push(format!(
            "{open} of them are open (?): the uncertainty of a value reaches over the edge."
        ));
    }
    if answer.unanswered_cells > 0 {
        let why = answer.first_reason.as_deref().unwrap_or("there is no such contest");
        lines.push(format!(
            "{} cells have no answer and fit nothing: {why}",
            format_grouped_count(answer.unanswered_cells)
        ));
    }
    lines
}

fn meets_wants_already(answer: &SeekAnswer) -> bool {
    let meets_all = |now: &FoundDesign| now.reached.iter().all(|one| one.is_met);
    answer.fits > 0 && answer.now.as_ref().is_some_and(meets_all)
}

/// A note on designs that meet the wants and break a check of the rulebook.
fn check_breaking_designs_note(check: &str, designs: u64, fits: u64) -> String {
    let designs = format_grouped_count(designs);
    match fits {
        0 => format!("`{check}` in all {designs} designs that meet what is wanted."),
        _ => format!("{designs} more meet what is wanted and break `{check}`."),
    }
}

/// Explains why nothing fits.
fn no_fit_lines(question: &SeekQuestion, missing: &NoFitReport) -> Vec<String> {
    if let Some((condition, left)) = &missing.conditions {
        return vec![format!(
            "subject_to leaves no design; without \"{condition}\" {} are left.",
            format_grouped_count(*left)
        )];
    }
    match &missing.impossible {
        Some((want, near)) => vec![unmeetable_want_note(question, *want, near, missing.reach)],
        None => describe_excluding(&missing.excluding).into_iter().collect(),
    }
}

/// A note that no design meets a want, with the nearest one.
fn unmeetable_want_note(
    question: &SeekQuestion,
    at: usize,
    near: &FoundDesign,
    reach: Option<BelowOrAboveTarget>,
) -> String {
    let want = &question.cells.wants[at];
    let value = format_with_percent_if_share(near.reached[at].value, want.is_share);
    let exact =
        |part: &WantComparisonOverCells| part.sign == WantSign::Equal && part.tolerance == 0.0;
    if reach == Some(BelowOrAboveTarget::Around) && want.parts.iter().all(exact) {
        let room = if want.is_share { "± 0.1 %" } else { "± 0.1" };
        return format!(
            "\"{}\" is wanted to the last digit and no design has it; the nearest is {value}: \"{room}\"?",
            want.text
        );
    }
    let what = match reach {
        Some(BelowOrAboveTarget::Below) => "most",
        Some(BelowOrAboveTarget::Above) => "least",
        Some(BelowOrAboveTarget::Around) | None => "nearest",
    };
    let with = question.numbers.iter().zip(&near.values);
    let with =
        with.filter(|(number, at)| number.index_of_current_value() != Some(usize::from(**at)));
    let with = with
        .map(|(number, at)| format!("{} = {}", number.name, number.format_value(usize::from(*at))));
    let with: Vec<String> = with.collect();
    let with = if with.is_empty() { String::new() } else { format!(", with {}", with.join(", ")) };
    format!("No design has \"{}\": the {what} is {value}{with}.", want.text)
}

/// Describes the wants that cannot be met together.
fn describe_excluding(excluding: &[ConflictingWantOrCondition]) -> Option<String> {
    match excluding {
        [] => None,
        [only] => Some(format!("\"{}\" leaves no design.", only.text)),
        [a, b] => Some(describe_two_excluding(a, b)),
        several => Some(describe_several_excluding(several)),
    }
}

fn describe_two_excluding(
    a: &ConflictingWantOrCondition,
    b: &ConflictingWantOrCondition,
) -> String {
    let what = if a.is_condition || b.is_condition { "of these" } else { "wants" };
    let [first, second] = [a.alone, b.alone].map(format_grouped_count);
    let (one, other) = (&a.text, &b.text);
    format!(
        "These two {what} exclude each other: \"{one}\" ({first} designs alone) and \"{other}\" ({second})."
    )
}

fn describe_several_excluding(several: &[ConflictingWantOrCondition]) -> String {
    let word =
        |n: usize| COUNT_WORDS.get(n).map_or_else(|| n.to_string(), |word| (*word).to_owned());
    let texts =
        several.iter().map(|one| format!("\"{}\" ({})", one.text, format_grouped_count(one.alone)));
    let without = several.iter().enumerate().map(|(at, one)| note_on_dropped_want(at, one.without));
    format!(
        "These {} cannot be together, any {} can: {}. {}.",
        word(several.len()),
        word(several.len() - 1),
        texts.collect::<Vec<_>>().join(", "),
        without.collect::<Vec<_>>().join(", ")
    )
}

const COUNT_WORDS: [&str; 7] = ["none", "one", "two", "three", "four", "five", "six"];
const ORDINAL_WORDS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];

/// A note on the designs that fit without one of several wants.
fn note_on_dropped_want(at: usize, designs: u64) -> String {
    let place =
        ORDINAL_WORDS.get(at).map_or_else(|| format!("{}th", at + 1), |place| (*place).to_owned());
    let designs = format_grouped_count(designs);
    match at {
        0 => format!("Without the {place} {designs} designs fit"),
        _ => format!("without the {place} {designs}"),
    }
}

/// Renders the table of designs: a row each, or a column each if rows are too wide.
fn render_designs(question: &SeekQuestion, columns: &[(String, &FoundDesign)]) -> Vec<String> {
    let rows = table_lines_design_per_row(question, columns);
    match rows.iter().all(|row| row.chars().count() <= TERMINAL_WIDTH) {
        true => rows,
        false => design_column_lines(question, columns),
    }
}

/// Splits the name of a number into its table and its key.
fn split_table_from_key(number: &ChangeableNumber) -> (String, &str) {
    match number.name.rsplit_once('.') {
        Some((outer, own)) => (outer.replace('.', " "), own),
        None => (String::new(), &number.name),
    }
}

fn table_lines_design_per_row(
    question: &SeekQuestion,
    columns: &[(String, &FoundDesign)],
) -> Vec<String> {
    let numbers = &question.numbers;
    let (groups, names) = two_header_lines(numbers);
    let mut lines = vec![groups, format!("{names}  changed")];
    let now =
        numbers.iter().map(|number| right_align_in_column(number, number.format_current_value()));
    lines.push(format!("{:<8}{}", "now", now.collect::<String>()));
    for (name, design) in columns {
        let values = numbers.iter().zip(&design.values);
        let values = values
            .map(|(number, at)| right_align_in_column(number, format_value_or_dot(number, *at)));
        lines.push(format!("{name:<8}{}  {:>7}", values.collect::<String>(), design.changes));
    }
    if lines[0].trim().is_empty() {
        lines.remove(0);
    }
    lines
}

/// Columns that a number needs.
fn column_width_of_number(number: &ChangeableNumber) -> usize {
    let values = number
        .values
        .iter()
        .map(crate::value_text::text_without_quotes)
        .chain([number.format_current_value()]);
    let longest = values.map(|text| text.chars().count()).max().unwrap_or(1);
    longest.max(split_table_from_key(number).1.chars().count()) + 2
}

fn right_align_in_column(number: &ChangeableNumber, text: String) -> String {
    format!("{text:>room$}", room = column_width_of_number(number))
}

/// Formats a value of a design: a dot if it is unchanged.
fn format_value_or_dot(number: &ChangeableNumber, at: u16) -> String {
    match number.index_of_current_value() == Some(usize::from(at)) {
        true => ".".to_owned(),
        false => number.format_value(usize::from(at)),
    }
}

/// The two lines above the numbers: their tables, and their keys.
fn two_header_lines(numbers: &[ChangeableNumber]) -> (String, String) {
    let (mut groups, mut names) = (format!("{:<8}", ""), format!("{:<8}", ""));
    for group in numbers.chunk_by(|a, b| split_table_from_key(a).0 == split_table_from_key(b).0) {
        let inside: usize = group.iter().map(column_width_of_number).sum();
        let (outer, _) = split_table_from_key(&group[0]);
        let last = outer.rsplit(' ').next().unwrap_or_default();
        let head = if outer.chars().count() < inside { outer.as_str() } else { last };
        let head: String = head.chars().take(inside.saturating_sub(1)).collect();
        groups += &format!("  {head:<room$}", room = inside.saturating_sub(2));
        names.extend(group.iter().map(|number| {
            right_align_in_column(number, split_table_from_key(number).1.to_owned())
        }));
    }
    (groups, names)
}

/// Renders the table of designs with a line for each number.
fn design_column_lines(question: &SeekQuestion, columns: &[(String, &FoundDesign)]) -> Vec<String> {
    let numbers = &question.numbers;
    let name = numbers.iter().map(|number| number.name.chars().count()).max().unwrap_or(4) + 2;
    let texts = numbers
        .iter()
        .flat_map(|number| number.values.iter().map(crate::value_text::text_without_quotes));
    let room = texts.map(|text| text.chars().count()).max().unwrap_or(1).max(7) + 2;
    let fits = (TERMINAL_WIDTH.saturating_sub(name + room) / room).max(1);
    let columns = &columns[..columns.len().min(fits)];
    let heads = columns.iter().map(|(head, _)| format!("{head:>room$}"));
    let mut lines = vec![format!("{:<name$}{:>room$}{}", "", "now", heads.collect::<String>())];
    for (at, number) in numbers.iter().enumerate() {
        let cells = columns.iter().map(|(_, design)| {
            format!("{:>room$}", format_value_or_dot(number, design.values[at]))
        });
        let cells: String = cells.collect();
        lines.push(format!(
            "{:<name$}{:>room$}{cells}",
            number.name,
            number.format_current_value()
        ));
    }
    lines
}

/// Renders the wants beside their values.
fn render_wants_beside_values(
    question: &SeekQuestion,
    now: Option<&FoundDesign>,
    columns: &[(String, &FoundDesign)],
) -> Vec<String> {
    const VALUE_WIDTH: usize = 9;
    let wants = &question.cells.wants;
    let columns = &columns[..columns.len().min(3)];
    let room = TERMINAL_WIDTH - VALUE_WIDTH * (columns.len() + 1);
    let longest = wants.iter().map(|want| want.text.chars().count()).max().unwrap_or(0).max(6);
    let name = (longest + 2).min(room);
    let heads = columns.iter().map(|(head, _)| format!("{head:>VALUE_WIDTH$}"));
    let mut lines =
        vec![format!("{:<name$}{:>VALUE_WIDTH$}{}", "wanted", "now", heads.collect::<String>())];
    for (at, want) in wants.iter().enumerate() {
        let cell = |design: Option<&FoundDesign>| {
            let reached =
                design.map(|design| format_reached_with_marks(&design.reached[at], want.is_share));
            format!("{:>VALUE_WIDTH$}", reached.unwrap_or_else(|| "–".to_owned()))
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

/// Formats the value of a want, with its mark at an edge and a cross if it is missed.
pub fn format_reached_with_marks(reached: &WantValueInDesign, is_share: bool) -> String {
    let mark = reached.mark.map_or("", |mark| mark.printed_sign());
    let missed = if reached.is_met { "" } else { " ✗" };
    format!("{mark}{}{missed}", format_without_percent_sign(reached.value, is_share))
}

/// The values of each number among all designs that fit, a line each.
pub fn lines_of_occurring_values(question: &SeekQuestion, answer: &SeekAnswer) -> Vec<String> {
    if answer.fits == 0 {
        return Vec::new();
    }
    let numbers = question.numbers.iter().zip(&answer.occurring).enumerate();
    let read = numbers.filter(|(at, _)| !answer.unread.contains(at));
    let line = |(_, (number, seen)): (usize, (&ChangeableNumber, &Vec<usize>))| {
        let values: Vec<String> = seen.iter().map(|at| number.format_value(*at)).collect();
        match values.as_slice() {
            [only] => format!("{} is always {only}", number.name),
            several => format!("{} may be {}", number.name, alternatives_or_range(several, false)),
        }
    };
    read.map(line).collect()
}

/// Lists the numbers with one value among all designs that fit, and the others with their values.
fn lines_of_values_left(question: &SeekQuestion, answer: &SeekAnswer) -> Vec<String> {
    let read = question.numbers.iter().zip(&answer.occurring).enumerate();
    let read =
        read.filter(|(at, (number, _))| number.values.len() > 1 && !answer.unread.contains(at));
    let (mut same, mut open) = (Vec::new(), Vec::new());
    for (_, (number, seen)) in read {
        let values: Vec<String> = seen.iter().map(|at| number.format_value(*at)).collect();
        let follow_on = seen.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let follow_on = follow_on && number.values.iter().all(toml::Value::is_integer);
        match values.as_slice() {
            [only] => same.push(format!("{} = {only}", number.name)),
            several => {
                open.push(format!("{} {}", number.name, alternatives_or_range(several, follow_on)))
            }
        }
    }
    let mut lines = Vec::new();
    lines.extend(wrap_behind_head("always:", &same));
    lines.extend(wrap_behind_head("open:", &open));
    lines
}

/// Lists steps from the first design: some that still fit, some that do not.
fn render_single_step_effects(
    question: &SeekQuestion,
    steps: &[NumberStepFromDesign],
) -> Vec<String> {
    let sign = |step: &NumberStepFromDesign| if step.up { "+1" } else { "-1" };
    let name = |step: &NumberStepFromDesign| &question.numbers[step.number].name;
    let fits = steps.iter().filter(|step| step.lost_want.is_none()).take(2);
    let fits = fits.map(|step| format!("{} {} still fits", name(step), sign(step)));
    let loses = steps.iter().filter_map(|step| step.lost_want.map(|lost| (step, lost))).take(2);
    let loses = loses.map(|(step, (want, value))| {
        let want = &question.cells.wants[want];
        let value = format_with_percent_if_share(value, want.is_share);
        format!("{} {} loses {} ({value})", name(step), sign(step), want.quantity)
    });
    let all: Vec<String> = fits.chain(loses).collect();
    wrap_behind_head("from 1:", &all)
}
