import type { OnAnswerEvent } from '../../src/domain/answer.ts'
import type { AnswerReuse } from '../../src/domain/answer-cache.ts'
import type { DraftPath, FindEvidence, FixSql, GroupCandidates } from '../../src/domain/candidate.ts'
import type { Catalog } from '../../src/domain/catalog.ts'
import type { FindClarification } from '../../src/domain/clarification.ts'
import type { AskForRewrite, InterpretFollowUp, LoadTranscript } from '../../src/domain/conversation.ts'
import type { Database } from '../../src/domain/database.ts'
import type { FindUnknownTerms, RateFit } from '../../src/domain/interpretation.ts'
import type { DescribeAnswer } from '../../src/domain/metrics/answer-meaning.ts'
import type { InSpan } from '../../src/domain/operations/telemetry.ts'
import type {
  AskForKeywords,
  LinkSchema,
  RunStore,
  UnderstandQuestion,
  WidenSchema,
} from '../../src/domain/question-context.ts'
import type {
  ColumnsKey,
  LoadResult,
  LoadResultHeads,
  ResultKey,
  SaveResult,
} from '../../src/domain/result.ts'
import type {
  CountVotes,
  DecideDrafting,
  LoadChampion,
  MeasureGroups,
  RateTally,
  SaveSnapshot,
} from '../../src/domain/selection/ranking.ts'
import type { StrategyName } from '../../src/domain/strategies/strategy.ts'
import type { AgentStrategy } from '../strategies/shared/agent-strategy.ts'
import type { PairwiseJudges } from './comparison/compare-pair.ts'
import type { Thresholds } from './decide.ts'
import type { PhraseHeadline } from './headline/phrase-headline.ts'
import type { DraftingMode } from './rounds/plan-round.ts'
import type { VerifiedEvidence } from './verified/verified-similarity.ts'

/** What the answer graph needs, grouped by what it is needed for. A node takes the groups that it uses. */
export interface AnswerDeps {
  /** How it answers, as a question's run remembers it. */
  readonly strategy: StrategyName
  /** The published system that answers in place of our own drafting; null for none. */
  readonly agents: AgentStrategy | null
  readonly database: OpenDatabase
  readonly understanding: UnderstandingDeps
  readonly linking: LinkingDeps
  readonly drafting: DraftingDeps
  readonly checking: CheckingDeps
  readonly choosing: ChoosingDeps
  readonly talking: TalkingDeps
  readonly storing: StoringDeps
  readonly observing: ObservingDeps
}

/** Opens a database by its name, which may take a while the first time. */
export type OpenDatabase = (name: string, options: { signal?: AbortSignal }) => Promise<Database>

/** Reads what a message asks for. */
export interface UnderstandingDeps {
  readonly understand: UnderstandQuestion
  /** What was said in a question's thread before it; left out if questions have no threads. */
  readonly loadTranscript?: LoadTranscript
  readonly readFollowUp?: InterpretFollowUp
  /** Rewrites follow-ups that the rules cannot read; left out if no model is to be called. */
  readonly askForRewrite?: AskForRewrite
  /** Finds more keywords than the rules do; left out if no model is to be called. */
  readonly askForKeywords?: AskForKeywords
  /** Finds what a question names that a database does not have; without it, nothing is ever missing. */
  readonly findUnknownTerms?: FindUnknownTerms
  /** How likely it is that a text asks for what a database holds; without it, every text does. */
  readonly rateFit?: RateFit
}

/** Chooses the part of the schema that a draft is shown. */
export interface LinkingDeps {
  readonly linkSchema: LinkSchema
  /** Opens a linked schema again for names that a draft used and that were dropped. */
  readonly widenSchema: WidenSchema
}

/** Writes candidates, and decides how many. */
export interface DraftingDeps {
  readonly paths: readonly DraftPath[]
  readonly mode: DraftingMode
  /** Model drafts that one question may have at most. */
  readonly mostDrafts: number
  /** Model calls that one question may have; left out if nothing limits them. */
  readonly callLimit?: number
  readonly decideDrafting: DecideDrafting
}

/** Runs candidates and repairs what fails. */
export interface CheckingDeps {
  /** Fixers in the order in which they are tried. They cost nothing, so they see every candidate. */
  readonly fixers: readonly FixSql[]
  /** Fixers that ask a model, tried after the others; left out if there is none. */
  readonly modelFixers?: readonly FixSql[]
  readonly resultKey: ResultKey
  readonly columnsKey: ColumnsKey
  readonly findEvidence: FindEvidence
}

/** Chooses among the results of the candidates. */
export interface ChoosingDeps {
  /** Groups what free paths say, by their priors. */
  readonly groupCandidates: GroupCandidates
  readonly countVotes: CountVotes
  readonly rateTally: RateTally
  /** Chooses among results that models drafted; null leaves that to the vote. */
  readonly selector: {
    readonly measure: MeasureGroups
    readonly champion: LoadChampion
    readonly saveSnapshot: SaveSnapshot
    /** Left out if nothing can be verified. */
    readonly verified?: VerifiedEvidence
  } | null
  /** Compares the leading results once drafting is over; null if nobody does. */
  readonly pairwise: PairwiseJudges | null
  readonly thresholds: Thresholds
}

/** Finds what to ask back, and what to offer with a refusal. */
export interface TalkingDeps {
  readonly findClarification: FindClarification
  /** Questions that can be answered, those about the `near` tables first; none are offered without it. */
  readonly exampleQuestions?: (catalog: Catalog, near?: readonly string[]) => readonly string[]
  /** Describes what an answer shows; without it, headlines count rows. */
  readonly describeAnswer?: DescribeAnswer
  /** Puts headlines in a person's words; without it, they stay as code writes them. */
  readonly phraseHeadline?: PhraseHeadline
  /** Who knows more about a database; null if nobody is named. */
  readonly whoToAsk?: (database: string) => string | null
}

/** Keeps what a run needs later: contexts, candidates, results, and answers that can be shown again. */
export interface StoringDeps {
  readonly runStore: RunStore
  readonly saveResult: SaveResult
  readonly loadResult: LoadResult
  /** First rows of results for the trace; without it a trace has none. */
  readonly loadHeads?: LoadResultHeads
  /** Answers of a while ago; without it, every question is worked on. */
  readonly answerReuse?: AnswerReuse
  /** Which verified queries a database has: when they change, an answer may change. */
  readonly listVerifiedIds?: (database: string) => Promise<readonly string[]>
}

/** Where operators can watch a run. */
export interface ObservingDeps {
  /** Where spans go; nowhere if left out. */
  readonly inSpan?: InSpan
  /** Whether spans carry the text of questions. */
  readonly spansTellQuestions?: boolean
}

/** What a node may read of its run: the stop signal, and where progress goes. */
export interface NodeRun {
  readonly signal?: AbortSignal
  readonly writer?: OnAnswerEvent
}
