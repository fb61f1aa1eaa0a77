//! Names that an author may write at a place of a rulebook, for the lists of an editor.
//!
//! Nothing is checked: a text is mostly faulty while it is typed.

use enfilade_model::catalogue::Catalogue;
use enfilade_model::form::name_matching::name_matching_key;

use crate::diagnostics::{Faults, Span, identifier_like_words};
use crate::syntax::ast::{
    DataRowsDecl, Declaration, DeclarationKind, FieldOrCheckLine, Ident, RulebookAst, TypeExpr,
};
use crate::syntax::parser::{DECLARATION_KEYWORDS, RESERVED_WORDS, parse_rulebook_file};

/// Largest number of rulebooks that extend one another.
const MAX_BASES: usize = 4;
/// Largest number of names in a list.
const MAX_NAMES: usize = 60;
/// Words of the language that may be names as well, because their place gives their meaning.
const WORDS_BY_PLACE: [&str; 42] = [
    "abs", "adds", "again", "as", "assumed", "blind", "called", "carry", "chance", "changes",
    "columns", "exact", "extends", "from", "gain", "given", "harm", "headline", "high", "highest",
    "keep", "least", "length", "low", "lowest", "max", "mean", "median", "min", "most", "of",
    "optional", "quantile", "random", "rare", "reroll", "sorted", "spread", "step", "sum", "up",
    "with",
];
/// Words that stand before a name that a line declares.
const BEFORE_LOCALS: [&str; 5] = ["for", "each", "pick", "tally", "changes"];

/// Role of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameRole {
    /// Variable of the surrounding action or part.
    Variable,
    /// Field of contests.
    Field,
    /// Column of data, field of a record, or symbol of a die.
    Member,
    /// Table.
    Table,
    /// Part.
    Part,
    /// Word of a list, or row of data.
    Word,
    /// Data, list of words, record, marks, die, or action.
    Declaration,
    /// Word of the language.
    Keyword,
}

/// Name that may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// Text to write.
    pub text: String,
    /// Role.
    pub role: NameRole,
    /// Its label, or where it belongs; may be empty.
    pub detail: String,
}

/// Names that may be written at a place, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionList {
    /// Place of the word that they replace, in bytes.
    pub word: Span,
    /// Names.
    pub names: Vec<Completion>,
}

/// Lists the names that may be written at the byte `at` of a rulebook. `others` are the texts of
/// rulebooks that it extends.
///
/// ```
/// use enfilade_rules::tools::name_completions::complete_at;
/// let text = "field shooters: 1..9 = 4 \"who shoots\"\naction fire:\n    hits = sho";
/// let list = complete_at(text, &[], text.len());
/// assert_eq!(list.names[0].text, "shooters");
/// assert_eq!(list.names[0].detail, "who shoots");
/// assert_eq!(&text[list.word], "sho");
/// ```
pub fn complete_at(text: &str, others: &[&str], at: usize) -> CompletionList {
    let before = text.get(..at).unwrap_or(text);
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let start = before.trim_end_matches(is_part).len();
    let (word, line) = (&before[start..], before[..start].rsplit('\n').next().unwrap_or_default());
    let mut list = CompletionList { word: start..before.len(), names: Vec::new() };
    // Numbers and dice are no names; in remarks and texts anything may be written.
    let is_number = word.starts_with(|c: char| c.is_numeric());
    if is_number || line.contains("--") || line.matches('"').count() % 2 == 1 {
        return list;
    }
    let mut names = FileNames::default();
    for file in std::iter::once(text).chain(others.iter().copied()) {
        names.add_file(&parse_rulebook_file(file, &mut Faults::default()));
    }
    list.names = match line.strip_suffix('.') {
        Some(line) => names.members_of(receiver_of(line)),
        None => names.all_at(text, start, line),
    };
    keep_similar(&mut list.names, word);
    list
}

/// Lists the names that may be written at the byte `at` of a rulebook, those of the rulebooks that
/// it extends included. `near` reads a file beside it, and `catalogue` has the built-in ones.
pub fn complete_with_bases(
    text: &str,
    at: usize,
    near: &dyn Fn(&str) -> Result<String, String>,
    catalogue: &Catalogue,
) -> CompletionList {
    let mut others: Vec<String> = Vec::new();
    while others.len() < MAX_BASES {
        let last = others.last().map_or(text, String::as_str);
        let Some(base) = parse_rulebook_file(last, &mut Faults::default()).extends else { break };
        let built_in = || {
            let found = catalogue.rulebook_by_id(&base.text).ok()?;
            Some(found.files.first()?.text.to_string())
        };
        let Some(text) = near(&base.text).ok().or_else(built_in) else { break };
        others.push(text);
    }
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    complete_at(text, &others, at)
}

/// Returns the name at the end of a line, before its place in a list: `squad` of `squad[1]`.
fn receiver_of(line: &str) -> &str {
    let name = match line.ends_with(']') {
        true => line.rsplit_once('[').map_or("", |(name, _)| name),
        false => line,
    };
    name.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()
}

/// Whether a word belongs to the language.
pub(super) fn is_language_word(word: &str) -> bool {
    let mut known = DECLARATION_KEYWORDS.iter().chain(&RESERVED_WORDS).chain(&WORDS_BY_PLACE);
    word == "d" || known.any(|known| *known == word)
}

/// Keeps the names that begin with a word, or contain it, in this order.
fn keep_similar(names: &mut Vec<Completion>, word: &str) {
    let wanted = name_matching_key(word);
    let place = |name: &Completion| name_matching_key(&name.text).find(&*wanted);
    names.retain(|name| name.text != word && place(name).is_some());
    names.sort_by_cached_key(|name| (place(name) != Some(0), name.role, name.text.clone()));
    names.dedup_by(|a, b| a.text == b.text);
    names.truncate(MAX_NAMES);
}

/// Names that files declare.
#[derive(Default)]
struct FileNames {
    declared: Vec<Completion>,
    /// Members with their owner: data, record or die.
    members: Vec<(String, Completion)>,
    /// Names whose members are those of an owner: fields, by data or record.
    owners: Vec<(String, String)>,
}

impl FileNames {
    fn add_file(&mut self, file: &RulebookAst) {
        file.declarations.iter().for_each(|declared| self.add_declaration(declared));
    }

    fn add(&mut self, name: &Ident, role: NameRole, detail: impl Into<String>) {
        let text = name.text.clone();
        if identifier_like_words(&text).next() == Some(&*text) {
            self.declared.push(Completion { text, role, detail: detail.into() });
        }
    }

    fn add_member(&mut self, owner: &str, name: &Ident, detail: String) {
        let member = Completion { text: name.text.clone(), role: NameRole::Member, detail };
        self.members.push((owner.to_owned(), member));
    }

    fn add_declaration(&mut self, Declaration { name, kind, .. }: &Declaration) {
        let of = || format!("of {}", name.text);
        match kind {
            DeclarationKind::Field(field) => {
                self.add_field(name, &field.kind, field.annotations.label.clone());
            }
            DeclarationKind::Words(words) => {
                self.add(name, NameRole::Declaration, "list of words");
                words.iter().for_each(|(word, _)| self.add(word, NameRole::Word, of()));
            }
            DeclarationKind::Record(items) => {
                self.add(name, NameRole::Declaration, "record");
                self.add_record_items(&name.text, items);
            }
            DeclarationKind::Data(data) => self.add_data(name, data),
            DeclarationKind::Table(_) => self.add(name, NameRole::Table, "table"),
            DeclarationKind::Marks(_) => self.add(name, NameRole::Declaration, "marks"),
            DeclarationKind::Die(faces) => {
                self.add(name, NameRole::Declaration, "die");
                let symbols = faces.iter().flat_map(|face| &face.symbols);
                symbols.for_each(|symbol| self.add_member(&name.text, symbol, of()));
            }
            DeclarationKind::Part(_) => self.add(name, NameRole::Part, "part"),
            DeclarationKind::Action(action) => {
                self.add(name, NameRole::Declaration, "action");
                for item in &action.items {
                    if let FieldOrCheckLine::Field(own, field) = item {
                        self.add_field(own, &field.kind, field.annotations.label.clone());
                    }
                }
            }
            _ => {}
        }
    }

    fn add_data(&mut self, name: &Ident, data: &DataRowsDecl) {
        let of = format!("of {}", name.text);
        self.add(name, NameRole::Declaration, "data");
        data.rows.iter().for_each(|row| self.add(&row.key, NameRole::Word, &*of));
        data.heads.iter().for_each(|head| self.add_member(&name.text, head, of.clone()));
    }

    fn add_record_items(&mut self, owner: &str, items: &[FieldOrCheckLine]) {
        for item in items {
            if let FieldOrCheckLine::Field(name, field) = item {
                self.add_member(owner, name, field.annotations.label_or_spaced_name(&name.text));
                self.add_owner(name, &field.kind);
            }
        }
    }

    fn add_field(&mut self, name: &Ident, kind: &TypeExpr, detail: String) {
        self.add(name, NameRole::Field, detail);
        self.add_owner(name, kind);
        if let TypeExpr::Choice(options) = kind {
            use crate::syntax::ast::AllowedWordOrNumber::Word;
            let words = options.iter().filter_map(|one| match one {
                Word(word) => Some(word),
                _ => None,
            });
            words.for_each(|word| self.add(word, NameRole::Word, format!("of {}", name.text)));
        }
    }

    fn add_owner(&mut self, name: &Ident, kind: &TypeExpr) {
        match kind {
            TypeExpr::DataRow(of) | TypeExpr::Record(of) => {
                self.owners.push((name.text.clone(), of.text.clone()));
            }
            TypeExpr::List(_, _, of, _) => self.add_owner(name, of),
            _ => {}
        }
    }

    /// Lists the members of a name; those of all owners for a variable, whose kind is unknown here.
    fn members_of(self, receiver: &str) -> Vec<Completion> {
        let known = self.owners.iter().find(|(name, _)| name == receiver);
        let owner = known.map_or(receiver, |(_, owner)| owner);
        let is_known = self.members.iter().any(|(of, _)| of == owner);
        let members = self.members.iter().filter(|(of, _)| !is_known || of == owner);
        members.map(|(_, member)| member.clone()).collect()
    }

    /// Lists the names that may be written where a word starts.
    fn all_at(mut self, text: &str, start: usize, line: &str) -> Vec<Completion> {
        let is_first = line.trim().is_empty();
        let keyword = |word: &&str| Completion {
            text: (*word).to_owned(),
            role: NameRole::Keyword,
            detail: String::new(),
        };
        if is_first && line.is_empty() {
            return DECLARATION_KEYWORDS.iter().map(keyword).collect();
        }
        self.declared.extend(local_names(text, start));
        self.declared.extend(RESERVED_WORDS.iter().chain(&WORDS_BY_PLACE).map(keyword));
        self.declared
    }
}

/// Lists the variables of the action or part around a byte.
fn local_names(text: &str, at: usize) -> Vec<Completion> {
    let is_outer = |line: &str| !line.starts_with([' ', '\t']) && !line.trim().is_empty();
    let mut block: Vec<&str> = Vec::new();
    let mut offset = 0;
    for line in text.split('\n') {
        if is_outer(line) {
            if offset > at {
                break;
            }
            block.clear();
        }
        block.push(line);
        offset += line.len() + 1;
    }
    block.into_iter().flat_map(variables_set_by_line).collect()
}

/// Lists the variables that a line gives a value.
fn variables_set_by_line(line: &str) -> Vec<Completion> {
    let code = line.split("--").next().unwrap_or_default();
    let words: Vec<&str> = identifier_like_words(code).collect();
    let pairs = words.windows(2).filter(|pair| BEFORE_LOCALS.contains(&pair[0]));
    let mut names: Vec<&str> = pairs.map(|pair| pair[1]).collect();
    if let Some((_, params)) = code.strip_prefix("part ").and_then(|rest| rest.split_once('(')) {
        let params = params.split(')').next().unwrap_or_default();
        names.extend(identifier_like_words(params).filter(|word| *word != "changes"));
    }
    // A statement may follow a condition on its line.
    let statement = code.rsplit(": ").next().unwrap_or_default().trim();
    let name = identifier_like_words(statement).next().unwrap_or_default();
    let rest = statement.strip_prefix(name).unwrap_or_default().trim_start();
    let is_given = ["= ", "+=", "-="].iter().any(|sign| rest.starts_with(sign));
    if !name.is_empty() && is_given {
        names.push(name);
    }
    let variable = |name: &str| Completion {
        text: name.to_owned(),
        role: NameRole::Variable,
        detail: String::new(),
    };
    names.into_iter().map(variable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "words mood: steady, routed\n\
        data guns:\n    name  shots  power\n    rifle  1  2\n    \"long gun\"  2  3\n\
        die red: hit 3, miss\n\
        record unit:\n    field size: 1..9 = 2 \"men\"\n\
        table to_hit:\n    1  2\n\
        field gun: one of guns = rifle \"the gun\"\n\
        field squad: 1 to 4 of unit\n\
        part hurt(changes left): left -= 1\n\
        action other:\n    elsewhere = 1\n    show elsewhere\n\
        action fire:\n    tally shots_fired\n    for turn in 1..3: aimed = d6\n";

    /// The names at the end of the game and this beginning of a line.
    fn names(line: &str) -> Vec<String> {
        let text = format!("{GAME}{line}");
        let list = complete_at(&text, &[], text.len());
        list.names.into_iter().map(|name| name.text).collect()
    }

    #[test]
    fn members_are_those_of_the_name_before_the_point() {
        assert_eq!(names("    x = gun."), ["power", "shots"]);
        assert_eq!(names("    x = gun.p"), ["power"]);
        assert_eq!(names("    x = squad[1].s"), ["size"]);
        // The kind of a variable is not known here: all members, first those that begin so.
        assert_eq!(names("    x = one.s"), ["shots", "size", "miss"]);
        assert_eq!(names("    x = red.h"), ["hit"]);
    }

    #[test]
    fn variables_are_those_of_the_action_itself() {
        assert_eq!(names("    x = aim")[0], "aimed");
        assert_eq!(names("    x = tur")[0], "turn");
        assert_eq!(names("    x = shots_")[0], "shots_fired");
        assert!(!names("    x = else").contains(&"elsewhere".to_owned()));
        let inside = "part twice(alpha): give 2 * al";
        assert_eq!(complete_at(inside, &[], inside.len()).names[0].text, "alpha");
    }

    #[test]
    fn everything_that_is_declared_is_listed_with_what_it_is() {
        let text = format!("{GAME}    x = g");
        let list = complete_at(&text, &[], text.len());
        let gun = list.names.iter().find(|name| name.text == "gun").expect("the field");
        assert_eq!((gun.role, &*gun.detail), (NameRole::Field, "the gun"));
        for (start, name) in
            [("to", "to_hit"), ("hur", "hurt"), ("ste", "steady"), ("rif", "rifle")]
        {
            assert!(names(&format!("    x = {start}")).contains(&name.to_owned()), "{name}");
        }
        // A name with a blank is written in quotes, so it is no word to complete.
        assert!(!names("    x = lon").iter().any(|name| name.contains(' ')));
        assert_eq!(complete_at("x = s", &["field skill: 1..3 = 2\n"], 5).names[0].text, "skill");
    }

    #[test]
    fn names_of_extended_rulebooks_are_listed_too() {
        let near = |name: &str| match name {
            "base.rules" => Ok("game \"B\"\nfield skirmish: 1..3 = 2\n".to_owned()),
            _ => Err("it is not there".to_owned()),
        };
        let text = "game \"A\" extends \"base.rules\"\naction a:\n    x = skir";
        let list = complete_with_bases(text, text.len(), &near, &Catalogue::default());
        assert_eq!(list.names[0].text, "skirmish");
        // A rulebook that extends itself ends the search.
        let text = "game \"A\" extends \"a.rules\"\nfie";
        let itself = |_: &str| Ok(text.to_owned());
        let list = complete_with_bases(text, text.len(), &itself, &Catalogue::default());
        assert_eq!(list.names[0].text, "field");
    }

    #[test]
    fn a_line_begins_with_a_declaration_and_texts_are_free() {
        assert_eq!(names("fie"), ["field"]);
        assert!(names("    -- a rem").is_empty());
        assert!(names("    show x \"sk").is_empty());
        assert!(names("    x = 2").is_empty());
        assert!(names("    x = 2d").is_empty());
        assert!(complete_at("", &[], 99).names.len() == DECLARATION_KEYWORDS.len());
        assert!(complete_at("ä", &[], 1).names.len() <= MAX_NAMES);
    }

    #[test]
    fn words_of_the_language_are_in_its_grammar() {
        let grammar = include_str!("../../../../docs/rulebook_grammar.md");
        let reference = include_str!("../../../../docs/rule_reference.md");
        for word in WORDS_BY_PLACE {
            let mut known = identifier_like_words(grammar).chain(identifier_like_words(reference));
            assert!(known.any(|known| known == word), "{word}");
        }
    }
}
