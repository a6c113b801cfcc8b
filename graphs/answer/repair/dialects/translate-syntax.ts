import { databaseDialect } from '../../../../src/sql/dialects.ts'
import type { SqlToken } from '../../../../src/sql/parse/sql-tokens.ts'
import { quoteIdentifier } from '../../../../src/sql/render/quote.ts'
import type { SelectBlock } from '../select-blocks.ts'
import { closingOf, type Edit, isWord, likeWithoutCase, type Statement, textBetween } from '../statement.ts'

/** Translates words and signs of other dialects that this database cannot read. */
export const translateSyntax = (statement: Statement): readonly Edit[] => [
  ...statement.blocks.flatMap(block => [
    ...topOf(block, statement),
    ...limitOf(block, statement),
    ...joinsOf(block, statement),
  ]),
  ...statement.tokens.flatMap((_, at) => wordAt(at, statement)),
]

/** `SELECT TOP 5 a` ends with LIMIT everywhere here. */
const topOf = (block: SelectBlock, statement: Statement): readonly Edit[] => {
  const { tokens } = statement
  const at = block.own.find(at => at > block.from && !isWord(tokens[at], 'distinct', 'all'))
  const number = at === undefined ? undefined : tokens[at + 1]
  const last = tokens[block.to - 1]
  if (at === undefined || !isWord(tokens[at], 'top') || !last) return []
  const isBracketed = number?.text === '('
  const count = isBracketed ? tokens[at + 2] : number
  const end = isBracketed ? tokens[at + 3] : number
  if (count?.kind !== 'number' || !end || block.clauses.limit || block.isPartOfSet) return []
  return [
    { start: tokens[at]?.start ?? 0, end: tokens[at + (isBracketed ? 4 : 2)]?.start ?? end.end, text: '' },
    { start: last.end, end: last.end, text: ` LIMIT ${count.text}` },
  ]
}

/** `LIMIT 10, 5` skips ten; `FETCH FIRST 5 ROWS ONLY` is LIMIT 5. */
const limitOf = (block: SelectBlock, statement: Statement): readonly Edit[] => {
  const { tokens, database } = statement
  const { repair } = databaseDialect(database.dialect)
  const { limit } = block.clauses
  if (!limit) return []
  const [word, first, comma, second] = tokens.slice(limit.from, limit.to)
  const start = word?.start ?? 0
  if (isWord(word, 'limit') && comma?.text === ',' && first && second) {
    if (repair.hasLimitWithComma) return []
    return [{ start, end: second.end, text: `LIMIT ${second.text} OFFSET ${first.text}` }]
  }
  const last = tokens[limit.to - 1]
  const isFetch = isWord(word, 'fetch') && isWord(first, 'first', 'next') && comma?.kind === 'number'
  if (!isFetch || !isWord(last, 'only') || repair.hasFetchFirst) return []
  return [{ start, end: last?.end ?? start, text: `LIMIT ${comma.text}` }]
}

/** A JOIN without a condition, which SQLite and MySQL take for a CROSS JOIN. */
const joinsOf = (block: SelectBlock, { tokens, database }: Statement): readonly Edit[] => {
  const { from } = block.clauses
  if (!from || !databaseDialect(database.dialect).repair.joinsNeedCondition) return []
  const joins = block.own.filter(at => at > from.from && at < from.to && isWord(tokens[at], 'join'))
  return joins.flatMap((at, index): readonly Edit[] => {
    const before = tokens[at - 1]
    if (isWord(before, 'left', 'right', 'full', 'outer', 'cross', 'natural')) return []
    const end = joins[index + 1] ?? from.to
    if (block.own.some(other => other > at && other < end && isWord(tokens[other], 'on', 'using'))) return []
    const first = isWord(before, 'inner') ? before : tokens[at]
    return first ? [{ start: first.start, end: tokens[at]?.end ?? first.end, text: 'CROSS JOIN' }] : []
  })
}

const wordAt = (at: number, statement: Statement): readonly Edit[] => {
  const { tokens, database } = statement
  const { lexical, rendering, repair } = databaseDialect(database.dialect)
  const token = tokens[at] as SqlToken
  if (token.text === '`' && lexical.nameQuotes['`'] === undefined) return backtickName(at, statement)
  if (token.text === '==' && !repair.hasDoubleEquals) return [{ ...token, text: '=' }]
  if (isWord(token, 'ilike') && rendering.ignoresCase !== 'ilike') return likeWithoutCase(at, statement)
  if (token.text === '::' && !repair.hasCastOperator) return castAt(at, statement)
  if (isWord(token, 'nulls') && !rendering.hasNullsLast) return nullsAt(at, statement)
  if (!repair.aliasesCanBeTexts && isWord(tokens[at - 1], 'as') && token.kind === 'string')
    return [{ ...token, text: quoteIdentifier(token.value, database.dialect) }]
  if (isWord(token, 'as')) return castTypeAt(at, statement)
  return []
}

/** What stands between two backticks, as the database quotes names. They are matched from the left. */
const backtickName = (at: number, { tokens, sql, database }: Statement): readonly Edit[] => {
  const before = tokens.slice(0, at).filter(({ text }) => text === '`').length
  const close = tokens.findIndex((token, other) => other > at && token.text === '`')
  const [token, end] = [tokens[at], tokens[close]]
  if (before % 2 === 1 || !token || !end) return []
  const name = sql.slice(token.end, end.start)
  // Bare names fold to what most tables are called in; a name that needs its capitals gets them from the catalog.
  return [
    {
      start: token.start,
      end: end.end,
      text: quoteIdentifier(/^\w+$/.test(name) ? name.toLowerCase() : name, database.dialect),
    },
  ]
}

/** `x::date` with its operand: a name, a call, a literal or something in brackets. */
const castAt = (at: number, statement: Statement): readonly Edit[] => {
  const { tokens } = statement
  const from = operandFrom(at - 1, tokens)
  const type = tokens[at + 1]
  if (from === null || type?.kind !== 'word') return []
  const to = tokens[at + 2]?.text === '(' ? closingOf(at + 2, tokens) + 1 : at + 2
  const written = textBetween(statement, at + 1, to)
  const name = databaseDialect(statement.database.dialect).repair.castTypes[type.value] ?? written
  const operand = textBetween(statement, from, at)
  return [
    {
      start: tokens[from]?.start ?? 0,
      end: tokens[to - 1]?.end ?? type.end,
      text: `CAST(${operand} AS ${name})`,
    },
  ]
}

const operandFrom = (last: number, tokens: readonly SqlToken[]): number | null => {
  let at = last
  if (tokens[at]?.text === ')') {
    let depth = 0
    for (; at >= 0; at--) {
      if (tokens[at]?.text === ')') depth += 1
      if (tokens[at]?.text === '(') depth -= 1
      if (depth === 0) break
    }
    const name = tokens[at - 1]
    if (name?.kind === 'word' && !isWord(name, 'select', 'where', 'and', 'or', 'in', 'on', 'by')) at -= 1
    return at >= 0 ? at : null
  }
  const operand = tokens[at]
  if (!operand || operand.kind === 'symbol') return null
  return tokens[at - 1]?.text === '.' && at >= 2 ? at - 2 : at
}

/** `CAST(x AS INTEGER)` if the type goes by another name in casts. */
const castTypeAt = (at: number, { tokens, database }: Statement): readonly Edit[] => {
  const type = tokens[at + 1]
  const name =
    type?.kind === 'word' ? databaseDialect(database.dialect).repair.castTypes[type.value] : undefined
  if (!type || name === undefined || tokens[at + 2]?.text !== ')') return []
  let depth = 0
  let open = at
  for (; open >= 0; open--) {
    if (tokens[open]?.text === ')') depth += 1
    if (tokens[open]?.text === '(' && --depth < 0) break
  }
  return isWord(tokens[open - 1], 'cast') ? [{ ...type, text: name }] : []
}

/** Drops NULLS FIRST and NULLS LAST where MySQL puts NULLs there anyway: first if ascending, last if descending. */
const nullsAt = (at: number, { tokens }: Statement): readonly Edit[] => {
  const [token, place] = [tokens[at], tokens[at + 1]]
  const isDescending = isWord(tokens[at - 1], 'desc')
  if (!token || !isWord(place, isDescending ? 'last' : 'first')) return []
  return [{ start: token.start, end: place?.end ?? token.end, text: '' }]
}
