//! Number of dice of an expression, and their sides: what there is to roll at the table.

use super::expression_tree::{DicePool, DieFaces, ExprNode, ExprNodeKind, PassTest};

/// Number of dice of an expression, and the sides of the largest; ordered by fewest dice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiceSize {
    /// Number of dice on both sides of every choice; a pool whose number is rolled counts as one.
    pub dice: u64,
    /// Sides of the largest die; 0 if only the dice say how many.
    pub sides: u64,
}

impl DiceSize {
    /// Counts the dice of an expression.
    pub(crate) fn of(node: &ExprNode) -> DiceSize {
        match &node.what {
            ExprNodeKind::Number(_) | ExprNodeKind::Yes(_) => DiceSize::default(),
            ExprNodeKind::Pool(pool) => DiceSize::dice_and_sides_of_pool(pool),
            ExprNodeKind::Count(pool, PassTest::Faces(_)) => DiceSize::dice_and_sides_of_pool(pool),
            ExprNodeKind::Count(pool, PassTest::Against(_, with)) => {
                DiceSize::dice_and_sides_of_pool(pool).plus(DiceSize::of(with))
            }
            ExprNodeKind::Two(_, left, right) => DiceSize::of(left).plus(DiceSize::of(right)),
            ExprNodeKind::Minus(inner) | ExprNodeKind::Not(inner) => DiceSize::of(inner),
            ExprNodeKind::Choice(yes, test, no) => {
                let no = no.as_deref().map(DiceSize::of).unwrap_or_default();
                DiceSize::of(yes).plus(DiceSize::of(test)).plus(no)
            }
        }
    }

    fn dice_and_sides_of_pool(pool: &DicePool) -> DiceSize {
        let (dice, inside) = match pool.count.as_ref() {
            None => (1, DiceSize::default()),
            Some(ExprNode { what: ExprNodeKind::Number(count), .. }) => {
                (u64::try_from(*count).unwrap_or_default(), DiceSize::default())
            }
            Some(rolled) => (1, DiceSize::of(rolled)),
        };
        let own = match &pool.die {
            DieFaces::Sides(sides) => DiceSize { dice, sides: u64::from(*sides) },
            DieFaces::Tens => DiceSize { dice: dice.saturating_mul(2), sides: 6 },
            DieFaces::Custom(faces) => DiceSize { dice, sides: faces.len() as u64 },
            DieFaces::Reckoned(sides) => DiceSize { dice, sides: 0 }.plus(DiceSize::of(sides)),
        };
        own.plus(inside)
    }

    fn plus(self, other: DiceSize) -> DiceSize {
        let dice = self.dice.saturating_add(other.dice);
        DiceSize { dice, sides: self.sides.max(other.sides) }
    }
}

#[cfg(test)]
mod tests {
    use crate::DiceDistribution;

    #[test]
    fn dice_are_counted_as_they_are_rolled() {
        for (text, dice, sides) in [
            ("7", 0, 0),
            ("d8 + 4d6", 5, 8),
            ("17d12 count 8+", 17, 12),
            ("d66", 2, 6),
            ("2d{1,1,2}", 2, 3),
            ("(d4)d6", 2, 6),
            ("2d6 vs 3d8", 5, 8),
        ] {
            let size = DiceDistribution::from_text(text).expect("an expression").size;
            assert_eq!((size.dice, size.sides), (dice, sides), "{text}");
        }
    }
}
