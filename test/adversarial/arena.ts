import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Client } from 'pg'
import { stringify } from 'yaml'
import { freePort } from '../../simulator/free-port.ts'
import { startSimulator } from '../../simulator/start-simulator.ts'
import { makeBot } from '../../src/bootstrap/bot.ts'
import { serveMcpOverHttp } from '../../src/bootstrap/mcp/serve-mcp.ts'
import { makeResources } from '../../src/bootstrap/resources.ts'
import { makeSingleWorkspace } from '../../src/bootstrap/slack/workspaces.ts'
import { listSecrets, loadConfig } from '../../src/config/load-config.ts'
import { makeBoltLogger, makeHttpReceiver } from '../../src/slack/receivers.ts'
import { makeLog } from '../../src/telemetry/log.ts'
import { openWatcher, type Watcher } from '../e2e/open-watcher.ts'
import { makeDuckdbFile } from '../helpers/duckdb-file.ts'
import { createMysqlDatabase } from '../helpers/services/mysql-database.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { until } from '../helpers/wait.ts'
import { withClient } from '../helpers/with-client.ts'
import { connectClient } from '../mcp/connect.ts'
import type { Attack, Engine } from './attack.ts'
import { modelKey, startObedientModel } from './obedient.ts'
import {
  channelNames,
  databaseNames,
  knowledgeOf,
  layerOf,
  lists,
  shopStatements,
  tenantChannel,
  tenantGrant,
  tenantLists,
  tenantNames,
  verifiedOf,
} from './world.ts'

/** What Slack signs with; it must not be seen anywhere. */
const signingSecret = 'zqsecret-of-slack'

/** How long a statement may run here: the bombs that reach a database end soon. */
const statementMs = 1_000

const mostRows = 2_000

/**
 * The bot in one process, with a Slack simulator, an obedient model, an MCP client and a shop on every engine that is
 * there. All of it is real but Slack and the model.
 */
export const openArena = async (given: {
  readonly attacks: readonly Attack[]
  /** An empty database for Querent's own store. */
  readonly storeUrl: string
  /** An empty database for the shop, as a superuser. */
  readonly postgresUrl: string
  /** A server on which a database may be made; null if there is none. */
  readonly mysqlUrl: string | null
}) => {
  const undo = new AsyncDisposableStack()
  try {
    const simulator = await startSimulator({
      signingSecret,
      timing: { retryAfter: [0, 5, 10] },
      moreChannels: [channelNames.postgres, channelNames.mysql, channelNames.duckdb, tenantChannel],
    })
    undo.defer(() => simulator.close())
    const folder = mkdtempSync(join(tmpdir(), 'querent-attacks-'))
    undo.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
    const shops = await makeShops(given, folder, undo)
    const model = undo.use(await startObedientModel(given.attacks, 'select count(*) from orders'))
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    write('knowledge/shop.md', knowledgeOf(given.attacks))
    write('semantic/shop.yml', stringify(layerOf(given.attacks)))
    const port = await freePort()
    const newToken = (): string => `zqsecret-${randomBytes(16).toString('hex')}`
    const tokens = { shop: newToken(), crm: newToken() }
    const idOf = (handle: string) => simulator.people.find(person => person.handle === handle)?.id ?? ''
    write('querent.yml', stringify(settingsOf(shops, { port, tokens, idOf })))
    const config = loadConfig({
      cwd: folder,
      env: {
        QUERENT_CONFIG: join(folder, 'querent.yml'),
        QUERENT_HOME: join(folder, 'home'),
        DATABASE_URL: given.storeUrl,
        OPENAI_BASE_URL: model.baseUrl,
        OPENAI_API_KEY: modelKey,
        SLACK_BOT_TOKEN: simulator.botToken,
        SLACK_SIGNING_SECRET: simulator.signingSecret,
        SLACK_API_URL: simulator.apiUrl,
      },
    })
    const logged: string[] = []
    const log = makeLog({
      level: 'info',
      secrets: listSecrets(config),
      destination: { write: line => void logged.push(line) },
    })
    const resources = makeResources(config, { log, asOf: '2026-11-26' })
    undo.defer(() => resources.release())
    const { store } = await resources.ownStore()
    for (const query of verifiedOf(given.attacks)) await store.repositories.verifiedQueries.insert(query)
    for (const { engine } of shops) await resources.openDatabase(databaseNames[engine])
    const bot = await makeBot(resources, {
      receiver: makeHttpReceiver({ signingSecret, port, host: '127.0.0.1', logger: makeBoltLogger(log) }),
      workspaces: makeSingleWorkspace({ token: simulator.botToken, apiUrl: simulator.apiUrl }),
      database: databaseNames.sqlite,
      workers: config.slack.workers,
    })
    undo.defer(() => bot.stop(5_000))
    await bot.start()
    const botUrl = `http://127.0.0.1:${port}/slack/events`
    simulator.setBotUrl(botUrl)
    const mcpUrl = await serveMcp(resources, undo)
    const connect = (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return connectClient(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit: { headers } }))
    }
    /** A program that asks the shops, and one of a person of the north that asks the databases with tenants. */
    const mcp = { shop: undo.use(await connect(tokens.shop)), crm: undo.use(await connect(tokens.crm)) }
    const watcher = oneAtATime(undo.use(await openWatcher(given.storeUrl)))
    return {
      ...{ simulator, model, mcp, watcher, logged, botUrl, signingSecret, mostRows },
      engines: shops.map(({ engine }) => engine),
      /** A text for all that the shop of an engine holds. */
      contentOf: async (engine: Engine) => shops.find(shop => shop.engine === engine)?.content() ?? '',
      /** What nobody may ever see, anywhere. */
      secrets: [modelKey, signingSecret, ...Object.values(tokens), new URL(given.storeUrl).password].filter(
        text => text !== '',
      ),
      [Symbol.asyncDispose]: () => undo.disposeAsync(),
    }
  } catch (error) {
    await undo.disposeAsync()
    throw error
  }
}

/** A watcher that many attacks use at once; it has one connection. */
const oneAtATime = ({ rows }: Pick<Watcher, 'rows'>) => {
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn: Watcher['rows'] = (...given) => {
    const found = turn.then(() => rows(...given))
    turn = found.catch(() => {})
    return found
  }
  const untilFound = async (sql: string, values: readonly unknown[] = [], timeoutMs = 20_000) =>
    until(async () => (await inTurn(sql, values)).length > 0, { timeoutMs, waitingFor: sql })
  return { rows: inTurn, until: untilFound }
}

export type Arena = Awaited<ReturnType<typeof openArena>>

interface Shop {
  readonly engine: Engine
  /** As querent.yml has it. */
  readonly address: Readonly<Record<string, unknown>>
  content(): Promise<string>
}

const settingsOf = (
  shops: readonly Shop[],
  given: {
    readonly port: number
    readonly tokens: { readonly shop: string; readonly crm: string }
    readonly idOf: (handle: string) => string
  },
): unknown => ({
  defaultDatabase: databaseNames.sqlite,
  databases: Object.fromEntries(
    shops.flatMap(({ engine, address }) => [
      [databaseNames[engine], { ...address, ...lists }],
      [tenantNames[engine], { ...address, ...tenantLists }],
    ]),
  ),
  access: {
    people: { [given.idOf('ada')]: { tenant: 'north' }, [given.idOf('jonas')]: { tenant: 'south' } },
    groups: Object.fromEntries([
      ...['north', 'south'].map(tenant => [
        tenant,
        { claims: { tenant }, databases: grantsOf(shops, tenantGrant) },
      ]),
      ['auditors', { members: [given.idOf('mira')], databases: grantsOf(shops, {}) }],
    ]),
  },
  directMessages: { database: tenantNames.sqlite },
  channels: Object.fromEntries([
    ...shops.map(({ engine }) => [channelNames[engine], { database: databaseNames[engine] }]),
    ['general', { database: databaseNames.sqlite }],
    [tenantChannel, { database: tenantNames.sqlite }],
  ]),
  timeZone: 'UTC',
  answer: { cacheMinutes: 0, minimumConfidence: 0 },
  drafting: { mostDrafts: 2, examples: { features: 0, focused: 0 } },
  models: { drafter: { model: 'obedient' }, explainer: { model: 'obedient' } },
  slack: { port: given.port, workers: 8 },
  rateLimits: { personPerMinute: 0, personPerHour: 0, teamPerMinute: 0, teamPerHour: 0, buttonsPerMinute: 0 },
  operations: { port: 0 },
  limits: { timeoutMs: statementMs, maxRows: mostRows, maxBytes: 1_000_000 },
  mcp: {
    port: 0,
    tokens: {
      shop: {
        token: given.tokens.shop,
        person: 'program',
        databases: shops.map(({ engine }) => databaseNames[engine]),
      },
      crm: {
        token: given.tokens.crm,
        person: 'north',
        databases: shops.map(({ engine }) => tenantNames[engine]),
        claims: { tenant: 'north' },
      },
    },
  },
})

const grantsOf = (shops: readonly Shop[], grant: unknown): unknown =>
  Object.fromEntries(shops.map(({ engine }) => [tenantNames[engine], grant]))

const makeShops = async (
  given: Pick<Parameters<typeof openArena>[0], 'attacks' | 'postgresUrl' | 'mysqlUrl'>,
  folder: string,
  undo: AsyncDisposableStack,
): Promise<readonly Shop[]> => {
  const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
  const statements = (engine: Engine): readonly string[] => shopStatements(engine, given.attacks)

  const sqlite = undo.adopt(makeSqliteFile(statements('sqlite').join(';\n')), made => made.remove())
  const duckdb = join(folder, 'shop.duckdb')
  await makeDuckdbFile(duckdb, statements('duckdb').join(';\n'))
  await withClient(given.postgresUrl, client => client.query(statements('postgres').join(';\n')))
  const shops: Shop[] = [
    { engine: 'sqlite', address: { path: sqlite.file }, content: async () => hashOf(sqlite.file) },
    {
      engine: 'postgres',
      address: { url: given.postgresUrl },
      content: () => withClient(given.postgresUrl, contentOfPostgres),
    },
    { engine: 'duckdb', address: { url: `duckdb:${duckdb}` }, content: async () => hashOf(duckdb) },
  ]
  if (given.mysqlUrl === null) return shops
  const mysql = undo.adopt(await createMysqlDatabase(given.mysqlUrl), made => made.drop())
  await mysql.admin(statements('mysql').join(';\n'))
  const contentOfMysql = async (): Promise<string> => {
    const tables = await mysql.admin(
      "select table_name as name from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE' order by 1",
    )
    const names = tables.map(({ name }) => `\`${String(name).replaceAll('`', '``')}\``)
    const sums = await mysql.admin(`checksum table ${names.join(', ')} extended`)
    const others = await mysql.admin(
      'select table_name, table_type from information_schema.tables where table_schema = database() order by 1',
    )
    return JSON.stringify([sums, others])
  }
  return [...shops, { engine: 'mysql', address: { url: mysql.url }, content: contentOfMysql }]
}

/** The rows of every table of the shop, and what else there is in the server that a statement could have made. */
const contentOfPostgres = async (client: Client): Promise<string> => {
  const { rows: tables } = await client.query<{ name: string }>(
    "select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
  )
  const contents: unknown[] = []
  for (const { name } of tables) {
    const { rows } = await client.query(
      `select count(*) as n, md5(string_agg(t::text, '|' order by t::text)) as sum from ${name} t`,
    )
    contents.push([name, rows])
  }
  const { rows: others } = await client.query(
    `select 'relation' as kind, relname::text as name, relacl::text as acl from pg_class where relnamespace = 'public'::regnamespace
     union all select 'function', proname::text, null from pg_proc where pronamespace = 'public'::regnamespace
     union all select 'large object', oid::text, null from pg_largeobject_metadata
     order by 1, 2`,
  )
  return JSON.stringify([contents, others])
}

const serveMcp = async (
  resources: ReturnType<typeof makeResources>,
  undo: AsyncDisposableStack,
): Promise<string> => {
  const stop = new AbortController()
  const listening = Promise.withResolvers<string>()
  const serving = serveMcpOverHttp(resources, {
    database: null,
    port: 0,
    signal: stop.signal,
    onListening: listening.resolve,
  })
  serving.catch(listening.reject)
  undo.defer(async () => {
    stop.abort()
    await serving
  })
  return listening.promise
}
