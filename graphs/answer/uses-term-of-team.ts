import type { AnswerDeps, NodeRun } from './deps.ts'
import { usedTerms } from './paths/describe-evidence.ts'
import type { State } from './state.ts'

/**
 * Whether a question uses a term that the team gave a meaning. Models are told of it; the rules of the semantic parser
 * and the measures of the selector are not, so there they are no judges of what is meant.
 */
export const usesTeamTerm = async (
  { question }: Pick<State, 'question'>,
  deps: Pick<AnswerDeps, 'database'>,
  { signal }: NodeRun,
): Promise<boolean> => {
  const { knowledge } = await deps.database(question.database, signal ? { signal } : {})
  return (
    knowledge !== undefined &&
    usedTerms(knowledge, question.text).some(({ meaning, sql }) => meaning !== '' || sql !== null)
  )
}
