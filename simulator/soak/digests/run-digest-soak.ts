import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'
import type { Digest } from '../../../src/domain/digests/digest.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import { resultKey } from '../../../src/ranking/result-key.ts'
import { makeStore } from '../../../src/store/store.ts'
import { type CountedPost, startCountingSlack } from './counting-slack.ts'
import { dueTimesOf, planDigests } from './digest-plan.ts'

/** How large a soak of digests is. `kills` are spread evenly over the posts. */
interface DigestSoakOptions {
  readonly digests: number
  readonly start: Date
  readonly days: number
  readonly kills: number
}

/** What came out: each due time is to have exactly one post. */
interface DigestSoakReport {
  readonly due: number
  readonly posts: number
  /** Posts beyond the first of their due time. */
  readonly duplicates: number
  /** Due times without a post. */
  readonly missed: number
  /** Posts of what was never due. */
  readonly unexpected: number
  readonly kills: number
  /** Runs that did not end as `posted`. */
  readonly unfinished: number
  readonly problems: readonly string[]
  readonly seconds: number
}

const Said = z.union([z.object({ at: z.iso.datetime() }), z.object({ done: z.literal(true) })])

const DAY_MS = 24 * 60 * 60 * 1000

/** Runs it: the worker is killed right when Slack has a post, before the worker hears of it, and another one goes on. */
export const runDigestSoak = async (
  given: { readonly storeUrl: string; readonly databaseFile: string; readonly say: (line: string) => void },
  options: DigestSoakOptions,
): Promise<DigestSoakReport> => {
  const began = performance.now()
  const { start } = options
  const end = new Date(start.getTime() + options.days * DAY_MS)
  const plan = planDigests(options.digests, start)
  const store = makeStore({ url: given.storeUrl, resultKey, log: silentLog })
  await store.migrate()
  for (const digest of plan) await store.repositories.digests.insert(digest, digest.id)
  const expected = new Set(
    plan.flatMap(digest => dueTimesOf(digest, start, end).map(due => runKey(digest.id, due))),
  )
  const killAt = Array.from({ length: options.kills }, (_, i) =>
    Math.floor(((i + 1) * expected.size) / (options.kills + 1)),
  )

  let worker: ChildProcess | null = null
  let kills = 0
  await using slack = await startCountingSlack(count => {
    if (kills >= killAt.length || count < (killAt[kills] ?? 0)) return
    kills++
    given.say(`kill ${kills} at post ${count}`)
    worker?.kill('SIGKILL')
  })
  let at = start.toISOString()
  for (let isDone = false; !isDone; ) {
    const options = { storeUrl: given.storeUrl, databaseFile: given.databaseFile, apiUrl: slack.apiUrl }
    const argument = JSON.stringify({ ...options, start: at, end: end.toISOString() })
    const forked = fork(join(import.meta.dirname, 'digest-worker.ts'), [argument], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    worker = forked
    forked.on('message', message => {
      const said = Said.parse(message)
      if ('done' in said) isDone = true
      else at = said.at
    })
    const killsBefore = kills
    const code = await new Promise<number | null>(resolve => forked.on('exit', resolve))
    // Killed by us it goes on with another; what ends by itself has to be done.
    if (!isDone && kills === killsBefore) throw new Error(`the worker ended with ${code} before it was done`)
  }
  const runs = await countUnfinished(store, plan)
  await store.close()
  return {
    ...judge(expected, slack.posts),
    kills,
    unfinished: runs,
    problems: slack.problems,
    seconds: Math.round((performance.now() - began) / 1000),
  }
}

const judge = (expected: ReadonlySet<string>, posts: readonly CountedPost[]) => {
  const counts = new Map<string, number>()
  for (const { key } of posts) counts.set(key, (counts.get(key) ?? 0) + 1)
  return {
    due: expected.size,
    posts: posts.length,
    duplicates: [...counts.values()].reduce((sum, count) => sum + count - 1, 0),
    missed: [...expected].filter(key => !counts.has(key)).length,
    unexpected: [...counts.keys()].filter(key => !expected.has(key)).length,
  }
}

const countUnfinished = async (
  store: ReturnType<typeof makeStore>,
  plan: readonly Digest[],
): Promise<number> => {
  let unfinished = 0
  for (const { id } of plan)
    for (const run of await store.repositories.digestRuns.listOf(id, 1_000))
      if (run.ended?.outcome !== 'posted') unfinished++
  return unfinished
}

/** As the delivery writes it into the metadata of a message. */
const runKey = (digestId: string, due: string): string => `${digestId}:${Date.parse(due)}:post`
