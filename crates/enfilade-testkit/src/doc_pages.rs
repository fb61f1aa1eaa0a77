//! Pages of the documentation, and the rulebooks in them.

/// Returns the blocks of a page between fences of this language.
pub fn code_blocks(page: &str, language: &str) -> Vec<String> {
    let (mut blocks, mut open): (Vec<String>, Option<String>) = (Vec::new(), None);
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(said)) => open = (said == language).then(String::new).or(Some("\0".into())),
            (Some(block), Some(_)) => {
                if !block.starts_with('\0') {
                    blocks.push(block.clone());
                }
                open = None;
            }
            (Some(block), None) => *block += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    blocks
}

/// Returns the game of the reference with the lines of one example in their places.
///
/// # Panics
/// If `game` is not built as that game is.
pub fn with_example(game: &str, lines: &[String]) -> String {
    const TOP: [&str; 17] = [
        "field", "words", "data", "table", "record", "part", "check", "remark", "marks", "group",
        "reading", "left", "absent", "price", "example", "action", "die",
    ];
    let (mut top, mut body, mut report) = (String::new(), String::new(), String::new());
    let mut place = 1;
    for line in lines {
        if !line.starts_with(' ') {
            let word = line.split(' ').next().expect("a line has a word");
            let reports = ["show", "keep", "measure", "carry"].contains(&word);
            place = if TOP.contains(&word) { 0 } else { 1 + usize::from(reports) };
        }
        let indent = if place == 0 { "" } else { "    " };
        *[&mut top, &mut body, &mut report][place] += &format!("{indent}{line}\n");
    }
    let (head, rest) = game.split_once("action play:\n").expect("the action of the reference");
    let (start, rest) = rest.split_once("    show x\n").expect("what it shows");
    let (kept, examples) = rest.split_once("example play:").expect("its example");
    format!(
        "{head}{top}action play:\n{start}{body}    show x\n{kept}{report}example play:{examples}"
    )
}
