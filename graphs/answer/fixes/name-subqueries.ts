import type { Edit } from './edit.ts'
import { closingOf } from './select-items.ts'
import { isWord, type Statement } from './statement.ts'

/** Names subqueries of a FROM that have none; MySQL and older Postgres insist on it. */
export const nameSubqueries = (statement: Statement): readonly Edit[] => {
  const { tokens, database } = statement
  if (database.dialect === 'sqlite') return []
  const taken = new Set(tokens.map(({ value }) => value.toLowerCase()))
  let number = 0
  const nextName = (): string => {
    do number += 1
    while (taken.has(`part_${number}`))
    return `part_${number}`
  }
  return statement.blocks.flatMap(({ from }) => {
    const isSource = tokens[from - 1]?.text === '(' && isWord(tokens[from - 2], 'from', 'join')
    const close = closingOf(from - 1, tokens)
    const end = tokens[close]
    const next = tokens[close + 1]
    const isNamed = (next?.kind === 'word' && !follows.has(next.value)) || next?.kind === 'quoted'
    return isSource && end && !isNamed ? [{ start: end.end, end: end.end, text: ` AS ${nextName()}` }] : []
  })
}

/** Words that may stand behind a source without being its name. */
const follows = new Set(
  'where group having order limit offset fetch window union intersect except join left right inner full cross natural on using'.split(
    ' ',
  ),
)
