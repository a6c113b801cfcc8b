import Table from 'cli-table3'
import type { Dialect } from '../../src/domain/sql.ts'
import { runWarehouse, warehouses } from '../../test/databases/guard/names/run-warehouses.ts'
import type { NamesBench } from './names-bench.ts'

/** Reads rendered statements by the documents of warehouses of which no server is at hand. True if none reads too much. */
export const reportWarehouses = async ({ statements, seed, json }: NamesBench): Promise<boolean> => {
  const reports = (Object.keys(warehouses) as Dialect[]).map(
    dialect => [dialect, runWarehouse(dialect, { statements: statements ?? 20_000, seed })] as const,
  )
  if (json) process.stdout.write(`${JSON.stringify(Object.fromEntries(reports))}\n`)
  else {
    const table = new Table({
      head: [
        'warehouse',
        'statements',
        'rendered',
        'refused',
        'read a restricted table as written',
        'still read one',
      ],
    })
    for (const [dialect, { statements: all, rendered, refused, readAsWritten, leaks }] of reports)
      table.push([dialect, all, rendered, refused, readAsWritten, leaks.length])
    process.stdout.write(`${table.toString()}\n`)
  }
  return reports.every(([, { leaks }]) => leaks.length === 0)
}
