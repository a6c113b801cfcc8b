import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { stringify } from 'yaml'
import { freePort } from '../../simulator/free-port.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { withinTime } from './wait.ts'

/** What a bot must know of the Slack it talks to, and the other way round. */
export type SlackSide = Pick<Simulator, 'botToken' | 'signingSecret' | 'apiUrl' | 'setBotUrl'>

/** What a bot of a test is told. */
export interface BotSettings {
  readonly simulator: SlackSide
  /** Of Querent's own Postgres. */
  readonly storeUrl: string
  /** The SQLite file that people ask about, known to them as `cycles`. */
  readonly databaseFile: string
  /** A server that people ask about in place of the file. */
  readonly databaseUrl?: string
  /** An OpenAI-compatible endpoint; without it the bot has no model. */
  readonly modelUrl?: string
  /** Ids of people. */
  readonly admins?: readonly string[]
  readonly workers?: number
  /** How long one statement on the SQLite file may run. */
  readonly statementMs?: number
  /** What a question back costs; 0.12 without it. At 1 nobody is asked back. */
  readonly costOfAsking?: number
  /** How long an answer may be shown again; 0, never, without it. */
  readonly cacheMinutes?: number
  /** Without it no Redis is used. */
  readonly redisUrl?: string
  /** Id of the channel where people look at answers. */
  readonly humansChannel?: string
  /** Further settings of querent.yml. */
  readonly more?: Readonly<Record<string, unknown>>
  /** Files of the knowledge folder, by their paths in it. */
  readonly knowledge?: Readonly<Record<string, string>>
  /** Further databases, by name. */
  readonly databases?: Readonly<Record<string, unknown>>
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>>
  /** A module that its process loads before anything else. */
  readonly preload?: string
}

/** How a process ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** One process of the bot. */
export interface BotProcess {
  readonly pid: number
  /** What it wrote so far, a line an entry: JSON of the log, or plain words of a crash. */
  readonly lines: readonly string[]
  /** Sends a signal and waits for the end; throws when there is none within `ms`. */
  end(signal: NodeJS.Signals, ms?: number): Promise<Ended>
}

/** What is done with a server of MCP that a command started, at its address. */
export type UseServer = (address: string) => Promise<string>

/** The bot as a team runs it: `node src/main.ts` with an environment, a querent.yml and a folder of its own. */
export interface BotHome extends AsyncDisposable {
  /** Starts a process and waits until it is ready. Only one runs at a time, on one port, like a restarted service. */
  start(): Promise<BotProcess>
  /** Writes querent.yml again with other further settings, for the next process. */
  reconfigure(more: Readonly<Record<string, unknown>>): void
  /** What all its processes complained of so far. */
  complaints(): readonly string[]
  /**
   * Types a command in the bot's folder, with its environment, and changes to that; all that it wrote. With `use` it is
   * a server, which is stopped after that; what `use` resolves with is added.
   */
  type(args: readonly string[], env?: Readonly<Record<string, string>>, use?: UseServer): Promise<string>
  /** Its folder, with all that it keeps on disk. */
  readonly folder: string
}

const main = join(import.meta.dirname, '../../src/main.ts')

const commandLine = join(import.meta.dirname, '../../src/cli.ts')

/** As `npm start` has them: without them a process takes twice the memory. */
const frugal = {
  env: { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' },
  flags: ['--max-semi-space-size=8', '--liftoff-only'],
}

/** A busy machine takes its time to load the graph and the queue. */
const READY_MS = 180_000

/** Processes start one after the other: several at once on two processors all take longer than their tests wait. */
let starting: Promise<unknown> = Promise.resolve()

/** Makes the surroundings of a bot and points the simulator at it. Disposing kills what still runs. */
export const makeBotHome = async (settings: BotSettings): Promise<BotHome> => {
  const { simulator } = settings
  const folder = mkdtempSync(join(tmpdir(), 'querent-bot-'))
  const port = await freePort()
  simulator.setBotUrl(`http://127.0.0.1:${port}/slack/events`)
  writeFileSync(join(folder, 'querent.yml'), settingsFile(settings, port))
  for (const [path, text] of Object.entries(settings.knowledge ?? {})) {
    mkdirSync(dirname(join(folder, 'knowledge', path)), { recursive: true })
    writeFileSync(join(folder, 'knowledge', path), text)
  }
  const env = {
    PATH: process.env.PATH ?? '',
    TZ: 'UTC',
    ...frugal.env,
    QUERENT_CONFIG: join(folder, 'querent.yml'),
    QUERENT_HOME: join(folder, 'home'),
    DATABASE_URL: settings.storeUrl,
    SLACK_BOT_TOKEN: simulator.botToken,
    SLACK_SIGNING_SECRET: simulator.signingSecret,
    SLACK_API_URL: simulator.apiUrl,
    ...(settings.redisUrl === undefined ? {} : { REDIS_URL: settings.redisUrl }),
    ...(settings.modelUrl === undefined ? {} : { OPENAI_BASE_URL: settings.modelUrl }),
    ...settings.env,
  }
  const started: BotProcess[] = []
  return {
    folder,
    type: (args, more = {}, use = undefined) =>
      typeCommand(args, folder, { ...env, ...more }, { preload: settings.preload, use }),
    reconfigure: more =>
      writeFileSync(join(folder, 'querent.yml'), settingsFile({ ...settings, more }, port)),
    start: async () => {
      const starts = starting.then(() => startProcess(folder, env, settings.preload))
      starting = starts.catch(() => {})
      const bot = await starts
      started.push(bot)
      return bot
    },
    complaints: () =>
      started.flatMap(({ lines }) => lines).filter(line => !line.startsWith('{"level":"info"')),
    [Symbol.asyncDispose]: async () => {
      for (const bot of started) await bot.end('SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

const settingsFile = (settings: BotSettings, port: number): string => {
  const {
    databaseFile,
    databaseUrl,
    modelUrl,
    admins,
    workers,
    statementMs,
    humansChannel,
    costOfAsking,
    cacheMinutes,
  } = settings
  return stringify({
    defaultDatabase: 'cycles',
    databases: {
      cycles: databaseUrl === undefined ? { path: databaseFile } : { url: databaseUrl },
      ...settings.databases,
    },
    timeZone: 'UTC',
    answer: { minimumConfidence: 0.1, costOfAsking: costOfAsking ?? 0.12, cacheMinutes: cacheMinutes ?? 0 },
    slack: {
      port,
      workers: workers ?? 4,
      admins: [...(admins ?? [])],
      ...(humansChannel === undefined ? {} : { humansChannel }),
    },
    // Tests ask faster than people.
    rateLimits: {
      personPerMinute: 0,
      personPerHour: 0,
      teamPerMinute: 0,
      teamPerHour: 0,
      buttonsPerMinute: 0,
    },
    // Tests run side by side on one machine.
    operations: { port: 0 },
    ...settings.more,
    ...(modelUrl === undefined ? {} : { models: { drafter: { model: 'slow-thinker' } } }),
    ...(statementMs === undefined ? {} : { limits: { timeoutMs: statementMs } }),
  })
}

/** `serve` is `npm start`, which ends only if it cannot start. */
const typeCommand = async (
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
  { preload, use }: { readonly preload?: string | undefined; readonly use?: UseServer | undefined } = {},
): Promise<string> => {
  const flags = [
    '--disable-warning=ExperimentalWarning',
    ...(preload === undefined ? [] : ['--import', preload]),
  ]
  const script = args[0] === 'serve' ? [main] : [commandLine, ...args]
  const child = spawn(process.execPath, [...flags, ...script], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written: string[] = []
  const isServing = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      written.push(String(chunk))
      const [address] = /http:\/\/\S+\/mcp/.exec(written.join('')) ?? []
      if (address !== undefined) isServing.resolve(address)
    })
  const closed = once(child, 'close')
  const late = () => `${args.join(' ')} did not end:\n${written.join('')}`
  try {
    if (use) {
      written.push(await use(await withinTime(READY_MS, isServing.promise, late)))
      child.kill('SIGTERM')
    }
    await withinTime(READY_MS, closed, late)
  } finally {
    child.kill('SIGKILL')
  }
  return written.join('')
}

const startProcess = async (
  cwd: string,
  env: Record<string, string>,
  preload?: string,
): Promise<BotProcess> => {
  const flags = [
    '--disable-warning=ExperimentalWarning',
    ...frugal.flags,
    ...(preload === undefined ? [] : ['--import', preload]),
  ]
  const child = spawn(process.execPath, [...flags, main], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited: Promise<Ended> = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  const lines: string[] = []
  const ready = Promise.withResolvers<void>()
  createInterface({ input: child.stderr }).on('line', line => {
    lines.push(line)
    if (line.includes('the bot is ready')) ready.resolve()
  })
  void exited.then(() => ready.reject(new Error(`the bot ended before it was ready:\n${lines.join('\n')}`)))
  const said = () => lines.join('\n')
  await withinTime(READY_MS, ready.promise, () => `the bot was not ready in time:\n${said()}`).catch(
    error => {
      child.kill('SIGKILL')
      throw error
    },
  )
  return {
    pid: child.pid ?? 0,
    lines,
    end: async (signal, ms = 10_000) => {
      child.kill(signal)
      return withinTime(ms, exited, () => `the bot did not end on ${signal}:\n${said()}`)
    },
  }
}
