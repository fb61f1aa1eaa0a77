//! Charts inside a report page: as many of the pictures as fit, each told apart from the others.

use crate::report::escape::escaped;
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

/// An SVG as part of a page: with a name for those who cannot see it, and with its own ids, should
/// it have any.
fn inlined(svg: &str, number: usize, title: &str) -> String {
    let start = svg.find("<svg ").unwrap_or(0);
    let mut svg = svg[start..].trim_end().to_owned();
    // The font is named once in the page's style.
    let font = svg.find(" font-family=\"").filter(|at| !svg[..*at].contains('>'));
    if let Some(at) = font {
        let length = svg[at + 14..].find('"').map_or(0, |quote| quote + 15);
        svg.replace_range(at..at + length, "");
    }
    svg = svg.replace(">\n", ">");
    if svg.contains(" id=\"") {
        for reference in [" id=\"", "url(#", "href=\"#"] {
            svg = svg.replace(reference, &format!("{reference}figure-{number}-"));
        }
    }
    svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{title}\" "), 1)
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
        for part in ["id=\"figure-3-a\"", "url(#figure-3-a)", "href=\"#figure-3-a\""] {
            assert!(made.contains(part), "{made}");
        }
        assert!(!made.contains("\"a\"") && !made.contains("#a"));
    }

    #[test]
    fn what_the_page_says_once_is_left_out() {
        let svg = "<svg width=\"9\" font-family=\"DejaVu Sans,sans-serif\" font-size=\"13.75\">\n\
            <text x=\"1\" font-family=\"a\">29.6</text>\n</svg>\n";
        assert_eq!(
            inlined(svg, 1, "t"),
            "<svg role=\"img\" aria-label=\"t\" width=\"9\" font-size=\"13.75\">\
             <text x=\"1\" font-family=\"a\">29.6</text></svg>"
        );
        let bare = inlined("<svg width=\"9\"><text font-family=\"a\"/></svg>", 1, "t");
        assert!(bare.contains("font-family=\"a\""), "{bare}");
    }
}
