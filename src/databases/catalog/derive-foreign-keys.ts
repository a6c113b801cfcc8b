import type { Catalog, ForeignKey } from '../../core/catalog.ts'
import type { Dialect } from '../../core/dialect.ts'
import { SqlError } from '../../core/sql-error.ts'
import { quoteIdentifier } from '../../sql/render/quote-identifier.ts'
import { chunkStatements } from './chunk-statements.ts'
import { type KeyCandidate, listKeyCandidates } from './key-candidates.ts'
import type { RunInternalQuery } from './make-ask.ts'
import { nameTables } from './name-tables.ts'
import { tableReference } from './table-source.ts'

/** Share of the different values of one side that the other must hold. */
const minInclusion = 0.95

/** Pairs measured at most; there are more only where nothing at all is declared in a very large schema. */
const maxCandidates = 1000

/** Different values compared for one pair. */
const maxComparedTargets = 10_000

/**
 * The keys that nobody declared: names and types that match (see `listKeyCandidates`), and at least 95 % of the
 * referring values found on the other side. A column refers to one table: the one with the strongest name, then the
 * highest share; and of two tables that would refer to each other, the less included one is the target.
 */
export const inferForeignKeys = async (
  catalog: Catalog,
  ask: RunInternalQuery,
): Promise<readonly ForeignKey[]> => {
  const candidates = listKeyCandidates(catalog).slice(0, maxCandidates)
  if (candidates.length === 0) return []
  const shares = await measureInclusion(candidates, catalog.dialect, ask)
  const names = nameTables(catalog)
  const found = candidates
    .map((candidate, index) => ({ candidate, inclusion: shares.get(index) ?? 0 }))
    .filter(({ inclusion }) => inclusion >= minInclusion)
    .sort(
      (a, b) =>
        a.candidate.rank - b.candidate.rank || b.inclusion - a.inclusion || sizeOfTarget(b) - sizeOfTarget(a),
    )
  const keys: ForeignKey[] = []
  const referring = new Set<unknown>()
  const pairs = new Set<string>()
  for (const { candidate, inclusion } of found) {
    const from = { table: names.get(candidate.from.table) ?? '', columns: [candidate.from.column.name] }
    const to = { table: names.get(candidate.to.table) ?? '', columns: [candidate.to.column.name] }
    const pair = JSON.stringify([JSON.stringify(from), JSON.stringify(to)].sort())
    if (referring.has(candidate.from.column) || pairs.has(pair)) continue
    referring.add(candidate.from.column)
    pairs.add(pair)
    keys.push({ from, to, source: 'derived', inclusion })
  }
  return keys.sort((a, b) => compare(JSON.stringify([a.from, a.to]), JSON.stringify([b.from, b.to])))
}

const sizeOfTarget = ({ candidate }: { readonly candidate: KeyCandidate }): number =>
  candidate.to.column.profile?.distinctCount ?? 0

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Shares by the candidate's position; a candidate without values has none. */
const measureInclusion = async (
  candidates: readonly KeyCandidate[],
  dialect: Dialect,
  ask: RunInternalQuery,
): Promise<ReadonlyMap<number, number>> => {
  const numbered = candidates.map((candidate, index) => ({ sql: inclusionSql(candidate, index, dialect) }))
  const shares = new Map<number, number>()
  const measure = async (statements: readonly string[]): Promise<void> => {
    try {
      for (const [index, values, held] of await ask(statements.join(' UNION ALL ')))
        if (Number(values) > 0) shares.set(Number(index), Number(held) / Number(values))
    } catch (error) {
      // Texts of two collations do not compare in MySQL; such a pair is no key, and must not cost the others theirs.
      if (!(error instanceof SqlError) || error.errorClass !== 'type-mismatch') throw error
      if (statements.length > 1) for (const statement of statements) await measure([statement])
    }
  }
  for (const chunk of chunkStatements(numbered, ({ sql }) => sql)) await measure(chunk.map(({ sql }) => sql))
  return shares
}

const inclusionSql = ({ from, to }: KeyCandidate, index: number, dialect: Dialect): string => {
  const source = quoteIdentifier(from.column.name, dialect)
  const target = quoteIdentifier(to.column.name, dialect)
  const values = `SELECT DISTINCT ${source} AS v FROM ${tableReference(from.table, dialect)} WHERE ${source} IS NOT NULL LIMIT ${maxComparedTargets}`
  const table = tableReference(to.table, dialect)
  // MariaDB has no hash join, but gives a derived table an index of its own.
  const isSlow = dialect === 'mysql' && to.table.primaryKey[0] !== to.column.name
  const held = isSlow ? `(SELECT DISTINCT ${target} FROM ${table})` : table
  return `SELECT ${index} AS i, count(*) AS n, count(b.${target}) AS m FROM (${values}) AS a LEFT JOIN ${held} AS b ON b.${target} = a.v`
}
