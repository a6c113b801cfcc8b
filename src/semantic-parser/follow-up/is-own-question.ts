import { foldText } from '../../lib/fold-text.ts'
import type { StrippedFollowUp } from './strip-cues.ts'

/** Words that point at what was said before. */
const referringWords =
  /\b(?:they|them|those|these|that one|this one|it|ones|same|again|instead|previous|above|before that|as before)\b/

/** How a whole question opens. */
const questionOpening =
  /^(?:how (?:many|much|often|long|old)|what(?:'s| is| are| was| were)?|which|who|whom|whose|when|where|show(?: me)?|list|count|give(?: me)?|find|tell me|return|get|display|do|does|did|is|are|was|were|number of|the number of)\b/

/** A change is said in a few words. */
const MAX_WORDS_OF_EDIT = 7

/**
 * Whether a message in a thread is a question of its own rather than a change of the one before: it opens as a question
 * does, says what it is about (`names`: it names a table or a column of the database) and points at nothing before it.
 */
export const isNewQuestion = ({ text, cued }: StrippedFollowUp, names: boolean): boolean => {
  const folded = foldText(text)
  if (referringWords.test(folded)) return false
  const words = folded.split(/\s+/).filter(Boolean).length
  if (questionOpening.test(folded)) return names || words > MAX_WORDS_OF_EDIT
  return !cued && words > MAX_WORDS_OF_EDIT
}

/** Whether it says of itself that it follows: by how it opens or ends, or by what it points at. */
export const refersToPrevious = ({ text, cued }: StrippedFollowUp): boolean =>
  cued || referringWords.test(foldText(text))
