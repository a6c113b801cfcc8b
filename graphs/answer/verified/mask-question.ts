import type { Catalog } from '../../../src/core/catalog.ts'
import { splitName } from '../../../src/lib/split-name.ts'
import { stemWord } from '../../../src/lib/stem-word.ts'
import type { QuestionLiteral } from './find-spoken.ts'
import { questionTokens } from './question-tokens.ts'

/**
 * A question without what it is about (DAIL-SQL 3.2): values, numbers and periods as `<value>`, `<number>` and
 * `<period>`, words of the schema as `<name>`. What is left is how it asks.
 */
export const maskQuestion = (
  text: string,
  { spoken, catalog }: { readonly spoken: readonly QuestionLiteral[]; readonly catalog: Catalog },
): string => {
  const names = nameStems(catalog)
  const tokens = questionTokens(text)
  const masks = new Map<number, { readonly mask: string; readonly end: number }>()
  for (const { kind, first, end } of [...spoken].sort((a, b) => a.end - a.first - (b.end - b.first)))
    masks.set(first, { mask: `<${kind}>`, end })
  const masked: string[] = []
  for (let at = 0; at < tokens.length; ) {
    const found = masks.get(at)
    const word = tokens[at]?.folded ?? ''
    masked.push(found?.mask ?? (names.has(stemWord(word)) ? '<name>' : word))
    at = found?.end ?? at + 1
  }
  return masked.filter((mask, at) => mask !== '<name>' || masked[at - 1] !== '<name>').join(' ')
}

/** Words of one or two letters in names are rarely the question's. */
const SHORTEST = 3

const known = new WeakMap<Catalog, ReadonlySet<string>>()

const nameStems = (catalog: Catalog): ReadonlySet<string> => {
  const stems =
    known.get(catalog) ??
    new Set(
      catalog.tables
        .flatMap(({ name, columns }) => [name, ...columns.map(column => column.name)])
        .flatMap(splitName)
        .filter(word => word.length >= SHORTEST)
        .map(stemWord),
    )
  known.set(catalog, stems)
  return stems
}
