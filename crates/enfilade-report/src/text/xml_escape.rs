//! Escape of texts from files for HTML, SVG and any other XML, so that nothing in them is markup.

use crate::text::sentences::replace_control_chars;

/// Escapes a text for content or a quoted attribute. Characters that would control a reader's
/// screen, and those that XML forbids, become `�`.
pub fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in replace_control_chars(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // `&apos;` is no name in older HTML.
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_a_file_is_markup() {
        assert_eq!(
            escape_xml(
                "</p><script>alert(1)</script>\" onload='x' \u{202e}& ]]> \u{0}\u{1b}\u{ffff}"
            ),
            "&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&#39;x&#39; \u{fffd}&amp; \
             ]]&gt; \u{fffd}\u{fffd}\u{fffd}"
        );
    }
}
