//! Report of an action: its shows, and measures of them.

use std::borrow::Cow;

use super::lowered_value::{Bind, Frame, Measured, Num, Reported, Value};
use super::scopes::Scopes;
use super::views::Reports;
use crate::diagnostics::Span;
use crate::resolve::uses::only_leaves;
use crate::syntax::ast::{Expr, Name, Report, Said, Says};
use crate::types::Kind;
use crate::vm::code::{Op, Shown, Stops, Two};
use enfilade_model::combat::{MeasureKind, Scale};

/// Largest number of shows, and of measures, of one action.
const REPORTS: usize = enfilade_model::combat::MAX_COLUMNS;

impl Reported<'_> {
    /// Returns the source of the value at the end of the rule.
    pub fn shown(&self) -> Shown {
        as_shown(self.value)
    }

    /// Returns whether the show is a number of any range.
    pub fn is_count(&self) -> bool {
        self.kind == Kind::Number
    }
}

/// Measure before its evaluation, with the contest values that are bound in its part.
struct Asked<'g> {
    report: &'g Report,
    known: Vec<(&'g str, Value)>,
}

impl<'g> Reports<'_, 'g> {
    /// Lowers the shows and then the measures, after the end of the rule.
    pub(super) fn reports(&mut self, reports: &'g [Report]) {
        let mut asked = Vec::new();
        // Carried fields need bags that exist to the end: registers of other bags are reused.
        let emitter = &mut self.emitter;
        for (things, gone) in emitter.program.things.iter_mut().zip(&emitter.gone) {
            if *gone {
                things.name.clear();
            }
        }
        self.shows(reports, &mut asked);
        let shown = self.scopes.reported.iter().filter(|shown| !shown.keep);
        self.emitter.program.shows = shown.map(|shown| as_shown(shown.value)).collect();
        let span = 0..0;
        self.emitter.emit(Op::End, &span);
        self.emitter.mark = self.emitter.top;
        self.measures(asked);
        self.emitter.emit(Op::Halt, &span);
        self.stop_at(Stops::End, 0, &span);
        // The end is a separate suspend point, and nothing continues from it.
        self.emitter.program.ops.pop();
        self.emitter.program.spans.pop();
    }

    /// Lowers the shows in their order and collects the measures, which need all of them.
    fn shows(&mut self, reports: &'g [Report], asked: &mut Vec<Asked<'g>>) {
        for report in reports {
            match report {
                Report::Show { name, value, when, said, keep } => {
                    self.show(name, value.as_ref(), when.as_ref(), said, *keep)
                }
                Report::Measure { .. } => {
                    let known = self.scopes.of_the_contest();
                    asked.push(Asked { report, known });
                }
                Report::Carry { place, value, highest } if self.scopes.leaves() => {
                    self.carry(place, value, *highest);
                }
                Report::Carry { .. } => {}
                Report::Call(_)
                    if !self.scopes.leaves() && only_leaves(self.scopes.game, report) => {}
                Report::Call(call) => self.reporting_part(call, asked),
            }
        }
    }

    /// Lowers `show name = value when c`.
    fn show(
        &mut self,
        name: &'g Name,
        value: Option<&'g Expr>,
        when: Option<&'g Expr>,
        said: &'g Said,
        keep: bool,
    ) {
        let span = &name.span;
        if when.is_some_and(|when| !self.is_shown(when)) {
            return;
        }
        if self.scopes.reported.iter().any(|shown| shown.name.text == name.text) {
            let problem = format!("`{}` is shown already", name.text);
            self.emitter.wrong(span, problem, "give it another name");
            return;
        }
        let mut value = self.shown_value(name, value);
        let kind = value.range.kind;
        self.columns_of_their_own(name, kind, keep);
        // A shown value is copied so that it is still valid at the end of the rule.
        if value.known().is_none() {
            let at = self.emitter.fresh(span);
            self.emitter.store(at, value, span);
            value.at = at;
        }
        self.scopes.reported.push(Reported { name, kind, said, keep, value });
        if self.scopes.reported.len() > REPORTS {
            self.emitter.wrong(span, format!("an action shows at most {REPORTS} things"), "");
        }
    }

    /// Returns whether a show is enabled in this contest.
    fn is_shown(&mut self, when: &'g Expr) -> bool {
        let asked = self.number(when, Some(Kind::YesNo));
        let asked = self.of_kind(asked, Kind::YesNo, &when.span);
        self.emitter.parameters.must_know(asked);
        if asked.known().is_none() && !self.checks() {
            let help = "`when` of a `show` must not depend on a roll";
            self.emitter.wrong(&when.span, "use fields only", help);
        }
        self.checks() || asked.known() != Some(0)
    }

    /// Lowers a shown value: the explicit one, or the variable of that name.
    fn shown_value(&mut self, name: &'g Name, value: Option<&'g Expr>) -> Num {
        let (text, span) = (&name.text, &name.span);
        if let Some(value) = value {
            self.no_dice(value, "show");
            return self.number(value, None);
        }
        if let Some(bind) = self.scopes.local(text).cloned() {
            let value = self.expressions().bound(bind);
            return self.as_number(value, span);
        }
        if self.scopes.is_gone(text) {
            return self.unknown(text, span);
        }
        let help = self.scopes.near_or(text, || format!("`show {text} = …`"));
        let found = self.emitter.wrong(span, format!("there is no variable `{text}`"), help);
        self.emitter.faults.doubt([text.clone()]);
        found
    }

    /// Checks the columns of a word such as `state_pinned`, one for each word of its list: no other
    /// show may have such a name.
    fn columns_of_their_own(&mut self, name: &Name, kind: Kind, keep: bool) {
        let own = self.scopes.column_names(&name.text, kind);
        let shown = self.scopes.reported.iter().filter(|shown| !shown.keep && !keep);
        let taken = shown.flat_map(|shown| {
            let theirs = self.scopes.column_names(&shown.name.text, shown.kind).into_iter();
            theirs.map(|column| (column, shown.name.text.clone()))
        });
        let taken = taken.into_iter().find(|(column, _)| own.contains(column));
        if let Some((column, of)) = taken {
            let problem = format!("`{}` and `{of}` both have a column `{column}`", name.text);
            self.emitter.wrong(&name.span, problem, "give it another name");
        }
    }

    /// Lowers the shows of a part, in the scope of the part.
    fn reporting_part(&mut self, call: &'g Expr, asked: &mut Vec<Asked<'g>>) {
        let Says::Call(name, arguments) = &call.what else { return };
        let Some((at, part)) =
            self.scopes.part(&name.text).filter(|(_, part)| !part.shows.is_empty())
        else {
            let problem = format!("there is no part `{}` that shows something", name.text);
            self.emitter.wrong(&name.span, problem, "");
            return;
        };
        if self.scopes.calls.contains(&at) {
            self.emitter.wrong(&call.span, format!("`{}` calls itself", name.text), "");
            return;
        }
        let Some(frame) = self.by_name(part, arguments, &call.span) else { return };
        self.scopes.calls.push(at);
        self.scopes.frames.push(frame);
        let top = self.emitter.top;
        let mark = std::mem::replace(&mut self.emitter.mark, top);
        part.body.iter().for_each(|line| self.stmt(line));
        self.shows(&part.shows, asked);
        self.emitter.mark = mark;
        self.scopes.frames.pop();
        self.scopes.calls.pop();
    }

    /// Binds the parameters of a reporting part by name.
    fn by_name(
        &mut self,
        part: &'g crate::syntax::ast::Part,
        arguments: &'g [(Expr, Option<Expr>)],
        span: &Span,
    ) -> Option<Frame<'g>> {
        if part.params.len() != arguments.len() {
            let (wanted, given) = (part.params.len(), arguments.len());
            self.emitter.wrong(span, format!("this part takes {wanted} values, not {given}"), "");
            return None;
        }
        let given = part.params.iter().zip(arguments);
        let given = given
            .map(|((param, _), (argument, _))| (param.text.as_str(), self.value(argument, None)));
        Some(Frame::of(given))
    }

    /// Lowers the collected measures.
    fn measures(&mut self, asked: Vec<Asked<'g>>) {
        if asked.is_empty() {
            self.plain_measures();
        }
        for Asked { report, known } in asked {
            let Report::Measure { name, figures, given, said } = report else { continue };
            if self.scopes.measured.iter().any(|known| known.name.text == name.text) {
                let problem = format!("`{}` is measured already", name.text);
                self.emitter.wrong(&name.span, problem, "give it another name");
                continue;
            }
            let shown = self.scopes.reported.iter();
            let shown = shown.map(|shown| (shown.name.text.as_str(), Value::Num(shown.value)));
            let ends = self.ends_word();
            let mut frame = Frame::of(ends.into_iter().chain(known).chain(shown));
            let locals = self.scopes.frames.iter().flat_map(|frame| &frame.locals);
            frame.hidden = locals.map(|local| local.name).collect();
            // Own fields of the action are in scope.
            let frames = std::mem::replace(&mut self.scopes.frames, vec![frame]);
            let (kind, scale) = self.measure(name, figures, given.as_ref().map(|given| &given.0));
            self.scopes.frames = frames;
            let (name, said) = (Cow::Borrowed(name), Cow::Borrowed(said));
            let condition = given.as_ref().map_or(String::new(), |(_, text)| text.clone());
            self.scopes.measured.push(Measured { name, kind, scale, condition, said });
        }
        self.not_too_many();
    }

    /// Reports more measures than results have columns for.
    fn not_too_many(&mut self) {
        if self.scopes.measured.len() > REPORTS
            && let Some(last) = self.scopes.measured.last()
        {
            let span = last.name.span.clone();
            self.emitter.wrong(&span, format!("an action measures at most {REPORTS} things"), "");
        }
    }

    /// Adds the measures of an action without any: the chance of each word with the first of its
    /// list last, the chance of a yes, and the mean of a number.
    fn plain_measures(&mut self) {
        let shown = self.scopes.reported.iter().filter(|shown| !shown.keep);
        let shown: Vec<_> = shown.map(|shown| (shown.name, shown.said, shown.value)).collect();
        for (name, said, value) in shown {
            let (sign, kind) = match value.range.kind {
                Kind::Word(list) => {
                    self.chance_of_each(list, name, said, value);
                    continue;
                }
                Kind::YesNo => ("p", MeasureKind::Event),
                _ => ("e", MeasureKind::Mean),
            };
            let called = format!("{sign}_{}", name.text);
            self.plain_measure(called, name, said.clone(), kind, value);
        }
    }

    /// Adds the chance of each word of a list, labelled by the words alone if no other show has
    /// this list.
    fn chance_of_each(&mut self, list: u16, name: &Name, said: &Said, value: Num) {
        let kind = value.range.kind;
        let words = &self.scopes.game.words[usize::from(list)].words;
        let alike = self.scopes.reported.iter().filter(|other| other.kind == kind);
        let alone = alike.filter(|other| !other.keep).count() == 1;
        for place in (1..words.len()).chain([0]) {
            let printed = self.scopes.game.shown(kind, place as i64);
            let help = format!("{}: {printed}", said.label_or(&name.text));
            let label = if alone { printed } else { help.clone() };
            let said = Said { label, help, ..Said::default() };
            let word = Num::one(kind, place as i64);
            let is = self.emitter.joined(Two::Eq, value, word, &name.span);
            let called = format!("p_{}_{}", name.text, words[place].0);
            self.plain_measure(called, name, said, MeasureKind::Event, is);
        }
    }

    /// Adds a default measure.
    fn plain_measure(&mut self, text: String, of: &Name, said: Said, kind: MeasureKind, num: Num) {
        self.emitter.program.weights.push(as_shown(num));
        let name = Cow::Owned(Name { text, span: of.span.clone() });
        self.scopes.measured.push(Measured {
            name,
            kind,
            scale: Scale::ONE,
            condition: String::new(),
            said: Cow::Owned(said),
        });
    }
}

impl<'g> Scopes<'g> {
    /// Returns the names of the current part that are bound to contest values.
    fn of_the_contest(&self) -> Vec<(&'g str, Value)> {
        let locals = self.frames.last().into_iter().flat_map(|frame| &frame.locals);
        let fixed = locals.filter_map(|local| match &local.bind {
            Bind::Is(Value::Num(num)) if num.known().is_none() => None,
            Bind::Is(value @ (Value::Fixed(_) | Value::Num(_))) => {
                Some((local.name, value.clone()))
            }
            _ => None,
        });
        fixed.collect()
    }

    /// Returns the result columns of a show.
    fn column_names(&self, name: &str, kind: Kind) -> Vec<String> {
        let Kind::Word(list) = kind else { return vec![name.to_owned()] };
        let words = &self.game.words[usize::from(list)].words;
        words.iter().map(|(word, _)| format!("{name}_{word}")).collect()
    }
}

/// Returns the source of a value at the end of the rule.
pub(super) fn as_shown(num: Num) -> Shown {
    match num.known() {
        Some(known) => Shown::Known(known as i32),
        None => Shown::At(num.at),
    }
}
