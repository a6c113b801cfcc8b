import type { PoolClient } from 'pg'
import type { Catalog, Column, ForeignKey, Table } from '../../../core/catalog.ts'
import { fingerprintCatalog } from '../fingerprint-catalog.ts'
import {
  type ColumnRow,
  type DomainRow,
  type KeyRow,
  type RelationRow,
  readColumns,
  readDomains,
  readKeys,
  readRelations,
  readSchemas,
} from './catalog-queries.ts'
import { kindOfType } from './values.ts'

const groupBy = <Row>(rows: readonly Row[], key: (row: Row) => number): ReadonlyMap<number, readonly Row[]> =>
  Map.groupBy(rows, key)

/** A domain's values look like those of the type at the bottom of it. */
const makeBaseType = (domains: readonly DomainRow[]): ((typeId: number) => number) => {
  const bases = new Map(domains.map(domain => [domain.id, domain.base]))
  const baseType = (typeId: number): number => {
    const base = bases.get(typeId)
    return base === undefined ? typeId : baseType(base)
  }
  return baseType
}

/** The planner's estimate, where there is one: zero may also mean that nobody has counted yet. */
const rowCount = (relation: RelationRow): number | null =>
  relation.kind === 'v' || relation.estimate <= 0 ? null : Math.round(relation.estimate)

/** Names of the columns at these positions; null when one of them may not be seen. */
const namesAt = (columns: readonly ColumnRow[], positions: readonly number[]): string[] | null => {
  const names = positions.map(position => columns.find(column => column.position === position)?.name)
  return names.every(name => name !== undefined) ? names : null
}

const sameText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Reads what the role may SELECT. `schema` is null for a table that the role finds by its plain name; other tables
 * carry theirs. A key names a table plainly too, unless another one of that name would be found first.
 */
export const introspect = async (client: PoolClient): Promise<Catalog> => {
  // One client answers one at a time anyway.
  const schemas = await readSchemas(client)
  const relations = await readRelations(client)
  const columns = groupBy(await readColumns(client), row => row.relation)
  const keys = await readKeys(client)
  const baseType = makeBaseType(await readDomains(client))

  const order = new Map(schemas.all.map((name, index) => [name, index]))
  const sorted = relations
    .filter(relation => columns.has(relation.id))
    .sort((a, b) => (order.get(a.schema) ?? 0) - (order.get(b.schema) ?? 0) || sameText(a.name, b.name))
  const own = new Set(schemas.own)
  const firstOfName = new Map<string, number>()
  for (const relation of sorted)
    if (!firstOfName.has(relation.name)) firstOfName.set(relation.name, relation.id)
  const byId = new Map(sorted.map(relation => [relation.id, relation]))

  const isPlain = (relation: RelationRow): boolean => firstOfName.get(relation.name) === relation.id
  const nameInKey = (relation: RelationRow): string =>
    isPlain(relation) ? relation.name : `${relation.schema}.${relation.name}`

  const toColumn = (row: ColumnRow): Column => ({
    name: row.name,
    type: row.type,
    kind: kindOfType(baseType(row.typeId)),
    nullable: row.nullable,
    comment: row.comment,
    profile: null,
  })

  const toTable = (relation: RelationRow): Table => {
    const rows = columns.get(relation.id) ?? []
    const primary = keys.find(key => key.kind === 'p' && key.relation === relation.id)
    return {
      schema: own.has(relation.schema) && isPlain(relation) ? null : relation.schema,
      ...(own.has(relation.schema) &&
        isPlain(relation) &&
        relation.schema !== 'public' && { home: relation.schema }),
      name: relation.name,
      type: relation.kind === 'v' || relation.kind === 'm' ? 'view' : 'table',
      comment: relation.comment,
      rowCount: rowCount(relation),
      columns: rows.map(toColumn),
      primaryKey: (primary && namesAt(rows, primary.positions)) ?? [],
      ...(relation.definition !== null && { definition: relation.definition }),
    }
  }

  const toForeignKey = (key: KeyRow): ForeignKey | null => {
    const from = byId.get(key.relation)
    const to = byId.get(key.target)
    if (from === undefined || to === undefined) return null
    const fromColumns = namesAt(columns.get(from.id) ?? [], key.positions)
    const toColumns = namesAt(columns.get(to.id) ?? [], key.targetPositions ?? [])
    if (fromColumns === null || toColumns === null) return null
    return {
      from: { table: nameInKey(from), columns: fromColumns },
      to: { table: nameInKey(to), columns: toColumns },
      source: 'declared',
      inclusion: null,
    }
  }

  const catalog = {
    dialect: 'postgres',
    tables: sorted.map(toTable),
    foreignKeys: keys
      .filter(key => key.kind === 'f')
      .map(toForeignKey)
      .filter(key => key !== null),
  } as const
  return { ...catalog, fingerprint: fingerprintCatalog(catalog) }
}
