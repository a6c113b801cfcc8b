import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordedMessage } from '../shapes/message.ts'
import type { Simulator } from '../simulator.ts'
import { countFaults, type JudgedQuestion, judgeQuestion, type SoakReport } from './judge-soak.ts'
import { type PlannedQuestion, planSoak, type SoakOptions } from './soak-plan.ts'

/** What a fault run needs: a workspace, a bot that can be killed, and a look into its store. */
export interface SoakParts {
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
  settled: boolean
}

const LOOK_EVERY_MS = 300
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
  const started = Date.now()

  const countEnded = async (): Promise<number> => {
    const [row] = await parts.rows(
      `select count(*)::int as ended from querent.questions where status in ('answered', 'refused', 'failed', 'stopped')`,
    )
    return Number(row?.ended ?? 0)
  }

  const ask = async (): Promise<void> => {
    for (const question of plan.questions) {
      await sleep(question.pause)
      const { by, channel, text } = question
      const message = await simulator.post({ by, text, ...(channel === null ? {} : { in: channel }) })
      asked.push({ plan: question, message, settled: false })
    }
  }

  /** The asker settles a question back, and tries again where nobody was there to hear it. */
  const settle = async (question: Asked): Promise<void> => {
    const back = repliesTo(simulator, question.message).findLast(({ blocks }) =>
      JSON.stringify(blocks).includes('"clarify_else"'),
    )
    if (!back) return
    const { by, reply } = question.plan
    if (reply === 'click') {
      const clicked = await simulator.click({ by, on: back, actionId: 'clarify_option_1' }).catch(() => null)
      question.settled = clicked?.outcome === 'acknowledged'
      return
    }
    const { channel, ts } = question.message
    await simulator.post({ by, in: channel, thread: ts, text: 'the first one' })
    question.settled = true
  }

  const work = { done: false }
  const settleAll = async (): Promise<void> => {
    while (!work.done) {
      await sleep(LOOK_EVERY_MS)
      for (const question of asked) if (!question.settled) await settle(question)
    }
  }

  const kill = async (first: Awaited<ReturnType<SoakParts['startBot']>>): Promise<number[]> => {
    const at: number[] = []
    let bot = first
    for (const { afterEnded, delay } of plan.kills) {
      while ((await countEnded()) < afterEnded && !work.done) await sleep(LOOK_EVERY_MS)
      if (work.done) break
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
      const [left] = await parts.rows(
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
    const [stored] = await parts.rows(
      `select q.id, q.status, o.ts from querent.questions q
       left join querent.outbound_messages o on o.question_id = q.id and o.step = 'reply'
       where q.place ->> 'channel' = $1 and q.place ->> 'message' = $2`,
      [message.channel, message.ts],
    )
    judged.push(judgeQuestion(planned, stored ?? null, repliesTo(simulator, message), parts.log()))
  }
  const seconds = Math.round((Date.now() - started) / 1_000)
  return { options, kills, seconds, questions: judged, ...countFaults(simulator) }
}

/** What the bot said in the thread of a question, seen by all. */
const repliesTo = (
  simulator: Simulator,
  { channel, ts }: Pick<RecordedMessage, 'channel' | 'ts'>,
): readonly RecordedMessage[] =>
  simulator.thread(channel, ts).filter(said => said.byBot && said.onlyFor === null && !said.deleted)
