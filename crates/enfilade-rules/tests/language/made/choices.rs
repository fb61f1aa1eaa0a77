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

    /// Two choices at the end, of which the second does not see the first, for one goal.
    pub fn unseen(&mut self) {
        let Some(goal) = self.one(&self.goals.clone()).filter(|_| self.afford(12.0)) else {
            return;
        };
        self.weighed = true;
        let (plan, answer) = (self.name("v"), self.name("v"));
        let (first, second) = [("highest", "lowest"), ("lowest", "highest")][self.below(2)];
        let options = |maker: &mut Maker, name: &str, count: i64| {
            maker.deeper(|maker| {
                (0..count).for_each(|at| maker.line(format!("option \"way {at}\": {name} = {at}")));
            });
        };
        self.line(format!("choose for {first} {goal} \"the first\":"));
        options(self, &plan, 2);
        if self.once_in(2) {
            let name = self.name("v");
            self.make(name, Kind::Number, "d2");
        }
        self.line(format!("choose for {second} {goal} \"the second\", blind to {plan}:"));
        let count = self.within(2, 3);
        options(self, &answer, count);
        let [a, b, c] = [0; 3].map(|_| self.within(-3, 3));
        let other = self.number(2);
        self.line(format!(
            "{goal} = ({plan} * {a} + {answer} * {b}) + ({other} if {plan} == {answer} else {c} * {answer})"
        ));
    }

    /// A loop at the end that goes on for as long as somebody wants, and dice allow.
    pub fn endless_choices(&mut self) {
        let Some(goal) = self.one(&self.goals.clone()).filter(|_| self.afford(30.0)) else {
            return;
        };
        (self.weighed, self.endless) = (true, true);
        let dice = std::mem::replace(&mut self.dice, false);
        let bounded = std::mem::replace(&mut self.bounded, true);
        self.line(format!("{goal} = ({goal} at least -4) at most 9"));
        self.line("repeat:");
        let two = self.once_in(2);
        self.deeper(|maker| {
            let ways = [("highest", "lowest"), ("lowest", "highest")][maker.below(2)];
            maker.go_on_or_stop(&goal, ways.0);
            maker.line("if d2 == 1: stop");
            if two {
                maker.go_on_or_stop(&goal, ways.1);
            }
        });
        (self.dice, self.bounded) = (dice, bounded);
    }

    fn go_on_or_stop(&mut self, goal: &str, way: &str) {
        self.line(format!("choose for {way} {goal}:"));
        let mut options = vec!["stop".to_owned()];
        for _ in 0..1 + self.below(2) {
            options.push(format!("{goal} = (({} at least -4) at most 9)", self.number(2)));
        }
        if self.once_in(2) {
            options.reverse();
        }
        self.deeper(|maker| {
            for (at, option) in options.iter().enumerate() {
                maker.line(format!("option \"way {at}\": {option}"));
            }
        });
    }
}
