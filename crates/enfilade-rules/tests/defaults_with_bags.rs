//! A default may be computed by a part that declares a bag; the rule itself does not see that bag.

use enfilade_model::dice::Dice;
use enfilade_model::form::Form;

/// Dice with a script of faces.
struct Scripted(Vec<u8>);

impl Dice for Scripted {
    fn die(&mut self, _: u8) -> u8 {
        self.0.remove(0)
    }
}

const GAME: &str = "\
game \"G\"
part half(n):
    ones = bag of n with x = 0
    give count(o in ones where o.x is 0)
action a \"a\":
    field men: 1..6 = half(4)
    mates = bag of men with hurt = 0
    each m in mates:
        if d6 >= 4: m.hurt = 1
    down = count(m in mates where m.hurt is 1)
    show down \"down\"
";

#[test]
fn a_bag_of_a_default_is_forgotten_before_the_rule_begins() {
    let none = |_: &str| Err("no files".to_owned());
    let book =
        enfilade_rules::read_without_built_in_base("g", "g.rules", GAME, &none).expect("in order");
    let action = &book.system.actions[0];
    let form =
        Form::from_table_with_defaults(&action.fields, &toml::Table::new()).expect("a contest");
    // All four that the part makes have an x of 0.
    assert_eq!((action.otherwise)(&form, "men"), Some(4));
    let contest = (action.build)(&form).expect("it can be played");
    let mut dice = Scripted(vec![4, 3, 6, 1]);
    let ending = contest.combat.play_one_trial(&mut dice, 10).expect("it is over after four dice");
    assert_eq!((ending.fields[0], dice.0.len()), (2, 0), "a 4 and a 6 hurt");
}
