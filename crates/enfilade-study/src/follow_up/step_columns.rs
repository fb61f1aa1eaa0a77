//! Columns of all steps side by side, and the merging of those of a repeated turn.

use std::sync::Arc;

use enfilade_model::combat::{
    LastSumOrAnyOfTurns, MAX_OUTCOME_COLUMNS, Measure, MeasureHead, MeasureKind, OutcomeField,
    OutcomeFieldHead, ResultColumns, StepColumnPlacement,
};
use enfilade_model::form::Fault;
use enfilade_model::static_or_shared::Text;

/// Columns of a step, and its repetition.
pub(super) struct ColumnsOfStep<'a> {
    /// Key of its table; empty for the first.
    pub(super) key: &'a str,
    pub(super) heads: &'a ResultColumns,
    /// Whether the step is repeated.
    pub(super) repeated: bool,
    /// Report of the number of turns, if the step ends one.
    pub(super) turns: TurnCountReportKind,
}

/// Report of the number of turns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TurnCountReportKind {
    /// Not reported.
    Untold,
    /// Part of the state, so that it has a distribution.
    Remembered,
    /// Tallied under this counter, so that it has a mean.
    Tallied(u8),
}

impl ColumnsOfStep<'_> {
    /// Returns the columns of the step, which begin at a field and a measure of the chain.
    fn placement_of_columns(&self, fields: usize, measures: usize) -> StepColumnPlacement {
        let merge = |adds: bool, kind: Option<MeasureKind>| match (self.repeated && adds, kind) {
            (false, _) => LastSumOrAnyOfTurns::Last,
            (true, Some(MeasureKind::Event)) => LastSumOrAnyOfTurns::Any,
            (true, _) => LastSumOrAnyOfTurns::Sum,
        };
        let heads = &self.heads;
        StepColumnPlacement {
            fields,
            measures,
            of_fields: heads.fields.iter().map(|head| merge(head.adds, None)).collect(),
            of_measures: heads
                .measures
                .iter()
                .map(|head| merge(head.adds, Some(head.kind)))
                .collect(),
            turns: None,
        }
    }
}

/// Joins the columns of the steps, and returns the position of each step's columns among them.
pub(super) fn join_step_columns(
    steps: &[ColumnsOfStep<'_>],
) -> Result<(ResultColumns, Vec<StepColumnPlacement>), Vec<Fault>> {
    let (mut fields, mut measures) = (Vec::new(), Vec::new());
    let mut columns = Vec::new();
    for (place, step) in steps.iter().enumerate() {
        let last = place + 1 == steps.len();
        columns.push(step.placement_of_columns(fields.len(), measures.len()));
        fields.extend(step.heads.fields.iter().map(|head| step.prefix_field_head(head)));
        measures
            .extend(step.heads.measures.iter().map(|head| step.prefix_measure_head(head, last)));
    }
    for (step, columns) in steps.iter().zip(&mut columns) {
        let name = |sign: &str| format!("{sign}{}_turns", step.key);
        let (about, label) = ("turns that were taken", "turns");
        match step.turns {
            TurnCountReportKind::Untold => {}
            TurnCountReportKind::Remembered => {
                columns.turns = Some((fields.len(), measures.len()));
                let head = OutcomeField::<()>::new(name(""), about, |()| 0);
                fields.push(step.label_field_head(head.label(label).unit("turns").into_head()));
                let head = Measure::<()>::mean(name("e_"), about, |()| 0);
                measures.push(Arc::new(
                    step.label_measure_head(
                        head.label("turns on average").unit("turns").into_head(),
                    ),
                ));
            }
            TurnCountReportKind::Tallied(counter) => {
                let head = Measure::<()>::mean_of_tally(name("e_"), about, counter);
                measures.push(Arc::new(
                    step.label_measure_head(
                        head.label("turns on average").unit("turns").into_head(),
                    ),
                ));
            }
        }
    }
    let most = fields.len().max(measures.len());
    if most > MAX_OUTCOME_COLUMNS {
        let problem = format!(
            "the chain reports {most} numbers, and a contest at most {MAX_OUTCOME_COLUMNS}"
        );
        return Err(vec![Fault::new("action", problem).with_help("use fewer follow-ups")]);
    }
    Ok((ResultColumns { fields: fields.into(), measures: measures.into() }, columns))
}

impl ColumnsOfStep<'_> {
    fn prefix_column_name(&self, name: &Text) -> Text {
        match self.key {
            "" => name.clone(),
            key => Text::from(format!("{key}_{name}")),
        }
    }

    fn prefix_column_label(&self, label: Text) -> Text {
        match self.key {
            "" => label,
            key => Text::from(format!("{}: {label}", key.replace('_', " "))),
        }
    }

    fn prefix_field_head(&self, head: &OutcomeFieldHead) -> OutcomeFieldHead {
        OutcomeFieldHead {
            name: self.prefix_column_name(&head.name),
            ..self.label_field_head(head.clone())
        }
    }

    fn label_field_head(&self, head: OutcomeFieldHead) -> OutcomeFieldHead {
        if self.key.is_empty() {
            return head;
        }
        OutcomeFieldHead {
            about: self.prefix_column_label(head.about.clone()),
            label: self.prefix_column_label(head.display_name()),
            ..head
        }
    }

    /// Builds the head of a measure: only the last action has a headline.
    fn prefix_measure_head(&self, head: &Arc<MeasureHead>, last: bool) -> Arc<MeasureHead> {
        let headline = head.headline && last;
        let head = self.label_measure_head(MeasureHead::clone(head));
        Arc::new(MeasureHead { name: self.prefix_column_name(&head.name), headline, ..head })
    }

    fn label_measure_head(&self, head: MeasureHead) -> MeasureHead {
        if self.key.is_empty() {
            return head;
        }
        MeasureHead {
            about: self.prefix_column_label(head.about.clone()),
            label: self.prefix_column_label(head.display_name()),
            ..head
        }
    }
}
