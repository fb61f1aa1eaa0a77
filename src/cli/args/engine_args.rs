//! The engine for pages: compiled modules, in this program or in files.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::error::Error;
use crate::plain_file;
use crate::studio::PackedEngineModules;

/// The module that was there when this program was built.
#[cfg(has_module)]
const MODULE: Option<&[u8]> = Some(include_bytes!(env!("ENFILADE_MODULE_FILE")));
#[cfg(not(has_module))]
const MODULE: Option<&[u8]> = None;

/// The module of cards, reports and workbooks that was beside it.
#[cfg(has_sheets_module)]
const SHEETS_MODULE: Option<&[u8]> = Some(include_bytes!(env!("ENFILADE_SHEETS_MODULE_FILE")));
#[cfg(not(has_sheets_module))]
const SHEETS_MODULE: Option<&[u8]> = None;

/// The name of the module of cards, reports and workbooks, beside the module of the engine.
const SHEETS_FILE: &str = "enfilade-sheets.wasm.gz";

/// Bytes of the largest module.
const LARGEST: u64 = 64 << 20;

/// The engine of pages that compute.
#[derive(Clone, Debug, Default, Args)]
pub struct PageEngineModuleArgs {
    /// The compiled engine, enfilade.wasm.gz [default: the one in this program]; an
    /// enfilade-sheets.wasm.gz beside it makes cards, reports and workbooks
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
}

impl PageEngineModuleArgs {
    /// Reads the packed modules.
    ///
    /// # Errors
    /// When there is no module, or one is of another build.
    pub fn read_modules_or_built_in(&self) -> Result<PackedEngineModules, Error> {
        let Some(path) = &self.module else { return modules_in_program() };
        let sheets = Some(path.with_file_name(SHEETS_FILE)).filter(|beside| beside.exists());
        Ok(PackedEngineModules {
            engine: read_module_of_this_build(path)?,
            sheets: sheets.as_deref().map(read_module_of_this_build).transpose()?,
        })
    }
}

/// Reads a packed module of this build.
///
/// # Errors
/// When it cannot be read, or is of another build.
fn read_module_of_this_build(path: &Path) -> Result<Vec<u8>, Error> {
    let name = path.display().to_string();
    let module = plain_file::read_bytes_up_to(path, LARGEST)
        .map_err(|refusal| refusal.into_named_error(&name, path))?;
    check_module_same_build(&name, &module)?;
    Ok(module)
}

/// Returns the modules that this program was built with.
///
/// # Errors
/// When there is none, or one is of another build.
fn modules_in_program() -> Result<PackedEngineModules, Error> {
    let Some(engine) = MODULE else {
        return Err(Error::Usage(
            "this program was built without the engine for pages: add --module enfilade.wasm.gz, a \
             file of every release that packaging/page also builds"
                .to_owned(),
        ));
    };
    for module in [Some(engine), SHEETS_MODULE].into_iter().flatten() {
        check_module_same_build("the module in this program", module)?;
    }
    Ok(PackedEngineModules { engine: engine.to_vec(), sheets: SHEETS_MODULE.map(<[u8]>::to_vec) })
}

/// Checks that the module was made from the sources of this program: others may have other rules.
///
/// # Errors
/// When it is no packed module, or of another build.
fn check_module_same_build(name: &str, module: &[u8]) -> Result<(), Error> {
    match module_build(module) {
        Some(build) if build == crate::PROGRAM_BUILD_ID.0 => Ok(()),
        Some(build) => Err(Error::Usage(format!(
            "{name}: the module is of build {build}, this program of build {}: take the module of the \
             same release, or make it with packaging/page",
            crate::PROGRAM_BUILD_ID.0
        ))),
        None => Err(Error::Usage(format!(
            "{name}: not a packed module: name the enfilade.wasm.gz that packaging/page makes"
        ))),
    }
}

/// The build of a packed module: the name in the head of the gzip file is `enfilade-BUILD.wasm`.
fn module_build(module: &[u8]) -> Option<&str> {
    // Magic bytes, the method, and the flag of a name alone; six more bytes come before the name.
    let named = module.strip_prefix(&[0x1f, 0x8b, 8, 8])?.get(6..)?;
    let name = named.split(|&byte| byte == 0).next()?;
    std::str::from_utf8(name).ok()?.strip_prefix("enfilade-")?.strip_suffix(".wasm")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(name: &str) -> Vec<u8> {
        [b"\x1f\x8b\x08\x08\0\0\0\0\x02\x03", name.as_bytes(), b"\0body"].concat()
    }

    #[test]
    fn a_module_of_another_build_is_refused() {
        let own = packed(&format!("enfilade-{}.wasm", crate::PROGRAM_BUILD_ID.0));
        check_module_same_build("m", &own).expect("its build is this one");
        let other =
            check_module_same_build("m", &packed("enfilade-0123456789abcdef.wasm")).unwrap_err();
        assert!(other.to_string().contains("of build 0123456789abcdef, this program of"));
        for none in [&b""[..], b"\x1f\x8b\x08\x08", b"\0asm\x01\0\0\0", &packed("else.wasm")] {
            let refusal = check_module_same_build("m", none).unwrap_err().to_string();
            assert!(refusal.contains("not a packed module"), "{refusal}");
        }
    }
}
