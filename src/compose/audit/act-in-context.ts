import type { LocatedQuestion } from '../../core/delivery.ts'
import type { InRunContext, RunContext } from '../../core/run-context.ts'
import { questionRunContext } from './context-of-question.ts'

/** Wraps what a person does with an answer, so that the statements it runs are booked on that person. */
export type ActInRunContext = <Given extends { readonly questionId: string; readonly person: string }, Done>(
  origin: RunContext['origin'],
  act: (given: Given) => Promise<Done>,
) => (given: Given) => Promise<Done>

/** Makes it. */
export const makeActInRunContext =
  (deps: {
    readonly inRunContext: InRunContext
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
  }): ActInRunContext =>
  (origin, act) =>
  async given => {
    const { questionId, person } = given
    const placed = await deps.findPlaced(questionId)
    const question = placed && { ...placed.question, place: placed.place }
    const context = questionRunContext(questionId, question, { origin, person })
    return deps.inRunContext(context, () => act(given))
  }
