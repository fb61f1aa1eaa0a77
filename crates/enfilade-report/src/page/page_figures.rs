//! Charts inside a report page: the pictures that fit, and links to the others.

use crate::blocks::PictureFileAndTitle;
use crate::text::xml_escape::escape_xml;

/// Chooses the `figures` that fit into `room` bytes: the first of every contest, then the second of
/// every contest, and so on. The others are only listed by name.
pub fn choose_figures_that_fit(figures: &[String], contests: &[usize], room: usize) -> Vec<bool> {
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

/// Renders the figure as a line with the place of its picture.
pub fn figure_as_link_line(picture: &PictureFileAndTitle) -> String {
    let (file, title) = (escape_xml(&picture.file), escape_xml(&picture.title));
    format!("<li>{title}: <a href=\"{file}\"><code>{file}</code></a></li>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contest_has_its_first_figure_before_any_has_its_second() {
        let figures = ["aaaa", "bbbb", "cc", "dddd"].map(str::to_owned);
        let contests = [0, 0, 1, 1];
        // In the order 1, 3, 2, 4.
        assert_eq!(choose_figures_that_fit(&figures, &contests, 100), [true; 4]);
        assert_eq!(choose_figures_that_fit(&figures, &contests, 10), [true, true, true, false]);
        assert_eq!(choose_figures_that_fit(&figures, &contests, 9), [true, false, true, false]);
        assert_eq!(choose_figures_that_fit(&figures, &contests, 3), [false, false, true, false]);
        assert_eq!(choose_figures_that_fit(&[], &[], 3), [false; 0]);
    }
}
