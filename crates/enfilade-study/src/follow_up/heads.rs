//! Columns of all steps side by side, and the merging of those of a repeated turn.

use std::sync::Arc;

use enfilade_model::combat::{
    Columns, FieldHead, Heads, MAX_COLUMNS, Measure, MeasureHead, MeasureKind, Merge, OutcomeField,
};
use enfilade_model::form::Fault;
use enfilade_model::shared::Text;

/// Columns of a step, and its repetition.
pub(super) struct Stepped<'a> {
    /// Key of its table; empty for the first.
    pub(super) key: &'a str,
    pub(super) heads: &'a Heads,
    /// Whether the step is repeated.
    pub(super) repeated: bool,
    /// Report of the number of turns, if the step ends one.
    pub(super) turns: Turns,
}

/// Report of the number of turns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turns {
    /// Not reported.
    Untold,
    /// Part of the state, so that it has a distribution.
    Remembered,
    /// Tallied under this counter, so that it has a mean.
    Tallied(u8),
}

/// Joins the columns of the steps, and returns the position of each step's columns among them.
pub(super) fn joined(steps: &[Stepped<'_>]) -> Result<(Heads, Vec<Columns>), Vec<Fault>> {
    let (mut fields, mut measures) = (Vec::new(), Vec::new());
    let mut columns = Vec::new();
    for (place, step) in steps.iter().enumerate() {
        let last = place + 1 == steps.len();
        let merge = |adds: bool, kind: Option<MeasureKind>| match (step.repeated && adds, kind) {
            (false, _) => Merge::Last,
            (true, Some(MeasureKind::Event)) => Merge::Any,
            (true, _) => Merge::Sum,
        };
        columns.push(Columns {
            fields: fields.len(),
            measures: measures.len(),
            of_fields: step.heads.fields.iter().map(|head| merge(head.adds, None)).collect(),
            of_measures: step
                .heads
                .measures
                .iter()
                .map(|head| merge(head.adds, Some(head.kind)))
                .collect(),
            turns: None,
        });
        fields.extend(step.heads.fields.iter().map(|head| step.field(head)));
        measures.extend(step.heads.measures.iter().map(|head| step.measure(head, last)));
    }
    for (step, columns) in steps.iter().zip(&mut columns) {
        let name = |sign: &str| format!("{sign}{}_turns", step.key);
        let (about, label) = ("turns that were taken", "turns");
        match step.turns {
            Turns::Untold => {}
            Turns::Remembered => {
                columns.turns = Some((fields.len(), measures.len()));
                let head = OutcomeField::<()>::new(name(""), about, |()| 0);
                fields.push(step.worded(head.label(label).unit("turns").into_head()));
                let head = Measure::<()>::mean(name("e_"), about, |()| 0);
                measures.push(Arc::new(
                    step.told(head.label("turns on average").unit("turns").into_head()),
                ));
            }
            Turns::Tallied(counter) => {
                let head = Measure::<()>::tally(name("e_"), about, counter);
                measures.push(Arc::new(
                    step.told(head.label("turns on average").unit("turns").into_head()),
                ));
            }
        }
    }
    let most = fields.len().max(measures.len());
    if most > MAX_COLUMNS {
        let problem =
            format!("the chain reports {most} numbers, and a contest at most {MAX_COLUMNS}");
        return Err(vec![Fault::new("action", problem).help("ask for fewer actions in a row")]);
    }
    Ok((Heads { fields: fields.into(), measures: measures.into() }, columns))
}

impl Stepped<'_> {
    fn name(&self, name: &Text) -> Text {
        match self.key {
            "" => name.clone(),
            key => Text::from(format!("{key}_{name}")),
        }
    }

    fn words(&self, label: Text) -> Text {
        match self.key {
            "" => label,
            key => Text::from(format!("{}: {label}", key.replace('_', " "))),
        }
    }

    fn field(&self, head: &FieldHead) -> FieldHead {
        FieldHead { name: self.name(&head.name), ..self.worded(head.clone()) }
    }

    fn worded(&self, head: FieldHead) -> FieldHead {
        if self.key.is_empty() {
            return head;
        }
        FieldHead {
            about: self.words(head.about.clone()),
            label: self.words(head.label_or_name()),
            ..head
        }
    }

    /// Builds the head of a measure: only the last action has a headline.
    fn measure(&self, head: &Arc<MeasureHead>, last: bool) -> Arc<MeasureHead> {
        let headline = head.headline && last;
        let head = self.told(MeasureHead::clone(head));
        Arc::new(MeasureHead { name: self.name(&head.name), headline, ..head })
    }

    fn told(&self, head: MeasureHead) -> MeasureHead {
        if self.key.is_empty() {
            return head;
        }
        MeasureHead {
            about: self.words(head.about.clone()),
            label: self.words(head.label_or_name()),
            ..head
        }
    }
}
