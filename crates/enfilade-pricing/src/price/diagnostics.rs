//! Where prices are off together: along worth, and by kind.
//!
//! A residual always goes with the price it is of, by √(1 − R²), so that dear weapons come out over
//! and cheap ones under where nothing at all is wrong. So residuals are looked at along worth, which
//! holds no price, and by traits that no battle sees: what only carries or commands is paid for, and
//! its worth here is not what it is paid for.

/// Weapons with prices below which there is nothing to see.
pub const LEAST: usize = 15;

/// Weapons of a kind below which its mean says nothing.
const OF_A_KIND: usize = 3;

/// Groups along worth.
const GROUPS: usize = 5;

/// Mean residual of some weapons.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// How many they are.
    pub weapons: usize,
    /// Mean of log price less what the line pays for their worth.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

/// A weapon with a price as it is looked at here.
#[derive(Clone, Debug)]
pub struct Looked<'a> {
    /// Its log worth.
    pub worth: f64,
    /// Log price less what the line pays for it.
    pub residual: f64,
    /// Its kinds.
    pub traits: Vec<&'a str>,
}

/// Residuals of priced weapons by fifths of worth.
pub fn along_worth(looked: &[Looked]) -> Vec<Group> {
    if looked.len() < LEAST {
        return Vec::new();
    }
    let mut order: Vec<&Looked> = looked.iter().collect();
    order.sort_by(|a, b| a.worth.total_cmp(&b.worth));
    let fifth = |n: usize| {
        let (from, to) = (n * order.len() / GROUPS, (n + 1) * order.len() / GROUPS);
        let part = &order[from..to];
        let end = |looked: &Looked| looked.worth.exp();
        let name = format!("worth {:.0} to {:.0}", end(part[0]), end(part[part.len() - 1]));
        group(name, part.iter().map(|looked| looked.residual))
    };
    (0..GROUPS).map(fifth).collect()
}

/// Residuals by kind: the kinds that are off by more than two standard errors, the farthest first.
pub fn by_kind(looked: &[Looked]) -> Vec<Group> {
    let mut kinds: Vec<&str> = looked.iter().flat_map(|l| l.traits.iter().copied()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let of = |kind: &str| {
        let own = looked.iter().filter(|looked| looked.traits.contains(&kind));
        group(kind.to_owned(), own.map(|looked| looked.residual))
    };
    let groups = kinds.into_iter().map(of);
    let mut told: Vec<Group> = groups
        .filter(|group| group.weapons >= OF_A_KIND && group.mean.abs() > 2.0 * group.error)
        .collect();
    told.sort_by(|a, b| b.mean.abs().total_cmp(&a.mean.abs()));
    told
}

fn group(name: String, residuals: impl Iterator<Item = f64> + Clone) -> Group {
    let weapons = residuals.clone().count();
    let mean = residuals.clone().sum::<f64>() / weapons as f64;
    let square: f64 = residuals.map(|r| (r - mean) * (r - mean)).sum();
    let free = (weapons as f64 - 1.0).max(1.0);
    Group { name, weapons, mean, error: (square / free / weapons as f64).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worth 1 to 20, residuals 0.1 for the four dearest and 0 for the others; every third is a
    /// tank, and tanks are off by 0.3 ± 0.1 more.
    #[test]
    fn groups_are_means_with_their_errors() {
        let looked: Vec<_> = (0..20)
            .map(|i| Looked {
                worth: f64::from(i + 1).ln(),
                residual: if i >= 16 { 0.1 } else { 0.0 },
                traits: if i < 4 { vec!["early"] } else { Vec::new() },
            })
            .collect();
        let fifths = along_worth(&looked);
        assert_eq!(fifths.len(), 5);
        assert_eq!((fifths[4].weapons, fifths[4].name.as_str()), (4, "worth 17 to 20"));
        assert!((fifths[4].mean - 0.1).abs() < 1e-12 && fifths[3].mean == 0.0);
        assert!(along_worth(&looked[..14]).is_empty());
        assert!(by_kind(&looked).is_empty());
        let off: Vec<_> = [0.2, 0.3, 0.4]
            .map(|residual| Looked { worth: 0.0, residual, traits: vec!["tank"] })
            .to_vec();
        let [tank] = &by_kind(&off)[..] else { panic!("one kind is off") };
        // Standard deviation 0.1 over the root of 3.
        assert!((tank.mean - 0.3).abs() < 1e-12 && (tank.error - 0.1 / 3f64.sqrt()).abs() < 1e-12);
    }
}
