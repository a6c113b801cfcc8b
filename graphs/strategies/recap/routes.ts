import type { SqlErrorClass } from '../../../src/domain/errors.ts'
import type { RecapSettings } from '../../../src/domain/strategies/recap.ts'
import { errorTaxonomy } from './error-taxonomy.ts'
import type { RecapState } from './recap.ts'

const forNames: ReadonlySet<SqlErrorClass> = new Set(['unknown-table', 'unknown-column'])

/** Where each node leads, by the state and the limits of the settings. */
export const makeRecapRoutes = (settings: RecapSettings) => {
  const canStep = ({ steps }: RecapState): boolean => steps < settings.steps

  const afterReview = (): 'retrieve-dialect' | 'act' =>
    settings.dialectRetriever ? 'retrieve-dialect' : 'act'

  /** A plan is reviewed until it is good, or as often as the settings say; the last revision is used as it is. */
  const afterPlan = ({ halted, plan, planCritiques }: RecapState) => {
    if (halted !== null || plan === null) return 'conclude'
    return planCritiques < settings.planCritiques ? 'critique-plan' : afterReview()
  }

  const afterPlanCritique = ({ halted, planCritique }: RecapState) => {
    if (halted !== null) return 'conclude'
    return planCritique === null ? afterReview() : 'make-plan'
  }

  const afterWriting = () => (settings.sqlCritic ? 'critique-sql' : 'run-statement')

  const afterAct = (state: RecapState) => {
    const { halted, isFinished, fault, currentId, lookIds } = state
    if (halted !== null || isFinished) return 'conclude'
    if (fault !== null) return canStep(state) ? 'act' : 'conclude'
    return currentId !== null && lookIds.includes(currentId) ? 'run-statement' : afterWriting()
  }

  const afterRefine = (state: RecapState) => {
    const { halted, isFinished, fault } = state
    if (halted !== null || isFinished) return 'conclude'
    if (fault !== null) return canStep(state) ? 'refine' : 'conclude'
    return afterWriting()
  }

  /** A statement with a problem is refined a few times; then the action agent starts over, while there are steps. */
  const afterProblem = (state: RecapState) => {
    if (!canStep(state)) return 'conclude'
    return state.refinements < settings.refinements ? 'refine' : 'act'
  }

  const afterRun = (state: RecapState) => {
    const { halted, problem, currentId, lookIds } = state
    if (halted !== null) return 'conclude'
    if (currentId !== null && lookIds.includes(currentId)) return canStep(state) ? 'act' : 'conclude'
    if (problem === null || problem.errorClass === 'wrong-shape')
      return settings.validator ? 'validate' : 'conclude'
    if (errorTaxonomy[problem.errorClass] === null) return 'conclude'
    const next = afterProblem(state)
    const isAboutNames = settings.schemaLinker && forNames.has(problem.errorClass)
    return next === 'refine' && isAboutNames ? 'link-schema' : next
  }

  const afterValidate = (state: RecapState) =>
    state.halted !== null || state.acceptedId !== null ? 'conclude' : afterProblem(state)

  return { afterPlan, afterPlanCritique, afterAct, afterRun, afterRefine, afterValidate }
}
