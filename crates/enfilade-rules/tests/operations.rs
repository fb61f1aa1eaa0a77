//! Instructions are matched one by one, so that a new one that is forgotten somewhere does not
//! compile.

use std::path::Path;

/// Folders of which the instructions are looked at.
const FOLDERS: [&str; 5] = ["vm", "optimize", "lower", "cache", "trace"];

fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("there are sources") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else {
            let text = std::fs::read_to_string(&path).expect("sources are UTF-8");
            found.push((path.display().to_string(), text));
        }
    }
    found
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns the first lines of the arms of a `match` that begins on `lines[0]`, as formatted.
fn arms<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let inside = indent(lines[0]);
    let body = lines[1..].iter().take_while(|line| line.trim().is_empty() || indent(line) > inside);
    let arms = body.filter(|line| indent(line) == inside + 4);
    arms.map(|line| line.trim_start()).collect()
}

/// Returns the lines of each `match` over instructions that has a wildcard arm.
fn careless(text: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let is_careless = |at: &usize| {
        let line = lines[*at].trim_end();
        let is_match = line.ends_with('{') && line.contains("match ");
        let arms = if is_match { arms(&lines[*at..]) } else { Vec::new() };
        let of_ops = arms.iter().any(|arm| arm.trim_start_matches("| ").starts_with("Instr::"));
        let others = |arm: &&str| {
            let name = arm.split([' ', ',']).next().unwrap_or("");
            arm.contains("=>") && name.chars().all(|c| c.is_lowercase() || c == '_')
        };
        of_ops && arms.iter().any(others)
    };
    (0..lines.len()).filter(is_careless).map(|at| at + 1).collect()
}

#[test]
fn no_operation_is_left_to_an_arm_for_all_others() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut matches, mut found) = (0, Vec::new());
    for (file, text) in FOLDERS.iter().flat_map(|folder| sources(&root.join(folder))) {
        matches += text.matches("Instr::Halt").count();
        found.extend(careless(&text).into_iter().map(|line| format!("{file}:{line}")));
    }
    assert!(matches > 10, "the operations were found");
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn an_arm_for_all_others_is_seen() {
    let text = "\
let a = match op {
    Instr::Jump(to) => Some(to),
    | Instr::Skip
    | Instr::Halt => None,
};
match op {
    // One by one.
    Instr::Jump(to) => {
        match kind {
            _ => {}
        }
    }
    Instr::Skip | Instr::Halt => {}
}
let b = match op {
    Instr::Jump(to) => to,
    _ => 0,
};
let c = match op {
    Instr::Jump(to) => Instr::Jump(to + 1),
    other => other,
};
let d = match op {
    Instr::Jump(to) => to,
    _ if to == 1 => 0,
    Instr::Halt => 1,
};
";
    assert_eq!(careless(text), [15, 19, 23]);
}
