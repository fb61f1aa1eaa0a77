//! Small arsenals that are ready to be priced, for those who begin.

use enfilade_model::catalogue::System;
use enfilade_model::weapons::Priced;
use enfilade_study::file::rulebook_loader::named_in_file;

/// A small arsenal of a rulebook as a file that is ready to be priced; where the rulebook has none, one to be
/// filled in.
///
/// ```
/// use enfilade_pricing::{arsenal::Arsenal, sample};
/// let catalogue = enfilade_games::built_in();
/// let system = catalogue.system("skirmishers").expect("it is built in");
/// let rules = system.pricing.as_deref().expect("it has prices");
/// let file = sample::arsenal(system, rules);
/// assert!(Arsenal::read(&catalogue, "sample", &file).is_ok());
/// ```
pub fn arsenal(system: &System, rules: &dyn Priced) -> String {
    let known = rules.known();
    let names = known.iter().map(|name| &**name).take(3);
    let unnamed = known.is_empty().then_some("");
    let weapons = names.chain(unnamed).map(|name| format!("[[weapon]]\nname = {name:?}\n"));
    let ready = match rules.ready() {
        "" => weapons.collect::<String>() + "\n[[scenario]]\nname = \"open ground\"\n",
        ready => ready.to_owned(),
    };
    format!("{}system = \"{}\"\n\n{ready}", named_in_file(system), system.id)
}
