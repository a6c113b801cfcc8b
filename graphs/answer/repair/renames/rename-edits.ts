import type { Catalog, Table } from '../../../../src/domain/catalog.ts'
import type { SnapshotColumn } from '../../../../src/domain/schema-drift.ts'
import type { ColumnUse, Source } from '../../../../src/sql/analyze/query-scope.ts'
import { quoteIdentifier } from '../../../../src/sql/render/quote.ts'
import { isTableReference } from '../rename-tables.ts'
import type { SelectBlock } from '../select-blocks.ts'
import {
  bareColumnTokens,
  type Edit,
  hasColumn,
  isName,
  nameOfSource,
  type Statement,
  sameName,
  tableOfSource,
} from '../statement.ts'
import type { PastTable } from './past-schema.ts'
import { nameSimilarity } from './similarity.ts'

/** Gives a table its new name wherever the statement names it, with its schema where it needs one. */
export const tableEdits = (past: Statement, gone: PastTable, now: Table): readonly Edit[] => {
  const { dialect } = past.database
  const name = quoteIdentifier(now.name, dialect)
  const text = now.schema === null ? name : `${quoteIdentifier(now.schema, dialect)}.${name}`
  return past.tokens.flatMap((token, at) => {
    if (!isName(token, gone.name, past) || !isTableReference(at, gone.name, past)) return []
    // Before a column the name alone will do; in a FROM clause the schema that stands there goes too.
    if (past.tokens[at + 1]?.text === '.') return [{ start: token.start, end: token.end, text: name }]
    const schema = past.tokens[at - 1]?.text === '.' ? past.tokens[at - 2] : undefined
    return [{ start: schema?.start ?? token.start, end: token.end, text }]
  })
}

/** Writes another column in the place of one, wherever these uses name it; `text` stands for the column alone. */
export const columnEdits = (
  past: Statement,
  uses: readonly OwnedColumnUse[],
  { text, withQualifier }: { readonly text: string; readonly withQualifier: boolean },
): readonly Edit[] => {
  const edits = uses.flatMap(({ block, use }): readonly Edit[] => {
    if (use.qualifier === null)
      return bareColumnTokens(use.column, block, past)
        .filter(token => !isTableReference(past.tokens.indexOf(token), use.column, past))
        .map(({ start, end }) => ({ start, end, text }))
    const { qualifier } = use
    return block.own.flatMap(at => {
      const [token, dot, name] = past.tokens.slice(at, at + 3)
      if (!token || !name || dot?.text !== '.') return []
      if (!isName(token, qualifier, past) || !isName(name, use.column, past)) return []
      return [{ start: withQualifier ? token.start : name.start, end: name.end, text }]
    })
  })
  // The same place is named by each use of the column in its SELECT.
  return [...new Map(edits.map(edit => [edit.start, edit])).values()]
}

/** A column that moved to a table of its own, which its table refers to now. */
interface MovedColumn {
  readonly edits: readonly Edit[]
  readonly says: string
  readonly likeness: number
}

/** What a table of names calls its names. */
const labels = new Set(['name', 'title', 'label', 'value', 'description'])

/** A table that is called as the column was, and a key of which only the name of the column is told. */
const LABEL = 0.75

const LEAST_NAME = 0.6

/**
 * Finds the column in tables that its table refers to: `section` became `section_id`, and `sections` has its name. Only
 * where each SELECT that names it reads its table once, so that it is clear which rows are joined. Rows without the other
 * table stay.
 */
export const joinMoved = (
  past: Statement,
  gone: {
    readonly column: SnapshotColumn
    readonly table: PastTable
    readonly uses: readonly OwnedColumnUse[]
  },
  now: { readonly catalog: Catalog; readonly table: Table },
): readonly MovedColumn[] => {
  const { catalog, table } = now
  return catalog.foreignKeys.flatMap(({ from, to }): readonly MovedColumn[] => {
    const [key, ...more] = from.columns
    const other = catalog.tables.find(({ name }) => name === to.table)
    if (from.table !== table.name || key === undefined || more.length > 0 || !other) return []
    const isOld = gone.table.columns.some(({ name }) => name === key)
    return other.columns.flatMap((column): readonly MovedColumn[] => {
      if (gone.column.kind !== 'unknown' && column.kind !== gone.column.kind) return []
      const isLabel = labels.has(column.name.toLowerCase())
      const ofTable = Math.max(
        nameSimilarity(gone.column.name, other.name),
        nameSimilarity(gone.column.name, key),
      )
      const own = nameSimilarity(gone.column.name, column.name)
      const likeness = Math.max(isLabel && ofTable >= LEAST_NAME ? LABEL * ofTable : 0, own * LABEL)
      if (likeness < LEAST_NAME * LABEL) return []
      const edits = joinEdits(past, gone, {
        ...{ key, other, to: to.columns[0] ?? '', column: column.name },
        table: table.name,
      })
      if (edits === null) return []
      const says = `${table.name}.${gone.column.name} is now ${other.name}.${column.name}, joined over ${table.name}.${key}`
      // A key that was there before is no sign of a move.
      return [{ edits, says, likeness: isOld && gone.table.isWhole ? likeness / 2 : likeness }]
    })
  })
}

const joinEdits = (
  past: Statement,
  { uses }: { readonly uses: readonly OwnedColumnUse[] },
  joined: {
    readonly key: string
    readonly other: Table
    readonly to: string
    readonly column: string
    readonly table: string
  },
): readonly Edit[] | null => {
  const { dialect } = past.database
  const quote = (name: string): string => quoteIdentifier(name, dialect)
  const { key, other, to, column } = joined
  const name = quote(other.name)
  const joins = new Map<number, Edit>()
  for (const { block, home, source, table } of uses) {
    const sources = block.scope?.sources ?? []
    const isOnce = sources.filter(each => each.name?.toLowerCase() === table).length === 1
    const isRead = sources.some(each => each.name?.toLowerCase() === other.name.toLowerCase())
    if (home !== block || !isOnce || isRead) return null
    const end = endOfSource(past, block.own, source.name ?? '', source.alias)
    if (end === null) return null
    // Without an alias it goes by its name, which may be a new one.
    const called = source.alias ?? joined.table
    const schema = other.schema === null ? '' : `${quote(other.schema)}.`
    const text = ` left join ${schema}${name} on ${name}.${quote(to)} = ${quote(called)}.${quote(key)}`
    joins.set(end, { start: end, end, text })
  }
  const columns = columnEdits(past, uses, { text: `${name}.${quote(column)}`, withQualifier: true })
  return joins.size === 0 ? null : [...joins.values(), ...columns]
}

/** Where a source ends in the FROM clause, its alias included; null if it is not found. */
const endOfSource = (
  past: Statement,
  own: readonly number[],
  table: string,
  alias: string | null,
): number | null => {
  const at = own.find(
    at =>
      isName(past.tokens[at], table, past) &&
      past.tokens[at + 1]?.text !== '.' &&
      isTableReference(at, table, past),
  )
  const token = at === undefined ? undefined : past.tokens[at]
  if (at === undefined || !token) return null
  if (alias === null) return token.end
  const last = [1, 2].map(on => past.tokens[at + on]).find(next => isName(next, alias, past))
  return last?.end ?? null
}

/** A column as a SELECT names it, and the source that had it. */
export interface OwnedColumnUse {
  readonly block: SelectBlock
  readonly use: ColumnUse
  readonly source: Source
  /** The SELECT that the source is of: this one, or one around it. */
  readonly home: SelectBlock
  /** The table behind the source, in lower case. */
  readonly table: string
}

/** Every column that a statement names, with each source that may have had it. `past` is read with the old catalog. */
export const columnUses = (past: Statement): readonly OwnedColumnUse[] =>
  past.blocks.flatMap(block =>
    (block.scope?.columns ?? []).flatMap(use => {
      if (use.column === '*') return []
      if (use.mayBeOutput && block.scope?.outputs.has(use.column.toLowerCase())) return []
      return ownersOf(use, block, past).map(owner => ({ block, use, ...owner }))
    }),
  )

/** Those of the nearest SELECT that has any: what is further out is hidden. */
const ownersOf = (
  use: ColumnUse,
  block: SelectBlock,
  past: Statement,
): readonly Pick<OwnedColumnUse, 'source' | 'home' | 'table'>[] => {
  for (let home: SelectBlock | null = block; home !== null; home = home.parent) {
    const owners: Pick<OwnedColumnUse, 'source' | 'home' | 'table'>[] = []
    for (const source of home.scope?.sources ?? []) {
      const table = tableOfSource(source, past)
      if (!table || !hasColumn(table, use.column, past)) continue
      const called = nameOfSource(source)
      if (use.qualifier === null || (called !== null && sameName(called, use.qualifier, past)))
        owners.push({ source, home, table: table.name.toLowerCase() })
    }
    if (owners.length > 0) return owners
  }
  return []
}
