import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { makeReleasers } from '../src/lib/releasers.ts'
import { ensureDatabase, startEmbeddedServer } from '../src/store/embedded/embedded-server.ts'
import { openKnex } from '../src/store/store.ts'
import { cyclesSchema } from '../test/e2e/cycles-schema.ts'
import { makeSqliteFile } from '../test/helpers/sqlite-file.ts'
import { makeBotHome } from '../test/helpers/start-bot.ts'
import { type Measured, measure } from './slack-ack/measure.ts'
import { sendMentions } from './slack-ack/send-mentions.ts'
import { startFakeSlack } from './slack-ack/start-fake-slack.ts'

/**
 * `npm run bench:slack`: the real bot, with no model, on a Postgres that syncs to disk, under a steady stream of
 * mentions. What it means and what it measured: docs/benchmarks.md.
 */

/** After the last event, how long answers may still take to come. */
const LAST_ANSWER_MS = 180_000

const questions = [
  'how many bicycles are there by kind?',
  'how many riders are there?',
  'how many hires are there by pickup country?',
  'how many hires are there by return country?',
  'average kilometres per hire',
  'number of hires by country',
]

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      'events-per-second': { type: 'string', default: '20' },
      seconds: { type: 'string', default: '60' },
      workers: { type: 'string', default: '4' },
    },
  })
  const eventsPerSecond = Number(values['events-per-second'])
  const seconds = Number(values.seconds)
  const workers = Number(values.workers)
  const releasers = makeReleasers()
  try {
    const measured = await run({ eventsPerSecond, seconds, workers }, undo => releasers.push(undo))
    show(measured)
    const machine = { processors: availableParallelism(), model: cpus()[0]?.model ?? '', load: loadavg()[0] }
    const at = new Date().toISOString()
    const folder = join(import.meta.dirname, 'results')
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `slack-ack-${at.replaceAll(':', '-')}.json`)
    const report = { at, machine, settings: { eventsPerSecond, seconds, workers }, measured }
    writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
  } finally {
    await releasers.release()
  }
}

const run = async (
  settings: { readonly eventsPerSecond: number; readonly seconds: number; readonly workers: number },
  undo: (release: () => Promise<void> | void) => void,
): Promise<Measured> => {
  const home = mkdtempSync(join(tmpdir(), 'querent-bench-'))
  undo(() => rmSync(home, { recursive: true, force: true }))
  const server = await startEmbeddedServer({ home })
  undo(() => rmSync(server.folder, { recursive: true, force: true }))
  undo(() => server.stop())
  await ensureDatabase(server.adminUrl, 'querent')
  const storeUrl = server.urlFor('querent')
  const store = openKnex(storeUrl)
  undo(async () => {
    await store.destroy()
  })
  const cycles = makeSqliteFile(cyclesSchema)
  undo(() => cycles.remove())

  const team = { id: 'T0BENCH', botUser: 'U0BENCH' }
  const slack = await startFakeSlack(team)
  undo(() => slack.close())
  const signingSecret = 'a secret for the benchmark'
  let botUrl = ''
  const simulator = {
    botToken: 'xoxb-bench',
    signingSecret,
    apiUrl: slack.apiUrl,
    setBotUrl: (url: string | null) => {
      botUrl = url ?? ''
    },
  }
  const { workers } = settings
  const bot = await makeBotHome({ simulator, storeUrl, databaseFile: cycles.file, workers })
  undo(async () => bot[Symbol.asyncDispose]())
  const process = await bot.start()

  const isStored = async (channel: string, ts: string): Promise<boolean> =>
    (await store('querent.heard_messages')
      .where({ key: `${team.id}:${channel}:${ts}` })
      .first('key')) !== undefined
  const send = { botUrl, signingSecret, team, questions, isStored }
  // The first questions load the parser's model and the database's process; a bot that runs has both.
  await sendMentions({ ...send, eventsPerSecond: 2, seconds: 6 })
  await sleep(3_000)

  const sent = await sendMentions({ ...send, ...settings })
  const asked = new Set(sent.map(({ ts }) => ts))
  const deadline = performance.now() + LAST_ANSWER_MS
  const open = () => [...asked].filter(ts => typeof slack.threads.get(ts)?.finalAt !== 'number').length
  while (open() > 0 && performance.now() < deadline) await sleep(250)
  // A second message would come after the first.
  await sleep(2_000)
  await process.end('SIGTERM', 30_000)
  return measure(sent, slack.threads)
}

const show = ({ acknowledged, answered, ...counts }: Measured): void => {
  const table = new Table({ head: ['', 'p50', 'p95', 'p99', 'max'] })
  const { p50, p95, p99, max } = acknowledged
  table.push(['event -> stored -> acknowledged, ms', p50, p95, p99, max])
  table.push(['question -> outcome in its thread, ms', answered.p50, answered.p95, '', answered.max])
  console.log(table.toString())
  console.log(
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
  )
}

await main()
