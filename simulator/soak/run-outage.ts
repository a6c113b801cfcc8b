import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedMessage } from '../shapes/message.ts'
import type { Simulator } from '../simulator.ts'
import { findReplies, findStored } from './find-end.ts'
import { type JudgedQuestion, judgeQuestion } from './judge-soak.ts'

/** What a run with an outage does. Times are milliseconds. */
interface OutageOptions {
  readonly questions: number
  readonly everyMs: number
  readonly awayMs: number
  /** How often the server goes; the outages are spread over the questions. */
  readonly outages: number
}

/** What it needs. The bot runs all the time: nobody starts it again. */
interface OutageParts {
  readonly simulator: Simulator
  readonly server: {
    stop(): Promise<void>
    start(): Promise<void>
    rows(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  }
  /** All that the bot wrote, a line an entry. */
  log(): readonly string[]
  /** How a message begins that says that the bot is unavailable. */
  readonly unavailable: string
  say(line: string): void
}

/** All of the run. */
interface OutageReport {
  readonly options: OutageOptions
  readonly seconds: number
  readonly questions: readonly (JudgedQuestion & {
    /** Whether it was asked while the server was away. */
    readonly askedInOutage: boolean
    /** How often the thread was told that the bot is unavailable. */
    readonly told: number
  })[]
  /** Mentions that were acknowledged while the server was away. There must be none. */
  readonly acknowledgedInOutage: number
  /** Milliseconds from each start of the server to the next question that came to its end. */
  readonly recoveredAfterMs: readonly number[]
  readonly problems: number
}

const texts = ['how many bicycles are there by kind?', 'how many riders are there?']
const LOOK_EVERY_MS = 250
const GIVE_UP_MS = 150_000
const ENDED = `select count(*)::int as ended from querent.questions where status in ('answered', 'refused', 'failed')`

/** Asks at a steady rate while the server of the store goes and comes, waits for the last end, and judges each thread. */
export const runOutage = async (parts: OutageParts, options: OutageOptions): Promise<OutageReport> => {
  const { simulator, server, say } = parts
  const started = Date.now()
  const outages: { readonly from: number; to: number }[] = []
  const recovered: number[] = []
  const asked: { readonly text: string; readonly at: number; readonly message: RecordedMessage }[] = []
  const countEnded = async (): Promise<number> => Number((await server.rows(ENDED))[0]?.ended)

  const goAway = async (gone: () => void): Promise<void> => {
    await server.stop()
    gone()
    const outage = { from: Date.now(), to: Number.POSITIVE_INFINITY }
    outages.push(outage)
    say(`the server is away; ${asked.length} asked`)
    await sleep(options.awayMs)
    await server.start()
    outage.to = Date.now()
    const before = await countEnded()
    say(`the server is back; ${before} ended`)
    while ((await countEnded()) === before && Date.now() - outage.to < GIVE_UP_MS) await sleep(LOOK_EVERY_MS)
    recovered.push(Date.now() - outage.to)
  }

  let away: Promise<void> = Promise.resolve()
  for (let n = 0; n < options.questions; n++) {
    const part = options.questions / (options.outages + 1)
    if (n > 0 && Math.floor(n / part) > Math.floor((n - 1) / part)) {
      // The next question is asked of a bot without its store, however long a server takes to stop.
      const gone = Promise.withResolvers<void>()
      away = away.then(() => goAway(gone.resolve))
      await Promise.race([gone.promise, away])
    }
    const text = texts[n % texts.length] ?? ''
    const at = Date.now()
    asked.push({
      text,
      at,
      message: await simulator.post({ by: 'ada', in: '#sales', text: `@querent ${text}` }),
    })
    await sleep(options.everyMs)
  }
  await away
  for (let last = { ended: -1, at: Date.now() }; ; await sleep(LOOK_EVERY_MS)) {
    const ended = await countEnded()
    if (ended !== last.ended) last = { ended, at: Date.now() }
    const [left] = await server.rows(
      `select 1 from querent_jobs.job where name = 'question' and state in ('created', 'retry', 'active') limit 1`,
    )
    if ((ended >= options.questions && !left) || Date.now() - last.at > GIVE_UP_MS) break
  }

  const isIn = (at: number): boolean => outages.some(({ from, to }) => at >= from && at < to)
  const questions = []
  for (const { text, at, message } of asked) {
    const stored = await findStored(server.rows, message)
    const said = findReplies(simulator, message)
    const notices = said.filter(one => one.text.startsWith(parts.unavailable))
    const planned = { text, by: 'ada', channel: message.channel, reply: 'click', pause: 0 } as const
    questions.push({
      ...judgeQuestion(
        planned,
        stored,
        said.filter(one => !notices.includes(one)),
        parts.log(),
      ),
      askedInOutage: isIn(at),
      told: notices.length,
    })
  }
  // The bot's own messages and those it passes over need no store: only what it was asked is looked at.
  const acknowledgedInOutage = simulator
    .deliveries()
    .filter(
      ({ type, outcome, at, ms }) =>
        type === 'app_mention' && outcome === 'acknowledged' && isIn(at) && isIn(at + ms),
    ).length
  return {
    options,
    seconds: Math.round((Date.now() - started) / 1_000),
    questions,
    acknowledgedInOutage,
    recoveredAfterMs: recovered,
    problems: simulator.problems().length,
  }
}

/** The run in few numbers. */
export const summariseOutage = ({ questions, seconds, problems, ...report }: OutageReport) => ({
  questions: questions.length,
  once: questions.filter(({ verdict }) => verdict === 'once').length,
  askedInOutage: questions.filter(({ askedInOutage }) => askedInOutage).length,
  acknowledgedInOutage: report.acknowledgedInOutage,
  threadsTold: questions.filter(({ told }) => told > 0).length,
  toldTwice: questions.filter(({ told }) => told > 1).length,
  duplicates: questions.reduce((sum, { duplicates }) => sum + duplicates, 0),
  explained: questions.reduce((sum, { explained }) => sum + explained, 0),
  slowestRecoverySeconds: Math.round(Math.max(0, ...report.recoveredAfterMs) / 100) / 10,
  problems,
  seconds,
})
