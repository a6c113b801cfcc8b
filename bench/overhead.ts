import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { makeAnswerRuns } from '../graphs/answer/answer-runs.ts'
import { findClarification } from '../src/clarification/find-clarification.ts'
import { forEachConcurrently } from '../src/evaluation/evaluation-database.ts'
import { percentile } from '../src/evaluation/statistics.ts'
import { resultKey } from '../src/ranking/result-key.ts'
import { makeCheckpoints } from '../src/store/checkpoints.ts'
import { makeStore } from '../src/store/store.ts'
import { answerDeps } from '../test/helpers/answer-deps.ts'
import { selectionParts } from '../test/helpers/selection-parts.ts'
import { instantDatabase, instantFix, instantPaths, instantReading } from './overhead/instant-parts.ts'
import { openBenchDatabase } from './overhead/open-bench-database.ts'

/**
 * `npm run bench:overhead`: what a question costs beside models and databases: the graph, checkpoints in Postgres after
 * every step, and our own store. Model and database answer at once. docs/benchmarks.md says what was measured.
 */
const { values } = parseArgs({
  options: {
    drafts: { type: 'string', default: '3,21' },
    questions: { type: 'string', default: '300' },
  },
})

const database = await openBenchDatabase()

const store = makeStore({ url: database.url, resultKey })

await store.migrate()

const checkpoints = makeCheckpoints({ url: database.url })

const runsFor = (drafts: number) =>
  makeAnswerRuns(
    answerDeps({
      ...instantReading,
      ...selectionParts,
      drafting: { mode: 'full', mostDrafts: drafts },
      database: async () => instantDatabase,
      paths: instantPaths(drafts),
      fixers: [instantFix],
      findClarification,
      runStore: store.runStore,
      saveResult: store.saveResult,
      loadResult: store.loadResult,
      loadHeads: store.loadHeads,
      thresholds: { answer: 0.3, ask: 0.2 },
    }),
    checkpoints.checkpointer,
  )

/** Milliseconds of each question, and questions a second, with so many at a time. */
const measure = async (drafts: number, count: number, concurrency: number) => {
  const runs = runsFor(drafts)
  const times: number[] = []
  const started = performance.now()
  await forEachConcurrently(Array.from({ length: count }), concurrency, async () => {
    const id = randomUUID()
    const question = {
      id,
      key: `bench:${id}`,
      text: 'How many of each are there?',
      database: 'bench',
      askedAt: new Date(),
      timeZone: 'UTC',
      askedBy: null,
    }
    await store.repositories.questions.insert(question, null)
    const before = performance.now()
    const { outcome } = await runs.start(question)
    if (outcome.status !== 'answered') throw new Error(`a question ended as ${outcome.status}`)
    times.push(performance.now() - before)
  })
  const seconds = (performance.now() - started) / 1000
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), perSecond: count / seconds }
}

/** Bytes of checkpoints, blobs and writes for one question, as stored. */
const checkpointBytes = async (): Promise<number> => {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    const { rows } = await client.query(`
      select (select coalesce(sum(pg_column_size(c.*)), 0) from querent_graph.checkpoints c)
           + (select coalesce(sum(pg_column_size(b.*)), 0) from querent_graph.checkpoint_blobs b)
           + (select coalesce(sum(pg_column_size(w.*)), 0) from querent_graph.checkpoint_writes w) as bytes,
             (select count(distinct thread_id) from querent_graph.checkpoints) as threads`)
    return Number(rows[0].bytes) / Math.max(1, Number(rows[0].threads))
  } finally {
    await client.end()
  }
}

try {
  const count = Number(values.questions)
  await measure(3, 20, 4) // warms compilers, pools and plans
  for (const drafts of (values.drafts ?? '').split(',').map(Number)) {
    const cpuBefore = process.cpuUsage()
    const alone = await measure(drafts, Math.ceil(count / 3), 1)
    const together = await measure(drafts, count, 50)
    const { user, system } = process.cpuUsage(cpuBefore)
    process.stdout.write(
      `${JSON.stringify({
        drafts,
        alone,
        together,
        cpuMillisecondsPerQuestion: (user + system) / 1000 / (count + Math.ceil(count / 3)),
        checkpointBytes: await checkpointBytes(),
        load: loadavg()[0],
      })}\n`,
    )
    await database.emptyCheckpoints()
  }
} finally {
  await checkpoints.close()
  await store.close()
  await database.drop()
}
