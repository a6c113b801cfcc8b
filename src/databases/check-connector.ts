import type { Catalog, Table } from '../domain/catalog.ts'
import type { Connector, RunOptions } from '../domain/database.ts'
import { SqlError } from '../domain/errors.ts'
import type { ResultTable } from '../domain/result.ts'
import type { Guard, GuardedSql } from '../domain/sql.ts'
import { databaseDialect } from '../sql/dialects.ts'
import { quoteIdentifier } from '../sql/render/quote.ts'
import { tableReference } from './catalog/internal-query.ts'

/** What `connector check` tries, in this order. */
export const connectorTrials = [
  'schema',
  'values',
  'row-limit',
  'byte-limit',
  'unknown-column',
  'guard',
  'estimate',
  'write',
  'time-limit',
  'cancel',
  'role',
] as const

/** One trial, and what came of it. `detail` has facts of the database's own: counts, and messages of its server. */
export interface TrialResult {
  readonly trial: (typeof connectorTrials)[number]
  readonly outcome: 'holds' | 'fails' | 'weak' | 'unknown'
  readonly detail: string
  readonly milliseconds: number
}

const limits: RunOptions = { timeoutMs: 60_000, maxRows: 100, maxBytes: 1_000_000 }

/** Cells that must come back as they are, whatever the dialect calls their types. */
const constantsOf = (dialect: string): readonly (readonly [sql: string, expected: unknown])[] => {
  const { quoteText } = databaseDialect(dialect).rendering
  const texts = ["it's 100 %", 'Ålesund 長崎', 'a\\b']
  return [
    ['1', 1],
    ['9007199254740993', 9007199254740993n],
    ...texts.map(text => [quoteText(text), text] as const),
    ['NULL', null],
  ]
}

/**
 * Proves a connector on a live database: it reads the schema, values and both limits, explains a statement, and tries each
 * safeguard, past the guard. Nothing is written. A trial that fails does not keep the others from being tried; only
 * `signal` makes this reject.
 */
export const checkConnector = async (
  connector: Connector,
  options: {
    readonly guard: Guard
    readonly signal?: AbortSignal
    readonly onTrial?: (result: TrialResult) => void
  },
): Promise<readonly TrialResult[]> => {
  const { guard, signal, onTrial } = options
  const run = { ...limits, ...(signal && { signal }) }
  const results: TrialResult[] = []
  const attempt = async (
    trial: TrialResult['trial'],
    work: () => Promise<Pick<TrialResult, 'outcome' | 'detail'>>,
  ): Promise<void> => {
    const began = performance.now()
    const told = await work().catch((error: unknown) => {
      signal?.throwIfAborted()
      return { outcome: 'fails' as const, detail: error instanceof Error ? error.message : String(error) }
    })
    const result = { trial, ...told, milliseconds: Math.round(performance.now() - began) }
    results.push(result)
    onTrial?.(result)
  }
  const guarded = (sql: string): GuardedSql => {
    const verdict = guard(sql, connector.dialect)
    if (verdict.verdict === 'refuse') throw new Error(`the guard refused ${sql}: ${verdict.reason}`)
    return verdict.guarded
  }

  let catalog: Catalog | null = null
  await attempt('schema', async () => {
    catalog = await connector.introspect(signal ? { signal } : {})
    const columns = catalog.tables.reduce((sum, table) => sum + table.columns.length, 0)
    const unknown = catalog.tables.flatMap(table => table.columns.filter(({ kind }) => kind === 'unknown'))
    const types = [...new Set(unknown.map(({ type }) => type))].slice(0, 5).join(', ')
    return {
      outcome: catalog.tables.length > 0 ? 'holds' : 'unknown',
      detail: `tables: ${catalog.tables.length}, columns: ${columns}${types === '' ? '' : `; types shown as text: ${types}`}`,
    }
  })
  await attempt('values', async () => {
    const constants = constantsOf(connector.dialect)
    const list = constants.map(([sql], at) => `${sql} AS c${at}`).join(', ')
    const { rows } = await connector.run(guarded(`SELECT ${list}`), run)
    const odd = constants.filter(([, expected], at) => rows[0]?.[at] !== expected).map(([sql]) => sql)
    return { outcome: odd.length === 0 ? 'holds' : 'fails', detail: odd.join(', ') }
  })

  const table = largestTable(catalog)
  if (table === null) {
    for (const trial of ['row-limit', 'byte-limit', 'unknown-column', 'guard', 'estimate'] as const)
      await attempt(trial, async () => ({ outcome: 'unknown', detail: 'there is no table' }))
  } else {
    const name = tableReference(table, connector.dialect)
    const column = quoteIdentifier(table.columns[0]?.name ?? '', connector.dialect)
    const read = (atMost: Partial<RunOptions>): Promise<ResultTable> =>
      connector.run(guarded(`SELECT ${column} FROM ${name}`), { ...run, ...atMost })
    await attempt('row-limit', async () => cutBy('rows', await read({ maxRows: 1 }), 1))
    await attempt('byte-limit', async () => cutBy('bytes', await read({ maxBytes: 1 }), 0))
    await attempt('unknown-column', async () => {
      const failure = await connector.run(guarded(`SELECT querent_no_such_column FROM ${name}`), run).then(
        () => null,
        (error: unknown) => error,
      )
      const isTold = failure instanceof SqlError && failure.errorClass === 'unknown-column'
      return { outcome: isTold ? 'holds' : 'fails', detail: failure instanceof Error ? failure.message : '' }
    })
    await attempt('guard', async () => {
      const writes = [
        `DELETE FROM ${name}`,
        `DROP TABLE ${name}`,
        `INSERT INTO ${name} SELECT * FROM ${name}`,
      ]
      const passed = writes.filter(sql => guard(sql, connector.dialect).verdict === 'allow')
      return { outcome: passed.length === 0 ? 'holds' : 'fails', detail: passed.join('; ') }
    })
    await attempt('estimate', async () => {
      const plan = await connector.explain(guarded(`SELECT count(*) FROM ${name}`), run)
      const reads = databaseDialect(connector.dialect).plan.read(plan, () => table.rowCount)
      const rows = reads.map(({ rows }) => rows).find(rows => rows !== null)
      return rows === undefined
        ? { outcome: 'unknown', detail: 'the plan has no numbers: collect statistics of the tables' }
        : { outcome: 'holds', detail: `rows: ${Math.round(rows)}` }
    })
  }

  const began = performance.now()
  const safeguards = await connector.checkSafeguards(signal ? { signal } : {}).catch((error: unknown) => {
    signal?.throwIfAborted()
    return error instanceof Error ? error.message : String(error)
  })
  const milliseconds = Math.round(performance.now() - began)
  const told = (
    trial: TrialResult['trial'],
    holds: boolean | null,
    otherwise: 'fails' | 'weak' = 'fails',
  ): void => {
    const failed = typeof safeguards === 'string'
    const result: TrialResult = {
      trial,
      outcome: failed ? 'fails' : holds === null ? 'unknown' : holds ? 'holds' : otherwise,
      detail: failed ? safeguards : '',
      milliseconds,
    }
    results.push(result)
    onTrial?.(result)
  }
  const found = typeof safeguards === 'string' ? null : safeguards
  told('write', found?.refusesWrites ?? false)
  told('time-limit', found?.stopsAtTimeout ?? false)
  told('cancel', found?.cancelFreesServer ?? false)
  const canWrite = found?.roleCanWrite ?? null
  told('role', canWrite === null ? null : !canWrite, 'weak')
  return results
}

/** The table with most rows, as far as that is known: limits show best there. */
const largestTable = (catalog: Catalog | null): Table | null => {
  const tables = (catalog?.tables ?? []).filter(({ type, columns }) => type === 'table' && columns.length > 0)
  return tables.reduce<Table | null>(
    (largest, table) =>
      largest === null || (table.rowCount ?? 0) > (largest.rowCount ?? 0) ? table : largest,
    null,
  )
}

/** A table with a single row shows nothing of a limit. */
const cutBy = (
  cap: 'rows' | 'bytes',
  { rows, truncated }: ResultTable,
  most: number,
): Pick<TrialResult, 'outcome' | 'detail'> => {
  if (truncated === cap && rows.length <= most) return { outcome: 'holds', detail: '' }
  return truncated === null && rows.length <= 1
    ? { outcome: 'unknown', detail: 'the table has too few rows' }
    : { outcome: 'fails', detail: `rows: ${rows.length}, cut by ${truncated ?? 'nothing'}` }
}
