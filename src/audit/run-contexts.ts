import { AsyncLocalStorage } from 'node:async_hooks'
import type { CheckQuota } from '../budget/quota.ts'
import type { AnswerReport, AnswerRuns } from '../domain/answer.ts'
import type { Digest } from '../domain/digests/digest.ts'
import { SqlError } from '../domain/errors.ts'
import type { LocatedQuestion, SlackLocation } from '../domain/message.ts'
import type { InRunContext, RunContext } from '../domain/operations/audit.ts'
import { noModelUsage } from '../domain/operations/usage.ts'
import type { Question } from '../domain/question.ts'

/** Run contexts, and the current one: null outside of all. */
interface RunContexts {
  readonly inRunContext: InRunContext
  readonly currentContext: () => RunContext | null
}

/** A context follows every await and timer started within the work; an inner one hides the outer. */
export const makeRunContexts = (): RunContexts => {
  const storage = new AsyncLocalStorage<RunContext>()
  return {
    inRunContext: (context, work) => storage.run(context, work),
    currentContext: () => storage.getStore() ?? null,
  }
}

/**
 * The context of work on a question: that of its location, or of the command line if it has none. `person` is set if
 * neither the asker nor the person who reran it has the work done.
 */
export const questionRunContext = (
  questionId: string,
  question: (Pick<Question, 'askedBy' | 'runBy'> & { readonly location: SlackLocation | null }) | null,
  { origin = 'question', person }: { readonly origin?: RunContext['origin']; readonly person?: string } = {},
): RunContext => ({
  origin: origin === 'question' && !question?.location ? 'command' : origin,
  person: person ?? question?.runBy ?? question?.askedBy ?? null,
  team: question?.location?.team ?? null,
  channel: question?.location?.channel ?? null,
  questionId,
  digestId: null,
})

/** The context of a digest run: its target, on the account of the person who pays. */
export const digestRunContext = (
  { id, team, target }: Pick<Digest, 'id' | 'team' | 'target'>,
  paidBy: string,
): RunContext => ({
  origin: 'digest',
  person: paidBy,
  team,
  channel: target.kind === 'channel' ? target.channel : null,
  questionId: null,
  digestId: id,
})

/** The context of work outside of any question, for `person` if one requested it. */
export const maintenanceRunContext = (
  origin: Extract<RunContext['origin'], 'verified' | 'index' | 'command'>,
  person: string | null,
): RunContext => ({
  origin,
  person,
  team: null,
  channel: null,
  questionId: null,
  digestId: null,
})

/** Wraps an action on an answer so that its statements count for the person who acts. */
export type ActInRunContext = <Given extends { readonly questionId: string; readonly person: string }, Done>(
  origin: RunContext['origin'],
  act: (given: Given) => Promise<Done>,
) => (given: Given) => Promise<Done>

export const makeActInRunContext =
  (deps: {
    readonly inRunContext: InRunContext
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
  }): ActInRunContext =>
  (origin, act) =>
  async given => {
    const { questionId, person } = given
    const placed = await deps.findPlaced(questionId)
    const question = placed && { ...placed.question, location: placed.location }
    const context = questionRunContext(questionId, question, { origin, person })
    return deps.inRunContext(context, () => act(given))
  }

/**
 * Runs the graph in the question's context, so that what it reads counts for the asker. If the quota is used up, the
 * question is refused before a model is called for nothing.
 */
export const withRunContext = (
  runs: AnswerRuns,
  deps: {
    readonly inRunContext: InRunContext
    readonly contextOf: (questionId: string) => Promise<RunContext>
    readonly checkQuota: CheckQuota
  },
): AnswerRuns => {
  const within = async (questionId: string, run: () => Promise<AnswerReport>): Promise<AnswerReport> => {
    const context = await deps.contextOf(questionId)
    try {
      await deps.checkQuota(context)
    } catch (error) {
      if (error instanceof SqlError && error.errorClass === 'over-budget')
        return overBudget(questionId, error.message)
      throw error
    }
    return deps.inRunContext(context, run)
  }
  return {
    start: (question, options) => within(question.id, () => runs.start(question, options)),
    resume: (questionId, reply, options) => within(questionId, () => runs.resume(questionId, reply, options)),
    trace: questionId => runs.trace(questionId),
  }
}

const overBudget = (questionId: string, reason: string): AnswerReport => ({
  questionId,
  outcome: {
    status: 'refused',
    why: { code: 'over-budget', message: reason },
  },
  candidates: [],
  usage: noModelUsage,
})
