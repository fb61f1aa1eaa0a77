//! The recommendation as it is told: what a designer needs to decide first, then the reasons and what these
//! prices do not see, and at the end everything else.

use super::findings::Findings;
use super::{ends, tables, words};
use crate::blocks::{Block, Figure, Sentence, Slip};
#[cfg(feature = "files")]
use crate::manifest::RunFacts;
#[cfg(feature = "files")]
use crate::repeating;
use crate::words::clean;
use enfilade_pricing::price::verdict::Verdict;
use enfilade_pricing::price::{Fair, Priced, Pricing};

/// What the columns of the first table mean.
const LEGEND: [&str; 3] = [
    "worth: in points of the reference troops; best guess and range: what this arsenal pays for that, \
     at 95 %",
    "try: the price to try next, on the ladder of the game",
    "cannot tell: why says what to write into the file, and the range it would give",
];

/// The recommendation; of a single weapon without what is said of all.
pub fn blocks(findings: &Findings, figures: Vec<Figure>) -> Vec<Block> {
    let mut blocks = opening(findings);
    let price = "What it should cost";
    blocks.push(Block::Heading(price.to_owned()));
    blocks.push(Block::Table(price.to_owned(), tables::recommendation(findings)));
    blocks.extend(Block::listed(LEGEND));
    let choices = ends::choices(findings);
    if !choices.is_empty() {
        let what = "What it would cost, if an assumption were another";
        blocks.push(Block::Choices(what.to_owned(), choices));
    }
    blocks.push(Block::Slips("Price cards".to_owned(), slips(findings)));
    blocks.push(Block::Heading("Why".to_owned()));
    blocks.push(Block::List(reasons(findings)));
    let blind = words::blind(findings).into_iter();
    let blind = blind.map(|(what, how)| Sentence::of(format!("{what}:"), how));
    blocks.push(Block::Boxed("What these prices do not see".to_owned(), blind.collect()));
    if !figures.is_empty() {
        blocks.push(Block::Heading("Pictures".to_owned()));
        blocks.extend(figures.into_iter().map(Block::Picture));
    }
    blocks.extend(rest(findings));
    blocks
}

/// Name, question, prediction, what all of it leans on, and the whole arsenal in a sentence.
fn opening(findings: &Findings) -> Vec<Block> {
    let asked = [("Question.", findings.question), ("Prediction.", findings.prediction)];
    let line = |said: &str| said.split_whitespace().collect::<Vec<_>>().join(" ");
    let asked = asked.into_iter().filter_map(|(what, said)| Some(Sentence::of(what, line(said?))));
    let verdicts = Sentence::strong(words::verdicts(findings.pricing));
    let verdicts = findings.only.is_none().then_some(verdicts);
    let remarks = findings.evidence.remarks.iter().map(|remark| Sentence::plain(clean(remark)));
    let said = asked.chain(remarks).chain(verdicts).map(Block::Sentence);
    [Block::Title(findings.name.to_owned())].into_iter().chain(said).collect()
}

fn reasons(findings: &Findings) -> Vec<Sentence> {
    let pricing = findings.pricing;
    let reason = |w: usize| {
        let name = clean(&pricing.weapons[w].name);
        Sentence::of(format!("{name}:"), words::why(w, pricing))
    };
    findings.told().map(reason).collect()
}

/// The other tables, and how the prices were made.
fn rest(findings: &Findings) -> Vec<Block> {
    let pricing = findings.pricing;
    let (mut blocks, mut lines) = (Vec::new(), words::method(findings));
    if findings.only.is_none() {
        for (title, shown) in tables::later(pricing) {
            blocks.push(Block::Heading(title.to_owned()));
            blocks.push(Block::Table(title.to_owned(), shown));
        }
        lines.extend(words::MEANINGS.map(str::to_owned));
        lines.extend(words::causes(pricing));
    }
    blocks.push(Block::Heading("How the prices were made".to_owned()));
    blocks.extend(Block::listed(lines));
    blocks
}

/// A slip for each weapon: its price now, the best guess in its range, what to try next, and why.
fn slips(findings: &Findings) -> Vec<Slip> {
    findings.told().map(|w| slip(&findings.pricing.weapons[w], findings.pricing)).collect()
}

fn slip(weapon: &Priced, pricing: &Pricing) -> Slip {
    let none = || "–".to_owned();
    let fair = |of: &dyn Fn(&Fair) -> String| weapon.priced().map_or_else(none, of);
    let facts = vec![
        ("price now", weapon.price.map_or_else(none, words::points)),
        ("range", fair(&|fair| tables::range(fair.price))),
        ("try next", fair(&|fair| words::points(fair.suggested))),
    ];
    Slip {
        title: weapon.name.clone(),
        number: (fair(&|fair| words::points(fair.price.best)), "best guess"),
        facts,
        verdict: (words::verdict(weapon), weapon.verdict().is_some_and(Verdict::wrong)),
        why: words::reason(weapon, pricing),
    }
}

/// How to do it again.
#[cfg(feature = "files")]
pub fn repeating(findings: &Findings, facts: &RunFacts) -> Vec<Block> {
    let tables = "The tables weapons, cells and meetings";
    let promise = repeating::promise("with every number of threads", tables);
    repeating::blocks(facts, repeating::with(facts, findings.seed), Some(promise))
}
