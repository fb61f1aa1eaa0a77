//! The values of an axis in groups and in order, by the columns of the built-in data.
//!
//! A file may name a column of a system's tables to group an axis by (`type` of a unit) and one to
//! order it by (`armour`). A value belongs to the row whose first cells, joined by `/`, make its
//! name. If the file names no column, long axes whose values are all written `GROUP/NAME` are
//! grouped by that.

use indexmap::IndexMap;

use super::chart_data::ChartAxis;
use super::heatmap::NamesAlongHeatMapSide;
use crate::text::sentences::replace_control_chars;
use enfilade_model::catalogue::{PrintedDataTable, System};
use enfilade_model::form::name_matching;

/// The number of values from which an axis is grouped by the spelling of its values.
const MIN_VALUES_FOR_GROUPS: usize = 40;

/// The largest number of groups that helps a reader.
const MAX_HELPFUL_GROUPS: usize = 12;

/// The columns of built-in tables by which an axis is grouped and ordered.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupingColumns<'a> {
    /// The column that makes the groups.
    pub group: Option<&'a str>,
    /// The column that orders the values within a group.
    pub order: Option<&'a str>,
}

/// One value of an axis in its group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupedAxisValue {
    /// Its index on the axis in the order of the file.
    pub index: usize,
    /// Its name, without the name of its group as a prefix.
    pub name: String,
    /// The value that orders it, as written in the table; empty without one.
    pub mark: String,
}

/// The values of an axis in groups, the groups in order of first appearance.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisValueGroups {
    /// Name and members of each group; without groups, one without a name.
    pub groups: Vec<(String, Vec<GroupedAxisValue>)>,
    /// The columns in words: `by type, then armour`; empty without any.
    pub description: String,
}

impl AxisValueGroups {
    /// Groups the values of `axis`, which belongs to contests of `system`.
    pub fn new(axis: &ChartAxis, system: &System, by: GroupingColumns) -> AxisValueGroups {
        let labels = axis.labels_of_values();
        let facts = RulebookRowsForGrouping::from_system(system, by);
        let by_prefix =
            by.group.is_none() && by.order.is_none() && do_labels_form_useful_groups(&labels);
        let mut groups: IndexMap<String, Vec<GroupedAxisValue>> = IndexMap::new();
        for (index, label) in labels.iter().enumerate() {
            let group = match by.group {
                Some(column) => {
                    replace_control_chars(facts.cell_of_row(label, column).unwrap_or("others"))
                }
                // Without columns the group is the path in front of the name.
                None if by_prefix => group_name_in_label(label).unwrap_or("").to_owned(),
                None => String::new(),
            };
            let mark = by.order.and_then(|column| facts.cell_of_row(label, column));
            let member = GroupedAxisValue {
                index,
                name: label_without_group(label, &group).to_owned(),
                mark: replace_control_chars(mark.unwrap_or("")),
            };
            groups.entry(group).or_default().push(member);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        if by.order.is_some() {
            for (_, members) in &mut groups {
                members.sort_by(|a, b| {
                    numeric_sort_key(&a.mark).total_cmp(&numeric_sort_key(&b.mark))
                });
            }
        }
        AxisValueGroups { groups, description: describe_grouping(by) }
    }

    /// Returns the number of values.
    pub fn value_count(&self) -> usize {
        self.groups.iter().map(|(_, members)| members.len()).sum()
    }

    /// Returns the heads of these groups, and the indices of their members on the axis.
    pub fn side_names_and_axis_indices(&self, title: &str) -> (NamesAlongHeatMapSide, Vec<usize>) {
        let members = || self.groups.iter().flat_map(|(_, members)| members);
        let mark = |member: &GroupedAxisValue| match member.mark.is_empty() {
            true => String::new(),
            false => format!(" · {}", member.mark),
        };
        let named = self.groups.len() > 1;
        let group =
            |(name, members): &(String, Vec<GroupedAxisValue>)| (name.clone(), members.len());
        let parts: Vec<_> =
            [title, &self.description].into_iter().filter(|p| !p.is_empty()).collect();
        let heads = NamesAlongHeatMapSide {
            title: parts.join("; "),
            names: members().map(|member| member.name.clone()).collect(),
            marks: members().map(mark).collect(),
            groups: if named { self.groups.iter().map(group).collect() } else { Vec::new() },
        };
        (heads, members().map(|member| member.index).collect())
    }

    /// Returns only the values whose index on the axis passes.
    pub fn with_members_filtered(&self, passes: impl Fn(usize) -> bool) -> AxisValueGroups {
        let group = |(name, members): &(String, Vec<GroupedAxisValue>)| {
            let members = members.iter().filter(|member| passes(member.index));
            (name.clone(), members.cloned().collect())
        };
        AxisValueGroups {
            groups: self.groups.iter().map(group).collect(),
            description: self.description.clone(),
        }
    }

    /// Returns only the group at this index.
    pub fn only_group_at_index(&self, group: usize) -> AxisValueGroups {
        AxisValueGroups {
            groups: vec![self.groups[group].clone()],
            description: self.description.clone(),
        }
    }
}

fn describe_grouping(by: GroupingColumns) -> String {
    match (by.group, by.order) {
        (Some(group), Some(order)) => {
            format!("by {group}, then {order} (the number after the name)")
        }
        (Some(group), None) => format!("by {group}"),
        (None, Some(order)) => format!("by {order} (the number after the name)"),
        (None, None) => String::new(),
    }
}

/// Returns the sort key of a mark: numbers in order, other marks last.
fn numeric_sort_key(mark: &str) -> f64 {
    mark.parse().ok().filter(|n: &f64| n.is_finite()).unwrap_or(f64::MAX)
}

fn group_name_in_label(label: &str) -> Option<&str> {
    label.split_once('/').map(|(group, _)| group)
}

fn label_without_group<'a>(label: &'a str, group: &str) -> &'a str {
    let rest = label.strip_prefix(group).and_then(|rest| rest.strip_prefix('/'));
    rest.filter(|rest| !rest.is_empty()).unwrap_or(label)
}

/// Whether the spelling of a long axis' values makes a few groups.
fn do_labels_form_useful_groups(labels: &[String]) -> bool {
    let groups: Option<std::collections::BTreeSet<_>> =
        labels.iter().map(|l| group_name_in_label(l)).collect();
    let groups = groups.map_or(0, |groups| groups.len());
    labels.len() >= MIN_VALUES_FOR_GROUPS && (2..=MAX_HELPFUL_GROUPS).contains(&groups)
}

/// The rows of a system's tables that have the requested columns, by name.
struct RulebookRowsForGrouping {
    columns: Vec<String>,
    rows: IndexMap<String, Vec<String>>,
}

impl RulebookRowsForGrouping {
    fn from_system(system: &System, by: GroupingColumns) -> RulebookRowsForGrouping {
        let wanted: Vec<_> = by.group.into_iter().chain(by.order).collect();
        let mut facts = RulebookRowsForGrouping {
            columns: wanted.iter().map(|&column| column.to_owned()).collect(),
            rows: IndexMap::new(),
        };
        for data_table in (system.data_tables)().iter().filter(|_| !wanted.is_empty()) {
            facts.add_rows_of_table(data_table);
        }
        facts
    }

    /// Adds the rows of a table that has all columns.
    fn add_rows_of_table(&mut self, data_table: &PrintedDataTable) {
        let place = |wanted: &String| data_table.columns.iter().position(|column| column == wanted);
        let Some(places) = self.columns.iter().map(place).collect::<Option<Vec<_>>>() else {
            return;
        };
        for row in &data_table.rows {
            let cells: Vec<_> = places.iter().map(|&place| row[place].clone()).collect();
            for words in 1..=row.len().min(3) {
                let name = name_matching::name_matching_key(&row[..words].join("/"));
                self.rows.entry(name).or_insert_with(|| cells.clone());
            }
        }
    }

    fn cell_of_row(&self, label: &str, column: &str) -> Option<&str> {
        let place = self.columns.iter().position(|known| known == column)?;
        let row = self.rows.get(&name_matching::name_matching_key(label))?;
        Some(row[place].as_str()).filter(|cell| !cell.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;
    use enfilade_model::form::Value;

    fn system(id: &str) -> System {
        let known = enfilade_games::built_in_catalogue();
        System::clone(known.rulebook_by_id(id).expect("it is built in"))
    }

    fn axis(names: &[&str]) -> ChartAxis {
        let cell = |name: &&str| {
            test_answers::squad_answer_from_36ths(
                vec![("target", Value::Text((*name).into()))],
                1,
                1,
            )
        };
        let cells: Vec<_> = names.iter().map(cell).collect();
        ChartAxis::from_axis_of_cells(&cells.iter().collect::<Vec<_>>(), "target")
            .expect("it has values")
    }

    /// Types and armour as printed in `data/dropzone_units.tsv`.
    #[test]
    fn units_are_grouped_by_type_and_ordered_by_armour() {
        let names = ["UCM/Kodiak Command ACV", "UCM/Legionnaires", "UCM/Wolf Command LAV"];
        let by = GroupingColumns { group: Some("type"), order: Some("armour") };
        let grouping = AxisValueGroups::new(&axis(&names), &system("dropzone"), by);
        let (heads, places) = grouping.side_names_and_axis_indices("target");
        assert_eq!(heads.groups, [("Tank".to_owned(), 2), ("Infantry".to_owned(), 1)]);
        assert_eq!(heads.marks, [" · 12", " · 14", " · 7"]);
        assert_eq!(places, [2, 0, 1]);
        assert_eq!(heads.title, "target; by type, then armour (the number after the name)");
    }

    #[test]
    fn what_no_table_knows_stands_last() {
        let names = ["mystery", "UCM/Legionnaires"];
        let by = GroupingColumns { group: Some("type"), order: None };
        let grouping = AxisValueGroups::new(&axis(&names), &system("dropzone"), by);
        let groups: Vec<_> = grouping.groups.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(groups, ["others", "Infantry"]);
        let by = GroupingColumns { group: None, order: Some("armour") };
        let (heads, places) = AxisValueGroups::new(&axis(&names), &system("dropzone"), by)
            .side_names_and_axis_indices("");
        assert_eq!((heads.groups, places), (Vec::new(), vec![1, 0]));
    }

    #[test]
    fn long_axes_are_grouped_by_their_names() {
        let names: Vec<_> = (0..50).map(|i| format!("side {}/unit {i}", i % 2)).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let grouping =
            AxisValueGroups::new(&axis(&names), &system("asl"), GroupingColumns::default());
        assert_eq!(grouping.groups.len(), 2);
        assert_eq!(grouping.groups[1].1[0].name, "unit 1");
        assert_eq!(
            AxisValueGroups::new(&axis(&names[..10]), &system("asl"), GroupingColumns::default())
                .groups
                .len(),
            1
        );
    }
}
