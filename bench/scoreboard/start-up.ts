import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * `start-up.ts`: what a start costs, in milliseconds of the processor and by the clock: `--help`; `ask` about a small SQLite
 * file of which nothing is known yet, and again; the bot until the first 200 of /readyz, with a store from an earlier
 * start, as after a deployment. Each is the best of several runs, because other work on the machine only ever adds.
 * Processor time is what the scoreboard keeps: on a busy machine the clock says little.
 */
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'querent-start-up-'))
const RUNS = 3

const makeDatabase = (): string => {
  const file = join(folder, 'bakery.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`
    create table breads (id integer primary key, name text not null, price_cents integer not null);
    create table sales (id integer primary key, bread_id integer not null references breads, sold_on text not null, pieces integer not null);
    insert into breads values (1, 'rye', 420), (2, 'spelt', 510), (3, 'baguette', 190);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
    insert into sales select i, 1 + i % 3, date('2026-01-01', '+' || (i % 90) || ' days'), 1 + i % 7 from n;`)
  database.close()
  return file
}

/** Milliseconds. */
interface Cost {
  readonly processor: number
  readonly clock: number
}

/** Runs the command line to its end. */
const timeCommand = (args: readonly string[], home: string): Promise<Cost> =>
  new Promise((done, fail) => {
    // Node does not say what a child cost; the shell does.
    const script = 'TIMEFORMAT="%R %U %S"; time "$@" > /dev/null'
    const command = [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      join(root, 'src/cli.ts'),
      ...args,
    ]
    const env = { ...process.env, INIT_CWD: folder, QUERENT_HOME: home }
    const child = spawn('bash', ['-c', script, 'bash', ...command], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', chunk => {
      said += String(chunk)
    })
    child.once('error', fail)
    child.once('close', code => {
      if (code !== 0) return fail(new Error(`${args[0]} ended with ${code}: ${said}`))
      const [real = 0, user = 0, system = 0] = said.trim().split('\n').at(-1)!.split(' ').map(Number)
      done({ clock: real * 1000, processor: (user + system) * 1000 })
    })
  })

/** Processor time of the processes of a group so far, from /proc, which counts hundredths of a second. */
const processorOf = (group: number): number =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        // The name of the command, in brackets, may hold blanks.
        return [
          readFileSync(`/proc/${name}/stat`, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' ')
            .map(Number),
        ]
      } catch {
        return []
      }
    })
    .filter(fields => fields[2] === group)
    .reduce((sum, fields) => sum + 10 * ((fields[11] ?? 0) + (fields[12] ?? 0)), 0)

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise(done => server.close(done))
  return port
}

/** As much of Slack as a start needs. */
const startSlack = async () => {
  const server = createServer((_, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end('{"ok":true,"team_id":"T0BENCH","user_id":"U0BENCH","bot_id":"B0BENCH"}'),
  )
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/api/`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Starts the bot, waits until it is ready, and stops it. */
const timeBot = async (home: string, slackUrl: string): Promise<Cost> => {
  const [slackPort, port] = [await freePort(), await freePort()]
  const config = join(folder, 'querent.yml')
  writeFileSync(
    config,
    `defaultDatabase: bakery
databases: { bakery: { path: ${join(folder, 'bakery.sqlite')} } }
slack: { port: ${slackPort} }
operations: { port: ${port} }
`,
  )
  const started = performance.now()
  const child = spawn('npm', ['run', '-s', 'start'], {
    cwd: root,
    env: {
      ...process.env,
      QUERENT_CONFIG: config,
      QUERENT_HOME: home,
      SLACK_BOT_TOKEN: 'xoxb-for-the-scoreboard',
      SLACK_SIGNING_SECRET: 'a secret for the scoreboard',
      SLACK_API_URL: slackUrl,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let said = ''
  child.stderr.on('data', chunk => {
    said += String(chunk)
  })
  const ended = new Promise<void>(done => child.once('close', () => done()))
  try {
    while (performance.now() - started < 120_000) {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
      if (response?.status === 200)
        return { clock: performance.now() - started, processor: processorOf(child.pid ?? 0) }
      if (child.exitCode !== null) break
      await sleep(20)
    }
    throw new Error(`the bot was not ready: ${said.trim().split('\n').at(-1) ?? ''}`)
  } finally {
    // The whole group: npm, its shell and the bot.
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGTERM')
    await ended
  }
}

/** The best of several runs, one after the other. */
const best = async (measure: (run: number) => Promise<Cost>): Promise<Cost> => {
  const costs: Cost[] = []
  for (let run = 0; run < RUNS; run++) costs.push(await measure(run))
  return {
    processor: Math.round(Math.min(...costs.map(({ processor }) => processor))),
    clock: Math.round(Math.min(...costs.map(({ clock }) => clock))),
  }
}

const slack = await startSlack()
try {
  const database = `sqlite:${makeDatabase()}`
  const ask = [
    'ask',
    'how many sales are there per bread?',
    '--database',
    database,
    '--model',
    'none',
    '--json',
  ]
  const home = (name: string): string => {
    const path = join(folder, name)
    mkdirSync(path, { recursive: true })
    return path
  }
  const help = await best(() => timeCommand(['--help'], home('warm')))
  await timeCommand(ask, home('warm'))
  const askCold = await best(run => timeCommand(ask, home(`cold-${run}`)))
  const askWarm = await best(() => timeCommand(ask, home('warm')))
  // Kept from run to run: a new Postgres takes seconds that no later start takes.
  const botHome = process.env.QUERENT_HOME ?? home('bot')
  await timeBot(botHome, slack.url)
  const ready = await best(() => timeBot(botHome, slack.url))
  console.log(JSON.stringify({ help, askCold, askWarm, ready }))
} finally {
  slack.stop()
  rmSync(folder, { recursive: true, force: true })
}
