//! How a sweep is cut: every cell in one shard, as many shards as asked for, and no larger ones.

use std::path::PathBuf;

use enfilade_study::checkpoint::journal::BuildId;
use enfilade_study::experiment::Experiment;
use enfilade_study::file::source_document::{AllowedFilePaths, SourceInput};
use enfilade_study::solve::{RunPlan, SolverSettings};
use enfilade_study::sweep::{RequestedShardSizes, SweepPlan, max_collected_cells};
use enfilade_testkit::toy::CATALOGUE;

/// Twelve cells.
const GRID: &str = "[[contest]]\nsystem = 'toy'\naction = 'shoot'\n\
                    needed = { from = 1, to = 6 }\ndie = ['d6', 'd8']\n";

fn plan(settings: SolverSettings, cut: RequestedShardSizes) -> SweepPlan {
    let read =
        Experiment::read_checking_all_or_samples(&CATALOGUE, "x", GRID, max_collected_cells())
            .expect("it is in order");
    let (folder, origin) = (PathBuf::new(), AllowedFilePaths::File);
    let input = SourceInput { name: "x".to_owned(), text: GRID.to_owned(), folder, origin };
    SweepPlan::new(RunPlan::new(input, read, settings), cut, BuildId("0123456789abcdef"))
}

/// The number of cells in each shard; every cell is in one, in order.
fn cells_by_shard(plan: &SweepPlan) -> Vec<u64> {
    let shards = (0..plan.shard_count()).map(|number| plan.shard_by_number(number).cells);
    let mut next = 0;
    let sizes = shards.map(|cells| {
        assert_eq!(cells.start, next);
        next = cells.end;
        cells.end - cells.start
    });
    let sizes = sizes.collect();
    assert_eq!(next, 12);
    sizes
}

#[test]
fn every_cell_of_a_sweep_is_in_one_shard() {
    let exact = |cut| cells_by_shard(&plan(SolverSettings::for_exact_only(), cut));
    assert_eq!(exact(RequestedShardSizes::default()), [12]);
    let number = |shards| RequestedShardSizes { shards: Some(shards), ..Default::default() };
    assert_eq!(exact(number(1)), [12]);
    assert_eq!(exact(number(4)), [3, 3, 3, 3]);
    assert_eq!(exact(number(12)), [1; 12]);
    assert_eq!(exact(number(100)), [1; 12]);
    let size = |cells| RequestedShardSizes { cells_per_shard: Some(cells), ..Default::default() };
    assert_eq!(exact(size(1)), [1; 12]);
    assert_eq!(exact(size(5)), [5, 5, 2]);
    assert_eq!(exact(size(50)), [12]);
}

#[test]
fn a_shard_has_no_more_trials_than_asked_for() {
    let cut = |trials| RequestedShardSizes { trials_per_shard: Some(trials), ..Default::default() };
    let rolled = |most| plan(SolverSettings::for_trials_per_cell(10_000), cut(most));
    assert_eq!(cells_by_shard(&rolled(10_000)), [1; 12]);
    assert_eq!(cells_by_shard(&rolled(30_000)), [3; 4]);
    assert_eq!(rolled(30_000).shard_by_number(2).share.of, 1);
}
