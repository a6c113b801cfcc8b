import { SqlError } from '../domain/errors.ts'
import type { Delivery } from '../domain/message.ts'
import type { RunContext, StatementAudit, StatementEnd } from '../domain/operations/audit.ts'
import type { InSpan, Metrics } from '../domain/operations/telemetry.ts'
import type { Question, QuestionLog } from '../domain/question.ts'

/** The most questions tracked at once. Work that never ended here continued in another process and is dropped. */
const MAX_IN_PROGRESS = 1_000

/**
 * Counts each stored outcome of the question log once. Its duration starts when the question was asked or, after a
 * reply, when work resumed, because people take their time to reply.
 */
export const withQuestionMetrics = (
  questions: QuestionLog,
  deps: {
    readonly metrics: Pick<Metrics, 'questionEnded'>
    readonly now: () => Date
    /** Whether a question was asked in Slack. */
    readonly isPlaced: (questionId: string) => Promise<boolean>
  },
): QuestionLog => {
  /** When work on a question started, and whether that was after a reply. */
  const underWay = new Map<string, { readonly at: Date; readonly resumed: boolean }>()

  const count = async (questionId: string, outcome: string, cached: boolean): Promise<void> => {
    const begun = underWay.get(questionId)
    underWay.delete(questionId)
    const question: Question | null = await questions.load(questionId)
    if (!question) return
    // A rerun was asked long ago; its duration starts now.
    const since = begun && (begun.resumed || question.fresh) ? begun.at : question.askedAt
    deps.metrics.questionEnded({
      outcome,
      from: (await deps.isPlaced(questionId)) ? 'slack' : 'command',
      milliseconds: Math.max(0, deps.now().getTime() - since.getTime()),
      cached,
    })
  }
  /** A failed count must not fail the work. */
  const counted = (questionId: string, outcome: string, cached = false) =>
    count(questionId, outcome, cached).catch(() => {})

  return {
    ...questions,
    begin: async (questionId, from, options) => {
      const begun = await questions.begin(questionId, from, options)
      if (begun.begun) {
        underWay.set(questionId, { at: deps.now(), resumed: from.includes('waiting') })
        const [oldest] = underWay.keys()
        if (underWay.size > MAX_IN_PROGRESS && oldest !== undefined) underWay.delete(oldest)
      }
      return begun
    },
    storeReport: async report => {
      const kept = await questions.storeReport(report)
      const { outcome } = report
      const cached = outcome.status === 'answered' && outcome.cached !== undefined
      if (kept) await counted(report.questionId, outcome.status, cached)
      return kept
    },
    endStop: async questionId => {
      const stopped = await questions.endStop(questionId)
      // A stopped question reports the same end again, in any process.
      if (stopped?.isFirst) await counted(questionId, 'stopped')
      else if (stopped) underWay.delete(questionId)
      return stopped
    },
  }
}

/** Counts the outcome of each statement by its origin. */
export const withStatementMetrics = (
  audit: StatementAudit,
  deps: {
    readonly metrics: Pick<Metrics, 'statement'>
    readonly currentContext: () => RunContext | null
  },
): StatementAudit => {
  const originOf = (purpose: 'people' | 'index'): string =>
    purpose === 'index' ? 'index' : (deps.currentContext()?.origin ?? 'unattributed')
  return {
    begin: async (statement, options) => {
      const origin = originOf(statement.purpose)
      const begun = await audit.begin(statement, options).catch((error: unknown) => {
        if (error instanceof SqlError && error.errorClass === 'over-budget')
          deps.metrics.statement({ origin, verdict: 'refused', rows: 0, milliseconds: 0 })
        throw error
      })
      const end = (given: StatementEnd): void => {
        begun(given)
        const { verdict, rows, milliseconds } = given
        deps.metrics.statement({ origin, verdict, rows: rows ?? 0, milliseconds })
      }
      return Object.assign(end, begun.allowed && { allowed: begun.allowed })
    },
    refused: (statement, reason) => {
      audit.refused(statement, reason)
      const origin = originOf(statement.purpose)
      deps.metrics.statement({ origin, verdict: 'refused', rows: 0, milliseconds: 0 })
    },
  }
}

/** Puts calls to Slack in spans, without any message text. */
export const withDeliverySpans = (delivery: Delivery, inSpan: InSpan): Delivery => {
  const inPost = <T>(step: string, questionId: string, work: () => Promise<T>): Promise<T> =>
    inSpan('post-to-slack', { step, questionId }, work)
  return {
    ...delivery,
    begin: placed => inPost('begin', placed.question.id, () => delivery.begin(placed)),
    finish: (placed, report) => inPost('finish', placed.question.id, () => delivery.finish(placed, report)),
    stopped: (placed, by) => inPost('stopped', placed.question.id, () => delivery.stopped(placed, by)),
  }
}

/** Also counts the durations of spans as stages, failed ones included. `now` is in milliseconds. */
export const withSpanTimings =
  (inSpan: InSpan, stage: Metrics['stage'], now: () => number = () => performance.now()): InSpan =>
  async (name, facts, work) => {
    const started = now()
    try {
      return await inSpan(name, facts, work)
    } finally {
      stage(name, now() - started)
    }
  }
