//! Decisions: options that are open, and numbers.

use enfilade_rules::syntax::ast::ChooseStmt;

use super::value::Value;
use super::world::{Asked, Out, World, fault};

impl<'f> World<'f> {
    /// Asks for one of the open options, or for a number.
    pub fn choose(&mut self, choose: &'f ChooseStmt) -> Out<()> {
        let asked = |options: usize| Asked::Choice {
            options: options as u32,
            highest: choose.highest,
            goal: choose.goal.text.clone(),
            hides: !choose.hidden.is_empty(),
        };
        if let Some((name, from, to)) = &choose.number {
            let (from, to) = (self.number(from)?, self.number(to)?);
            if to < from {
                return fault(format!("from {from} to {to}"));
            }
            let taken = self.ask(asked((to - from + 1) as usize))?;
            self.make(&name.text, Value::Number(from + i64::from(taken) - 1))?;
            return self.block(&choose.options[0].body);
        }
        let mut open = Vec::new();
        for option in &choose.options {
            if option.when.as_ref().map_or(Ok(true), |when| self.holds(when))? {
                open.push(option);
            }
        }
        if open.is_empty() {
            return fault("nothing is open".to_owned());
        }
        let taken = self.ask(asked(open.len()))?;
        self.block(&open[taken as usize - 1].body)
    }
}
