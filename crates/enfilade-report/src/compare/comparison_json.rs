//! Two experiments side by side as JSON and as a table of typed columns.

use indexmap::IndexSet;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::Sides;
use crate::answers::answers_json::Simulated;
use crate::tables::{Rows, Table};
use enfilade_study::answer::{Answer, Estimate, MeasureAnswer};
use enfilade_study::comparison::{Change, Comparison, Difference, Pair};
use enfilade_study::parameters;

/// Builds the document of the whole comparison.
#[derive(Clone, Debug, Serialize)]
pub struct ComparisonDocument {
    enfilade: &'static str,
    a: String,
    b: String,
    changed: Vec<ChangeJson>,
    only_a: Vec<PlaceJson>,
    only_b: Vec<PlaceJson>,
    cells: Vec<PairJson>,
}

/// A parameter that differs.
#[derive(Clone, Debug, Serialize)]
struct ChangeJson {
    contest: String,
    name: String,
    a: Option<String>,
    b: Option<String>,
    cells: usize,
}

/// The place of a cell on its grid.
#[derive(Clone, Debug, Serialize)]
struct PlaceJson {
    contest: String,
    axes: Map<String, Json>,
}

/// A cell that both experiments have.
#[derive(Clone, Debug, Serialize)]
struct PairJson {
    #[serde(flatten)]
    place: PlaceJson,
    measures: Vec<DifferenceJson>,
}

/// A measure in A, in B and B less A.
#[derive(Clone, Debug, Serialize)]
struct DifferenceJson {
    name: String,
    a: NumbersJson,
    b: NumbersJson,
    difference: NumbersJson,
}

/// A number, exact and as simulated.
#[derive(Clone, Debug, Serialize)]
struct NumbersJson {
    exact: Option<f64>,
    #[serde(flatten)]
    trials: Simulated,
}

/// Builds the document of the whole comparison.
pub fn document(comparison: &Comparison<'_>, sides: &Sides) -> ComparisonDocument {
    let alone = |cells: &[&Answer]| cells.iter().map(|cell| place(cell)).collect();
    ComparisonDocument {
        enfilade: env!("CARGO_PKG_VERSION"),
        a: sides.a.name.clone(),
        b: sides.b.name.clone(),
        changed: comparison.changes.iter().map(changed).collect(),
        only_a: alone(&comparison.only_a),
        only_b: alone(&comparison.only_b),
        cells: comparison.pairs.iter().map(pair).collect(),
    }
}

fn changed(change: &Change) -> ChangeJson {
    ChangeJson {
        contest: change.contest.clone(),
        name: change.name.clone(),
        a: change.a.as_ref().map(ToString::to_string),
        b: change.b.as_ref().map(ToString::to_string),
        cells: change.cells,
    }
}

fn place(cell: &Answer) -> PlaceJson {
    let axis = |(path, value): &(String, enfilade_model::form::Value)| {
        (path.clone(), parameters::json_value(value))
    };
    PlaceJson { contest: cell.name.clone(), axes: cell.axes.iter().map(axis).collect() }
}

fn pair(pair: &Pair<'_>) -> PairJson {
    PairJson { place: place(pair.a), measures: pair.differences.iter().map(measure).collect() }
}

fn measure(found: &Difference<'_>) -> DifferenceJson {
    let side = |measure: &MeasureAnswer| numbers(measure.exact, measure.simulated);
    DifferenceJson {
        name: found.head.name.to_string(),
        a: side(found.a),
        b: side(found.b),
        difference: numbers(found.exact, found.simulated.or(found.mixed)),
    }
}

fn numbers(exact: Option<f64>, simulated: Option<Estimate>) -> NumbersJson {
    NumbersJson { exact, trials: Simulated::of(simulated) }
}

/// The exact and the simulated number of A, of B, or of their difference.
type Both = (Option<f64>, Option<Estimate>);

/// Selects A, B, or the difference.
type Side = fn(&Difference<'_>) -> Both;

/// Selects one number of a side.
type Kind = fn(Both) -> Option<f64>;

/// Builds a table with one row per cell and measure: `contest`, the axes, `measure`, then `exact`,
/// `sim`, `low` and `high` of A, of B and of B less A. Probabilities are shares of 1.
pub fn table(comparison: &Comparison<'_>) -> Table {
    let rows: Vec<_> = comparison
        .pairs
        .iter()
        .flat_map(|pair| pair.differences.iter().map(move |found| (pair, found)))
        .collect();
    let all = Rows(&rows);
    let mut columns = vec![all.text("contest", |(pair, _)| Some(pair.a.name.clone()))];
    let paths = comparison.pairs.iter().flat_map(|pair| &pair.a.axes);
    let paths: IndexSet<_> = paths.map(|(path, _)| path.clone()).collect();
    for path in paths {
        columns.push(all.text(&path.replace('.', "_"), |(pair, _)| {
            let axis = pair.a.axes.iter().find(|(known, _)| *known == path);
            axis.map(|(_, value)| value.to_string())
        }));
    }
    columns.push(all.text("measure", |(_, found)| Some(found.head.name.to_string())));
    let sides: [(&str, Side); 3] = [
        ("a", |found| (found.a.exact, found.a.simulated)),
        ("b", |found| (found.b.exact, found.b.simulated)),
        // The difference of an exact and a simulated number is a simulated number.
        ("difference", |found| (found.exact, found.simulated.or(found.mixed))),
    ];
    for (side, numbers) in sides {
        let kinds: [(&str, Kind); 4] = [
            ("exact", |(exact, _)| exact),
            ("sim", |(_, simulated)| simulated.map(|e| e.value)),
            ("low", |(_, simulated)| simulated.map(|e| e.low)),
            ("high", |(_, simulated)| simulated.map(|e| e.high)),
        ];
        for (kind, pick) in kinds {
            let name = format!("{side}_{kind}");
            columns.push(all.number(&name, |(_, found)| pick(numbers(found))));
        }
    }
    Table { name: "compare", columns }
}
