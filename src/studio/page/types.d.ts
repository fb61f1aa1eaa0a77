// What the studio answers, made from the structs that are written.

import type {
  AnswersDocument, AnswerView, BlockJson, DistributionsDocument, FormsDocument, PricesDocument, ReadyQuestion,
  TilesDocument,
} from "../../../crates/enfilade-report/types";
export * from "../../../crates/enfilade-report/types";

export type AxisView = { path: string, label: string, unit: string | null, words: Array<string>, values: unknown[], };

export type Beside = { 
/**
 * The file's name.
 */
name: string, 
/**
 * What is in it.
 */
text: string, };

export type BundledRulebook = { name: string, of: string, about: string, };

export type Conflict = { error: string, there: FoundView | null, };

export type ContestHead = { system: string | null, action: string | null, name: string | null, };

export type DiceReply = Partial<DistributionsDocument> & { said?: Array<string> | null, faults?: Array<FaultView> | null, };

export type DraftReply = { faults?: Array<FaultView> | null, warnings?: Array<FaultView> | null, questions?: ReadyQuestion[], 
/**
 * Null where it has no question.
 */
odds?: LiveReply | null | null, tables: Array<PrintedTableView>, };

export type FaultView = { severity: Severity, file?: string | null, path: string, line?: number | null, column?: number | null, problem: string, help: string | null, };

export type FileReply = { name: string, text?: string | null, hash: string, };

export type FolderFile = { name: string, bytes: number, };

export type FolderReply = { folder: string, files: Array<FolderFile>, };

export type FormsReply = FormsDocument & { folder: string, sheets: Array<string>, };

export type FoundView = { text: string, hash: string, };

export type GridView = { axes: Array<AxisView>, measures: Array<MeasureColumn>, headline: string | null, remarks: Array<string>, 
/**
 * The cells that a search keeps, in a sentence; null without a search, left out where nobody looked.
 */
sought?: string | null | null, };

export type InterimPriceView = [string, string];

export type JobEvent = { 
/**
 * Trials that were made, in words.
 */
trials?: string | null, 
/**
 * The share of it that is done.
 */
part?: number | null, 
/**
 * Squares that are worked out, and all of them; null where trials say more.
 */
squares?: [number, number] | null | null, 
/**
 * Pieces that are done, and all of them; null where trials say more.
 */
fought?: [number, number] | null | null, faults?: Array<FaultView> | null, worked?: WorkedView | null, 
/**
 * Whether exact and simulated agree, in words; null where there is nothing to compare.
 */
said?: string | null | null, 
/**
 * The answer that is looked at; null where there is none.
 */
told?: AnswerView | null, odds?: AnswersDocument, 
/**
 * Prices as a terminal shows them.
 */
prices?: string | null, blocks?: BlockJson[], document?: PricesDocument, 
/**
 * Trials that were made.
 */
made?: number | null, early: Array<InterimPriceView>, 
/**
 * Whether it is over.
 */
done?: boolean | null, stopped?: boolean | null, };

export type JobReply = { id: number, };

export type KeptReply = { id: string, hash?: string | null, };

export type LiveReply = { text: string, contests?: Array<ContestHead> | null, 
/**
 * The values of the chosen contest, or of the arsenal; null where there is none.
 */
form?: Record<string, unknown> | null, 
/**
 * The rulebook of an arsenal.
 */
arsenal?: string | null | null, 
/**
 * The price of every weapon of an arsenal, as it is or as it is printed.
 */
printed?: Array<number | null> | null, cells?: number | null, 
/**
 * Whether they are too many to be answered while one types.
 */
vast?: boolean | null, 
/**
 * Whether they are too many to be answered at once at all.
 */
beyond?: boolean | null, odds?: AnswersDocument, told?: AnswerView, grid?: GridView | null, 
/**
 * Whether there was no time for all of it.
 */
slow?: boolean | null, faults?: Array<FaultView> | null, milliseconds: number, };

export type MeasureColumn = { name: string, label: string, share: boolean, values: Array<number | null>, };

export type PaperEntry = PaperHead | { id: string, fault: string, };

export type PaperHead = { id: string, hash: string, name: string, note: string, of: string, kept: string, };

export type PaperReply = { id: string, hash: string, 
/**
 * What its maker calls it.
 */
name?: string, 
/**
 * What they say of it.
 */
note?: string, 
/**
 * The file that it is a text of; empty where there is none yet.
 */
of?: string, 
/**
 * The text of that file that was changed, by its hash.
 */
seen?: string | null, 
/**
 * When it was kept.
 */
kept?: string, 
/**
 * Which contest is looked at, from 0.
 */
contest: number, 
/**
 * Which cell of its grid.
 */
cell: number, 
/**
 * The text.
 */
text: string, 
/**
 * Files that it brings.
 */
beside?: Array<Beside>, };

export type PapersReply = { papers: Array<PaperEntry>, };

export type PrintedTableView = { name: string, heads: Array<string>, 
/**
 * Each cell with where it begins and ends, in bytes.
 */
rows: Array<Array<[string, number, number]>>, };

export type Refusal = { error: string, faults?: Array<FaultView> | null, };

export type RollExplanation = { steps?: Array<RollStep> | null, 
/**
 * Null where it is not over yet.
 */
outcome?: string | null | null, found?: boolean | null, faults?: Array<FaultView> | null, };

export type RollStep = { dice: Array<[number, number]>, text: string, rule: string, decided: Array<string>, };

export type Severity = "fault" | "remark";

export type TextReply = { name: string, text: string, beside: Array<Beside>, };

export type TextsReply = { texts: Array<BundledRulebook>, };

export type TilesReply = TilesDocument & { folder: string, sheets: Array<string>, };

export type WorkedView = { text: string, told: AnswerView | null, grid: GridView | null, 
/**
 * Whether it was stopped before all of it was there.
 */
slow: boolean, 
/**
 * The number of squares that are answered, and of all.
 */
squares: [number, number], };
