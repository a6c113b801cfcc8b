import { QuerentError } from '../core/errors.ts'
import type { BreakerOf } from './breakers.ts'
import { CallFailure } from './call-failure.ts'
import type { CallModel, ChatMessage, RawReply, ReplyFormat } from './call-model.ts'
import { type Conversation, converse } from './converse.ts'
import type { FindEndpoint } from './endpoints.ts'
import { explainFailure } from './explain-failure.ts'
import type { RenderPrompt } from './prompts.ts'
import { type RetryDeps, withRetries } from './retry.ts'
import type { TaskSettings } from './tasks.ts'
import { withBreaker } from './with-breaker.ts'

/** One conversation with one model of those that a role may ask. */
export interface ModelRequest<T> extends Omit<Conversation<T>, 'model' | 'schemaText'> {
  readonly model: string
  readonly format: ReplyFormat
  readonly settings: TaskSettings
  /** How long all of it may take. */
  readonly timeoutMs: number
  /** Sends one request, counted and adapted. */
  readonly callModel: CallModel
  /** The asker's own: a stop. */
  readonly signal?: AbortSignal
}

/** What asking one model needs besides. */
export interface AskOneModelDeps {
  readonly renderPrompt: RenderPrompt
  readonly breakerOf: BreakerOf
  readonly findEndpoint: FindEndpoint
  readonly retrying: RetryDeps
}

/**
 * Share of the total time that one request may take: a slow model gets most of it, and a connection that hangs leaves
 * time for another try.
 */
const requestTimeShare = 0.75

/**
 * Asks one model, with its retries and the repair of a malformed reply. Throws a `QuerentError` that a person can read:
 * `model-failed` when another model may do better, `cancelled` when the signal fired, else what went wrong within.
 */
export const askOneModel = async <T>(ask: ModelRequest<T>, deps: AskOneModelDeps): Promise<T> => {
  const { model, settings, timeoutMs } = ask
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(ask.signal ? [ask.signal] : [])])
  // Timers take whole milliseconds alone.
  const requestMs = Math.max(1, Math.floor(timeoutMs * requestTimeShare))
  const isStopped = (): boolean => ask.signal?.aborted ?? false
  const call = withRetries(
    withBreaker(ask.callModel, deps.breakerOf(model), isStopped),
    deps.retrying.now() + timeoutMs,
    deps.retrying,
  )
  const send = (messages: readonly ChatMessage[]): Promise<RawReply> =>
    call({
      model,
      temperature: settings.temperature,
      maxTokens: settings.maxTokens ?? null,
      timeoutMs: requestMs,
      messages,
      format: ask.format,
      signal,
    })
  try {
    return await converse(
      { model, messages: ask.messages, schema: ask.schema, schemaText: JSON.stringify(ask.format.schema) },
      send,
      deps.renderPrompt,
    )
  } catch (error) {
    throw inWords(error, ask, { signal, findEndpoint: deps.findEndpoint })
  }
}

const inWords = (
  error: unknown,
  ask: Pick<ModelRequest<unknown>, 'model' | 'timeoutMs' | 'signal'>,
  { signal, findEndpoint }: { readonly signal: AbortSignal; readonly findEndpoint: FindEndpoint },
): QuerentError => {
  const { model, timeoutMs } = ask
  if (ask.signal?.aborted) {
    return new QuerentError('cancelled', 'The question was stopped.', { cause: ask.signal.reason })
  }
  if (signal.aborted) {
    const message = `${model} gave no usable reply within ${Math.round(timeoutMs) / 1000} s, retries included. Check that it is up, or raise timeoutMs of the model in querent.yml.`
    return new QuerentError('model-failed', message, { cause: error })
  }
  if (error instanceof CallFailure) {
    const connection = findEndpoint(model)
    const message = explainFailure(error, { connection, model, timeoutMs: timeoutMs * requestTimeShare })
    return new QuerentError('model-failed', message, { cause: error })
  }
  if (error instanceof QuerentError) return error
  return new QuerentError('internal', 'Asking the model failed within Querent.', { cause: error })
}
