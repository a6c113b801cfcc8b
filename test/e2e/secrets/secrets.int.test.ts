import { randomBytes } from 'node:crypto'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../simulator/free-port.ts'
import type { RecordedMessage } from '../../../simulator/shapes/message.ts'
import { isBuildFresh } from '../../../src/import-built.ts'
import { projectFolder } from '../../../src/lib/project.ts'
import { connectClient } from '../../mcp/connect.ts'
import { openWorkspace, type TestWorkspace } from '../open-workspace.ts'
import { dumpStore, readFolder } from './dump-store.ts'
import { startCollector, startEchoingModel, startEchoingPostgres } from './echoing-servers.ts'

/** Values of every kind that we hold, no two alike. */
const plant = () => {
  const random = () => randomBytes(9).toString('hex')
  return {
    openai: `sk-proj-${random()}`,
    anthropic: `ant-${random()}`,
    gemini: `gem-${random()}`,
    appToken: `xapp-1-${random()}`,
    clientSecret: `client-${random()}`,
    stateSecret: `state-${random()}-${random()}`,
    encryptionKey: randomBytes(32).toString('base64'),
    storePassword: `St/${random()}@`,
    shopPassword: `Sh/p ${random()}@`,
    rolePassword: `Ro%${random()}`,
    typedPassword: `Ty/${random()}`,
    redisPassword: `Re:${random()}`,
    mcpToken: `mcp-${random()}-${random()}`,
    collectorKey: `otlp-${random()}`,
    cookie: `cookie-${random()}`,
  }
}

type Planted = ReturnType<typeof plant>

/** The forms in which a secret would be of use to somebody. */
const formsOf = (secret: string): readonly string[] => [
  ...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
]

/** Which secrets stand in which outputs. */
const findLeaks = (
  outputs: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): readonly string[] =>
  Object.entries(outputs).flatMap(([output, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) =>
      formsOf(secret).some(form => text.includes(form)) ? [`${name} in ${output}`] : [],
    ),
  )

/** The bot crashes on one signal, and has a promise reject on another, as clients of other services fail: with headers. */
const crashing = `
const failure = () => Object.assign(
  new Error('request failed with ' + process.env.OPENAI_API_KEY),
  { config: { headers: { Authorization: 'Bearer ' + process.env.SHOP_MCP_TOKEN, Cookie: process.env.PLANTED_COOKIE } } },
)
process.on('SIGUSR2', () => { Promise.reject(failure()) })
process.on('SIGPIPE', () => { setImmediate(() => { throw failure() }) })`

/** The same, with a redaction that does nothing. */
const unredacted = `${crashing}
import { registerHooks } from 'node:module'
const stub = 'export const MASK = ""; export const rememberSecret = () => {}; export const secretsIn = one => [one];' +
  'export const redact = text => text; export const makeRedact = () => redact; export const redactError = error => error'
registerHooks({ load: (url, context, next) => url.endsWith('/src/lib/redact.ts')
  ? { format: 'module', source: stub, shortCircuit: true } : next(url, context) })`

const everything = ({ text, blocks, history }: RecordedMessage): string =>
  JSON.stringify([text, blocks, history])

/** Runs the bot with all secrets planted, makes fail what can, and returns all that came out. */
const runWithSecrets = async <More extends object>(
  planted: Planted,
  preload: string,
  andThen: (workspace: TestWorkspace) => Promise<More>,
) => {
  await using stack = new AsyncDisposableStack()
  const model = stack.use(await startEchoingModel())
  const postgres = stack.use(await startEchoingPostgres())
  const collector = stack.use(await startCollector())
  const operationsPort = await freePort()
  const { rolePassword, shopPassword, redisPassword } = planted
  const modelUrl = `http://127.0.0.1:${model.port}/v1`
  const shop = `postgres://reader:${encodeURIComponent(shopPassword)}@127.0.0.1:${postgres.port}/shop`
  const workspace = stack.use(
    await openWorkspace({
      preload: `data:text/javascript,${encodeURIComponent(preload)}`,
      admin: 'mira',
      redisUrl: `redis://default:${encodeURIComponent(redisPassword)}@127.0.0.1:1`,
      databases: {
        // The one turns the password away and quotes it; nobody listens where the other is said to be.
        quoting: { url: `\${SHOP_URL}`, credentials: { finance: `\${ROLE_URL}` } },
        refusing: { url: shop.replace(`:${postgres.port}/`, ':1/') },
      },
      env: {
        OPENAI_API_KEY: planted.openai,
        ANTHROPIC_API_KEY: planted.anthropic,
        GEMINI_API_KEY: planted.gemini,
        SHOP_URL: shop,
        ROLE_URL: `postgres://finance:${encodeURIComponent(rolePassword)}@127.0.0.1:${postgres.port}/shop`,
        SHOP_MCP_TOKEN: planted.mcpToken,
        PLANTED_COOKIE: `session=${planted.cookie}`,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
        OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${planted.collectorKey}`,
        OPENAI_BASE_URL: modelUrl,
        QUERENT_LOG_LEVEL: 'debug',
      },
      more: () => ({
        channels: { sales: {}, general: { database: 'quoting' }, random: { database: 'refusing' } },
        operations: { port: operationsPort },
        mcp: {
          port: 0,
          tokens: {
            shop: { token: `\${SHOP_MCP_TOKEN}`, person: 'reports', databases: ['quoting', 'cycles'] },
          },
        },
        models: {
          drafter: { model: 'gpt-5-mini' },
          judge: { model: 'sonnet' },
          endpoints: {
            sonnet: {
              ...{ provider: 'openai', model: 'claude-sonnet-4-5', baseUrl: modelUrl },
              apiKey: `\${ANTHROPIC_API_KEY}`,
            },
            flash: {
              ...{ provider: 'openai', model: 'gemini-2.5-flash', baseUrl: modelUrl },
              apiKey: `\${GEMINI_API_KEY}`,
            },
          },
        },
      }),
    }),
  )
  return {
    ...(await collectOutputs(workspace, { operationsPort, bodies: collector.bodies })),
    ...(await andThen(workspace)),
    store: await dumpStore(workspace.storeUrl),
    files: readFolder(workspace.bot.folder, ['querent.yml']),
  }
}

/** Asks over MCP with a wrong token and a cookie, and with the right one what fails; all that comes back. */
const useMcp = async (address: string, { mcpToken, cookie }: Planted): Promise<string> => {
  const refused = await fetch(address, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${mcpToken}x`,
      cookie: `session=${cookie}`,
      'content-type': 'application/json',
    },
    body: '{}',
  })
  const headers = { Authorization: `Bearer ${mcpToken}`, Cookie: `session=${cookie}` }
  const transport = new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } })
  await using made = await connectClient(transport as Transport)
  const { text } = await made.call('ask', { question: 'how many orders are there?', database: 'quoting' })
  return `${refused.status} ${JSON.stringify([...refused.headers])} ${await refused.text()} ${text}`
}

const collectOutputs = async (
  workspace: TestWorkspace,
  { operationsPort, bodies }: { readonly operationsPort: number; readonly bodies: readonly string[] },
) => {
  const { simulator, bot } = workspace
  const started = await bot.start()
  const tell = (channel: string, text: string) => simulator.post({ by: 'ada', in: channel, text })
  const clear = '@querent how many bicycles are there by kind?'
  const replied = async (message: RecordedMessage): Promise<void> => {
    await simulator.until(
      () =>
        simulator.messages().some(one => one.byBot && (one.threadTs === message.ts || one.onlyFor !== null)),
      60_000,
    )
  }

  for (const channel of ['#sales', '#general', '#random']) await replied(await tell(channel, clear))
  await replied(await tell('#sales', '@querent which riders never returned anything late?'))
  // Slack quotes the token that it was called with.
  const echo = `invalid_auth ${simulator.botToken} Bearer ${simulator.botToken} ${simulator.signingSecret}`
  simulator.setFaults(
    ['chat.postMessage', 'chat.startStream', 'chat.update'].map(method => ({
      ...{ method, times: 3 },
      ...{ kind: 'error' as const, error: echo },
    })),
  )
  await tell('#sales', '@querent how many hires are there by pickup country?')
  await expect.poll(() => bot.complaints().join('\n'), { timeout: 60_000 }).toContain('invalid_auth')
  simulator.openHome('mira')
  await simulator.until(() => simulator.home('mira'), 20_000)
  const pages: string[] = []
  for (const page of ['healthz', 'readyz', 'metrics'])
    pages.push(await (await fetch(`http://127.0.0.1:${operationsPort}/${page}`)).text())

  // Spans are sent in batches, and what is killed sends none.
  await expect.poll(() => bodies.join('').length, { timeout: 30_000 }).toBeGreaterThan(1_000)

  process.kill(started.pid, 'SIGUSR2')
  await expect.poll(() => bot.complaints().join('\n'), { timeout: 20_000 }).toContain('unhandled')
  process.kill(started.pid, 'SIGPIPE')
  await expect.poll(() => started.lines.join('\n'), { timeout: 20_000 }).toContain('the bot crashed')
  await started.end('SIGKILL')

  const views = [simulator.home('mira'), simulator.home('ada'), simulator.modal('ada')]
  return {
    log: started.lines.join('\n'),
    messages: simulator.messages().map(everything).join('\n'),
    'calls to Slack': JSON.stringify(simulator.calls()),
    views: JSON.stringify(views),
    pages: pages.join('\n'),
    spans: bodies.join('\n'),
    slackSecrets: { botToken: simulator.botToken, signingSecret: simulator.signingSecret },
  }
}

/** Commands that fail for every reason, and what they wrote. */
const typeCommands = async (workspace: TestWorkspace, planted: Planted) => {
  const { appToken, clientSecret, stateSecret, encryptionKey, storePassword } = planted
  const badStore = workspace.storeUrl.replace(/\/\/[^@]*@/, `//nobody:${encodeURIComponent(storePassword)}@`)
  const manyWorkspaces = {
    ...{ SLACK_BOT_TOKEN: '', SLACK_CLIENT_ID: '1.1', SLACK_CLIENT_SECRET: clientSecret },
    ...{ SLACK_STATE_SECRET: stateSecret, QUERENT_ENCRYPTION_KEYS: `k1:${encryptionKey}` },
  }
  const typedAddress = `postgres://reader:${encodeURIComponent(planted.typedPassword)}@127.0.0.1:1/shop`
  return {
    'start without a store': await workspace.bot.type(['serve'], {
      DATABASE_URL: badStore,
      ...manyWorkspaces,
    }),
    'start with a wrong app token': await workspace.bot.type(['serve'], {
      ...{ SLACK_APP_TOKEN: appToken, SLACK_API_URL: 'http://127.0.0.1:1/api/' },
      DATABASE_URL: badStore,
    }),
    'start with a bad configuration': await workspace.bot.type(['serve'], {
      ...{ SLACK_APP_TOKEN: planted.appToken.replace('xapp', 'app'), QUERENT_ENCRYPTION_KEYS: encryptionKey },
    }),
    doctor: await workspace.bot.type(['doctor']),
    'doctor of a database': await workspace.bot.type(['doctor', '--json', '--database', 'quoting']),
    'doctor for workspaces': await workspace.bot.type(['doctor'], manyWorkspaces),
    ask: await workspace.bot.type(['ask', 'how many bicycles are there?', '--database', 'quoting', '--json']),
    'ask with a model': await workspace.bot.type([
      'ask',
      'which riders never returned anything late?',
      '--explain',
    ]),
    'ask an address': await workspace.bot.type(['ask', 'how many?', '--database', typedAddress]),
    mcp: await workspace.bot.type(['mcp', '--http'], {}, address => useMcp(address, planted)),
    audit: await workspace.bot.type(['audit', 'export']),
  }
}

describe('a bot whose surroundings fail and quote its secrets', () => {
  it('shows none of them: in the log, to people, in traces, the store, files, commands or a crash', async () => {
    const planted = plant()
    const { slackSecrets, ...outputs } = await runWithSecrets(planted, crashing, workspace =>
      typeCommands(workspace, planted),
    )
    expect(findLeaks(outputs, { ...planted, ...slackSecrets })).toEqual([])
    // All of it happened.
    const happened = Object.entries({
      'a Slack error': outputs.log.includes('invalid_auth'),
      'a wrong password': outputs.log.includes('password authentication failed'),
      'a refused connection': outputs.log.includes('ECONNREFUSED'),
      'Redis away': outputs.log.includes('Redis is unreachable'),
      'a model that turns the key away': /did not accept the key|Incorrect API key/.test(
        outputs.log + outputs['ask with a model'],
      ),
      'the same, to doctor': outputs.doctor.includes('answered 401'),
      'a crash': outputs.log.includes('the bot crashed'),
      'MCP that turns a token away': outputs.mcp.includes('401'),
      'MCP that cannot reach the database': /password|cannot be reached|can't reach/i.test(outputs.mcp),
      traces: outputs.spans.length > 1_000,
      'questions in the store': outputs.store.includes('querent.questions'),
      'a failed job in the store': outputs.store.includes('WebAPIPlatformError'),
      'a store that cannot be used': outputs['start without a store'].includes('nobody'),
    })
    expect(happened.filter(([, is]) => !is)).toEqual([])
  }, 300_000)

  it.skipIf(isBuildFresh(projectFolder))(
    'would show them without redaction',
    async () => {
      const planted = plant()
      const { slackSecrets, ...outputs } = await runWithSecrets(planted, unredacted, async () => ({}))
      const leaks = findLeaks(outputs, { ...planted, ...slackSecrets })
      for (const leak of ['openai in log', 'botToken in log', 'shopPassword in log'])
        expect(leaks).toContain(leak)
      expect(leaks.some(leak => leak.endsWith('in store'))).toBe(true)
    },
    300_000,
  )
})
