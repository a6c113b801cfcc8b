import type { Metrics } from '../../core/metrics.ts'
import type { Question } from '../../core/question.ts'
import type { QuestionLog } from '../../core/question-log.ts'

/** Work of this process that nobody ended is forgotten in the end: its question went on elsewhere. */
const MAX_IN_PROGRESS = 1_000

/**
 * The log of questions, with each outcome that it keeps counted once. It took as long as since the asking; where work
 * began again after a reply, since then, because people take their time to reply.
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
  /** When work on a question began, and whether that was after a reply. */
  const underWay = new Map<string, { readonly at: Date; readonly resumed: boolean }>()

  const count = async (questionId: string, outcome: string, cached: boolean): Promise<void> => {
    const begun = underWay.get(questionId)
    underWay.delete(questionId)
    const question: Question | null = await questions.load(questionId)
    if (!question) return
    // One that is run again was asked long ago, and is answered from now.
    const since = begun && (begun.resumed || question.fresh) ? begun.at : question.askedAt
    deps.metrics.questionEnded({
      outcome,
      from: (await deps.isPlaced(questionId)) ? 'slack' : 'command',
      milliseconds: Math.max(0, deps.now().getTime() - since.getTime()),
      cached,
    })
  }
  /** What is counted is worth no failure. */
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
      // Asked again of a stopped question, it says the same again, in whatever process.
      if (stopped?.isFirst) await counted(questionId, 'stopped')
      else if (stopped) underWay.delete(questionId)
      return stopped
    },
  }
}
