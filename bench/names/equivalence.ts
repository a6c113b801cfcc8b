import Table from 'cli-table3'
import {
  type Comparison,
  type EquivalenceReport,
  runEquivalence,
} from '../../test/databases/guard/names/run-equivalence.ts'
import { compareGolds } from './golds.ts'
import { mostFrequent, type NamesBench, onEachServer } from './names-bench.ts'

const comparisons: readonly Comparison[] = ['scope', 'rules']

/**
 * Runs ordinary statements with restrictions that change nothing, and without; with `--questions FILE --databases DIR`
 * known answers on SQLite too. True if no rows differ.
 */
export const reportEquivalence = async (bench: NamesBench): Promise<boolean> => {
  const statements = bench.statements ?? 5_000
  const reports = await onEachServer(bench, async (server, name) => {
    const found: Record<string, EquivalenceReport> = {}
    for (const comparison of comparisons)
      found[comparison] = await runEquivalence(server, comparison, {
        statements,
        seed: bench.seed,
        onProgress: done => {
          if (!bench.json) process.stderr.write(`\r${name} ${comparison}: ${done} of ${statements} `)
        },
      })
    if (name === 'sqlite' && bench.golds !== null) found.golds = await compareGolds(bench.golds)
    if (!bench.json)
      for (const [comparison, { examples, reasons }] of Object.entries(found)) {
        process.stderr.write(`\n${name} ${comparison}\n`)
        for (const example of examples.slice(0, 8)) process.stderr.write(`${example}\n`)
        process.stderr.write(mostFrequent(reasons, bench.reasons ? 40 : 8))
      }
    return found
  })
  const lines = Object.entries(reports).flatMap(([name, found]) =>
    Object.entries(found).map(([comparison, { counts }]) => ({ name, comparison, counts })),
  )
  if (bench.json)
    process.stdout.write(
      `${JSON.stringify(Object.fromEntries(lines.map(({ name, comparison, counts }) => [`${name}-${comparison}`, counts])))}\n`,
    )
  else {
    const table = new Table({
      head: [
        'server',
        'under',
        'ran',
        'equal',
        'other headings',
        'different',
        'arbitrary',
        'refused',
        'ordinary refused',
      ],
    })
    for (const { name, comparison, counts } of lines)
      table.push([
        ...[name, comparison, counts.ran, counts.equal, counts.headings, counts.different],
        ...[counts.arbitrary, counts.refused],
        `${counts.ordinaryRefused} of ${counts.ordinary} (${((100 * counts.ordinaryRefused) / Math.max(1, counts.ordinary)).toFixed(1)}%)`,
      ])
    process.stdout.write(`${table.toString()}\n`)
  }
  return lines.every(({ counts }) => counts.different === 0)
}
