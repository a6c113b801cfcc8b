import type { Candidate, ExecutionGroup } from '../../../src/domain/candidate.ts'
import type { CheckingDeps, ChoosingDeps, DraftingDeps, NodeRun, OpenDatabase, StoringDeps } from '../deps.ts'
import { usesTeamTerm } from '../drafting/prompt-inputs.ts'
import { isExpensive } from '../expensive/run-approval.ts'
import { isCurable } from '../repair/fix-with-model.ts'
import { cannotAnswerOfRound, currentCannotAnswer } from '../rounds/cannot-answer.ts'
import { estimateCalls, findCallShortfall } from '../rounds/estimate-calls.ts'
import { planRound } from '../rounds/plan-round.ts'
import { makeIsFree, tallyCandidates } from '../rounds/tally.ts'
import type { State, Update } from '../state.ts'
import { makeFindVerifiedSimilarity } from '../verified/verified-similarity.ts'

/** Models would go on writing statements that read as much. */
const stopToAsk: ReturnType<typeof planRound> = {
  drafts: [],
  reason: 'the drafts would read too much data, so a person is asked before more are made',
}

/** Nothing ran, and what a model or a verified query says would read too much. */
const needsApproval = (candidates: readonly Candidate[]): boolean =>
  candidates.every(({ run }) => run?.status !== 'ran') &&
  candidates.some(candidate => isExpensive(candidate) && candidate.path !== BREAKDOWN_PATH)

/** The path that takes a number of an earlier answer apart; what others would draft answers something else. */
const BREAKDOWN_PATH = 'semantic-parser'

/**
 * The reading of a free path that a model may repair: the likeliest of those that lead their paths, if another statement
 * can cure it and nothing else ran. Anything else that ran is the better answer; null then.
 */
const readingForModel = (
  candidates: readonly Candidate[],
  isFree: (candidate: Candidate) => boolean,
): Candidate | null => {
  const [leading] = candidates
    .filter(candidate => candidate.rank === 0 && isFree(candidate))
    .filter(({ run }) => {
      const problem = run?.status === 'failed' ? run.errorClass : run?.problem
      return problem !== undefined && isCurable(problem)
    })
    .toSorted((a, b) => b.prior - a.prior)
  const hasOther = candidates.some(({ id, run }) => run?.status === 'ran' && id !== leading?.id)
  return leading === undefined || hasOther ? null : leading
}

/**
 * Groups what there is by its results, and plans the next drafts or ends drafting; every decision is kept with its
 * reason. One node, because every step of a run costs a checkpoint.
 */
export const makePlanRound = (deps: {
  readonly database: OpenDatabase
  readonly drafting: DraftingDeps
  readonly choosing: Pick<ChoosingDeps, 'groupCandidates' | 'countVotes' | 'rateTally' | 'selector'>
  readonly checking?: Pick<CheckingDeps, 'modelFixers'>
  readonly storing: Pick<StoringDeps, 'runStore'>
}) => {
  const { database, drafting, choosing } = deps
  const hasModelFixer = (deps.checking?.modelFixers ?? []).length > 0
  const isFree = makeIsFree(drafting.paths)
  const { runStore } = deps.storing
  const verified = choosing.selector?.verified
  const findLikeVerified = verified
    ? makeFindVerifiedSimilarity({ database, runStore, ...verified })
    : async () => null

  return async (state: State, run: NodeRun): Promise<Update> => {
    const { round: attempt } = state
    const before = state.waves.filter(wave => wave.round === attempt)
    const candidates = await runStore.loadCandidates(state.question.id)
    const current = candidates.filter(({ origin }) => origin.attempt === attempt)
    const hasRepaired = state.modelRepair?.attempt === attempt
    const toRepair = hasModelFixer && !hasRepaired ? readingForModel(current, isFree) : null
    if (toRepair !== null)
      return { planned: [], modelRepair: { attempt, candidateId: toRepair.id, isDue: true } }
    const champion = choosing.selector === null ? null : await choosing.selector.champion()
    const likeVerified = champion === null || current.length === 0 ? null : await findLikeVerified(state, run)
    const hearsReadings = current.length > 0 && !(await usesTeamTerm(state, deps, run))
    const selector =
      choosing.selector === null || champion === null
        ? null
        : {
            measure: choosing.selector.measure,
            rank: champion.rank,
            shift: champion.shift,
            likeVerified,
            hearsReadings,
          }
    const { tally, groups, measured } = tallyCandidates(current, {
      ...choosing,
      paths: drafting.paths,
      selector,
    })
    const judgement = drafting.decideDrafting(tally)
    const cannotAnswer = currentCannotAnswer(state)
    const isAmbiguous = agreeOnMeanings(current, { groups, cannotAnswer: cannotAnswer.length })
    const planned = planRound({
      drafting: drafting.mode,
      mostDrafts: drafting.mostDrafts,
      paths: state.isWhy ? drafting.paths.filter(({ name }) => name === BREAKDOWN_PATH) : drafting.paths,
      made: before.flatMap(({ drafts }) => drafts),
      came: current.filter(({ origin }) => origin.round === before.length - 1).length,
      cannotAnswer: cannotAnswerOfRound(cannotAnswer, {
        round: before.length - 1,
        candidates: current,
        paths: drafting.paths,
      }),
      isAmbiguous,
      freePathsAgree: hearsReadings && (tally.groups[0]?.prior ?? 0) > tally.otherPrior,
      judgement,
    })
    const { drafts, reason, cappedAt } = needsApproval(current) ? stopToAsk : planned
    // Drafting is over: what the choice is made from, for people's feedback to teach it.
    if (drafts.length === 0 && champion !== null && measured !== null && measured.length > 0)
      await choosing.selector?.saveSnapshot(state.question.id, {
        version: champion.version,
        groups: measured,
      })
    const round = before.length
    if (drafting.mode === 'full' && drafting.callLimit !== undefined && drafts.length > 0) {
      const callShortfall = findCallShortfall(estimateCalls(drafts, drafting.paths), drafting.callLimit)
      if (callShortfall !== null) run.writer?.({ step: 'draft', detail: '', callShortfall })
    }
    const record = {
      round: attempt,
      wave: round,
      drafts,
      probability: groups[0]?.score ?? 0,
      gain: tally.votes === 0 ? null : judgement.gain,
      reason,
      ...(cappedAt !== undefined && { cappedAt }),
    }
    if (drafts.length > 0 && round > 1) run.writer?.({ step: 'draft', detail: 'Looking again' })
    if (candidates.length > 0) run.writer?.({ step: 'choose', detail: `${groups.length} different results` })
    const modelRepair = state.modelRepair && { ...state.modelRepair, isDue: false }
    return { groups, isAmbiguous, planned: drafts, waves: [record], modelRepair }
  }
}

/** So many drafts that say the same are believed without asking further ones. */
const ENOUGH = 2

/**
 * Whether most drafts of models say that the question has several meanings, and their statements give different
 * results: then a person is asked, and neither further drafts nor a judge could say what was meant. `candidates` are
 * those of one attempt.
 */
const agreeOnMeanings = (
  candidates: readonly Candidate[],
  { groups, cannotAnswer }: { readonly groups: readonly ExecutionGroup[]; readonly cannotAnswer: number },
): boolean => {
  const named = candidates.filter(one => one.named !== undefined)
  const saying = countDrafts(named)
  // Only what asks no model knows which words it leaves unused.
  const all = countDrafts(candidates.filter(({ unused }) => unused === null)) + cannotAnswer
  if (saying < ENOUGH || saying * 2 <= all) return false
  const results = groups.filter(group => named.some(({ id }) => group.candidateIds.includes(id)))
  return results.length > 1
}

/** One draft has a statement for each meaning. */
const countDrafts = (candidates: readonly Candidate[]): number =>
  new Set(candidates.map(({ path, origin: { round, sample } }) => JSON.stringify([path, round, sample]))).size
