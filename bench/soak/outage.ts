import { parseArgs } from 'node:util'
import { runOutage, summariseOutage } from '../../simulator/soak/run-outage.ts'
import { startSimulator } from '../../simulator/start-simulator.ts'
import { unavailableText } from '../../src/slack/copy/phrases.ts'
import { cyclesSchema } from '../../test/e2e/cycles-schema.ts'
import { startStoppablePostgres } from '../../test/helpers/services/stoppable-postgres.ts'
import { makeSqliteFile } from '../../test/helpers/sqlite-file.ts'
import { makeBotHome } from '../../test/helpers/start-bot.ts'
import { readMemory } from './read-memory.ts'
import { writeRun } from './write-run.ts'

/**
 * `npm run soak -- outage`: the Postgres of the bot's store is stopped and started again under load, several times, and
 * the bot runs on. Resolves with whether every question was answered, and none acknowledged that could not be stored.
 */
export const soakOutage = async (args: readonly string[]): Promise<boolean> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      questions: { type: 'string', default: '120' },
      every: { type: 'string', default: '1500' },
      away: { type: 'string', default: '20000' },
      outages: { type: 'string', default: '3' },
      json: { type: 'boolean', default: false },
    },
  })
  await using undo = new AsyncDisposableStack()
  const server = undo.use(await startStoppablePostgres())
  const cycles = undo.adopt(makeSqliteFile(cyclesSchema), file => file.remove())
  const simulator = undo.adopt(
    await startSimulator({
      // Slack's own pauses between retries, shortened.
      timing: { retryAfter: [0, 30_000, 90_000] },
    }),
    started => started.close(),
  )
  const home = undo.use(
    await makeBotHome({ simulator, storeUrl: server.url, databaseFile: cycles.file, costOfAsking: 1 }),
  )
  const bot = await home.start()
  const before = readMemory(bot.pid)
  const report = await runOutage(
    {
      simulator,
      server,
      log: home.complaints,
      unavailable: unavailableText.slice(0, 40),
      say: line => void process.stderr.write(`${line}\n`),
    },
    {
      questions: Number(values.questions),
      everyMs: Number(values.every),
      awayMs: Number(values.away),
      outages: Number(values.outages),
    },
  )
  const memory = { megabytesBefore: before, megabytesAfter: readMemory(bot.pid) }
  const summary = { ...summariseOutage(report), ...memory }
  writeRun('outage', { summary, all: report, json: values.json })
  for (const question of report.questions.filter(({ verdict }) => verdict !== 'once')) {
    process.stdout.write(`${JSON.stringify(question)}\n`)
  }
  await bot.end('SIGTERM', 30_000)
  return summary.once === summary.questions && summary.acknowledgedInOutage === 0 && summary.toldTwice === 0
}
