//! Letters of other alphabets that look like plain ones: the table of Unicode for them.
//!
//! The table has each letter and digit that looks like plain letters and digits; a test compares it
//! with the whole table of Unicode. The crate that has it brings all other scripts and the
//! decomposition of letters: a twentieth of the packed module of a page.

/// Lines of plain letters, a space, and all letters that look like them.
const LOOKALIKES: &str = include_str!("lookalikes.txt");

/// Writes a name in the plain letters that it looks like; letters that look like no plain ones
/// stay.
pub fn name_in_plain_letters(name: &str) -> String {
    let mut look = String::with_capacity(name.len());
    for letter in name.chars() {
        match plain_letters_for_lookalike(letter) {
            Some(plain) => look.push_str(plain),
            None => look.push(letter),
        }
    }
    look
}

fn plain_letters_for_lookalike(letter: char) -> Option<&'static str> {
    let lines = LOOKALIKES.lines().filter_map(|line| line.split_once(' '));
    lines.into_iter().find_map(|(plain, alike)| alike.contains(letter).then_some(plain))
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_security::confusable_detection::skeleton;

    #[test]
    fn letters_that_look_plain_are_those_of_unicode() {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut count = 0;
        for letter in ('\0'..=char::MAX).filter(|c| c.is_alphanumeric() || *c == '_') {
            let skeleton: String = skeleton(letter.encode_utf8(&mut [0; 4])).collect();
            let expected = Some(&*skeleton)
                .filter(|look| look.chars().all(plain) && !look.chars().eq([letter]));
            assert_eq!(plain_letters_for_lookalike(letter), expected, "{letter}");
            count += usize::from(expected.is_some());
        }
        assert!(count > 1600, "{count}");
    }

    #[test]
    fn a_name_looks_like_another() {
        // Cyrillic о and с, and a mathematical letter.
        assert_eq!(name_in_plain_letters("g\u{43e}"), "go");
        assert_eq!(name_in_plain_letters("\u{441}over"), name_in_plain_letters("cover"));
        assert_eq!(name_in_plain_letters("\u{1d420}o"), "go");
        assert_eq!(name_in_plain_letters("идти"), "идти");
        assert_ne!(name_in_plain_letters("идти"), name_in_plain_letters("идmи"));
    }
}
