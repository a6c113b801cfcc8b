import type { Draft } from '../../../src/domain/candidate.ts'
import type { DraftedAmbiguity } from '../../../src/domain/model.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { toInertText } from '../../../src/lib/inert-text.ts'

/** What a person reads at a glance, as any label of a question back. */
const LONGEST_LABEL = 40

/** Longer ones are no words of a question but the question itself. */
const LONGEST_UNCLEAR = 60

/**
 * The meanings that a model sees, with the statement of each. Their labels may come to be read by a person, so they
 * are made inert; a meaning without a label of its own that can be read at a glance is left out.
 */
export const nameMeanings = ({
  unclear,
  meanings,
}: DraftedAmbiguity): readonly Required<Pick<Draft, 'sql' | 'named'>>[] => {
  const words = toInertText(unclear)
  const phrase = words !== null && words.length <= LONGEST_UNCLEAR ? words : null
  const byLabel = new Map<string, Required<Pick<Draft, 'sql' | 'named'>>>()
  for (const { label, sql } of meanings) {
    const readable = toInertText(label)?.replace(/[.!?]+$/, '') ?? ''
    const key = foldText(readable)
    if (readable === '' || readable.length > LONGEST_LABEL || byLabel.has(key)) continue
    byLabel.set(key, { sql, named: { label: readable, unclear: phrase } })
  }
  return [...byLabel.values()]
}
