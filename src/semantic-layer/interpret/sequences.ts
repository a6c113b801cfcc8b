import { functionWords } from '../../parser/lexicon.ts'
import type { Token } from '../../parser/tokenize.ts'
import type { TermSpan } from './terms.ts'

/** One way to cut a question into terms, from left to right. */
export interface Sequence {
  readonly spans: readonly TermSpan[]
  /** Words with a meaning of their own that no term covers. */
  readonly skipped: readonly Token[]
  readonly score: number
}

const BEAM = 80

/** Spans that are tried at one place. */
const MOST_SPANS = 14

/** What each term costs, so that one long term beats two short ones. */
const TERM_COST = 0.3

const SKIPPED_WORD = -1

/** The best ways to cut a question into terms, best first. */
export const findSequences = (
  tokens: readonly Token[],
  startingAt: readonly (readonly TermSpan[])[],
): readonly Sequence[] => {
  const reached: Sequence[][] = Array.from({ length: tokens.length + 1 }, () => [])
  reached[0] = [{ spans: [], skipped: [], score: 0 }]
  for (const [at, token] of tokens.entries()) {
    const here = best(reached[at] ?? [])
    reached[at] = here
    const spans = (startingAt[at] ?? []).slice(0, MOST_SPANS)
    for (const sequence of here) {
      for (const span of spans) {
        reached[span.at[1]]?.push({
          spans: [...sequence.spans, span],
          skipped: sequence.skipped,
          score: sequence.score + gainOf(span),
        })
      }
      const isWeighty = isContent(token) || weightyWords.has(token.folded)
      reached[at + 1]?.push({
        spans: sequence.spans,
        skipped: isWeighty ? [...sequence.skipped, token] : sequence.skipped,
        score: sequence.score + (isWeighty ? SKIPPED_WORD : 0),
      })
    }
  }
  return best(reached[tokens.length] ?? [])
}

/** Function words that change what is asked: "which region grew the most", "who sells the most". */
const weightyWords: ReadonlySet<string> = new Set(['most', 'least', 'who', 'which'])

/** Whether a word says something by itself. */
export const isContent = (token: Token): boolean => token.kind !== 'mark' && !functionWords.has(token.folded)

const gainOf = ({ term, quality, at: [from, until] }: TermSpan): number => {
  const isFiller = term.kind === 'cue' && term.cue.kind === 'filler'
  return isFiller ? 0.05 * (until - from) : quality * (until - from) - TERM_COST
}

const best = (sequences: readonly Sequence[]): Sequence[] => {
  const sorted = sequences.toSorted((a, b) => b.score - a.score)
  const seen = new Set<string>()
  const kept: Sequence[] = []
  for (const sequence of sorted) {
    const key = sequence.spans
      .filter(({ term }) => !(term.kind === 'cue' && term.cue.kind === 'filler'))
      .map(keyOf)
      .join(';')
    if (seen.has(key)) continue
    seen.add(key)
    kept.push(sequence)
    if (kept.length === BEAM) break
  }
  return kept
}

const keyOf = ({ at, term }: TermSpan): string => {
  const where = `${at[0]}-${at[1]}`
  switch (term.kind) {
    case 'metric':
      return `${where}m${term.metric.name}`
    case 'model':
      return `${where}e${term.model.name}`
    case 'dimension':
    case 'event':
      return `${where}${term.kind}${term.model.name}.${term.dimension.name}`
    case 'value':
      return `${where}v${term.model.name}.${term.dimension.name}=${term.value}`
    case 'segment':
      return `${where}s${term.segment.name}`
    case 'role':
      return `${where}r${term.model.name}.${term.join.name}`
    case 'cue':
      return `${where}c${JSON.stringify(term.cue).slice(0, 60)}`
    default:
      return `${where}${term.kind}`
  }
}
