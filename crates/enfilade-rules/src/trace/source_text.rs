//! Conversion of source lines to readable text: names in words, possessives for members, printed
//! operators.
//!
//! `given_out >= theirs.hale` becomes "given out ≥ theirs' hale". The meaning of a line is not
//! considered.

/// Operators with their printed form, the longer ones first.
const OPERATORS_AS_PRINTED: [(&str, &str); 5] =
    [("!=", "≠"), (">=", "≥"), ("<=", "≤"), ("--", "−−"), ("*", "×")];

/// Converts a part of a line to readable text.
pub fn source_as_prose(source: &str) -> String {
    let mut text = String::new();
    let mut left = source;
    while let Some(first) = left.chars().next() {
        if first == '"' {
            let end = left[1..].find('"').map_or(left.len(), |end| end + 2);
            text.push_str(left[..end].trim_matches('"'));
            left = &left[end..];
        } else if first.is_alphanumeric() || first == '_' {
            let end = left.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
            let (name, rest) = left.split_at(end.unwrap_or(left.len()));
            text.push_str(&name_as_prose(name));
            // A space separates a call from its arguments, but not dice from their sides.
            if rest.starts_with('(') && !is_dice_name(name) {
                text.push(' ');
            }
            left = rest;
        } else if let Some(rest) = left.strip_prefix("==") {
            // A test, because an assignment is `=`.
            let before = if text.is_empty() || text.ends_with(' ') { "" } else { " " };
            let behind = if rest.is_empty() || rest.starts_with(' ') { "" } else { " " };
            text.extend([before, "is", behind]);
            left = rest;
        } else if let Some((sign, printed)) =
            OPERATORS_AS_PRINTED.iter().find(|(sign, _)| left.starts_with(sign))
        {
            text.push_str(printed);
            left = &left[sign.len()..];
        } else {
            text.push(if first == '-' { '−' } else { first });
            left = &left[first.len_utf8()..];
        }
    }
    text
}

/// Returns whether a word is dice and not a name: `d6`, `2d`, `d`.
fn is_dice_name(name: &str) -> bool {
    let sides = name.trim_start_matches(|c: char| c.is_ascii_digit());
    sides.strip_prefix('d').is_some_and(|sides| sides.chars().all(|c| c.is_ascii_digit()))
}

/// Converts a name: `their_crew.nerve` becomes "their crew's nerve".
fn name_as_prose(name: &str) -> String {
    let owned = |owner: &str| match owner {
        "his" | "its" => " ",
        // A name of one letter is singular.
        _ if owner.chars().count() == 1 => "'s ",
        _ if owner.ends_with('s') => "' ",
        _ => "'s ",
    };
    let mut words =
        name.trim_end_matches('.').split('.').map(|word| word.replace('_', " ")).peekable();
    let mut text = String::new();
    while let Some(word) = words.next() {
        text.push_str(&word);
        if words.peek().is_some() {
            text.push_str(owned(word.as_str()));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::source_as_prose;

    #[test]
    fn a_line_is_read_as_it_is_said() {
        let lines = [
            ("given_out", "given out"),
            (
                "taken < ours.hale and given_out >= theirs.hale",
                "taken < ours' hale and given out ≥ theirs' hale",
            ),
            (
                "fate_of(b, their_crew.nerve) is not afloat",
                "fate of (b, their crew's nerve) is not afloat",
            ),
            ("injury(2d6 - m.grit, weapon.power)", "injury (2d6 − m's grit, weapon's power)"),
            ("lost == 0", "lost is 0"),
            ("lost==0", "lost is 0"),
            ("==", "is"),
            ("lost = 0", "lost = 0"),
            ("his.tough - s.hurt", "his tough − s's hurt"),
            (
                "answer += 2d(theirs.weapon.blade) high 1",
                "answer += 2d(theirs' weapon's blade) high 1",
            ),
            ("x_of[place] != -3 * d(6)", "x of[place] ≠ −3 × d(6)"),
            ("\"let it be\"", "let it be"),
            ("\"open", "open"),
            ("_x + 1", " x + 1"),
            ("", ""),
        ];
        for (source, said) in lines {
            assert_eq!(source_as_prose(source), said);
        }
    }
}
