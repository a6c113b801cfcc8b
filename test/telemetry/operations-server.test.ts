import { afterEach, describe, expect, it } from 'vitest'
import {
  healthParts,
  type Log,
  NOT_STARTED,
  type Readiness,
  silentLog,
} from '../../src/domain/operations/telemetry.ts'
import { makeMetrics } from '../../src/telemetry/metrics.ts'
import {
  makeReadiness,
  type OperationsServer,
  serveOperations,
} from '../../src/telemetry/operations-server.ts'
import { sendRaw } from '../helpers/raw-request.ts'

const open: OperationsServer[] = []

afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

const serve = async (given: { look: () => Promise<Readiness>; port?: number; host?: string; log?: Log }) => {
  const server = await serveOperations({
    ...{ host: '127.0.0.1', port: 0, metrics: makeMetrics(), log: silentLog },
    ...given,
  })
  open.push(server)
  return {
    server,
    get: (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method }),
  }
}

const working = () => {
  const readiness = makeReadiness(silentLog, 50)
  for (const part of healthParts) readiness.watch(part, async () => null)
  return readiness
}

describe('the operations server', () => {
  it('is alive and ready, and shows metrics', async () => {
    const { get } = await serve({ look: working().look })
    expect((await get('/healthz')).status).toBe(200)
    const ready = await get('/readyz')
    expect(ready.status).toBe(200)
    expect(await ready.json()).toEqual({
      status: 'ready',
      parts: Object.fromEntries(healthParts.map(part => [part, { ok: true }])),
    })
    const metrics = await get('/metrics?x=1')
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(await metrics.text()).toContain('# TYPE querent_questions_total counter')
  })

  it.each([
    ['GET', '/healthz', 200],
    ['GET', '/metrics', 200],
    ['POST', '/readyz', 405],
    ['GET', '/elsewhere', 404],
  ])('reads no body: %s %s', async (method, path, status) => {
    const { server } = await serve({ look: working().look })
    const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\n`
    // The body is announced, and does not end.
    const more = () => 'x'.repeat(100_000)
    const reply = await sendRaw(server.port, `${head}content-length: 100000000\r\n\r\n`, more)
    expect([status, null]).toContain(reply.status)
    expect(reply.sent).toBeLessThan(3_000_000)
  })

  it('is alive but not ready before its parts have started', async () => {
    const { get } = await serve({ look: makeReadiness(silentLog).look })
    expect((await get('/healthz')).status).toBe(200)
    const ready = await get('/readyz')
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({
      status: 'not-ready',
      parts: { store: { ok: false, reason: 'has not started' } },
    })
  })

  it('logs a failing part, and not one that has yet to start', async () => {
    const complaints: string[] = []
    const readiness = makeReadiness({
      ...silentLog,
      warn: (fields, message) => void complaints.push(`${message}: ${JSON.stringify(fields)}`),
    })
    let queue: string | null = NOT_STARTED
    let slack: string | null = NOT_STARTED
    readiness.watch('queue', async () => queue)
    readiness.watch('slack', async () => slack)
    expect((await readiness.look()).parts.queue).toEqual({ ok: false, reason: NOT_STARTED })
    expect(complaints).toEqual([])
    queue = null
    slack = 'is not connected'
    await readiness.look()
    await readiness.look()
    expect(complaints).toEqual([expect.stringContaining('"slack","reason":"is not connected"')])
  })

  it('says which part does not work, in words that hold no secret', async () => {
    const readiness = working()
    readiness.watch('store', async () => {
      throw new Error('connect ECONNREFUSED postgres://querent:hunter2@db.internal:5432')
    })
    readiness.watch('slack', async () => 'is not connected')
    readiness.watch('queue', () => new Promise(() => {}))
    const { get } = await serve({ look: readiness.look })
    const response = await get('/readyz')
    expect(response.status).toBe(503)
    const text = await response.text()
    expect(text).not.toContain('hunter2')
    expect(text).not.toContain('db.internal')
    expect(JSON.parse(text).parts).toEqual({
      store: { ok: false, reason: 'is not working; the log says why' },
      migrations: { ok: true },
      queue: { ok: false, reason: 'does not answer within 0.05 s' },
      slack: { ok: false, reason: 'is not connected' },
      database: { ok: true },
    })
  })

  it('is not ready while it drains, though every part works', async () => {
    const readiness = working()
    const { get } = await serve({ look: readiness.look })
    readiness.drain()
    const response = await get('/readyz')
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ status: 'draining', parts: { store: { ok: true } } })
  })

  it('serves three pages, with GET only', async () => {
    const { get } = await serve({ look: working().look })
    expect((await get('/')).status).toBe(404)
    expect((await get('/healthz', 'POST')).status).toBe(405)
    const head = await get('/readyz', 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('reports a failed page, and keeps running', async () => {
    const errors: string[] = []
    const { get } = await serve({
      look: () => Promise.reject(new Error('boom')),
      log: { ...silentLog, error: (_, message) => void errors.push(message) },
    })
    const response = await get('/readyz')
    expect([response.status, await response.text()]).toEqual([500, 'This failed. The log says why.\n'])
    expect(errors).toEqual(['an operations page failed'])
    expect((await get('/healthz')).status).toBe(200)
  })

  it('reports the next step if it cannot listen', async () => {
    const { server } = await serve({ look: working().look })
    await expect(serve({ look: working().look, port: server.port })).rejects.toMatchObject({
      code: 'bad-configuration',
      message: expect.stringContaining('another program uses that port. Set operations.port to a free port'),
    })
    await expect(serve({ look: working().look, host: '203.0.113.9' })).rejects.toMatchObject({
      code: 'bad-configuration',
      message: expect.stringContaining('Set operations.host'),
    })
  })
})

describe('readiness', () => {
  it('logs once when a part fails and once when it works again', async () => {
    const said: string[] = []
    const tell =
      (level: string) =>
      (fields: Readonly<Record<string, unknown>>, message: string): void =>
        void said.push(`${level} ${message}: ${fields.part}`)
    const readiness = makeReadiness({ ...silentLog, warn: tell('warn'), info: tell('info') })
    let away = true
    for (const part of healthParts) readiness.watch(part, async () => null)
    readiness.watch('store', async () => (away ? 'is away' : null))
    await readiness.look()
    await readiness.look()
    away = false
    await readiness.look()
    await readiness.look()
    expect(said).toEqual([
      'warn a part of the bot is not working: store',
      'info a part of the bot is working again: store',
    ])
  })

  it('shares one check among concurrent requests', async () => {
    let looks = 0
    const readiness = working()
    readiness.watch('store', async () => {
      looks += 1
      return null
    })
    await Promise.all([readiness.look(), readiness.look(), readiness.look()])
    expect(looks).toBe(1)
    await readiness.look()
    expect(looks).toBe(2)
  })
})
