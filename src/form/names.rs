//! Names as people type them: found whatever their case and spacing, and the nearest one when
//! there is no such name.

/// The key under which a name is found: lower case, with every run of space, `_` or `-` as one
/// space, and without the marks that printed tables put around a name.
pub fn key(name: &str) -> String {
    let spaced = |c: char| c.is_whitespace() || matches!(c, '_' | '-');
    let words = name.split(spaced).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The member of `known` that `name` means, as `known` spells it: the very same if there is one.
pub fn find<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let known: Vec<&str> = known.into_iter().collect();
    let same = known.iter().find(|candidate| **candidate == name);
    let alike = || {
        let wanted = key(name);
        known.iter().find(|candidate| key(candidate) == wanted)
    };
    same.or_else(alike).copied()
}

/// The member of `known` nearest to `name`, if one is near enough to be meant.
///
/// ```
/// use enfilade::form::names::nearest;
/// assert_eq!(nearest("encirlced", ["encircled", "elr"]), Some("encircled"));
/// assert_eq!(nearest("zebra", ["encircled", "elr"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = key(name);
    let closeness = |candidate: &&str| closeness(&wanted, &key(candidate));
    known
        .into_iter()
        .map(|candidate| (closeness(&candidate), candidate))
        .filter(|(closeness, _)| *closeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// How alike two keys are, 0 to 1. One slip of the finger is close in a short word too, where
/// Jaro and Winkler's measure sees two strangers.
fn closeness(a: &str, b: &str) -> f64 {
    let slip = if strsim::osa_distance(a, b) == 1 {
        0.9
    } else {
        0.0
    };
    strsim::jaro_winkler(a, b).max(slip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_spacing_do_not_matter() {
        let known = ["4-4-7", "Stone building"];
        assert_eq!(find("stone_building", known), Some("Stone building"));
        assert_eq!(find("4 4 7", known), Some("4-4-7"));
        assert_eq!(find("44-7", known), None);
        assert_eq!(find("a_b", ["a-b", "a_b"]), Some("a_b"));
    }

    #[test]
    fn one_slip_is_forgiven_in_short_words() {
        assert_eq!(nearest("als", ["asl", "aic"]), Some("asl"));
        assert_eq!(nearest("xyz", ["asl", "aic"]), None);
    }
}
