//! One step with everything that its dice can show, or with what so many trials of them do show.

use enfilade_model::dice::Dice;
use enfilade_model::shared::opaque;

/// What is in a state.
pub trait Load: Copy + Default + Send + Sync {
    /// Adds what comes to the same state another way.
    fn add(&mut self, other: &Self);
}

/// What a rule rolls at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Throw {
    /// A die of so many sides, for its face.
    Die(u8),
    /// So many dice of so many sides, for their sum.
    Sum(u8, u8),
    /// The same, where only the marks that it reaches matter: bit v stands for a mark at v.
    Reach(u8, u8, u64),
    /// So many dice of so many sides, for how many show a face or more.
    Successes(u8, u8, u8),
}

impl Throw {
    /// How many dice it has.
    pub fn dice(self) -> u8 {
        match self {
            Throw::Die(_) => 1,
            Throw::Sum(count, _) | Throw::Reach(count, ..) | Throw::Successes(count, ..) => count,
        }
    }

    /// The sides of each.
    pub fn sides(self) -> u8 {
        match self {
            Throw::Die(sides)
            | Throw::Sum(_, sides)
            | Throw::Reach(_, sides, _)
            | Throw::Successes(_, sides, _) => sides,
        }
    }

    /// What a face of one of them adds.
    pub fn adds(self, face: u8) -> u16 {
        match self {
            Throw::Successes(_, _, least) => u16::from(face >= least),
            _ => face.into(),
        }
    }

    /// What is shown for all that is as good as `value`: of sums that reach the same marks the least.
    pub fn shows(self, value: u16) -> u16 {
        match self {
            Throw::Reach(count, _, marks) => {
                let reached = marks & (u64::MAX >> (63 - value.min(63)));
                u16::from(count).max(reached.checked_ilog2().unwrap_or(0) as u16)
            }
            _ => value,
        }
    }

    /// The most that they can come to.
    pub fn most(self) -> usize {
        usize::from(self.adds(self.sides())) * usize::from(self.dice())
    }
}

/// Trials that are so few that to meet others on the way would save nothing: each is played on by itself
/// until the combat has come further.
pub struct Few<'a, L> {
    /// How many they are.
    pub trials: u64,
    /// One of them.
    pub one: L,
    /// What it rolls.
    pub dice: &'a mut dyn Dice,
}

opaque!(Few<'_, L>, L);

/// How what is in a state is shared out.
pub trait Split: Send {
    /// What is in a state.
    type Load: Load;

    /// Shares `load` out over what `throw` can come to: the values that anything falls to, with that.
    fn split(&mut self, load: Self::Load, throw: Throw, into: &mut Vec<(u16, Self::Load)>);

    /// What is in a state as few trials, where it is that.
    fn few(&mut self, load: &Self::Load) -> Option<Few<'_, Self::Load>> {
        let _ = load;
        None
    }

    /// What comes to the next state after so much was tallied on the way, by counter.
    fn landed(&mut self, load: Self::Load, tallied: &[(u8, i64)]) -> Self::Load {
        let _ = tallied;
        load
    }
}

/// Dice that show one after the other all that anything falls to.
pub(super) struct Odometer<S: Split> {
    pub(super) split: S,
    thrown: Vec<Thrown>,
    /// What the throws on the table come to, the outermost first.
    values: Vec<(u16, S::Load)>,
    /// How many throws the run under way has seen, and what has come so far.
    rolled: usize,
    load: S::Load,
    opening: S::Load,
    tallied: Vec<(u8, i64)>,
    ways: Ways<S::Load>,
}

/// Room to find what dice can show that are rolled together.
#[derive(Default)]
struct Ways<L> {
    ways: Vec<(u16, L)>,
    further: Vec<(u16, L)>,
    shown: Vec<(u16, L)>,
    /// What is said to matter, by those that are shown.
    said: Vec<u128>,
}

/// Ways to fall above which dice are rolled one by one.
const MANY_WAYS: u16 = 1 << 7;

/// A throw of a step, and which of its values is shown.
struct Thrown {
    throw: Throw,
    first: usize,
    shown: usize,
}

impl<S: Split> Odometer<S> {
    pub(super) fn new(split: S) -> Self {
        let (load, opening) = (S::Load::default(), S::Load::default());
        let (thrown, values, tallied) = (Vec::new(), Vec::new(), Vec::new());
        let ways = Ways::default();
        Odometer { split, thrown, values, rolled: 0, load, opening, tallied, ways }
    }

    /// From here on the dice are those of a step from a state with this in it.
    pub(super) fn begin(&mut self, load: S::Load) {
        (self.load, self.opening) = (load, load);
        self.rolled = 0;
        self.tallied.clear();
    }

    /// What has come to the end of the step.
    pub(super) fn landed(&mut self) -> S::Load {
        self.split.landed(self.load, &self.tallied)
    }

    /// Turns to the next values; whether there are any.
    pub(super) fn turn(&mut self) -> bool {
        self.begin(self.opening);
        while let Some(last) = self.thrown.last_mut() {
            last.shown += 1;
            if last.shown < self.values.len() {
                return true;
            }
            self.values.truncate(last.first);
            self.thrown.pop();
        }
        false
    }

    #[inline]
    fn throw(&mut self, throw: Throw) -> u16 {
        if self.rolled == self.thrown.len() {
            let first = self.values.len();
            self.split.split(self.load, throw, &mut self.values);
            self.thrown.push(Thrown { throw, first, shown: first });
        }
        self.show(throw)
    }

    #[inline]
    fn show(&mut self, throw: Throw) -> u16 {
        let thrown = &self.thrown[self.rolled];
        assert!(thrown.throw == throw, "a step depends on nothing but its state and the faces");
        let (value, load) = self.values[thrown.shown];
        self.rolled += 1;
        self.load = load;
        value
    }

    /// Puts on the table what so many dice can show, the first of all ways to fall of which `matters` says
    /// the same.
    fn spread(&mut self, sides: u8, faces: &mut [u8], matters: &dyn Fn(&[u8]) -> u128) {
        let Ways { ways, further, shown, said } = &mut self.ways;
        ways.clear();
        ways.push((0, self.load));
        for _ in 0..faces.len() {
            further.clear();
            for &(way, load) in &*ways {
                shown.clear();
                self.split.split(load, Throw::Die(sides), shown);
                let on = |&(face, load): &(u16, _)| (way * u16::from(sides) + face - 1, load);
                further.extend(shown.iter().map(on));
            }
            std::mem::swap(ways, further);
        }
        said.clear();
        let first = self.values.len();
        for &(way, load) in &*ways {
            fallen(way, sides, faces);
            // A list and no map: a rule tells apart a handful of things, whatever the dice show.
            let says = matters(faces);
            match said.iter().position(|said| *said == says) {
                Some(known) => self.values[first + known].1.add(&load),
                None => {
                    said.push(says);
                    self.values.push((way, load));
                }
            }
        }
    }
}

/// The faces of one of the ways that dice can fall, the last die's turning fastest.
fn fallen(mut way: u16, sides: u8, faces: &mut [u8]) {
    for face in faces.iter_mut().rev() {
        *face = (way % u16::from(sides)) as u8 + 1;
        way /= u16::from(sides);
    }
}

impl<S: Split> Dice for Odometer<S> {
    fn die(&mut self, sides: u8) -> u8 {
        assert!(sides >= 1, "a die has at least one side");
        self.throw(Throw::Die(sides)) as u8
    }

    fn sum(&mut self, count: u8, sides: u8) -> u16 {
        self.throw(Throw::Sum(count, sides))
    }

    fn sum_to_reach(&mut self, count: u8, sides: u8, marks: &[i32]) -> u16 {
        // What it is was found out when it was thrown.
        if let Some(Thrown { throw: throw @ Throw::Reach(dice, of, _), .. }) =
            self.thrown.get(self.rolled)
            && (*dice, *of) == (count, sides)
        {
            return self.show(*throw);
        }
        let throw = Throw::Sum(count, sides);
        if throw.most() > 63 {
            return self.throw(throw);
        }
        let marks = marks.iter().filter(|mark| (0..64).contains(*mark));
        let marks = marks.fold(0, |marks, mark| marks | 1 << mark);
        self.throw(Throw::Reach(count, sides, marks))
    }

    fn successes(&mut self, count: u8, sides: u8, least: u8) -> u8 {
        self.throw(Throw::Successes(count, sides, least)) as u8
    }

    fn roll(&mut self, sides: u8, faces: &mut [u8], matters: &dyn Fn(&[u8]) -> u128) {
        let ways = u16::from(sides).checked_pow(faces.len() as u32);
        if ways.is_none_or(|ways| ways > MANY_WAYS) {
            return faces.iter_mut().for_each(|face| *face = self.die(sides));
        }
        // Which dice they are is as well said by their sum.
        let throw = Throw::Sum(faces.len() as u8, sides);
        if self.rolled == self.thrown.len() {
            let first = self.values.len();
            self.spread(sides, faces, matters);
            self.thrown.push(Thrown { throw, first, shown: first });
        }
        fallen(self.show(throw), sides, faces);
    }

    fn tally(&mut self, counter: u8, amount: i32) {
        self.tallied.push((counter, amount.into()));
    }
}
