import { functionWords } from '../lexicon/function-words.ts'
import type { DraftInterpretation } from '../read-question.ts'

/** Content words of the question that a reading left unread, as written. */
export const listUnusedWords = (draft: DraftInterpretation): readonly string[] =>
  draft.steps.flatMap(step => {
    const token = draft.context.tokens[step.at[0]]
    if (step.role !== 'skip' || !token || token.kind === 'mark') return []
    return functionWords.has(token.folded) ? [] : [token.text]
  })
