import { parseArgs } from 'node:util'
import { reportCost } from './names/cost.ts'
import { reportEquivalence } from './names/equivalence.ts'
import { reportLeaks } from './names/leaks.ts'
import type { NamesBench } from './names/names-bench.ts'
import { namesServers } from './names/servers.ts'
import { reportWarehouses } from './names/warehouses.ts'

/**
 * `npm run bench:names -- leaks|equivalence|cost|warehouses [--only ENGINE,ENGINE] [--statements N] [--seed S] [--json]`: the proof
 * that names mean to a server what they mean to the guard. Exits 1 if it fails.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    statements: { type: 'string' },
    only: { type: 'string', default: Object.keys(namesServers).join(',') },
    seed: { type: 'string', default: '1' },
    questions: { type: 'string' },
    databases: { type: 'string' },
    json: { type: 'boolean', default: false },
    reasons: { type: 'boolean', default: false },
  },
})

const modes: Readonly<Record<string, (bench: NamesBench) => Promise<boolean>>> = {
  leaks: reportLeaks,
  equivalence: reportEquivalence,
  cost: reportCost,
  warehouses: reportWarehouses,
}

const mode = modes[positionals[0] ?? 'leaks']
if (mode === undefined) throw new Error(`the modes are ${Object.keys(modes).join(', ')}`)
const holds = await mode({
  only: values.only.split(','),
  statements: values.statements === undefined ? null : Number(values.statements),
  seed: Number(values.seed),
  json: values.json,
  reasons: values.reasons,
  golds:
    values.questions === undefined || values.databases === undefined
      ? null
      : { questions: values.questions, databases: values.databases },
})
process.exitCode = holds ? 0 : 1
