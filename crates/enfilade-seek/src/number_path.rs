//! Path of a number in the table of a contest.

use toml::{Table, Value as Toml};

use enfilade_model::form::{FieldType, Fields, ROW_NAME};

/// The path to a number from the table of its contest.
#[derive(Clone, Debug)]
pub(crate) struct NumberPath {
    /// The keys of the path.
    pub keys: Vec<String>,
    /// The values that are allowed there.
    pub kind: FieldType,
}

/// The key of a search for numbers.
pub(crate) const SEEK_TABLE_KEY: &str = "seek";

/// The key below which a contest changes numbers of its rulebook.
pub(crate) const RULEBOOK_CHANGES_KEY: &str = "change";

impl NumberPath {
    /// Finds a name among fields, or else among the numbers of the rulebook that contests may
    /// change.
    pub fn find_by_name(fields: &Fields, name: &str) -> Option<NumberPath> {
        let below = |outer: &str, name: &str| {
            let field = fields.get(outer)?;
            let inner = NumberPath::find_by_longest_keys(field.kind.table_fields()?, name)?;
            let keys = [outer.to_owned()].into_iter().chain(inner.keys).collect();
            Some(NumberPath { keys, ..inner })
        };
        NumberPath::find_by_longest_keys(fields, name).or_else(|| below(RULEBOOK_CHANGES_KEY, name))
    }

    /// Finds the number at a path whose keys may contain dots themselves: the longest key that fits
    /// counts.
    fn find_by_longest_keys(fields: &Fields, path: &str) -> Option<NumberPath> {
        let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
        let ends: Vec<usize> = ends.collect();
        ends.into_iter().rev().find_map(|end| {
            let field = fields.get(&path[..end])?;
            let rest = path.get(end + 1..).unwrap_or_default();
            let own = vec![path[..end].to_owned()];
            if rest.is_empty() {
                return Some(NumberPath { keys: own, kind: field.kind.clone() });
            }
            if let FieldType::Entries(names, bound) = &field.kind {
                let (name, _) = names.name_list().find_ignoring_case_and_marks(rest)?;
                let keys = own.into_iter().chain([name.to_owned()]).collect();
                return Some(NumberPath { keys, kind: FieldType::Int(bound.clone()) });
            }
            let inner = NumberPath::find_by_longest_keys(field.kind.table_fields()?, rest)?;
            Some(NumberPath { keys: own.into_iter().chain(inner.keys).collect(), ..inner })
        })
    }

    /// Whether the number belongs to the rulebook.
    pub fn is_rulebook_number(&self) -> bool {
        self.keys.first().is_some_and(|key| key == RULEBOOK_CHANGES_KEY)
    }

    /// The path as files write it.
    pub fn to_file_path(&self) -> String {
        self.keys.join(".")
    }

    /// Returns the value at the path.
    pub fn value_in_table<'t>(&self, table: &'t Table) -> Option<&'t Toml> {
        let (last, outer) = self.keys.split_last()?;
        let holder = outer.iter().try_fold(table, |table, key| match table.get(key)? {
            Toml::Table(inner) => Some(inner),
            Toml::Array(several) => several.first()?.as_table(),
            _ => None,
        });
        holder?.get(last)
    }

    /// Sets the value at the path. A row that was named becomes a table with its name.
    pub fn set_value(&self, table: &mut Table, value: Toml) {
        let Some((last, outer)) = self.keys.split_last() else { return };
        let mut holder = table;
        for key in outer {
            let slot = holder.entry(key.clone()).or_insert_with(|| Toml::Table(Table::new()));
            if slot.is_str() {
                let name = slot.clone();
                *slot = Toml::Table([(ROW_NAME.to_owned(), name)].into_iter().collect());
            }
            let next = match slot {
                Toml::Table(inner) => Some(inner),
                Toml::Array(several) => several.first_mut().and_then(Toml::as_table_mut),
                _ => None,
            };
            match next {
                Some(next) => holder = next,
                None => return,
            }
        }
        holder.insert(last.clone(), value);
    }
}
