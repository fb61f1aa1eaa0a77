//! Hints for syntax of other languages and of printed rules, each with its equivalent here.

use crate::syntax::token_cursor::Token;

/// Foreign words and operators with their equivalents here.
const FOREIGN_WORDS_WITH_HINTS: [(&str, &str); 35] = [
    ("#", "a remark begins with `--`"),
    ("/", "a remark begins with `--`"),
    ("&", "both: `a and b`"),
    ("|", "one of both: `a or b`"),
    ("!", "dice that go on: `d6 again on 6 up to 3`; not equal: `a != b`; not: `not a`"),
    ("%", "the remainder: `a - a / b * b`; dice of a hundred: `d100`"),
    ("?", "one of two: `a if c else b`"),
    ("<", "between two: `a < x and x < b`"),
    ("<=", "between two: `a <= x and x <= b`"),
    (">", "between two: `a > x and x > b`"),
    (">=", "between two: `a >= x and x >= b`"),
    ("≥", "at least is written `>=`"),
    ("≤", "at most is written `<=`"),
    ("≠", "not equal is written `!=`"),
    ("×", "times is written `*`"),
    ("–", "a minus is the `-` of the keyboard, a range is `1..10`"),
    ("−", "a minus is the `-` of the keyboard"),
    ("“", "use straight quotes: \"…\""),
    ("”", "use straight quotes: \"…\""),
    ("„", "use straight quotes: \"…\""),
    (".", "numbers are whole: half of x is `x / 2`"),
    ("keep", "the best two of three: `3d6 high 2`"),
    ("highest", "the best two of three: `3d6 high 2`"),
    ("lowest", "the worst two of three: `3d6 low 2`"),
    ("then", "the statement comes after `:`"),
    ("elif", "`else if c:`"),
    ("return", "`give x`"),
    ("print", "`show x` at the end of the action; for `explain` `note \"{x}\"`"),
    ("while", "`repeat:` with `if c: stop` in it"),
    ("let", "`x = 5` makes a variable"),
    ("roll", "write `x = 2d6`: a roll has a name"),
    ("throw", "write `x = 2d6`: a roll has a name"),
    ("def", "`part name(x):` is a piece of rule, which closes with `give`"),
    ("true", "`yes`"),
    ("false", "`no`"),
];

/// Returns the equivalent of a foreign word; empty if there is none.
pub fn hint_for_foreign_word(text: &str) -> &'static str {
    let known = FOREIGN_WORDS_WITH_HINTS.iter().find(|(habit, _)| *habit == text);
    let rest = text.strip_prefix(['d', 'D']).unwrap_or_default();
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    match known {
        Some((_, here)) => here,
        None if rest.len() > after.len() && after.starts_with("kl") => {
            hint_for_foreign_word("lowest")
        }
        None if rest.len() > after.len() && after.starts_with('k') => {
            hint_for_foreign_word("highest")
        }
        None if rest.len() > after.len() && after.is_empty() => "dice have a small d: `2d6`",
        None => "",
    }
}

/// Returns the comparison for one whose signs are exchanged: `=>`, `=<`.
pub fn hint_for_swapped_comparison(sign: &str) -> Option<&'static str> {
    match sign {
        ">" => Some("at least is written `>=`"),
        "<" => Some("at most is written `<=`"),
        _ => None,
    }
}

/// Returns the hint for a token in place of the expected one.
pub fn hint_for_wrong_token(token: &str, word: Token) -> &'static str {
    match word {
        Token::Text(_) if token == "a value" => "write words without quotes",
        Token::Dice(..) if token == "`=`" => "write `x = 2d6`: a roll has a name",
        Token::Sign("-") if token == "the end of the line" || token == "`:`" => {
            "a range is `1..10`, and a name has `_` where others have `-`"
        }
        Token::Name("of") if token.starts_with("a kind") => {
            "name the marks alone: `field extra: special`"
        }
        Token::Name("to") if token == "the end of the line" => "a range is `1..10`",
        Token::Name(text) | Token::Sign(text) => hint_for_foreign_word(text),
        _ => "",
    }
}
