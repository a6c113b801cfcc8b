import { END, Send } from '@langchain/langgraph'
import type { ExecutionGroup } from '../../src/domain/candidate.ts'
import { isWorthComparing } from './comparison/tournament.ts'
import type { AnswerDeps, ChoosingDeps, DraftingDeps, StoringDeps, UnderstandingDeps } from './deps.ts'
import { chosenOption } from './options.ts'
import { makeIsFree } from './rounds/tally.ts'
import {
  candidatesOfRound,
  type DraftTask,
  draftingPosition,
  type KeywordsTask,
  type RepairTask,
  type State,
} from './state.ts'

/**
 * After understanding: only data questions go on; the rest has its outcome already. Whether the same was answered a while
 * ago is looked at where answers are kept, before anybody has replied; a step costs a checkpoint.
 */
export const makeAfterUnderstanding =
  ({ storing }: { readonly storing: Pick<StoringDeps, 'answerReuse'> }) =>
  (state: State): 'recall-answer' | 'find-values' | typeof END => {
    if (state.kind !== 'data' || state.outcome) return END
    // What was given with a question changes its answer, and is nobody else's.
    const isAlone = !state.isWhy && !state.reply && state.question.evidence === undefined
    return storing.answerReuse && isAlone ? 'recall-answer' : 'find-values'
  }

/** After looking for an answer of a while ago: one that was found ends the run. */
export const afterRecalling = (state: State): 'find-values' | typeof END =>
  state.outcome ? END : 'find-values'

/** After linking: a published system, or our own drafting. */
export const makeAfterLinking =
  ({ agents }: Pick<AnswerDeps, 'agents'>) =>
  ({ isWhy }: State): 'run-strategy' | 'plan-wave' =>
    agents === null || isWhy ? 'plan-wave' : 'run-strategy'

/** After a published system: its candidates are chosen among, unless its model failed. */
export const afterStrategy = ({ needsFreeReading }: State): 'plan-wave' | 'select-answer' =>
  needsFreeReading ? 'plan-wave' : 'select-answer'

/**
 * One branch a planned draft, which gets ids only, and one for keywords beside the first that a model writes; on to
 * comparing or choosing when none is planned. A step costs a checkpoint, so comparing is passed over if nothing is to be
 * compared.
 */
export const makeAfterPlanning =
  ({
    choosing,
    drafting,
    understanding,
    agents,
  }: Pick<AnswerDeps, 'agents'> & {
    readonly choosing: Pick<ChoosingDeps, 'pairwise'>
    readonly drafting: Pick<DraftingDeps, 'mode' | 'paths'>
    readonly understanding: Pick<UnderstandingDeps, 'askForKeywords'>
  }) =>
  (state: State): Send[] | 'compare-groups' | 'select-answer' => {
    const { planned, question, groups, isAmbiguous, clarification, modelRepair } = state
    if (modelRepair?.isDue) {
      const { candidateId } = modelRepair
      return [new Send('repair-sql', { question, candidateId, byModel: true } satisfies RepairTask)]
    }
    if (planned.length === 0) {
      const { mode } = drafting
      // A person can say what was meant, a judge cannot. In full mode the judge decides.
      if (isAmbiguous && mode === 'adaptive' && clarification === null) return 'select-answer'
      const isDrafted = makeIsDrafted(state, drafting)
      return choosing.pairwise && isWorthComparing(groups, { mode, isDrafted })
        ? 'compare-groups'
        : 'select-answer'
    }
    const { attempt, round } = draftingPosition(state)
    const drafts = planned.map(
      ({ path, sample }) =>
        new Send('draft-sql', { question, round: attempt, wave: round, path, sample } satisfies DraftTask),
    )
    const asksKeywords =
      understanding.askForKeywords &&
      agents === null &&
      !state.isWhy &&
      beginsWithModels({ ...state, attempt }, drafting)
    return asksKeywords ? [new Send('ask-keywords', { question } satisfies KeywordsTask), ...drafts] : drafts
  }

/** Whether the planned drafts are the first of an attempt that ask a model, and not all of them at once. */
const beginsWithModels = (
  { waves, planned, attempt }: Pick<State, 'waves' | 'planned'> & { readonly attempt: number },
  { mode, paths }: Pick<DraftingDeps, 'mode' | 'paths'>,
): boolean => {
  const isFree = makeIsFree(paths)
  const before = waves.filter(({ round }) => round === attempt).slice(0, -1)
  return (
    mode === 'adaptive' &&
    planned.some(draft => !isFree(draft)) &&
    before.every(({ drafts }) => drafts.every(isFree))
  )
}

/** Whether a model drafted a candidate of a group. Runs of an earlier version do not know, and go on to comparing. */
const makeIsDrafted = (
  { drafted }: Pick<State, 'drafted'>,
  { paths }: Pick<DraftingDeps, 'paths'>,
): ((group: ExecutionGroup) => boolean) => {
  const isFree = makeIsFree(paths)
  const free = new Set(drafted.filter(isFree).map(({ id }) => id))
  return ({ candidateIds }) => candidateIds.some(id => !free.has(id))
}

/**
 * One branch a candidate of the round. A round without any sends an empty task: all branches then end in the same
 * super-step, and grouping waits for every one of them.
 */
export const toRepairing = (state: State): Send[] => {
  const fresh = candidatesOfRound(state)
  const ids: readonly (string | null)[] = fresh.length > 0 ? fresh : [null]
  return ids.map(
    candidateId => new Send('repair-sql', { question: state.question, candidateId } satisfies RepairTask),
  )
}

/** After choosing: an outcome ends the run, a pending question back is asked. */
export const afterChoosing = (state: State): 'ask-clarification' | 'explain-answer' | typeof END => {
  if (!state.outcome) return 'ask-clarification'
  return state.outcome.status === 'answered' ? 'explain-answer' : END
}

/**
 * After a reply: a chosen option selects among what there is, runs what a person was asked about, or is about asking
 * for less; new words start over.
 */
export const afterReply = (
  state: State,
): 'select-answer' | 'run-approved' | 'offer-narrower' | 'understand-question' => {
  if (state.reply?.kind === 'text') return 'understand-question'
  const act = chosenOption(state)?.act
  if (act === 'run') return 'run-approved'
  return act === 'narrow' ? 'offer-narrower' : 'select-answer'
}

/**
 * After explaining: an answer that came of the question alone, and that is sure enough, is kept for anyone who asks the
 * same. One that a person helped to with a reply is theirs.
 */
export const makeAfterExplaining =
  ({ choosing }: { readonly choosing: Pick<ChoosingDeps, 'thresholds'> }) =>
  ({ cacheKey, outcome, clarification, reply }: State): 'store-answer' | typeof END => {
    const isSure = outcome?.status === 'answered' && outcome.confidence >= choosing.thresholds.answer
    return cacheKey && isSure && !clarification && !reply ? 'store-answer' : END
  }
