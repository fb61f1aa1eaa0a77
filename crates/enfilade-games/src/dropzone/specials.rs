//! The special rules of weapons and units, parsed from the printed words.
//!
//! Source: quick reference, and the special rules of the second edition for those that change a
//! die. `Devastator-2 (Infantry, Scenery)`, `Destroyer 6+` and `Destroyer (5+)` are all
//! accepted. A special rule that this program does not play is stored by name, so that a result can
//! mention it; one that it does play, but with wrong spelling, is refused.

use enfilade_model::form::field_macros::choice;
use enfilade_model::form::name_matching;

choice! {
    /// Unit type of a target, under its printed name.
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
    /// Returns whether the type flies.
    pub fn is_flyer(self) -> bool {
        matches!(self, UnitType::Aircraft | UnitType::SmallAircraft)
    }
}

/// Targets against which a Devastator weapon is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DevastatorTargetClass {
    /// All targets.
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

/// Special rules of a weapon.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WeaponSpecialRules {
    /// Shots lost per Damage Point that the shooter has lost.
    pub reduced: u16,
    /// Energy that a merged hit gains per hit discarded.
    pub focus: Option<i64>,
    /// Lowest face of a hit die that is a Critical without a damage roll.
    pub destroyer: Option<u8>,
    /// Damage in place of 1, and the targets for which it applies.
    pub devastator: Vec<(u8, Vec<DevastatorTargetClass>)>,
    /// Whether a damage roll of 6 always damages.
    pub penetrative: bool,
    /// Whether the weapon ignores soft cover, body cover and evasion.
    pub flame: bool,
    /// Evasion of the target that the weapon ignores; with this rule it may shoot at aircraft.
    pub anti_air: Option<i64>,
    /// Whether the weapon ignores soft cover.
    pub ignores_soft: bool,
    /// Whether the weapon ignores body cover.
    pub ignores_body: bool,
    /// Whether the weapon ignores hull down.
    pub ignores_hull: bool,
    /// Number of firings in one action.
    pub strafe: Option<u16>,
    /// Whether misses may glance.
    pub area: bool,
    /// Number of firings in a game.
    pub limited: Option<u16>,
    /// Number shared by weapons of a unit of which one is fired in a round.
    pub alternative: Option<u16>,
    /// Whether the weapon cannot damage scenery, unless the contest allows it.
    pub tech_killer: bool,
    /// Special rules that this program does not play.
    pub not_modelled: Vec<String>,
}

/// Special rules of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitSpecialRules {
    /// Whether a Critical does the damage of a plain hit.
    pub resilient: bool,
    /// Extra countermeasure of X+ against Close Quarters weapons; also against collateral damage
    /// where the contest enables it.
    pub dodge: Option<u8>,
    /// Whether the unit is prey of weapons made against Large units; it is hull down only where the
    /// contest enables it.
    pub large: bool,
    /// Whether the unit commands: this changes no die, and no battle of forces shows its use.
    pub commands: bool,
    /// Special rules that this program does not play.
    pub not_modelled: Vec<String>,
}

/// Special rules of weapons that are played, or that change no die.
const IDLE_WEAPON_RULES: &[&str] = &["articulated", "indirect"];

/// Special rules of units that change no die.
const IDLE_UNIT_RULES: &[&str] =
    &["bloodthirsty", "fast", "infiltrate", "rapid insertion", "rare", "wide"];

/// Parsed special rule: `Devastator-2 (Infantry, Scenery)` is its name, 2 and two words.
struct ParsedSpecialRule<'a> {
    text: &'a str,
    name: String,
    /// Text in the place of the number.
    printed: &'a str,
    number: Option<u16>,
    list: Vec<&'a str>,
}

impl<'a> ParsedSpecialRule<'a> {
    fn from_special_text(text: &'a str) -> ParsedSpecialRule<'a> {
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
        ParsedSpecialRule {
            text,
            name: name_matching::name_matching_key(name),
            printed,
            number: parse_number_before_sign(printed),
            list: list.into_iter().filter(|word| !word.is_empty()).collect(),
        }
    }

    fn number_of_rule(&self) -> Result<u16, String> {
        let missing = || format!("the special \"{}\" needs a number", self.text);
        self.number.ok_or_else(missing)
    }

    /// Parses the number of an `X+`.
    fn face_of_rule(&self) -> Result<u8, String> {
        let number = self.number_of_rule()?;
        let fits = u8::try_from(number).ok().filter(|n| (1..=7).contains(n));
        fits.ok_or_else(|| format!("the special \"{}\" must be 1+ to 7+", self.text))
    }

    fn parse_target_types(&self) -> Result<Vec<DevastatorTargetClass>, String> {
        if self.list.is_empty() {
            return Err(format!(
                "the special \"{}\" needs a type in brackets, such as (Infantry)",
                self.text
            ));
        }
        self.list.iter().map(|word| parse_target_type(word, self.text)).collect()
    }
}

fn parse_number_before_sign(text: &str) -> Option<u16> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let sign = text[digits..].trim();
    let plain = sign.is_empty() || matches!(sign, "+" | "\"");
    text[..digits].parse().ok().filter(|_| plain)
}

fn parse_target_type(word: &str, text: &str) -> Result<DevastatorTargetClass, String> {
    match name_matching::name_matching_key(word).as_str() {
        "all" => Ok(DevastatorTargetClass::All),
        "vehicle" | "vehicles" => Ok(DevastatorTargetClass::Vehicle),
        "large" => Ok(DevastatorTargetClass::Large),
        "flammable scenery" => Ok(DevastatorTargetClass::Flammable),
        key => UnitType::named(key)
            .or_else(|| UnitType::named(key.trim_end_matches('s')))
            .map(DevastatorTargetClass::Type)
            .ok_or_else(|| format!("the special \"{text}\" names no known type: {word}")),
    }
}

/// Splits a printed list at the commas that are not in brackets, and between two special rules
/// where a comma is missing: `AA-2 Strafe-2`.
pub fn split_special_list(list: &str) -> Vec<&str> {
    let mut depth = 0;
    let outside = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    };
    let words = list.split(outside).flat_map(split_at_lost_comma).map(str::trim);
    words.filter(|word| !word.is_empty()).collect()
}

/// Splits `AA-2 Strafe-2` after each number that follows a hyphen and precedes a name.
fn split_at_lost_comma(mut words: &str) -> Vec<&str> {
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

impl WeaponSpecialRules {
    /// Parses the special rules of one weapon.
    ///
    /// # Errors
    /// One sentence when a special rule that is played lacks its number or names an unknown type.
    pub fn from_special_texts<'a>(
        texts: impl IntoIterator<Item = &'a str>,
    ) -> Result<WeaponSpecialRules, String> {
        let mut specials = WeaponSpecialRules::default();
        for text in texts {
            specials.add_special_rule(&ParsedSpecialRule::from_special_text(text))?;
        }
        Ok(specials)
    }

    fn add_special_rule(&mut self, parts: &ParsedSpecialRule) -> Result<(), String> {
        match parts.name.as_str() {
            "reduced" => self.reduced = parts.number_of_rule()?,
            "focus" => self.focus = Some(i64::from(parts.number_of_rule()?)),
            "destroyer" => self.destroyer = Some(parts.face_of_rule()?),
            "devastator" => {
                self.devastator.push((parse_special_damage(parts)?, parts.parse_target_types()?))
            }
            "penetrative" => self.penetrative = true,
            "flame" => self.flame = true,
            "aa" if parts.printed.is_empty() => self.anti_air = Some(0),
            "aa" => self.anti_air = Some(i64::from(parts.number_of_rule()?)),
            "cover" => self.apply_cover_special(parts)?,
            "strafe" => self.strafe = Some(parts.number_of_rule()?),
            "area" => self.area = true,
            "limited" => self.limited = Some(parts.number_of_rule()?),
            "alt" => self.alternative = Some(parts.number_of_rule()?),
            "tech killer" => self.tech_killer = true,
            name if IDLE_WEAPON_RULES.contains(&name) => {}
            _ => self.not_modelled.push(parts.text.to_owned()),
        }
        Ok(())
    }

    fn apply_cover_special(&mut self, parts: &ParsedSpecialRule) -> Result<(), String> {
        for word in &parts.list {
            match name_matching::name_matching_key(word).as_str() {
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

    /// Devastator-X: returns the damage of a plain hit: the highest Devastator number that applies,
    /// or 1.
    pub fn plain_damage_against(&self, applies: impl Fn(DevastatorTargetClass) -> bool) -> u8 {
        let devastators = self.devastator.iter();
        devastators
            .filter(|(_, prey)| prey.iter().any(|&prey| applies(prey)))
            .map(|(points, _)| *points)
            .max()
            .unwrap_or(1)
    }
}

fn parse_special_damage(parts: &ParsedSpecialRule) -> Result<u8, String> {
    let fits = u8::try_from(parts.number_of_rule()?).ok();
    let fits = fits.filter(|points| (1..=50).contains(points));
    fits.ok_or_else(|| format!("\"{}\" must do 1 to 50 damage", parts.text))
}

impl UnitSpecialRules {
    /// Parses the special rules of one unit.
    ///
    /// # Errors
    /// One sentence when a special rule that is played lacks its number.
    pub fn from_special_texts<'a>(
        texts: impl IntoIterator<Item = &'a str>,
    ) -> Result<UnitSpecialRules, String> {
        let mut specials = UnitSpecialRules::default();
        for text in texts {
            let parts = ParsedSpecialRule::from_special_text(text);
            match parts.name.as_str() {
                "resilient" => specials.resilient = true,
                "command centre" => specials.commands = true,
                "dodge" => specials.dodge = Some(parts.face_of_rule()?),
                "large" => specials.large = true,
                name if IDLE_UNIT_RULES.contains(&name) => {}
                _ => specials.not_modelled.push(text.to_owned()),
            }
        }
        Ok(specials)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &str) -> WeaponSpecialRules {
        WeaponSpecialRules::from_special_texts(split_special_list(list))
            .expect("the specials are written rightly")
    }

    #[test]
    fn every_printed_form_is_read() {
        let specials = read(
            "Reduced-2, Focus-3, Destroyer (5+), Devastator-2\u{a0}(Infantry, Scenery), Penetrative, \
             Flame, AA-2, Cover (Soft, Body), Strafe-4, Area, Limited 1, Tech Killer, Alt-1",
        );
        assert_eq!((specials.reduced, specials.focus), (2, Some(3)));
        assert_eq!((specials.destroyer, specials.anti_air), (Some(5), Some(2)));
        let prey = vec![
            DevastatorTargetClass::Type(UnitType::Infantry),
            DevastatorTargetClass::Type(UnitType::Scenery),
        ];
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
        assert_eq!(split_special_list(spaced), apart);
    }

    #[test]
    fn the_highest_devastator_that_applies_counts() {
        let specials = read("Devastator-2 (Vehicle), Devastator-3 (Large)");
        assert_eq!(specials.plain_damage_against(|prey| prey == DevastatorTargetClass::Vehicle), 2);
        assert_eq!(specials.plain_damage_against(|_| true), 3);
        assert_eq!(specials.plain_damage_against(|_| false), 1);
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
            assert!(
                WeaponSpecialRules::from_special_texts(split_special_list(wrong)).is_err(),
                "{wrong}"
            );
        }
        assert!(UnitSpecialRules::from_special_texts(["Dodge"]).is_err());
    }

    #[test]
    fn units_have_specials_of_their_own() {
        let specials = UnitSpecialRules::from_special_texts(split_special_list(
            "Dodge 4+, Rapid Insertion 4”, Resilient, Psychic",
        ));
        let specials = specials.expect("the specials are written rightly");
        assert_eq!((specials.dodge, specials.resilient), (Some(4), true));
        assert!(!specials.large);
        assert_eq!(specials.not_modelled, ["Psychic"]);
    }
}
