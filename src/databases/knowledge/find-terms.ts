import type { GlossaryTerm } from '../../core/knowledge.ts'
import type { FindValues, ValueMatch } from '../../core/value-match.ts'
import { foldText } from '../../lib/fold-text.ts'
import { toSingular } from '../../lib/to-singular.ts'

/** What a term says about one column: that it has one value. */
interface TermFilter {
  readonly term: string
  readonly table: string
  readonly column: string
  readonly value: string
}

/**
 * Finds terms of the glossary beside values of the database: where a term is a condition such as
 * `customers.segment = 'club'`, asking for it finds that value. Terms of another form are left to prompts.
 */
export const withGlossaryTerms = (findValues: FindValues, terms: readonly GlossaryTerm[]): FindValues => {
  const filters = new Map<string, TermFilter[]>()
  for (const term of terms) {
    const filter = termFilter(term)
    if (filter === null) continue
    for (const name of [term.name, ...term.synonyms]) {
      const key = keyOf(name)
      filters.set(key, [...(filters.get(key) ?? []), filter])
    }
  }
  if (filters.size === 0) return findValues
  return (keyword, options) => {
    const meant = (filters.get(keyOf(keyword)) ?? []).filter(
      ({ table, column }) =>
        options?.columns?.some(one => one.table === table && one.column === column) ?? true,
    )
    const found = findValues(keyword, options)
    if (meant.length === 0) return found
    const matches = meant.map((filter): ValueMatch => ({ keyword, score: 1, ...filter }))
    const others = found.filter(
      one =>
        !meant.some(
          ({ table, column, value }) => one.table === table && one.column === column && one.value === value,
        ),
    )
    return [...matches, ...others].slice(0, options?.limit ?? 10)
  }
}

const keyOf = (text: string): string =>
  (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(toSingular).join(' ')

/** The condition of a term, where it is one column and one constant. */
export const termFilter = ({ name, sql }: Pick<GlossaryTerm, 'name' | 'sql'>): TermFilter | null => {
  const condition = /^([\w.]+)\.(\w+)\s*=\s*(?:'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?|true|false))$/i
  const [, table, column, text, bare] = condition.exec((sql ?? '').trim()) ?? []
  if (table === undefined || column === undefined) return null
  return { term: name, table, column, value: text?.replaceAll("''", "'") ?? bare ?? '' }
}
