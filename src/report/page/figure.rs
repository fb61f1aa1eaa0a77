//! Charts inside a report page: as many of the pictures as fit, each told apart from the others.

use super::markup::escaped;
use crate::report::summary::Picture;

/// A chart as a file and as its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Where it is and what it shows.
    pub picture: Picture,
    /// Its SVG.
    pub svg: String,
}

/// Which of `figures` fit into `room` bytes: the first of every contest, then the second of every
/// contest, and so on. The others are only named.
pub fn fitting(figures: &[String], contests: &[usize], room: usize) -> Vec<bool> {
    let rank = |i: usize| contests[..i].iter().filter(|c| **c == contests[i]).count();
    let mut order: Vec<_> = (0..figures.len()).collect();
    order.sort_by_key(|&i| (rank(i), i));
    let (mut fit, mut left) = (vec![false; figures.len()], room);
    for i in order {
        if let Some(rest) = left.checked_sub(figures[i].len()) {
            (fit[i], left) = (true, rest);
        }
    }
    fit
}

/// The figure with its picture in it. `number` is its number on the page.
pub fn embedded(figure: &Figure, number: usize) -> String {
    let Picture { file, title, .. } = &figure.picture;
    let (file, title) = (escaped(file), escaped(title));
    let svg = inlined(&figure.svg, number, &title);
    format!("<figure>\n{svg}\n<figcaption>{title} <code>{file}</code></figcaption>\n</figure>\n")
}

/// The figure as a line that says where its picture is.
pub fn named(picture: &Picture) -> String {
    let (file, title) = (escaped(&picture.file), escaped(&picture.title));
    format!("<li>{title}: <a href=\"{file}\"><code>{file}</code></a></li>\n")
}

/// An SVG as part of a page: with a name for those who cannot see it, with its own ids, should it
/// have any, and about half as long.
fn inlined(svg: &str, number: usize, title: &str) -> String {
    let start = svg.find("<svg ").unwrap_or(0);
    let mut svg = svg[start..].trim_end().to_owned();
    // Defaults, and the font, which the page's style names once.
    for (long, short) in [
        (" opacity=\"1\"", ""),
        (" stroke=\"none\"", ""),
        (" font-family=\"sans-serif\"", ""),
        ("\"#000000\"", "\"#000\""),
        ("\"#FFFFFF\"", "\"#FFF\""),
        (">\n", ">"),
        ("\n<", "<"),
    ] {
        svg = svg.replace(long, short);
    }
    svg = framed(&rounded(&svg, " font-size=\""));
    for attribute in ["font-size", "text-anchor"] {
        svg = hoisted(&svg, attribute);
    }
    if svg.contains(" id=\"") {
        for reference in [" id=\"", "url(#", "href=\"#"] {
            svg = svg.replace(reference, &format!("{reference}figure-{number}-"));
        }
    }
    svg.replacen(
        "<svg ",
        &format!("<svg role=\"img\" aria-label=\"{title}\" "),
        1,
    )
}

/// A rectangle and, right after it, its frame become one element.
fn framed(svg: &str) -> String {
    const FRAME: &str = " fill=\"none\" stroke=";
    let mut out = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some(at) = rest.find("/><rect ") {
        let (element, after) = rest.split_at(at);
        let place = element.rfind("<rect ").map(|start| &element[start..]);
        let place = place.and_then(|rect| Some(&rect[..rect.find(" fill=\"#")?]));
        let frame = place.and_then(|place| after[2..].strip_prefix(place)?.strip_prefix(FRAME));
        out.push_str(element);
        match frame {
            Some(stroke) => {
                out.push_str(" stroke=");
                rest = stroke;
            }
            None => {
                out.push_str("/>");
                rest = &after[2..];
            }
        }
    }
    out + rest
}

/// An inherited attribute that every text has: its commonest value is said once, at the root.
fn hoisted(svg: &str, attribute: &str) -> String {
    let start = format!(" {attribute}=\"");
    let mut counts = std::collections::BTreeMap::new();
    for part in svg.split(&start).skip(1) {
        let value = part.split('"').next().unwrap_or_default();
        *counts.entry(value).or_insert(0) += 1;
    }
    let all: usize = counts.values().sum();
    let commonest = counts.iter().max_by_key(|(_, count)| **count);
    match commonest {
        Some((value, _)) if all == svg.matches("<text ").count() => {
            let said = format!("{start}{value}\"");
            svg.replace(&said, "")
                .replacen("<svg ", &format!("<svg{said} "), 1)
        }
        _ => svg.to_owned(),
    }
}

/// The numbers of an attribute at one decimal: the drawing library prints all they have.
fn rounded(svg: &str, attribute: &str) -> String {
    let mut parts = svg.split(attribute);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(attribute);
        match part
            .split_once('"')
            .and_then(|(n, rest)| Some((n.parse::<f64>().ok()?, rest)))
        {
            Some((number, rest)) => out.push_str(&format!("{number:.1}\"{rest}")),
            None => out.push_str(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contest_has_its_first_figure_before_any_has_its_second() {
        let figures = ["aaaa", "bbbb", "cc", "dddd"].map(str::to_owned);
        let contests = [0, 0, 1, 1];
        // In the order 1, 3, 2, 4.
        assert_eq!(fitting(&figures, &contests, 100), [true; 4]);
        assert_eq!(fitting(&figures, &contests, 10), [true, true, true, false]);
        assert_eq!(fitting(&figures, &contests, 9), [true, false, true, false]);
        assert_eq!(fitting(&figures, &contests, 3), [false, false, true, false]);
        assert_eq!(fitting(&[], &[], 3), [false; 0]);
    }

    fn figure(svg: &str) -> Figure {
        Figure {
            picture: Picture {
                contest: 0,
                file: "charts/1-bars.svg".into(),
                title: "a \"b\" <c>".into(),
            },
            svg: svg.into(),
        }
    }

    #[test]
    fn ids_of_two_figures_do_not_meet() {
        let svg = "<?xml version=\"1.0\"?>\n<svg width=\"1\">\n<clipPath id=\"a\"/>\n\
            <g clip-path=\"url(#a)\"><use href=\"#a\"/></g>\n</svg>\n";
        let made = embedded(&figure(svg), 3);
        assert!(made.starts_with(
            "<figure>\n<svg role=\"img\" aria-label=\"a &quot;b&quot; &lt;c&gt;\" width=\"1\">"
        ));
        for part in [
            "id=\"figure-3-a\"",
            "url(#figure-3-a)",
            "href=\"#figure-3-a\"",
        ] {
            assert!(made.contains(part), "{made}");
        }
        assert!(!made.contains("\"a\"") && !made.contains("#a"));
    }

    #[test]
    fn what_the_page_says_once_is_left_out() {
        let text = |x, anchor| {
            format!(
                "<text x=\"{x}\" text-anchor=\"{anchor}\" font-family=\"sans-serif\" \
                 font-size=\"17.741935\" opacity=\"1\">\n29.6\n</text>\n"
            )
        };
        let texts = text(1, "middle") + &text(2, "end") + &text(3, "middle");
        let made = inlined(&format!("<svg width=\"9\">\n{texts}</svg>\n"), 1, "t");
        assert_eq!(
            made,
            "<svg role=\"img\" aria-label=\"t\" text-anchor=\"middle\" font-size=\"17.7\" width=\"9\">\
             <text x=\"1\">29.6</text><text x=\"2\" text-anchor=\"end\">29.6</text>\
             <text x=\"3\">29.6</text></svg>"
        );
    }

    #[test]
    fn a_frame_joins_its_rectangle_and_no_other() {
        let rect = |x| format!("<rect x=\"{x}\" width=\"5\" fill=\"#2CAF7E\"/>");
        let frame = |x| format!("<rect x=\"{x}\" width=\"5\" fill=\"none\" stroke=\"#FFF\"/>");
        let joined = |x| format!("<rect x=\"{x}\" width=\"5\" fill=\"#2CAF7E\" stroke=\"#FFF\"/>");
        let drawn = rect(1) + &frame(1) + &rect(2) + &frame(3) + &rect(3) + &frame(3) + "<g/>";
        let made = joined(1) + &rect(2) + &frame(3) + &joined(3) + "<g/>";
        assert_eq!(framed(&drawn), made);
    }
}
