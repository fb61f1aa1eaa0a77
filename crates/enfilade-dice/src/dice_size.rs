//! Number of dice of an expression, and their sides: what there is to roll at the table.

use super::expression_tree::{DicePool, DieFaces, ExprNode, ExprNodeKind, PassTest};

/// Number of dice of an expression, and the sides of the largest; ordered by fewest dice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiceCountAndSides {
    /// Number of dice on both sides of every choice; a pool whose number is rolled counts as one.
    pub dice: u64,
    /// Sides of the largest die; 0 if only the dice say how many.
    pub sides: u64,
}

impl DiceCountAndSides {
    /// Counts the dice of an expression.
    pub(crate) fn of(node: &ExprNode) -> DiceCountAndSides {
        match &node.what {
            ExprNodeKind::Number(_) | ExprNodeKind::Yes(_) => DiceCountAndSides::default(),
            ExprNodeKind::Pool(pool) => DiceCountAndSides::dice_and_sides_of_pool(pool),
            ExprNodeKind::Count(pool, PassTest::Faces(_)) => {
                DiceCountAndSides::dice_and_sides_of_pool(pool)
            }
            ExprNodeKind::Count(pool, PassTest::Against(_, with)) => {
                DiceCountAndSides::dice_and_sides_of_pool(pool)
                    .add_keeping_more_sides(DiceCountAndSides::of(with))
            }
            ExprNodeKind::Two(_, left, right) => {
                DiceCountAndSides::of(left).add_keeping_more_sides(DiceCountAndSides::of(right))
            }
            ExprNodeKind::Minus(inner) | ExprNodeKind::Not(inner) => DiceCountAndSides::of(inner),
            ExprNodeKind::Choice(yes, test, no) => {
                let no = no.as_deref().map(DiceCountAndSides::of).unwrap_or_default();
                DiceCountAndSides::of(yes)
                    .add_keeping_more_sides(DiceCountAndSides::of(test))
                    .add_keeping_more_sides(no)
            }
        }
    }

    fn dice_and_sides_of_pool(pool: &DicePool) -> DiceCountAndSides {
        let (dice, inside) = match pool.count.as_ref() {
            None => (1, DiceCountAndSides::default()),
            Some(ExprNode { what: ExprNodeKind::Number(count), .. }) => {
                (u64::try_from(*count).unwrap_or_default(), DiceCountAndSides::default())
            }
            Some(rolled) => (1, DiceCountAndSides::of(rolled)),
        };
        let own = match &pool.die {
            DieFaces::Sides(sides) => DiceCountAndSides { dice, sides: u64::from(*sides) },
            DieFaces::Tens => DiceCountAndSides { dice: dice.saturating_mul(2), sides: 6 },
            DieFaces::Custom(faces) => DiceCountAndSides { dice, sides: faces.len() as u64 },
            DieFaces::Reckoned(sides) => DiceCountAndSides { dice, sides: 0 }
                .add_keeping_more_sides(DiceCountAndSides::of(sides)),
        };
        own.add_keeping_more_sides(inside)
    }

    fn add_keeping_more_sides(self, other: DiceCountAndSides) -> DiceCountAndSides {
        let dice = self.dice.saturating_add(other.dice);
        DiceCountAndSides { dice, sides: self.sides.max(other.sides) }
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
