//! The special rules of weapons and units, parsed from the words the data prints.
//!
//! Source: quick reference, and the special rules of the second edition for those that change a
//! die. `Devastator-2 (Infantry, Scenery)`, `Destroyer 6+` and `Destroyer (5+)` are all read. A
//! special that this program does not play is kept by name, so that a result can say so; a special
//! it does play, but written wrongly, is refused.

use enfilade_model::form::field_macros::choice;
use enfilade_model::form::name_matching;

choice! {
    /// What a target is, under the name the data prints.
    pub enum UnitType {
        /// Foot soldiers.
        Infantry = "Infantry",
        /// Wheels and tracks.
        Tank = "Tank",
        /// Hovering vehicles.
        Skimmer = "Skimmer",
        /// Legged vehicles.
        Walker = "Walker",
        /// The largest machines.
        Behemoth = "Behemoth",
        /// Flyers.
        Aircraft = "Aircraft",
        /// Small flyers, which do not crash.
        SmallAircraft = "Aircraft-S",
        /// Buildings, bunkers, barricades and woods.
        Scenery = "Scenery",
    }
}

impl UnitType {
    /// Whether it flies.
    pub fn flies(self) -> bool {
        matches!(self, UnitType::Aircraft | UnitType::SmallAircraft)
    }
}

/// What a Devastator weapon is made against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prey {
    /// Everything.
    All,
    /// Targets of this type; both kinds of aircraft count as Aircraft.
    Type(UnitType),
    /// Tanks, Skimmers and Walkers.
    Vehicle,
    /// Units with the Large rule.
    Large,
    /// Scenery that burns.
    Flammable,
}

/// The special rules of a weapon.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WeaponSpecials {
    /// Shots lost per Damage Point the shooter has lost.
    pub reduced: u16,
    /// Energy a merged hit gains per hit discarded.
    pub focus: Option<i64>,
    /// Hit dice from this face on are Criticals without a damage roll.
    pub destroyer: Option<u8>,
    /// Damage in place of 1, and against what.
    pub devastator: Vec<(u8, Vec<Prey>)>,
    /// A damage roll of 6 always damages.
    pub penetrative: bool,
    /// Ignores soft cover, body cover and evasion.
    pub flame: bool,
    /// May shoot at aircraft; this much of the target's evasion is ignored.
    pub anti_air: Option<i64>,
    /// Ignores soft cover.
    pub ignores_soft: bool,
    /// Ignores body cover.
    pub ignores_body: bool,
    /// Ignores hull down.
    pub ignores_hull: bool,
    /// How often it fires in one action.
    pub strafe: Option<u16>,
    /// Misses may glance.
    pub area: bool,
    /// How often it may fire in a game.
    pub limited: Option<u16>,
    /// Of the weapons of a unit that share this number, one is fired in a round.
    pub alternative: Option<u16>,
    /// Cannot damage scenery, unless told so.
    pub tech_killer: bool,
    /// Specials that this program does not play.
    pub not_modelled: Vec<String>,
}

/// The special rules of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitSpecials {
    /// A Critical does the damage of a plain hit.
    pub resilient: bool,
    /// An extra countermeasure of X+ against Close Quarters weapons; against collateral damage where
    /// told so.
    pub dodge: Option<u8>,
    /// It is prey of weapons made against Large units; hull down only where told so.
    pub large: bool,
    /// It commands: no die is changed, and no battle of forces sees what it is for.
    pub commands: bool,
    /// Specials that this program does not play.
    pub not_modelled: Vec<String>,
}

/// Specials of weapons that are played, or that change no die.
const WEAPON_WORDS: &[&str] = &["articulated", "indirect"];

/// Specials of units that change no die.
const UNIT_WORDS: &[&str] =
    &["bloodthirsty", "fast", "infiltrate", "rapid insertion", "rare", "wide"];

/// One special taken apart: `Devastator-2 (Infantry, Scenery)` is its name, 2 and two words.
struct Parts<'a> {
    text: &'a str,
    name: String,
    /// What stands where the number should.
    printed: &'a str,
    number: Option<u16>,
    list: Vec<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Parts<'a> {
        let (head, list) = match text.split_once('(') {
            Some((head, list)) => (head, list.trim_end().trim_end_matches(')')),
            None => (text, ""),
        };
        let (name, number) = match head.find(|c: char| c.is_ascii_digit()) {
            Some(at) => head.split_at(at),
            None => (head, ""),
        };
        let list: Vec<_> = list.split(',').map(str::trim).collect();
        let printed = if number.is_empty() { list[0] } else { number };
        Parts {
            text,
            name: name_matching::key(name),
            printed,
            number: leading_number(printed),
            list: list.into_iter().filter(|word| !word.is_empty()).collect(),
        }
    }

    fn number(&self) -> Result<u16, String> {
        let missing = || format!("the special \"{}\" needs a number", self.text);
        self.number.ok_or_else(missing)
    }

    /// The number of an `X+`.
    fn face(&self) -> Result<u8, String> {
        let number = self.number()?;
        let fits = u8::try_from(number).ok().filter(|n| (1..=7).contains(n));
        fits.ok_or_else(|| format!("the special \"{}\" must be 1+ to 7+", self.text))
    }

    fn prey(&self) -> Result<Vec<Prey>, String> {
        if self.list.is_empty() {
            return Err(format!(
                "the special \"{}\" needs a type in brackets, such as (Infantry)",
                self.text
            ));
        }
        self.list.iter().map(|word| prey(word, self.text)).collect()
    }
}

fn leading_number(text: &str) -> Option<u16> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let sign = text[digits..].trim();
    let plain = sign.is_empty() || matches!(sign, "+" | "\"");
    text[..digits].parse().ok().filter(|_| plain)
}

fn prey(word: &str, text: &str) -> Result<Prey, String> {
    match name_matching::key(word).as_str() {
        "all" => Ok(Prey::All),
        "vehicle" | "vehicles" => Ok(Prey::Vehicle),
        "large" => Ok(Prey::Large),
        "flammable scenery" => Ok(Prey::Flammable),
        key => UnitType::named(key)
            .or_else(|| UnitType::named(key.trim_end_matches('s')))
            .map(Prey::Type)
            .ok_or_else(|| format!("the special \"{text}\" names no known type: {word}")),
    }
}

/// Splits a printed list at the commas that are not in brackets, and between two specials where a
/// comma is missing: `AA-2 Strafe-2`.
pub fn split(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let outside = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    };
    let words = list.split(outside).flat_map(without_commas).map(str::trim);
    words.filter(|word| !word.is_empty()).collect()
}

/// `AA-2 Strafe-2` taken apart after each number that a hyphen leads to and a name follows.
fn without_commas(mut words: &str) -> Vec<&str> {
    let mut specials = Vec::new();
    let follows = |text: &str, at: usize| {
        let (before, after) = text.split_at(at);
        let name = before.trim_end_matches(|c: char| c.is_ascii_digit());
        let numbered = name.len() < before.len() && name.ends_with('-');
        numbered && after.trim_start().starts_with(char::is_alphabetic)
    };
    let end = |text: &str| text.match_indices(' ').map(|(at, _)| at).find(|&at| follows(text, at));
    while let Some(at) = end(words) {
        specials.push(&words[..at]);
        words = words[at..].trim_start();
    }
    specials.push(words);
    specials
}

impl WeaponSpecials {
    /// Reads the specials of one weapon.
    ///
    /// # Errors
    /// One sentence when a special that is played lacks its number or names an unknown type.
    pub fn read<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<WeaponSpecials, String> {
        let mut specials = WeaponSpecials::default();
        for text in texts {
            specials.add(&Parts::of(text))?;
        }
        Ok(specials)
    }

    fn add(&mut self, parts: &Parts) -> Result<(), String> {
        match parts.name.as_str() {
            "reduced" => self.reduced = parts.number()?,
            "focus" => self.focus = Some(i64::from(parts.number()?)),
            "destroyer" => self.destroyer = Some(parts.face()?),
            "devastator" => self.devastator.push((points(parts)?, parts.prey()?)),
            "penetrative" => self.penetrative = true,
            "flame" => self.flame = true,
            "aa" if parts.printed.is_empty() => self.anti_air = Some(0),
            "aa" => self.anti_air = Some(i64::from(parts.number()?)),
            "cover" => self.cover(parts)?,
            "strafe" => self.strafe = Some(parts.number()?),
            "area" => self.area = true,
            "limited" => self.limited = Some(parts.number()?),
            "alt" => self.alternative = Some(parts.number()?),
            "tech killer" => self.tech_killer = true,
            name if WEAPON_WORDS.contains(&name) => {}
            _ => self.not_modelled.push(parts.text.to_owned()),
        }
        Ok(())
    }

    fn cover(&mut self, parts: &Parts) -> Result<(), String> {
        for word in &parts.list {
            match name_matching::key(word).as_str() {
                "soft" => self.ignores_soft = true,
                "body" => self.ignores_body = true,
                "hull" => self.ignores_hull = true,
                "all" => {
                    (self.ignores_soft, self.ignores_body, self.ignores_hull) = (true, true, true);
                }
                _ => return Err(format!("\"{}\" names no known cover", parts.text)),
            }
        }
        match parts.list.is_empty() {
            true => Err(format!("\"{}\" needs Soft, Body, Hull or All", parts.text)),
            false => Ok(()),
        }
    }

    /// Devastator-X: damage of a plain hit, the highest Devastator number that applies, or 1.
    pub fn damage_against(&self, applies: impl Fn(Prey) -> bool) -> u8 {
        let devastators = self.devastator.iter();
        devastators
            .filter(|(_, prey)| prey.iter().any(|&prey| applies(prey)))
            .map(|(points, _)| *points)
            .max()
            .unwrap_or(1)
    }
}

fn points(parts: &Parts) -> Result<u8, String> {
    let fits = u8::try_from(parts.number()?).ok();
    let fits = fits.filter(|points| (1..=50).contains(points));
    fits.ok_or_else(|| format!("\"{}\" must do 1 to 50 damage", parts.text))
}

impl UnitSpecials {
    /// Reads the specials of one unit.
    ///
    /// # Errors
    /// One sentence when a special that is played lacks its number.
    pub fn read<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<UnitSpecials, String> {
        let mut specials = UnitSpecials::default();
        for text in texts {
            let parts = Parts::of(text);
            match parts.name.as_str() {
                "resilient" => specials.resilient = true,
                "command centre" => specials.commands = true,
                "dodge" => specials.dodge = Some(parts.face()?),
                "large" => specials.large = true,
                name if UNIT_WORDS.contains(&name) => {}
                _ => specials.not_modelled.push(text.to_owned()),
            }
        }
        Ok(specials)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &str) -> WeaponSpecials {
        WeaponSpecials::read(split(list)).expect("the specials are written rightly")
    }

    #[test]
    fn every_printed_form_is_read() {
        let specials = read(
            "Reduced-2, Focus-3, Destroyer (5+), Devastator-2\u{a0}(Infantry, Scenery), Penetrative, \
             Flame, AA-2, Cover (Soft, Body), Strafe-4, Area, Limited 1, Tech Killer, Alt-1",
        );
        assert_eq!((specials.reduced, specials.focus), (2, Some(3)));
        assert_eq!((specials.destroyer, specials.anti_air), (Some(5), Some(2)));
        let prey = vec![Prey::Type(UnitType::Infantry), Prey::Type(UnitType::Scenery)];
        assert_eq!(specials.devastator, [(2, prey)]);
        assert!(specials.penetrative && specials.flame && specials.area && specials.tech_killer);
        let cover = (specials.ignores_soft, specials.ignores_body);
        assert_eq!((cover, specials.ignores_hull), ((true, true), false));
        assert_eq!((specials.strafe, specials.limited), (Some(4), Some(1)));
        assert_eq!((specials.limited, specials.alternative), (Some(1), Some(1)));
        assert!(specials.not_modelled.is_empty());
        assert_eq!(read("Alt 2, Reduced 3").alternative, Some(2));
        assert_eq!(read("Destroyer-6+").destroyer, Some(6));
        assert!(read("Cover (All)").ignores_hull);
        assert_eq!(read("AA").anti_air, Some(0));
        // As one row is printed, without its comma.
        let both = read("AA-2 Strafe-2");
        assert_eq!((both.anti_air, both.strafe), (Some(2), Some(2)));
        let spaced = "Limited-1 Devastator-2 (Infantry, Scenery), Tech Killer, Alt 2";
        let apart = ["Limited-1", "Devastator-2 (Infantry, Scenery)", "Tech Killer", "Alt 2"];
        assert_eq!(split(spaced), apart);
    }

    #[test]
    fn the_highest_devastator_that_applies_counts() {
        let specials = read("Devastator-2 (Vehicle), Devastator-3 (Large)");
        assert_eq!(specials.damage_against(|prey| prey == Prey::Vehicle), 2);
        assert_eq!(specials.damage_against(|_| true), 3);
        assert_eq!(specials.damage_against(|_| false), 1);
    }

    #[test]
    fn what_is_not_played_is_named_and_what_is_wrong_is_refused() {
        assert_eq!(read("Airburst, Flame").not_modelled, ["Airburst"]);
        let wrong = [
            "Reduced",
            "Alt",
            "Devastator-2",
            "Devastator-2 (Infnatry)",
            "Cover (Solid)",
            "AA-2 Strafe",
        ];
        for wrong in wrong {
            assert!(WeaponSpecials::read(split(wrong)).is_err(), "{wrong}");
        }
        assert!(UnitSpecials::read(["Dodge"]).is_err());
    }

    #[test]
    fn units_have_specials_of_their_own() {
        let specials =
            UnitSpecials::read(split("Dodge 4+, Rapid Insertion 4”, Resilient, Psychic"));
        let specials = specials.expect("the specials are written rightly");
        assert_eq!((specials.dodge, specials.resilient), (Some(4), true));
        assert!(!specials.large);
        assert_eq!(specials.not_modelled, ["Psychic"]);
    }
}
