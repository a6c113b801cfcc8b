import { foldText } from '../../lib/fold-text.ts'
import { pointsBack } from '../follow-up/is-own-question.ts'
import { readPlainEdit } from '../follow-up/plain-edit.ts'
import { stripCues } from '../follow-up/strip-cues.ts'

/** A period, a grouping or a condition without anything that it is of. */
const fragment =
  /^(?:by|per|in|for|with|without|since|before|after|during|from|between|last|this|more than|less than|at least|at most)\b/

/** A change is said in a few words. */
const MOST_WORDS = 6

/**
 * Whether words that stand in no thread are a change of something that was asked before: they open, end or point back
 * as only a change does, or are no sentence. A question of its own is never one.
 */
export const readsAsEdit = (text: string): boolean => {
  const stripped = stripCues(text)
  if (stripped.text === '' || stripped.text.split(/\s+/).length > MOST_WORDS) return false
  return (
    readPlainEdit(stripped.text, stripped.replaces) !== null ||
    pointsBack(stripped) ||
    fragment.test(foldText(stripped.text))
  )
}
