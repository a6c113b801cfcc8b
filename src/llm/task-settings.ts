import { type ModelRole, modelRoles } from '../domain/model.ts'

/**
 * How one job's model is called. Without `maxTokens` the endpoint's own limit holds. `timeoutMs` is for the whole of
 * one ask, with its retries, its repair and its fallbacks, which are asked in turn when the model cannot be.
 * `budgetShare` (0 to 1, all of it without) is how much of a question's calls and tokens the job may use.
 */
export interface TaskSettings {
  readonly model: string
  readonly temperature: number
  readonly maxTokens?: number
  readonly timeoutMs: number
  readonly fallbacks?: readonly string[]
  readonly budgetShare?: number
}

/** Which model does which job. A job without one of its own is the drafter's; several `drafters` draft in turn. */
export type ModelTasks = Readonly<
  Record<'drafter' | 'fixer', TaskSettings> & Partial<Record<ModelRole, TaskSettings>>
> & { readonly drafters?: readonly TaskSettings[] }

/** The settings of a job; of a drafter by its model's name, where several draft. */
export const settingsFor = (tasks: ModelTasks, role: ModelRole, model?: string): TaskSettings => {
  const own = tasks[role] ?? tasks.drafter
  if (model === undefined || model === own.model) return own
  return { ...(tasks.drafters?.find(one => one.model === model) ?? { ...own, model }) }
}

/** The names of the models that draft, each once, in the order of their turns. */
export const drafterModels = ({ drafters, drafter }: ModelTasks): readonly [string, ...string[]] => {
  const [first = drafter.model, ...others] = new Set(drafters?.map(({ model }) => model))
  return [first, ...others]
}

/** Every model that some job may ask, fallbacks included. */
export const allModels = (tasks: ModelTasks): readonly string[] => {
  const settings = [...(tasks.drafters ?? []), ...modelRoles.flatMap(role => tasks[role] ?? [])]
  return [...new Set(settings.flatMap(({ model, fallbacks = [] }) => [model, ...fallbacks]))]
}

/** The same jobs done by one other model alone, as `--model NAME` wants it; temperatures and limits stay. */
export const withModel = (tasks: ModelTasks, model: string): ModelTasks => {
  const by = (task: TaskSettings): TaskSettings => ({ ...task, model, fallbacks: [] })
  const roles = modelRoles.flatMap(role => (tasks[role] ? [[role, by(tasks[role])] as const] : []))
  return { ...Object.fromEntries(roles), drafter: by(tasks.drafter), fixer: by(tasks.fixer) }
}

/** The jobs done by a model that was only named: drafts may vary a little, a repair should not. */
export const makeModelTasks = (model: string): ModelTasks => ({
  drafter: { model, temperature: 0.2, timeoutMs: 60_000 },
  fixer: { model, temperature: 0, timeoutMs: 60_000 },
  judge: { model, temperature: 0, timeoutMs: 60_000 },
  keywords: { model, temperature: 0, timeoutMs: 15_000 },
  rewriter: { model, temperature: 0, timeoutMs: 15_000 },
})
