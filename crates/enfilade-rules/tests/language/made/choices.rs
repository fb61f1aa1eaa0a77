//! Decisions of players.

use super::{Kind, Maker, Var};

impl Maker {
    pub fn choose(&mut self) {
        if !self.in_action || self.bounded || self.choices > 1 || self.endless {
            return;
        }
        let (options, way) = (2 + self.below(2), ["highest", "lowest"][self.below(2)]);
        if !self.afford(options as f64) {
            return;
        }
        self.choices += 1;
        let Some(goal) = self.one(&self.goals.clone()) else {
            return;
        };
        if self.once_in(4) {
            return self.choose_number(&format!("for {way} {goal}:"), options as i64);
        }
        self.line(format!("choose for {way} {goal}:"));
        self.deeper(|maker| {
            for option in 0..options {
                // The last option is open, so that one is.
                let when = match option + 1 < options && maker.once_in(3) {
                    true => format!(" if {}", maker.test_without_dice()),
                    false => String::new(),
                };
                maker.line(format!("option \"way {option}\"{when}:"));
                if !maker.once_in(5) {
                    maker.block();
                }
            }
        });
    }

    fn test_without_dice(&mut self) -> String {
        let dice = std::mem::replace(&mut self.dice, false);
        let test = self.test(1);
        self.dice = dice;
        test
    }

    /// A number of at most `count` values, the bounds of which may be variables.
    fn choose_number(&mut self, goal: &str, count: i64) {
        let name = self.name("n");
        let dice = std::mem::replace(&mut self.dice, false);
        let most = match self.once_in(2) {
            true => format!("(({} at least 1) at most {count})", self.number(1)),
            false => count.to_string(),
        };
        self.dice = dice;
        let least = self.within(0, 1);
        self.line(format!("choose {name} in {least}..{most} {goal}"));
        let seen = self.scope.len();
        self.scope.push(Var { name, kind: Kind::Number, free: false });
        self.block();
        self.scope.truncate(seen);
    }
}
