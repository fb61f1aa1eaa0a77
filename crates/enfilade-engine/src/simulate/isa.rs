//! Instruction sets for which the resolver is compiled, and detection of those that this processor
//! has.

use std::fmt;
use std::str::FromStr;

/// Instruction set for which the resolver is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isa {
    /// Instructions of every processor of the architecture.
    Baseline,
    /// 256-bit vectors.
    Avx2,
    /// AVX-512: vectors with more registers, rotations and operations on three of them.
    Avx512,
}

impl Isa {
    /// All instruction sets, the widest last.
    pub const ALL: [Isa; 3] = [Isa::Baseline, Isa::Avx2, Isa::Avx512];

    /// Returns whether this processor has the instruction set.
    #[cfg(target_arch = "x86_64")]
    pub fn is_available(self) -> bool {
        match self {
            Isa::Baseline => true,
            Isa::Avx2 => is_x86_feature_detected!("avx2"),
            // AVX2 too, because code for AVX-512 may use it.
            Isa::Avx512 => {
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
        self == Isa::Baseline
    }

    /// Returns the widest instruction set of this processor.
    pub fn find_widest() -> Isa {
        let available = Isa::ALL.into_iter().rfind(|isa| isa.is_available());
        available.unwrap_or(Isa::Baseline)
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Isa::Baseline => "baseline",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
        })
    }
}

impl FromStr for Isa {
    type Err = String;

    /// Reads the name of an instruction set that this processor has.
    fn from_str(name: &str) -> Result<Isa, String> {
        let known = Isa::ALL.into_iter().find(|isa| isa.to_string() == name);
        match known {
            Some(isa) if isa.is_available() => Ok(isa),
            Some(isa) => Err(format!(
                "this processor has no {isa}; the widest it has is {}",
                Isa::find_widest()
            )),
            None => Err("the instruction sets are baseline, avx2 and avx512".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_set_is_read_by_name() {
        assert_eq!("baseline".parse(), Ok(Isa::Baseline));
        assert!("sse9".parse::<Isa>().is_err_and(|why| why.contains("avx512")));
    }
}
