import { expect, it } from 'vitest'
import { observeBot } from '../../src/bootstrap/operations.ts'
import { healthParts, silentLog } from '../../src/domain/operations/telemetry.ts'
import { makeJobs } from '../../src/jobs/jobs.ts'
import { resultKey } from '../../src/ranking/result-key.ts'
import { makeStore } from '../../src/store/store.ts'
import { makeMetrics } from '../../src/telemetry/metrics.ts'
import { makeReadiness, serveOperations } from '../../src/telemetry/operations-server.ts'
import { startStoppablePostgres } from '../helpers/services/stoppable-postgres.ts'
import { withClient } from '../helpers/with-client.ts'

/** What a probe waits for at most, by docs/operating.md. */
const PROBE_MS = 5_000

it('tells operators that the store is away, in time, and that it is back', async () => {
  await using undo = new AsyncDisposableStack()
  const server = undo.use(await startStoppablePostgres())
  const store = undo.adopt(makeStore({ url: server.url, resultKey }), ({ close }) => close())
  await store.migrate()
  const jobs = await makeJobs({ url: server.url, executeIn: store.executeIn })
  await jobs.stop({ timeoutMs: 1_000 })

  const { checks, readings } = observeBot({
    own: { store },
    surface: { isConnected: () => true },
    phase: () => 'working',
    checkClock: async () => null,
  })
  const readiness = makeReadiness(silentLog)
  for (const part of healthParts) readiness.watch(part, checks[part])
  const metrics = makeMetrics()
  metrics.readFrom(readings)
  metrics.metrics.vote('up')
  const pages = undo.adopt(
    await serveOperations({
      ...{ host: '127.0.0.1', port: 0, look: readiness.look, metrics, log: silentLog },
    }),
    ({ close }) => close(),
  )
  const get = (path: string) =>
    fetch(`http://127.0.0.1:${pages.port}${path}`, { signal: AbortSignal.timeout(PROBE_MS) })
  const ready = async () => {
    const answer = await get('/readyz')
    return {
      status: answer.status,
      store: ((await answer.json()) as { parts: { store: unknown } }).parts.store,
    }
  }

  expect(await ready()).toEqual({ status: 200, store: { ok: true } })
  const page = await (await get('/metrics')).text()
  expect(page).toContain('querent_queue_jobs{queue="question",state="waiting"} 0')
  expect(page).toContain('querent_readings_up 1')

  const setReadOnly = (value: 'on' | 'off') =>
    withClient(server.url, async client => {
      const { rows } = await client.query<{ name: string }>('select current_database() as name')
      await client.query(`set default_transaction_read_only = off`)
      await client.query(`alter database "${rows[0]?.name}" set default_transaction_read_only = ${value}`)
      // Sessions that are open keep what they had.
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
      )
    })
  await setReadOnly('on')
  await expect.poll(ready, { timeout: 10_000 }).toEqual({
    status: 503,
    store: { ok: false, reason: expect.stringContaining('cannot write') },
  })
  await setReadOnly('off')
  await expect.poll(ready, { timeout: 10_000 }).toEqual({ status: 200, store: { ok: true } })

  await server.stop()
  const [away, inOutage, alive] = await Promise.all([ready(), get('/metrics'), get('/healthz')])
  expect(away).toEqual({
    status: 503,
    store: { ok: false, reason: expect.stringMatching(/^(does not answer|is not working)/) },
  })
  expect(alive.status).toBe(200)
  const left = await inOutage.text()
  expect(left).toContain('querent_readings_up 0')
  expect(left).toContain('querent_votes_total{vote="up"} 1')
  // What is not known is left out: zero would say that nothing waits.
  expect(left).not.toContain('querent_queue_jobs{')

  await server.start()
  await expect.poll(ready, { timeout: 20_000 }).toEqual({ status: 200, store: { ok: true } })
  expect(await (await get('/metrics')).text()).toContain('querent_readings_up 1')
})
