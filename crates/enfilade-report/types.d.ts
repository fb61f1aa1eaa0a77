// Types of documents and of the data of report pages, generated from the structs that are written.

export type ActionForm = { name: string, label: string, about: string, question: string, fields: number, leaves: Array<string>, questions: Array<SampleQuestionAndFileText>, };

export type ActionTile = { name: string, label: string, about: string, question: string, questions: Array<SampleQuestionAndFileText>, };

export type AllowedNumberOrWord = number | string;

export type AnswerInWords = { question: string, sentence: string, stack: Array<StackedBarStretch>, measures: Array<MeasureView>, law: OutcomeDistributionForDisplay, least: Array<AtLeastView>, trials: string | null, unsettled: string | null, notes: Array<string>, };

export type AnswersDocument = { enfilade: string, seed: number | null, contests: Array<CellJson>, };

export type ArsenalForm = { fields: number, file: string, };

export type AtLeastView = { label: string, unit: string, 
/**
 * k, the share, and the share as text.
 */
steps: Array<[number, number, string]>, };

export type BattleModelLimitJson = { what: string, how: string, };

export type BeatingUnitJson = { name: string, points: number, };

export type BlockJson = { "title": string } | { "heading": string } | { "sentence": Array<[boolean, string]> } | { "list": Array<Array<[boolean, string]>> } | { "table": [string, TableJson] } | { "boxed": [string, Array<Array<[boolean, string]>>] } | { "command": string } | { "choices": [string, Array<[string, TableJson]>] };

export type CellJson = { cell: number, name: string, system: string, action: string, params: Record<string, unknown>, axes: Record<string, unknown>, engine: string, unsettled: number | null, trials: number, unsettled_trials: number, states: number | null, agrees: boolean | null, measures: Array<MeasureJson>, 
/**
 * By show: each value with its probability, whatever else happens.
 */
laws: Record<string, [number, number][]>, outcomes: Array<OutcomeJson>, notes: Array<string>, 
/**
 * Probability of endless play; only a contest with a loop has it.
 */
never?: number | null, 
/**
 * Largest error of a probability; only a contest with a loop has it.
 */
bound?: number | null, 
/**
 * The check that the contest breaks. Most contests break none, and then the key is absent.
 */
breaks?: string | null, };

export type DistributionJson = { expression: string, mean: number, standard_deviation: number, values: Array<DistributionLine>, remarks: Array<string>, };

export type DistributionLine = { value: DistributionValue, fraction: string, exact: number, at_least: number, };

export type DistributionValue = number | boolean | string;

export type DistributionsDocument = { enfilade: string, laws: Array<DistributionJson>, };

export type EvennessJson = { from_even: number, middle: Middle80PercentWinsJson, within_45_55: number, worst: MostUnevenPairJson, pairs: number, };

export type ExtremeOpponentPricesJson = { low: number, high: number, beside: [string, string], };

export type FieldMarginalByCell = { 
/**
 * Its label for players.
 */
label: string, 
/**
 * Its values, the last one `12 or more` if there are many.
 */
values: Array<string>, 
/**
 * Whether larger values are worse for someone.
 */
hurts: boolean, 
/**
 * A column per value, a token per cell.
 */
odds: Array<string>, };

export type FieldValuesDescription = { kind: string, 
/**
 * The list of names that it accepts.
 */
names?: number | null, bound?: NumberRange | null, step?: number | null, choices?: Array<AllowedNumberOrWord>, 
/**
 * The smallest and the largest number of entries.
 */
many?: [number, number] | null, 
/**
 * The values that its entries accept.
 */
of?: FieldValuesDescription | null, 
/**
 * The group of its fields.
 */
fields?: number | null, };

export type FormFieldDescription = { name: string, label: string, about?: string, source?: string, unit?: string, group?: string, assumed?: boolean | null, rare?: boolean | null, required?: boolean | null, preset?: unknown, reckoned?: string | null, 
/**
 * The values of a choice in a player's words.
 */
values?: Array<string>, 
/**
 * Of rows, the fields that are side by side.
 */
columns?: Array<string>, kind: string, 
/**
 * The list of names that it accepts.
 */
names?: number | null, bound?: NumberRange | null, step?: number | null, choices?: Array<AllowedNumberOrWord>, 
/**
 * The smallest and the largest number of entries.
 */
many?: [number, number] | null, 
/**
 * The values that its entries accept.
 */
of?: FieldValuesDescription | null, 
/**
 * The group of its fields.
 */
fields?: number | null, };

export type FormsDocument = { enfilade: string, systems: Array<SystemForm>, 
/**
 * The group of fields of an action that follows another.
 */
then: number, groups: Array<Array<FormFieldDescription>>, names: Array<NamesWithPrintedData>, };

export type ListBattlesJson = { points: number, battles: number, units: Array<string>, left_out: Array<string>, stood_for: Array<string>, at: Array<ListResultsAtPricesJson>, bound: EvennessJson | null, 
/**
 * By unit: the price that is fitted to the play.
 */
fitted?: Record<string, number>, };

export type ListResultsAtPricesJson = { prices: string, 
/**
 * By unit: the share of wins of a list of only this unit.
 */
pure: Record<string, number | null>, from_even: number, middle: Middle80PercentWinsJson, within_45_55: number, worst: MostUnevenPairJson, pairs: number, };

export type MeasureJson = { name: string, exact: number | null, 
/**
 * Largest error of the exact value; only with the option for bounds.
 */
error?: number | null, fraction?: string | null, simulated: number | null, low: number | null, high: number | null, };

export type MeasureView = { name: string, label: string, about: string, rule: string, 
/**
 * Whether the value is a share of 1.
 */
share: boolean, value: number | null, 
/**
 * The value as it is read first: whole percents, one decimal of a mean.
 */
shown: string, 
/**
 * The value in full.
 */
full: string, exact: string | null, simulated: string | null, 
/**
 * `harm` or `gain` if it is the probability of one; empty otherwise.
 */
side: string, };

export type Middle80PercentWinsJson = { low: number, high: number, };

export type MostUnevenPairJson = { lists: [string, string], won: number, };

export type NamesWithPrintedData = { names: Array<string>, 
/**
 * Their numbers, where any goes with them.
 */
numbers?: Array<number>, 
/**
 * By field: what is printed in the column of that name.
 */
columns?: Record<string, string[]>, };

export type NumberRange = [number, number] | [number, number];

export type OutcomeDistributionForDisplay = { 
/**
 * The outcomes, in the order that `order` names.
 */
outcomes: Array<OutcomeInWordsWithShare>, 
/**
 * The order in words: `the worst first`.
 */
order: string, 
/**
 * The number of outcomes left out, and their total share.
 */
rarer: [number, string] | null, };

export type OutcomeInWordsWithShare = { values: Array<number>, label: string, share: number, 
/**
 * The share in whole percents.
 */
shown: string, 
/**
 * The share in full.
 */
full: string, inks: [string, string, string, string], };

export type OutcomeJson = { outcome: Record<string, number>, exact: number | null, 
/**
 * Largest error of the exact value; only with the option for bounds.
 */
error?: number | null, fraction?: string | null, count: number | null, simulated: number | null, low: number | null, high: number | null, };

export type PageAxis = { name: string, label: string, 
/**
 * Whether the values are words, which appear after a colon.
 */
words: boolean, values: Array<string>, toml: Array<string>, 
/**
 * The values as numbers, if all are numbers.
 */
numbers?: Array<number> | null, };

export type PageContest = { title: string, axes: Array<PageAxis>, 
/**
 * The place of each cell on the grid, in which the last axis varies fastest; left out if every
 * place equals the index in the list.
 */
at?: Array<number> | null, 
/**
 * The number of the first cell in its experiment.
 */
first: number, 
/**
 * The numbers of all cells, unless they follow the first one by one.
 */
numbers?: Array<number> | null, cells: number, trials: string, measures: Array<PageMeasure>, 
/**
 * The index of the most informative measure.
 */
headline: number, 
/**
 * Every outcome in words, the worst first.
 */
outcomes: Array<string>, 
/**
 * The colours of outcomes in every picture, in light and dark mode; none if nothing is harm.
 */
inks?: Array<[string, string]>, 
/**
 * The index of the colour of each outcome.
 */
inked?: Array<number>, 
/**
 * The marginal distribution of each field of the outcome, if there are several.
 */
alone?: Array<FieldMarginalByCell>, 
/**
 * One distribution per cell: tokens, each preceded by its outcome unless it is the next one.
 */
laws: Array<string>, 
/**
 * The part of each distribution that is not shown: the number of outcomes and their
 * probability, `12 0.31`; empty if every cell is shown completely.
 */
rarer: string, 
/**
 * The unfinished share of each cell: exact and trials, `0.31 12`; empty if all cells finish.
 */
unsettled: string, 
/**
 * The percentage of each cell that never finishes; empty if all cells finish.
 */
never: string, 
/**
 * Cells in which exact and simulated disagree.
 */
disagree: Array<number>, notes: Array<string>, 
/**
 * The notes of each cell, unless every cell has them all.
 */
noted?: Array<Array<number>> | null, toml: Array<TemplateTextOrAxis>, };

export type PageData = { 
/**
 * Name, label, unit and meaning of measures, each once.
 */
heads: Array<[string, string, string, string]>, contests: Array<PageContest>, };

export type PageMeasure = { head: number, odds: string, };

export type PriceScaleJson = { k: number, low: number, high: number, scatter: number | null, slope: number | null, slope_low: number | null, slope_high: number | null, in_doubt: boolean, settled: ScaleSourceJson, not_heard: Array<string>, };

export type PricesDocument = { enfilade: string, schema: number, arsenal: string, seed: number, tolerance: number, steps: string, scale: PriceScaleJson | null, weapons: Array<WeaponPriceJson>, scenarios: Array<ScenarioWeightJson>, remarks: Array<string>, method: Array<string>, not_seen: Array<BattleModelLimitJson>, lists?: ListBattlesJson | null, 
/**
 * Only if all units met all.
 */
units?: UnitAdvantagesJson | null, };

export type RangeNarrowingLineJson = { write: string, low: number, high: number, };

export type RoundedEvenPriceJson = { even: number, low: number, high: number, };

export type SampleQuestionAndFileText = { question: string, 
/**
 * The text of the file.
 */
file: string, };

export type ScaleSourceJson = "prices" | "k" | { "unit": string };

export type ScenarioWeightJson = { name: string, opponent: string, weight: number, points_in_play: number | null, share: number, };

export type StackedBarStretch = { label: string, about: string, share: number, shown: string, inks: [string, string, string, string], 
/**
 * `harm`, `gain`, or empty if it is neither.
 */
side: string, };

export type SystemForm = { id: string, title: string, source: string, dice: string, 
/**
 * Its file, if it was read from one.
 */
file: string | null, 
/**
 * The file of its text.
 */
text: string | null, actions: Array<ActionForm>, arsenal: ArsenalForm | null, };

export type SystemTiles = { id: string, title: string, actions: Array<ActionTile>, 
/**
 * An arsenal to start from, where its weapons have prices.
 */
arsenal: string | null, };

export type TableJson = { heads: Array<string>, rows: Array<Array<[boolean, string]>>, fixed: number, };

export type TemplateTextOrAxis = string | number;

export type TilesDocument = { enfilade: string, systems: Array<SystemTiles>, };

export type UnitAdvantagesJson = { edge: number, company: number, mendable: number | null, circle: [string, string, string] | null, units: Array<UnitAgainstOthersJson>, };

export type UnitAgainstOthersJson = { name: string, price: number, counter: BeatingUnitJson, outbought: number | null, missed: number, no_one_price: boolean, best_mix: number | null, };

export type WeaponPriceJson = { name: string, price: number | null, verdict: string | null, not_priced: string | null, worth: { best: number, low: number, high: number }, floor: number | null, 
/**
 * Worth of the eighth copy as a share of that of the first.
 */
eighth: number | null, best: string, worst: string, bounded_share: number, trials: number | null, why: string, notes: Array<string>, even: number | null, low: number | null, high: number | null, low90: number | null, high90: number | null, shown: RoundedEvenPriceJson | null, 
/**
 * The currency: points of the list, or of the opponents.
 */
points: string | null, beside: { unit: string | null, best: number, low: number, high: number } | null, no_one_price: ExtremeOpponentPricesJson | null, lever: RangeNarrowingLineJson | null, cause: string | null, assumptions: Record<string, [number, number]> | null, };
