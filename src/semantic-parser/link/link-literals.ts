import { type Features, weightedScore } from '../rank/features.ts'
import type { LinkedSpan } from './item.ts'
import type { LinkContext } from './link-context.ts'

/** Numbers, quoted texts and periods, as they stand. Which column they belong to is found by the search. */
export const linkLiterals = ({ tokens, spans, weights }: LinkContext): readonly LinkedSpan[] => {
  const scored = (features: Features) => ({ features, score: weightedScore(features, weights) })
  const items: LinkedSpan[] = []
  for (const [start, token] of tokens.entries()) {
    const end = start + 1
    if (token.number !== null) {
      const written = token.kind === 'word' ? 'num.word' : 'num'
      items.push({
        kind: 'number',
        number: token.number,
        text: token.text,
        start,
        end,
        ...scored([[written, 1]]),
      })
    }
    if (token.kind === 'quoted' || (/^\p{Lu}/u.test(token.text) && start > 0) || /^[a-z]$/.test(token.text)) {
      const name = token.kind === 'quoted' ? 'text.quoted' : 'text.capital'
      items.push({ kind: 'text', text: token.text, start, end, ...scored([[name, 1]]) })
    }
  }
  for (const span of spans) {
    const start = tokens.findIndex(token => token.at[1] > span.at[0])
    const after = tokens.findIndex(token => token.at[0] >= span.at[1])
    const end = after === -1 ? tokens.length : after
    if (start === -1 || end <= start) continue
    const bare = /^(the year )?\d{4}$/.test(span.phrase)
    items.push({ kind: 'period', span, start, end, ...scored([[bare ? 'period.year' : 'period', 1]]) })
  }
  return items
}
