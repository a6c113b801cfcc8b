import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import {
  benchIndex,
  type IndexFigures,
  type Lookup,
  lookupFigures,
  readRetrievalFiles,
  warmUpLookups,
} from '../src/cli/evaluation/bench-values.ts'
import { makeFts5Trigram } from './values/fts5-trigram.ts'
import { measureHouseKeeping } from './values/keep-house.ts'
import type { Peer } from './values/peer.ts'
import { makePgTrgm } from './values/pg-trgm.ts'

/**
 * `npm run bench:values -- --values FILE --queries FILE`: the value index beside its peers, on the same values and
 * queries, one after the other. What it means and what it measured: docs/benchmarks.md.
 */

type Row = IndexFigures & { readonly name: string; readonly queries: number }

const main = async (): Promise<void> => {
  const { values: options } = parseArgs({
    options: {
      values: { type: 'string' },
      queries: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      'peer-queries': { type: 'string', default: '300' },
    },
  })
  if (!options.values || !options.queries)
    throw new Error('Give --values and --queries: values, one a line, and lines {"kind","target","keyword"}.')
  const from = process.env.INIT_CWD ?? process.cwd()
  const { values, queries } = await readRetrievalFiles({
    values: resolve(from, options.values),
    queries: resolve(from, options.queries),
  })
  const now = (): number => performance.now()
  // The best of some rounds: other work on the machine only ever adds.
  const rounds = Array.from({ length: Number(options.rounds) }, () => benchIndex(values, queries, now))
  // And once by the processor's clock, which stands still while other work has the processor.
  const processor = benchIndex(values, queries, processorTime)
  const best = rounds.reduce((a, b) => (b.p95 < a.p95 ? b : a))
  const rows: Row[] = [
    { name: 'Querent', queries: queries.length, ...best },
    { name: 'Querent, processor time', queries: queries.length, ...processor },
  ]
  const houseKeeping = await measureHouseKeeping(values)

  const step = Math.max(1, Math.floor(queries.length / Number(options['peer-queries'])))
  const fewer = queries.filter((_, at) => at % step === 0)
  rows.push(await ask(makeFts5Trigram(values), values.length, fewer))
  const url = process.env.DATABASE_URL
  if (url) rows.push(await ask(await makePgTrgm(values, url), values.length, fewer))
  else process.stderr.write('DATABASE_URL is not set: pg_trgm is left out.\n')

  const report = {
    at: new Date().toISOString(),
    machine: { processors: availableParallelism(), model: cpus()[0]?.model, load: loadavg() },
    rounds: rounds.map(({ buildSeconds, p50, p95 }) => ({ buildSeconds, p50, p95 })),
    houseKeeping,
    rows,
  }
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `values-${values.length}.json`), `${JSON.stringify(report, null, 2)}\n`)
  process.stdout.write(`${draw(rows)}\n${JSON.stringify(houseKeeping)}\nload ${loadavg().join(' ')}\n`)
}

/** Milliseconds of processor time that this process has had, in all of its threads. */
const processorTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const ask = async (peer: Peer, n: number, queries: readonly Lookup[]): Promise<Row> => {
  try {
    for (const { keyword } of queries.slice(0, warmUpLookups / 10)) await peer.find(keyword)
    const lookups = []
    for (const query of queries) {
      const started = performance.now()
      const values = await peer.find(query.keyword)
      lookups.push({ query, milliseconds: performance.now() - started, values })
    }
    const { name, buildSeconds, indexBytes } = peer
    return { name, n, queries: queries.length, buildSeconds, indexBytes, ...lookupFigures(lookups) }
  } finally {
    await peer.close()
  }
}

const draw = (rows: readonly Row[]): string => {
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: ['', 'values', 'build s', 'index MB', 'queries', 'p50 ms', 'p95 ms', 'recall@10'],
  })
  for (const { name, n, buildSeconds, indexBytes, queries, p50, p95, recall10 } of rows)
    table.push([
      name,
      n,
      buildSeconds.toFixed(2),
      (indexBytes / 1e6).toFixed(1),
      queries,
      p50.toFixed(2),
      p95.toFixed(2),
      recall10.toFixed(4),
    ])
  return table.toString()
}

await main()
