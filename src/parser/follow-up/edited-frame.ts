import type { AnswerChange } from '../../domain/interpretation.ts'
import { splitName } from '../../lib/fold-text.ts'
import type { Frame, Measure, Output } from '../frame.ts'
import type { ColumnEntry, TableEntry } from '../schema/schema-index.ts'

/** A frame after a change, and what was changed. */
export interface EditedFrame {
  readonly frame: Frame
  readonly changes: readonly AnswerChange[]
}

/** The measures of a frame in the order in which it shows them. */
export const measuresOf = (frame: Frame): readonly Measure[] =>
  frame.outputs.flatMap(output => (output.kind === 'measure' ? [output.measure] : []))

/** The table that a frame lists or counts. */
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

/** Whether an output is a key that rows are grouped by. */
export const isKey = (output: Output): boolean =>
  output.kind === 'unit' || (output.kind === 'column' && output.grouped)

/** Every table that a frame uses. */
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

/** A column with more values than this makes too many groups to read. */
const FEW_VALUES = 30

const MOST = 3

/** Changes of an answer that are possible, to suggest after one that is not. */
export const suggestEdits = (frame: Frame): readonly string[] => {
  const subject = findSubjectTable(frame)
  const columns = [
    ...new Set([...(subject?.columns ?? []), ...tablesOf(frame).flatMap(table => table.columns)]),
  ]
  const moment = columns.find(column => column.traits.moment)
  const keys = columns.filter(isGroup)
  const key = keys.find(column => !frame.groups.some(group => group.column === column))
  const value = keys[0]?.column.profile?.mostFrequent[0]?.value
  const grouped = frame.groups.length > 0
  const hasNumbers = measuresOf(frame).length > 0
  return [
    ...(hasNumbers && !grouped && key ? [`by ${formatName(key)}`] : []),
    ...(moment && !frame.groups.some(group => group.unit !== null) ? ['by month'] : []),
    ...(hasNumbers && grouped ? ['top 5'] : []),
    ...(typeof value === 'string' && value !== '' ? [`only ${value}`] : []),
    ...(hasNumbers ? [] : ['how many are there?']),
  ].slice(0, MOST)
}

const isGroup = ({ column, traits }: ColumnEntry): boolean =>
  traits.text &&
  !traits.key &&
  !traits.name &&
  column.profile !== null &&
  column.profile.distinctCount > 1 &&
  column.profile.distinctCount <= FEW_VALUES

const formatName = (column: ColumnEntry): string => splitName(column.column.name).join(' ')
