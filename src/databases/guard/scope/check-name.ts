import type { Dialect } from '../../../core/dialect.ts'
import { scopeMessages } from './scope-words.ts'
import type { Visibility } from './sight.ts'
import {
  isRestricted,
  type NameMeaning,
  resolveBareName,
  resolveQualifiedName,
  sourcesNamed,
  systemColumns,
} from './sources-in-sight.ts'

/** Makes the part of the checker that knows what a name of one or more parts means, and whether it may be read. */
export const makeCheckName = (
  dialect: Dialect,
  report: (reason: string) => void,
): {
  readonly meaningOf: (parts: readonly string[], sight: Pick<Visibility, 'layers'>) => NameMeaning
  /** `mayBeText`: in double quotes, which SQLite takes for a text where there is no such column. */
  readonly checkName: (
    parts: readonly string[],
    mayBeText: boolean,
    sight: Pick<Visibility, 'layers'>,
  ) => void
} => {
  const meaningOf = (parts: readonly string[], { layers }: Pick<Visibility, 'layers'>): NameMeaning => {
    const [first = '', second, ...more] = parts
    if (second === undefined) return resolveBareName(first, layers)
    // In DuckDB all but the first name or two may be fields of a struct; elsewhere the last two are table and column.
    const readings =
      dialect === 'duckdb'
        ? [
            resolveQualifiedName(first, second, layers),
            ...(more[0] === undefined ? [] : [resolveQualifiedName(second, more[0], layers)]),
            ...(sourcesNamed(first, layers).length > 0 ? [] : [resolveBareName(first, layers)]),
          ]
        : [resolveQualifiedName(parts.at(-2) ?? '', parts.at(-1) ?? '', layers)]
    return (
      readings.find(meaning => meaning.kind === 'column' && meaning.access === 'hidden') ??
      readings.find(meaning => meaning.kind === 'column' && meaning.access === 'masked') ??
      readings.find(meaning => meaning.kind !== 'unknown') ?? { kind: 'unknown' }
    )
  }

  const checkName = (
    parts: readonly string[],
    mayBeText: boolean,
    sight: Pick<Visibility, 'layers'>,
  ): void => {
    const meaning = meaningOf(parts, sight)
    const name = parts.at(-1) ?? ''
    if (meaning.kind === 'unknown') {
      if (systemColumns.has(name)) report(scopeMessages.systemColumn(name))
      else if (!mayBeText) report(scopeMessages.unknownColumn(parts.join('.')))
    } else if (meaning.kind === 'row') {
      if (dialect !== 'postgres' && dialect !== 'duckdb') {
        if (!mayBeText) report(scopeMessages.unknownColumn(parts.join('.')))
      } else if (isRestricted(meaning.source)) report(scopeMessages.row(meaning.source))
    } else if (meaning.access !== 'open') {
      const title = meaning.source?.title ?? ''
      report(
        meaning.access === 'hidden' ? scopeMessages.column(title, name) : scopeMessages.masked(title, name),
      )
    }
  }

  return { meaningOf, checkName }
}
