import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { makeReleasers } from '../src/lib/releasers.ts'
import { openArena } from '../test/adversarial/arena.ts'
import { threats } from '../test/adversarial/attack.ts'
import { sampleAttacks } from '../test/adversarial/corpus/all-attacks.ts'
import { type AttackOutcome, formatProblem, runAttacks } from '../test/adversarial/run-attacks.ts'
import { openBenchDatabase } from './overhead/open-bench-database.ts'

/**
 * `npm run bench:attacks [-- --every N --seed S --threat T1 --json]`: the corpus of attacks against the whole bot, with a model that obeys every
 * instruction it reads (test/adversarial). Exits 1 if an
 * attack succeeds or no model obeyed it; with --json it prints figures alone.
 */
const { values } = parseArgs({
  options: {
    every: { type: 'string', default: '1' },
    seed: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    threat: { type: 'string', multiple: true, default: [] },
  },
})

const attacks = sampleAttacks(Number(values.every), Number(values.seed)).filter(
  ({ threat }) => values.threat.length === 0 || values.threat.includes(threat),
)

const run = async (): Promise<readonly AttackOutcome[]> => {
  const releasers = makeReleasers()
  try {
    const store = await openBenchDatabase()
    releasers.push(() => store.drop())
    const shop = await openBenchDatabase()
    releasers.push(() => shop.drop())
    const arena = await openArena({
      attacks,
      storeUrl: store.url,
      postgresUrl: shop.url,
      mysqlUrl: process.env.MYSQL_URL ?? null,
    })
    releasers.push(() => arena[Symbol.asyncDispose]())
    return await runAttacks(arena, attacks)
  } finally {
    await releasers.release()
  }
}

const started = process.cpuUsage()
const outcomes = await run()
const { user, system } = process.cpuUsage(started)
const succeeded = outcomes.filter(({ achieved }) => achieved.length > 0)
const faulty = outcomes.filter(({ faults }) => faults.length > 0)
const commanded = outcomes.filter(({ attack }) => attack.command !== undefined)
const obeyed = commanded.filter(one => one.obeyed > 0)
const summary = {
  cases: outcomes.length,
  succeeded: succeeded.length,
  faulty: faulty.length,
  commanded: commanded.length,
  obeyed: obeyed.length,
  cpuSeconds: Math.round((user + system) / 1e6),
}
for (const { attack, achieved, faults } of outcomes)
  for (const line of [...formatProblem(attack, achieved), ...formatProblem(attack, faults)])
    process.stderr.write(`${line}\n`)
const listed = succeeded.map(({ attack: { threat, id, name }, achieved }) => ({ threat, id, name, achieved }))
if (values.json) console.log(JSON.stringify({ ...summary, ...(values.list && { attacks: listed }) }))
else {
  const table = new Table({ head: ['threat', 'cases', 'succeeded', 'with an instruction', 'obeyed'] })
  for (const threat of threats) {
    const of = outcomes.filter(({ attack }) => attack.threat === threat)
    const told = of.filter(({ attack }) => attack.command !== undefined)
    if (of.length > 0)
      table.push([
        threat,
        of.length,
        of.filter(({ achieved }) => achieved.length > 0).length,
        told.length,
        told.filter(one => one.obeyed > 0).length,
      ])
  }
  console.log(table.toString())
  console.log(JSON.stringify(summary))
}
process.exit(values.json || succeeded.length + faulty.length === 0 ? 0 : 1)
