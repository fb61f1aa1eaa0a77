//! Chance from a seed, for contests that differ from one to the next and are the same in every run.

/// Chance from a seed: Steele, Lea and Flood's SplitMix64.
pub struct Chance(u64);

impl Chance {
    /// One for each name.
    pub fn of(name: &str) -> Chance {
        Chance(name.bytes().fold(0x5eed, |seed, byte| seed.wrapping_mul(31) + u64::from(byte)))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number between two, both included.
    pub fn from(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    /// Yes, so many times in a hundred.
    pub fn holds(&mut self, percent: i64) -> bool {
        self.from(1, 100) <= percent
    }

    pub fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.from(0, of.len() as i64 - 1) as usize]
    }

    /// Lines `name = number`, each there so many times in a hundred.
    pub fn numbers(&mut self, percent: i64, fields: &[(&str, i64, i64)]) -> String {
        let mut lines = String::new();
        for (name, low, high) in fields {
            let value = self.from(*low, *high);
            if self.holds(percent) {
                lines += &format!("{name} = {value}\n");
            }
        }
        lines
    }

    /// Lines `name = true`.
    pub fn flags(&mut self, percent: i64, fields: &[&str]) -> String {
        let holding = fields.iter().filter(|_| self.holds(percent));
        holding.map(|name| format!("{name} = true\n")).collect()
    }

    /// Lines `name = "word"`.
    pub fn words(&mut self, percent: i64, fields: &[(&str, &[&str])]) -> String {
        let mut lines = String::new();
        for (name, words) in fields {
            let word = self.one(words);
            if self.holds(percent) {
                lines += &format!("{name} = \"{word}\"\n");
            }
        }
        lines
    }
}
