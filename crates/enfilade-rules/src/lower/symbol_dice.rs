//! Dice with symbols: a throw is remembered as the number of each symbol, and the dice are
//! forgotten.

use super::construct_views::{Assignments, Expressions};
use super::emitter::Emitter;
use super::lowered_value::{
    Assignable, Binding, ListInRegisters, LoweredValue, Operand, SymbolCountRegisters,
};
use super::name_scopes::Scopes;
use crate::diagnostics::Span;
use crate::resolve::game::TopLevelMeaning;
use crate::resolve::symbol_die::SymbolDie;
use crate::resolve::used_names;
use crate::syntax::ast::{ExprKind, Ident, SymbolDiceToThrow};
use crate::value_types::ScalarType;
use crate::vm::code::{BinOp, Instr};

/// Largest number of dice of one kind in a throw.
const MAX_THROWN_SYMBOL_DICE: i64 = 255;

impl<'g> Assignments<'_, 'g> {
    /// Declares a throw: `throw = 2 red + n blue`. Returns the number of its registers.
    pub(super) fn declare_throw(
        &mut self,
        name: &'g str,
        thrown: &'g [SymbolDiceToThrow],
        span: &Span,
    ) -> usize {
        let mut symbols: Vec<&'g str> = Vec::new();
        for dice in thrown {
            let Some(die) = self.find_symbol_die(&dice.die) else {
                self.emitter.faults.suppress([name.to_owned()]);
                return 0;
            };
            let new = die.symbols.iter().map(String::as_str).filter(|new| !symbols.contains(new));
            let new: Vec<&'g str> = new.collect();
            symbols.extend(new);
        }
        let base = self.emitter.allocate_registers(symbols.len(), span);
        let list = ListInRegisters { base, len: symbols.len() as u8, kind: ScalarType::Number };
        let counts = self.scopes.create_symbol_counts(list, symbols);
        self.scopes.bind_name(name, Binding::Place(Assignable::Throw(counts)));
        self.clear_symbol_counts(counts, span);
        self.lower_symbol_dice_throw(counts, thrown, span);
        list.len.into()
    }

    /// Throws anew, or more dice to the same symbols.
    pub(super) fn assign_or_add_throw(
        &mut self,
        counts: SymbolCountRegisters,
        sign: i8,
        dice: &'g [SymbolDiceToThrow],
        span: &Span,
    ) {
        if sign < 0 {
            let problem = "dice that were thrown cannot be taken back";
            self.emitter.report_or_emit_fault(
                span,
                problem,
                "`throw.hit -= 1` takes a symbol away",
            );
            return;
        }
        if sign == 0 {
            self.clear_symbol_counts(counts, span);
        }
        self.lower_symbol_dice_throw(counts, dice, span);
    }

    fn clear_symbol_counts(
        &mut self,
        SymbolCountRegisters { list, .. }: SymbolCountRegisters,
        span: &Span,
    ) {
        for reg in list.base..list.base + list.len {
            self.emitter.emit_constant(reg, 0, span);
            self.emitter.set_range(reg, (0, 0));
        }
    }

    /// Finds a die by its name.
    fn find_symbol_die(&mut self, name: &Ident) -> Option<&'g SymbolDie> {
        let game = self.scopes.game;
        if let Some(TopLevelMeaning::Die(at)) = game.names.get(&name.text) {
            return game.dice.get(*at);
        }
        let die_names = game.dice.iter().map(|die| die.name.as_str());
        let help = crate::diagnostics::did_you_mean(&name.text, die_names);
        let problem = format!("there is no die `{}`", name.text);
        let help = match help.is_empty() {
            true => format!("`die {}: hit 2, miss 4` at the top makes one", name.text),
            false => help,
        };
        self.emitter.report_or_emit_fault(&name.span, problem, help);
        None
    }

    /// Rolls dice to the numbers of their symbols.
    fn lower_symbol_dice_throw(
        &mut self,
        counts: SymbolCountRegisters,
        thrown: &'g [SymbolDiceToThrow],
        span: &Span,
    ) {
        for dice in thrown {
            let Some(die) = self.find_symbol_die(&dice.die) else { return };
            let top = self.emitter.top;
            let count = match &dice.count {
                Some(count) => self.lower_to_whole_number(count),
                None => Operand::constant_whole_number(1),
            };
            let Some(read) = self.registers_of_read_symbols(counts, die, dice) else { return };
            self.emitter.parameters.note_shapes_code(count);
            self.widen_symbol_ranges(&read, die, count);
            if count.range.hi > 0 {
                self.roll_symbol_dice(&read, die, count, span);
            }
            self.emitter.release_registers(top);
        }
    }

    /// Returns the registers of the die's symbols that something reads, each with its index on
    /// the die.
    fn registers_of_read_symbols(
        &mut self,
        SymbolCountRegisters { list, set }: SymbolCountRegisters,
        die: &'g SymbolDie,
        dice: &SymbolDiceToThrow,
    ) -> Option<Vec<(u8, usize)>> {
        let mut read = Vec::new();
        for (index, symbol) in die.symbols.iter().enumerate() {
            let symbols = &self.scopes.symbol_sets[usize::from(set)];
            match symbols.iter().position(|known| known == symbol) {
                Some(at) if self.scopes.is_symbol_read(symbol) => {
                    read.push((list.base + at as u8, index));
                }
                Some(_) => {}
                None => {
                    let problem = format!(
                        "`{}` has the symbol `{symbol}`, and the throw was made without it",
                        die.name
                    );
                    let help = format!("`throw = … + 0 {}` where it is made", die.name);
                    self.emitter.report_or_emit_fault(&dice.die.span, problem, help);
                    return None;
                }
            }
        }
        Some(read)
    }

    /// Widens the ranges of symbols by what the dice may add.
    fn widen_symbol_ranges(&mut self, read: &[(u8, usize)], die: &SymbolDie, count: Operand) {
        let dice = count.range.hi.clamp(0, MAX_THROWN_SYMBOL_DICE);
        for (reg, symbol) in read {
            let most = die.faces.iter().map(|face| i64::from(face[*symbol])).max().unwrap_or(0);
            let (lo, hi) = self.emitter.known_range_of_register(*reg);
            self.emitter.set_range(*reg, (lo, hi.saturating_add(dice * most)));
        }
    }

    /// Emits a loop over like dice.
    fn roll_symbol_dice(
        &mut self,
        read: &[(u8, usize)],
        die: &'g SymbolDie,
        count: Operand,
        span: &Span,
    ) {
        let left = self.emitter.allocate_register(span);
        self.emitter.copy_to_register(left, count, span);
        let mut pools = self.dice();
        if count.range.hi > MAX_THROWN_SYMBOL_DICE {
            pools.emit_dice_limit_check(left, span);
        }
        pools.emit_countdown_loop(left, span, |lowering, _| {
            let top = lowering.emitter.top;
            let sides = Operand::constant_whole_number(die.faces.len() as i64);
            let face = lowering.dice().lower_die(false, sides, span);
            let one = Operand::constant_whole_number(1);
            let face = lowering.emitter.emit_binary(BinOp::Sub, face, one, span);
            for (reg, symbol) in read {
                lowering.emitter.add_symbol(*reg, *symbol, die, face, span);
            }
            lowering.emitter.release_registers(top);
        });
    }
}

impl Expressions<'_, '_> {
    /// Lowers the number of a symbol of a throw.
    pub(super) fn lower_symbol(
        &mut self,
        counts: SymbolCountRegisters,
        symbol: &Ident,
    ) -> LoweredValue {
        LoweredValue::Operand(match self.scopes.register_of_symbol(counts, &symbol.text) {
            Some(reg) => self.emitter.variable_operand(reg, ScalarType::Number),
            None => {
                let (problem, help) = self.scopes.describe_missing_die_symbol(counts, &symbol.text);
                self.emitter.report_or_emit_fault(&symbol.span, problem, help)
            }
        })
    }
}

impl Emitter {
    /// Adds the number of one symbol on a face.
    fn add_symbol(&mut self, reg: u8, symbol: usize, die: &SymbolDie, face: Operand, span: &Span) {
        let shown = die.faces.iter().map(|face| Some(i64::from(face[symbol])));
        let shown: Vec<Option<i64>> = shown.collect();
        let more = self.lookup_in_constants(ScalarType::Number, &shown, face, span);
        let more = self.register_containing_operand(more, span);
        self.push_instr(Instr::Bin(BinOp::Add, reg, reg, more), span);
    }

    /// Copies the symbols of a throw to new registers.
    pub(super) fn copy_symbols_to_new_registers(
        &mut self,
        counts: SymbolCountRegisters,
        span: &Span,
    ) -> SymbolCountRegisters {
        SymbolCountRegisters { list: self.copy_list(counts.list, span), ..counts }
    }
}

impl<'g> Scopes<'g> {
    fn create_symbol_counts(
        &mut self,
        list: ListInRegisters,
        symbols: Vec<&'g str>,
    ) -> SymbolCountRegisters {
        self.symbol_sets.push(symbols);
        SymbolCountRegisters { list, set: (self.symbol_sets.len() - 1) as u16 }
    }

    /// Returns the register of a symbol of a throw.
    pub(super) fn register_of_symbol(
        &self,
        counts: SymbolCountRegisters,
        symbol: &str,
    ) -> Option<u8> {
        let symbols = &self.symbol_sets[usize::from(counts.set)];
        let at = symbols.iter().position(|known| *known == symbol)?;
        Some(counts.list.base + at as u8)
    }

    /// Returns the problem and the help where a throw has no such symbol.
    pub(super) fn describe_missing_die_symbol(
        &self,
        counts: SymbolCountRegisters,
        symbol: &str,
    ) -> (String, String) {
        let symbols = &self.symbol_sets[usize::from(counts.set)];
        let help = crate::diagnostics::did_you_mean(symbol, symbols.iter().copied());
        let all = symbols.join("`, `");
        let help = if help.is_empty() { format!("it has `{all}`") } else { help };
        (format!("the throw has no symbol `{symbol}`"), help)
    }

    /// Returns whether any line of the rulebook reads a symbol of this name.
    fn is_symbol_read(&self, symbol: &str) -> bool {
        let mut is_read = false;
        let mut look = |expr| {
            used_names::visit_expr_and_descendants(expr, &mut |inner| {
                is_read |= matches!(&inner.kind, ExprKind::Member(_, name) if name.text == symbol);
            });
        };
        let parts = self.game.parts.iter().map(|(_, part)| (&part.body, &part.shows));
        let actions = self.game.actions.iter().map(|of| (&of.rule.body, &of.rule.shows));
        for (body, shows) in parts.chain(actions) {
            used_names::visit_exprs_of_nested_lines(body, &mut look);
            shows.iter().flat_map(|line| line.exprs_read_by_line()).for_each(&mut look);
        }
        is_read
    }
}
