//! A few units that represent many: those nearest the middle of their kind.

/// Difference below which two profiles count as one: 5 %.
const MAX_EQUAL_DISTANCE: f64 = 0.048_790_164_169_432;

/// Positions of at most `most` of `profiles`, which are logarithms, in order: all of them if there
/// are no more.
///
/// Kinds are found by going to the profile farthest from all that were found before, until none is
/// far from all or `most` are found; then each kind is represented by the profile nearest to its
/// middle.
pub fn pick_representative_profiles(profiles: &[Vec<f64>], most: usize) -> Vec<usize> {
    if profiles.len() <= most || most == 0 {
        return (0..profiles.len()).collect();
    }
    let all: Vec<usize> = (0..profiles.len()).collect();
    // The largest difference between two profiles.
    let apart = |a: usize, b: usize| {
        let differences = profiles[a].iter().zip(&profiles[b]).map(|(a, b)| (a - b).abs());
        differences.fold(0.0, f64::max)
    };
    let mut centres = vec![most_central_profile(profiles, &all)];
    while centres.len() < most {
        let off = |i: usize| centres.iter().map(|c| apart(i, *c)).fold(f64::INFINITY, f64::min);
        let farthest = all.iter().copied().max_by(|a, b| off(*a).total_cmp(&off(*b)));
        let Some(next) = farthest.filter(|i| off(*i) > MAX_EQUAL_DISTANCE) else { break };
        centres.push(next);
    }
    let mut kinds = vec![Vec::new(); centres.len()];
    for i in all {
        let off = |kind: &usize| apart(i, centres[*kind]);
        let kind = (0..centres.len()).min_by(|a, b| off(a).total_cmp(&off(b)));
        kinds[kind.unwrap_or(0)].push(i);
    }
    let central = kinds.iter().map(|kind| most_central_profile(profiles, kind));
    let mut central: Vec<usize> = central.collect();
    central.sort_unstable();
    central
}

/// Finds the profile nearest to the middle of a kind.
fn most_central_profile(profiles: &[Vec<f64>], kind: &[usize]) -> usize {
    let mean = |at: usize| kind.iter().map(|i| profiles[*i][at]).sum::<f64>() / kind.len() as f64;
    let middle: Vec<f64> = (0..profiles[kind[0]].len()).map(mean).collect();
    let off = |i: &usize| -> f64 {
        profiles[*i].iter().zip(&middle).map(|(own, middle)| (own - middle).powi(2)).sum()
    };
    kind.iter().copied().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(kind[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three kinds, far from each other, of five each within 4 %: the third of each is in its
    /// middle.
    #[test]
    fn each_kind_is_told_by_its_middle() {
        let mut profiles = Vec::new();
        for place in 0..5 {
            for kind in [[0.0, 0.0], [2.0, 0.0], [0.0, 3.0]] {
                profiles.push(kind.map(|at| at + 0.01 * f64::from(place)).to_vec());
            }
        }
        assert_eq!(pick_representative_profiles(&profiles, 10), [6, 7, 8]);
        assert_eq!(pick_representative_profiles(&profiles, 3), [6, 7, 8]);
        // Two of the kinds are nearer to each other than to the third.
        assert_eq!(pick_representative_profiles(&profiles, 2).len(), 2);
        assert_eq!(pick_representative_profiles(&profiles, 15), (0..15).collect::<Vec<_>>());
        assert_eq!(pick_representative_profiles(&[], 4), Vec::<usize>::new());
    }
}
