import type { ValueMatch } from '../../../src/domain/question-context.ts'
import { chooseHints, type HintContext, type ValueHint } from '../understanding/choose-hints.ts'
import type { HintKind } from '../understanding/hint-kinds.ts'

/** Which values of the database words of the question may be, for a prompt; empty if none are worth telling. */
export const describeValues = (matches: readonly ValueMatch[], context: HintContext): string =>
  describeHints(chooseHints(matches, context))

/** Different values of one keyword: a region may be meant by several countries. Of similar texts, fewer. */
const MOST_VALUES: Readonly<Record<HintKind, number>> = { exact: 3, respelled: 3, form: 3, similar: 2 }

/** Columns of one value: a country may be that of an order, a customer or a port. */
const MOST_COLUMNS = 3

const MOST = 20

/** The most telling hints in the order given, a few of each keyword. */
export const mostTelling = (hints: readonly ValueHint[]): readonly ValueHint[] => {
  const perKeyword = new Map<string, Map<string, number>>()
  return hints
    .filter(({ keyword, value, kind }) => {
      const values = perKeyword.get(keyword) ?? new Map<string, number>()
      perKeyword.set(keyword, values)
      const columns = values.get(value) ?? 0
      if (columns === MOST_COLUMNS || (columns === 0 && values.size >= MOST_VALUES[kind])) return false
      values.set(value, columns + 1)
      return true
    })
    .slice(0, MOST)
}

/**
 * Hints for a prompt, one line a keyword and value, in the order given: the columns that hold the value, and how like the
 * keyword it is. `"sawz": tools.kind or parts.kind = 'Saw' (similar, 0.63)`.
 */
export const describeHints = (hints: readonly ValueHint[]): string =>
  [...Map.groupBy(mostTelling(hints), ({ keyword, value, kind }) => JSON.stringify([keyword, value, kind]))]
    .map(([, [best, ...others]]) => (best ? describeHint(best, others) : ''))
    .join('\n')

const kinds: Readonly<Record<HintKind, string>> = {
  exact: 'exact',
  respelled: 'spelled differently',
  form: 'another form',
  similar: 'similar',
}

const describeHint = (hint: ValueHint, others: readonly ValueHint[]): string => {
  const { keyword, value, kind, score } = hint
  const columns = [hint, ...others].map(({ table, column }) => `${table}.${column}`).join(' or ')
  const how = kind === 'exact' ? kinds.exact : `${kinds[kind]}, ${score.toFixed(2)}`
  return `"${onOneLine(keyword)}": ${columns} = '${onOneLine(value).replaceAll("'", "''")}' (${how})`
}

/** A cell may hold a whole document; its beginning is enough to recognize it by. */
const LONGEST_VALUE = 100

const onOneLine = (value: string): string => {
  const line = value.replace(/\s+/g, ' ')
  return line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE)}…` : line
}
