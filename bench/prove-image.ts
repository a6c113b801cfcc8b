import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { freePort } from '../simulator/free-port.ts'
import type { RecordedMessage } from '../simulator/shapes/message.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { startSimulator } from '../simulator/start-simulator.ts'
import { ensureDatabase, startEmbeddedServer } from '../src/store/embedded/embedded-server.ts'
import { asUser, buildFolder } from './image/build-folder.ts'

/**
 * `npm run prove:image [-- --keep] [--json]`: the steps of the Dockerfile in a clean folder, without Docker, and then its
 * command, as a user who is not root, with a Postgres and a Slack simulator beside it. States how long a start and the
 * first answer take and how large the folder is. Exit status 1 when a step fails, the bot does not get ready or does not
 * answer, or does not end by itself.
 */

const READY_MS = 180_000

const ANSWER_MS = 60_000

const END_MS = 25_000

const { values: flags } = parseArgs({ options: { keep: { type: 'boolean' }, json: { type: 'boolean' } } })

const say = (line: string): void => void process.stderr.write(`${line}\n`)

const boats = `
create table boats (boat_id integer primary key, name text not null, hull text not null);
insert into boats
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 90)
  select i, 'Boat ' || i, case i % 3 when 0 then 'steel' when 1 then 'wood' else 'glass fibre' end from n;
`

const question = 'How many boats are there by hull?'

const prove = async () => {
  const undo = new AsyncDisposableStack()
  try {
    // Every folder above has to let the other user through, which one of /tmp made by mktemp may not.
    const root = mkdtempSync('/var/tmp/querent-image-')
    chmodSync(root, 0o755)
    undo.defer(() => (flags.keep ? say(`kept: ${root}`) : rmSync(root, { recursive: true, force: true })))
    const started = performance.now()
    const built = buildFolder(root, say)
    const buildSeconds = secondsSince(started)

    const home = join(root, 'services')
    mkdirSync(home)
    const postgres = await startEmbeddedServer({ home })
    undo.defer(async () => {
      await postgres.stop()
      rmSync(postgres.folder, { recursive: true, force: true })
    })
    await ensureDatabase(postgres.adminUrl, 'querent')
    const simulator = await startSimulator()
    undo.defer(() => simulator.close())

    const [port, operations] = [await freePort(), await freePort()]
    simulator.setBotUrl(`http://127.0.0.1:${port}/slack/events`)
    const etc = join(root, 'etc/querent')
    mkdirSync(etc, { recursive: true })
    const asked = new DatabaseSync(join(etc, 'boats.sqlite'))
    asked.exec(boats)
    asked.close()
    writeFileSync(
      join(etc, 'querent.yml'),
      stringify({
        defaultDatabase: 'boats',
        databases: { boats: { path: 'boats.sqlite' } },
        operations: { port: operations, host: '0.0.0.0' },
        slack: { port },
      }),
    )
    const env = {
      ...built.env,
      QUERENT_CONFIG: join(etc, 'querent.yml'),
      DATABASE_URL: postgres.urlFor('querent'),
      SLACK_BOT_TOKEN: simulator.botToken,
      SLACK_SIGNING_SECRET: simulator.signingSecret,
      SLACK_API_URL: simulator.apiUrl,
    }
    const starts: Awaited<ReturnType<typeof run>>[] = []
    // The first one measures the database, too; the second is what a restart is like.
    for (const start of ['first start', 'second start']) {
      say(`${start}: ${built.command.join(' ')}`)
      starts.push(await run({ ...built, env }, operations, simulator))
    }
    const [first, second] = starts
    return {
      buildSeconds,
      folderMb: megabytes(built.app),
      packagesMb: megabytes(join(built.app, 'node_modules')),
      compiledMb: megabytes(join(built.app, '.querent')),
      user: process.getuid?.() === 0 ? built.user : `${process.getuid?.()} (not root already)`,
      first,
      second,
    }
  } finally {
    await undo.disposeAsync()
  }
}

/** One life of the process: until it is ready, one question, and the end by SIGTERM. */
const run = async (
  {
    app,
    env,
    command,
    user,
  }: { app: string; env: Record<string, string>; command: readonly string[]; user: string },
  operations: number,
  simulator: Simulator,
) => {
  const started = performance.now()
  const [file = '', ...args] = asUser(user, command)
  const child = spawn(file, args, { cwd: app, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  const lines: string[] = []
  createInterface({ input: child.stderr }).on('line', line => lines.push(line))
  const complain = (what: string): Error => new Error(`${what}; the bot said:\n${lines.join('\n')}`)
  try {
    for (;;) {
      if (child.exitCode !== null) throw complain('the bot ended before it was ready')
      if (performance.now() - started > READY_MS) throw complain('the bot did not get ready')
      const found = await fetch(`http://127.0.0.1:${operations}/readyz`).catch(() => null)
      if (found?.ok) break
      await sleep(50)
    }
    const readySeconds = secondsSince(started)
    const message = await simulator.post({ by: 'ada', in: '#sales', text: `@querent ${question}` })
    const answer = await looks(simulator, message, ['glass fibre', 'Show as chart']).catch(() => {
      throw complain('no answer came')
    })
    const answerSeconds = secondsSince(started)
    await simulator.click({ by: 'ada', on: answer, label: 'Show as chart' })
    await looks(simulator, message, ['"type":"image"']).catch(() => {
      throw complain('no chart came')
    })
    const { uid, rssMb } = readProcess(child.pid ?? 0)
    const stopping = performance.now()
    child.kill('SIGTERM')
    const [code] = (await Promise.race([ended, sleep(END_MS, ['still there'])])) as [number | string]
    if (code !== 0) throw complain(`the end by SIGTERM: ${code}`)
    const complaints = lines.filter(line => !line.startsWith('{"level":"info"'))
    if (complaints.length > 0) throw new Error(`the bot complained:\n${complaints.join('\n')}`)
    return { readySeconds, answerSeconds, uid, rssMb, stopSeconds: secondsSince(stopping) }
  } finally {
    child.kill('SIGKILL')
  }
}

/** The bot's message in a thread, once it holds all of these words. */
const looks = (simulator: Simulator, { channel, ts }: RecordedMessage, words: readonly string[]) =>
  simulator.until(
    () =>
      simulator.thread(channel, ts).find(said => {
        const blocks = JSON.stringify(said.blocks)
        return said.byBot && words.every(word => blocks.includes(word))
      }),
    ANSWER_MS,
  )

const readProcess = (pid: number): { readonly uid: number; readonly rssMb: number } => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const value = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1])
  return { uid: value('Uid'), rssMb: Math.round(value('VmRSS') / 1024) }
}

const megabytes = (folder: string): number =>
  Number(spawnSync('du', ['-sm', folder], { encoding: 'utf8' }).stdout.split('\t')[0])

const secondsSince = (moment: number): number => Math.round((performance.now() - moment) / 100) / 10

try {
  const proof = await prove()
  process.stdout.write(flags.json ? `${JSON.stringify(proof)}\n` : `${stringify(proof)}`)
  process.exit(0)
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exit(1)
}
