//! Dice beyond what can be counted.

use enfilade_dice::DiceDistribution;
use enfilade_testkit::test_timeout::finish_in_time;

/// Pools are refused before their first die is rolled.
#[test]
fn a_pool_of_too_many_dice_is_refused_at_once() {
    for text in ["1000d255 + d6", "9000*500d255", "999d999!", "500d1000kh400"] {
        let refused = finish_in_time(text, || DiceDistribution::from_text(text).is_err());
        assert!(refused, "{text}");
    }
}
