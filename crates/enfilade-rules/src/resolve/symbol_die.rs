//! Dice with symbols: their faces.

use crate::diagnostics::Faults;
use crate::syntax::ast::{EqualSymbolFaces, Ident};

/// Largest number of faces of a die with symbols.
const MAX_FACES: i64 = 100;
/// Largest number of symbols of a die.
const MAX_SYMBOLS: usize = 16;

/// Die with symbols.
#[derive(Debug)]
pub struct SymbolDie {
    /// Name.
    pub name: String,
    /// Its symbols.
    pub symbols: Vec<String>,
    /// Faces: the number of each symbol.
    pub faces: Vec<Vec<u8>>,
}

/// Resolves a die with symbols, which depends on no other name.
pub(super) fn resolve_die(
    name: &Ident,
    faces: &[EqualSymbolFaces],
    faults: &mut Faults,
) -> SymbolDie {
    let mut die = SymbolDie { name: name.text.clone(), symbols: Vec::new(), faces: Vec::new() };
    for symbol in faces.iter().flat_map(|face| &face.symbols) {
        if !die.symbols.contains(&symbol.text) {
            die.symbols.push(symbol.text.clone());
        }
    }
    let sides: i64 = faces.iter().map(|face| face.count.min(MAX_FACES + 1)).sum();
    if sides > MAX_FACES || faces.iter().any(|face| face.count < 1) {
        let problem = format!("a die has 1 to {MAX_FACES} faces, each at least once");
        faults.add_fault_at_span(name.span.clone(), problem, "");
    }
    if die.symbols.len() > MAX_SYMBOLS {
        let problem = format!("a die has at most {MAX_SYMBOLS} symbols");
        faults.add_fault_at_span(name.span.clone(), problem, "");
    }
    for face in faces {
        let shown = |symbol: &String| {
            face.symbols.iter().filter(|known| known.text == *symbol).count().min(255) as u8
        };
        let shown: Vec<u8> = die.symbols.iter().map(shown).collect();
        let times = face.count.clamp(0, MAX_FACES) as usize;
        die.faces.extend(std::iter::repeat_n(shown, times));
    }
    die.faces.truncate(MAX_FACES as usize);
    die
}
