import type { Frame, Measure, Output } from '../frame/frame.ts'
import type { TableEntry } from '../schema/schema-index.ts'

/** A frame after a change, and the change in words that follow "Same as before, ". */
export interface EditedFrame {
  readonly frame: Frame
  readonly changes: readonly string[]
}

/** What a frame counts or adds up, in the order in which it shows it. */
export const measuresOf = (frame: Frame): readonly Measure[] =>
  frame.outputs.flatMap(output => (output.kind === 'measure' ? [output.measure] : []))

/** Whose rows a frame is about when they are to be listed or counted. */
export const findSubjectTable = (frame: Frame): TableEntry | null => {
  const [measure] = measuresOf(frame)
  const column = frame.outputs.find(output => output.kind === 'column' && !output.grouped)
  const all = frame.outputs.find(output => output.kind === 'all')
  return (
    measure?.table ??
    measure?.column?.table ??
    (column?.kind === 'column' ? column.column.table : null) ??
    (all?.kind === 'all' ? all.table : null) ??
    frame.tables[0] ??
    frame.conditions[0]?.column.table ??
    null
  )
}

/** Whether an output is the key that rows are grouped by. */
export const isKey = (output: Output): boolean =>
  output.kind === 'unit' || (output.kind === 'column' && output.grouped)

/** Every table that a frame touches. */
export const tablesOf = (frame: Frame): readonly TableEntry[] => {
  const subject = findSubjectTable(frame)
  return [
    ...new Set([
      ...(subject ? [subject] : []),
      ...frame.tables,
      ...frame.outputs.flatMap(output =>
        output.kind === 'column' || output.kind === 'unit' ? [output.column.table] : [],
      ),
      ...frame.groups.map(group => group.column.table),
      ...frame.conditions.map(condition => condition.column.table),
    ]),
  ]
}
