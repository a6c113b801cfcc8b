import { splitName } from '../../lib/split-name.ts'
import type { Measure } from '../frame/frame.ts'

const prefixes = { count: 'number_of', sum: 'total', avg: 'average', min: 'lowest', max: 'highest' } as const

/** What a measure is called in the result: `number_of_orders`, `average_age`. */
export const measureAlias = (measure: Measure, counted: string | null): string => {
  const noun = measure.column?.column.name ?? measure.table?.table.name ?? counted ?? 'rows'
  const words = splitName(noun)
  const prefix = prefixes[measure.fn]
  const said = words[0] === 'total' || words[0] === 'average' ? words.slice(1) : words
  return `${prefix}_${(said.length > 0 ? said : words).join('_')}`.replace(/[^\p{L}\p{N}_]/gu, '_')
}
