import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedMessage } from '../shapes/message.ts'
import type { Simulator } from '../simulator.ts'
import { findReplies, findStored } from './find-end.ts'
import { countFaults, type JudgedQuestion, judgeQuestion, type SoakReport } from './judge-soak.ts'
import { type PlannedQuestion, planSoak, type SoakOptions } from './soak-plan.ts'

/** What a fault run needs: a workspace, a bot that can be killed, and a look into its store. */
interface SoakParts {
  readonly simulator: Simulator
  /** Starts a process of the bot; `kill` is SIGKILL. */
  startBot(): Promise<{ kill(): Promise<void> }>
  /** Rows of the bot's own store, with `$1` placeholders. */
  rows(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  /** All that the bot's processes wrote, a line an entry. */
  log(): readonly string[]
  say(line: string): void
}

interface Asked {
  readonly plan: PlannedQuestion
  readonly message: RecordedMessage
  /** When the asker last settled its question back, in milliseconds since 1970. */
  triedAt: number
}

const LOOK_EVERY_MS = 300
const SAY_AGAIN_MS = 20_000
/** With nothing coming to its end for so long, nothing more will: several heartbeats and retries of a job. */
const GIVE_UP_MS = 240_000

/**
 * Asks, lets everything go wrong, kills and starts the bot again, and sees to it that questions back are settled; then
 * waits until nothing is left to do, and judges what stands in every thread.
 */
export const runSoak = async (parts: SoakParts, options: SoakOptions): Promise<SoakReport> => {
  const { simulator } = parts
  const plan = planSoak(options)
  const asked: Asked[] = []
  // One connection looks into the store, and one look goes after the other.
  let looking: Promise<unknown> = Promise.resolve()
  const rows: SoakParts['rows'] = (sql, values) => {
    const look = looking.then(() => parts.rows(sql, values))
    looking = look.catch(() => {})
    return look
  }
  const started = Date.now()

  const countEnded = async (): Promise<number> => {
    const [row] = await rows(
      `select count(*)::int as ended from querent.questions
       where status in ('answered', 'refused', 'failed', 'stopped') and place ->> 'message' = place ->> 'thread'`,
    )
    return Number(row?.ended ?? 0)
  }

  const ask = async (): Promise<void> => {
    for (const question of plan.questions) {
      await sleep(question.pause)
      const { by, channel, text } = question
      const message = await simulator.post({ by, text, ...(channel === null ? {} : { in: channel }) })
      asked.push({ plan: question, message, triedAt: 0 })
    }
  }

  /** The asker settles a question back: by its buttons, or by words where it has none or they like words better. */
  const settle = async (question: Asked): Promise<void> => {
    const { by, reply } = question.plan
    const { channel, ts } = question.message
    const back = findReplies(simulator, question.message).findLast(({ blocks }) =>
      JSON.stringify(blocks).includes('"clarify_option_1"'),
    )
    question.triedAt = Date.now()
    if (back && reply === 'click') {
      await simulator.click({ by, on: back, actionId: 'clarify_option_1' }).catch(() => null)
    } else {
      await simulator.post({ by, in: channel, thread: ts, text: '1' })
    }
  }

  const work = { done: false }
  /** What was not heard is said again after a while, as people do. */
  const settleAll = async (): Promise<void> => {
    while (!work.done) {
      await sleep(LOOK_EVERY_MS)
      const waiting = await rows(
        `select place ->> 'channel' as channel, place ->> 'message' as ts from querent.questions where status = 'waiting'`,
      )
      for (const { channel, ts } of waiting) {
        const question = asked.find(({ message }) => message.channel === channel && message.ts === ts)
        if (question && Date.now() - question.triedAt > SAY_AGAIN_MS) await settle(question)
      }
    }
  }

  const kill = async (first: Awaited<ReturnType<SoakParts['startBot']>>): Promise<number[]> => {
    const at: number[] = []
    let bot = first
    for (const { afterEnded, delay } of plan.kills) {
      while ((await countEnded()) < afterEnded && !work.done) await sleep(LOOK_EVERY_MS)
      // A bot that answered the rest between two looks is killed all the same; one that came to a stop is not.
      if (work.done && (await countEnded()) < afterEnded) break
      await sleep(delay)
      await bot.kill()
      at.push(await countEnded())
      parts.say(`killed at ${at.at(-1)} of ${options.questions}`)
      bot = await parts.startBot()
    }
    return at
  }

  /** Until every question has its end and no job is left, or nothing moves any more. */
  const wait = async (): Promise<void> => {
    let last = { ended: -1, at: Date.now() }
    for (;;) {
      await sleep(LOOK_EVERY_MS)
      const ended = await countEnded()
      if (ended !== last.ended) last = { ended, at: Date.now() }
      const [left] = await rows(
        `select 1 from querent_jobs.job
         where name in ('question', 'resume', 'stop') and state in ('created', 'retry', 'active') limit 1`,
      )
      if (asked.length === options.questions && ended >= options.questions && !left) return
      if (Date.now() - last.at > GIVE_UP_MS) return
    }
  }

  const bot = await parts.startBot()
  simulator.planFaults({ seed: options.seed, share: options.share })
  simulator.setEventFaults({ plan: { seed: options.seed + 1, share: options.share } })
  const killing = kill(bot)
  const settling = settleAll()
  await ask()
  await wait()
  work.done = true
  const kills = await killing
  await settling
  simulator.planFaults(null)
  simulator.setEventFaults({})

  const judged: JudgedQuestion[] = []
  for (const { plan: planned, message } of asked) {
    const stored = await findStored(rows, message)
    // Words said again after they were heard all the same are a question of their own, with a message of its own.
    const others = await rows(
      `select o.ts from querent.questions q join querent.outbound_messages o on o.question_id = q.id
       where q.place ->> 'channel' = $1 and q.place ->> 'thread' = $2 and q.place ->> 'message' <> $2`,
      [message.channel, message.ts],
    )
    const replies = findReplies(simulator, message).filter(reply => !others.some(({ ts }) => ts === reply.ts))
    judged.push(judgeQuestion(planned, stored, replies, parts.log()))
  }
  const seconds = Math.round((Date.now() - started) / 1_000)
  return { options, kills, seconds, questions: judged, ...countFaults(simulator) }
}
