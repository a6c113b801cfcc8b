import type { Dialect } from '../../../core/dialect.ts'
import { scopeWords } from './scope-words.ts'
import type { Sight } from './sight.ts'
import {
  bareMeaning,
  isRestricted,
  type Meaning,
  qualifiedMeaning,
  sourcesCalled,
  systemColumns,
} from './sources-in-sight.ts'

/** Makes the part of the checker that knows what a name of one or more parts means, and whether it may be read. */
export const makeCheckName = (
  dialect: Dialect,
  report: (reason: string) => void,
): {
  readonly meaningOf: (parts: readonly string[], sight: Pick<Sight, 'layers'>) => Meaning
  /** `mayBeText`: in double quotes, which SQLite takes for a text where there is no such column. */
  readonly checkName: (parts: readonly string[], mayBeText: boolean, sight: Pick<Sight, 'layers'>) => void
} => {
  const meaningOf = (parts: readonly string[], { layers }: Pick<Sight, 'layers'>): Meaning => {
    const [first = '', second, ...more] = parts
    if (second === undefined) return bareMeaning(first, layers)
    // In DuckDB all but the first name or two may be fields of a struct; elsewhere the last two are table and column.
    const readings =
      dialect === 'duckdb'
        ? [
            qualifiedMeaning(first, second, layers),
            ...(more[0] === undefined ? [] : [qualifiedMeaning(second, more[0], layers)]),
            ...(sourcesCalled(first, layers).length > 0 ? [] : [bareMeaning(first, layers)]),
          ]
        : [qualifiedMeaning(parts.at(-2) ?? '', parts.at(-1) ?? '', layers)]
    return (
      readings.find(meaning => meaning.kind === 'column' && meaning.access === 'hidden') ??
      readings.find(meaning => meaning.kind === 'column' && meaning.access === 'masked') ??
      readings.find(meaning => meaning.kind !== 'unknown') ?? { kind: 'unknown' }
    )
  }

  const checkName = (parts: readonly string[], mayBeText: boolean, sight: Pick<Sight, 'layers'>): void => {
    const meaning = meaningOf(parts, sight)
    const name = parts.at(-1) ?? ''
    if (meaning.kind === 'unknown') {
      if (systemColumns.has(name)) report(scopeWords.systemColumn(name))
      else if (!mayBeText) report(scopeWords.unknownColumn(parts.join('.')))
    } else if (meaning.kind === 'row') {
      if (dialect !== 'postgres' && dialect !== 'duckdb') {
        if (!mayBeText) report(scopeWords.unknownColumn(parts.join('.')))
      } else if (isRestricted(meaning.source)) report(scopeWords.row(meaning.source))
    } else if (meaning.access !== 'open') {
      const title = meaning.source?.title ?? ''
      report(meaning.access === 'hidden' ? scopeWords.column(title, name) : scopeWords.masked(title, name))
    }
  }

  return { meaningOf, checkName }
}
