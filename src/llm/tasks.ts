import type { ModelRole } from '../core/model.ts'

/**
 * How one job's model is called. Without `maxTokens` the endpoint's own limit holds. `timeoutMs` is for the whole of
 * one ask, with its retries and its repair.
 */
export interface TaskSettings {
  readonly model: string
  readonly temperature: number
  readonly maxTokens?: number
  readonly timeoutMs: number
}

/** Which model does which job. A job without one of its own is the drafter's. */
export type ModelTasks = Readonly<
  Record<'drafter' | 'fixer', TaskSettings> & Partial<Record<ModelRole, TaskSettings>>
>

/** The same jobs done by another model, as `--model NAME` wants it; temperatures and limits stay. */
export const withModel = (tasks: ModelTasks, model: string): ModelTasks => ({
  drafter: { ...tasks.drafter, model },
  fixer: { ...tasks.fixer, model },
  ...(tasks.describer && { describer: { ...tasks.describer, model } }),
  ...(tasks.keywords && { keywords: { ...tasks.keywords, model } }),
})

/** The jobs done by a model that was only named: drafts may vary a little, a repair should not. */
export const tasksOf = (model: string): ModelTasks => ({
  drafter: { model, temperature: 0.2, timeoutMs: 60_000 },
  fixer: { model, temperature: 0, timeoutMs: 60_000 },
  keywords: { model, temperature: 0, timeoutMs: 15_000 },
})
