import type { Edit } from './edit.ts'
import type { ClauseRange, SelectBlock } from './select-blocks.ts'
import { aggregateCalls, closingOf } from './select-items.ts'
import { isWord, type Statement, textBetween } from './statement.ts'

/**
 * Puts conditions where they may stand: those on aggregates out of WHERE into HAVING, and a HAVING without any
 * aggregate and without GROUP BY into WHERE. Only conditions that AND joins are moved.
 */
export const moveConditions = (statement: Statement): readonly Edit[] =>
  statement.blocks.flatMap(block => [...intoHaving(block, statement), ...intoWhere(block, statement)])

const intoHaving = (block: SelectBlock, statement: Statement): readonly Edit[] => {
  const { where, group, having } = block.clauses
  if (!where || !group || having) return []
  const conditions = conditionsOf(where, statement)
  const moved = conditions?.filter(range => aggregateCalls(range, block, statement).length > 0) ?? []
  if (!conditions || moved.length === 0) return []
  const kept = conditions.filter(range => !moved.includes(range))
  const start = statement.tokens[where.from]?.start ?? 0
  const whereEnd = statement.tokens[where.to - 1]?.end ?? 0
  const groupEnd = statement.tokens[group.to - 1]?.end ?? 0
  return [
    { start, end: whereEnd, text: kept.length === 0 ? '' : `WHERE ${joinConditions(kept, statement)}` },
    { start: groupEnd, end: groupEnd, text: ` HAVING ${joinConditions(moved, statement)}` },
  ]
}

const intoWhere = (block: SelectBlock, statement: Statement): readonly Edit[] => {
  const { where, group, having } = block.clauses
  if (
    !having ||
    group ||
    block.own.some(at => aggregateCalls({ from: at, to: at + 1 }, block, statement).length > 0)
  )
    return []
  const conditions = where ? conditionsOf(where, statement) : []
  const more = conditionsOf(having, statement)
  if (!conditions || !more) return []
  const start = statement.tokens[having.from]?.start ?? 0
  const end = statement.tokens[having.to - 1]?.end ?? 0
  return [{ start, end, text: `${where ? 'AND' : 'WHERE'} ${joinConditions(more, statement)}` }]
}

const joinConditions = (ranges: readonly ClauseRange[], statement: Statement): string =>
  ranges.map(({ from, to }) => textBetween(statement, from, to)).join(' AND ')

/** The conditions that AND joins in a clause; null where an OR or a CASE stands beside them. */
const conditionsOf = ({ from, to }: ClauseRange, { tokens }: Statement): readonly ClauseRange[] | null => {
  const ranges: ClauseRange[] = []
  let start = from + 1
  let between = false
  for (let at = start; at < to; at++) {
    const token = tokens[at]
    if (token?.text === '(') at = closingOf(at, tokens)
    else if (isWord(token, 'or', 'xor', 'case')) return null
    else if (isWord(token, 'between')) between = true
    else if (isWord(token, 'and') && between) between = false
    else if (isWord(token, 'and')) {
      ranges.push({ from: start, to: at })
      start = at + 1
    }
  }
  return start < to ? [...ranges, { from: start, to }] : null
}
