//! What an outcome counts as where each counts once, on cards and in pictures alike: the worst harm in it, else the
//! greatest gain, else the first of what is neither. What is left is called what it is.

use indexmap::IndexMap;

use super::text::sentences::{self, has_exact};
use enfilade_model::combat::FieldHead;
use enfilade_model::shared::Text;
use enfilade_study::answer::Answer;

/// What the rest is called where nothing of what is shown happens in it.
pub const NOTHING: &str = "no effect";

/// What the rest is called where this or that happens in it.
const ELSE: &str = "else";

/// The most ranks that what is neither harm nor gain makes longer: a row of a card is never broken over pages.
const MOST: usize = 11;

/// Which side of nothing a rank stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// It hurts.
    Harm,
    /// It is a gain.
    Gain,
    /// It is neither.
    Grey,
}

/// What outcomes may count as.
#[derive(Clone, Debug, PartialEq)]
pub struct Rank {
    /// The word for it.
    pub word: Text,
    /// On which side it stands.
    pub weight: Weight,
    /// The outcome fields of which one is not 0 then.
    pub fields: Vec<Text>,
}

impl Rank {
    /// How often it happens in an outcome; 0 where it does not.
    fn times(&self, fields: &[FieldHead], values: &[i32]) -> i32 {
        let pairs = fields.iter().zip(values);
        pairs.filter(|(field, _)| self.fields.contains(&field.name)).map(|(_, value)| value).sum()
    }
}

/// The first rank that an outcome counts as, and how often that happens in it; none in the rest.
pub fn place(ranks: &[Rank], fields: &[FieldHead], values: &[i32]) -> Option<(usize, i32)> {
    let times = ranks.iter().map(|rank| rank.times(fields, values)).enumerate();
    times.into_iter().find(|(_, times)| *times > 0)
}

/// What the outcomes of some cells may count as, what counts most first.
///
/// A list of words of which all but the first are harm names the rest by that first word, so that nothing
/// else parts it. Else gains and what is neither do; a count that is neither only where it tells outcomes of a cell
/// apart, so that what is left of something, in every outcome, is no event.
pub fn ranks(cells: &[&Answer]) -> Vec<Rank> {
    let fields = sentences::fields(cells.iter().copied());
    let degree = |field: &FieldHead| field.harm.as_ref().map_or(0, |harm| harm.degree);
    let mut ranks = worded(Weight::Harm, &fields, |field| degree(field) > 0, |degree| -degree);
    if fields.iter().any(|field| degree(field) > 0 && !field.otherwise.is_empty()) {
        return ranks;
    }
    ranks.extend(worded(Weight::Gain, &fields, |field| degree(field) < 0, |degree| degree));
    for field in fields.iter().filter(|field| field.harm.is_none()) {
        if ranks.len() < MOST && (is_event(cells, field) || parts(cells, &ranks, field)) {
            let (word, fields) = (field.label_or_name(), vec![field.name.clone()]);
            ranks.push(Rank { word, weight: Weight::Grey, fields });
        }
    }
    ranks
}

/// The fields of one side by their words, in this order of their degrees.
fn worded(
    weight: Weight,
    fields: &[FieldHead],
    own: impl Fn(&FieldHead) -> bool,
    order: impl Fn(i16) -> i16,
) -> Vec<Rank> {
    let own = fields.iter().filter(|field| own(field));
    let mut graded: Vec<_> = own.filter_map(|field| Some((field.harm.as_ref()?, field))).collect();
    graded.sort_by_key(|(harm, _)| order(harm.degree));
    let mut words: IndexMap<&Text, Vec<Text>> = IndexMap::new();
    for (harm, field) in graded {
        words.entry(&harm.word).or_default().push(field.name.clone());
    }
    let rank = |(word, fields): (&Text, _)| Rank { word: word.clone(), weight, fields };
    words.into_iter().map(rank).collect()
}

/// The outcomes of a cell that happen.
fn likely(cell: &Answer) -> impl Iterator<Item = &[i32]> {
    let outcomes = cell.outcomes.iter().filter(|outcome| outcome.likelihood() > 0.0);
    outcomes.map(|outcome| &*outcome.values)
}

fn value(cell: &Answer, values: &[i32], name: &str) -> i32 {
    cell.fields.iter().position(|field| field.name == name).map_or(0, |at| values[at])
}

/// Whether a field only ever says that something happens.
fn is_event(cells: &[&Answer], field: &FieldHead) -> bool {
    let is =
        |cell: &&Answer| likely(cell).all(|all| (0..=1).contains(&value(cell, all, &field.name)));
    field.unit.is_empty() && !field.counts && !field.tries && cells.iter().all(is)
}

/// Whether a field tells outcomes of one cell apart that count as nothing yet.
fn parts(cells: &[&Answer], ranks: &[Rank], field: &FieldHead) -> bool {
    cells.iter().any(|cell| {
        let left = || likely(cell).filter(|all| place(ranks, &cell.fields, all).is_none());
        let happens = |all: &[i32]| value(cell, all, &field.name) > 0;
        left().any(happens) && !left().all(happens)
    })
}

/// The ranks that some outcome counts as, and the words of those that happen only in outcomes that count as
/// something else. Without an exact law, harm that was never seen may happen.
pub fn parted(cells: &[&Answer]) -> (Vec<Rank>, Vec<Text>) {
    let ranks = ranks(cells);
    let (mut counts, mut happens) = (vec![false; ranks.len()], vec![false; ranks.len()]);
    for cell in cells {
        for values in likely(cell) {
            let times = ranks.iter().map(|rank| rank.times(&cell.fields, values) > 0);
            happens.iter_mut().zip(times).for_each(|(known, here)| *known |= here);
            if let Some((at, _)) = place(&ranks, &cell.fields, values) {
                counts[at] = true;
            }
        }
    }
    let open = cells.iter().any(|cell| !has_exact(cell));
    let (mut kept, mut covered) = (Vec::new(), Vec::new());
    for ((rank, counts), happens) in ranks.into_iter().zip(counts).zip(happens) {
        match (counts, happens) {
            (true, _) => kept.push(rank),
            (false, true) => covered.push(rank.word),
            (false, false) if open && rank.weight == Weight::Harm => kept.push(rank),
            (false, false) => {}
        }
    }
    (kept, covered)
}

/// What the outcomes that count as none of something are called; nothing where there are none.
///
/// By the first words of the lists of which no further word happens in them: those of harm, else of gain, else of
/// what is neither. Where there are none, by whether anything happens.
pub fn rest(cells: &[&Answer], counts: impl Fn(&Answer, &[i32]) -> bool) -> Option<String> {
    let left = |cell: &Answer| -> Vec<Vec<i32>> {
        likely(cell).filter(|values| !counts(cell, values)).map(<[i32]>::to_vec).collect()
    };
    let all: Vec<_> = cells.iter().map(|cell| (cell, left(cell))).collect();
    let mut some: Vec<_> = all.iter().filter(|(_, left)| !left.is_empty()).collect();
    if some.is_empty() {
        // Without an exact law there may be some.
        some = all.iter().filter(|(cell, _)| !has_exact(cell)).collect();
    }
    let mut names: Vec<_> = some.into_iter().map(|(cell, left)| called(cell, left)).collect();
    names.dedup();
    match names.len() {
        0 | 1 => names.pop(),
        _ => Some(ELSE.to_owned()),
    }
}

/// What these outcomes of a cell are called.
fn called(cell: &Answer, outcomes: &[Vec<i32>]) -> String {
    let side = |field: &FieldHead| field.harm.as_ref().map(|harm| harm.degree.signum());
    let never = |of: Option<i16>| {
        let own = || cell.fields.iter().enumerate().filter(move |(_, field)| side(field) == of);
        let nothing = own().all(|(at, _)| outcomes.iter().all(|values| values[at] == 0));
        let first = own().map(|(_, field)| &*field.otherwise).filter(|text| !text.is_empty());
        (nothing, if nothing { first.collect() } else { Vec::new() })
    };
    let sides: [(bool, Vec<&str>); 3] = [Some(1), Some(-1), None].map(never);
    let nothing = sides.iter().all(|(nothing, _)| *nothing);
    let first = sides.into_iter().map(|(_, first)| first).find(|first| !first.is_empty());
    match (first, nothing) {
        (Some(first), _) => first.join(", "),
        (None, true) => NOTHING.to_owned(),
        (None, false) => ELSE.to_owned(),
    }
}
