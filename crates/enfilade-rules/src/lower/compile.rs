//! Compilation of a contest to a program: fills its fields, then lowers its rule.

use std::borrow::Cow;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::changed_cells::{ChangedTableCells, resolve_changed_cells};
use super::contest_values::ContestScopeBuilder;
use super::known_choices::DecisionKnowingEarlierChoice;
use super::{DecisionPoint, LowerMode, LoweredShow, Lowering, ParameterSet, ProgramParameters};
use crate::diagnostics::{Faults, Span};
use crate::optimize::OptimizationFlags;
use crate::resolve::game::ResolvedRulebook;
use crate::source_map::{file_and_line_of_span, source_index_of_span, span_in_file};
use crate::syntax::ast::CheckOrRemarkDecl;
use crate::value_types::ScalarType;
use crate::vm::code::{OutcomeRegisterOrConstant, Program};
use crate::vm::snapshot::MAX_STATE_NUMBERS;
use enfilade_model::combat::{
    Decision, HarmDegree, MAX_OUTCOME_COLUMNS, MeanDirection, MeasureHead, MeasureKind,
    MeasureRoleBesideReports, OutcomeFieldHead, ResultColumns, SharedStructureSlot,
    measure_name_in_words,
};
use enfilade_model::error::{FaultWithByteSpan, RulebookTextSpan};
use enfilade_model::form::{Fault, Form};
use enfilade_model::static_or_shared::Text;

/// Everything that is needed to lower a rule for a contest.
pub struct ContestToCompile {
    /// Rulebook.
    pub game: Arc<ResolvedRulebook>,
    /// Index of the action.
    pub action: usize,
    /// Contest.
    pub form: Form,
    /// Optimization flags.
    pub flags: OptimizationFlags,
}

/// Compiled rule.
#[derive(Debug)]
pub struct CompiledRule {
    /// Program.
    pub program: Arc<Program>,
    /// Columns and measures.
    pub heads: ResultColumns,
    /// Decisions of the players.
    pub decisions: Vec<Decision>,
    /// Parameters that it loads.
    pub parameters: ProgramParameters,
    /// Contests that use this program.
    pub shared_contests: SharedStructureCache,
    /// Notes for a reader of the odds.
    pub notes: Vec<String>,
    /// Changed table cells that it looks up, as [bits](crate::lower::ParameterSet).
    pub cells_read: ParameterSet,
    /// Parameters that it depends on, loaded or constant, as a bit set.
    pub reads: ParameterSet,
}

/// Structures of a program's contests that are still in use, by the numbers in which the contests
/// differ.
#[derive(Debug, Default)]
pub struct SharedStructureCache(pub(crate) Mutex<FxHashMap<Box<[i64]>, Weak<SharedStructureSlot>>>);

impl ContestToCompile {
    /// Compiles the rule for this contest. A traced rule keeps dead code, because the trace reads
    /// registers that the rule may not.
    ///
    /// # Errors
    /// All faults of the contest.
    pub fn compile(&self, why: LowerMode, drops: bool) -> Result<CompiledRule, Vec<Fault>> {
        let (lowering, _) = self.prepare_lowering(why)?;
        self.lower_to_compiled_rule(lowering, why, drops)
    }

    /// Prepares a lowering with the fields of the contest filled in, and returns it with the notes
    /// for a reader.
    ///
    /// # Errors
    /// All faults of the contest.
    pub fn prepare_lowering(
        &self,
        why: LowerMode,
    ) -> Result<(Lowering<'_>, Vec<String>), Vec<Fault>> {
        let game = &*self.game;
        let action = &game.actions[self.action];
        let action_facts = &game.action_facts[self.action];
        let mut lowering = Lowering::new(game, why, self.flags);
        lowering.scopes.action = Some(self.action);
        lowering.scopes.over = lowering.scopes.action;
        lowering.scopes.bag_ranges = Cow::Borrowed(&action_facts.bag_ranges);
        lowering.scopes.columns = match self.flags.leaves {
            true => game.carry_columns.get(self.action),
            false => game.columns.get(self.action),
        };
        // Includes tallies that this contest never reaches.
        lowering.scopes.tallies.clone_from(&action_facts.tallies);
        lowering.scopes.changed_cells = resolve_changed_cells(game, &self.form)?;
        let mut filling = ContestScopeBuilder {
            lowering: &mut lowering,
            faults: Vec::new(),
            notes: Vec::new(),
            changes: ChangedTableCells::read_from_contest(&self.form),
        };
        let checks: Vec<&CheckOrRemarkDecl> = self.applicable_checks();
        filling.fill_fields_and_check(&self.form, &action_facts.fields, action, &checks);
        let (faults, mut notes) = (filling.faults, filling.notes);
        if !faults.is_empty() {
            return Err(faults);
        }
        notes.dedup();
        // A blank cell among the constants is reported when the rule reaches it.
        lowering.emitter.program.blanks = lowering.take_program_outside_rules().blanks;
        Ok((lowering, notes))
    }

    /// Lowers the rule.
    ///
    /// # Errors
    /// Exceeded limits, each with its line and file in words.
    pub fn lower_to_compiled_rule<'g>(
        &'g self,
        lowering: Lowering<'g>,
        why: LowerMode,
        drops: bool,
    ) -> Result<CompiledRule, Vec<Fault>> {
        let compiled = self.lower_or_locate_faults(lowering, why, drops);
        compiled.map_err(|faults| {
            faults.into_iter().map(|fault| self.add_line_number_and_file(fault)).collect()
        })
    }

    /// Returns the decisions of the rule, each with its goal and its options.
    fn decisions_of_rule(&self, lowering: &Lowering<'_>) -> Vec<Decision> {
        let decisions = lowering.scopes.choices.iter().map(|choice| {
            let best = match choice.highest {
                true => MeanDirection::Highest,
                false => MeanDirection::Lowest,
            };
            let place = format!("line {}", self.line_number(&choice.span));
            let name = match choice.label.as_str() {
                "" => place.clone(),
                label => label.to_owned(),
            };
            let goal = choice.goal.text.clone();
            let mut decision = Decision::new(name, goal, best).with_rulebook_place(place);
            decision.hidden = choice.hidden.iter().map(|name| name.clone().into()).collect();
            choice
                .options
                .iter()
                .fold(decision, |decision, option| decision.with_option(option.clone()))
        });
        decisions.collect()
    }

    /// Lowers the rule as [`lower_to_compiled_rule`](ContestToCompile::lower_to_compiled_rule)
    /// does.
    ///
    /// # Errors
    /// Exceeded limits, each with its place among all files.
    pub fn lower_or_locate_faults<'g>(
        &'g self,
        mut lowering: Lowering<'g>,
        why: LowerMode,
        drops: bool,
    ) -> Result<CompiledRule, Vec<FaultWithByteSpan>> {
        let game = &*self.game;
        let action = &game.actions[self.action];
        lowering.lower_action(&action.rule.body, &action.rule.shows);
        check_goals_shown(&mut lowering);
        // An exceeded limit may be due to unrolling.
        if !lowering.emitter.faults.is_empty() {
            return self.lower_without_unrolling(why, drops, lowering.emitter.faults);
        }
        let columns = outcome_columns_of_shows(game, &lowering.scopes.reports);
        let heads = ResultColumns {
            fields: columns.iter().map(|(head, ..)| head.clone()).collect(),
            measures: heads_of_measures(&lowering),
        };
        if columns.len() > MAX_OUTCOME_COLUMNS {
            let problem = format!("more than {MAX_OUTCOME_COLUMNS} columns are shown");
            let (fault, span) = (Fault::new("", problem), action.name.span.clone());
            return Err(vec![FaultWithByteSpan { fault, span }]);
        }
        lowering.emitter.program.columns =
            columns.into_iter().map(|(_, at, word)| (at, word)).collect();
        let decisions = self.decisions_of_rule(&lowering);
        let notes = self.notes_of_informed_decisions(&lowering);
        let mut program = std::mem::take(&mut lowering.emitter.program);
        program.tallies = !lowering.scopes.tallies.is_empty();
        program.sorts = self.flags.sorts;
        program.optimize_and_lay_out_states(self.flags, drops);
        program.find_parameters_loaded_late();
        let used_parameters = lowering.emitter.parameters.take_loaded_parameters();
        let (program, shared) = (Arc::new(program), SharedStructureCache::default());
        let (touched, reads) = (lowering.scopes.cells_read, 0);
        Ok(CompiledRule {
            program,
            heads,
            decisions,
            parameters: used_parameters,
            shared_contests: shared,
            notes,
            cells_read: touched,
            reads,
        })
    }

    /// Lowers the rule again without unrolling if the program was too long.
    ///
    /// # Errors
    /// Exceeded limits.
    fn lower_without_unrolling(
        &self,
        why: LowerMode,
        drops: bool,
        faults: Faults,
    ) -> Result<CompiledRule, Vec<FaultWithByteSpan>> {
        if !self.flags.unrolls {
            return Err(faults.into_sorted());
        }
        let thrift = OptimizationFlags { unrolls: false, ..self.flags };
        let rolled = ContestToCompile {
            game: Arc::clone(&self.game),
            form: self.form.clone(),
            flags: thrift,
            ..*self
        };
        let span = self.game.actions[self.action].name.span.clone();
        let (lowering, _) = rolled.prepare_lowering(why).map_err(|faults| {
            let faults = faults.into_iter();
            faults.map(|fault| FaultWithByteSpan { fault, span: span.clone() }).collect::<Vec<_>>()
        })?;
        rolled.lower_or_locate_faults(lowering, why, drops)
    }

    /// Returns notes on decisions that know a choice of another side.
    fn notes_of_informed_decisions(&self, lowering: &Lowering) -> Vec<String> {
        let informed =
            lowering.emitter.program.find_informed_decisions(&lowering.scopes.choices).into_iter();
        let note = |known: DecisionKnowingEarlierChoice<'_>| {
            let [first, second] = [known.first, known.second].map(|at| self.line_number(&at.span));
            format!(
                "the choice at line {second} knows {} of line {first}",
                known.quoted_variables()
            )
        };
        informed.map(note).collect()
    }

    /// Describes why a program cannot be played: a die at which too much state is saved.
    pub fn fault_if_state_too_large(&self, program: &Program) -> Option<FaultWithByteSpan> {
        let worst = program.sites.iter().max_by_key(|site| site.memory.room)?;
        let room = worst.memory.room;
        if room <= MAX_STATE_NUMBERS {
            return None;
        }
        let problem = format!(
            "the rule remembers {room} numbers at this die; at most {MAX_STATE_NUMBERS} are possible"
        );
        let help = "keep fewer dice, or use smaller bags or shorter lists";
        let (fault, span) = (Fault::new("", problem).with_help(help), worst.span.clone());
        Some(FaultWithByteSpan { fault, span })
    }

    /// Converts a fault of the rule to a text that begins with line and file.
    pub fn add_line_number_and_file(
        &self,
        FaultWithByteSpan { fault, span }: FaultWithByteSpan,
    ) -> Fault {
        match file_and_line_of_span(&self.game.sources, &span) {
            None => fault,
            Some((source, line)) => {
                let problem = format!("line {line} of {}: {}", source.name, fault.problem);
                Fault { problem, ..fault }
            }
        }
    }

    /// Returns the top-level conditions all of whose fields the action has, and its own.
    pub(crate) fn applicable_checks(&self) -> Vec<&CheckOrRemarkDecl> {
        let game = &*self.game;
        let top = game.action_facts[self.action].checks.iter().map(|at| &game.checks[*at]);
        let parts = game.columns[self.action].parts.iter();
        let parts = parts.flat_map(|part| &game.parts[*part].1.checks);
        let own = &game.actions[self.action].checks;
        top.chain(own).chain(parts).collect()
    }

    /// Returns the line of a place, from 1.
    pub fn line_number(&self, span: &Span) -> usize {
        file_and_line_of_span(&self.game.sources, span).map_or(1, |(_, line)| line)
    }

    /// Returns a place with its file.
    pub fn text_and_span_in_file(&self, span: &Span) -> Option<RulebookTextSpan> {
        let source = self.game.sources.get(source_index_of_span(&self.game.sources, span))?;
        Some(RulebookTextSpan {
            name: source.name.clone(),
            text: Arc::clone(&source.text),
            span: span_in_file(source, span),
        })
    }
}

/// Reports goals that this contest does not show.
fn check_goals_shown(lowering: &mut Lowering) {
    let is_shown = |choice: &DecisionPoint| {
        let goal = &choice.goal.text;
        let mut shown = lowering.scopes.reports.iter().filter(|shown| !shown.keep);
        let mut measures = lowering.scopes.measures.iter();
        shown.any(|shown| shown.name.text == *goal)
            || measures.any(|one| one.name.text == *goal && one.can_be_decision_goal())
    };
    let missing = lowering.scopes.choices.iter().find(|choice| !is_shown(choice));
    if let Some(DecisionPoint { goal, .. }) = missing {
        let problem = format!("the goal `{}` of a choice is not shown in this contest", goal.text);
        let help = format!("write `show {}` without `when`", goal.text);
        lowering.emitter.faults.add_fault_at_span(goal.span.clone(), problem, help);
    }
}

/// Returns the head of a shown value, without its harm.
fn shown_field_head(shown: &LoweredShow) -> OutcomeFieldHead {
    let annotations = &shown.annotations;
    OutcomeFieldHead {
        name: shown.name.text.clone().into(),
        about: annotations.most_detailed_text(&shown.name.text).into(),
        label: annotations.label.clone().into(),
        unit: annotations.unit.clone().into(),
        rule: annotations.rule.clone().into(),
        harm: None,
        tries: false,
        counts: annotations.unit.is_empty() && shown.is_number_not_word(),
        otherwise: Text::EMPTY,
        adds: annotations.adds,
    }
}

/// Returns the columns of an outcome: one for a number, and for a word one for each of its list
/// after the first. If two shows have the same list, the name of the show is added to each word.
fn outcome_columns_of_shows(
    game: &ResolvedRulebook,
    reported: &[LoweredShow],
) -> Vec<(OutcomeFieldHead, OutcomeRegisterOrConstant, Option<i32>)> {
    let mut columns = Vec::new();
    // Columns without a stated severity rank below all stated ones, the gravest first in the order
    // of the shows.
    let stated = reported.iter().filter(|shown| !shown.keep);
    let stated =
        stated.filter_map(|shown| shown.annotations.degree.as_deref().map(|(own, _)| *own));
    let (mut degree, step) = stated.min().map_or((100, 3), |least| (least - 1, 1));
    for shown in reported.iter().filter(|shown| !shown.keep) {
        let annotations = shown.annotations;
        let about = annotations.most_detailed_text(&shown.name.text);
        let mut head = shown_field_head(shown);
        let mut harm = |word: Text| {
            let said_so = annotations.degree.as_deref().cloned();
            let (own, word) =
                said_so.map_or((degree.max(1), word), |(own, word)| (own, word.into()));
            let harm = (annotations.harm != 0)
                .then(|| HarmDegree { degree: own * i16::from(annotations.harm), word });
            degree -= step;
            harm
        };
        let ScalarType::Word(list) = shown.kind else {
            head.harm = harm(head.display_name());
            columns.push((head, shown.source_in_outcome(), None));
            continue;
        };
        let words = &game.words[usize::from(list)].words;
        let alike = reported.iter().filter(|other| other.kind == shown.kind && !other.keep);
        let alone = alike.count() == 1;
        let called = |place: usize| -> Text {
            let word = game.value_for_people(shown.kind, place as i64);
            if alone { word.into() } else { format!("{}: {word}", head.display_name()).into() }
        };
        let own = (1..words.len()).rev().map(|place| {
            let word = game.value_for_people(shown.kind, place as i64);
            let label = called(place);
            let head = OutcomeFieldHead {
                name: format!("{}_{}", shown.name.text, words[place].0).into(),
                about: format!("{about}: {word}").into(),
                label: label.clone(),
                harm: harm(label),
                otherwise: if place == 1 { called(0) } else { Text::EMPTY },
                ..head.clone()
            };
            (head, shown.source_in_outcome(), Some(place as i32))
        });
        let own: Vec<_> = own.collect();
        columns.extend(own.into_iter().rev());
    }
    columns
}

fn heads_of_measures(lowering: &Lowering) -> Arc<[Arc<MeasureHead>]> {
    let heads = lowering.scopes.measures.iter().map(|measured| {
        let annotations = &measured.annotations;
        Arc::new(MeasureHead {
            name: measured.name.text.clone().into(),
            about: annotations
                .most_detailed_text(&measure_name_in_words(&measured.name.text))
                .into(),
            label: annotations.label.clone().into(),
            unit: annotations.unit.clone().into(),
            rule: annotations.rule.clone().into(),
            kind: measured.kind,
            condition: measured.condition.clone().into(),
            scale: measured.scale,
            role: match annotations.finishing {
                true => MeasureRoleBesideReports::Finishing,
                false => MeasureRoleBesideReports::Plain,
            },
            headline: annotations.headline,
            adds: annotations.adds,
            tally: tally_name_of_measure_kind(measured.kind, &lowering.scopes.tallies),
        })
    });
    heads.collect()
}

/// Returns the name of the tally that a measure reads; empty if it reads none.
fn tally_name_of_measure_kind(kind: MeasureKind, tallies: &[String]) -> Text {
    let counter = kind.measured_counter().map(usize::from);
    let name = counter.and_then(|counter| tallies.get(counter));
    name.map_or(Text::EMPTY, |name| name.clone().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vm::code::{BinOp, TestOperand};

    /// Returns the face tests of the first die of a rule with these `lines` after the roll.
    fn first(lines: &str) -> Option<Vec<(BinOp, TestOperand)>> {
        let text = format!(
            "game \"G\"\nfield skill: 1..20\naction a \"a\":\n    hits = 0\n    best = 0\n    for shot in 1..30:\n        \
             need = skill - hits at least 1\n        roll = d20\n{lines}    show hits = hits \"hits\"\n    show \
             best = best \"best\"\n"
        );
        let none = |_: &str| Err("no files".to_owned());
        let book =
            crate::read_without_built_in_base("g", "g.rules", &text, &none).expect("in order");
        let fields = &book.system.actions[0].fields;
        let form = Form::from_table_with_defaults(fields, &"skill = 11".parse().expect("TOML"))
            .expect("a contest");
        let game = Arc::clone(&book.game);
        let asked = ContestToCompile { game, action: 0, form, flags: OptimizationFlags::default() };
        let program = asked.compile(LowerMode::Play, true).expect("a program").program;
        let asks = program.sites[0].face_tests.as_ref()?;
        Some(asks.iter().map(|ask| (ask.two, ask.than)).collect())
    }

    #[test]
    fn a_face_that_is_only_compared_is_asked_so_much() {
        let hit = "        if roll != 20 and (roll <= need or roll == 1): hits += 1\n";
        let asks = first(hit).expect("only compared");
        let known =
            asks.iter().filter(|(_, than)| matches!(than, TestOperand::Constant(1 | 20))).count();
        let held = asks.iter().filter(|(_, than)| matches!(than, TestOperand::Register(_))).count();
        assert_eq!((known, held, asks.len()), (2, 1, 3), "{asks:?}");
        // A target number computed after the roll differs between the paths that lead to the test.
        let late = "        need = need + hits\n        if roll <= need: hits += 1\n";
        assert_eq!(first(late), None);
        // A face that is stored is used by more than a test.
        assert_eq!(first("        if roll <= need: best = roll\n"), None);
    }
}
