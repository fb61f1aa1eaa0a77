//! Parses dice in words: `highest 3 of 4d6`, `count 6 in 3d6`, `count(6d6 >= 5)`,
//! `explode d6`.

use super::{DiceParseResult, DiceParser, build_binary};
use crate::dice_bounds::DICE_COUNT_RANGE;
use crate::expression_tree::{
    BinaryOperator, DicePool, ExprNode, ExprNodeKind, ExtraDiceJoining, ExtraDiceRule, FaceSet,
    PassTest,
};
use crate::scanner::{fault_at, with_remedy};

impl DiceParser<'_> {
    /// Parses dice in words, if they come next.
    pub(super) fn parse_dice_words(&mut self, start: usize) -> DiceParseResult<Option<ExprNode>> {
        let word = self.reader.peek_letters();
        let opening_words = ["highest", "lowest", "best", "worst", "count", "explode"];
        if !opening_words.contains(&word.as_str()) {
            return Ok(None);
        }
        self.reader.skip_spaces_and_bytes(word.len());
        match word.as_str() {
            "count" => self.parse_count_expression(start),
            "explode" => self.parse_exploding_dice(start),
            _ => self.parse_highest_or_lowest(start, matches!(word.as_str(), "highest" | "best")),
        }
        .map(Some)
    }

    fn parse_highest_or_lowest(
        &mut self,
        start: usize,
        highest: bool,
    ) -> DiceParseResult<ExprNode> {
        let number = match self.reader.eat_digits() {
            Some(digits) => Some(self.reader.number_in_bounds(&DICE_COUNT_RANGE, &digits)?),
            None => None,
        };
        if !self.reader.eat_one_of_words(&["of"]) {
            return Err(self.reader.unexpected_text_fault("`of` and dice"));
        }
        let first = self.parse_sum()?;
        let mut others = Vec::new();
        // `highest 2 of` takes from one pool: two of several sums would have no clear meaning.
        while number.is_none()
            && (self.reader.eat_sign(",") || self.reader.eat_one_of_words(&["and"]))
        {
            others.push(self.parse_sum()?);
        }
        let span = start..self.reader.position();
        let sign = if highest { BinaryOperator::Larger } else { BinaryOperator::Smaller };
        match first {
            _ if !others.is_empty() => {
                Ok(others.into_iter().fold(first, |left, right| build_binary(sign, left, right)))
            }
            ExprNode { what: ExprNodeKind::Pool(pool), .. } => {
                let number = number.unwrap_or(1);
                self.check_enough_dice(&pool, number, span.clone())?;
                self.add_keep_to_pool(*pool, highest, number as u16, span)
            }
            _ => Err(fault_at(span, "expected dice of which some can be kept")),
        }
    }

    /// Parses `count(6d6 >= 5)` or `count 6 in 3d6`.
    fn parse_count_expression(&mut self, start: usize) -> DiceParseResult<ExprNode> {
        if self.reader.eat_sign("(") {
            let pool = self.expect_dice_pool()?;
            let Some(comparison) = self.parse_comparison_sign() else {
                return Err(self.reader.unexpected_text_fault("a test, such as `>= 4`"));
            };
            let with = self.parse_right_operand()?;
            self.reader.expect_sign(")")?;
            let passes = PassTest::Against(comparison, Box::new(with));
            return Ok(ExprNode {
                what: ExprNodeKind::Count(pool, passes),
                span: start..self.reader.position(),
            });
        }
        let faces = self.parse_modifier_faces("")?;
        if !self.reader.eat_one_of_words(&["in", "of"]) {
            let located = self.reader.unexpected_text_fault("`in` and dice");
            return Err(with_remedy(located, "for example `count 6 in 3d6`, or `3d6 count 6`"));
        }
        let pool = self.expect_dice_pool()?;
        let what = ExprNodeKind::Count(pool, PassTest::Faces(faces));
        Ok(ExprNode { what, span: start..self.reader.position() })
    }

    fn parse_exploding_dice(&mut self, start: usize) -> DiceParseResult<ExprNode> {
        let mut pool = self.expect_dice_pool()?;
        let extra =
            ExtraDiceRule { faces: FaceSet::Highest, most: None, joins: ExtraDiceJoining::Apart };
        pool.extra.get_or_insert(extra);
        Ok(ExprNode { what: ExprNodeKind::Pool(pool), span: start..self.reader.position() })
    }

    /// Parses dice that are not counted yet, which must come next.
    fn expect_dice_pool(&mut self) -> DiceParseResult<Box<DicePool>> {
        let inner = self.parse_value_or_dice()?;
        match inner.what {
            ExprNodeKind::Pool(pool) => Ok(pool),
            _ => Err(fault_at(inner.span, "expected dice, such as 6d6")),
        }
    }
}
