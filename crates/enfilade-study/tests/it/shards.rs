//! How a sweep is cut: every cell in one shard, as many shards as asked for, and no larger ones.

use std::path::PathBuf;

use enfilade_engine::play::SumsOfOneCounter;
use enfilade_engine::simulate::TRIALS_PER_WORK_UNIT;
use enfilade_model::combat::{Ending, MAX_OUTCOME_COLUMNS};
use enfilade_study::checkpoint::journal::BuildId;
use enfilade_study::error::StudyError;
use enfilade_study::experiment::Experiment;
use enfilade_study::file::source_document::{AllowedFilePaths, SourceInput};
use enfilade_study::solve::build_answer::CellSolution;
use enfilade_study::solve::trial_record::CellTrialCounts;
use enfilade_study::solve::{NoObserver, RunPlan, SolverSettings};
use enfilade_study::sweep::{CellResult, RequestedShardSizes, SweepPlan, max_collected_cells};
use enfilade_testkit::toy::CATALOGUE;

/// Twelve cells.
const GRID: &str = "[[contest]]\nsystem = 'toy'\naction = 'shoot'\n\
                    needed = { from = 1, to = 6 }\ndie = ['d6', 'd8']\n";

fn plan(settings: SolverSettings, cut: RequestedShardSizes) -> SweepPlan {
    plan_of(GRID, settings, cut)
}

fn plan_of(grid: &str, settings: SolverSettings, cut: RequestedShardSizes) -> SweepPlan {
    let read =
        Experiment::read_checking_all_or_samples(&CATALOGUE, "x", grid, max_collected_cells())
            .expect("it is in order");
    let (folder, origin) = (PathBuf::new(), AllowedFilePaths::File);
    let input = SourceInput { name: "x".to_owned(), text: grid.to_owned(), folder, origin };
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

/// Three units of trials, a share each: six shards are two ranges of cells.
#[test]
fn as_many_shards_as_asked_for_are_counted_with_their_shares() {
    let (shards, trials_per_shard) = (Some(6), Some(TRIALS_PER_WORK_UNIT));
    let cut = RequestedShardSizes { shards, trials_per_shard, ..Default::default() };
    let plan = plan(SolverSettings::for_trials_per_cell(3 * TRIALS_PER_WORK_UNIT), cut);
    assert_eq!(plan.shard_count(), 6);
    let shards: Vec<_> = (0..6).map(|number| plan.shard_by_number(number)).collect();
    let places: Vec<_> =
        shards.iter().map(|shard| (shard.cells.clone(), shard.share.index)).collect();
    assert_eq!(places, [(0..6, 0), (0..6, 1), (0..6, 2), (6..12, 0), (6..12, 1), (6..12, 2)]);
    assert!(shards.iter().all(|shard| shard.share.of == 3));
}

fn solved(plan: &SweepPlan, number: u64) -> Vec<CellResult> {
    let mut results = Vec::new();
    let mut take = |more: Vec<CellResult>| {
        results.extend(more);
        Ok::<(), StudyError>(())
    };
    assert!(plan.stream_numbered_shard(number, &NoObserver, &mut take).expect("it is small"));
    results
}

#[test]
fn shares_of_trials_merge_to_the_counts_of_one_machine() {
    let grid = "[[contest]]\nsystem = 'toy'\naction = 'shoot'\nneeded = [2, 5]\n";
    let trials = 3 * TRIALS_PER_WORK_UNIT + 5;
    let plan = |most| {
        let (cells_per_shard, trials_per_shard) = (Some(2), Some(most));
        let cut = RequestedShardSizes { cells_per_shard, trials_per_shard, shards: None };
        plan_of(grid, SolverSettings::for_trials_per_cell(trials), cut)
    };
    let (whole, shares) = (plan(trials), plan(trials.div_ceil(3)));
    assert_eq!((whole.shard_count(), shares.shard_count()), (1, 3));
    let merge = |one: Vec<CellResult>, other: Vec<CellResult>| {
        let pairs = one.into_iter().zip(other);
        let merged = pairs.map(|(one, other)| one.merge_trial_shares(other));
        merged.collect::<Result<Vec<_>, _>>().expect("they are of the same cells")
    };
    let merged = (0..3).map(|number| solved(&shares, number)).reduce(merge);
    assert_eq!(merged, Some(solved(&whole, 0)));
}

/// Trials that came to these faces, each with its count; some that were not over; and the sums of a
/// counter.
fn share_of_trials(faces: &[(i32, u64)], unsettled: u64, totals: &[(i128, u128)]) -> CellResult {
    let ending = |&(face, count): &(i32, u64)| {
        let mut fields = [0; MAX_OUTCOME_COLUMNS];
        fields[0] = face;
        (Ending { fields, weights: [0; MAX_OUTCOME_COLUMNS] }, count)
    };
    let endings = faces.iter().map(ending).collect();
    let sums = totals.iter().map(|&(sum, squares)| SumsOfOneCounter { sum, squares });
    let record = Some(CellTrialCounts { endings, unsettled, totals: sums.collect() });
    CellResult { cell: 0, solution: Ok(CellSolution { exact: None, record, note: None }) }
}

#[test]
fn trials_of_two_shares_are_added_by_ending_and_by_counter() {
    let first = || share_of_trials(&[(1, 5), (3, 7)], 2, &[(-4, 30)]);
    for (second, expected) in [
        (
            share_of_trials(&[(1, 1), (3, 2)], 1, &[(1, 9)]),
            share_of_trials(&[(1, 6), (3, 9)], 3, &[(-3, 39)]),
        ),
        (
            share_of_trials(&[(1, 1), (2, 2)], 0, &[(1, 9)]),
            share_of_trials(&[(1, 6), (2, 2), (3, 7)], 2, &[(-3, 39)]),
        ),
        (share_of_trials(&[], 0, &[]), share_of_trials(&[(1, 5), (3, 7)], 2, &[(-4, 30)])),
    ] {
        assert_eq!(second.clone().merge_trial_shares(first()), Ok(expected.clone()));
        assert_eq!(first().merge_trial_shares(second), Ok(expected));
    }
}
