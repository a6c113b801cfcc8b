import { percentile } from '../../src/evaluation/statistics.ts'
import type { SentEvent } from './send-mentions.ts'
import type { ThreadSeen } from './start-fake-slack.ts'

/** What came of a run. Times are milliseconds. */
export interface Measured {
  readonly events: number
  readonly questions: number
  readonly acknowledged: {
    readonly p50: number
    readonly p95: number
    readonly p99: number
    readonly max: number
  }
  /** From the first event of a mention to the message that shows its outcome. */
  readonly answered: { readonly p50: number; readonly p95: number; readonly max: number }
  /** Events that were delivered more than once before they were acknowledged. */
  readonly retried: number
  readonly acknowledgedBeforeStored: number
  /** Questions without an outcome in their thread. */
  readonly lost: number
  /** Questions with more than one message in their thread. */
  readonly doubled: number
}

/** Counts and sorts: `threads` is what was seen in Slack, by the `ts` of the question. */
export const measure = (sent: readonly SentEvent[], threads: ReadonlyMap<string, ThreadSeen>): Measured => {
  const waits = sent.map(({ ms }) => ms)
  const askedAt = new Map<string, number>()
  for (const { ts, sentAt } of sent) askedAt.set(ts, Math.min(sentAt, askedAt.get(ts) ?? sentAt))
  const questions = [...askedAt.keys()]
  const finals = questions.flatMap(ts => {
    const finalAt = threads.get(ts)?.finalAt
    return typeof finalAt === 'number' ? [finalAt - (askedAt.get(ts) ?? 0)] : []
  })
  const at = (numbers: readonly number[], share: number) => Math.round(percentile(numbers, share) ?? 0)
  return {
    events: sent.length,
    questions: questions.length,
    acknowledged: { p50: at(waits, 0.5), p95: at(waits, 0.95), p99: at(waits, 0.99), max: at(waits, 1) },
    answered: { p50: at(finals, 0.5), p95: at(finals, 0.95), max: at(finals, 1) },
    retried: sent.filter(({ tries }) => tries > 1).length,
    acknowledgedBeforeStored: sent.filter(({ acknowledged, stored }) => acknowledged && !stored).length,
    lost: questions.length - finals.length,
    doubled: questions.filter(ts => (threads.get(ts)?.posts ?? 0) > 1).length,
  }
}
