import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { type SoakReport, summarise } from '../../simulator/soak/judge-soak.ts'
import { runSoak } from '../../simulator/soak/run-soak.ts'
import { startSimulator } from '../../simulator/start-simulator.ts'
import { makeReleasers } from '../../src/lib/releasers.ts'
import { cyclesSchema } from '../../test/e2e/cycles-schema.ts'
import { openWatcher } from '../../test/e2e/open-watcher.ts'
import { makeSqliteFile } from '../../test/helpers/sqlite-file.ts'
import { makeBotHome } from '../../test/helpers/start-bot.ts'
import { openBenchDatabase } from '../overhead/open-bench-database.ts'

/**
 * `npm run soak -- questions`: the real bot behind a Slack that goes wrong in every way that the simulator knows, killed without a
 * word and started again ten times. Each of 200 questions must end in exactly one message (docs/slack.md). Resolves
 * with whether each did.
 */
export const soakQuestions = async (args: readonly string[]): Promise<boolean> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      questions: { type: 'string', default: '200' },
      kills: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      share: { type: 'string', default: '0.2' },
      json: { type: 'boolean', default: false },
    },
  })
  const options = {
    questions: Number(values.questions),
    kills: Number(values.kills),
    seed: Number(values.seed),
    share: Number(values.share),
  }
  const releasers = makeReleasers()
  try {
    const store = await openBenchDatabase()
    releasers.push(() => store.drop())
    const watcher = await openWatcher(store.url)
    releasers.push(async () => watcher[Symbol.asyncDispose]())
    const cycles = makeSqliteFile(cyclesSchema)
    releasers.push(() => cycles.remove())
    const simulator = await startSimulator({
      // Slack's own pauses between retries, shortened, but long enough for a bot to start in.
      timing: { retryAfter: [0, 30_000, 150_000] },
    })
    releasers.push(() => simulator.close())
    const home = await makeBotHome({ simulator, storeUrl: store.url, databaseFile: cycles.file })
    releasers.push(async () => home[Symbol.asyncDispose]())
    const report = await runSoak(
      {
        simulator,
        rows: watcher.rows,
        log: home.complaints,
        say: line => process.stderr.write(`${line}\n`),
        startBot: async () => {
          const bot = await home.start()
          return { kill: async () => void (await bot.end('SIGKILL')) }
        },
      },
      options,
    )
    write(report, values.json)
    const { once, questions } = summarise(report)
    return once === questions
  } finally {
    await releasers.release()
  }
}

const write = (report: SoakReport, json: boolean): void => {
  const summary = summarise(report)
  const folder = join(import.meta.dirname, '../results')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `soak-${new Date().toISOString().replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify({ summary, ...report }, null, 2)}\n`)
  if (json) {
    process.stdout.write(`${JSON.stringify(summary)}\n`)
    return
  }
  const table = new Table({ head: ['what', 'count'], style: { head: [], border: [], compact: true } })
  const { byStatus, ...numbers } = summary
  for (const [name, n] of Object.entries(numbers)) table.push([name, n])
  for (const [name, n] of Object.entries(byStatus)) table.push([`status ${name}`, n])
  for (const [name, n] of Object.entries(report.deliveries)) table.push([`events ${name}`, n])
  for (const [name, n] of Object.entries(report.faults).toSorted()) table.push([`fault ${name}`, n])
  process.stdout.write(`${table.toString()}\n`)
  for (const question of report.questions.filter(({ verdict }) => verdict !== 'once')) {
    process.stdout.write(`${JSON.stringify(question)}\n`)
  }
  process.stdout.write(`${file}\n`)
}
