import type { Catalog, Table } from '../../../src/domain/catalog.ts'
import { keyGraphOf, keysBetween } from '../../../src/domain/key-graph.ts'
import type { ColumnUse, Source } from '../../../src/sql/analyze/query-scope.ts'
import { quoteIdentifier } from '../../../src/sql/render/quote.ts'
import type { SelectBlock } from './select-blocks.ts'
import {
  bareColumnTokens,
  type Edit,
  hasColumn,
  isName,
  nameOfSource,
  type Statement,
  sameName,
  tableNamed,
  tableOfSource,
  visibleSources,
} from './statement.ts'

/** A table of the FROM, and the table that is missing beside it. */
interface MissingJoin {
  readonly source: Source
  readonly table: Table
  readonly step: ForeignKeyJoin
}

/**
 * Joins a table that a SELECT names columns of and leaves out of its FROM, where one foreign key leads there and no
 * other. The table is the one that is named, else the only one so near that has the column. (Over two keys it was tried
 * too: of the statements that ran after that, only one in three gave the right rows, against four in five over one.)
 */
export const addMissingJoins = (statement: Statement): readonly Edit[] => {
  if (statement.scopes.length === 0) return []
  for (const block of statement.blocks) {
    for (const use of block.scope?.columns ?? []) {
      const forgotten = missingJoinsOf(use, block, statement)
      // One table at a time: the next round sees a statement that has it.
      if (forgotten !== null) return editsFor(use, forgotten, block, statement)
    }
  }
  return []
}

const missingJoinsOf = (use: ColumnUse, block: SelectBlock, statement: Statement): MissingJoin | null => {
  if (use.column === '*' || use.mayBeText || block.scope === null) return null
  const { sources } = block.scope
  const seen = visibleSources(block)
  const tables = seen.map(source => tableOfSource(source, statement))
  // What a subquery or an unknown table may have is not ours to say, unless the name says whose it is.
  if (use.qualifier === null && tables.includes(null)) return null
  if (block.scope.outputs.has(use.column.toLowerCase())) return null
  const named = use.qualifier === null ? null : namedBy(use.qualifier, seen, statement)
  if (named === 'unclear') return null
  if (named === null && tables.some(table => table !== null && hasColumn(table, use.column, statement)))
    return null
  const owners = (named === null ? statement.database.catalog.tables : [named]).filter(table =>
    hasColumn(table, use.column, statement),
  )
  const found = owners.flatMap(table =>
    sources.flatMap(source => {
      const own = tableOfSource(source, statement)
      const step = own === null ? null : foreignKeyJoin(own, table, statement.database.catalog)
      return step === null ? [] : [{ source, table, step }]
    }),
  )
  const [only, ...others] = found
  return others.length === 0 ? (only ?? null) : null
}

/** The table that a qualifier names although it is not in sight; null if the qualifier is a source without the column. */
const namedBy = (
  qualifier: string,
  seen: readonly Source[],
  statement: Statement,
): Table | null | 'unclear' => {
  if (seen.some(source => sameName(nameOfSource(source) ?? '', qualifier, statement))) return null
  return tableNamed(qualifier, statement) ?? 'unclear'
}

const editsFor = (
  use: ColumnUse,
  { source, step, table }: MissingJoin,
  block: SelectBlock,
  statement: Statement,
): readonly Edit[] => {
  const from = block.clauses.from
  const last = from && statement.tokens[from.to - 1]
  if (!last || hasList(from, block, statement)) return []
  const { dialect } = statement.database
  const quote = (name: string): string => quoteIdentifier(name, dialect)
  const called = nameOfSource(source) ?? ''
  const on = step.map(({ from, to }) => `${quote(called)}.${quote(from)} = ${quote(table.name)}.${quote(to)}`)
  return [
    { start: last.end, end: last.end, text: ` JOIN ${quote(table.name)} ON ${on.join(' AND ')}` },
    ...qualify(use, table, block, statement),
    ...qualifyAmbiguous(table, block, statement),
  ]
}

/** `FROM a, b` binds a JOIN to `b` alone. */
const hasList = (
  from: { readonly from: number; readonly to: number },
  block: SelectBlock,
  { tokens }: Statement,
) => {
  let depth = 0
  return block.own.some(at => {
    if (at < from.from || at >= from.to) return false
    const text = tokens[at]?.text
    if (text === '(') depth += 1
    if (text === ')') depth -= 1
    return depth === 0 && text === ','
  })
}

const qualify = (use: ColumnUse, table: Table, block: SelectBlock, statement: Statement): readonly Edit[] => {
  const text = quoteIdentifier(table.name, statement.database.dialect)
  if (use.qualifier === null) {
    return bareColumnTokens(use.column, block, statement).map(({ start }) => ({
      start,
      end: start,
      text: `${text}.`,
    }))
  }
  const { qualifier, column } = use
  if (sameName(qualifier, table.name, statement)) return []
  return block.own.flatMap(at => {
    const [token, dot, name] = statement.tokens.slice(at, at + 3)
    if (!token || !isName(token, qualifier, statement) || dot?.text !== '.') return []
    return isName(name, column, statement) ? [{ start: token.start, end: token.end, text }] : []
  })
}

/** Bare columns that the new table has too get the name of the source that they were of until now. */
const qualifyAmbiguous = (added: Table, block: SelectBlock, statement: Statement): readonly Edit[] => {
  const bare = new Set(
    block.scope?.columns.flatMap(({ qualifier, column }) => (qualifier === null ? [column] : [])),
  )
  return [...bare].flatMap(column => {
    if (!hasColumn(added, column, statement)) return []
    const owners = (block.scope?.sources ?? []).filter(source => {
      const table = tableOfSource(source, statement)
      return table !== null && hasColumn(table, column, statement)
    })
    const called = owners.length === 1 && owners[0] ? nameOfSource(owners[0]) : null
    if (called === null) return []
    return bareColumnTokens(column, block, statement).map(({ start }) => ({
      start,
      end: start,
      text: `${quoteIdentifier(called, statement.database.dialect)}.`,
    }))
  })
}

/** One join along a foreign key: the columns that are equal, whichever way the key points. */
type ForeignKeyJoin = readonly { readonly from: string; readonly to: string }[]

/** The one key that leads from one table to another; null when there is none, or more than one. */
const foreignKeyJoin = (from: Table, to: Table, catalog: Catalog): ForeignKeyJoin | null => {
  if (from === to) return null
  const at = catalog.tables.indexOf(from)
  const joins = keysBetween(keyGraphOf(catalog), at, catalog.tables.indexOf(to)).map(edge => {
    const [own, other] = edge.from.table === at ? [edge.from, edge.to] : [edge.to, edge.from]
    return own.columns.map((column, i) => ({ from: column.name, to: other.columns[i]!.name }))
  })
  // A key may be declared and derived too.
  const different = [...new Map(joins.map(join => [JSON.stringify(join), join])).values()]
  return different.length === 1 ? (different[0] ?? null) : null
}
