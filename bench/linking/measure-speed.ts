import { makeRandom } from '../../fixtures/warehouse/random.ts'
import { linkSchema } from '../../src/databases/schema-linking/link-schema.ts'
import type { Catalog } from '../../src/domain/catalog.ts'
import { percentile } from '../../src/evaluation/statistics.ts'
import {
  generateWideDatabase,
  type WideSize,
  type WideTable,
} from '../wide-database/generate-wide-database.ts'

/** How fast a wide schema is linked. Times in milliseconds, memory in megabytes. */
export interface LinkingSpeed {
  readonly tables: number
  readonly columns: number
  readonly questions: number
  readonly firstMs: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly mostMs: number
  /** The same in time of the processor, of all threads: what other work on the machine does not lengthen. */
  readonly p95CpuMs: number
  /** What is held for the catalog after the questions, beside the catalog itself. */
  readonly heldMb: number
}

/** Questions over a generated schema, each asked once, under the usual budget of tokens. */
export const measureSpeed = async (
  size: WideSize,
  questions: number,
  gc: () => void,
): Promise<LinkingSpeed> => {
  const tables = generateWideDatabase(size)
  const catalog = catalogOf(tables)
  const random = makeRandom(size.seed, 'questions')
  gc()
  const before = process.memoryUsage().heapUsed
  const times: number[] = []
  const busy: number[] = []
  for (let asked = 0; asked <= questions; asked++) {
    const text = ask(random.pick(tables), random.pick(tables))
    const understanding = { kind: 'data', text, spans: [], today: '2026-11-20', timeZone: 'UTC' } as const
    const started = performance.now()
    const usedBefore = process.cpuUsage()
    await linkSchema({ understanding, catalog, matches: [] })
    times.push(performance.now() - started)
    const { user, system } = process.cpuUsage(usedBefore)
    busy.push((user + system) / 1000)
  }
  gc()
  const held = process.memoryUsage().heapUsed - before
  const [first = 0, ...later] = times
  return {
    tables: catalog.tables.length,
    columns: catalog.tables.reduce((sum, { columns }) => sum + columns.length, 0),
    questions,
    firstMs: first,
    p50Ms: percentile(later, 0.5) ?? 0,
    p95Ms: percentile(later, 0.95) ?? 0,
    mostMs: Math.max(...later),
    p95CpuMs: percentile(busy.slice(1), 0.95) ?? 0,
    heldMb: held / 1e6,
  }
}

const ask = (one: WideTable, other: WideTable): string => {
  const said = (name: string | undefined): string => (name ?? '').replaceAll('_', ' ')
  return `What is the average ${said(one.columns.at(-1)?.name)} of each ${said(one.name)} by ${said(other.columns[1]?.name)} of its ${said(other.name)} since 2024?`
}

const catalogOf = (tables: readonly WideTable[]): Catalog => ({
  dialect: 'postgres',
  fingerprint: 'wide',
  tables: tables.map(({ name, comment, columns, rowCount }) => ({
    schema: null,
    name,
    type: 'table',
    comment,
    rowCount,
    primaryKey: columns.slice(0, 1).map(column => column.name),
    columns: columns.map(column => ({
      name: column.name,
      type: column.type,
      kind: 'text',
      nullable: true,
      comment: column.comment,
      profile: null,
    })),
  })),
  foreignKeys: tables.flatMap(({ name, keys }) =>
    keys.map(({ column, table, targetColumn, declared }) => ({
      from: { table: name, columns: [column] },
      to: { table, columns: [targetColumn] },
      source: declared ? ('declared' as const) : ('derived' as const),
      inclusion: declared ? null : 1,
    })),
  ),
})
