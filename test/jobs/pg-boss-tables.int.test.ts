import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { makeReadQueueStats } from '../../src/jobs/pg-boss-tables.ts'
import { queueNames } from '../../src/jobs/queues.ts'
import { openTestJobs } from './open-test-jobs.ts'

it('reads how full each queue is, and for how long its oldest due job has waited', async () => {
  await using opened = await openTestJobs()
  const { store, jobs } = opened
  const read = makeReadQueueStats((sql, values) =>
    store.inTransaction(tx => store.executeIn(tx, sql, values)),
  )
  expect(await read()).toEqual(
    queueNames.map(queue => ({ queue, waiting: 0, active: 0, dead: 0, oldestSeconds: 0 })),
  )
  await jobs.send('question', { questionId: randomUUID() })
  await jobs.send('question', { questionId: randomUUID() })
  await jobs.send('expire-clarification', { questionId: randomUUID() }, { startAfterSeconds: 600 })
  const client = new Client({ connectionString: opened.url })
  await client.connect()
  await client.query(
    `update querent_jobs.job set start_after = now() - interval '90 seconds' where name = 'question'`,
  )
  await client.end()
  const after = new Map((await read()).map(reading => [reading.queue, reading]))
  expect(after.get('question')).toMatchObject({ waiting: 2, active: 0, dead: 0 })
  expect(after.get('question')?.oldestSeconds).toBeGreaterThanOrEqual(90)
  // It waits for its time, not for a worker.
  expect(after.get('expire-clarification')).toMatchObject({ waiting: 1, oldestSeconds: 0 })
})
