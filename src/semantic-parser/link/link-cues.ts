import { cuePhrases } from '../lexicon/cue-phrases.ts'
import { weightedScore } from '../rank/features.ts'
import type { LinkedSpanOf } from './item.ts'
import type { LinkContext } from './link-context.ts'

/** Spans that say something about the shape of the query, by the lexicon of cues. */
export const linkCues = ({ tokens, weights }: LinkContext): readonly LinkedSpanOf<'cue'>[] =>
  tokens.flatMap((token, start) => {
    if (token.kind === 'quoted' || token.kind === 'number') return []
    return (cuePhrases.get(token.folded) ?? []).flatMap(({ words, cue }) => {
      const end = start + words.length
      if (words.some((word, index) => tokens[start + index]?.folded !== word)) return []
      const features = [
        [`cue.${cue.kind}`, 1],
        ['cue.tokens', words.length - 1],
      ] as const
      return [{ kind: 'cue', cue, start, end, features, score: weightedScore(features, weights) } as const]
    })
  })
