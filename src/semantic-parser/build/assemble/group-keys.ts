import type { DateUnit } from '../../../sql/render/expression.ts'
import { type Frame, isMeasure } from '../../frame/frame.ts'
import type { ColumnEntry, TableEntry } from '../../schema/schema-index.ts'

/** One thing that rows are grouped by: a column, or the unit of time that its moment is in. */
interface Key {
  readonly column: ColumnEntry
  readonly unit: DateUnit | null
}

/** What rows are grouped by; `implied` where the question did not say. Without keys there are no groups. */
export interface Grouping {
  readonly keys: readonly Key[]
  readonly implied: boolean
}

/** What the rows are grouped by: what was asked for; else, next to a measure, what is shown (by its key where it has one). */
export const groupKeys = (frame: Frame, repeated: ReadonlySet<number>, sumsOrder: boolean): Grouping => {
  const shown = frame.outputs.flatMap(output => (output.kind === 'column' ? [output.column] : []))
  const whole = frame.outputs.flatMap(output => (output.kind === 'all' && output.table ? [output.table] : []))
  const measured =
    frame.outputs.some(output => output.kind === 'measure') ||
    frame.havings.length > 0 ||
    sumsOrder ||
    frame.orders.some(order => isMeasure(order.by))
  const explicit = explicitKeys(frame)
  if (explicit.length === 0 && (!measured || (shown.length === 0 && whole.length === 0))) {
    return { keys: [], implied: false }
  }
  const implied = explicit.length > 0 ? [] : impliedKeys(shown, whole, repeated)
  const ordered = frame.orders.flatMap(order =>
    !isMeasure(order.by) && !sumsOrder && (explicit.length > 0 || measured) ? [order.by] : [],
  )
  const all = [...explicit, ...implied, ...[...shown, ...ordered].map(column => ({ column, unit: null }))]
  const keys = all.filter(
    (key, index) => all.findIndex(other => other.column === key.column && other.unit === key.unit) === index,
  )
  return { keys, implied: explicit.length === 0 }
}

/** What was asked for, after the key of the row that it names. */
const explicitKeys = (frame: Frame): readonly Key[] =>
  frame.groups.flatMap(({ column, unit, entity }): readonly Key[] => {
    const own = { column, unit }
    const [key, ...others] = entity?.primaryKey ?? []
    return key && others.length === 0 ? [{ column: key, unit: null }, own] : [own]
  })

const impliedKeys = (
  shown: readonly ColumnEntry[],
  whole: readonly TableEntry[],
  repeated: ReadonlySet<number>,
): readonly Key[] => {
  const table = shown[0]?.table ?? whole[0]
  const [key, ...others] = table?.primaryKey ?? []
  const needed = table !== undefined && (repeated.has(table.id) || shown.length === 0)
  return needed && key && others.length === 0 ? [{ column: key, unit: null }] : []
}
