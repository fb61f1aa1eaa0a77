//! `enfilade bench`: the shape of what it writes. How fast anything is, no test asks.

use assert_cmd::Command;
use serde_json::Value as Json;

fn figures(arguments: &[&str]) -> Json {
    let mut command = Command::cargo_bin("enfilade").expect("the program is built with the tests");
    let output = command.arg("bench").args(arguments).output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

fn names(object: &Json) -> Vec<&str> {
    let object = object.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

#[test]
fn figures_have_the_promised_shape() {
    let figures = figures(&["--format", "json", "--isa", "baseline", "--threads", "2"]);
    let head = ["cpu", "isa", "threads", "rng_gb_per_s", "contests"];
    assert_eq!(names(&figures), head);
    assert!(figures["cpu"].as_str().is_some_and(|cpu| !cpu.is_empty()));
    assert_eq!((&figures["isa"], &figures["threads"]), (&"baseline".into(), &2.into()));
    assert!(figures["rng_gb_per_s"].as_f64().is_some_and(|rate| rate > 0.0));
    let contests = figures["contests"].as_array().expect("a list");
    assert_eq!(contests.len(), 4);
    for contest in contests {
        let columns = ["name", "ns", "plain_ns", "ratio", "share_of_rng_bound"];
        assert_eq!(names(contest), columns);
        let number = |name: &str| contest[name].as_f64().expect("a number");
        let ratio = number("plain_ns") / number("ns");
        assert!((number("ratio") / ratio - 1.0).abs() < 1e-9, "{contest}");
        assert!(number("ns") > 0.0 && number("share_of_rng_bound") > 0.0, "{contest}");
    }
}
