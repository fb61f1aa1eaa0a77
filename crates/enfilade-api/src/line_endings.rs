//! Line ends: a page uses one kind, and a file keeps its own.
//!
//! A text box of a browser ends its lines with `\n`, whatever was put into it. So a page gets a
//! text in that form, and a text from the page is written in the form of the file: with its `\r\n`,
//! and the byte order mark that some editors put before it.

/// The byte order mark.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Converts a text of a file for a page.
pub fn to_page_line_ends(text: &str) -> String {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).replace("\r\n", "\n")
}

/// Converts a text of a page to replace the file text `there`. Unchanged lines keep their ends; new
/// lines end as most lines of the file do.
pub fn to_file_line_ends(text: &str, there: &str) -> String {
    let mark = if there.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.to_string()
    } else {
        String::new()
    };
    let there = there.strip_prefix(BYTE_ORDER_MARK).unwrap_or(there);
    let (new, old): (Vec<&str>, Vec<&str>) =
        (text.split_inclusive('\n').collect(), there.split_inclusive('\n').collect());
    let same = |(new, old): &(&&str, &&str)| **new == old.replace("\r\n", "\n");
    let above = new.iter().zip(&old).take_while(same).count();
    // Only lines behind those, so that none is counted twice.
    let below = new[above..].iter().rev().zip(old[above..].iter().rev()).take_while(same).count();
    let returns = old.iter().filter(|line| line.ends_with("\r\n")).count();
    let end = if 2 * returns > old.len() { "\r\n" } else { "\n" };
    let between = new[above..new.len() - below].concat().replace('\n', end);
    let (head, tail) = (old[..above].concat(), old[old.len() - below..].concat());
    format!("{mark}{head}{between}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_nobody_changed_is_the_same_byte_by_byte() {
        for text in ["", "a", "a\r\n", "\u{feff}a\r\nb\n\r\nc", "a\nb\r\n", "\r\n\r\n", "a\n"] {
            assert_eq!(to_file_line_ends(&to_page_line_ends(text), text), text, "{text:?}");
        }
    }

    #[test]
    fn new_lines_end_as_the_others_do() {
        let there = "\u{feff}a\r\nb\r\nc\r\n";
        assert_eq!(to_page_line_ends(there), "a\nb\nc\n");
        assert_eq!(to_file_line_ends("a\nx\ny\nc\n", there), "\u{feff}a\r\nx\r\ny\r\nc\r\n");
        assert_eq!(to_file_line_ends("a\nb\nc\nd\n", there), "\u{feff}a\r\nb\r\nc\r\nd\r\n");
        assert_eq!(to_file_line_ends("b\n", there), "\u{feff}b\r\n");
        assert_eq!(to_file_line_ends("", there), "\u{feff}");
    }

    /// One line of three ends as on Windows: it stays so, and a new line does not.
    #[test]
    fn of_mixed_ends_each_line_keeps_its_own() {
        let there = "a\nb\r\nc\n";
        assert_eq!(to_file_line_ends("a\nb\nx\nc\n", there), "a\nb\r\nx\nc\n");
        assert_eq!(to_file_line_ends("x\nb\nc\n", there), "x\nb\r\nc\n");
    }

    /// A file that is new has the ends of its page; where lines repeat, none is counted twice.
    #[test]
    fn of_nothing_and_of_repeats() {
        assert_eq!(to_file_line_ends("a\nb\n", ""), "a\nb\n");
        assert_eq!(to_file_line_ends("a\n", "a\r\na\r\n"), "a\r\n");
        assert_eq!(to_file_line_ends("a\na\na\n", "a\r\na\r\n"), "a\r\na\r\na\r\n");
        assert_eq!(to_file_line_ends("a", "a\r\n"), "a");
    }
}
