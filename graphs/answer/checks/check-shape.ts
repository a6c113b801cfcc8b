import type { ResultTable, ValueKind } from '../../../src/core/result.ts'
import { expectedShape } from './wanted-shape.ts'

/**
 * Where a result cannot be what the question asks for, by its shape alone (design/pipeline.md 6): what is wrong, in
 * words for whoever repairs it, else null. NULLs are no fault (MAC-SQL, section 3.4, takes them for one), and neither
 * are fewer rows than were asked for: there may be no more.
 */
export const checkShape = (question: string, { columns, rows }: ResultTable): string | null => {
  const wanted = expectedShape(question)
  if (wanted.oneNumber && (columns.length !== 1 || rows.length !== 1))
    return `The question asks for one number; the result has ${formatCount(rows.length, 'row')} and ${formatCount(columns.length, 'column')}.`
  if (wanted.perGroup && columns.length === 1 && rows.length === 1)
    return 'The question asks for one row for each group; the result is one value for all of them.'
  if (wanted.mostRows !== null && rows.length > wanted.mostRows)
    return `The question asks for at most ${wanted.mostRows} rows; the result has ${rows.length}.`
  if (wanted.label && columns.length > 0 && columns.every(({ kind }) => isNumeric(kind)))
    return 'The question asks for names; the result has numbers only.'
  return null
}

const isNumeric = (kind: ValueKind): boolean => kind === 'integer' || kind === 'number' || kind === 'boolean'

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
