//! Changes of a text that end a fault or a remark: what an editor offers as a button.
//!
//! The help of a fault often contains the right text between backticks. A mend puts it in place of
//! the wrong one, if it is made of the names and numbers of its line and is no general example.
//! Every mend is tried before it is offered: its line must have no fault and no remark afterwards.

use enfilade_model::error::FaultWithByteSpan;

use super::name_completions::is_language_word;
use crate::diagnostics::{Span, identifier_like_words};

/// Largest number of texts that are checked to find the mends of one file.
const MAX_TRIES: usize = 24;
/// Beginning of a help that names the nearest known name.
const NEAREST_NAME: &str = "did you mean `";

/// Change of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    /// Place of the text that is replaced, in bytes of the file.
    pub span: Span,
    /// New text.
    pub text: String,
}

impl Mend {
    /// Returns the changed file.
    pub fn apply(&self, text: &str) -> String {
        let (before, after) = (&text[..self.span.start], &text[self.span.end..]);
        [before, &self.text, after].concat()
    }
}

/// Finds the mend of each of these faults or remarks, where there is one. `check` returns the
/// faults and remarks of a text.
///
/// ```
/// use enfilade_rules::{read_without_built_in_base, tools::mends::find_mends};
/// let text = "action fire:\n    hits = 2d6\n    show hit\n";
/// let check = |text: &str| {
///     let read = read_without_built_in_base("g", "g.rules", text, &|_: &str| Err(String::new()));
///     read.map_or_else(|error| error.faults, |rulebook| rulebook.warnings)
/// };
/// let mends = find_mends(text, &check(text), check);
/// let mend = mends[0].as_ref().expect("the nearest name");
/// assert_eq!(mend.apply(text), text.replace("show hit", "show hits"));
/// ```
pub fn find_mends(
    text: &str,
    faults: &[FaultWithByteSpan],
    check: impl Fn(&str) -> Vec<FaultWithByteSpan>,
) -> Vec<Option<Mend>> {
    let mut tries = MAX_TRIES;
    let mut find_mend = |found: &FaultWithByteSpan| {
        let line = line_span(text, found.span.start)?;
        candidates(text, &line, found).into_iter().find(|mend| {
            if tries == 0 {
                return false;
            }
            tries -= 1;
            let end = line.end + mend.text.len() - mend.span.len();
            let is_left = |left: &FaultWithByteSpan| (line.start..=end).contains(&left.span.start);
            !check(&mend.apply(text)).iter().any(is_left)
        })
    };
    faults.iter().map(&mut find_mend).collect()
}

/// Place of the line around a byte, without its indentation and its end; `None` outside the text.
fn line_span(text: &str, at: usize) -> Option<Span> {
    let (before, after) = (text.get(..at)?, text.get(at..)?);
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let end = at + after.find('\n').unwrap_or(after.len());
    let line = text.get(start..end)?;
    Some(start + (line.len() - line.trim_start().len())..start + line.trim_end().len())
}

/// Lists the changes that the help suggests, most likely first.
fn candidates(
    text: &str,
    line: &Span,
    FaultWithByteSpan { fault, span }: &FaultWithByteSpan,
) -> Vec<Mend> {
    let help = fault.help.as_deref().unwrap_or_default();
    let own = span.start..span.end.clamp(span.start, line.end.max(span.start));
    let mut all = Vec::new();
    let written = text.get(line.clone()).unwrap_or_default();
    let fits =
        |right: &&str| uses_only_names_of_line(right, written) || help.starts_with(NEAREST_NAME);
    // A line that is to be added is not a change of this one.
    for right in texts_in_backticks(help).filter(fits).filter(|_| !help.starts_with("add ")) {
        let mut add = |span: Span| {
            let mend = Mend { span, text: right.to_owned() };
            if keeps_words_apart(text, &mend) && !all.contains(&mend) {
                all.push(mend);
            }
        };
        let place = text.get(own.clone()).unwrap_or_default();
        for wrong in texts_in_backticks(&fault.problem) {
            let at = find_word(place, wrong).map(|at| own.start + at);
            at.into_iter().for_each(|at| add(at..at + wrong.len()));
        }
        add(own.clone());
        add(own.start..line.end);
        add(line.start..end_of_replaced_part(text, line, right));
    }
    all
}

/// Returns the end of what a whole line replaces: a statement behind a colon stays where the new
/// text ends with one.
fn end_of_replaced_part(text: &str, line: &Span, right: &str) -> usize {
    let colon = text.get(line.clone()).and_then(|line| line.find(':'));
    match colon.filter(|_| right.ends_with(':')) {
        Some(at) => line.start + at + 1,
        None => line.end,
    }
}

/// Whether all names and numbers of a text are those of a line: a general example has others.
fn uses_only_names_of_line(right: &str, line: &str) -> bool {
    let numbers = |text: &str| -> Vec<String> {
        let runs = text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
        runs.map(str::to_owned).collect()
    };
    let known = numbers(line);
    let is_known = |word: &str| {
        is_language_word(word) || identifier_like_words(line).any(|known| known == word)
    };
    !right.contains('…')
        && numbers(right).iter().all(|number| known.contains(number))
        && identifier_like_words(right).all(is_known)
}

/// Whether the text changes, and no word grows together with one beside it.
fn keeps_words_apart(text: &str, Mend { span, text: new }: &Mend) -> bool {
    let is_part = |letter: Option<char>| letter.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let Some(old) = text.get(span.clone()) else { return false };
    let before = is_part(text[..span.start].chars().next_back()) && is_part(new.chars().next());
    let after = is_part(text[span.end..].chars().next()) && is_part(new.chars().next_back());
    old != new && !before && !after
}

/// Lists the texts between backticks.
fn texts_in_backticks(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Finds a text that is no part of a longer word.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_part = |letter: Option<char>| letter.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let stands_alone = |(at, _): &(usize, &str)| {
        !is_part(text[..*at].chars().next_back())
            && !is_part(text[at + word.len()..].chars().next())
    };
    text.match_indices(word).find(stands_alone).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_without_built_in_base;

    fn check(text: &str) -> Vec<FaultWithByteSpan> {
        let read = read_without_built_in_base("g", "g.rules", text, &|_: &str| Err(String::new()));
        read.map_or_else(|error| error.faults, |rulebook| rulebook.warnings)
    }

    /// The text after the first mend; empty without one.
    fn mended(text: &str) -> String {
        let mends = find_mends(text, &check(text), check);
        let first = mends.into_iter().flatten().next();
        first.map_or(String::new(), |mend| mend.apply(text))
    }

    fn action(lines: &[&str]) -> String {
        let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        format!("field skill: 2..12 = 8\naction a:\n{lines}")
    }

    #[test]
    fn a_misspelt_name_becomes_the_nearest_one() {
        let text = action(&["hit = 2d6 >= skil", "show hit"]);
        assert_eq!(mended(&text), text.replace("skil\n", "skill\n"));
    }

    #[test]
    fn the_way_of_another_language_becomes_that_of_this_one() {
        for (wrong, right) in [
            ("unless skill > 3: x = 2", "if not skill > 3: x = 2"),
            ("if 2d6 => skill: x = 2", "if 2d6 >= skill: x = 2"),
        ] {
            let text = action(&["x = 1", wrong, "show x"]);
            assert_eq!(mended(&text), action(&["x = 1", right, "show x"]), "{wrong}");
        }
    }

    #[test]
    fn a_remark_has_a_mend_too() {
        let text = "action a:\n    hits = 3d6 >= 4\n    show hits\n";
        let text = text.to_owned();
        assert!(mended(&text).contains("hits = count(3d6 >= 4)\n"), "{}", mended(&text));
    }

    #[test]
    fn where_no_text_is_right_there_is_no_mend() {
        // The help about the last one is an example with other numbers.
        for lines in [
            &["x = ", "show x"][..],
            &["x = unheard_of_name", "show x"],
            &["show"],
            &["x = 2d6kh1", "show x"],
        ] {
            let text = action(lines);
            assert!(!check(&text).is_empty());
            assert_eq!(mended(&text), "", "{text}");
        }
    }

    #[test]
    fn words_are_found_whole() {
        assert_eq!(find_word("hits hit", "hit"), Some(5));
        assert_eq!(find_word("ähit", "hit"), None);
        assert_eq!(find_word("", "hit"), None);
    }
}
