import type { OnAnswerEvent } from '../../src/core/answer-event.ts'
import type { AnswerReuse } from '../../src/core/answer-memory.ts'
import type { FindUnknownTerms, RateFit } from '../../src/core/answerability.ts'
import type { Catalog } from '../../src/core/catalog.ts'
import type { FindClarification } from '../../src/core/clarification.ts'
import type { Database } from '../../src/core/database.ts'
import type { DraftPath, FixSql } from '../../src/core/draft.ts'
import type { FindEvidence } from '../../src/core/evidence.ts'
import type { GroupCandidates } from '../../src/core/execution-group.ts'
import type { AskForRewrite, InterpretFollowUp } from '../../src/core/follow-up.ts'
import type { AskForKeywords } from '../../src/core/keyword.ts'
import type { LinkSchema, WidenSchema } from '../../src/core/linked-schema.ts'
import type { ColumnsKey, ResultKey } from '../../src/core/result.ts'
import type { LoadResultHeads } from '../../src/core/result-head.ts'
import type { LoadResult, SaveResult } from '../../src/core/saved-result.ts'
import type { SaveSnapshot } from '../../src/core/selection-snapshot.ts'
import type { MeasureGroups } from '../../src/core/selector.ts'
import type { LoadChampion } from '../../src/core/selector-version.ts'
import type { InSpan } from '../../src/core/span.ts'
import type { CountVotes, DecideDrafting, RateTally } from '../../src/core/standing.ts'
import type { LoadTranscript } from '../../src/core/thread.ts'
import type { UnderstandQuestion } from '../../src/core/understanding.ts'
import type { RunStore } from '../../src/core/workbench.ts'
import type { Thresholds } from './decide.ts'
import type { PairwiseJudges } from './pairwise/pairwise.ts'
import type { VerifiedEvidence } from './verified/like-verified.ts'
import type { DraftingMode } from './waves/plan-wave.ts'

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
