// What the studio answers, made from the structs that are written.

import type {
  AnswersDocument, AnswerInWords, BlockJson, DistributionsDocument, FormsDocument, PricesDocument,
  SampleQuestionAndFileText, TilesDocument,
} from "../../../crates/enfilade-report/types";
export * from "../../../crates/enfilade-report/types";

export type AllActionFormsReply = FormsDocument & { folder: string, sheets: Array<string>, };

export type AxisView = { path: string, label: string, unit: string | null, words: Array<string>, values: unknown[], };

export type BundledTextInfo = { name: string, of: string, about: string, };

export type BundledTextListReply = { texts: Array<BundledTextInfo>, };

export type BundledTextWithCompanions = { name: string, text: string, beside: Array<CompanionFile>, };

export type CompanionFile = { 
/**
 * The file's name.
 */
name: string, 
/**
 * Its text.
 */
text: string, };

export type CompletionView = { text: string, role: string, detail: string, };

export type CompletionsReply = { 
/**
 * The number of characters before the cursor that they replace.
 */
back: number, names: Array<CompletionView>, };

export type ContestNameAndAction = { system: string | null, action: string | null, name: string | null, };

export type CurrentTextAndHash = { text: string, hash: string, };

export type DiceReply = Partial<DistributionsDocument> & { said?: Array<string> | null, faults?: Array<FaultView> | null, };

export type DraftCheckReply = { faults?: Array<FaultView> | null, warnings?: Array<FaultView> | null, questions?: SampleQuestionAndFileText[], 
/**
 * Null if there is no question.
 */
odds?: LiveReply | null | null, tables: Array<SourceTableView>, };

export type ExplainedRollStep = { dice: Array<[number, number]>, text: string, rule: string, decided: Array<string>, };

export type FaultOrRemark = "fault" | "remark";

export type FaultView = { severity: FaultOrRemark, file?: string | null, path: string, line?: number | null, column?: number | null, 
/**
 * Characters on its line that are at fault.
 */
width?: number | null, problem: string, help: string | null, 
/**
 * Change of the text that ends it; absent if none is known.
 */
mend?: MendView | null, };

export type FileNameAndQuestion = { name: string, bytes: number, 
/**
 * The question of the file, or the title of its game; empty if it has neither.
 */
question: string, };

export type FileReply = { name: string, text?: string | null, hash: string, };

export type FolderReply = { folder: string, files: Array<FileNameAndQuestion>, };

export type GridNumbersView = { axes: Array<AxisView>, measures: Array<MeasureColumn>, headline: string | null, remarks: Array<string>, 
/**
 * The cells that a search keeps, in a sentence; null without a search, absent if unknown.
 */
sought?: string | null | null, };

export type InterimWorthView = [string, string];

export type JobEvent = { 
/**
 * Trials so far, in words.
 */
trials?: string | null, 
/**
 * The share that is done.
 */
part?: number | null, 
/**
 * Solved cells, and all cells; null if trials are the better measure.
 */
squares?: [number, number] | null | null, 
/**
 * Finished pieces, and all pieces; null if trials are the better measure.
 */
fought?: [number, number] | null | null, faults?: Array<FaultView> | null, worked?: SolvedCellAndGridView | null, 
/**
 * Whether exact and simulated agree, in words; null if there is nothing to compare.
 */
said?: string | null | null, 
/**
 * The answer of the current cell; null if there is none.
 */
told?: AnswerInWords | null, odds?: AnswersDocument, 
/**
 * Prices as a terminal shows them.
 */
prices?: string | null, blocks?: BlockJson[], document?: PricesDocument, 
/**
 * Trials so far.
 */
made?: number | null, early: Array<InterimWorthView>, 
/**
 * Whether the job is over.
 */
done?: boolean | null, stopped?: boolean | null, };

export type JobIdReply = { id: number, };

export type LiveReply = { text: string, contests?: Array<ContestNameAndAction> | null, 
/**
 * The values of the chosen contest, or of the arsenal; null if there is none.
 */
form?: Record<string, unknown> | null, 
/**
 * The rulebook of an arsenal.
 */
arsenal?: string | null | null, 
/**
 * The current or printed price of every weapon of an arsenal.
 */
printed?: Array<number | null> | null, cells?: number | null, 
/**
 * Whether the cells are too many to be answered while the user types.
 */
vast?: boolean | null, 
/**
 * Whether the cells are too many to be answered in one reply.
 */
beyond?: boolean | null, odds?: AnswersDocument, told?: AnswerInWords, grid?: GridNumbersView | null, 
/**
 * Whether the time limit cut the answer short.
 */
slow?: boolean | null, faults?: Array<FaultView> | null, 
/**
 * Numbers of fields that the form leaves out, by their paths: printed with what it names, or
 * derived.
 */
printed_numbers?: Record<string, number>, 
/**
 * Number of decisions that players take; absent if there are none.
 */
decisions?: number | null, milliseconds: number, };

export type MeasureColumn = { name: string, label: string, share: boolean, values: Array<number | null>, };

export type MendView = { line: number, column: number, 
/**
 * Characters that are replaced.
 */
width: number, text: string, };

export type NumberStepEffectView = { name: string, down: number | null, up: number | null, };

export type RefusalReply = { 
/**
 * The sentence.
 */
error: string, 
/**
 * The faults; `None` if the refusal is not about a text.
 */
faults?: Array<FaultView> | null, };

export type RollExplanation = { steps?: Array<ExplainedRollStep> | null, 
/**
 * Null if the contest is not over yet.
 */
outcome?: string | null | null, found?: boolean | null, faults?: Array<FaultView> | null, };

export type SaveConflictReply = { error: string, there: CurrentTextAndHash | null, };

export type SavedHashReply = { id: string, hash?: string | null, };

export type SavedOrDamagedEntry = SavedTextHead | { 
/**
 * Its name.
 */
id: string, 
/**
 * The fault.
 */
fault: string, };

export type SavedTextHead = { id: string, hash: string, name: string, note: string, of: string, kept: string, };

export type SavedTextReply = { id: string, hash: string, 
/**
 * Its name.
 */
name?: string, 
/**
 * A note of its author.
 */
note?: string, 
/**
 * The name of its file; empty if it has none yet.
 */
of?: string, 
/**
 * Hash of the text of that file that was changed.
 */
seen?: string | null, 
/**
 * The time at which it was saved.
 */
kept?: string, 
/**
 * The current contest, from 0.
 */
contest: number, 
/**
 * The current cell of its grid.
 */
cell: number, 
/**
 * The text.
 */
text: string, 
/**
 * Files that belong to it.
 */
beside?: Array<CompanionFile>, };

export type SavedTextsReply = { papers: Array<SavedOrDamagedEntry>, };

export type SolvedCellAndGridView = { text: string, told: AnswerInWords | null, grid: GridNumbersView | null, 
/**
 * Whether the work was stopped before the end.
 */
slow: boolean, 
/**
 * The number of cells that are answered, and of all.
 */
squares: [number, number], };

export type SourceTableView = { name: string, heads: Array<string>, 
/**
 * Each cell with its start and end, in bytes.
 */
rows: Array<Array<[string, number, number]>>, };

export type StrategyReply = { 
/**
 * For each decision its heading, its rules, and its situations.
 */
blocks: BlockJson[], faults?: Array<FaultView> | null, };

export type TilesReply = TilesDocument & { folder: string, sheets: Array<string>, };

export type TriedNumbersView = { label: string, shown: string, fits: boolean, 
/**
 * Whether a number of the rulebook is among them.
 */
rules: boolean, 
/**
 * By number: the keys of its path in the form, and its value.
 */
set: [string[], unknown][], 
/**
 * By number: its name, its value now and the tried one.
 */
numbers: [string, unknown, unknown][], };

export type VarianceShareView = { name: string, 
/**
 * Without the other axes.
 */
alone: number, 
/**
 * Together with the other axes.
 */
all: number, };

export type WantedReply = { 
/**
 * Single numbers first, then pairs.
 */
tries: Array<TriedNumbersView>, 
/**
 * Steps down and up, the largest effect first.
 */
steps: Array<NumberStepEffectView>, 
/**
 * Shares of the axes in the variance of the measure over the grid, where the question has one.
 */
shares: Array<VarianceShareView>, 
/**
 * Whether the time limit cut the search short.
 */
cut: boolean, faults?: Array<FaultView> | null, };
