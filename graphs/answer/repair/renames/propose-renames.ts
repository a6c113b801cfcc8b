import type { Catalog, Table } from '../../../../src/domain/catalog.ts'
import type { ProposeRenamings, Renaming, Renamings } from '../../../../src/domain/schema-drift.ts'
import { quoteIdentifier } from '../../../../src/sql/render/quote.ts'
import { applyEdits, type Edit, readStatement, type Statement } from '../statement.ts'
import { type PastTable, pastCatalog, pastTables } from './past-schema.ts'
import { columnEdits, columnUses, joinMoved, type OwnedColumnUse, tableEdits } from './rename-edits.ts'
import { scoreColumn, scoreTable } from './similarity.ts'

/** What may stand for one name, and for all names together: each is run against the database. */
const MOST_OF_ONE = 3

const MOST = 6

/** Below this a name is a guess. */
const LEAST = 0.4

/** One name replaced. */
interface Change {
  readonly edits: readonly Edit[]
  readonly says: string
  readonly likeness: number
}

/** Everything that stays the same while one statement is looked at. */
interface RenameSearch {
  readonly past: Statement
  readonly tables: readonly PastTable[]
  readonly uses: readonly OwnedColumnUse[]
  readonly catalog: Catalog
  readonly known: Parameters<ProposeRenamings>[0]['known']
}

/**
 * Finds what the tables and columns of a statement are called now. Tables are told by their columns and names; columns by
 * name, type, place, measures and keys. A column may have moved into a table that its own refers to.
 */
export const proposeRenames: ProposeRenamings = ({ sql, dialect, catalog, known }) => {
  const now = readStatement(sql, { dialect, catalog, findValues: () => [] })
  if (!now || now.scopes.length === 0) return { gone: [], renamings: [] }
  const tables = pastTables(now, known)
  const past = readStatement(sql, { ...now.database, catalog: pastCatalog(tables, { catalog }) })
  if (!past) return { gone: [], renamings: [] }
  const look: RenameSearch = { past, tables, uses: columnUses(past), catalog, known }
  return searchRenames(look)
}

const searchRenames = (look: RenameSearch): Renamings => {
  const { tables, catalog, past } = look
  const here = tables.map(table => ({ table, now: sameTable(table, catalog) }))
  const gone = here.flatMap(({ table, now }) =>
    now === null
      ? [`the table ${table.name}`]
      : goneColumns(look, table, now).map(name => `the column ${table.name}.${name}`),
  )
  if (gone.length === 0) return { gone, renamings: [] }
  const choices = here.map(({ table, now }): readonly Change[] =>
    now === null ? tableChanges(look, table) : columnChanges(look, table, now),
  )
  const renamings = combine(choices).map(
    (changes): Renaming => ({
      sql: applyEdits(past.sql, unique(changes.flatMap(({ edits }) => edits))),
      says: changes.flatMap(({ says }) => (says === '' ? [] : says.split('\n'))),
      likeness: Math.min(...changes.filter(({ edits }) => edits.length > 0).map(({ likeness }) => likeness)),
    }),
  )
  return { gone: [...new Set(gone)], renamings: renamings.filter(({ says }) => says.length > 0) }
}

/** The table where it was: of the same name, and in the same schema where that is known. */
const sameTable = ({ name, schema, isWhole }: PastTable, { tables }: Catalog): Table | null =>
  tables.find(
    table => table.name.toLowerCase() === name.toLowerCase() && (!isWhole || table.schema === schema),
  ) ?? null

/** Columns that the statement reads of a table and that it has no more. */
const goneColumns = ({ uses }: RenameSearch, past: PastTable, now: Table): readonly string[] => {
  const has = new Set(now.columns.map(({ name }) => name.toLowerCase()))
  const own = uses.filter(({ table }) => table === past.name.toLowerCase())
  const names = new Map(own.map(({ use }) => [use.column.toLowerCase(), use.column]))
  return [...names].flatMap(([folded, name]) => (has.has(folded) ? [] : [name]))
}

/** What a table that is gone may be now, each with its columns. */
const tableChanges = (look: RenameSearch, gone: PastTable): readonly Change[] => {
  const { catalog, tables, uses, known, past } = look
  const used = [
    ...new Set(uses.filter(({ table }) => table === gone.name.toLowerCase()).map(({ use }) => use.column)),
  ]
  const isRead = (table: Table): boolean =>
    tables.some(other => other !== gone && sameTable(other, catalog) === table)
  const wasThere = (table: Table): boolean | null =>
    known?.others ? known.others.includes(table.name) : null
  return best(
    catalog.tables
      .filter(table => !isRead(table))
      .map(table => ({ table, likeness: scoreTable(gone, table, { used, wasThere: wasThere(table) }) })),
  ).flatMap(({ table, likeness }) => {
    const renamed = {
      edits: tableEdits(past, gone, table),
      says: `the table ${gone.name} is now ${table.schema ? `${table.schema}.` : ''}${table.name}`,
    }
    return columnChanges(look, gone, table).map(columns => ({
      edits: [...renamed.edits, ...columns.edits],
      says: [renamed.says, ...(columns.says === '' ? [] : [columns.says])].join('\n'),
      likeness: Math.min(likeness, columns.likeness),
    }))
  })
}

/** What the columns of one table that are gone may be now; one change without edits if none is gone. */
const columnChanges = (look: RenameSearch, past: PastTable, now: Table): readonly Change[] => {
  const gone = goneColumns(look, past, now)
  const choices = gone.map(name => changesOfColumn(look, past, now, name))
  return combine(choices).flatMap(changes => {
    const targets = changes.map(({ says }) => says.split(' is now ')[1])
    // Two columns did not become one.
    if (new Set(targets).size < targets.length) return []
    return [
      {
        edits: changes.flatMap(({ edits }) => edits),
        says: changes.map(({ says }) => says).join('\n'),
        likeness: changes.reduce((least, { likeness }) => Math.min(least, likeness), 1),
      },
    ]
  })
}

const changesOfColumn = (
  look: RenameSearch,
  past: PastTable,
  now: Table,
  name: string,
): readonly Change[] => {
  const { catalog, known, uses } = look
  const column = past.columns.find(own => own.name.toLowerCase() === name.toLowerCase())
  if (!column) return []
  const own = uses.filter(
    ({ table, use }) => table === past.name.toLowerCase() && use.column.toLowerCase() === name.toLowerCase(),
  )
  const given = { past, table: now, pastKeys: known?.foreignKeys ?? [], keys: catalog.foreignKeys }
  const before = new Set(past.columns.map(own => own.name.toLowerCase()))
  const renamed = now.columns
    .filter(other => !before.has(other.name.toLowerCase()))
    .map(other => ({
      edits: columnEdits(look.past, own, {
        text: quoteIdentifier(other.name, look.past.database.dialect),
        withQualifier: false,
      }),
      says: `${now.name}.${column.name} is now ${now.name}.${other.name}`,
      likeness: scoreColumn(column, other, given),
    }))
  const moved = joinMoved(look.past, { column, table: past, uses: own }, { catalog, table: now })
  return best([...renamed, ...moved])
}

const best = <T extends { readonly likeness: number }>(found: readonly T[]): readonly T[] =>
  found
    .filter(({ likeness }) => likeness >= LEAST)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MOST_OF_ONE)

/** One of each, in every way, the likeliest first; none if one of them has nothing to choose from. */
const combine = (choices: readonly (readonly Change[])[]): readonly (readonly Change[])[] =>
  choices
    .reduce<readonly (readonly Change[])[]>(
      (combined, next) => ranked(combined.flatMap(changes => next.map(change => [...changes, change]))),
      [[]],
    )
    .slice(0, MOST)

const ranked = (combined: readonly (readonly Change[])[]): readonly (readonly Change[])[] =>
  [...combined].sort((a, b) => sum(b) - sum(a)).slice(0, MOST)

const sum = (changes: readonly Change[]): number =>
  changes.reduce((total, { likeness }) => total + likeness, 0)

/** Two columns of one table may need the same join. */
const unique = (edits: readonly Edit[]): readonly Edit[] => [
  ...new Map(edits.map(edit => [JSON.stringify(edit), edit])).values(),
]
