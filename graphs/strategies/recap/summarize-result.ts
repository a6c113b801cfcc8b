import type { ResultTable } from '../../../src/domain/result.ts'
import { describeResult } from '../../answer/comparison/judge-request.ts'

/** What agents may see of a result, and how much. */
interface Shown {
  readonly seesRows: boolean
  readonly sampleRows: number
}

/** What a statement found, for a prompt: rows, columns, and the first rows where they may be shown. */
export const describeFound = (result: ResultTable | null, { seesRows, sampleRows }: Shown): string =>
  describeResult(result, { seesRows: seesRows && sampleRows > 0, mostRows: sampleRows })

const MOST_COLUMNS = 12

/** A result as the validator sees it (section 3.3.7): also how many cells of each column are NULL. */
export const summarizeResult = (result: ResultTable | null, shown: Shown): string => {
  const found = describeFound(result, shown)
  if (result === null || result.rows.length === 0) return found
  const counts = result.columns
    .slice(0, MOST_COLUMNS)
    .map(({ name }, at) => ({ name, nulls: result.rows.filter(row => row[at] === null).length }))
    .filter(({ nulls }) => nulls > 0)
    .map(({ name, nulls }) => `${name} ${nulls}`)
  return `${found}\nNULLs: ${counts.length === 0 ? 'none' : counts.join(', ')}`
}
