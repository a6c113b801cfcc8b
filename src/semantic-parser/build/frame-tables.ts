import { type Frame, isMeasure } from '../frame/frame.ts'
import type { SchemaIndex, TableEntry } from '../schema/schema-index.ts'

/** What rows a query is about: the table of what is shown, else of what is counted, else what is named first. */
export const findEntity = (frame: Frame): TableEntry | null => {
  for (const output of frame.outputs) {
    if (output.kind === 'column' && !output.grouped) return output.column.table
    if (output.kind === 'all' && output.table) return output.table
  }
  for (const output of frame.outputs) {
    if (output.kind !== 'measure') continue
    const table = output.measure.table ?? output.measure.column?.table
    if (table) return table
  }
  const [named] = frame.tables
  if (named) return named
  const [output] = frame.outputs
  if (output?.kind === 'column' || output?.kind === 'unit') return output.column.table
  return frame.conditions[0]?.column.table ?? null
}

/** Tables whose columns or rows a frame cannot do without, the entity first. */
export const neededTables = (frame: Frame, entity: TableEntry): readonly TableEntry[] => {
  const needed = new Set([entity])
  for (const output of frame.outputs) {
    if (output.kind === 'measure') addMeasure(output.measure)
    else if (output.kind !== 'all') needed.add(output.column.table)
    else if (output.table) needed.add(output.table)
  }
  for (const condition of frame.conditions) {
    needed.add(condition.column.table)
    if (condition.test.kind === 'compare-column') needed.add(condition.test.other.table)
  }
  for (const group of frame.groups) needed.add(group.column.table)
  for (const having of frame.havings) addMeasure(having.measure)
  for (const order of frame.orders) {
    if (isMeasure(order.by)) addMeasure(order.by)
    else needed.add(order.by.table)
  }
  return [...needed]

  function addMeasure(measure: { table: TableEntry | null; column: { table: TableEntry } | null }): void {
    const table = measure.column?.table ?? measure.table
    if (table) needed.add(table)
  }
}

/**
 * Named tables that change the rows: those to which a key leads that not every row of the needed tables uses. A table
 * at the one side of keys that are never null adds nothing, and is left out.
 */
export const restrictingTables = (
  schema: SchemaIndex,
  frame: Frame,
  needed: readonly TableEntry[],
): readonly TableEntry[] =>
  frame.tables.filter(
    table => !needed.includes(table) && !frame.absent.includes(table) && !isImplied(schema, needed, table),
  )

const isImplied = (schema: SchemaIndex, needed: readonly TableEntry[], table: TableEntry): boolean =>
  needed.some(other =>
    (schema.edgesOf[other.id] ?? []).some(
      edge =>
        edge.from[0]?.table === other &&
        edge.to[0]?.table === table &&
        edge.from.every(column => !column.column.nullable),
    ),
  )
