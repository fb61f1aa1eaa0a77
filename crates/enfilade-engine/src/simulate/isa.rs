//! The instruction sets the resolver is compiled for, and which of them this processor has.

use std::fmt;
use std::str::FromStr;

/// An instruction set the resolver is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isa {
    /// What every processor of the architecture has.
    Baseline,
    /// 256-bit vectors.
    Avx2,
    /// AVX-512: vectors with more registers, rotations and operations on three of them.
    Avx512,
}

impl Isa {
    /// All of them, the widest last.
    pub const ALL: [Isa; 3] = [Isa::Baseline, Isa::Avx2, Isa::Avx512];

    /// Whether this processor has it.
    #[cfg(target_arch = "x86_64")]
    pub fn available(self) -> bool {
        match self {
            Isa::Baseline => true,
            Isa::Avx2 => is_x86_feature_detected!("avx2"),
            // AVX2 too, because whoever may run AVX-512 may ask for it.
            Isa::Avx512 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512dq")
            }
        }
    }

    /// Whether this processor has it.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn available(self) -> bool {
        self == Isa::Baseline
    }

    /// The widest one this processor has.
    pub fn best() -> Isa {
        let available = Isa::ALL.into_iter().rfind(|isa| isa.available());
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
            Some(isa) if isa.available() => Ok(isa),
            Some(isa) => {
                Err(format!("this processor has no {isa}; the widest it has is {}", Isa::best()))
            }
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
