import { readableOptions } from '../../../src/domain/answer-wording/clarifications.ts'
import type { StoringDeps } from '../deps.ts'
import { groupsOfOption, MOST_PROBABLE_AFTER_CHOICE, matchReply } from '../options.ts'
import type { State } from '../state.ts'
import type { PendingQuestion } from './follow-up.ts'

/**
 * The question that a typed reply belongs to, as if its default option had been answered. Null if the reply takes an
 * option, or if there is no result to build on.
 */
export const findPendingQuestion = async (
  { question, reply, clarification, groups }: State,
  runStore: Pick<StoringDeps['runStore'], 'loadContext' | 'loadCandidates'>,
): Promise<PendingQuestion | null> => {
  if (reply?.kind !== 'text' || !clarification || matchReply(reply, clarification) !== null) return null
  const { options, defaultOption } = clarification
  const option = options[defaultOption]
  // Whether to run something expensive is no matter of meaning.
  if (option === undefined || options.some(({ act }) => act !== undefined)) return null
  const [group] = groupsOfOption(option, groups)
  const candidates = group ? await runStore.loadCandidates(question.id) : []
  const candidate = candidates.find(({ id }) => id === group?.representativeId)
  if (candidate === undefined) return null
  const { understanding } = await runStore.loadContext(question.id)
  const asked = new Set(options.flatMap(one => groupsOfOption(one, groups)))
  const probability = [...asked].reduce((sum, { score }) => sum + score, 0)
  const labels = readableOptions(options).map(({ label }) => label)
  return {
    option: option.label,
    turn: {
      questionId: question.id,
      originalText: question.text,
      ...(understanding.followUp ? { changedBy: understanding.followUp.said } : {}),
      text: understanding.text,
      askedBy: null,
      askedAt: new Date(question.askedAt),
      sql: candidate.sql,
      headline: '',
      assumptions: [],
      confidence: Math.min(MOST_PROBABLE_AFTER_CHOICE, probability),
      chain: understanding.followUp?.chain ?? [],
      askedBack: `${clarification.question} ${labels.join(' / ')}`,
    },
  }
}
