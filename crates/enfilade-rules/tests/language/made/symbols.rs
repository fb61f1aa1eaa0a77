//! Dice with symbols, and their throws.

use super::{Kind, Maker, Var};

/// A die with symbols.
#[derive(Clone)]
pub struct SymbolDie {
    name: String,
    symbols: Vec<String>,
    sides: u32,
}

impl Maker {
    pub fn symbol_die(&mut self) {
        let (name, symbols) = (self.name("die_"), [self.name("mark_"), self.name("mark_")]);
        let both = format!("{0}+{1}", symbols[0], symbols[1]);
        let twice = format!("{0}+{0} 1", symbols[0]);
        let (faces, sides) = match self.below(4) {
            0 => (format!("{} 2, {}", symbols[0], symbols[1]), 3),
            1 => (format!("{}, {both}", symbols[0]), 2),
            2 => (format!("{twice}, {} 2", symbols[1]), 3),
            _ => (format!("{twice}, {both}"), 2),
        };
        self.line(format!("die {name}: {faces}"));
        self.symbol_dice.push(SymbolDie { name, symbols: symbols.to_vec(), sides });
    }

    /// Throws such dice, or one more to a throw that is there.
    pub fn throw_symbols(&mut self) {
        let Some(die) = self.one(&self.symbol_dice.clone()) else {
            return;
        };
        let known = self.such(|kind| match kind {
            Kind::Throw(throw) => Some(*throw),
            _ => None,
        });
        if let Some((throw, number)) = known
            && self.throws[number].contains(&die.symbols[0])
        {
            let sign = ["=", "+="][self.below(2)];
            if self.afford(f64::from(die.sides)) {
                self.line(format!("{} {sign} 1 {}", throw.name, die.name));
            }
            return;
        }
        let count = self.within(0, 2);
        if !self.in_action || self.loops > 0 || !self.afford(f64::from(die.sides.pow(count as u32)))
        {
            return;
        }
        let (name, mut symbols) = (self.name("t"), die.symbols.clone());
        let mut thrown = format!("{count} {}", die.name);
        if let Some(other) = self.one(&self.symbol_dice.clone())
            && other.name != die.name
            && self.afford(f64::from(other.sides))
        {
            thrown += &format!(" + {}", other.name);
            symbols.extend(other.symbols);
        }
        self.line(format!("{name} = {thrown}"));
        self.throws.push(symbols);
        self.scope.push(Var { name, kind: Kind::Throw(self.throws.len() - 1), free: false });
    }

    /// `t.hit`: the number of a symbol.
    pub fn number_of_symbol(&mut self) -> Option<String> {
        let (throw, number) = self.such(|kind| match kind {
            Kind::Throw(throw) => Some(*throw),
            _ => None,
        })?;
        let symbol = self.one(&self.throws[number].clone())?;
        Some(format!("{}.{symbol}", throw.name))
    }
}
