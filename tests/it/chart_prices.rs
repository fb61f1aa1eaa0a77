//! What a chart of prices shows is what table, sentence and file say: its numbers are read back
//! from the picture, by where its marks lie between the ticks of its axes.
#![cfg(feature = "charts")]

use std::collections::HashMap;
use std::path::Path;

use assert_cmd::Command;

use crate::harness::known::near_and_far;

fn arms() -> String {
    let weapons = "[[weapon]]\nname = 'LMG'\n[[weapon]]\nname = 'laser rifle'\n\
                   [[weapon]]\nname = 'rifle'\nprice = 400";
    near_and_far("arms", weapons)
}

/// Pixels by which a mark may lie beside its number: it is set on whole ones, and so are the ticks.
const PIXELS: f64 = 1.6;

/// A picture's texts and marks.
struct Svg {
    texts: Vec<(f64, f64, String)>,
    /// Colour and centre.
    dots: Vec<(String, f64, f64)>,
    /// Colour and corners; dashes are pieces of one line.
    lines: Vec<(String, Vec<(f64, f64)>)>,
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let from = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[from..].split('"').next()
}

fn number(tag: &str, name: &str) -> f64 {
    attribute(tag, name).and_then(|value| value.parse().ok()).expect("a number")
}

/// The corners of `M82 138l25 62h9v-3`, of which the first letter is absolute and the others are
/// not.
fn corners(path: &str) -> Vec<(f64, f64)> {
    let (mut at, mut corners) = ((0.0, 0.0), Vec::new());
    let starts: Vec<usize> =
        path.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(i, _)| i).collect();
    for (place, &start) in starts.iter().enumerate() {
        let end = starts.get(place + 1).copied().unwrap_or(path.len());
        let numbers = path[start + 1..end].split([' ', ',']).filter_map(|n| n.parse::<f64>().ok());
        let numbers: Vec<f64> = numbers.collect();
        match (&path[start..=start], numbers.as_slice()) {
            ("M", [x, y]) => at = (*x, *y),
            ("l", [x, y]) => at = (at.0 + x, at.1 + y),
            ("h", [x]) => at.0 += x,
            ("v", [y]) => at.1 += y,
            ("z", []) => continue,
            other => panic!("{other:?} of {path}"),
        }
        corners.push(at);
    }
    corners
}

impl Svg {
    fn read(folder: &Path, name: &str) -> Svg {
        let files = std::fs::read_dir(folder.join("charts")).expect("there are charts");
        let paths = files.map(|file| file.expect("a file").path());
        let path = paths.into_iter().find(|path| {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            file.split_once('-').is_some_and(|(_, rest)| rest == format!("{name}.svg"))
        });
        let text = std::fs::read_to_string(path.expect(name)).expect("readable");
        let mut svg = Svg { texts: Vec::new(), dots: Vec::new(), lines: Vec::new() };
        for tag in text.lines() {
            let colour = |of| attribute(tag, of).unwrap_or_default().to_owned();
            if tag.starts_with("<circle") {
                svg.dots.push((colour("fill"), number(tag, "cx"), number(tag, "cy")));
            } else if tag.starts_with("<path fill=\"none\"") {
                let path = attribute(tag, "d").expect("a path");
                svg.lines.push((colour("stroke"), corners(path)));
            } else if tag.starts_with("<text") && !tag.contains("transform") {
                let shown = tag.split_once('>').and_then(|(_, rest)| rest.strip_suffix("</text>"));
                let shown = shown.expect("a text").to_owned();
                svg.texts.push((number(tag, "x"), number(tag, "y"), shown));
            }
        }
        svg
    }

    fn place(&self, text: &str) -> (f64, f64) {
        let found = self.texts.iter().find(|(.., shown)| shown == text);
        found.map(|(x, y, _)| (*x, *y)).unwrap_or_else(|| panic!("{text}: {:?}", self.texts))
    }

    /// Ticks of the axis below: their places and numbers.
    fn below(&self) -> Axis {
        let ticks = self.lines.iter().filter(|(_, corners)| {
            matches!(
                corners.as_slice(), [(x, y), (same, end)] if x == same && *end - y == 5.0
            )
        });
        Axis::of(ticks.map(|(_, corners)| {
            let x = corners[0].0;
            let under = |(at, y, _): &&(f64, f64, String)| *at == x && *y > corners[0].1;
            (x, self.texts.iter().find(under).expect("each has its number").2.parse().expect("one"))
        }))
    }

    /// Ticks of the axis at the left, by the lines that go across.
    fn left(&self) -> Axis {
        let across = self.lines.iter().filter(|(colour, _)| colour == "#dddddd");
        Axis::of(across.filter_map(|(_, corners)| {
            let y = corners[0].1;
            let beside =
                |(x, at, _): &&(f64, f64, String)| *x < corners[0].0 && (at - y).abs() < 6.0;
            Some((y, self.texts.iter().find(beside)?.2.parse().ok()?))
        }))
    }
}

/// An even or a logarithmic axis: where its first and last tick are, and their numbers.
struct Axis {
    ends: [(f64, f64); 2],
    factors: bool,
}

impl Axis {
    fn of(ticks: impl Iterator<Item = (f64, f64)>) -> Axis {
        let mut ticks: Vec<_> = ticks.collect();
        ticks.sort_by(|a, b| a.1.total_cmp(&b.1));
        assert!(ticks.len() >= 3, "{ticks:?}");
        let axis = |factors| Axis { ends: [ticks[0], ticks[ticks.len() - 1]], factors };
        let fits = |axis: &Axis| ticks.iter().all(|(at, n)| (axis.at(*n) - at).abs() <= PIXELS);
        let axis = [false, true].map(axis).into_iter().find(fits);
        axis.unwrap_or_else(|| panic!("neither even nor by factors: {ticks:?}"))
    }

    /// Where a number lies.
    fn at(&self, number: f64) -> f64 {
        let of = |number: f64| if self.factors { number.ln() } else { number };
        let [(from, least), (to, most)] = self.ends;
        from + (to - from) * (of(number) - of(least)) / (of(most) - of(least))
    }
}

fn near(drawn: f64, at: f64, what: &str) {
    assert!((drawn - at).abs() <= PIXELS, "{what}: drawn at {drawn}, not {at}");
}

/// A table by its first columns and the names of the others.
fn table(folder: &Path, file: &str, keys: usize) -> HashMap<String, HashMap<String, String>> {
    let text = std::fs::read_to_string(folder.join(file)).expect("readable");
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let heads: Vec<String> = lines.next().expect("a head").collect();
    let row = |line: Vec<String>| {
        let key = line[..keys].join(", ");
        (key, heads.iter().cloned().zip(line).collect())
    };
    lines.map(|line| row(line.collect())).collect()
}

fn value(row: &HashMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {row:?}"))
}

/// Prices the arsenal into a folder.
fn priced(folder: &Path) {
    let mut command = Command::cargo_bin("enfilade").expect("it is built");
    let command = command.args(["balance", "-", "--quiet", "--out"]).arg(folder);
    assert!(command.write_stdin(arms()).output().expect("it runs").status.success());
}

/// Dots, bars and diamonds lie at even price, range and price of `weapons.csv`.
#[test]
fn the_chart_of_prices_lies_where_the_table_says() {
    let out = tempfile::TempDir::new().expect("a temporary folder");
    let folder = out.path().join("prices");
    priced(&folder);
    let (weapons, svg) = (table(&folder, "weapons.csv", 1), Svg::read(&folder, "prices"));
    let axis = svg.below();
    for (name, weapon) in &weapons {
        let (_, y) = svg.place(name);
        let beside = |at: f64| (at - (y - 5.0)).abs() < 12.0;
        let dot = svg.dots.iter().find(|(.., cy)| beside(*cy)).expect("a dot");
        near(dot.1, axis.at(value(weapon, "even")), name);
        let bar = svg.lines.iter().find(|(colour, line)| *colour == dot.0 && beside(line[0].1));
        let bar = &bar.expect("a bar").1;
        near(bar[0].0, axis.at(value(weapon, "low")), name);
        near(bar[1].0, axis.at(value(weapon, "high")), name);
        let verdict = format!("{:.0}, {}", value(weapon, "price"), weapon["verdict"]);
        assert!((svg.place(&verdict).1 - y).abs() < 1.0, "{verdict}");
    }
}

/// A curve passes one half at the worth that file, heat map and sentence give for its scenario.
#[test]
fn a_curve_passes_one_half_at_the_worth_that_is_told() {
    let out = tempfile::TempDir::new().expect("a temporary folder");
    let folder = out.path().join("prices");
    priced(&folder);
    let cells = table(&folder, "cells.csv", 4);
    let map = Svg::read(&folder, "scenarios");
    let told = std::fs::read_to_string(folder.join("summary.md")).expect("readable");
    for (number, weapon) in ["LMG", "laser rifle", "rifle"].into_iter().enumerate() {
        let svg = Svg::read(&folder, &format!("battles-{}", number + 1));
        let (axis, half) = (svg.below(), svg.left().at(50.0));
        let mut worths = Vec::new();
        for scenario in ["near", "far"] {
            let worth =
                value(&cells[&format!("{weapon}, {scenario}, {scenario}, default")], "worth");
            let (x, y) = svg.place(scenario);
            let key = |(_, line): &&(String, Vec<(f64, f64)>)| {
                line[0].0 < x && x - line[0].0 < 60.0 && (line[0].1 - (y - 5.0)).abs() < 6.0
            };
            let colour = &svg.lines.iter().find(key).expect("the legend has its line").0;
            let drawn = svg.lines.iter().filter(|(of, line)| of == colour && line[0].0 < x - 60.0);
            let corners: Vec<_> = drawn.flat_map(|(_, line)| line).collect();
            let after = corners.iter().position(|(_, y)| *y >= half).expect("it falls below");
            let ((x0, y0), (x1, y1)) = (corners[after.max(1) - 1], corners[after.max(1)]);
            let crossing = x0 + (x1 - x0) * (half - y0) / (y1 - y0).max(1.0);
            // The curve is drawn straight from point to point; what it is worth is read from log
            // odds.
            let steep = (y1 - y0).max(1.0) / (x1 - x0).max(1.0);
            let slack = PIXELS + PIXELS / steep.min(1.0);
            let at = axis.at(worth);
            assert!((crossing - at).abs() <= slack, "{weapon}, {scenario}: {crossing}, not {at}");
            let ((column, _), (_, row)) = (map.place(scenario), map.place(weapon));
            let shown = map.texts.iter().find(|(x, y, _)| *x == column && *y == row);
            assert_eq!(shown.expect("a field").2, format!("{worth:.0}"), "{weapon}, {scenario}");
            worths.push((worth, scenario));
        }
        worths.sort_by(|a, b| b.0.total_cmp(&a.0));
        let [(most, best), (least, worst)] = worths[..] else { panic!("two scenarios") };
        let sentence =
            format!("worth most in “{best}” ({most:.0}), least in “{worst}” ({least:.0})");
        assert!(most - least < 1.0 || told.contains(&sentence), "{sentence}\n{told}");
    }
}
