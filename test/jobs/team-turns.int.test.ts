import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { noMetrics } from '../../src/domain/operations/telemetry.ts'
import { type Jobs, makeJobs } from '../../src/jobs/jobs.ts'
import { until } from '../helpers/wait.ts'
import { openTestJobs } from './open-test-jobs.ts'

/** Questions with names, which run until they are let go. */
const openDesk = (sender: Jobs) => {
  const names = new Map<string, string>()
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const began: string[] = []
  const attempts: number[] = []
  let areOpen = false
  return {
    began,
    attempts,
    send: async (name: string, group: string): Promise<void> => {
      const questionId = randomUUID()
      names.set(questionId, name)
      gates.set(name, Promise.withResolvers())
      await sender.send('question', { questionId }, { group })
    },
    work: (jobs: Jobs, concurrency: number, perGroup = 10) =>
      jobs.work(
        'question',
        async ({ questionId }, { attempt }) => {
          const name = names.get(questionId) ?? 'nobody'
          began.push(name)
          attempts.push(attempt)
          if (!areOpen) await gates.get(name)?.promise
        },
        { concurrency, perGroup, byTeam: true },
      ),
    /** Ends a question, and tells which one its worker took next. */
    afterEnd: async (name: string): Promise<string | undefined> => {
      const before = began.length
      gates.get(name)?.resolve()
      await until(() => began.length > before)
      expect(began).toHaveLength(before + 1)
      return began.at(-1)
    },
    openAll: (): void => {
      areOpen = true
      for (const gate of gates.values()) gate.resolve()
    },
  }
}

const ended = async (url: string): Promise<{ state: string; retry_count: number; count: number }[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const sql = `select state::text, retry_count, count(*)::int from querent_jobs.job
      where name = 'question' group by 1, 2 order by 1, 2`
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

describe('workers of several workspaces', () => {
  it('serve the workspace with the fewest running jobs while another floods the queue', async () => {
    let overtakings = 0
    const metrics = { ...noMetrics, jobOvertook: () => void overtakings++ }
    await using opened = await openTestJobs({ metrics })
    const other = await makeJobs({ url: opened.url, executeIn: opened.store.executeIn, metrics })
    try {
      const desk = openDesk(opened.jobs)
      await desk.work(opened.jobs, 2)
      await desk.work(other, 2)
      for (let i = 1; i <= 4; i++) await desk.send(`a${i}`, `TA UA${i % 2}`)
      // The flood alone has every worker of both.
      await until(() => desk.began.length === 4)
      for (let i = 5; i <= 30; i++) await desk.send(`a${i}`, `TA UA${i % 2}`)
      for (let i = 1; i <= 3; i++) await desk.send(`b${i}`, 'TB UB')
      expect(await desk.afterEnd('a1')).toBe('b1')
      expect(await desk.afterEnd('a2')).toBe('b2')
      // Two each: now it is the turn of the flood, and of its oldest.
      expect(await desk.afterEnd('a3')).toBe('a5')
      expect(await desk.afterEnd('b1')).toBe('b3')
      expect(overtakings).toBe(3)
      // Nobody else waits any more: the flood has all workers again.
      expect(await desk.afterEnd('b2')).toBe('a6')
      expect(await desk.afterEnd('b3')).toBe('a7')
      desk.openAll()
      await until(() => desk.began.length === 33)
      expect(new Set(desk.began).size).toBe(33)
      expect(new Set(desk.attempts)).toEqual(new Set([1]))
    } finally {
      await other.stop({ timeoutMs: 20_000 })
    }
    await opened.jobs.stop({ timeoutMs: 20_000 })
    expect(await ended(opened.url)).toEqual([{ state: 'completed', retry_count: 0, count: 33 }])
    expect(opened.errors).toEqual([])
  })

  it('take turns where there are fewer workers than workspaces, and keep the order of each person', async () => {
    await using opened = await openTestJobs()
    const desk = openDesk(opened.jobs)
    for (const i of [1, 2, 3, 4]) await desk.send(`a${i}`, 'TA UA')
    for (const i of [1, 2]) await desk.send(`b${i}`, 'TB UB')
    for (const i of [1, 2]) await desk.send(`c${i}`, 'TC UC')
    desk.openAll()
    await desk.work(opened.jobs, 1)
    await until(() => desk.began.length === 8)
    expect(desk.began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'a4'])
  })

  it('skip a person who already runs as many jobs as allowed', async () => {
    await using opened = await openTestJobs()
    const desk = openDesk(opened.jobs)
    await desk.work(opened.jobs, 2, 1)
    await desk.send('a1', 'TA U1')
    await desk.send('a2', 'TA U2')
    await until(() => desk.began.length === 2)
    for (const name of ['b1', 'b2']) await desk.send(name, 'TB UB')
    for (const [name, person] of [...'345'].map(i => [`a${i}`, `U${i}`]))
      await desk.send(`${name}`, `TA ${person}`)
    expect(await desk.afterEnd('a1')).toBe('b1')
    expect(await desk.afterEnd('a2')).toBe('a3')
    expect(await desk.afterEnd('b1')).toBe('b2')
    desk.openAll()
    await until(() => desk.began.length === 7)
  })

  it('do not skip jobs without a group', async () => {
    await using opened = await openTestJobs()
    const desk = openDesk(opened.jobs)
    for (const i of [1, 2, 3]) await desk.send(`a${i}`, 'TA UA')
    for (const i of [1, 2, 3]) await desk.send(`b${i}`, 'TB UB')
    await opened.jobs.send('question', { questionId: randomUUID() })
    desk.openAll()
    await desk.work(opened.jobs, 1)
    await until(() => desk.began.length === 7)
    expect(desk.began).toEqual(['a1', 'b1', 'nobody', 'a2', 'b2', 'a3', 'b3'])
  })
})
