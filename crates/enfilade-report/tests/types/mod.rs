//! TypeScript declarations of structs, in a file beside them; only for tests.

use std::collections::BTreeMap;
use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

/// Declarations by name, each once, including those of the types that they name.
pub struct Types {
    config: Config,
    found: BTreeMap<String, String>,
}

impl Types {
    pub fn new() -> Types {
        // JSON knows one kind of numbers.
        let config = Config::new().with_large_int("number");
        Types { config, found: BTreeMap::new() }
    }

    /// Adds `T` and all types that it names.
    pub fn with<T: TS + 'static + ?Sized>(mut self) -> Types {
        self.visit::<T>();
        self
    }

    /// Adds `T`, into which a type of another file is flattened.
    #[allow(dead_code, reason = "the studio's tests have this file too")]
    pub fn within<T: TS + 'static + ?Sized>(mut self, flattened: &str) -> Types {
        self.visit::<T>();
        let name = T::ident(&self.config);
        let declared = self.found.get_mut(&name).expect("it was declared");
        *declared = declared.replacen("= {", &format!("= {flattened} & {{"), 1);
        self
    }

    /// Compares the file with the declarations; with `ENFILADE_BLESS=1` it is rewritten first.
    pub fn hold(self, path: &Path, head: &str) {
        let types = self.found.values().map(|declared| format!("\nexport {declared}\n"));
        let text = format!("{head}\n{}", types.collect::<String>());
        if std::env::var_os("ENFILADE_BLESS").is_some() {
            std::fs::write(path, &text).expect("it can be written");
        }
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        let name = path.display();
        assert!(kept == text, "{name} is not what the structs say: run this with ENFILADE_BLESS=1");
    }
}

impl TypeVisitor for Types {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let name = T::ident(&self.config);
        if T::output_path().is_none() {
            // A list or a pair: its element types are visited separately.
            return;
        }
        let known = self.found.insert(name, T::decl(&self.config));
        if known.is_none() {
            T::visit_dependencies(self);
        }
    }
}
