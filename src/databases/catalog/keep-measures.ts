import type { Column, Table } from '../../core/catalog.ts'

/** A table as it was introspected now, with what was measured of it before. */
export const carryOverProfiles = (table: Table, before: Table): Table => {
  const known = new Map(before.columns.map(column => [column.name, column]))
  return {
    ...table,
    rowCount: before.rowCount ?? table.rowCount,
    columns: table.columns.map(column => carryOverProfile(column, known.get(column.name))),
  }
}

const carryOverProfile = (column: Column, before: Column | undefined): Column =>
  before === undefined ? column : { ...column, kind: before.kind, profile: before.profile }
