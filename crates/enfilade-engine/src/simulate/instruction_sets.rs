//! Instruction sets for which the resolver is compiled, and detection of those that this processor
//! has.

use std::fmt;
use std::str::FromStr;

/// Instruction set for which the resolver is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InstructionSet {
    /// Instructions of every processor of the architecture.
    Baseline,
    /// 256-bit vectors.
    Avx2,
    /// AVX-512: vectors with more registers, rotations and operations on three of them.
    Avx512,
}

impl InstructionSet {
    /// All instruction sets, the widest last.
    pub const ALL: [InstructionSet; 3] =
        [InstructionSet::Baseline, InstructionSet::Avx2, InstructionSet::Avx512];

    /// Returns whether this processor has the instruction set.
    #[cfg(target_arch = "x86_64")]
    pub fn is_available(self) -> bool {
        match self {
            InstructionSet::Baseline => true,
            InstructionSet::Avx2 => is_x86_feature_detected!("avx2"),
            // AVX2 too, because code for AVX-512 may use it.
            InstructionSet::Avx512 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512dq")
            }
        }
    }

    /// Returns whether this processor has the instruction set.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn is_available(self) -> bool {
        self == InstructionSet::Baseline
    }

    /// Returns the widest instruction set of this processor.
    pub fn widest_available() -> InstructionSet {
        InstructionSet::widest_of(InstructionSet::is_available)
    }

    /// Returns the widest instruction set of a processor that has some of them.
    fn widest_of(is_available: fn(InstructionSet) -> bool) -> InstructionSet {
        let available = InstructionSet::ALL.into_iter().rfind(|isa| is_available(*isa));
        available.unwrap_or(InstructionSet::Baseline)
    }

    /// Reads the name of an instruction set that a processor has.
    fn read_name(
        name: &str,
        is_available: fn(InstructionSet) -> bool,
    ) -> Result<InstructionSet, String> {
        let instruction_set = InstructionSet::ALL.into_iter().find(|isa| isa.to_string() == name);
        match instruction_set {
            Some(isa) if is_available(isa) => Ok(isa),
            Some(isa) => Err(format!(
                "this processor has no {isa}; the widest it has is {}",
                InstructionSet::widest_of(is_available)
            )),
            None => Err("the instruction sets are baseline, avx2 and avx512".to_owned()),
        }
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            InstructionSet::Baseline => "baseline",
            InstructionSet::Avx2 => "avx2",
            InstructionSet::Avx512 => "avx512",
        })
    }
}

impl FromStr for InstructionSet {
    type Err = String;

    /// Reads the name of an instruction set that this processor has.
    fn from_str(name: &str) -> Result<InstructionSet, String> {
        InstructionSet::read_name(name, InstructionSet::is_available)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_set_is_read_by_name() {
        assert_eq!("baseline".parse(), Ok(InstructionSet::Baseline));
        assert!("sse9".parse::<InstructionSet>().is_err_and(|why| why.contains("avx512")));
    }

    #[test]
    fn a_set_that_the_processor_lacks_is_refused_with_the_widest_it_has() {
        let has = |isa| isa <= InstructionSet::Avx2;
        assert_eq!(InstructionSet::read_name("avx2", has), Ok(InstructionSet::Avx2));
        let why = InstructionSet::read_name("avx512", has).expect_err("it has none");
        assert_eq!(why, "this processor has no avx512; the widest it has is avx2");
        let why = InstructionSet::read_name("avx2", |_| false).expect_err("it has none");
        assert!(why.ends_with("the widest it has is baseline"), "{why}");
    }
}
