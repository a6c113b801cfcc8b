import type { CheckAccess, LookupPatience, NotAllowed } from '../domain/access.ts'
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
import type { Trace } from '../domain/trace.ts'

/** Why a person may not do something with the answer of a question; null where they may. */
export type FindRefusal = (questionId: string, person: string) => Promise<NotAllowed | null>

/**
 * Makes it. What cannot be decided is not allowed: this is asked before SQL of a person runs and before rows are shown
 * to one. A question that is not there any more is for the use case to tell.
 */
export const makeFindRefusal =
  (deps: {
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly mayAsk: CheckAccess
    /** Another channel than the question's own, where answers are looked at; null for its own. */
    readonly channel: string | null
    /** How long the platform may take to tell; as long as it waits for us where it is left out. */
    readonly patience?: LookupPatience
  }): FindRefusal =>
  async (questionId, person) => {
    const placed = await deps.findPlaced(questionId)
    if (!placed) return null
    const { team, channel } = placed.location
    const asker = {
      person,
      location: { team, channel: deps.channel ?? channel },
      ...(deps.channel === null && { database: placed.question.database }),
    }
    const access = await deps.mayAsk(asker, deps.patience ? { patience: deps.patience } : {})
    if (access.status === 'allowed') return null
    return { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
  }

/** Runs SQL of a person, or shows the result of another candidate, for those who may ask. */
export const requireRevisionAccess =
  <Revise extends RerunSql | PickResult>(findRefusal: FindRefusal, revise: Revise) =>
  async (given: Parameters<Revise>[0]): ReturnType<RerunSql> =>
    (await findRefusal(given.questionId, given.person)) ?? revise(given as never)

/** Does work on a question on behalf of a person. */
type RunOnBehalf = <T>(questionId: string, person: string, work: () => Promise<T>) => Promise<T>

/** The whole result as a file, for those who may ask; what has to be read again for it is read on their behalf. */
export const requireExportAccess =
  (findRefusal: FindRefusal, exportRows: ExportRows, onBehalf: RunOnBehalf) =>
  async (
    questionId: string,
    { person, ...options }: { readonly person: string } & Parameters<ExportRows>[1],
  ): Promise<ExportedRows | NotAllowed | null> =>
    (await findRefusal(questionId, person)) ??
    onBehalf(questionId, person, () => exportRows(questionId, options))

/** What a person thinks of an answer. Where it brings SQL, that runs for those who may ask. */
export const requireFeedbackAccess =
  (findRefusal: FindRefusal, record: RecordFeedback): RecordFeedback =>
  async given => {
    const refused = 'sql' in given.feedback ? await findRefusal(given.questionId, given.person) : null
    return refused ? { status: 'unfit', reason: refused.reason } : record(given)
  }

/** The other results with their rows; none for who may not ask. */
export const requireResultsAccess =
  (findRefusal: FindRefusal, list: ListAlternativeResults) =>
  async (questionId: string, person: string): Promise<readonly AlternativeResult[]> =>
    (await findRefusal(questionId, person)) ? [] : list(questionId)

/** How an answer came about, with values of the database in it. */
export const requireTraceAccess =
  (findRefusal: FindRefusal, findTrace: (questionId: string) => Promise<Trace | null>) =>
  async (questionId: string, person: string): Promise<Trace | NotAllowed | null> =>
    (await findRefusal(questionId, person)) ?? findTrace(questionId)

/** Asking people to look at an answer, which shows its rows to them, and deciding about it, which others are answered by. */
export const requireReviewAccess =
  <Given extends { readonly questionId: string; readonly person: string }, Done>(
    findRefusal: FindRefusal,
    act: (given: Given) => Promise<Done>,
  ) =>
  async (given: Given): Promise<Done | NotAllowed> =>
    (await findRefusal(given.questionId, given.person)) ?? act(given)

/** Whatever else runs SQL for a person: a reason in place of what it would have come to. */
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
 * Holds every run, and every going on with one, to the rights of who asked, as they are now: since the question was
 * stored the person may have become a guest, the channel been shared, or the settings changed. Nothing is read from the
 * database for somebody who may not ask.
 */
export const makeRequireRunAccess = (deps: {
  readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
  readonly mayAsk: CheckAccess
}): ((runs: AnswerRuns) => AnswerRuns) => {
  const refusal = async (questionId: string): Promise<AnswerReport | null> => {
    const placed = await deps.findPlaced(questionId)
    const person = placed?.question.askedBy
    if (!placed || !person) return refusalReport(questionId, unknownAsker)
    const { team, channel } = placed.location
    const { database } = placed.question
    const access = await deps.mayAsk(
      { person, location: { team, channel }, database },
      { patience: 'patient' },
    )
    switch (access.status) {
      case 'allowed':
        return null
      case 'refused':
        return refusalReport(questionId, refusedOutcome('refused', access))
      case 'unknown':
        return refusalReport(questionId, refusedOutcome('failed', access))
      default: {
        const never: never = access
        return never
      }
    }
  }
  return runs => ({
    start: async (question, options) => (await refusal(question.id)) ?? runs.start(question, options),
    resume: async (questionId, reply, options) =>
      (await refusal(questionId)) ?? runs.resume(questionId, reply, options),
    trace: questionId => runs.trace(questionId),
  })
}

const refusedOutcome = (
  status: 'refused' | 'failed',
  { reason, nextStep }: { readonly reason: string; readonly nextStep: string },
): Outcome => ({ status, reason, nextStep })

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
