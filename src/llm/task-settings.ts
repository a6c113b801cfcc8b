import { type ModelRole, modelRoles } from '../domain/model.ts'

/**
 * Settings of one job's model. A `temperature` that is null is not sent; without `maxTokens`, or with null, the
 * endpoint's own limit applies. `timeoutMs` is for the whole
 * request, with its retries, its repair and its fallbacks, which are asked in turn if the model fails. `budgetShare`
 * (0 to 1; 1 if left out) is how much of a question's calls and tokens the job may use.
 */
export interface TaskSettings {
  readonly model: string
  readonly temperature: number | null
  readonly maxTokens?: number | null
  readonly timeoutMs: number
  readonly fallbacks?: readonly string[]
  readonly budgetShare?: number
}

/** Which model does which job. A job without a model uses the drafter's; several `drafters` take turns. */
export type ModelTasks = Readonly<
  Record<'drafter' | 'fixer', TaskSettings> & Partial<Record<ModelRole, TaskSettings>>
> & { readonly drafters?: readonly TaskSettings[] }

/** The settings of a job, or of one drafter by its model's name if there are several. */
export const settingsFor = (tasks: ModelTasks, role: ModelRole, model?: string): TaskSettings => {
  const own = tasks[role] ?? tasks.drafter
  if (model === undefined || model === own.model) return own
  return { ...(tasks.drafters?.find(one => one.model === model) ?? { ...own, model }) }
}

/** The names of the drafting models, each once, in the order of their turns. */
export const drafterModels = ({ drafters, drafter }: ModelTasks): readonly [string, ...string[]] => {
  const [first = drafter.model, ...others] = new Set(drafters?.map(({ model }) => model))
  return [first, ...others]
}

/** Every model that any job may ask, including fallbacks. */
export const allModels = (tasks: ModelTasks): readonly string[] => {
  const settings = [...(tasks.drafters ?? []), ...modelRoles.flatMap(role => tasks[role] ?? [])]
  return [...new Set(settings.flatMap(({ model, fallbacks = [] }) => [model, ...fallbacks]))]
}

/** The same jobs with one other model for all of them, for `--model NAME`; temperatures and limits stay. */
export const withModel = (tasks: ModelTasks, model: string): ModelTasks => {
  const by = (task: TaskSettings): TaskSettings => ({ ...task, model, fallbacks: [] })
  const roles = modelRoles.flatMap(role => (tasks[role] ? [[role, by(tasks[role])] as const] : []))
  return { ...Object.fromEntries(roles), drafter: by(tasks.drafter), fixer: by(tasks.fixer) }
}

/** Default jobs for a model that was only named: drafts may vary a little, a repair should not. */
export const makeModelTasks = (model: string): ModelTasks => ({
  drafter: { model, temperature: 0.2, timeoutMs: 60_000 },
  fixer: { model, temperature: 0, timeoutMs: 60_000 },
  judge: { model, temperature: 0, timeoutMs: 60_000 },
  keywords: { model, temperature: 0, timeoutMs: 15_000 },
  rewriter: { model, temperature: 0, timeoutMs: 15_000 },
})
