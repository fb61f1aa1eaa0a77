//! Bytes that the simulation rolls with, for batteries of tests that read them from a pipe; and a
//! check that no two work units share a stream.
//!
//! ```sh
//! cargo run --release --example bits -- write 1024 268435456 1 | …
//! cargo run --release --example bits -- keys 100000000
//! ```
//! `write STREAMS BYTES SEED` takes a row of 64 bytes from each of `STREAMS` consecutive units in
//! turn: shared patterns would show. `keys COUNT` derives the keys of cells, units and lanes of
//! some seeds and looks for two that begin alike.

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::rng::{
    GENERATOR_LANES, GeneratorLanes, ROW_BYTES, VectorKernel, VectorOps, dispatch_kernel,
};
use enfilade_engine::simulate::{BYTES_PER_BLOCK, InstructionSet};

/// Work whose streams are taken, as the resolver names it.
const ENGINE: &str = "simulated";

struct Filled<'a> {
    lanes: &'a mut GeneratorLanes,
    block: &'a mut [[u8; ROW_BYTES]],
}

impl VectorKernel for Filled<'_> {
    type Output = ();

    fn run<V: VectorOps>(self, vector: V) {
        self.lanes.fill_rows(vector, self.block);
    }
}

fn write(streams: u64, bytes: u64, seed: u64) -> std::io::Result<()> {
    let stream = ContestRandomStream { seed, fingerprint: [0; 32] };
    let lanes =
        |index| GeneratorLanes::new(|lane| stream.generator_key_for_unit(ENGINE, index, lane));
    let mut pieces: Vec<_> =
        (0..streams).map(|index| (lanes(index), [[0; ROW_BYTES]; BYTES_PER_BLOCK])).collect();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut left = bytes.div_ceil(ROW_BYTES as u64);
    while left > 0 {
        for (lanes, block) in &mut pieces {
            dispatch_kernel(InstructionSet::widest_available(), Filled { lanes, block });
        }
        for row in 0..BYTES_PER_BLOCK {
            for (_, block) in pieces.iter().take(usize::try_from(left).unwrap_or(usize::MAX)) {
                out.write_all(&block[row])?;
            }
            left = left.saturating_sub(streams);
        }
    }
    out.flush()
}

/// Returns the first 64 bits of `count` keys, each of another seed, contest, unit or lane.
fn firsts(count: u64) -> Vec<u64> {
    let key = |number: u64| {
        let (rest, lane) =
            (number / GENERATOR_LANES as u64, (number % GENERATOR_LANES as u64) as u8);
        let mut fingerprint = [0; 32];
        fingerprint[0] = (rest % 10) as u8;
        let stream = ContestRandomStream { seed: rest / 10 % 10, fingerprint };
        let key = stream.generator_key_for_unit(ENGINE, rest / 100, lane);
        u64::from_le_bytes(*key.first_chunk().expect("a key has 32 bytes"))
    };
    (0..count).map(key).collect()
}

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u64> = given.iter().skip(1).filter_map(|text| text.parse().ok()).collect();
    match (given.first().map(String::as_str), &*numbers) {
        // A battery that is satisfied closes the pipe.
        (Some("write"), &[streams, bytes, seed]) if streams > 0 => {
            match write(streams, bytes, seed) {
                Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
                _ => ExitCode::SUCCESS,
            }
        }
        (Some("keys"), &[count]) => {
            let mut all = firsts(count);
            all.sort_unstable();
            let alike = all.windows(2).filter(|two| two[0] == two[1]).count();
            println!("{count} keys, {alike} pairs whose first 64 bits are the same");
            ExitCode::from(u8::from(alike > 0))
        }
        _ => {
            eprintln!("bits write STREAMS BYTES SEED | bits keys COUNT");
            ExitCode::from(2)
        }
    }
}
