import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import type { Snapshot } from '../simulator/shapes/snapshot.ts'
import { projectFolder } from '../src/lib/project.ts'

/**
 * `npm run bench:package`: how long someone with Node alone waits for an answer. Packs this clone, then runs `npx --yes
 * ./querent-<version>.tgz demo` until the page has answered a question: cold, in an empty folder with an empty cache of
 * npm; then warm, again in the same folder. Needs npm's registry. `--uid 1000` runs it as that user, `--json` prints
 * figures for the scoreboard. Times in seconds.
 */

interface Waited {
  readonly run: string
  /** Until the demo named its address. */
  readonly ready: number
  readonly answered: number
}

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '3' },
    uid: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const uid = values.uid === undefined ? undefined : Number(values.uid)
const QUESTION = 'how many orders were placed last month by region?'
const MOST_SECONDS = 300

const main = async (): Promise<void> => {
  const root = mkdtempSync(join(tmpdir(), 'querent-package-'))
  try {
    const tarball = pack(root)
    const waited = [await waitForAnswer('cold', tarball, root)]
    for (let time = 1; time <= Number(values.times); time++)
      waited.push(await waitForAnswer(`warm ${time}`, tarball, root))
    const megabytes = statSync(tarball).size / 1e6
    if (values.json) process.stdout.write(`${JSON.stringify(figures(megabytes, waited))}\n`)
    else show(megabytes, waited)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const pack = (folder: string): string => {
  const { status, stderr } = spawnSync('npm', ['pack', '--loglevel=error', '--pack-destination', folder], {
    cwd: projectFolder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`)
  const name = readdirSync(folder).find(file => file.endsWith('.tgz'))
  if (!name) throw new Error('npm pack left no file')
  return join(folder, name)
}

/** In a folder with the package and what earlier runs left there. */
const waitForAnswer = async (run: string, tarball: string, root: string): Promise<Waited> => {
  const home = join(root, 'home')
  const folder = join(root, 'empty')
  for (const path of [home, folder]) mkdirSync(path, { recursive: true })
  copyFileSync(tarball, join(folder, basename(tarball)))
  if (uid !== undefined) for (const path of [root, home, folder]) chownSync(path, uid, uid)

  const started = performance.now()
  const seconds = (): number => (performance.now() - started) / 1000
  const child = spawn('npx', ['--yes', `./${basename(tarball)}`, 'demo'], {
    cwd: folder,
    detached: true,
    env: { ...process.env, HOME: home, npm_config_cache: join(home, 'npm') },
    ...(uid !== undefined && { uid, gid: uid }),
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => said.push(String(chunk)))
  try {
    const url = await until(seconds, () => {
      if (child.exitCode !== null) throw new Error(`the demo ended: ${said.join('')}`)
      return said.join('').match(/http:\/\/\S+/)?.[0]
    })
    const ready = seconds()
    await ask(url)
    await until(seconds, async () => (await isAnswered(url)) || undefined)
    return { run, ready, answered: seconds() }
  } finally {
    await stop(child)
  }
}

/** Polls until there is something. Throws when it has waited too long. */
const until = async <Found>(
  seconds: () => number,
  find: () => Found | undefined | Promise<Found | undefined>,
): Promise<Found> => {
  while (seconds() < MOST_SECONDS) {
    const found = await find()
    if (found !== undefined) return found
    await sleep(20)
  }
  throw new Error(`nothing after ${MOST_SECONDS} s`)
}

const readSnapshot = async (url: string): Promise<Snapshot> =>
  (await (await fetch(`${url}/_simulator/snapshot`)).json()) as Snapshot

const ask = async (url: string): Promise<void> => {
  const { me, bot, channels } = await readSnapshot(url)
  const channel = channels.find(one => one.name === 'sales')
  const response = await fetch(`${url}/_simulator/post`, {
    method: 'POST',
    body: JSON.stringify({ by: me, in: channel?.id, text: `<@${bot.id}> ${QUESTION}` }),
  })
  if (!response.ok) throw new Error(`the simulator took no question: ${await response.text()}`)
}

/** Whether the bot has posted a table. */
const isAnswered = async (url: string): Promise<boolean> => {
  const { bot, messages } = await readSnapshot(url)
  return messages.some(one => one.author === bot.id && JSON.stringify(one.blocks).includes('"data_table"'))
}

/** As Ctrl-C does: all processes of the command. Waits for its end, so that the next run has the processor. */
const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.pid === undefined) return
  const ended = new Promise(resolve => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGINT')
  await Promise.race([ended, sleep(20_000)])
}

const figures = (megabytes: number, waited: readonly Waited[]): unknown => {
  const [cold, ...warm] = waited
  const times = warm.map(one => one.answered).sort((a, b) => a - b)
  return { megabytes, cold: cold?.answered, warm: times[Math.floor(times.length / 2)], load: loadavg()[0] }
}

const show = (megabytes: number, waited: readonly Waited[]): void => {
  const table = new Table({ head: ['run', 'ready, s', 'first answer, s'], style: { head: [], border: [] } })
  for (const { run, ready, answered } of waited) table.push([run, ready.toFixed(1), answered.toFixed(1)])
  process.stdout.write(`${megabytes.toFixed(1)} MB packed; load ${loadavg()[0]?.toFixed(1)}\n${table}\n`)
}

await main()
