import type { OnAnswerEvent } from '../../src/domain/answer.ts'
import type { AnswerReuse } from '../../src/domain/answer-cache.ts'
import type { DraftPath, FindEvidence, FixSql, GroupCandidates } from '../../src/domain/candidate.ts'
import type { Catalog } from '../../src/domain/catalog.ts'
import type { FindClarification } from '../../src/domain/clarification.ts'
import type { AskForRewrite, InterpretFollowUp, LoadTranscript } from '../../src/domain/conversation.ts'
import type { Database } from '../../src/domain/database.ts'
import type { FindUnknownTerms, RateFit } from '../../src/domain/interpretation.ts'
import type { InSpan } from '../../src/domain/operations/telemetry.ts'
import type {
  AskForKeywords,
  LinkSchema,
  RunStore,
  UnderstandQuestion,
  WidenSchema,
} from '../../src/domain/question-context.ts'
import type {
  CountVotes,
  DecideDrafting,
  LoadChampion,
  MeasureGroups,
  RateTally,
  SaveSnapshot,
} from '../../src/domain/ranking.ts'
import type {
  ColumnsKey,
  LoadResult,
  LoadResultHeads,
  ResultKey,
  SaveResult,
} from '../../src/domain/result.ts'
import type { PairwiseJudges } from './comparison/compare-pair.ts'
import type { Thresholds } from './decide.ts'
import type { DraftingMode } from './rounds/plan-round.ts'
import type { VerifiedEvidence } from './verified/verified-similarity.ts'

/** All that the answer graph needs of the world, as picks of core's ports. */
export interface AnswerDeps {
  /** An open database by its name; opening it may take a while the first time. */
  readonly database: (name: string, options: { signal?: AbortSignal }) => Promise<Database>
  readonly understand: UnderstandQuestion
  /** What was said in a question's thread before it; left out where questions have no threads. */
  readonly loadTranscript?: LoadTranscript
  readonly readFollowUp?: InterpretFollowUp
  /** Rewrites follow-ups that the rules cannot read; left out where no model is to be called. */
  readonly askForRewrite?: AskForRewrite
  /** Finds what a question names and a database has not; nothing is ever missing without it. */
  readonly findUnknownThings?: FindUnknownTerms
  /** How likely a text asks of what a database holds; every text does without it. */
  readonly rateFit?: RateFit
  /** Questions that can be answered, those about the `near` tables first; none are offered without it. */
  readonly exampleQuestions?: (catalog: Catalog, near?: readonly string[]) => readonly string[]
  /** Who knows more about a database; null where nobody is named. */
  readonly whoToAsk?: (database: string) => string | null
  /** Finds more keywords than the rules do; left out where no model is to be called. */
  readonly askForKeywords?: AskForKeywords
  readonly linkSchema: LinkSchema
  /** Opens a linked schema again for names that a draft used and that were dropped. */
  readonly widenSchema: WidenSchema
  readonly paths: readonly DraftPath[]
  /** Fixers in the order in which a round tries them: rules first, they cost nothing. */
  readonly fixers: readonly FixSql[]
  readonly resultKey: ResultKey
  readonly columnsKey: ColumnsKey
  readonly findEvidence: FindEvidence
  /** Groups what free paths say, by their priors. */
  readonly groupCandidates: GroupCandidates
  readonly countVotes: CountVotes
  readonly rateStanding: RateTally
  readonly judgeStanding: DecideDrafting
  /** Chooses among results that models drafted; null leaves that to the vote. */
  readonly selector: {
    readonly measure: MeasureGroups
    readonly champion: LoadChampion
    readonly saveSnapshot: SaveSnapshot
    /** Left out where nothing can be verified. */
    readonly verified?: VerifiedEvidence
  } | null
  readonly drafting: { readonly mode: DraftingMode; readonly mostDrafts: number }
  /** By whom leading results are compared once drafting is over; null for nobody. */
  readonly pairwise: PairwiseJudges | null
  readonly findClarification: FindClarification
  /** Answers of a while ago; every question is answered anew without it. */
  readonly answerMemory?: AnswerReuse
  /** Which verified queries a database has: with others, an answer may be another. */
  readonly listVerifiedIds?: (database: string) => Promise<readonly string[]>
  readonly workbench: RunStore
  readonly saveResult: SaveResult
  readonly loadResult: LoadResult
  /** First rows of results for the trace; without it a trace has none. */
  readonly loadHeads?: LoadResultHeads
  /** Where spans go; nowhere when left out. */
  readonly inSpan?: InSpan
  /** Whether spans carry the text of questions. */
  readonly spansTellQuestions?: boolean
  readonly thresholds: Thresholds
}

/** What a node may read of its run: the stop signal, and where progress goes. */
export interface NodeRun {
  readonly signal?: AbortSignal
  readonly writer?: OnAnswerEvent
}
