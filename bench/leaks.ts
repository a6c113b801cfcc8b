import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { stringify } from 'yaml'
import type { Simulator } from '../simulator/simulator.ts'
import { startSimulator } from '../simulator/start-simulator.ts'
import { serveMcpOverHttp } from '../src/bootstrap/mcp/serve-mcp.ts'
import { makeResources } from '../src/bootstrap/resources.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { silentLog } from '../src/domain/operations/telemetry.ts'
import { makeRandom } from '../src/lib/random.ts'
import { openWatcher } from '../test/e2e/open-watcher.ts'
import { makeSqliteFile } from '../test/helpers/sqlite-file.ts'
import { makeBotHome } from '../test/helpers/start-bot.ts'
import { connectClient, type TestClient } from '../test/mcp/connect.ts'
import { act, actors, type Draw, type Scene, type Tally } from './leaks/act.ts'
import { judgeDeliveries } from './leaks/judge.ts'
import { plantWrittenValues } from './leaks/plant.ts'
import {
  firstSights,
  type Handle,
  handles,
  laterSights,
  type Sights,
  settingsFor,
  statements,
} from './leaks/world.ts'
import { openBenchDatabase } from './overhead/open-bench-database.ts'

/**
 * `npm run bench:leaks [-- --questions N --seed S --change --json]`: five people with different rights ask, ask on, click, edit,
 * export, schedule, review, look at lists, forms, digests and App Home, and call tools at random, in direct messages and in
 * channels that all of them are in, with the answer cache on (in Redis if REDIS_URL is set). One of them is an admin. Figures are compared with a direct query over the rows of each; everything that is delivered is searched for
 * rows of others. With --change, the bot is killed in the middle and everybody has other rights from then on.
 */
const { values } = parseArgs({
  options: {
    questions: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    change: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

const undo = new AsyncDisposableStack()

const run = async () => {
  const store = undo.adopt(await openBenchDatabase(), opened => opened.drop())
  const simulator = undo.adopt(await startSimulator({ timing: { retryAfter: [0, 1_000, 5_000] } }), opened =>
    opened.close(),
  )
  const database = undo.adopt(makeSqliteFile(statements()), made => made.remove())
  const idOf = (handle: string): string => simulator.people.find(person => person.handle === handle)?.id ?? ''
  const redisUrl = process.env.REDIS_URL
  const home = undo.use(
    await makeBotHome({
      ...{ simulator, storeUrl: store.url, databaseFile: database.file, cacheMinutes: 60 },
      ...(redisUrl === undefined ? {} : { redisUrl }),
      ...deciders(simulator, idOf),
      more: settingsFor(firstSights, idOf),
    }),
  )
  let bot = await home.start()
  const watcher = undo.use(await openWatcher(store.url))
  let looking: Promise<unknown> = Promise.resolve()
  const rows: Scene['rows'] = (sql, given) => {
    const look = looking.then(() => watcher.rows(sql, given))
    looking = look.catch(() => {})
    return look
  }
  await plantWrittenValues(rows, region => idOf(handles.find(handle => firstSights[handle] === region) ?? ''))
  const tally: Tally = { actions: {}, answers: 0, compared: 0, leaks: [] }
  const random = makeRandom(Number(values.seed))
  const draw: Draw = below => Math.min(below - 1, Math.floor(random() * below))
  const total = Number(values.questions)

  /** Everybody acts at the same time, each one action after the other. */
  const play = async (actions: number, sights: Sights): Promise<void> => {
    await using programs = await openPrograms(store.url, database.file, sights, idOf)
    const scene: Scene = { simulator, sights, databaseFile: database.file, programs: programs.of, rows }
    let left = actions
    await Promise.all(
      actors.map(async by => {
        while (left > 0) {
          left -= 1
          await act(scene, by, draw, tally)
        }
      }),
    )
  }
  let changed: { readonly at: number; readonly sights: Sights } | null = null
  if (values.change) {
    await play(Math.ceil(total / 2), firstSights)
    await bot.end('SIGKILL')
    home.reconfigure(settingsFor(laterSights, idOf))
    changed = { at: Date.now(), sights: laterSights }
    bot = await home.start()
    await play(Math.floor(total / 2), laterSights)
  } else await play(total, firstSights)
  await simulator.settled()
  const delivered = judgeDeliveries({ simulator, sights: firstSights, changed })
  const cached = await rows('select count(*)::int as n from querent.answers where cached_from is not null')
  return {
    leaks: [...tally.leaks, ...delivered],
    summary: {
      actions: Object.values(tally.actions).reduce((sum, n) => sum + n, 0),
      ...tally.actions,
      answers: tally.answers,
      compared: tally.compared,
      fromCache: Number(cached[0]?.n ?? 0),
      messages: simulator.messages().filter(({ byBot }) => byBot).length,
      rows: tally.leaks.length + delivered.length,
    },
  }
}

/** An admin with rights to the rows of one region, and a channel of everybody where answers are reviewed. */
const deciders = ({ channels }: Pick<Simulator, 'channels'>, idOf: (handle: string) => string) => {
  const humansChannel = channels.find(({ name }) => name === 'general')?.id
  return { admins: [idOf('jonas')], ...(humansChannel && { humansChannel }) }
}

/** A program of each person, with the claims of that person, over the same store. */
const openPrograms = async (
  storeUrl: string,
  databaseFile: string,
  sights: Sights,
  idOf: (handle: string) => string,
): Promise<{ readonly of: Readonly<Record<Handle, TestClient>> } & AsyncDisposable> => {
  const stack = new AsyncDisposableStack()
  const folder = stack.adopt(mkdtempSync(join(tmpdir(), 'querent-leaks-')), made =>
    rmSync(made, { recursive: true, force: true, maxRetries: 3 }),
  )
  const tokens = Object.fromEntries(handles.map(handle => [handle, randomBytes(20).toString('hex')]))
  const file = join(folder, 'querent.yml')
  writeFileSync(
    file,
    stringify({
      defaultDatabase: 'cycles',
      databases: { cycles: { path: databaseFile } },
      timeZone: 'UTC',
      answer: { minimumConfidence: 0.1, cacheMinutes: 60 },
      rateLimits: {
        personPerMinute: 0,
        personPerHour: 0,
        teamPerMinute: 0,
        teamPerHour: 0,
        buttonsPerMinute: 0,
      },
      ...settingsFor(sights, idOf),
      mcp: {
        port: 0,
        tokens: Object.fromEntries(
          handles.map(handle => [
            handle,
            {
              token: tokens[handle],
              person: idOf(handle),
              databases: ['cycles'],
              claims: { region: sights[handle] },
            },
          ]),
        ),
      },
    }),
  )
  const config = loadConfig({
    cwd: folder,
    env: { QUERENT_CONFIG: file, QUERENT_HOME: join(folder, 'home'), DATABASE_URL: storeUrl },
  })
  const resources = makeResources(config, { log: silentLog, asOf: '2026-11-26' })
  stack.defer(() => resources.release())
  const stop = new AbortController()
  const listening = Promise.withResolvers<string>()
  const serving = serveMcpOverHttp(resources, {
    ...{ database: null, port: 0, signal: stop.signal, onListening: listening.resolve },
  })
  serving.catch(listening.reject)
  stack.defer(async () => {
    stop.abort()
    await serving
  })
  const url = new URL(await listening.promise)
  const clients: [Handle, TestClient][] = []
  for (const handle of handles) {
    const headers = { authorization: `Bearer ${tokens[handle]}` }
    const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } })
    clients.push([handle, stack.use(await connectClient(transport))])
  }
  return {
    of: Object.fromEntries(clients) as Record<Handle, TestClient>,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

try {
  const { leaks, summary } = await run()
  for (const leak of leaks) process.stderr.write(`${leak}\n`)
  console.log(JSON.stringify(summary, null, values.json ? 0 : 2))
  process.exitCode = values.json || leaks.length === 0 ? 0 : 1
} finally {
  await undo.disposeAsync()
}
process.exit()
