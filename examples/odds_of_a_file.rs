//! The odds of every cell of a file: `cargo run --release --example odds_of_a_file -- FILE`.
//!
//! Without a file it asks what eight firepower does to a squad of morale 7.

use enfilade::{Experiment, Settings, answers, built_in};

const EXAMPLE: &str = r#"
    [[contest]]
    system = "asl"
    action = "fire"
    fp = 8
    drm = [-1, 0, 1]
    target = { kind = "squad", morale = 7 }
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1);
    let text = path.as_ref().map_or(Ok(EXAMPLE.to_owned()), std::fs::read_to_string)?;
    let name = path.as_deref().unwrap_or("example.toml");
    let experiment = Experiment::read(&built_in(), name, &text)?;
    let answers = answers(&experiment, &Settings::exact().with_fractions())?;
    for answer in &answers {
        let axes = answer.axes.iter().map(|(axis, value)| format!("{axis} {value}"));
        println!("{} {}", answer.name, axes.collect::<Vec<_>>().join(", "));
        for measure in &answer.measures {
            println!("  {}: {}", measure.head.label, measure.fraction.as_deref().unwrap_or("–"));
        }
    }
    if path.is_none() {
        let p_break = answers[0].measure("p_break").expect("an attack can break a squad");
        assert_eq!(p_break.fraction.as_deref(), Some("589/1296"));
    }
    Ok(())
}
