import type { Database } from '../../core/database.ts'
import type { InitRun } from './init-run.ts'
import { formatCount } from './try-address.ts'

/** What the third step came to. */
export interface BuiltIndex {
  readonly database: Database
  readonly tables: number
  readonly columns: number
  readonly values: number
  readonly milliseconds: number
  /** False where it was there already. */
  readonly isNew: boolean
}

/** The third step: the database is measured and its values are indexed, with a bar on a terminal. What is there is used. */
export const buildIndex = async (run: InitRun, name: string): Promise<BuiltIndex> => {
  const { resources } = run.setup()
  const started = performance.now()
  const database = await resources.openDatabase(name, { signal: run.signal })
  const report = await resources.reportOnDatabase(name, { signal: run.signal })
  run.clearProgress()
  const { tables, columns, values, isNew, leftOut } = report
  const milliseconds = Math.round(performance.now() - started)
  const what = `${formatCount(tables, 'table')}, ${formatCount(columns, 'column')}, ${formatCount(values, 'value')}`
  run.mark('ok', `${what}: ${isNew ? `${(milliseconds / 1000).toFixed(1)} s` : 'indexed already'}`)
  if (leftOut.length > 0)
    run.mark(
      'weak',
      `${formatCount(leftOut.length, 'thing')} could not be measured: npm run -s querent -- index lists them`,
    )
  return { database, tables, columns, values, milliseconds, isNew }
}
