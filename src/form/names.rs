//! Names as people type them: found whatever their case and spacing, and the nearest one when
//! there is no such name.

/// The key under which a name is found: lower case, with every run of space, `_` or `-` as one
/// space, and without the marks that printed tables put around a name.
pub fn key(name: &str) -> String {
    let spaced = |c: char| c.is_whitespace() || matches!(c, '_' | '-');
    let words = name.split(spaced).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// What is left of a name without spaces and marks: a `467` is the `4-6-7`.
fn bare(name: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || *c == '+';
    name.chars().filter(kept).collect::<String>().to_lowercase()
}

/// The member of `known` that `name` means, as `known` spells it: the very same if there is one, else
/// one that differs in case and spacing, else the only one that differs in marks.
pub fn find<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let known: Vec<&str> = known.into_iter().collect();
    let same = known.iter().find(|candidate| **candidate == name);
    let alike = || {
        let wanted = key(name);
        known.iter().find(|candidate| key(candidate) == wanted)
    };
    let only = || {
        let wanted = bare(name);
        let mut meant = known.iter().filter(|candidate| bare(candidate) == wanted);
        meant.next().filter(|_| meant.next().is_none())
    };
    same.or_else(alike).or_else(only).copied()
}

/// Characters above which a name is no slip of the finger.
const LONGEST: usize = 100;

/// The member of `known` nearest to `name`, if one is near enough to be meant.
///
/// ```
/// use enfilade::form::names::nearest;
/// assert_eq!(nearest("encirlced", ["encircled", "elr"]), Some("encircled"));
/// assert_eq!(nearest("zebra", ["encircled", "elr"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.chars().nth(LONGEST).is_some() {
        return None;
    }
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
        assert_eq!(find("44-8", known), None);
        assert_eq!(find("a_b", ["a-b", "a_b"]), Some("a_b"));
    }

    #[test]
    fn marks_do_not_matter_where_one_name_is_meant() {
        let known = [
            "4-4-7",
            "HMG .50",
            "Shellholes",
            "6+1",
            "6-1",
            "a-bc",
            "ab-c",
        ];
        assert_eq!(find("447", known), Some("4-4-7"));
        assert_eq!(find("hmg.50", known), Some("HMG .50"));
        assert_eq!(find("shell_holes", known), Some("Shellholes"));
        assert_eq!(find("6 + 1", known), Some("6+1"));
        assert_eq!(find("abc", known), None);
    }

    #[test]
    fn one_slip_is_forgiven_in_short_words() {
        assert_eq!(nearest("als", ["asl", "aic"]), Some("asl"));
        assert_eq!(nearest("xyz", ["asl", "aic"]), None);
    }
}
