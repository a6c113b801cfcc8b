import Table from 'cli-table3'
import type { NamesServer } from '../../test/databases/guard/names/names-servers.ts'
import { settingRights, worldStatements } from '../../test/databases/guard/names/names-world.ts'
import { ordinaryStatement } from '../../test/databases/guard/names/run-equivalence.ts'
import { openUnder, tryStatement } from '../../test/databases/guard/rights/try-rights.ts'
import { type NamesBench, onEachServer } from './names-bench.ts'

/** Half of statements, and 95 of 100, take at most this many milliseconds. */
interface Spread {
  readonly p50: number
  readonly p95: number
}

interface Cost {
  readonly statements: number
  readonly guard: { readonly without: Spread; readonly under: Spread; readonly added: Spread }
  readonly guardAndRun: { readonly without: Spread; readonly under: Spread }
}

const spreadOf = (times: readonly number[]): Spread => {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(2))
  return { p50: at(0.5), p95: at(0.95) }
}

const warmUp = 300

/** What the guard takes for ordinary statements, with rights and without; what it adds should be at most 5 ms. */
export const reportCost = async (bench: NamesBench): Promise<boolean> => {
  const statements = bench.statements ?? 2_000
  const costs = await onEachServer(bench, server => measure(server, statements, bench.seed))
  if (bench.json) process.stdout.write(`${JSON.stringify(costs)}\n`)
  else {
    const table = new Table({
      head: [
        'server',
        'statements',
        'guard, without',
        'under rights',
        'added',
        'guard and run, without',
        'under rights',
      ],
    })
    const cell = ({ p50, p95 }: Spread): string => `${p50}, ${p95}`
    for (const [name, { statements: count, guard, guardAndRun }] of Object.entries(costs))
      table.push([
        ...[name, count, cell(guard.without), cell(guard.under), cell(guard.added)],
        ...[cell(guardAndRun.without), cell(guardAndRun.under)],
      ])
    process.stdout.write(`ms, p50 and p95\n${table.toString()}\n`)
  }
  return Object.values(costs).every(({ guard }) => guard.added.p95 <= 5)
}

const measure = async (server: NamesServer, count: number, seed: number): Promise<Cost> => {
  const made = await server.create(worldStatements('both', 'first', server.form))
  const plain = await openUnder(made.address, null)
  const restricted = await openUnder(made.address, settingRights('both', server.form))
  const times: Record<'without' | 'under' | 'added' | 'runWithout' | 'runUnder', number[]> = {
    ...{ without: [], under: [], added: [], runWithout: [], runUnder: [] },
  }
  const guardMs = (opened: typeof plain, sql: string): number => {
    const began = performance.now()
    opened.database.guard(sql)
    return performance.now() - began
  }
  const runMs = async (opened: typeof plain, sql: string): Promise<number> => {
    const began = performance.now()
    await tryStatement(opened, sql)
    return performance.now() - began
  }
  try {
    for (let at = 0; at < count + warmUp; at += 1) {
      const sql = ordinaryStatement(server, seed * 1_000_000 + at).sql.replaceAll('{db}', made.name)
      // What the first one leaves warm must not help the same one each time.
      const isPlainFirst = at % 2 === 0
      const first = guardMs(isPlainFirst ? plain : restricted, sql)
      const second = guardMs(isPlainFirst ? restricted : plain, sql)
      if (at < warmUp) continue
      const [without, under] = isPlainFirst ? [first, second] : [second, first]
      times.without.push(without)
      times.under.push(under)
      times.added.push(under - without)
      // Few of them: what is measured is the guard.
      if (at % 10 !== 0 || restricted.database.guard(sql).verdict !== 'allow') continue
      times.runWithout.push(await runMs(plain, sql))
      times.runUnder.push(await runMs(restricted, sql))
    }
  } finally {
    await restricted.close()
    await plain.close()
    await made.drop()
  }
  return {
    statements: count,
    guard: { without: spreadOf(times.without), under: spreadOf(times.under), added: spreadOf(times.added) },
    guardAndRun: { without: spreadOf(times.runWithout), under: spreadOf(times.runUnder) },
  }
}
