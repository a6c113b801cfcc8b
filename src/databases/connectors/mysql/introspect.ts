import type { Connection } from 'mysql2'
import type { Catalog, Column, ForeignKey, Table } from '../../../core/catalog.ts'
import { fingerprintCatalog } from '../fingerprint-catalog.ts'
import {
  type ColumnRow,
  type KeyRow,
  type RelationRow,
  readColumns,
  readJsonChecks,
  readKeys,
  readRelations,
} from './catalog-queries.ts'
import type { ServerFacts } from './probe-server.ts'
import { declaredKind } from './values.ts'

/** Some servers keep names of tables in lower case, and say them in keys as they were written. */
const fold = (name: string): string => name.toLowerCase()

const comment = (text: string): string | null => (text === '' ? null : text)

/** Zero may also mean that nobody has counted yet. */
const rowCount = ({ type, estimate }: RelationRow): number | null =>
  type === 'VIEW' || estimate === null || estimate <= 0 ? null : estimate

const toColumn = (row: ColumnRow, isJson: boolean): Column => ({
  name: row.name,
  type: row.type,
  kind: isJson ? 'json' : declaredKind(row.type),
  nullable: row.nullable,
  comment: comment(row.comment),
  profile: null,
})

/** Names as the table spells them; null when one of the columns may not be seen. */
const spelled = (table: Table, names: readonly (string | null)[]): readonly string[] | null => {
  const found = names.map(name => table.columns.find(column => fold(column.name) === fold(name ?? ''))?.name)
  return found.every(name => name !== undefined) ? found : null
}

const toForeignKey = (parts: readonly KeyRow[], tables: readonly Table[]): ForeignKey | null => {
  const [first] = parts
  const find = (name: string): Table | undefined =>
    tables.find(table => table.name === name) ?? tables.find(table => fold(table.name) === fold(name))
  const from = first && find(first.relation)
  const to = first && find(first.target ?? '')
  if (from === undefined || to === undefined) return null
  const fromColumns = spelled(
    from,
    parts.map(part => part.column),
  )
  const toColumns = spelled(
    to,
    parts.map(part => part.targetColumn),
  )
  if (fromColumns === null || toColumns === null) return null
  return {
    from: { table: from.name, columns: fromColumns },
    to: { table: to.name, columns: toColumns },
    source: 'declared',
    inclusion: null,
  }
}

/** Reads what the role may SELECT in the one database that the address names. */
export const introspect = async (connection: Connection, facts: ServerFacts): Promise<Catalog> => {
  // One connection answers one at a time anyway.
  const relations = await readRelations(connection)
  const columns = Map.groupBy(await readColumns(connection), row => row.relation)
  const keys = await readKeys(connection)
  const checks = facts.flavour === 'mariadb' ? await readJsonChecks(connection) : []
  const json = new Set(checks.map(([table, column]) => JSON.stringify([fold(table), fold(column)])))

  const toTable = (relation: RelationRow): Table => ({
    schema: null,
    name: relation.name,
    type: relation.type === 'VIEW' ? 'view' : 'table',
    comment: comment(relation.comment),
    rowCount: rowCount(relation),
    columns: (columns.get(relation.name) ?? []).map(row =>
      toColumn(row, json.has(JSON.stringify([fold(row.relation), fold(row.name)]))),
    ),
    ...(relation.definition !== null && { definition: relation.definition }),
    primaryKey: keys.filter(key => key.isPrimary && key.relation === relation.name).map(key => key.column),
  })

  const tables = relations.filter(relation => columns.has(relation.name)).map(toTable)
  const foreign = Map.groupBy(
    keys.filter(key => key.target !== null),
    key => JSON.stringify([key.relation, key.key]),
  )
  const catalog = {
    dialect: 'mysql',
    tables,
    foreignKeys: [...foreign.values()].map(parts => toForeignKey(parts, tables)).filter(key => key !== null),
  } as const
  return { ...catalog, fingerprint: fingerprintCatalog(catalog) }
}
