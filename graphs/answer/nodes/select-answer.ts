import { assumptionText } from '../../../src/domain/answer-wording/assumptions.ts'
import type { Candidate } from '../../../src/domain/candidate.ts'
import type { ScoredClarification } from '../../../src/domain/clarification.ts'
import { applyAskingRules, decideOutcome, findModelFailure } from '../decide.ts'
import type {
  AnswerDeps,
  ChoosingDeps,
  DraftingDeps,
  NodeRun,
  OpenDatabase,
  StoringDeps,
  TalkingDeps,
} from '../deps.ts'
import { refuseStillExpensive, refuseUnapproved } from '../expensive/narrower-questions.ts'
import { askToRunExpensive, leadingExpensive } from '../expensive/run-approval.ts'
import { alternativesOf, chosenGroups, chosenOption } from '../options.ts'
import { currentCannotAnswer, weighCannotAnswer } from '../rounds/cannot-answer.ts'
import { questionText, type State, type Update } from '../state.ts'

interface SelectDeps {
  readonly agents: AnswerDeps['agents']
  readonly database: OpenDatabase
  readonly drafting: Pick<DraftingDeps, 'mode' | 'paths'>
  readonly choosing: Pick<ChoosingDeps, 'thresholds'>
  readonly talking: Pick<TalkingDeps, 'findClarification' | 'describeAnswer'>
  readonly storing: Pick<StoringDeps, 'runStore' | 'loadHeads'>
}

/** Rows of a result that are looked at to tell it from another. */
const HEAD_ROWS = 3

/** Results that are looked at: those of the groups that may be asked about. */
const MOST_HEADS = 4

/** Decides between answering, asking back and refusing. Leaves no outcome when it asks: that is still open. */
export const makeSelectAnswer =
  (deps: SelectDeps) =>
  async (state: State, run: NodeRun = {}): Promise<Update> => {
    const candidates = await deps.storing.runStore.loadCandidates(state.question.id)
    const taken = chosenOption(state)
    const cannotAnswer = currentCannotAnswer(state)
    const paths = allPaths(deps)
    const weighed = weighCannotAnswer(chosenGroups(state), { candidates, cannotAnswer, paths })
    // Nobody is asked to run what most drafts say cannot be an answer.
    const expensive = weighed.cannotAnswer && !taken ? null : handleExpensive(state, candidates)
    if (expensive !== null) return expensive
    const verdict = decideOutcome({
      groups: weighed.groups,
      candidates,
      cannotAnswer: weighed.cannotAnswer,
      // One question back per request; after it, what is unsure is mentioned, not asked about.
      clarification: taken ? null : await findQuestion(state, candidates, deps, run),
      replied: taken !== null,
      thresholds: applyAskingRules(deps.choosing.thresholds, {
        mode: deps.drafting.mode,
        hasAsked: state.clarification !== null,
      }),
    })
    // A model that finds no answer has helped.
    const modelFailure = cannotAnswer.length > 0 ? null : findModelFailure(state.failures, candidates, paths)
    switch (verdict.do) {
      case 'ask':
        return { clarification: verdict.clarification }
      case 'refuse':
        return {
          outcome: {
            status: 'refused',
            why: verdict.why,
            ...(modelFailure === null ? {} : { modelFailure }),
          },
        }
      case 'answer': {
        const winner = candidates.find(candidate => candidate.id === verdict.group.representativeId)
        if (winner?.run?.status !== 'ran') throw new Error(`group without a result: ${verdict.group.key}`)
        const asked = taken ? state.clarification : verdict.assumed
        const { alternatives, assumption } = alternativesOf(asked, { winner, groups: state.groups, taken })
        const assumptions = [
          ...winner.assumptions,
          ...(assumption === null ? [] : [assumption]),
          ...(modelFailure === null ? [] : [assumptionText({ kind: 'no-model', failure: modelFailure })]),
        ]
        return {
          outcome: {
            status: 'answered',
            candidateId: winner.id,
            resultId: winner.run.resultId,
            sql: winner.sql,
            confidence: verdict.group.score,
            headline: '',
            assumptions,
            ...(alternatives.length > 0 ? { alternatives } : {}),
          },
        }
      }
      default: {
        const never: never = verdict
        return never
      }
    }
  }

/** Every way in which candidates are written: our own, and that of a published system. */
const allPaths = ({ agents, drafting }: Pick<SelectDeps, 'agents' | 'drafting'>) =>
  agents === null ? drafting.paths : [...drafting.paths, { name: agents.name, cost: 'model' } as const]

/** What is to be asked or said because the leading statement is expensive; null if nothing is. */
const handleExpensive = (state: State, candidates: readonly Candidate[]): Update | null => {
  const taken = chosenOption(state)
  if (taken?.act === 'run') return null
  if (taken?.act === 'cancel')
    return { outcome: refuseUnapproved(state.reply?.kind === 'option' && state.reply.expired === true) }
  const expensive = leadingExpensive(candidates, state)
  if (expensive === null) return null
  // One question back a request.
  return state.clarification
    ? { outcome: refuseStillExpensive(expensive, questionText(state.question)) }
    : { clarification: askToRunExpensive(expensive) }
}

const findQuestion = async (
  state: State,
  candidates: readonly Candidate[],
  deps: SelectDeps,
  { signal }: NodeRun,
): Promise<ScoredClarification | null> => {
  const { groups, question } = state
  if (groups.length < 2) return null
  const byId = new Map(candidates.map(candidate => [candidate.id, candidate]))
  const resultIds = groups.slice(0, MOST_HEADS).flatMap(group => {
    const run = byId.get(group.representativeId)?.run
    return run?.status === 'ran' ? [run.resultId] : []
  })
  const [database, heads, { understanding }] = await Promise.all([
    deps.database(question.database, signal ? { signal } : {}),
    deps.storing.loadHeads?.(resultIds, HEAD_ROWS) ?? new Map(),
    deps.storing.runStore.loadContext(question.id),
  ])
  const { catalog } = database
  const { describeAnswer } = deps.talking
  return deps.talking.findClarification({
    question: questionText(question),
    catalog,
    groups,
    candidates,
    cannotAnswer: currentCannotAnswer(state).length,
    heads,
    ...(describeAnswer && {
      subjectOf: ({ sql, meaning }: Candidate) =>
        describeAnswer({ sql, ...(meaning && { meaning }), understanding, database }),
    }),
  })
}
