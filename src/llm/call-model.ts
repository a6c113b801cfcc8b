import { type ModelRole, modelRoles } from '../domain/model.ts'
import type { Effort, ModelCapabilities } from '../domain/operations/model-capabilities.ts'

/** One turn of the conversation sent to a model. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
  /** It ends the part that other requests share, so it is worth a mark for the prompt cache where marks are taken. */
  readonly endsPrefix?: true
}

/** The JSON schema of a reply, with a name that the endpoint may show in its logs. */
export interface ReplyFormat {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
}

/**
 * One request, which fails after `timeoutMs` or when the signal fires. A `format`, `temperature`, `maxTokens` or `effort`
 * that is null is left out, and so is one that the model does not take.
 */
export interface ModelCall {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly format: ReplyFormat | null
  readonly temperature: number | null
  readonly maxTokens: number | null
  readonly effort?: Effort | null
  /** The form in which it is sent; what is known about the model if left out. */
  readonly capabilities?: ModelCapabilities
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * A reply as the endpoint sent it. Tokens are the endpoint's own counts, or 0 if it sent none. `cutOff` says that the
 * reply reached a token limit; `refusal` is the model's own text if it would not answer.
 */
export interface RawReply {
  readonly text: string
  readonly refusal: string | null
  readonly cutOff: boolean
  readonly promptTokens: number
  readonly completionTokens: number
  /** How many of the prompt's tokens came from the provider's cache; left out if the endpoint does not say. */
  readonly cachedTokens?: number
  /** How many tokens the model thought before it replied; left out if the endpoint does not say. */
  readonly reasoningTokens?: number
  /** The gateway that answered, if it shows its name. */
  readonly gateway?: 'litellm'
}

/** Sends one request, once. Throws `CallFailure`. */
export type CallModel = (call: ModelCall) => Promise<RawReply>

/** An OpenAI-compatible endpoint. Without a `baseUrl` it is OpenAI itself. */
export interface ModelConnection {
  readonly apiKey: string | null
  readonly baseUrl: string | null
  /** Its name under `models.endpoints`; left out for the environment's endpoint. */
  readonly name?: string
}

/** Where one model is, and what it is called there. */
export interface ModelEndpoint extends ModelConnection {
  /** LangChain's name of the provider; `openai` is every endpoint with OpenAI's chat completions. */
  readonly provider: string
  readonly model: string
}

/** Models with an endpoint of their own, by the names that roles use. */
export type ModelEndpoints = Readonly<Record<string, Omit<ModelEndpoint, 'name'>>>

export type FindEndpoint = (model: string) => ModelEndpoint

/**
 * Finds where a model is: at its own endpoint, else at the environment's. The environment's key is sent to the
 * environment's address only; an endpoint with another address or provider gets no key but its own.
 */
export const makeFindEndpoint =
  (connection: ModelConnection, endpoints: ModelEndpoints = {}): FindEndpoint =>
  model => {
    const own = Object.hasOwn(endpoints, model) ? endpoints[model] : undefined
    if (!own) return { ...connection, provider: 'openai', model }
    if (own.provider !== 'openai' || own.baseUrl !== null) return { ...own, name: model }
    return { ...own, name: model, baseUrl: connection.baseUrl, apiKey: own.apiKey ?? connection.apiKey }
  }

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
  /** How much a reasoning model may think; its own default applies if left out or null. */
  readonly effort?: Effort | null
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
