import { splitName } from '../../lib/split-name.ts'
import type { Frame } from '../frame/frame.ts'
import type { ColumnEntry } from '../schema/schema-index.ts'
import { findSubjectTable, measuresOf, tablesOf } from './edited-frame.ts'

/** A column with more values than this makes groups that nobody wants to read. */
const FEW_VALUES = 30
const MOST = 3

/** Changes of an answer that can be made, for whoever asked for one that cannot. */
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
