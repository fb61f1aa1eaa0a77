//! `report.html` of a pricing: one page that loads nothing and runs nothing.
//!
//! First what a designer needs to decide: weapon, price, best guess, range, what to try, why. Then
//! the same as cards to print and cut out, the reasons, what these prices do not see, the charts, and at
//! the end the method with everything else. Its style is that of the report of a run.

use super::{Findings, tables, terminal, words};
use crate::report::escape::escaped;
use crate::report::page::markup::{list, paragraph, table};
use crate::report::page::{Figure, figure, still};
use crate::report::words::clean;
use crate::study::balance::price::verdict::Verdict;
use crate::study::balance::price::{Fair, Priced, Pricing};

/// The page. The same findings give the same bytes.
pub fn render(findings: &Findings, figures: &[Figure]) -> String {
    let pricing = findings.pricing;
    let mut body = format!("<header>\n<h1>{}</h1>\n", escaped(findings.name));
    let prediction = findings.prediction.map(|said| format!("Predicted: {said}"));
    for said in [findings.question, prediction.as_deref()].into_iter().flatten() {
        let words: Vec<&str> = said.split_whitespace().collect();
        body.push_str(&paragraph("", &words.join(" ")));
    }
    body.push_str(&format!("</header>\n<main>\n{}", first_screen(findings)));
    body.push_str(&section("Price cards", &cards(findings)));
    body.push_str(&section("Why", &list(&reasons(findings))));
    let blind = words::blind(findings).into_iter();
    let blind: Vec<String> = blind.map(|(what, how)| format!("{what}: {how}")).collect();
    body.push_str(&section("What these prices do not see", &list(&blind)));
    let numbered = figures.iter().zip(1..);
    let pictures: String = numbered.map(|(f, n)| figure::embedded(f, n)).collect();
    if !pictures.is_empty() {
        let pictures = format!("<div class=\"figures\">\n{pictures}</div>\n");
        body.push_str(&section("Pictures", &pictures));
    }
    for (title, shown) in tables::later(pricing) {
        body.push_str(&section(title, &table(&shown, title)));
    }
    let meanings = words::MEANINGS.map(str::to_owned);
    let lines = words::method(findings).into_iter().chain(meanings);
    let lines: Vec<String> = lines.chain(words::causes(pricing)).collect();
    body.push_str(&section("How the prices were made", &list(&lines)));
    body.push_str("</main>\n");
    still(findings.name, &body)
}

fn first_screen(findings: &Findings) -> String {
    let legend = terminal::LEGEND.map(str::to_owned);
    let title = "What it should cost";
    let shown = table(&tables::recommendation(findings), title);
    let said = paragraph("", &words::verdicts(findings.pricing));
    section(title, &format!("{said}<div class=\"prices\">\n{shown}</div>\n{}", list(&legend)))
}

fn reasons(findings: &Findings) -> Vec<String> {
    let pricing = findings.pricing;
    let reason = |w: usize| {
        let name = clean(&pricing.weapons[w].name);
        format!("{name}: {}", words::why(w, pricing))
    };
    findings.told().map(reason).collect()
}

/// A card for each weapon: its price now, the best guess in its range, what to try next, and why.
fn cards(findings: &Findings) -> String {
    let all = findings.told().map(|w| card(&findings.pricing.weapons[w], findings.pricing));
    format!("<div class=\"cards\">\n{}</div>\n", all.collect::<String>())
}

fn card(weapon: &Priced, pricing: &Pricing) -> String {
    let none = || "–".to_owned();
    let fair = |of: &dyn Fn(&Fair) -> String| weapon.priced().map_or_else(none, of);
    let guess = fair(&|fair| words::points(fair.price.best));
    let range = fair(&|fair| tables::range(fair.price));
    let rows = [
        ("price now", weapon.price.map_or_else(none, words::points)),
        ("range", range),
        ("try next", fair(&|fair| words::points(fair.suggested))),
    ];
    let rows = rows.map(|(what, said)| format!("<dt>{what}</dt><dd>{}</dd>", escaped(&said)));
    let wrong = weapon.verdict().is_some_and(Verdict::wrong);
    format!(
        "<article class=\"card\">\n<h3>{}</h3>\n<p class=\"guess\">{} <small>best guess</small></p>\n\
         <dl>{}</dl>\n{}{}</article>\n",
        escaped(&weapon.name),
        escaped(&guess),
        rows.concat(),
        paragraph(if wrong { "verdict alarm" } else { "verdict" }, &words::verdict(weapon)),
        paragraph("remark", &words::reason(weapon, pricing)),
    )
}

fn section(title: &str, body: &str) -> String {
    format!("<section>\n<h2>{}</h2>\n{body}</section>\n", escaped(title))
}
