//! A screen or a page looked over by axe-core, which `.ci/run` installs from the npm registry.

use std::path::PathBuf;

use serde_json::json;

use crate::browser::Browser;

/// The checker's text.
fn checker() -> String {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = cache.or_else(home).expect("a folder for what is installed");
    let path = cache.join("enfilade/axe/node_modules/axe-core/axe.min.js");
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// What is serious or worse on the screen, light and dark, wide and narrow.
pub fn complaints(browser: &Browser, screen: &str) -> Vec<String> {
    let look = format!(
        "{};
         return axe.run(document, {{ resultTypes: ['violations'] }}).then((found) => found.violations
             .filter((one) => ['serious', 'critical'].includes(one.impact))
             .map((one) => `${{one.id}}: ${{one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}}`));",
        checker()
    );
    let mut all = Vec::new();
    for (scheme, width) in [("light", 1280), ("dark", 1280), ("dark", 360), ("light", 360)] {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        browser.tool("Emulation.setEmulatedMedia", features);
        let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        browser.tool("Emulation.setDeviceMetricsOverride", size);
        let found = browser.run(&look, json!([]));
        let found = found.as_array().unwrap_or_else(|| panic!("{screen}: {found}")).iter();
        all.extend(found.map(|one| format!("{screen}, {scheme}: {}", one.as_str().unwrap_or("?"))));
    }
    all
}
