//! Built-in data: tables, units, weapons, modifiers, as typed rows.
//!
//! The files are `data/asl_*.tsv`, each headed by its source and confidence, and are compiled in.
//! They are read once. A mistake in a file is reported with the file and the line.

use std::sync::LazyLock;

use crate::tsv::{TsvDataError, by_name, sheet};

mod nations;
mod tables;
mod units;

pub use nations::{AttackKindRules, FireModifier, ModifierTargets, NationRules, PinnedFirerEffect};
pub use tables::{FireTableGrid, FireTableResult, FirepowerColumn, RESIDUAL_COUNTERS};
pub use units::{Leader, MachineGun, SquadWithHalfSquad};

/// Built-in data of the system.
#[derive(Debug)]
pub struct AslData {
    /// Infantry Fire Table.
    pub ift: FireTableGrid,
    /// Incremental Infantry Fire Table.
    pub iift: FireTableGrid,
    /// Squads with their half-squads.
    pub squads: Vec<SquadWithHalfSquad>,
    /// Leaders, best first.
    pub leaders: Vec<Leader>,
    /// Machine guns.
    pub machine_guns: Vec<MachineGun>,
    /// Terrain and other die roll modifiers.
    pub modifiers: Vec<FireModifier>,
    /// Nations.
    pub nations: Vec<NationRules>,
    /// Kinds of attack.
    pub kinds: Vec<AttackKindRules>,
}

impl AslData {
    /// Reads the files.
    ///
    /// # Errors
    /// The first row that cannot be read, with its file and line.
    pub fn read_data_files() -> Result<AslData, TsvDataError> {
        let line = sheet!("asl_vehicle_line.tsv")?;
        let ift = FireTableGrid::read_from_tables(&sheet!("asl_ift.tsv")?, &line)?;
        let iift = FireTableGrid::read_from_tables(&sheet!("asl_iift.tsv")?, &line)?;
        let mut modifiers = sheet!("asl_tem.tsv")?.read_each_row(FireModifier::read_terrain_row)?;
        modifiers.extend(sheet!("asl_drm.tsv")?.read_each_row(FireModifier::read_other_row)?);
        Ok(AslData {
            ift,
            iift,
            squads: sheet!("asl_squads.tsv")?.read_each_row(SquadWithHalfSquad::read)?,
            leaders: sheet!("asl_leaders.tsv")?.read_each_row(Leader::read)?,
            machine_guns: sheet!("asl_machine_guns.tsv")?.read_each_row(MachineGun::read)?,
            modifiers,
            nations: sheet!("asl_nations.tsv")?.read_each_row(NationRules::read)?,
            kinds: sheet!("asl_kinds.tsv")?.read_each_row(AttackKindRules::read)?,
        })
    }

    /// Returns the kind of attack called `name`, which the form has checked.
    pub fn attack_kind_by_name(&self, name: &str) -> &AttackKindRules {
        let mut kinds = self.kinds.iter();
        let weapon_kind = kinds.find(|kind| kind.name == name);
        weapon_kind.expect("the form knows the kinds of the data file only")
    }

    /// Returns the nation called `name`, which the form has checked.
    pub fn nation_by_name(&self, name: &str) -> &NationRules {
        let mut nations = self.nations.iter();
        let found = nations.find(|nation| nation.name == name);
        found.expect("every nation of the unit files is in the nations' file")
    }
}

by_name! {
    &'static Leader: |name: &str| expect_asl_data().leaders.iter().find(|leader| leader.name == name);
}

static LAZY_ASL_DATA: LazyLock<Result<AslData, TsvDataError>> =
    LazyLock::new(AslData::read_data_files);

/// Checks that the built-in data can be read.
///
/// # Errors
/// The first broken row, with its file and line.
pub fn check_data_files() -> Result<(), String> {
    LAZY_ASL_DATA.as_ref().map(drop).map_err(TsvDataError::to_string)
}

/// Returns the built-in data.
pub fn expect_asl_data() -> &'static AslData {
    let library = LAZY_ASL_DATA.as_ref();
    library.expect("the data of a system is checked before its first use")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_every_file_is_read() {
        let library = AslData::read_data_files().expect("the files are right");
        let counts = [
            library.ift.columns().len(),
            library.iift.columns().len(),
            library.squads.len(),
            library.leaders.len(),
            library.machine_guns.len(),
            library.modifiers.len(),
        ];
        // The rows of the files, counted by hand; 25 terrain rows and 10 others.
        assert_eq!(counts, [11, 40, 41, 8, 15, 35]);
    }

    #[test]
    fn every_nation_of_a_unit_or_gun_is_known() {
        let library = expect_asl_data();
        let known = |name: &str| library.nations.iter().any(|n| n.name == name);
        assert!(library.squads.iter().all(|squad| known(&squad.nation)));
        assert!(library.machine_guns.iter().all(|gun| known(&gun.nation)));
        let of = library.nations.iter().filter_map(|n| n.machine_guns.as_deref());
        assert!(of.into_iter().all(known));
    }

    #[test]
    fn a_replacement_is_a_squad_of_the_same_nation() {
        let library = expect_asl_data();
        for squad in &library.squads {
            let Some(next) = &squad.replaced_by else {
                continue;
            };
            let mut others = library.squads.iter();
            let found = others.any(|o| o.nation == squad.nation && o.name == *next);
            assert!(found, "{} {} -> {next}", squad.nation, squad.name);
        }
    }

    #[test]
    fn half_squads_break_one_below_their_squads() {
        // A1.122
        for squad in &expect_asl_data().squads {
            let below = squad.broken.map(|level| level - 1);
            assert_eq!(squad.half_broken, below, "{} {}", squad.nation, squad.name);
        }
    }
}
