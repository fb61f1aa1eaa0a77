//! Lookup of names as people type them, with any case and spacing, and suggestions of the nearest
//! name.
//!
//! A name from a table of data is looked up in every cell of a grid, so a table's [`NameList`] is
//! created once.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

/// Names of a table of data, each with a number where it has one.
#[derive(Debug)]
pub struct NameList {
    names: Vec<String>,
    numbers: Vec<i64>,
    same: FxHashMap<String, usize>,
    alike: FxHashMap<String, usize>,
    /// Indexes by name without marks; `None` where several names share the key.
    bare: FxHashMap<String, Option<usize>>,
}

impl NameList {
    /// Creates a list of names, in order.
    pub fn from_names_without_numbers(names: Vec<String>) -> NameList {
        NameList::from_names_with_numbers(names.into_iter().map(|name| (name, 0)).collect())
    }

    /// Creates a list of names with their numbers, in order.
    pub fn from_names_with_numbers(entries: Vec<(String, i64)>) -> NameList {
        let mut list = NameList {
            names: Vec::with_capacity(entries.len()),
            numbers: Vec::with_capacity(entries.len()),
            same: FxHashMap::default(),
            alike: FxHashMap::default(),
            bare: FxHashMap::default(),
        };
        for (place, (name, number)) in entries.into_iter().enumerate() {
            list.same.entry(name.clone()).or_insert(place);
            list.alike.entry(name_matching_key(&name)).or_insert(place);
            let once = list.bare.entry(remove_spaces_and_marks(&name));
            once.and_modify(|only| *only = None).or_insert(Some(place));
            list.names.push(name);
            list.numbers.push(number);
        }
        list
    }

    /// Adds synonyms, each with the name that it means.
    #[must_use]
    #[doc(hidden)]
    pub fn with_synonyms(mut self, words: &[(&str, &str)]) -> NameList {
        for (word, meant) in words {
            if let Some(place) = self.same.get(*meant).copied() {
                self.alike.entry(name_matching_key(word)).or_insert(place);
            }
        }
        self
    }

    /// Returns the names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        self.names.iter().map(String::as_str)
    }

    /// Returns the name with this index, counted from 0.
    pub fn name_at_index(&self, index: usize) -> Option<&str> {
        self.names.get(index).map(String::as_str)
    }

    /// Returns the index of a name in the list's own spelling.
    pub fn index_of_exact(&self, name: &str) -> Option<usize> {
        self.same.get(name).copied()
    }

    /// Returns the names with their numbers, in order.
    pub fn names_with_numbers(&self) -> impl Iterator<Item = (&str, i64)> + Clone {
        self.iter().zip(self.numbers.iter().copied())
    }

    /// Finds the name that `name` means, with its number, like [`find_meant_name`].
    pub fn find_ignoring_case_and_marks(&self, name: &str) -> Option<(&str, i64)> {
        let same = self.same.get(name).or_else(|| self.alike.get(&name_matching_key(name)));
        let place = same.copied().or_else(|| *self.bare.get(&remove_spaces_and_marks(name))?)?;
        Some((&self.names[place], self.numbers[place]))
    }
}

/// Names that a field accepts.
#[derive(Clone)]
pub enum AcceptedNames {
    /// Names of a built-in table, read on first use.
    Static(fn() -> &'static NameList),
    /// Names created at run time.
    Owned(Arc<NameList>),
}

impl AcceptedNames {
    /// Returns the list of names.
    pub fn name_list(&self) -> &NameList {
        match self {
            AcceptedNames::Static(list) => list(),
            AcceptedNames::Owned(list) => list,
        }
    }

    /// Formats the first few names for a message: `"rifle", "lmg" or "mortar"`.
    pub fn format_first_names(&self, most: usize) -> String {
        let some = self.name_list().iter().take(most);
        join_or(&some.map(|name| format!("\"{name}\"")).collect::<Vec<_>>())
    }
}

impl fmt::Debug for AcceptedNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.name_list().iter()).finish()
    }
}

/// Declares `fn weapon_names()`, which returns a list that is created once by an expression.
#[macro_export]
#[doc(hidden)]
macro_rules! __name_list {
    ($(#[$doc:meta])* $visible:vis fn $name:ident() = $list:expr) => {
        $(#[$doc])*
        $visible fn $name() -> &'static $crate::form::name_matching::NameList {
            static LIST: std::sync::LazyLock<$crate::form::name_matching::NameList> =
                std::sync::LazyLock::new(|| $list);
            &LIST
        }
    };
}
pub use __name_list as name_list;

/// Returns the key under which a name is found: lower case, with every run of space, `_` or `-` as
/// one space, and without the marks that printed tables put around a name.
pub fn name_matching_key(name: &str) -> String {
    let spaced = |c: char| c.is_whitespace() || matches!(c, '_' | '-');
    let words = name.split(spaced).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Removes spaces and marks from a name: `467` matches `4-6-7`.
fn remove_spaces_and_marks(name: &str) -> String {
    let is_kept = |c: &char| c.is_alphanumeric() || *c == '+';
    name.chars().filter(is_kept).collect::<String>().to_lowercase()
}

/// Finds the member of `names` that `name` means, as `names` spells it: an equal name if there is
/// one, else one that differs in case and spacing, else the only one that differs in marks.
pub fn find_meant_name<'a>(
    name: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let candidates: Vec<&str> = names.into_iter().collect();
    let same = candidates.iter().find(|candidate| **candidate == name);
    let alike = || {
        let wanted = name_matching_key(name);
        candidates.iter().find(|candidate| name_matching_key(candidate) == wanted)
    };
    let only = || {
        let wanted = remove_spaces_and_marks(name);
        let mut meant =
            candidates.iter().filter(|candidate| remove_spaces_and_marks(candidate) == wanted);
        meant.next().filter(|_| meant.next().is_none())
    };
    same.or_else(alike).or_else(only).copied()
}

/// Largest number of suggested names that share a word.
const MAX_SUGGESTED_NAMES: usize = 6;
/// Least similarity of a suggestion.
const MIN_NAME_SIMILARITY: f64 = 0.75;
/// Number of characters above which a name is not a typing mistake.
const MAX_MISTYPED_NAME_LENGTH: usize = 100;

/// Finds the member of `names` nearest to `name`, if one is near enough.
///
/// ```
/// use enfilade_model::form::name_matching::find_nearest_name;
/// assert_eq!(find_nearest_name("encirlced", ["encircled", "elr"]), Some("encircled"));
/// assert_eq!(find_nearest_name("zebra", ["encircled", "elr"]), None);
/// ```
pub fn find_nearest_name<'a>(
    name: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    if name.chars().nth(MAX_MISTYPED_NAME_LENGTH).is_some() {
        return None;
    }
    let wanted = name_matching_key(name);
    let closeness = |candidate: &&str| key_similarity(&wanted, &name_matching_key(candidate));
    names
        .into_iter()
        .map(|candidate| (closeness(&candidate), candidate))
        .filter(|(closeness, _)| *closeness > MIN_NAME_SIMILARITY)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// Finds the `most` names of `names` that are most similar to `name`, the nearest first.
#[doc(hidden)]
pub fn find_most_similar_names<'a>(
    name: &str,
    names: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let wanted =
        name_matching_key(&name.chars().take(MAX_MISTYPED_NAME_LENGTH).collect::<String>());
    let alike = |known: &'a str| (key_similarity(&wanted, &name_matching_key(known)), known);
    let mut scored_names: Vec<(f64, &str)> = names.into_iter().map(alike).collect();
    scored_names.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored_names.dedup_by(|a, b| a.1 == b.1);
    scored_names.into_iter().take(most).map(|(_, known)| known).collect()
}

/// Formats the suggestion for a name that does not exist: which of `known` is meant. Several names
/// that contain the word, such as all kinds of rifles, or the part, such as all weapons of a tank,
/// are all listed.
///
/// ```
/// use enfilade_model::form::name_matching::format_name_suggestion;
/// let known = ["battle rifle", "LMG", "sniper rifle"];
/// assert_eq!(format_name_suggestion("Rifle", known).unwrap(), r#"did you mean "battle rifle" or "sniper rifle"?"#);
/// assert_eq!(format_name_suggestion("lmgs", known).unwrap(), r#"did you mean "LMG"?"#);
/// assert_eq!(format_name_suggestion("pike", known), None);
/// let known = ["Wooden rubble", "Stone rubble", "Wooden building"];
/// let both = r#"did you mean "Wooden rubble" or "Stone rubble"?"#;
/// assert_eq!(format_name_suggestion("Wooden / stone rubble", known).unwrap(), both);
/// let known = ["UCM/Sabre Tank/Gatling Gun", "UCM/Sabre Tank/Railgun", "UCM/Wolf/Gatling Gun"];
/// let both = r#"did you mean "UCM/Sabre Tank/Gatling Gun" or "UCM/Sabre Tank/Railgun"?"#;
/// assert_eq!(format_name_suggestion("UCM/Sabre Tank", known).unwrap(), both);
/// ```
pub fn format_name_suggestion<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> Option<String> {
    let words = |name: &str| format!(" {} ", name_matching_key(name).replace('/', " "));
    let wanted = words(name);
    let has = |known: &&str| !wanted.trim().is_empty() && words(known).contains(&wanted);
    let quoted = |name: &str| format!("\"{name}\"");
    let two = split_two_printed_names(name, known.clone()).map(|names| names.map(quoted));
    let found = || known.clone().into_iter().filter(has).map(quoted).collect();
    let mut meant: Vec<String> = two.map_or_else(found, Vec::from);
    let more = meant.len().saturating_sub(MAX_SUGGESTED_NAMES);
    match find_nearest_name(name, known) {
        // One near name is a better suggestion than the first few of many.
        Some(near) if meant.is_empty() || more > 0 => meant = vec![quoted(near)],
        _ if more > 0 => {
            meant.truncate(MAX_SUGGESTED_NAMES);
            meant.push(format!("one of {more} more"));
        }
        _ => {}
    }
    (!meant.is_empty()).then(|| format!("did you mean {}?", join_or(&meant)))
}

/// Finds the two of `names` that tables print as one: `Wooden / stone rubble`,
/// `Stone building / rubble`.
fn split_two_printed_names<'a>(
    name: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
) -> Option<[&'a str; 2]> {
    let (one, other) = name.split_once('/')?;
    let (one, other) = (one.trim(), other.trim());
    let tail = other.split_once(' ').map_or("", |(_, tail)| tail);
    let head = one.rsplit_once(' ').map_or("", |(head, _)| head);
    let ways =
        [(format!("{one} {tail}"), other.to_owned()), (one.to_owned(), format!("{head} {other}"))];
    ways.into_iter().find_map(|(one, other)| {
        let find_one = |name: &str| find_meant_name(name, names.clone());
        find_one(&one)
            .zip(find_one(&other))
            .filter(|(one, other)| one != other)
            .map(<[&str; 2]>::from)
    })
}

/// Computes the similarity of two keys, 0 to 1. A name in parts, `ucm/sabre tank`, is compared
/// part by part, so that a wrong or missing first part does not exclude a match and an equal first
/// part does not make one.
fn key_similarity(token: &str, name: &str) -> f64 {
    let name_parts: Vec<&str> = name.split('/').collect();
    let wanted: Vec<&str> = token.split('/').collect();
    if name_parts.len() == 1 {
        let wanted = wanted.join("/");
        return if is_much_longer(&wanted, name_parts[0]) {
            0.0
        } else {
            word_similarity(&wanted, name_parts[0])
        };
    }
    // Superfluous parts are at the end, missing ones at the beginning.
    let wanted = &wanted[..wanted.len().min(name_parts.len())];
    let missing = name_parts.len() - wanted.len();
    let pairs = || {
        wanted
            .iter()
            .zip(&name_parts[missing..])
            .map(|(wanted, known)| word_similarity(wanted, known))
    };
    let (own, first) = match missing {
        0 => (1, pairs().next().unwrap_or(0.0)),
        _ => (0, MISSING_NAME_PART_SIMILARITY),
    };
    let least = pairs().skip(own).fold(1.0, f64::min);
    if least > MIN_NAME_SIMILARITY {
        (1.0 - FIRST_NAME_PART_WEIGHT) * least + FIRST_NAME_PART_WEIGHT * first
    } else {
        0.0
    }
}

/// Weight of the first part of a name.
const FIRST_NAME_PART_WEIGHT: f64 = 0.2;
/// Similarity of a missing first part.
const MISSING_NAME_PART_SIMILARITY: f64 = 0.9;

/// Returns whether one word is more than twice as long as the other and does not begin with it:
/// then a few common letters are not a typing mistake.
fn is_much_longer(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    long.len() > 2 * short.len() && !long.starts_with(short)
}

/// Computes the similarity of two words, 0 to 1. A single typing mistake is near in a short word
/// too, where the measure of Jaro and Winkler finds little similarity.
fn word_similarity(a: &str, b: &str) -> f64 {
    let slip = if strsim::osa_distance(a, b) == 1 { 0.9 } else { 0.0 };
    strsim::jaro_winkler(a, b).max(slip)
}

/// Formats `a, b or c`.
pub fn join_or(words: &[String]) -> String {
    if words.is_empty() { "nothing".to_owned() } else { join_before_last(words, "or") }
}

/// Formats `a, b and c`.
pub fn join_and(words: &[String]) -> String {
    join_before_last(words, "and")
}

fn join_before_last(words: &[String], between: &str) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => {
            format!("{} {between} {last}", first.join(", "))
        }
        few => few.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_sentences_have_them() {
        let words = ["6", "7", "8"].map(str::to_owned);
        assert_eq!(join_and(&words[..1]), "6");
        assert_eq!(join_and(&words[..2]), "6 and 7");
        assert_eq!(join_and(&words), "6, 7 and 8");
        assert_eq!(join_or(&words), "6, 7 or 8");
        assert_eq!((join_or(&[]).as_str(), join_and(&[]).as_str()), ("nothing", ""));
    }

    #[test]
    fn a_list_finds_what_a_search_finds() {
        let known =
            ["4-4-7", "HMG .50", "Stone building", "a-bc", "ab-c", "a b-c", "twice", "twice"];
        let list = NameList::from_names_without_numbers(known.map(str::to_owned).to_vec());
        for typed in
            ["447", "4 4 7", "hmg.50", "stone_BUILDING", "abc", "a b c", "twice", "t-wice", ""]
        {
            assert_eq!(
                list.find_ignoring_case_and_marks(typed).map(|found| found.0),
                find_meant_name(typed, known),
                "{typed}"
            );
        }
    }

    #[test]
    fn case_and_spacing_do_not_matter() {
        let known = ["4-4-7", "Stone building"];
        assert_eq!(find_meant_name("stone_building", known), Some("Stone building"));
        assert_eq!(find_meant_name("4 4 7", known), Some("4-4-7"));
        assert_eq!(find_meant_name("44-8", known), None);
        assert_eq!(find_meant_name("a_b", ["a-b", "a_b"]), Some("a_b"));
    }

    #[test]
    fn marks_do_not_matter_where_one_name_is_meant() {
        let known = ["4-4-7", "HMG .50", "Shellholes", "6+1", "6-1", "a-bc", "ab-c"];
        assert_eq!(find_meant_name("447", known), Some("4-4-7"));
        assert_eq!(find_meant_name("hmg.50", known), Some("HMG .50"));
        assert_eq!(find_meant_name("shell_holes", known), Some("Shellholes"));
        assert_eq!(find_meant_name("6 + 1", known), Some("6+1"));
        assert_eq!(find_meant_name("abc", known), None);
    }

    #[test]
    fn one_slip_is_forgiven_in_short_words() {
        assert_eq!(find_nearest_name("als", ["asl", "aic"]), Some("asl"));
        assert_eq!(find_nearest_name("xyz", ["asl", "aic"]), None);
        assert_eq!(find_nearest_name("smoke grenade", ["SMG", "laser SMG"]), None);
        assert_eq!(
            find_nearest_name("encirc", ["encircled from behind"]),
            Some("encircled from behind")
        );
    }

    #[test]
    fn names_in_parts_are_compared_part_by_part() {
        let known = [
            "UCM/Sabre Tank",
            "UCM/Gladius Heavy Tank",
            "Scourge/Hunter Tank",
            "Scourge/Ravager",
            "medium building",
        ];
        let nearest = |name: &str| find_nearest_name(name, known);
        let gladius = Some("UCM/Gladius Heavy Tank");
        for name in [
            "UCM/Gladius Hevy Tank",
            "UMC/Gladius",
            "Scourge/Gladius Heavy Tank",
            "Gladius Heavy Tank",
            "gladius",
            "UCM/Gladius Heavy Tank/Gatling Gun",
        ] {
            assert_eq!(nearest(name), gladius, "{name}");
        }
        assert_eq!(nearest("medium bulding"), Some("medium building"));
        assert_eq!(nearest("Scourge/Zeppelin"), None);
        let weapons = ["UCM/Sabre Tank/Gatling Gun", "UCM/Sabre Tank/Avenger Railgun"];
        let railgun = Some("UCM/Sabre Tank/Avenger Railgun");
        for name in
            ["UCM/Sabre/Avenger Railgn", "Avenger Railgun", "PHR/Sabre Tank/Avenger Railgun"]
        {
            assert_eq!(super::find_nearest_name(name, weapons), railgun, "{name}");
        }
    }
}
