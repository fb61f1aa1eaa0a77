//! Parses dice and their modifiers.
//!
//! ```text
//! dice    = "d" ( number | "%" | "66" | "F" | "(" expr ")" | "{" custom faces "}" ) { modifier }
//! modifier = ( "kh" | "k" | "kl" | "dh" | "dl" | "d" ) [ number ]
//!         | ( "keep" | "drop" ) ( "highest" | "lowest" | "best" | "worst" ) [ number ]
//!         | ( "keep" | "drop" ) number | ( "high" | "low" ) number
//!         | "adv" | "dis" | ( "up" | "down" | "step" ) number
//!         | ( "r" | "ro" | "reroll" ) faces
//!         | ( "!" | "!!" | "!p" | "explode" ) [ faces ] [ "up" "to" number ]
//!         | "again" "on" faces "up" "to" number
//!         | [ "count" | "hits" | "on" ] faces                        (the last one)
//! faces   = number [ "+" | "-" | ".." number ] | comparison number
//! ```

use super::{DiceParseResult, DiceParser, advice};
use crate::dice_bounds::{
    DICE_COUNT_RANGE, DIE_SIDES_LADDER, DIE_SIDES_RANGE, EXTRA_DICE_RANGE, LADDER_STEPS_RANGE,
};
use crate::expression_tree::{
    ComparisonSign, DicePool, DieFaces, ExprNode, ExprNodeKind, ExprSpan, ExtraDiceJoining,
    ExtraDiceRule, FaceSet, KeptDiceChoice, PassTest, RerolledFaces,
};
use crate::scanner::{fault_at, with_remedy};

/// Largest number of custom faces of a die.
const MAX_CUSTOM_FACES: usize = 200;

/// Largest distance of a custom face from 0.
const MAX_CUSTOM_FACE_SIZE: i64 = 10_000;

impl DiceParser<'_> {
    /// Returns whether dice come next, apart from their number.
    pub(super) fn is_at_die(&self) -> bool {
        match self.reader.peek_letters().as_str() {
            "df" => true,
            "d" => {
                let behind = self.reader.peek_text_after_spaces()[1..].trim_start();
                behind.is_empty()
                    || !behind.starts_with(['+', '-', '*', '/', ')', ',', '=', '<', '>'])
            }
            _ => false,
        }
    }

    /// Parses dice after their number, with all modifiers behind them.
    pub(super) fn parse_pool_after_count(
        &mut self,
        start: usize,
        count: Option<ExprNode>,
    ) -> DiceParseResult<ExprNode> {
        let (die, sides) = self.parse_die()?;
        let keep = Vec::new();
        let mut pool = DicePool { count, die, reroll: None, extra: None, keep };
        while self.parse_dice_modifier(&mut pool, &sides)? {}
        if let Some(passes) = self.parse_counted_faces()? {
            let span = start..self.reader.position();
            return Ok(ExprNode {
                what: ExprNodeKind::Count(Box::new(pool), PassTest::Faces(passes)),
                span,
            });
        }
        Ok(ExprNode {
            what: ExprNodeKind::Pool(Box::new(pool)),
            span: start..self.reader.position(),
        })
    }

    /// Parses a die, and returns it with the place of its sides.
    fn parse_die(&mut self) -> DiceParseResult<(DieFaces, ExprSpan)> {
        if self.reader.eat_one_of_words(&["df"]) {
            let at = self.reader.position();
            return Ok((DieFaces::Custom(vec![-1, 0, 1]), at - 1..at));
        }
        self.reader.eat_one_of_words(&["d"]);
        let start = self.reader.next_position();
        let die = if self.reader.eat_sign("%") {
            DieFaces::Sides(100)
        } else if self.reader.eat_sign("{") {
            DieFaces::Custom(self.parse_custom_faces(start)?)
        } else if self.reader.eat_sign("(") {
            let sides = self.parse_conditional()?;
            self.reader.expect_sign(")")?;
            DieFaces::Reckoned(Box::new(sides))
        } else {
            match self.reader.expect_number_in_range(&DIE_SIDES_RANGE, "the number of sides")? {
                // Two d6 read as tens and ones, not a die with 66 sides.
                66 => DieFaces::Tens,
                sides => DieFaces::Sides(sides as u16),
            }
        };
        Ok((die, start..self.reader.position()))
    }

    /// Parses `{1, 1, 2, 3}`, `{1..6}` or `{0:3, 1:2}`, with each face repeated as written.
    fn parse_custom_faces(&mut self, start: usize) -> DiceParseResult<Vec<i64>> {
        let mut faces = Vec::new();
        loop {
            let from = self.parse_signed_face()?;
            let to = if self.reader.eat_sign("..") { self.parse_signed_face()? } else { from };
            let times = match self.reader.eat_sign(":") {
                true => self
                    .reader
                    .expect_number_in_range(&DICE_COUNT_RANGE, "how often the face is there")?,
                false => 1,
            };
            // Counted before memory is allocated for it: `{1..1000000000}` is quick to type.
            let more = (to - from + 1).max(0).saturating_mul(times);
            if more == 0 || faces.len() as i64 + more > MAX_CUSTOM_FACES as i64 {
                let problem = format!("a die has 1 to {MAX_CUSTOM_FACES} custom faces");
                return Err(fault_at(start..self.reader.position(), problem));
            }
            faces.extend((from..=to).flat_map(|face| std::iter::repeat_n(face, times as usize)));
            if !self.reader.eat_sign(",") {
                self.reader.expect_sign("}")?;
                return Ok(faces);
            }
        }
    }

    fn parse_signed_face(&mut self) -> DiceParseResult<i64> {
        let minus = self.reader.try_eat_any_sign(&["-", "−", "–"]);
        let digits =
            self.reader.eat_digits().ok_or_else(|| self.reader.unexpected_text_fault("a face"))?;
        if digits.value > MAX_CUSTOM_FACE_SIZE {
            return Err(fault_at(
                digits.span,
                format!("a face is -{MAX_CUSTOM_FACE_SIZE} to {MAX_CUSTOM_FACE_SIZE}"),
            ));
        }
        Ok(if minus { -digits.value } else { digits.value })
    }

    /// Parses one modifier of the dice, if one comes next.
    fn parse_dice_modifier(
        &mut self,
        pool: &mut DicePool,
        sides: &ExprSpan,
    ) -> DiceParseResult<bool> {
        if let Some(keep) = self.parse_kept_dice(pool)? {
            pool.keep.push(keep);
            return Ok(true);
        }
        let start = self.reader.next_position();
        if let Some(reroll) = self.parse_reroll()? {
            return self.check_not_repeated(start, pool.reroll.replace(reroll).is_none());
        }
        if let Some(extra) = self.parse_extra_dice()? {
            return self.check_not_repeated(start, pool.extra.replace(extra).is_none());
        }
        self.parse_die_ladder_steps(pool, sides)
    }

    fn check_not_repeated(&self, start: usize, first: bool) -> DiceParseResult<bool> {
        if first {
            return Ok(true);
        }
        Err(fault_at(start..self.reader.position(), "these dice already have this modifier"))
    }

    fn parse_kept_dice(&mut self, pool: &mut DicePool) -> DiceParseResult<Option<KeptDiceChoice>> {
        let worse = self.reader.eat_one_of_words(&["dis", "disadv", "disadvantage"]);
        if worse || self.reader.eat_one_of_words(&["adv", "advantage"]) {
            let at = self.reader.position();
            // `d20 adv` rolls two dice, though it names one.
            pool.count.get_or_insert(ExprNode { what: ExprNodeKind::Number(2), span: at..at });
            return Ok(Some(KeptDiceChoice { highest: !worse, drop: false, number: 1 }));
        }
        let start = self.reader.next_position();
        let Some((highest, drop)) = self.parse_keep_drop_words()? else {
            return Ok(None);
        };
        let number = match self.reader.eat_digits() {
            Some(digits) => self.reader.number_in_bounds(&DICE_COUNT_RANGE, &digits)?,
            None => 1,
        };
        let what = if drop { "dropped" } else { "kept" };
        self.check_enough_dice_for(pool, number, (drop, what), start..self.reader.position())?;
        Ok(Some(KeptDiceChoice { highest, drop, number: number as u16 }))
    }

    /// Parses the words for the dice that count, if they come next. Returns whether the highest are
    /// named, and whether the named dice are dropped.
    fn parse_keep_drop_words(&mut self) -> DiceParseResult<Option<(bool, bool)>> {
        let word = self.reader.peek_letters();
        let selection = match word.as_str() {
            "kh" | "k" | "high" => (true, false),
            "kl" | "low" => (false, false),
            "dh" => (true, true),
            "dl" => (false, true),
            // `4d6d1` drops one; after a space or before anything else a `d` begins other dice.
            "d" if self.is_letter_glued_both_sides(|c| c.is_ascii_digit()) => (false, true),
            "keep" | "drop" => {
                self.reader.skip_spaces_and_bytes(word.len());
                let highest = match self.reader.peek_letters().as_str() {
                    "highest" | "best" => true,
                    "lowest" | "worst" => false,
                    // Like `k3` and `d1`: the best are kept, the worst are dropped.
                    _ if self
                        .reader
                        .peek_text_after_spaces()
                        .starts_with(|c: char| c.is_ascii_digit()) =>
                    {
                        word == "keep"
                    }
                    _ => return Err(self.reader.unexpected_text_fault("`highest` or `lowest`")),
                };
                self.reader.eat_one_of_words(&["highest", "lowest", "best", "worst"]);
                return Ok(Some((highest, word == "drop")));
            }
            _ => return Ok(None),
        };
        self.reader.skip_spaces_and_bytes(word.len());
        Ok(Some(selection))
    }

    /// Returns whether the next letter comes without a space, directly followed by a character that
    /// passes `behind`.
    fn is_letter_glued_both_sides(&self, behind: impl Fn(char) -> bool) -> bool {
        let here = self.reader.remaining_text_with_spaces();
        here == self.reader.peek_text_after_spaces() && here[1..].starts_with(behind)
    }

    /// Checks that `number` dice of a pool can be kept.
    pub(super) fn check_enough_dice(
        &self,
        pool: &DicePool,
        number: i64,
        span: ExprSpan,
    ) -> DiceParseResult<()> {
        self.check_enough_dice_for(pool, number, (false, "kept"), span)
    }

    fn check_enough_dice_for(
        &self,
        pool: &DicePool,
        number: i64,
        (drop, what): (bool, &str),
        span: ExprSpan,
    ) -> DiceParseResult<()> {
        let count = match &pool.count {
            None => 1,
            Some(ExprNode { what: ExprNodeKind::Number(count), .. }) => *count,
            Some(_) => return Ok(()),
        };
        // All may be kept, but not all dropped.
        if number <= count - i64::from(drop) {
            return Ok(());
        }
        let located = fault_at(span, format!("{number} of {count} dice cannot be {what}"));
        Err(with_remedy(located, "dice of two kinds are added with `+`, as in `d6 + d8`"))
    }

    fn parse_reroll(&mut self) -> DiceParseResult<Option<RerolledFaces>> {
        let word = self.reader.peek_letters();
        let once = match word.as_str() {
            "r" => false,
            "ro" | "reroll" => true,
            _ => return Ok(None),
        };
        self.reader.skip_spaces_and_bytes(word.len());
        let faces = self.parse_modifier_faces(&word)?;
        if !once {
            let remark = "`r` rolls those faces until another falls; `ro` and `reroll` do it once";
            self.remarks.push(remark.to_owned());
        }
        Ok(Some(RerolledFaces { faces, once }))
    }

    fn parse_extra_dice(&mut self) -> DiceParseResult<Option<ExtraDiceRule>> {
        if self.reader.eat_two_words("again", &["on"]) {
            let faces = self.parse_modifier_faces("")?;
            if !self.reader.eat_two_words("up", &["to"]) {
                return Err(self
                    .reader
                    .unexpected_text_fault("`up to`, and how many more dice at most"));
            }
            let most = Some(
                self.reader
                    .expect_number_in_range(&EXTRA_DICE_RANGE, "how many more dice at most")?
                    as u16,
            );
            return Ok(Some(ExtraDiceRule { faces, most, joins: ExtraDiceJoining::Apart }));
        }
        // `d6 != 3` compares.
        if self.reader.peek_text_after_spaces().starts_with("!=") {
            return Ok(None);
        }
        let joins = if self.reader.eat_sign("!!") {
            ExtraDiceJoining::Together
        } else if self.reader.eat_sign("!") {
            let weaker = self.reader.remaining_text_with_spaces().starts_with(['p', 'P']);
            if weaker {
                self.reader.skip_spaces_and_bytes(1);
                ExtraDiceJoining::Weaker
            } else {
                ExtraDiceJoining::Apart
            }
        } else if self.reader.eat_one_of_words(&["explode", "explodes", "exploding"]) {
            self.reader.eat_one_of_words(&["on"]);
            ExtraDiceJoining::Apart
        } else {
            return Ok(None);
        };
        let faces = self.parse_exploding_faces()?;
        let most = match self.reader.eat_two_words("up", &["to"]) {
            true => Some(
                self.reader
                    .expect_number_in_range(&EXTRA_DICE_RANGE, "how many more dice at most")?
                    as u16,
            ),
            false => None,
        };
        Ok(Some(ExtraDiceRule { faces, most, joins }))
    }

    /// Parses the faces written directly behind `!`; a sign after a space compares the sum.
    fn parse_exploding_faces(&mut self) -> DiceParseResult<FaceSet> {
        match self.reader.remaining_text_with_spaces().chars().next() {
            Some(c) if c.is_ascii_digit() => self.parse_modifier_faces("!"),
            Some('>' | '<' | '=' | '≥' | '≤') => {
                let remark = "a sign right behind `!` selects the faces that explode; with a space before it, it compares the sum";
                self.remarks.push(remark.to_owned());
                self.parse_modifier_faces("!")
            }
            Some(' ')
                if self
                    .reader
                    .peek_text_after_spaces()
                    .starts_with(|c: char| c.is_ascii_digit()) =>
            {
                self.parse_modifier_faces("!")
            }
            _ => Ok(FaceSet::Highest),
        }
    }

    /// Parses faces, behind the modifier `before`.
    pub(super) fn parse_modifier_faces(&mut self, before: &str) -> DiceParseResult<FaceSet> {
        if let Some(comparison) = self.reader.eat_comparison() {
            let number = self.reader.expect_number_in_range(&DIE_SIDES_RANGE, "a face")?;
            self.note_strict_comparison(comparison, number, before);
            return Ok(FaceSet::Compared(comparison, number));
        }
        let digits = self.reader.eat_digits().ok_or_else(|| {
            let located = self.reader.unexpected_text_fault("a face");
            match advice::spelling_of_known_habit(&self.reader.peek_letters()) {
                Some(advice) => with_remedy(located, advice),
                None => located,
            }
        })?;
        let from = self.reader.number_in_bounds(&DIE_SIDES_RANGE, &digits)?;
        Ok(match self.eat_at_least_or_most_sign() {
            Some(comparison) => FaceSet::Compared(comparison, from),
            None if self.reader.eat_sign("..") => FaceSet::Between(
                from,
                self.reader.expect_number_in_range(&DIE_SIDES_RANGE, "a face")?,
            ),
            None => FaceSet::Between(from, from),
        })
    }

    /// Consumes the sign that turns a face into all above or below it: `5+`, `2-`.
    fn eat_at_least_or_most_sign(&mut self) -> Option<ComparisonSign> {
        let comparison = match self.reader.remaining_text_with_spaces().bytes().next() {
            Some(b'+') => ComparisonSign::AtLeast,
            Some(b'-') => ComparisonSign::AtMost,
            _ => return None,
        };
        self.reader.skip_spaces_and_bytes(1);
        Some(comparison)
    }

    /// Parses the faces that are counted, if they are named: `count 5+`, `hits on 4+`, or only
    /// `4+`.
    fn parse_counted_faces(&mut self) -> DiceParseResult<Option<FaceSet>> {
        let is_named =
            self.reader.eat_one_of_words(&["count", "counts", "counting", "hits", "hit"]);
        let on = self.reader.eat_one_of_words(&["on"]);
        if is_named || on {
            return self.parse_modifier_faces("").map(Some);
        }
        let digits =
            self.reader.peek_text_after_spaces().trim_start_matches(|c: char| c.is_ascii_digit());
        let counts = digits.len() < self.reader.peek_text_after_spaces().len()
            && digits.starts_with(['+', '-']);
        if counts { self.parse_modifier_faces("").map(Some) } else { Ok(None) }
    }

    /// Moves the sides along the ladder of dice; the bottom and the top stay at their place.
    fn parse_die_ladder_steps(
        &mut self,
        pool: &mut DicePool,
        at: &ExprSpan,
    ) -> DiceParseResult<bool> {
        let word = self.reader.peek_letters();
        if !matches!(word.as_str(), "up" | "down" | "step") {
            return Ok(false);
        }
        self.reader.skip_spaces_and_bytes(word.len());
        let minus = word == "step" && self.reader.try_eat_any_sign(&["-", "−", "–"]);
        self.reader.eat_sign("+");
        let steps =
            self.reader.expect_number_in_range(&LADDER_STEPS_RANGE, "a number of steps")? as usize;
        let rung = match pool.die {
            DieFaces::Sides(sides) => DIE_SIDES_LADDER.iter().position(|rung| *rung == sides),
            _ => None,
        };
        let Some(rung) = rung else {
            let problem =
                format!("a d{} is not on the ladder of dice", self.reader.text_of_span(at));
            return Err(with_remedy(
                fault_at(at.clone(), problem),
                "the ladder is d4, d6, d8, d10, d12",
            ));
        };
        let rung = match word == "down" || minus {
            true => rung.saturating_sub(steps),
            false => (rung + steps).min(DIE_SIDES_LADDER.len() - 1),
        };
        pool.die = DieFaces::Sides(DIE_SIDES_LADDER[rung]);
        Ok(true)
    }
}
