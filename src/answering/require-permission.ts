import type { CheckAccess, LookupPatience, NotAllowed } from '../domain/access/access.ts'
import type {
  AlternativeResult,
  AnswerReport,
  AnswerRuns,
  ExportedRows,
  ExportRows,
  ListAlternativeResults,
  Outcome,
} from '../domain/answer.ts'
import type { PickResult, RerunSql } from '../domain/answer-revision.ts'
import type { RecordFeedback } from '../domain/feedback.ts'
import type { LocatedQuestion } from '../domain/message.ts'
import { noModelUsage } from '../domain/operations/usage.ts'
import type { StrategyName } from '../domain/strategies/strategy.ts'
import type { Trace } from '../domain/trace.ts'

/** Finds out why a person cannot do something with an answer; null if they can. */
export type FindRefusal = (questionId: string, person: string) => Promise<NotAllowed | null>

/**
 * Anything undecided is refused: this is checked before a person's SQL runs and before rows are shown to anyone. A
 * question that no longer exists is left to the use case.
 */
export const makeFindRefusal =
  (deps: {
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly mayAsk: CheckAccess
    /** The review channel instead of the question's own; null for its own. */
    readonly channel: string | null
    /** How long the platform may take to answer; `quick` if left out. */
    readonly patience?: LookupPatience
  }): FindRefusal =>
  async (questionId, person) => {
    const placed = await deps.findPlaced(questionId)
    if (!placed) return null
    const { team, channel } = placed.location
    const asker = {
      person,
      location: { team, channel: deps.channel ?? channel },
      database: placed.question.database,
    }
    const access = await deps.mayAsk(asker, deps.patience ? { patience: deps.patience } : {})
    if (access.status === 'allowed') return null
    return { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
  }

/** Requires permission to ask before a person's SQL runs or another result is shown. */
export const requireRevisionAccess =
  <Revise extends RerunSql | PickResult>(findRefusal: FindRefusal, revise: Revise) =>
  async (given: Parameters<Revise>[0]): ReturnType<RerunSql> =>
    (await findRefusal(given.questionId, given.person)) ?? revise(given as never)

/** Runs work on a question on behalf of a person. */
type RunOnBehalf = <T>(questionId: string, person: string, work: () => Promise<T>) => Promise<T>

/** Requires permission before the whole result is exported; rows read again count for that person. */
export const requireExportAccess =
  (findRefusal: FindRefusal, exportRows: ExportRows, onBehalf: RunOnBehalf) =>
  async (
    questionId: string,
    { person, ...options }: { readonly person: string } & Parameters<ExportRows>[1],
  ): Promise<ExportedRows | NotAllowed | null> =>
    (await findRefusal(questionId, person)) ??
    onBehalf(questionId, person, () => exportRows(questionId, options))

/** Requires permission for feedback: it may bring SQL, which is run, and answers are chosen by what people say. */
export const requireFeedbackAccess =
  (findRefusal: FindRefusal, record: RecordFeedback): RecordFeedback =>
  async given => {
    const refused = await findRefusal(given.questionId, given.person)
    return refused ? { status: 'unfit', reason: refused.reason } : record(given)
  }

/** Lists the other results with rows; none for people without permission. */
export const requireResultsAccess =
  (findRefusal: FindRefusal, list: ListAlternativeResults) =>
  async (questionId: string, person: string): Promise<readonly AlternativeResult[]> =>
    (await findRefusal(questionId, person)) ? [] : list(questionId)

/** Requires permission for a trace, which contains database values. */
export const requireTraceAccess =
  (findRefusal: FindRefusal, findTrace: (questionId: string) => Promise<Trace | null>) =>
  async (questionId: string, person: string): Promise<Trace | NotAllowed | null> =>
    (await findRefusal(questionId, person)) ?? findTrace(questionId)

/**
 * Requires permission for a review request, which shows rows to reviewers, for deciding one, which answers other
 * people, and for a vote, by which later answers are chosen.
 */
export const requireReviewAccess =
  <Given extends { readonly questionId: string; readonly person: string }, Done>(
    findRefusal: FindRefusal,
    act: (given: Given) => Promise<Done>,
  ) =>
  async (given: Given): Promise<Done | NotAllowed> =>
    (await findRefusal(given.questionId, given.person)) ?? act(given)

/** Requires permission for other use cases that run a person's SQL; returns a reason instead of their result. */
export const requireSaveAccess =
  <Given extends { readonly questionId: string; readonly person: string }, Saved>(
    findRefusal: FindRefusal,
    save: (given: Given) => Promise<Saved>,
  ) =>
  async (given: Given): Promise<Saved | { readonly status: 'unfit'; readonly reason: string }> => {
    const refused = await findRefusal(given.questionId, given.person)
    return refused ? { status: 'unfit', reason: refused.reason } : save(given)
  }

/**
 * Checks the asker's current permissions before every run and resume. Since the question was stored the person may have
 * become a guest, the channel may be shared now, or the settings may have changed. Nothing is read from the database
 * without permission.
 */
export const makeRequireRunAccess = (deps: {
  readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
  readonly mayAsk: CheckAccess
}): ((runs: AnswerRuns) => AnswerRuns) => {
  const check = async (
    questionId: string,
  ): Promise<{ refused: AnswerReport } | { strategy?: StrategyName }> => {
    const refused = (outcome: Outcome) => ({ refused: refusalReport(questionId, outcome) })
    const placed = await deps.findPlaced(questionId)
    const person = placed?.question.askedBy
    if (!placed || !person) return refused(unknownAsker)
    const { team, channel } = placed.location
    const { database } = placed.question
    const access = await deps.mayAsk(
      { person, location: { team, channel }, database },
      { patience: 'patient' },
    )
    switch (access.status) {
      case 'allowed':
        return access.strategy ? { strategy: access.strategy } : {}
      case 'refused':
        return refused(refusedOutcome('refused', access))
      case 'unknown':
        return refused(refusedOutcome('failed', access))
      default: {
        const never: never = access
        return never
      }
    }
  }
  return runs => ({
    start: async (question, options) => {
      const checked = await check(question.id)
      return 'refused' in checked ? checked.refused : runs.start(question, { ...options, ...checked })
    },
    resume: async (questionId, reply, options) => {
      const checked = await check(questionId)
      return 'refused' in checked ? checked.refused : runs.resume(questionId, reply, options)
    },
    trace: questionId => runs.trace(questionId),
  })
}

const refusedOutcome = (
  status: 'refused' | 'failed',
  { reason, nextStep }: { readonly reason: string; readonly nextStep: string },
): Outcome => ({ status, why: { code: 'written', reason, nextStep } })

const unknownAsker = refusedOutcome('failed', {
  reason: 'I no longer know who asked this, or where.',
  nextStep: 'Ask the question again.',
})

const refusalReport = (questionId: string, outcome: Outcome): AnswerReport => ({
  questionId,
  outcome,
  candidates: [],
  usage: noModelUsage,
})
