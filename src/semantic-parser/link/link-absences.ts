import { stemWord } from '../../lib/stem-word.ts'
import { weightedScore } from '../rank/features.ts'
import type { LinkedSpanOf } from './item.ts'
import type { LinkContext, TableMention } from './link-context.ts'
import { matchStems } from './match-stems.ts'

const SHORTEST_REST = 4

/** "Unpaid": a column that may be empty and is named by the rest of the word (`paid_on`). */
export const linkAbsences = (
  { tokens, schema, weights }: LinkContext,
  mentions: readonly TableMention[],
): readonly LinkedSpanOf<'absence'>[] =>
  tokens.flatMap((token, start) => {
    const rest = token.folded.match(/^(?:un|non|in)(\p{L}+)$/u)?.[1] ?? ''
    if (rest.length < SHORTEST_REST) return []
    const stems = matchStems(stemWord(rest), schema.stems).filter(match => match.how !== 'related')
    const columns = stems.flatMap(match => schema.columnsByStem.get(match.stem) ?? [])
    return [...new Set(columns)].flatMap(column => {
      if (!column.column.nullable || column.traits.key) return []
      const features = [
        ['absence', 1],
        ['absence.moment', column.traits.moment ? 1 : 0],
        ['absence.tableNamed', mentions[column.table.id]?.strength ?? 0],
      ] as const
      const score = weightedScore(features, weights)
      return [{ kind: 'absence', column, start, end: start + 1, features, score } as const]
    })
  })
