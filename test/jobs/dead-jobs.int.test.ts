import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { QuerentError } from '../../src/domain/errors.ts'
import { noMetrics } from '../../src/domain/operations/telemetry.ts'
import { readDeadJobs } from '../../src/jobs/dead-jobs.ts'
import { makeJobs } from '../../src/jobs/jobs.ts'
import { until } from '../helpers/wait.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'
import { openTestJobs } from './open-test-jobs.ts'

const isPermanent = (error: unknown): boolean =>
  error instanceof QuerentError && error.code === 'bad-configuration'

describe('a job that can never succeed', () => {
  it('is not retried, is stored with its reason, and can be requeued or deleted', async () => {
    const counted: string[] = []
    await using opened = await openTestJobs({
      isPermanent,
      metrics: { ...noMetrics, job: ({ queue, outcome }) => counted.push(`${queue} ${outcome}`) },
    })
    const { jobs } = opened
    let isMended = false
    const attempts: string[] = []
    await jobs.work(
      'question',
      async ({ questionId }) => {
        attempts.push(questionId)
        if (!isMended) throw new QuerentError('bad-configuration', 'set the address of the database')
      },
      { concurrency: 1 },
    )
    const [first, second] = [randomUUID(), randomUUID()]
    await jobs.send('question', { questionId: first })
    await jobs.send('question', { questionId: second })
    await until(async () => (await jobs.dead.list(5)).total === 2)
    const { jobs: dead, total } = await jobs.dead.list(1)
    expect(total).toBe(2)
    expect(dead).toHaveLength(1)
    expect(dead[0]).toMatchObject({
      queue: 'question',
      attempts: 1,
      code: 'bad-configuration',
      reason: 'set the address of the database',
    })
    expect(attempts.toSorted()).toEqual([first, second].toSorted())
    expect(counted).toEqual(['question dead', 'question dead'])

    isMended = true
    const id = dead[0]?.id ?? ''
    expect(await jobs.dead.retry(id)).toBe(true)
    await until(() => attempts.length === 3)
    expect(await jobs.dead.retry(id)).toBe(false)
    const [left] = (await jobs.dead.list(5)).jobs
    expect(await jobs.dead.drop(left?.id ?? '')).toBe(true)
    expect(await jobs.dead.drop(left?.id ?? '')).toBe(false)
    expect((await jobs.dead.list(5)).total).toBe(0)
    await until(() => counted.includes('question done'))
    expect(attempts).toHaveLength(3)
  })
})

describe('jobs of one group', () => {
  it('leave workers in all processes to others', async () => {
    await using opened = await openTestJobs({ pollSeconds: 0.5 })
    const other = await makeJobs({
      url: opened.url,
      executeIn: opened.store.executeIn,
      pollSeconds: 0.5,
    })
    try {
      const busy = Promise.withResolvers<void>()
      const began: string[] = []
      const groupOf = new Map<string, string>()
      for (let n = 0; n < 4; n++) {
        const questionId = randomUUID()
        groupOf.set(questionId, 'ada')
        await opened.jobs.send('question', { questionId }, { group: 'ada' })
      }
      for (const jobs of [opened.jobs, other]) {
        await jobs.work(
          'question',
          async ({ questionId }) => {
            began.push(groupOf.get(questionId) ?? 'jonas')
            await busy.promise
          },
          { concurrency: 2, perGroup: 1 },
        )
        // Two processes that look at the very same moment may both find the group idle.
        await until(() => began.length > 0)
      }
      await opened.jobs.send('question', { questionId: randomUUID() }, { group: 'jonas' })
      await until(() => began.includes('jonas'))
      expect(began.filter(who => who === 'ada').length).toBeLessThan(4)
      busy.resolve()
      await until(() => began.length === 5)
    } finally {
      await other.stop({ timeoutMs: 1_000 })
    }
  })
})

describe('listing dead jobs without a bot', () => {
  it('finds jobs that failed for good, and none if no bot has run yet', async () => {
    await using empty = await openTestStore()
    expect(await readDeadJobs(empty.url, 5)).toEqual({ jobs: [], total: 0 })
    await using opened = await openTestJobs({ isPermanent })
    await opened.jobs.work(
      'stop',
      () => Promise.reject(new QuerentError('bad-configuration', 'set the address of the database')),
      { concurrency: 1 },
    )
    await opened.jobs.send('stop', { questionId: randomUUID() })
    await until(async () => (await readDeadJobs(opened.url, 5)).total === 1)
    expect((await readDeadJobs(opened.url, 5)).jobs[0]).toMatchObject({ queue: 'stop', attempts: 1 })
  })
})
