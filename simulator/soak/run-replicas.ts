import { setTimeout as sleep } from 'node:timers/promises'
import { makeRandom } from '../../src/lib/random.ts'
import type { RecordedMessage } from '../shapes/message.ts'
import type { Simulator } from '../simulator.ts'
import { findReplies, findStored } from './find-end.ts'
import { type JudgedQuestion, judgeQuestion } from './judge-soak.ts'

/** What a run over replicas does. Times are milliseconds. */
interface ReplicasOptions {
  readonly replicas: number
  readonly questions: number
  readonly pace: ReplicasPace
  readonly seed: number
}

/**
 * When is asked and who dies; replicas die in turn, and each is started again at once. By the clock as in use, until the
 * last question has ended. In rounds where a test needs its kills: each round asks its share of the questions at once,
 * and one replica dies when that many are at work (when each has one worker and all are at work, it dies over one).
 */
type ReplicasPace =
  | { readonly by: 'clock'; readonly askEveryMs: number; readonly killEveryMs: number }
  | { readonly by: 'rounds'; readonly kills: number; readonly atWork: number }

/** What it needs: a workspace in front of all replicas, processes that can be killed, a look into their store. */
interface ReplicasParts {
  readonly simulator: Simulator
  /** Starts a process of the replica of that number, from 0; `kill` is SIGKILL. */
  startReplica(number: number): Promise<{ kill(): Promise<void> }>
  rows(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  /** All that the processes wrote, a line an entry. */
  log(): readonly string[]
  say(line: string): void
  /** What happens beside the kills once half of the questions are asked, such as Redis going away for a while. */
  halfway?(): Promise<void>
}

/** A job that a kill interrupted, and how long after the kill it was done. */
interface LostJob {
  readonly jobId: string
  readonly killedAt: number
  readonly doneAfterMs: number | null
}

/** All of the run. */
export interface ReplicasReport {
  readonly options: ReplicasOptions
  readonly seconds: number
  readonly questions: readonly JudgedQuestion[]
  /** When each kill was, in milliseconds since 1970. */
  readonly kills: readonly number[]
  readonly lost: readonly LostJob[]
  /** From the message to the end of its job, in milliseconds, in order. */
  readonly took: readonly number[]
  readonly problems: number
}

const texts = [
  'how many bicycles are there by kind?',
  'how many riders are there?',
  'how many hires are there by pickup country?',
  'average kilometres per hire',
]

const people = ['ada', 'jonas', 'mira']

const LOOK_EVERY_MS = 250

const SOON_MS = 10

const LOOKS_FOR_WORK = 200

/** With nothing coming to its end for so long, nothing more will. */
const GIVE_UP_MS = 120_000

interface Held {
  readonly killedAt: number
  readonly jobId: string
  readonly attempt: number
}

/** Asks in all public channels in turn, kills replica after replica, waits for the last end, and judges each thread. */
export const runReplicas = async (
  parts: ReplicasParts,
  options: ReplicasOptions,
): Promise<ReplicasReport> => {
  const { simulator, say } = parts
  const random = makeRandom(options.seed)
  const channels = simulator.channels.filter(({ kind, isShared }) => kind === 'channel' && !isShared)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
  // One connection looks into the store, and one look goes after the other.
  let looking: Promise<unknown> = Promise.resolve()
  const rows: ReplicasParts['rows'] = (sql, values) => {
    const look = looking.then(() => parts.rows(sql, values))
    looking = look.catch(() => {})
    return look
  }
  const started = Date.now()
  const asked: { readonly text: string; readonly by: string; readonly message: RecordedMessage }[] = []
  const kills: number[] = []
  const held: Held[] = []
  const work = { done: false }

  const running = await Promise.all(
    Array.from({ length: options.replicas }, (_, number) => parts.startReplica(number)),
  )

  const findActive = () =>
    rows(`select id, retry_count from querent_jobs.job where name = 'question' and state = 'active'`)

  const killNext = async (): Promise<void> => {
    const number = kills.length % options.replicas
    const active = await findActive()
    await running[number]?.kill()
    const killedAt = Date.now()
    kills.push(killedAt)
    held.push(...active.map(job => ({ killedAt, jobId: String(job.id), attempt: Number(job.retry_count) })))
    say(`killed replica ${number} with ${active.length} questions at work in all; ${asked.length} asked`)
    running[number] = await parts.startReplica(number)
  }

  const killByClock = async (everyMs: number): Promise<void> => {
    for (;;) {
      await until(Date.now() + everyMs, () => work.done)
      if (work.done) return
      await killNext()
    }
  }

  /** After the question of that number, from 1. */
  const keepPace = async (count: number, pace: ReplicasPace): Promise<void> => {
    if (pace.by === 'clock') return void (await sleep(pace.askEveryMs))
    const isEndOfRound = kills.length < Math.floor((count * (pace.kills + 1)) / options.questions)
    if (!isEndOfRound || kills.length >= pace.kills) return
    // A machine so fast that all are done before this looks keeps nobody alive.
    for (let look = 0; look < LOOKS_FOR_WORK && (await findActive()).length < pace.atWork; look++) {
      await sleep(SOON_MS)
    }
    await killNext()
  }

  const ask = async (): Promise<void> => {
    let halfway: Promise<void> | null = null
    for (let n = 0; n < options.questions; n++) {
      if (n >= options.questions / 2) halfway ??= parts.halfway?.() ?? Promise.resolve()
      const [text, by, channel] = [pick(texts), pick(people), channels[n % channels.length]]
      const message = await simulator.post({ by, in: `#${channel?.name}`, text: `@querent ${text}` })
      asked.push({ text, by, message })
      await keepPace(n + 1, options.pace)
    }
    await halfway
  }

  const wait = async (): Promise<void> => {
    let last = { ended: -1, at: Date.now() }
    for (;;) {
      await sleep(LOOK_EVERY_MS)
      const [count] = await rows(
        `select count(*) filter (where status in ('answered', 'refused', 'failed'))::int as ended,
                (select count(*)::int from querent_jobs.job
                 where name = 'question' and state in ('created', 'retry', 'active')) as left
         from querent.questions`,
      )
      const ended = Number(count?.ended)
      if (ended !== last.ended) last = { ended, at: Date.now() }
      if (ended >= options.questions && Number(count?.left) === 0) return
      if (Date.now() - last.at > GIVE_UP_MS) return
    }
  }

  const finish = (): void => {
    work.done = true
  }
  const { pace } = options
  const killing = pace.by === 'clock' ? killByClock(pace.killEveryMs) : null
  await Promise.all([killing, ask().then(wait).finally(finish)])

  const judged: JudgedQuestion[] = []
  for (const { text, by, message } of asked) {
    const stored = await findStored(rows, message)
    const replies = findReplies(simulator, message)
    const planned = { text, by, channel: message.channel, reply: 'click', pause: 0 } as const
    judged.push(judgeQuestion(planned, stored, replies, parts.log()))
  }
  return {
    options,
    seconds: Math.round((Date.now() - started) / 1_000),
    questions: judged,
    kills,
    lost: await findLost(rows, held),
    took: await findTimes(rows),
    problems: simulator.problems().length,
  }
}

/** Of the jobs that ran at a kill, those that were taken up again: their attempt never ended, so it died with the kill. */
const findLost = async (rows: ReplicasParts['rows'], held: readonly Held[]): Promise<LostJob[]> => {
  const lost: LostJob[] = []
  const seen = new Set<string>()
  for (const { jobId, attempt, killedAt } of held) {
    const [job] = await rows(
      `select retry_count, extract(epoch from completed_on) * 1000 as done from querent_jobs.job where id = $1`,
      [jobId],
    )
    const isLost = job === undefined || Number(job.retry_count) > attempt || job.done === null
    if (!isLost || seen.has(`${jobId} ${attempt}`)) continue
    seen.add(`${jobId} ${attempt}`)
    lost.push({ jobId, killedAt, doneAfterMs: job?.done == null ? null : Number(job.done) - killedAt })
  }
  return lost
}

const findTimes = async (rows: ReplicasParts['rows']): Promise<number[]> => {
  const found = await rows(
    `select extract(epoch from job.completed_on - q.asked_at) * 1000 as took from querent.questions q
     join querent_jobs.job on job.name = 'question' and job.data ->> 'questionId' = q.id::text
     where job.completed_on is not null order by 1`,
  )
  return found.map(({ took }) => Math.round(Number(took)))
}

const until = async (moment: number, isOver: () => boolean): Promise<void> => {
  while (Date.now() < moment && !isOver()) await sleep(LOOK_EVERY_MS)
}
