//! Number of states that decides a search whose cells are dear.

use crate::seek_answer::SeekAnswer;
use crate::seek_question::SeekQuestion;
use crate::solved_grids::MeasureGridsOfCell;
use crate::value_text::format_grouped_count;

impl SeekAnswer {
    /// The limit of states, such as `3e7`, within which every design is decided; `None` if all are
    /// decided.
    pub fn state_limit_to_decide_all(&self) -> Option<String> {
        self.fence.as_ref()?.decided_changes?;
        let cells: u64 = self.fenced_cell_grids().map(|(_, shape)| shape.len() as u64).sum();
        let states = cells.saturating_mul(self.solved.states_per_cell.max(1));
        Some(format_in_e_notation(round_up_to_one_digit(states)))
    }

    /// Describes what a search needs that is not decided: fewer values of a number, or more work.
    pub fn remaining_work_remark(&self, question: &SeekQuestion) -> Option<String> {
        let states = self.state_limit_to_decide_all()?;
        let (cell, shape) = self.fenced_cell_grids().max_by_key(|(_, shape)| shape.len())?;
        let contest = &question.contests[question.cells.cells[cell].contest].name;
        let numbers = shape.scope.iter().map(|number| {
            let number = &question.numbers[*number];
            format!("{} ({})", number.name, number.values.len())
        });
        let numbers: Vec<String> = numbers.collect();
        Some(format!(
            "\"{contest}\" reads {} numbers, {} cells of {} states: fix one of {}; or --work {} decides all designs",
            numbers.len(),
            format_grouped_count(shape.len() as u64),
            format_grouped_count(self.solved.states_per_cell),
            numbers.join(", "),
            states,
        ))
    }

    fn fenced_cell_grids(&self) -> impl Iterator<Item = (usize, &MeasureGridsOfCell)> {
        let fences = self.solved.fences.iter().enumerate();
        fences.filter_map(|(cell, fence)| Some((cell, fence.as_ref()?.shape())))
    }
}

/// Rounds up to one digit and zeros.
fn round_up_to_one_digit(n: u64) -> u64 {
    let power = 10_u64.pow(n.max(1).ilog10());
    n.div_ceil(power).saturating_mul(power)
}

/// Formats one digit and zeros: `3e7`.
fn format_in_e_notation(n: u64) -> String {
    let zeros = n.max(1).ilog10();
    format!("{}e{zeros}", n / 10_u64.pow(zeros))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_rounded_up_to_one_digit() {
        let text = |n| format_in_e_notation(round_up_to_one_digit(n));
        assert_eq!(
            [0, 1, 9, 10, 11, 123_456].map(text),
            ["0e0", "1e0", "9e0", "1e1", "2e1", "2e5"]
        );
        assert_eq!(text(99_000), "1e5");
    }
}
