import { parseDatabaseReference } from '../../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../../src/databases/guard/guard.ts'
import { deriveHashKey } from '../../../../src/databases/guard/rights/hash-key.ts'
import { type OpenDatabase, openDatabase } from '../../../../src/databases/open-database.ts'
import type { DataRights, HashKey } from '../../../../src/domain/access/data-rights.ts'
import { type StatementAudit, silentAudit } from '../../../../src/domain/operations/audit.ts'

const limits = { timeoutMs: 10_000, maxRows: 1_000, maxBytes: 1_000_000 }

const testKey = deriveHashKey(Buffer.from('a secret for tests'), 'shop')

/** Opens a database under rights, or without. */
export const openUnder = (
  address: string,
  rights: DataRights | null,
  {
    audit = silentAudit,
    hashKey = testKey,
  }: { readonly audit?: StatementAudit; readonly hashKey?: HashKey } = {},
): Promise<OpenDatabase> =>
  openDatabase(parseDatabaseReference(address, { baseFolder: '/' }), {
    audit,
    hashKey,
    guard: makeGuard(),
    limits,
    ...(rights && { rights }),
  })

/** What someone who asks gets to see of a statement: rows, or the text of a refusal or an error. */
export const tryStatement = async (
  { database }: OpenDatabase,
  sql: string,
): Promise<{
  readonly status: 'rows' | 'refused' | 'failed'
  readonly shown: string
  /** A cap cut the rows. */
  readonly isCut?: true
}> => {
  const verdict = database.guard(sql)
  if (verdict.verdict === 'refuse') return { status: 'refused', shown: verdict.reason }
  try {
    const { columns, rows, truncated } = await database.run(verdict.guarded)
    const shown = JSON.stringify([columns.map(({ name }) => name), rows])
    return { status: 'rows', shown, ...(truncated !== null && { isCut: true as const }) }
  } catch (error) {
    return { status: 'failed', shown: (error as Error).message }
  }
}

/** Rows as a multiset: without ORDER BY, and among ties, their order means nothing. */
export const inAnyOrder = (shown: string): string => {
  const [columns, rows] = JSON.parse(shown) as [readonly string[], readonly unknown[]]
  return JSON.stringify([columns, rows.map(row => JSON.stringify(row)).sort()])
}
