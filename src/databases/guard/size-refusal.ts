import type { SqlCall } from '../../sql/analyze/function-calls.ts'
import { readQuery } from '../../sql/parse/read-statements.ts'
import type { SqlTree } from '../../sql/parse/sql-tree.ts'
import type { SizeRules } from '../../sql/sql-dialect.ts'
import { isSizedByNumber, maxWidth } from './size/call-extent.ts'
import { measureStatement } from './size/measure-statement.ts'
import { makeSizeNames } from './size/scope.ts'

/**
 * Why a statement could make too much out of little, in words; null if it cannot. A value can be as large as a server's
 * memory although the text of the statement is short: `replace` of each character by many, again and again. The bounds
 * come from literals and nesting alone; the limits of memory, time and bytes in the connectors hold for what data does.
 */
export const sizeRefusal = (tree: SqlTree, calls: readonly SqlCall[], sizes: SizeRules): string | null => {
  const query = readQuery(tree)
  if (query === null) return null
  const { refusal, sizedCalls } = measureStatement(query, {
    sizes,
    names: makeSizeNames(tree.dialect),
    givesCalls: tree.parser === 'libpg-query',
    hasArrayQuery: hasArrayQuery(tree),
    brackets: tree.tokens.reduce(
      (sum, { kind, value }) => (kind === 'string' ? sum + (value.match(/[[{]/g)?.length ?? 0) : sum),
      0,
    ),
  })
  if (refusal !== null) return refusal
  const sized = calls.filter(({ name }) => isSizedByNumber(name))
  // A parser that changes a call would hide its number.
  if (sized.length > sizedCalls.size) return `it calls ${sized.at(-1)?.name} in a way that cannot be measured`
  return paddedTypeRefusal(tree, sizes)
}

const hasArrayQuery = ({ tokens }: SqlTree): boolean =>
  tokens.some(
    ({ kind, value }, at) =>
      kind === 'word' &&
      /^(?:array|json_array)$/.test(value) &&
      tokens[at + 1]?.text === '(' &&
      /^(?:select|with|values|\()$/.test(tokens[at + 2]?.value ?? ''),
  )

const paddedTypeRefusal = ({ tokens }: SqlTree, { paddedTypes }: SizeRules): string | null => {
  for (const [at, { value }] of tokens.entries()) {
    const [open, length] = [tokens[at + 1], tokens[at + 2]]
    if (!paddedTypes.test(value) || open?.text !== '(' || length?.kind !== 'number') continue
    if (Number(length.text) > maxWidth)
      return `it fills a value up to ${value}(${length.text}); at most ${maxWidth.toLocaleString('en')} are allowed`
  }
  return null
}
