import type { Naming } from '../../domain/metrics/semantic-layer.ts'
import { foldText } from '../../lib/fold-text.ts'
import { toSingular } from '../../lib/stem-word.ts'

/** What people say, for comparing: `Average order values` and `average_order_value` are the same phrase. */
export const phraseKey = (text: string): string =>
  (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(toSingular).join(' ')

/** The phrases that name something. */
export const phrasesOf = ({
  name,
  label,
  synonyms,
}: Pick<Naming, 'name' | 'label' | 'synonyms'>): readonly string[] => [
  ...new Set([name, label, ...synonyms].map(phraseKey)),
]

/** Synonyms without those that are phrases already. */
export const withoutPhrases = (
  synonyms: readonly string[],
  taken: { has: (phrase: string) => boolean },
): readonly string[] => synonyms.filter(synonym => !taken.has(phraseKey(synonym)))

/** The word of something that is a phrase, as it is written. */
export const wordOf = ({ label, synonyms }: Pick<Naming, 'label' | 'synonyms'>, phrase: string): string =>
  [...synonyms, label].find(word => phraseKey(word) === phrase) ?? phrase
