import type { SimpleMetric } from '../../domain/metrics/semantic-layer.ts'
import type { AggregateCall } from './aggregate-sql.ts'
import { identifier } from './import-names.ts'
import { untranslatable } from './imported-layer.ts'
import type { LayerDraft } from './layer-draft.ts'
import {
  checkRowLevel,
  checkTemplates,
  columnOfParts,
  namesIn,
  partsExpression,
  partsText,
  qualified,
  replaceNames,
  type SqlName,
  type SqlPart,
  sqlParts,
} from './sql-parts.ts'

/** A table of a format whose SQL names fields and columns alike, such as Ossie and Snowflake. */
export interface LogicalTable {
  readonly name: string
  /** The table in the database. */
  readonly physical: string
  /** SQL of each field, by its name. */
  readonly fields: ReadonlyMap<string, string>
}

/** Reads the SQL of such a format. */
export interface LogicalTables {
  /** SQL over a table with its fields replaced by what they are. */
  readonly rows: (table: LogicalTable, sql: string) => readonly SqlPart[]
  readonly field: (table: LogicalTable, name: string) => readonly SqlPart[]
  readonly named: (name: string) => LogicalTable | undefined
  /** An aggregate as a metric; `own` is the table that it is defined in, if it is. */
  readonly aggregate: (call: AggregateCall, own: LogicalTable | null) => SimpleMetric
  /** Whether a name is a field of the table, or of any if it has a qualifier. */
  readonly isField: (name: string, own: LogicalTable | null) => boolean
}

/** `relationships` are pairs of names, from the table with many rows to the one with one. */
export const makeLogicalTables = (
  tables: readonly LogicalTable[],
  relationships: readonly (readonly [from: string, to: string])[],
  draft: LayerDraft,
): LogicalTables => {
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
  const named = (name: string): LogicalTable | undefined =>
    tables.find(table => same(table.name, name)) ?? tables.find(table => same(table.physical, name))
  const fieldOf = (table: LogicalTable, name: string): string | undefined =>
    [...table.fields].find(([field]) => same(field, name))?.[1]

  /** Whether rows of a table have at most one row of the other, over any number of joins. */
  const leadsTo = (from: string, to: string, seen: readonly string[] = []): boolean =>
    same(from, to) ||
    relationships.some(
      ([own, next]) => same(own, from) && !seen.includes(next) && leadsTo(next, to, [...seen, next]),
    )

  const expand = (table: LogicalTable, sql: string, within: readonly string[]): readonly SqlPart[] => {
    checkTemplates(sql)
    return replaceNames(sqlParts(sql), name => {
      if (name.qualifier === null) return ownName(table, name, within)
      const other = named(name.qualifier)
      if (other === undefined) return null
      if (other === table) return ownName(table, { ...name, qualifier: null }, within)
      if (!leadsTo(table.name, other.name))
        return untranslatable(
          `It uses ${other.name}, of which ${table.name} does not have one row each. Add a relationship, or define it there.`,
        )
      return qualified(
        ownName(other, { ...name, qualifier: null }, [...within, `${table.name}.`]) ?? [
          { ...name, qualifier: null },
        ],
        identifier(other.name),
      )
    })
  }

  const ownName = (
    table: LogicalTable,
    name: SqlName,
    within: readonly string[],
  ): readonly SqlPart[] | null => {
    const key = `${table.name}.${name.name}`.toLowerCase()
    const sql = fieldOf(table, name.name)
    // A field with the name of a column is over that column.
    if (sql === undefined || within.includes(key)) return [{ ...name, qualifier: null }]
    if (within.length > 20) return untranslatable('Its fields refer to each other in a circle.')
    return expand(table, sql, [...within, key])
  }

  const field = (table: LogicalTable, name: string): readonly SqlPart[] =>
    checkRowLevel(expand(table, fieldOf(table, name) ?? name, [`${table.name}.${name}`.toLowerCase()]))

  const rows = (table: LogicalTable, sql: string): readonly SqlPart[] => checkRowLevel(expand(table, sql, []))

  /** The only table, or the one from which all others are reached: the facts of a star. */
  const centralTable = (): LogicalTable | undefined => {
    const central = tables.filter(table => tables.every(other => leadsTo(table.name, other.name)))
    return central.length === 1 ? central[0] : undefined
  }

  const tableOfAggregate = (sql: string | null, own: LogicalTable | null): LogicalTable => {
    const only = centralTable()
    if (sql === null)
      return (
        own ??
        only ??
        untranslatable('It counts rows without saying of which dataset. Count a field instead.')
      )
    const found = new Set(
      namesIn(sqlParts(sql)).flatMap(name => {
        if (name.qualifier !== null) return named(name.qualifier) ?? []
        if (own) return own
        const owners = tables.filter(table => fieldOf(table, name.name) !== undefined)
        return owners.length === 1 ? owners : (only ?? [])
      }),
    )
    if (found.size === 0)
      return own ?? only ?? untranslatable('It does not say of which dataset. Write dataset.field.')
    const candidates = [...found]
    return (
      candidates.find(table => candidates.every(other => leadsTo(table.name, other.name))) ??
      untranslatable(
        `It uses ${candidates.map(table => table.name).join(' and ')}, which no relationship connects to one row each.`,
      )
    )
  }

  const aggregate = (call: AggregateCall, own: LogicalTable | null): SimpleMetric => {
    const table = tableOfAggregate(
      call.argument === null && call.filter === null
        ? null
        : [call.argument, call.filter].filter(Boolean).join(' + '),
      own,
    )
    const model = draft.models.get(identifier(table.name))
    if (model === undefined) return untranslatable(`Its table ${table.name} was not translated.`)
    const parts = call.argument === null ? null : rows(table, call.argument)
    // Counting the primary key is counting rows.
    const isRows =
      parts === null ||
      (call.aggregation.startsWith('count') &&
        model.primaryKey.length === 1 &&
        columnOfParts(parts) === model.primaryKey[0])
    return {
      kind: 'simple',
      model: model.name,
      aggregation: isRows ? 'count' : call.aggregation,
      expression: isRows ? null : partsExpression(parts),
      percentile: call.percentile,
      filters: call.filter === null ? [] : [partsText(rows(table, call.filter))],
      timeDimension: null,
    }
  }

  return {
    rows,
    field,
    named,
    aggregate,
    isField: (name, own) => {
      const parts = name.split('.')
      const table = parts.length > 1 ? named(parts.at(-2) ?? '') : own
      return table !== null && table !== undefined && fieldOf(table, parts.at(-1) ?? '') !== undefined
    },
  }
}
