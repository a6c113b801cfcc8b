import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JobData, QueueName } from '../../src/domain/operations/jobs.ts'
import { type Jobs, makeJobs } from '../../src/jobs/jobs.ts'
import { observeFor, until } from '../helpers/wait.ts'
import { withClient } from '../helpers/with-client.ts'
import { makeQuestion } from '../store/setup/make-question.ts'
import { openTestJobs } from './open-test-jobs.ts'

/** Takes the jobs of a queue down as they come. */
const collect = async <Q extends QueueName>(jobs: Jobs, queue: Q, concurrency = 1) => {
  const taken: { data: JobData[Q]; attempt: number }[] = []
  await jobs.work(
    queue,
    async (data, { attempt }) => {
      taken.push({ data, attempt })
    },
    { concurrency },
  )
  return taken
}

/** Resolves when a worker has looked for jobs and has found none: its connection rests after that statement. */
const firstLookIsOver = (url: string): Promise<unknown> =>
  withClient(url, client => {
    const looked = `select from pg_stat_activity where datname = current_database()
      and application_name = 'querent-jobs' and state = 'idle' and query ilike '%for update%skip locked%'`
    return until(async () => (await client.query(looked)).rowCount !== 0, { waitingFor: 'a first look' })
  })

const queued = async (url: string, queue: QueueName): Promise<{ state: string; retry_count: number }[]> => {
  const sql = 'select state::text, retry_count from querent_jobs.job where name = $1 order by created_on'
  return withClient(url, async client => (await client.query(sql, [queue])).rows)
}

describe('a job', () => {
  it('reaches a waiting worker at once', async () => {
    await using opened = await openTestJobs({ pollSeconds: 300 })
    const taken = await collect(opened.jobs, 'question')
    await firstLookIsOver(opened.url)
    const questionId = randomUUID()
    await opened.jobs.send('question', { questionId })
    await until(() => taken.length > 0)
    expect(taken).toEqual([{ data: { questionId }, attempt: 1 }])
    expect(opened.errors).toEqual([])
  })

  it('is taken right after the one before it', async () => {
    await using opened = await openTestJobs({ pollSeconds: 300 })
    const ids = Array.from({ length: 6 }, () => randomUUID())
    for (const questionId of ids) await opened.jobs.send('question', { questionId })
    const taken = await collect(opened.jobs, 'question')
    await until(() => taken.length === ids.length)
    expect(taken.map(({ data }) => data.questionId)).toEqual(ids)
  })

  it("reaches a worker when its question's transaction commits", async () => {
    await using opened = await openTestJobs({ pollSeconds: 300 })
    const { store, jobs } = opened
    const taken = await collect(jobs, 'question')
    await firstLookIsOver(opened.url)
    const question = makeQuestion()
    await store.inTransaction(async tx => {
      await store.repositories.questions.insert(question, null, tx)
      await jobs.send('question', { questionId: question.id }, { tx })
      expect(await queued(opened.url, 'question')).toEqual([])
      expect(taken).toEqual([])
    })
    await until(() => taken.length > 0)
    expect(taken.map(({ data }) => data.questionId)).toEqual([question.id])
    expect(await store.questionLog.load(question.id)).toEqual(question)
  })

  it("does not exist if its question's transaction fails", async () => {
    await using opened = await openTestJobs()
    const { store, jobs } = opened
    const question = makeQuestion()
    const failed = store.inTransaction(async tx => {
      await store.repositories.questions.insert(question, null, tx)
      await jobs.send('question', { questionId: question.id }, { tx })
      throw new Error('broke before the commit')
    })
    await expect(failed).rejects.toThrow('before the commit')
    expect(await store.questionLog.load(question.id)).toBeNull()
    expect(await queued(opened.url, 'question')).toEqual([])
  })

  it('waits or runs once per key', async () => {
    await using opened = await openTestJobs()
    const reply = { kind: 'option', number: 2 } as const
    const questionId = randomUUID()
    await opened.jobs.send('resume', { questionId, reply })
    await opened.jobs.send('resume', { questionId, reply })
    await opened.jobs.send('resume', { questionId: randomUUID(), reply })
    expect(await queued(opened.url, 'resume')).toHaveLength(2)
  })

  it('can start later', async () => {
    await using opened = await openTestJobs()
    const taken = await collect(opened.jobs, 'expire-clarification')
    const sent = performance.now()
    await opened.jobs.send('expire-clarification', { questionId: randomUUID() }, { startAfterSeconds: 1 })
    await until(() => taken.length > 0)
    expect(performance.now() - sent).toBeGreaterThanOrEqual(1000)
  })

  it('is refused if its data does not fit the queue', async () => {
    await using opened = await openTestJobs()
    const wrong = { questionId: 'not an id' }
    await expect(opened.jobs.send('question', wrong)).rejects.toMatchObject({ code: 'internal' })
    expect(await queued(opened.url, 'question')).toEqual([])
  })

  it('is retried if its handler fails', async () => {
    await using opened = await openTestJobs()
    const attempts: number[] = []
    await opened.jobs.work(
      'question',
      async (_, { attempt }) => {
        attempts.push(attempt)
        if (attempt === 1) throw new Error('the first time')
      },
      { concurrency: 2 },
    )
    await opened.jobs.send('question', { questionId: randomUUID() })
    await until(() => attempts.length === 2)
    expect(attempts).toEqual([1, 2])
  })

  it('is retried by another process if its worker was killed', { timeout: 60_000 }, async () => {
    await using opened = await openTestJobs({ heartbeatSeconds: 10, superviseSeconds: 1 })
    const child = fork(join(import.meta.dirname, 'worker-process.ts'), [opened.url], { stdio: 'inherit' })
    const took = once(child, 'message')
    const questionId = randomUUID()
    await opened.jobs.send('question', { questionId })
    expect((await took)[0]).toEqual({ questionId })
    child.kill('SIGKILL')
    const taken = await collect(opened.jobs, 'question')
    await until(() => taken.length > 0, { timeoutMs: 50_000 })
    expect(taken).toEqual([{ data: { questionId }, attempt: 2 }])
  })
})

describe('stopping', () => {
  it('waits for the running job, and takes no other', async () => {
    await using opened = await openTestJobs()
    const jobs = await makeJobs({ url: opened.url, executeIn: opened.store.executeIn })
    const began: string[] = []
    const ended: string[] = []
    const letGo = Promise.withResolvers<void>()
    await jobs.work(
      'question',
      async ({ questionId }) => {
        began.push(questionId)
        await letGo.promise
        ended.push(questionId)
      },
      { concurrency: 1 },
    )
    await jobs.send('question', { questionId: randomUUID() })
    await jobs.send('question', { questionId: randomUUID() })
    await until(() => began.length > 0)
    let hasStopped = false
    const stopping = jobs.stop({ timeoutMs: 10_000 }).then(() => {
      hasStopped = true
    })
    // Long enough for it to stop, if it did not wait for the job.
    await observeFor(300)
    expect(hasStopped).toBe(false)
    letGo.resolve()
    await stopping
    expect(ended).toEqual(began)
    expect(began).toHaveLength(1)
    expect((await queued(opened.url, 'question')).map(job => job.state).sort()).toEqual([
      'completed',
      'created',
    ])
  })

  it('aborts a job that takes too long, which another process then does', async () => {
    await using opened = await openTestJobs()
    const jobs = await makeJobs({ url: opened.url, executeIn: opened.store.executeIn })
    let reason: unknown = null
    let began = false
    await jobs.work(
      'question',
      (_, { signal }) =>
        new Promise((_, reject) => {
          began = true
          signal.addEventListener('abort', () => {
            reason = signal.reason
            reject(signal.reason as Error)
          })
        }),
      { concurrency: 1 },
    )
    await jobs.send('question', { questionId: randomUUID() })
    await until(() => began)
    await jobs.stop({ timeoutMs: 100 })
    expect(reason).toMatchObject({ code: 'cancelled' })
    const taken = await collect(opened.jobs, 'question')
    await until(() => taken.length > 0)
    expect(taken[0]?.attempt).toBe(2)
  })

  it('does not wait forever for a handler that ignores the signal', async () => {
    await using opened = await openTestJobs()
    const jobs = await makeJobs({ url: opened.url, executeIn: opened.store.executeIn })
    let began = false
    await jobs.work(
      'question',
      () => {
        began = true
        return new Promise(() => {})
      },
      { concurrency: 1 },
    )
    await jobs.send('question', { questionId: randomUUID() })
    await until(() => began)
    await jobs.stop({ timeoutMs: 100 })
    expect((await queued(opened.url, 'question'))[0]?.state).toBe('retry')
  })
})
