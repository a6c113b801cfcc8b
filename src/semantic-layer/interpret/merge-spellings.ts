import { foldText } from '../../lib/fold-text.ts'
import type { TermSpan } from './terms.ts'

/** `Germany`, `GERMANY` and `Germany ` of one column are one value, which somebody typed in three ways. */
export const mergeSpellings = (spans: readonly TermSpan[]): readonly TermSpan[] => {
  const merged = new Map<string, TermSpan>()
  for (const [index, span] of spans.entries()) {
    const { term, at } = span
    if (term.kind !== 'value' || typeof term.value !== 'string') {
      merged.set(String(index), span)
      continue
    }
    const key = JSON.stringify([at, term.model.name, term.dimension.name, foldText(term.value).trim()])
    const known = merged.get(key)
    if (known?.term.kind !== 'value') {
      merged.set(key, span)
      continue
    }
    const spellings = [...new Set([...(known.term.spellings ?? [String(known.term.value)]), term.value])]
    const best = spellings.toSorted((a, b) => untidiness(a) - untidiness(b))
    const quality = Math.max(known.quality, span.quality)
    if (best.length === 1) merged.set(key, { ...known, quality })
    else
      merged.set(key, { ...known, quality, term: { ...known.term, value: best[0] ?? '', spellings: best } })
  }
  return [...merged.values()]
}

/** Spaces around a value, and letters that are all small or all capitals, look mistyped. */
const untidiness = (value: string): number =>
  (value === value.trim() ? 0 : 2) + (value === value.toUpperCase() || value === value.toLowerCase() ? 1 : 0)
