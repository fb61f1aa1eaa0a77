//! Two experiments side by side as JSON and as a table of typed columns.

use indexmap::IndexSet;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::TwoComparedFiles;
use crate::answers::answers_json::SimulatedWithIntervalJson;
use crate::tables::{ColumnBuilderFromRows, TypedTable};
use enfilade_study::answer::{Answer, Estimate, MeasureAnswer};
use enfilade_study::comparison::{
    CellPair, ExperimentComparison, MeasureDifference, ParameterChange,
};
use enfilade_study::parameters;

/// Builds the document of the whole comparison.
#[derive(Clone, Debug, Serialize)]
pub struct ComparisonDocument {
    enfilade: &'static str,
    a: String,
    b: String,
    changed: Vec<ParameterChangeJson>,
    only_a: Vec<CellPlaceJson>,
    only_b: Vec<CellPlaceJson>,
    cells: Vec<CellPairJson>,
}

/// A parameter that differs.
#[derive(Clone, Debug, Serialize)]
struct ParameterChangeJson {
    contest: String,
    name: String,
    a: Option<String>,
    b: Option<String>,
    cells: usize,
}

/// The place of a cell on its grid.
#[derive(Clone, Debug, Serialize)]
struct CellPlaceJson {
    contest: String,
    axes: Map<String, Json>,
}

/// A cell that both experiments have.
#[derive(Clone, Debug, Serialize)]
struct CellPairJson {
    #[serde(flatten)]
    place: CellPlaceJson,
    measures: Vec<MeasureDifferenceJson>,
}

/// A measure in A, in B and B less A.
#[derive(Clone, Debug, Serialize)]
struct MeasureDifferenceJson {
    name: String,
    a: ExactAndSimulatedJson,
    b: ExactAndSimulatedJson,
    difference: ExactAndSimulatedJson,
}

/// A number, exact and as simulated.
#[derive(Clone, Debug, Serialize)]
struct ExactAndSimulatedJson {
    exact: Option<f64>,
    #[serde(flatten)]
    trials: SimulatedWithIntervalJson,
}

/// Builds the document of the whole comparison.
pub fn comparison_document(
    comparison: &ExperimentComparison<'_>,
    sides: &TwoComparedFiles,
) -> ComparisonDocument {
    let alone = |cells: &[&Answer]| cells.iter().map(|cell| build_place_json(cell)).collect();
    ComparisonDocument {
        enfilade: env!("CARGO_PKG_VERSION"),
        a: sides.a.name.clone(),
        b: sides.b.name.clone(),
        changed: comparison.changes.iter().map(build_change_json).collect(),
        only_a: alone(&comparison.only_a),
        only_b: alone(&comparison.only_b),
        cells: comparison.pairs.iter().map(build_pair_json).collect(),
    }
}

fn build_change_json(change: &ParameterChange) -> ParameterChangeJson {
    ParameterChangeJson {
        contest: change.contest.clone(),
        name: change.name.clone(),
        a: change.a.as_ref().map(ToString::to_string),
        b: change.b.as_ref().map(ToString::to_string),
        cells: change.cells,
    }
}

fn build_place_json(cell: &Answer) -> CellPlaceJson {
    let axis = |(path, value): &(String, enfilade_model::form::Value)| {
        (path.clone(), parameters::value_to_json(value))
    };
    CellPlaceJson { contest: cell.name.clone(), axes: cell.axes.iter().map(axis).collect() }
}

fn build_pair_json(pair: &CellPair<'_>) -> CellPairJson {
    CellPairJson {
        place: build_place_json(pair.a),
        measures: pair.differences.iter().map(build_difference_json).collect(),
    }
}

fn build_difference_json(difference: &MeasureDifference<'_>) -> MeasureDifferenceJson {
    let side = |measure: &MeasureAnswer| build_numbers_json(measure.exact, measure.simulated);
    MeasureDifferenceJson {
        name: difference.head.name.to_string(),
        a: side(difference.a),
        b: side(difference.b),
        difference: build_numbers_json(difference.exact, difference.simulated.or(difference.mixed)),
    }
}

fn build_numbers_json(exact: Option<f64>, simulated: Option<Estimate>) -> ExactAndSimulatedJson {
    ExactAndSimulatedJson {
        exact,
        trials: SimulatedWithIntervalJson::from_optional_estimate(simulated),
    }
}

/// The exact and the simulated number of A, of B, or of their difference.
type ExactAndSimulated = (Option<f64>, Option<Estimate>);

/// Selects A, B, or the difference.
type ValuesOfSideFn = fn(&MeasureDifference<'_>) -> ExactAndSimulated;

/// Selects one number of a side.
type NumberOfSideFn = fn(ExactAndSimulated) -> Option<f64>;

/// Builds a table with one row per cell and measure: `contest`, the axes, `measure`, then `exact`,
/// `sim`, `low` and `high` of A, of B and of B less A. Probabilities are shares of 1.
pub fn difference_table(comparison: &ExperimentComparison<'_>) -> TypedTable {
    let rows: Vec<_> = comparison
        .pairs
        .iter()
        .flat_map(|pair| pair.differences.iter().map(move |found| (pair, found)))
        .collect();
    let all = ColumnBuilderFromRows(&rows);
    let mut columns = vec![all.text_column("contest", |(pair, _)| Some(pair.a.name.clone()))];
    let paths = comparison.pairs.iter().flat_map(|pair| &pair.a.axes);
    let paths: IndexSet<_> = paths.map(|(path, _)| path.clone()).collect();
    for path in paths {
        columns.push(all.text_column(&path.replace('.', "_"), |(pair, _)| {
            let axis = pair.a.axes.iter().find(|(known, _)| *known == path);
            axis.map(|(_, value)| value.to_string())
        }));
    }
    columns.push(all.text_column("measure", |(_, found)| Some(found.head.name.to_string())));
    let sides: [(&str, ValuesOfSideFn); 3] = [
        ("a", |found| (found.a.exact, found.a.simulated)),
        ("b", |found| (found.b.exact, found.b.simulated)),
        // The difference of an exact and a simulated number is a simulated number.
        ("difference", |found| (found.exact, found.simulated.or(found.mixed))),
    ];
    for (side, numbers) in sides {
        let kinds: [(&str, NumberOfSideFn); 4] = [
            ("exact", |(exact, _)| exact),
            ("sim", |(_, simulated)| simulated.map(|e| e.value)),
            ("low", |(_, simulated)| simulated.map(|e| e.low)),
            ("high", |(_, simulated)| simulated.map(|e| e.high)),
        ];
        for (kind, pick) in kinds {
            let name = format!("{side}_{kind}");
            columns.push(all.number_column(&name, |(_, found)| pick(numbers(found))));
        }
    }
    TypedTable { name: "compare", columns }
}
