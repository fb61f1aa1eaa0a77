//! Lines for a terminal of 80 columns.

/// Columns of a terminal.
pub(crate) const TERMINAL_WIDTH: usize = 80;

/// Wraps a sentence.
pub(crate) fn wrap_sentence(sentence: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in sentence.split(' ') {
        let line = lines.last_mut().map_or(0, |line| line.chars().count());
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(last) if line + 1 + word.chars().count() <= TERMINAL_WIDTH => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Wraps texts behind a head.
pub(crate) fn wrap_behind_head(head: &str, texts: &[String]) -> Vec<String> {
    const WRAPPED_LINE_INDENT: usize = 10;
    let mut lines: Vec<String> = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let text = if at + 1 < texts.len() { format!("{text},") } else { text.clone() };
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + text.chars().count() <= TERMINAL_WIDTH => {
                *line += " ";
                *line += &text;
            }
            Some(_) => lines.push(format!("{:<WRAPPED_LINE_INDENT$}{text}", "")),
            None => lines.push(format!("{head:<WRAPPED_LINE_INDENT$}{text}")),
        }
    }
    lines
}
