//! Variation among the states of a rule.

use std::collections::{HashMap, HashSet};

use super::code::item_size_in_u16s;
use super::machine::Interpreter;

/// Finds the name with the most distinct values among the first states, and returns it with their
/// number. The program must have been compiled with names.
pub fn find_most_varied_name(machine: &Interpreter, most: u32) -> Option<(String, usize)> {
    let program = &machine.program;
    let mut values: HashMap<&str, HashSet<Box<[i16]>>> = HashMap::new();
    machine.visit_states_up_to(most, |snap| {
        let Some(site) = program.sites.get(usize::from(snap.site)) else { return };
        let mut slots = &snap.slots[..];
        let saved = site.memory.registers.iter().map(|reg| (*reg, 1));
        let bags = site.memory.bags.iter().map(|(bag, opens)| {
            let bag = &program.bags[usize::from(*bag)];
            (bag.base, usize::from(bag.size) * item_size_in_u16s(bag.values, opens.len()))
        });
        for (reg, size) in saved.chain(bags) {
            let (value, left) = slots.split_at(size);
            slots = left;
            if let Some((_, name)) = site.names.iter().rev().find(|(known, _)| *known == reg) {
                values.entry(name).or_default().insert(value.into());
            }
        }
    });
    let counted = values.into_iter().map(|(name, values)| (name.to_owned(), values.len()));
    counted.max_by(|(a, many), (b, more)| many.cmp(more).then(b.cmp(a)))
}
