import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { z } from 'zod'
import { allAttacks } from '../test/adversarial/corpus/all-attacks.ts'
import { safeguards } from './safeguards/safeguards.ts'

/**
 * `npm run bench:safeguards [-- --most N --seed S --only NAME --list]`: the corpus of attacks with one safeguard after the other
 * switched off: which attacks it alone stops. `bench:attacks` is the same with all of them on.
 */
const { values } = parseArgs({
  options: {
    most: { type: 'string', default: '60' },
    seed: { type: 'string', default: '0' },
    only: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
  },
})

const reply = z.object({
  cases: z.number(),
  succeeded: z.number(),
  attacks: z.array(
    z.object({ threat: z.string(), id: z.string(), name: z.string(), achieved: z.array(z.string()) }),
  ),
})

/** Attacks of these threats in a process of its own, whose sources are read without the safeguard. */
const attackWithout = async (
  safeguard: string,
  threats: readonly string[],
): Promise<z.output<typeof reply>> => {
  const hook = pathToFileURL(join(import.meta.dirname, 'safeguards/switch-off.ts')).href
  const all = allAttacks.filter(({ threat }) => threats.includes(threat))
  const every = String(Math.ceil(all.length / Number(values.most)))
  const of = threats.flatMap(threat => ['--threat', threat])
  const options = ['--json', '--list', '--every', every, '--seed', values.seed, ...of]
  const child = spawn(process.execPath, [join(import.meta.dirname, 'attacks.ts'), ...options], {
    // The processes of SQLite and DuckDB read their sources the same way.
    env: {
      ...process.env,
      NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${hook}`,
      SWITCH_OFF: safeguard,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', chunk => {
    out += String(chunk)
  })
  child.stderr.on('data', chunk => {
    err += String(chunk)
  })
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  const line = out.trim().split('\n').at(-1) ?? ''
  if (code !== 0 || !line.startsWith('{')) throw new Error(`without ${safeguard}: ${err.slice(-2_000)}`)
  return reply.parse(JSON.parse(line))
}

const table = new Table({
  head: ['switched off', 'threats', 'attacks', 'succeed', 'by threat', 'for example'],
  wordWrap: true,
  colWidths: [24, 12, 9, 9, 16, 70],
})
const wanted = safeguards.filter(({ name }) => values.only.length === 0 || values.only.includes(name))
for (const { name, threats } of wanted) {
  process.stderr.write(`${name} ...\n`)
  const { cases, succeeded, attacks } = await attackWithout(name, threats)
  const byThreat = [...Map.groupBy(attacks, ({ threat }) => threat)].map(
    ([threat, of]) => `${threat} ${of.length}`,
  )
  table.push([
    name,
    threats.join(' '),
    cases,
    succeeded,
    byThreat.join(', '),
    attacks[0]?.name.slice(0, 130) ?? '',
  ])
  if (values.list)
    for (const { threat, id, name: attack, achieved } of attacks)
      process.stdout.write(`${name}: ${threat} ${id} ${attack}: ${achieved[0]}\n`)
}
process.stdout.write(`${table.toString()}\n`)
