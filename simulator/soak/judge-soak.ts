import type { RecordedMessage } from '../shapes/message.ts'
import type { Simulator } from '../simulator.ts'
import type { PlannedQuestion, SoakOptions } from './soak-plan.ts'

/**
 * What stands in a thread at the end. `once`: exactly one message of the bot, and it shows the end. `twice`: the end is
 * there, and more messages than one. `unanswered`: no message shows the end. `unheard`: the bot never took it in.
 */
type Verdict = 'once' | 'twice' | 'unanswered' | 'unheard'

/** One question at the end of the run. */
export interface JudgedQuestion {
  readonly text: string
  readonly by: string
  readonly channel: string | null
  /** Where the store says that it stands; null if it is not there. */
  readonly status: string | null
  readonly verdict: Verdict
  /** Messages beyond the one. */
  readonly duplicates: number
  /** Of those, how many the bot posted because a post was in doubt and not to be found, and said so in its log. */
  readonly explained: number
}

/** All of a fault run. */
export interface SoakReport {
  readonly options: SoakOptions
  /** How many questions had ended at each kill. */
  readonly kills: readonly number[]
  readonly seconds: number
  readonly questions: readonly JudgedQuestion[]
  /** Faults that were played, by method and kind. */
  readonly faults: Readonly<Record<string, number>>
  /** Requests to the bot by outcome, and how many were repetitions. */
  readonly deliveries: Readonly<Record<string, number>>
  /** Messages that Slack would have refused on their own account: not the faults. */
  readonly problems: number
}

const ends = new Set(['answered', 'refused', 'failed', 'stopped'])
const IN_DOUBT = 'unknown whether the first message was posted; posting it again'

/** Judges one thread by what is stored of the question, what stands there, and what the bot logged. */
export const judgeQuestion = (
  planned: PlannedQuestion,
  stored: Readonly<Record<string, unknown>> | null,
  replies: readonly RecordedMessage[],
  log: readonly string[],
): JudgedQuestion => {
  const { text, by, channel } = planned
  const duplicates = Math.max(0, replies.length - 1)
  const about = { text, by, channel, duplicates }
  if (!stored) return { ...about, status: null, verdict: 'unheard', explained: 0 }
  const explained = Math.min(
    duplicates,
    log.filter(line => line.includes(IN_DOUBT) && line.includes(String(stored.id))).length,
  )
  const status = String(stored.status)
  const shown = replies.find(({ ts }) => ts === stored.ts)
  const hasEnd = ends.has(status) && shown !== undefined && showsAnEnd(shown)
  const verdict = hasEnd ? (duplicates === 0 ? 'once' : 'twice') : 'unanswered'
  return { ...about, status, verdict, explained }
}

/** Neither working nor asking: nothing streams, nothing can be stopped, nothing is to be chosen. */
const showsAnEnd = ({ stream, blocks, text }: RecordedMessage): boolean =>
  stream === null &&
  text !== '' &&
  !/"(stop_question|clarify_else)"/.test(JSON.stringify(blocks)) &&
  !text.endsWith('…')

/** What went wrong on the way, from the simulator's records. */
export const countFaults = (
  simulator: Pick<Simulator, 'calls' | 'deliveries' | 'problems'>,
): Pick<SoakReport, 'faults' | 'deliveries' | 'problems'> => {
  const faults: Record<string, number> = {}
  for (const { method, fault } of simulator.calls()) {
    if (fault) faults[`${method} ${fault}`] = (faults[`${method} ${fault}`] ?? 0) + 1
  }
  const deliveries: Record<string, number> = {}
  for (const { outcome, retry } of simulator.deliveries()) {
    deliveries[outcome] = (deliveries[outcome] ?? 0) + 1
    if (retry > 0) deliveries['of these again'] = (deliveries['of these again'] ?? 0) + 1
  }
  return { faults, deliveries, problems: simulator.problems().length }
}

/** The run in few numbers. */
export const summarise = (report: SoakReport) => {
  const count = (verdict: Verdict): number =>
    report.questions.filter(question => question.verdict === verdict).length
  const sum = (of: (question: JudgedQuestion) => number): number =>
    report.questions.reduce((total, question) => total + of(question), 0)
  const byStatus: Record<string, number> = {}
  for (const { status } of report.questions) {
    const name = status ?? 'not stored'
    byStatus[name] = (byStatus[name] ?? 0) + 1
  }
  return {
    questions: report.questions.length,
    once: count('once'),
    twice: count('twice'),
    unanswered: count('unanswered'),
    unheard: count('unheard'),
    duplicates: sum(({ duplicates }) => duplicates),
    explained: sum(({ explained }) => explained),
    byStatus,
    kills: report.kills.length,
    faults: Object.values(report.faults).reduce((total, n) => total + n, 0),
    problems: report.problems,
    seconds: report.seconds,
  }
}
