//! Families of dice expressions: braces list what differs, `{1..20}d{4,6,8,10,12} count {2..12}+`.

use enfilade_model::form::sanitize::shorten_and_make_safe;

use crate::want::TextFaultWithRemedy;

/// The largest number of members of a family.
const MAX_MEMBERS: u64 = 1_000_000;

/// A family of expressions: fixed texts, and between each two of them a choice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DiceExpressionFamily {
    /// The text of the family.
    pub text: String,
    /// One more than choices.
    fixed: Vec<String>,
    choices: Vec<Vec<String>>,
}

impl DiceExpressionFamily {
    /// Parses a family. A die with listed faces has double braces: `2d{{1,1,2}}`.
    pub fn parse_dice_with_choices(
        text: &str,
    ) -> Result<DiceExpressionFamily, TextFaultWithRemedy> {
        let text = text.trim();
        let (mut fixed, mut choices) = (vec![String::new()], Vec::new());
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            fixed[choices.len()].push_str(&rest[..at]);
            let (inside, after) = split_off_braces(&rest[at..]).ok_or_else(|| unclosed(text))?;
            rest = after;
            match inside.strip_prefix('{') {
                Some(faces) => fixed[choices.len()].push_str(&format!("{{{faces}}}")),
                None => {
                    choices.push(parse_choice(inside)?);
                    fixed.push(String::new());
                }
            }
        }
        fixed[choices.len()].push_str(rest);
        let family = DiceExpressionFamily { text: text.to_owned(), fixed, choices };
        match family.member_count() {
            1..=MAX_MEMBERS => Ok(family),
            _ => {
                let problem =
                    format!("\"{}\" has more than a million members", shorten_and_make_safe(text));
                Err(TextFaultWithRemedy::new(
                    problem,
                    "shorten a list or widen a step, as in {4..20 by 4}",
                ))
            }
        }
    }

    /// Returns the number of members.
    pub fn member_count(&self) -> u64 {
        self.choices.iter().fold(1, |all: u64, choice| all.saturating_mul(choice.len() as u64))
    }

    /// Returns the members, the last choice first to change.
    pub fn members(&self) -> impl Iterator<Item = String> + '_ {
        (0..self.member_count()).map(|number| {
            let mut left = number;
            let mut places = vec![0; self.choices.len()];
            for (place, choice) in places.iter_mut().zip(&self.choices).rev() {
                *place = (left % choice.len() as u64) as usize;
                left /= choice.len() as u64;
            }
            let chosen = places.iter().zip(&self.choices).map(|(place, choice)| &*choice[*place]);
            let fixed = self.fixed.iter().map(String::as_str);
            fixed.zip(chosen.chain([""])).flat_map(|(fixed, chosen)| [fixed, chosen]).collect()
        })
    }
}

/// Splits the inside of braces at the start of a text from what follows; of double braces the inner
/// opening brace stays, as a sign.
fn split_off_braces(text: &str) -> Option<(&str, &str)> {
    match text.strip_prefix("{{") {
        Some(inner) => {
            let end = inner.find("}}")?;
            Some((&text[1..end + 2], &inner[end + 2..]))
        }
        None => text.strip_prefix('{')?.split_once('}'),
    }
}

fn unclosed(text: &str) -> TextFaultWithRemedy {
    let problem = format!("the braces in \"{}\" do not close", shorten_and_make_safe(text));
    TextFaultWithRemedy::new(
        problem,
        "write a family as {1..6}d{4,6,8}, listed faces as d{{1,1,2}}",
    )
}

/// Parses the values between braces: a list, or ranges with or without a step.
fn parse_choice(inside: &str) -> Result<Vec<String>, TextFaultWithRemedy> {
    let mut values = Vec::new();
    for part in inside.split(',').map(str::trim) {
        match part.split_once("..") {
            None if part.is_empty() => return Err(misread_choice(inside)),
            None => values.push(part.to_owned()),
            Some((from, to)) => {
                let range = expand_range(from, to).ok_or_else(|| misread_choice(inside))?;
                values.extend(range);
            }
        }
    }
    Ok(values)
}

/// Parses a range, `from` and `to by step`.
fn expand_range(from: &str, to: &str) -> Option<Vec<String>> {
    let (to, step) = to.split_once("by").unwrap_or((to, "1"));
    let [from, to, step] = [from, to, step].map(|word| word.trim().parse::<i64>().ok());
    let (from, to, step) = (from?, to?, usize::try_from(step?).ok().filter(|step| *step > 0)?);
    let is_short = to.checked_sub(from).is_some_and(|length| (0..10_000).contains(&length));
    is_short.then(|| (from..=to).step_by(step).map(|value| value.to_string()).collect())
}

fn misread_choice(inside: &str) -> TextFaultWithRemedy {
    let problem = format!("{{{}}} is no list of values", shorten_and_make_safe(inside));
    TextFaultWithRemedy::new(problem, "write {4,6,8}, {1..20} or {4..12 by 2}, the lower end first")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(text: &str) -> Vec<String> {
        DiceExpressionFamily::parse_dice_with_choices(text).expect("a family").members().collect()
    }

    #[test]
    fn braces_list_the_members() {
        assert_eq!(members("3d6"), ["3d6"]);
        assert_eq!(members("{1,2}d{4..8 by 2}"), ["1d4", "1d6", "1d8", "2d4", "2d6", "2d8"]);
        assert_eq!(members("d6 + {-1..1}"), ["d6 + -1", "d6 + 0", "d6 + 1"]);
        assert_eq!(members("{1..2}d{{1,1,2}}!"), ["1d{1,1,2}!", "2d{1,1,2}!"]);
        assert_eq!(members("4d6{kh3, kl3}"), ["4d6kh3", "4d6kl3"]);
    }

    #[test]
    fn misread_braces_name_a_remedy() {
        for text in ["{1..", "2d6}", "{}d6", "{6..4}d6", "{1..2 by 0}d6", "{a..b}d6", "d{{1,2}"] {
            let misread = DiceExpressionFamily::parse_dice_with_choices(text).expect_err(text);
            assert!(!misread.help.is_empty(), "{text}");
        }
        let many = DiceExpressionFamily::parse_dice_with_choices("{0..9999}d{1..9999}")
            .expect_err("too many");
        assert!(many.problem.contains("million"), "{}", many.problem);
    }
}
