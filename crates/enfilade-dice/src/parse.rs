//! Parser of dice expressions.
//!
//! ```text
//! answer  = expr [ "vs" expr ]
//! expr    = either [ "if" either [ "else" expr ] ]
//! either  = not { "or" not } | not { "and" not }
//! not     = "not" not | test
//! test    = bound [ ( ">=" | "<=" | ">" | "<" | "=" | "!=" | "is" [ "not" ] ) bound [ "s" ] ]
//! bound   = sum { "at" ( "least" | "most" ) sum }
//! sum     = product { ( "+" | "-" ) product }
//! product = atom { ( "*" | "x" | "/" ) atom }
//! atom    = "-" atom | [ number | "(" expr ")" ] dice | number | "yes" | "no" | "(" expr ")"
//!         | ( "max" | "min" ) "(" expr { "," expr } ")" | "up" "(" product ")"
//!         | "count" "(" dice comparison bound ")" | "{" dice "}" | "[" phrase "]" | phrase
//! phrase  = ( "highest" | "lowest" | "best" | "worst" ) ( [ number ] "of" dice
//!             | "of" expr { ( "and" | "," ) expr } )
//!         | "count" faces "in" dice | "explode" dice
//! ```
//! Dice and their modifiers are parsed in [`dice_modifiers`].

use super::dice_bounds::{CONSTANT_VALUE_RANGE, EXPRESSION_LENGTH_RANGE, MAX_BRACKET_DEPTH};
use super::expression_tree::{
    BinaryOperator, ComparisonSign, DicePool, DieFaces, ExprNode, ExprNodeKind, ExprSpan, FaceSet,
    PassTest,
};
use super::scanner::{DiceTextScanner, fault_at, with_remedy};
use enfilade_model::error::FaultWithByteSpan;
use enfilade_model::form::name_matching::find_nearest_name;

mod advice;
mod dice_in_words;
mod dice_modifiers;

/// Result of parsing, or the fault at its place.
type DiceParseResult<T> = Result<T, FaultWithByteSpan>;

/// Words of expressions, for suggestions when one is misspelled.
const KNOWN_EXPRESSION_WORDS: [&str; 31] = [
    "adv", "again", "and", "at", "count", "dis", "down", "drop", "else", "explode", "high",
    "highest", "if", "is", "keep", "least", "low", "lowest", "max", "min", "most", "not", "on",
    "or", "reroll", "step", "to", "up", "versus", "vs", "hits",
];

/// Parses a whole expression, and returns remarks on other possible readings with it.
///
/// # Errors
/// The first fault, at its place: the text is too long, or no dice expression.
pub fn parse_expression(text: &str) -> DiceParseResult<(ExprNode, Vec<String>)> {
    let characters = i64::try_from(text.trim().chars().count()).unwrap_or(i64::MAX);
    if let Err(problem) = EXPRESSION_LENGTH_RANGE.check_in_range(characters) {
        return Err(with_remedy(fault_at(0..text.len(), problem), "for example \"d8 + 4d6\""));
    }
    let mut parser =
        DiceParser { reader: DiceTextScanner::new(text), remarks: Vec::new(), depth: 0 };
    let mut node = parser.parse_conditional()?;
    if parser.reader.eat_one_of_words(&["vs", "versus", "against", "v"]) {
        let right = parser.parse_conditional()?;
        node = build_binary(BinaryOperator::Versus, node, right);
    }
    if parser.reader.peek_text_after_spaces().is_empty() {
        return Ok((node, parser.remarks));
    }
    Err(parser.text_after_end_fault())
}

fn build_binary(sign: BinaryOperator, left: ExprNode, right: ExprNode) -> ExprNode {
    let span = left.span.start..right.span.end;
    ExprNode { what: ExprNodeKind::Two(sign, Box::new(left), Box::new(right)), span }
}

struct DiceParser<'a> {
    reader: DiceTextScanner<'a>,
    remarks: Vec<String>,
    depth: usize,
}

impl DiceParser<'_> {
    /// Builds the fault of text after the end of an expression.
    fn text_after_end_fault(&self) -> FaultWithByteSpan {
        let word = self.reader.peek_letters();
        let located = self.reader.unexpected_text_fault("the end of the expression");
        if let Some(advice) = advice::spelling_of_known_habit(&word) {
            return with_remedy(located, advice);
        }
        let nearest_word = find_nearest_name(&word, KNOWN_EXPRESSION_WORDS)
            .filter(|known| *known != word && word.len() > 1);
        match (nearest_word, self.reader.peek_text_after_spaces().chars().next()) {
            (Some(nearest_word), _) => {
                with_remedy(located, format!("did you mean `{nearest_word}`?"))
            }
            (None, Some('d' | 'D' | '(' | '0'..='9')) => with_remedy(
                located,
                "to compare several expressions, put each of them in its own quotes",
            ),
            _ => located,
        }
    }

    /// Parses `inner` one bracket deeper.
    fn parse_one_level_deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> DiceParseResult<T>,
    ) -> DiceParseResult<T> {
        self.depth += 1;
        if self.depth > MAX_BRACKET_DEPTH {
            let at = self.reader.next_position();
            return Err(fault_at(
                at..at,
                format!("brackets are nested at most {MAX_BRACKET_DEPTH} deep"),
            ));
        }
        let read = inner(self);
        self.depth -= 1;
        read
    }

    fn parse_conditional(&mut self) -> DiceParseResult<ExprNode> {
        self.parse_one_level_deeper(|parser| {
            let then = parser.parse_and_or_chain()?;
            if !parser.reader.eat_one_of_words(&["if"]) {
                return Ok(then);
            }
            let test = parser.parse_and_or_chain()?;
            let other = match parser.reader.eat_one_of_words(&["else"]) {
                true => Some(Box::new(parser.parse_conditional()?)),
                false => None,
            };
            let span = then.span.start..parser.reader.position();
            Ok(ExprNode { what: ExprNodeKind::Choice(Box::new(test), Box::new(then), other), span })
        })
    }

    fn parse_and_or_chain(&mut self) -> DiceParseResult<ExprNode> {
        let mut left = self.parse_negation()?;
        let mut before = None;
        loop {
            let sign = match self.reader.peek_letters().as_str() {
                "and" => BinaryOperator::And,
                "or" => BinaryOperator::Or,
                _ => return Ok(left),
            };
            if before.is_some_and(|before| before != sign) {
                let at = self.reader.next_position();
                let problem = "`and` and `or` are mixed without brackets: write `(a and b) or c`";
                return Err(fault_at(at..at + self.reader.peek_letters().len(), problem));
            }
            before = Some(sign);
            self.reader.eat_one_of_words(&["and", "or"]);
            left = build_binary(sign, left, self.parse_negation()?);
        }
    }

    fn parse_negation(&mut self) -> DiceParseResult<ExprNode> {
        let start = self.reader.next_position();
        if !self.reader.eat_one_of_words(&["not"]) {
            return self.parse_comparison_test();
        }
        let inner = self.parse_one_level_deeper(Self::parse_negation)?;
        let span = start..inner.span.end;
        Ok(ExprNode { what: ExprNodeKind::Not(Box::new(inner)), span })
    }

    fn parse_comparison_sign(&mut self) -> Option<ComparisonSign> {
        if self.reader.eat_one_of_words(&["is"]) {
            let not = self.reader.eat_one_of_words(&["not"]);
            return Some(if not { ComparisonSign::Unequal } else { ComparisonSign::Equal });
        }
        self.reader.eat_comparison()
    }

    fn parse_comparison_test(&mut self) -> DiceParseResult<ExprNode> {
        let start = self.reader.next_position();
        let grouped = self.reader.peek_text_after_spaces().starts_with('{');
        let left = self.parse_right_operand()?;
        let Some(comparison) = self.parse_comparison_sign() else {
            return Ok(left);
        };
        let right = self.parse_right_operand()?;
        let counted = self.reader.eat_one_of_words(&["s", "hits", "hit", "success", "successes"]);
        let span = start..self.reader.position();
        match (left.what, &right.what) {
            // `6d10>=8s` and `{6d10}>=8` count dice; without either mark the sum is compared.
            (ExprNodeKind::Pool(pool), ExprNodeKind::Number(with)) if counted || grouped => {
                if !counted {
                    self.note_strict_comparison(comparison, *with, "");
                }
                let faces = PassTest::Faces(FaceSet::Compared(comparison, *with));
                Ok(ExprNode { what: ExprNodeKind::Count(pool, faces), span })
            }
            _ if counted => {
                let problem = "`s` counts the dice of one pool against a number";
                Err(with_remedy(fault_at(span, problem), "for example `6d10>=8s`"))
            }
            (what, _) => {
                let left = ExprNode { what, span: left.span };
                self.note_ambiguous_pool(comparison, &left, &right);
                Ok(build_binary(BinaryOperator::Is(comparison), left, right))
            }
        }
    }

    /// Adds a remark that `>` leaves out the number itself, unlike in other programs.
    fn note_strict_comparison(&mut self, comparison: ComparisonSign, with: i64, before: &str) {
        let (sign, more, all) = match comparison {
            ComparisonSign::More => (">", with + 1, "or more"),
            ComparisonSign::Less => ("<", with - 1, "or less"),
            _ => return,
        };
        self.remarks.push(format!(
            "`{before}{sign}{with}` is read as {more} {all}; for {with} {all}, as Roll20 reads it, write `{before}{sign}={with}`"
        ));
    }

    /// Adds a remark on a sum that is compared with a number that one of its dice can show.
    fn note_ambiguous_pool(
        &mut self,
        comparison: ComparisonSign,
        left: &ExprNode,
        right: &ExprNode,
    ) {
        let (ExprNodeKind::Pool(pool), ExprNodeKind::Number(with)) = (&left.what, &right.what)
        else {
            return;
        };
        let (DieFaces::Sides(sides), Some(ExprNode { what: ExprNodeKind::Number(2..), .. })) =
            (&pool.die, &pool.count)
        else {
            return;
        };
        let sides = i64::from(*sides);
        let (least, faces) = match comparison {
            ComparisonSign::AtLeast => (*with, format!("{with}+")),
            ComparisonSign::More => (with + 1, format!("{}+", with + 1)),
            ComparisonSign::AtMost => (with + 1, format!("<={with}")),
            ComparisonSign::Less => (*with, format!("<{with}")),
            ComparisonSign::Equal => (2, format!("{with}")),
            ComparisonSign::Unequal => return,
        };
        // A number that no single die shows, or that all show, can only be compared with the sum.
        if (2..=sides).contains(&least) && (1..=sides).contains(with) {
            let dice = self.reader.text_of_span(&left.span).trim();
            self.remarks.push(format!(
                "this compares the sum of the dice with {with}; to count the dice that pass, write `{dice} count {faces}`"
            ));
        }
    }

    fn parse_right_operand(&mut self) -> DiceParseResult<ExprNode> {
        let mut left = self.parse_sum()?;
        loop {
            let sign = match () {
                () if self.reader.eat_two_words("at", &["least"]) => BinaryOperator::Larger,
                () if self.reader.eat_two_words("at", &["most"]) => BinaryOperator::Smaller,
                () => return Ok(left),
            };
            left = build_binary(sign, left, self.parse_sum()?);
        }
    }

    fn parse_sum(&mut self) -> DiceParseResult<ExprNode> {
        let mut left = self.parse_product()?;
        loop {
            let sign = match () {
                () if self.reader.eat_sign("+") => BinaryOperator::Plus,
                () if self.reader.try_eat_any_sign(&["-", "−", "–"]) => BinaryOperator::Minus,
                () => return Ok(left),
            };
            left = build_binary(sign, left, self.parse_product()?);
        }
    }

    fn parse_product(&mut self) -> DiceParseResult<ExprNode> {
        let mut left = self.parse_value_or_dice()?;
        loop {
            let sign = match () {
                () if self.reader.try_eat_any_sign(&["*", "×", "·"])
                    || self.skip_multiplication_x() =>
                {
                    BinaryOperator::Times
                }
                () if self.reader.try_eat_any_sign(&["/", "÷"]) => BinaryOperator::Over,
                () => return Ok(left),
            };
            left = build_binary(sign, left, self.parse_value_or_dice()?);
        }
    }

    /// Consumes an `x` between two values: `2x3`, `2xd6`, `d6 x 2`.
    fn skip_multiplication_x(&mut self) -> bool {
        let has_times = matches!(self.reader.peek_letters().as_str(), "x" | "xd");
        if has_times {
            self.reader.skip_spaces_and_bytes(1);
        }
        has_times
    }

    fn parse_value_or_dice(&mut self) -> DiceParseResult<ExprNode> {
        let start = self.reader.next_position();
        if self.reader.try_eat_any_sign(&["-", "−", "–"]) {
            let inner = self.parse_one_level_deeper(Self::parse_value_or_dice)?;
            let span = start..inner.span.end;
            return Ok(ExprNode { what: ExprNodeKind::Minus(Box::new(inner)), span });
        }
        if let Some(digits) = self.reader.eat_digits() {
            // Before a die, a number is a number of dice, with the bound of dice.
            let bound = if self.is_at_die() {
                &super::dice_bounds::DICE_COUNT_RANGE
            } else {
                &CONSTANT_VALUE_RANGE
            };
            let number = self.reader.number_in_bounds(bound, &digits)?;
            let node = ExprNode { what: ExprNodeKind::Number(number), span: digits.span };
            return self.parse_dice_or_value(start, node);
        }
        if self.is_at_die() {
            return self.parse_pool_after_count(start, None);
        }
        if self.reader.eat_sign("(") {
            let inner = self.parse_conditional()?;
            self.reader.expect_sign(")")?;
            let node = ExprNode { what: inner.what, span: start..self.reader.position() };
            return self.parse_dice_or_value(start, node);
        }
        if self.reader.eat_sign("{") {
            return self.parse_dice_in_braces(start);
        }
        if self.reader.eat_sign("[") {
            let inner =
                self.parse_one_level_deeper(|parser| match parser.parse_dice_words(start)? {
                    Some(expr) => Ok(expr),
                    None => parser.parse_conditional(),
                })?;
            self.reader.expect_sign("]")?;
            return Ok(inner);
        }
        match self.parse_dice_words(start)? {
            Some(expr) => Ok(expr),
            None => self.parse_function_call(start),
        }
    }

    /// Parses dice behind a number or brackets, if dice come next.
    fn parse_dice_or_value(&mut self, start: usize, count: ExprNode) -> DiceParseResult<ExprNode> {
        if self.is_at_die() {
            return self.parse_pool_after_count(start, Some(count));
        }
        Ok(count)
    }

    /// Parses `{6d6}`: dice that a comparison counts.
    fn parse_dice_in_braces(&mut self, start: usize) -> DiceParseResult<ExprNode> {
        let inner = self.parse_conditional()?;
        if self.reader.eat_sign(",") {
            let span = start..self.reader.position();
            let located = fault_at(span, "several rolls in braces are not read");
            return Err(with_remedy(
                located,
                "the highest of them is `max(2d6, d8)`, the lowest `min(2d6, d8)`",
            ));
        }
        self.reader.expect_sign("}")?;
        Ok(inner)
    }

    fn parse_function_call(&mut self, start: usize) -> DiceParseResult<ExprNode> {
        let name = self.reader.peek_letters();
        let found = |what, span: ExprSpan| Ok(ExprNode { what, span });
        match name.as_str() {
            "yes" | "no" => {
                self.reader.skip_spaces_and_bytes(name.len());
                found(ExprNodeKind::Yes(name == "yes"), start..self.reader.position())
            }
            "max" | "min" => {
                self.reader.skip_spaces_and_bytes(name.len());
                self.parse_max_or_min(start, name == "max")
            }
            "up" | "ceil" | "floor" => {
                self.reader.skip_spaces_and_bytes(name.len());
                self.parse_rounding(start, name != "floor")
            }
            _ => {
                let located = self.reader.unexpected_text_fault("dice, such as 2d6, or a number");
                let known =
                    find_nearest_name(&name, KNOWN_EXPRESSION_WORDS).filter(|_| !name.is_empty());
                Err(match (advice::spelling_of_known_habit(&name), known) {
                    (Some(advice), _) => with_remedy(located, advice),
                    (None, Some(known)) => with_remedy(located, format!("did you mean `{known}`?")),
                    (None, None) => located,
                })
            }
        }
    }

    /// Parses `max(d8, d6)`, and `max(2d6)`, the highest of the dice.
    fn parse_max_or_min(&mut self, start: usize, highest: bool) -> DiceParseResult<ExprNode> {
        let name = if highest { "max" } else { "min" };
        self.reader.expect_sign("(")?;
        let first = self.parse_conditional()?;
        let mut others = Vec::new();
        while self.reader.eat_sign(",") {
            others.push(self.parse_conditional()?);
        }
        self.reader.expect_sign(")")?;
        let span = start..self.reader.position();
        let sign = if highest { BinaryOperator::Larger } else { BinaryOperator::Smaller };
        match first {
            _ if !others.is_empty() => {
                Ok(others.into_iter().fold(first, |left, right| build_binary(sign, left, right)))
            }
            ExprNode { what: ExprNodeKind::Pool(pool), .. } => {
                self.add_keep_to_pool(*pool, highest, 1, span)
            }
            only => {
                let problem = format!("`{name}` of one number is that number");
                let help = format!("`{name}(2d6)` is of the dice, `{name}(d8, d6)` of both");
                Err(with_remedy(fault_at(only.span, problem), help))
            }
        }
    }

    /// Parses `up(d6 / 2)`.
    fn parse_rounding(&mut self, start: usize, up: bool) -> DiceParseResult<ExprNode> {
        self.reader.expect_sign("(")?;
        let inner = self.parse_conditional()?;
        self.reader.expect_sign(")")?;
        let span = start..self.reader.position();
        match inner.what {
            ExprNodeKind::Two(BinaryOperator::Over, a, b) => {
                let sign = if up { BinaryOperator::OverUp } else { BinaryOperator::Over };
                Ok(ExprNode { what: ExprNodeKind::Two(sign, a, b), span })
            }
            _ => Err(fault_at(inner.span, "only a division is rounded, as in `up(d6 / 2)`")),
        }
    }

    /// Keeps the highest or the lowest dice of a pool that has no such modifier yet.
    fn add_keep_to_pool(
        &self,
        mut pool: DicePool,
        highest: bool,
        number: u16,
        span: ExprSpan,
    ) -> DiceParseResult<ExprNode> {
        if !pool.keep.is_empty() {
            return Err(fault_at(span, "these dice already have a keep or drop"));
        }
        pool.keep.push(super::expression_tree::KeptDiceChoice { highest, drop: false, number });
        Ok(ExprNode { what: ExprNodeKind::Pool(Box::new(pool)), span })
    }
}
