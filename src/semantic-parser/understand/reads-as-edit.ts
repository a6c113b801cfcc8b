import { foldText } from '../../lib/fold-text.ts'
import { refersToPrevious } from '../follow-up/is-own-question.ts'
import { readPlainEdit } from '../follow-up/plain-edit.ts'
import { stripFollowUpCues } from '../follow-up/strip-cues.ts'

/** A period, a grouping or a condition without anything that it is of. */
const fragment =
  /^(?:by|per|in|for|with|without|since|before|after|during|from|between|last|this|more than|less than|at least|at most)\b/

/** A change is said in a few words. */
const MAX_WORDS_OF_FRAGMENT = 6

/**
 * Whether words that stand in no thread are a change of something that was asked before: they open, end or point back
 * as only a change does, or are no sentence. A question of its own is never one.
 */
export const looksLikeEdit = (text: string): boolean => {
  const stripped = stripFollowUpCues(text)
  if (stripped.text === '' || stripped.text.split(/\s+/).length > MAX_WORDS_OF_FRAGMENT) return false
  return (
    readPlainEdit(stripped.text, stripped.replaces) !== null ||
    refersToPrevious(stripped) ||
    fragment.test(foldText(stripped.text))
  )
}
