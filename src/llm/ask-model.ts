import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import { QuerentError } from '../core/errors.ts'
import type { ModelReply, ModelRequest } from '../core/model.ts'
import { ModelError } from '../core/model-error.ts'
import { makeAdaptToEndpoint } from './adapt-to-endpoint.ts'
import { type BudgetLimits, makeBudgets } from './budget.ts'
import { CallFailure } from './call-failure.ts'
import type { CallModel } from './call-model.ts'
import { converse } from './converse.ts'
import { explainFailure } from './explain-failure.ts'
import { makeMeter } from './meter.ts'
import { type ModelConnection, makeOpenAi } from './openai.ts'
import { formatOf, type OutputName, type OutputOf, outputs } from './outputs.ts'
import { makeRenderPrompt, type RenderPrompt } from './prompts.ts'
import { type RetryDeps, withRetries } from './retry.ts'
import { type ModelTasks, settingsFor, type TaskSettings } from './tasks.ts'

/** What asking needs. Everything but the first three has the real thing as its default. */
export interface AskModelDeps extends Partial<RetryDeps> {
  readonly connection: ModelConnection
  readonly tasks: ModelTasks
  readonly budget: BudgetLimits
  readonly callModel?: CallModel
  readonly renderPrompt?: RenderPrompt
}

/**
 * Asks one prompt and gives its checked reply; `expected` are the outputs that the caller can read. Throws `ModelError`
 * as `AskForSql` does, and `internal` for a prompt of another role or output.
 */
export type AskModel = <Name extends OutputName>(
  request: ModelRequest,
  expected: readonly Name[],
) => Promise<ModelReply<OutputOf<Name>>>

/**
 * Share of the total time that one request may take: a slow model gets most of it, and a connection that hangs leaves
 * time for another try.
 */
const REQUEST_SHARE = 0.75

/**
 * Makes the asker: renders the prompt, calls the model of the role, retries what passes, falls back where the
 * endpoint knows no JSON schema, has a malformed reply repaired once, and counts what all of it cost.
 */
export const makeAskModel = (deps: AskModelDeps): AskModel => {
  const callModel = deps.callModel ?? makeOpenAi(deps.connection)
  const renderPrompt = deps.renderPrompt ?? makeRenderPrompt()
  const adapt = makeAdaptToEndpoint()
  const budgetOf = makeBudgets(deps.budget)
  const retrying: RetryDeps = {
    sleep: deps.sleep ?? ((milliseconds, signal) => wait(milliseconds, undefined, { signal })),
    random: deps.random ?? Math.random,
    now: deps.now ?? Date.now,
  }

  return async <Name extends OutputName>(request: ModelRequest, expected: readonly Name[]) => {
    const settings = settingsFor(deps.tasks, request.role, request.model)
    const { messages, output } = promptOf(request, expected, renderPrompt)
    const format = formatOf(output)
    // TypeScript does not follow a name to its own schema through a union of schemas.
    const schema = outputs[output] as unknown as z.ZodType<OutputOf<Name>>
    const signal = AbortSignal.any([
      AbortSignal.timeout(settings.timeoutMs),
      ...(request.signal ? [request.signal] : []),
    ])
    const meter = makeMeter(budgetOf(request.questionId))
    const call = withRetries(adapt(meter.metered(callModel)), retrying.now() + settings.timeoutMs, retrying)
    try {
      const reply = await converse(
        { model: settings.model, messages, schema, schemaText: JSON.stringify(format.schema) },
        messages => call({ ...fieldsOf(settings), messages, format, signal }),
        renderPrompt,
      )
      return { value: reply, usage: meter.usage() }
    } catch (error) {
      const { code, message, cause } = reasonOf(error, {
        request,
        settings,
        connection: deps.connection,
        signal,
      })
      throw new ModelError(code, message, { usage: meter.usage(), cause })
    }
  }
}

const promptOf = <Name extends OutputName>(
  request: ModelRequest,
  expected: readonly Name[],
  renderPrompt: RenderPrompt,
) => {
  const { task, output, messages } = renderPrompt(request.prompt, request.variables)
  const known = expected.find(name => name === output)
  if (known === undefined || task !== request.role) {
    throw new QuerentError('internal', `prompts/${request.prompt}.md is not for the ${request.role}`)
  }
  return { output: known, messages }
}

const fieldsOf = (settings: TaskSettings) => ({
  model: settings.model,
  temperature: settings.temperature,
  maxTokens: settings.maxTokens ?? null,
  timeoutMs: settings.timeoutMs * REQUEST_SHARE,
})

/** Why asking failed, in the words that a person should read. */
const reasonOf = (
  error: unknown,
  context: {
    readonly request: ModelRequest
    readonly settings: TaskSettings
    readonly connection: ModelConnection
    readonly signal: AbortSignal
  },
): Pick<QuerentError, 'code' | 'message' | 'cause'> => {
  const { model, timeoutMs } = context.settings
  const asked = context.request.signal
  if (asked?.aborted) return { code: 'cancelled', message: 'The question was stopped.', cause: asked.reason }
  if (context.signal.aborted) {
    const message = `${model} gave no usable reply within ${timeoutMs / 1000} s, retries included. Check that it is up, or raise timeoutMs of the model in querent.yml.`
    return { code: 'model-failed', message, cause: error }
  }
  if (error instanceof CallFailure) {
    const message = explainFailure(error, {
      connection: context.connection,
      model,
      timeoutMs: timeoutMs * REQUEST_SHARE,
    })
    return { code: 'model-failed', message, cause: error }
  }
  if (error instanceof QuerentError) return { code: error.code, message: error.message, cause: error.cause }
  return { code: 'internal', message: 'Asking the model failed within Querent.', cause: error }
}
