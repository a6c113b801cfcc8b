import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import { QuerentError } from '../core/errors.ts'
import { type Log, silentLog } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import type { ModelReply, ModelRequest } from '../core/model.ts'
import { ModelError } from '../core/model-error.ts'
import type { InSpan } from '../core/span.ts'
import { makeAdaptToEndpoint } from './adapt-to-endpoint.ts'
import { askWithFallback } from './ask-in-turn.ts'
import { askOneModel } from './ask-one-model.ts'
import { type BreakerSettings, defaultBreaker } from './breaker.ts'
import { makeBreakers } from './breakers.ts'
import { type BudgetLimits, makeBudgets } from './budget.ts'
import type { CallModel } from './call-model.ts'
import { type DailyUsageDeps, makeDailyUsage } from './day-books.ts'
import { type ModelEndpoints, makeFindEndpoint } from './endpoints.ts'
import { type ModelPrices, makeUsageMeter, type UsageMeter } from './meter.ts'
import type { ModelConnection } from './openai.ts'
import { type OutputName, type OutputOf, outputs, replyFormat } from './outputs.ts'
import { makeRenderPrompt, type RenderPrompt } from './prompts.ts'
import type { RetryDeps } from './retry.ts'
import { routeCalls } from './route-calls.ts'
import { type ModelTasks, settingsFor } from './tasks.ts'
import { withSpans } from './with-spans.ts'

/** What asking needs. Everything but the first three has the real thing as its default, or is done without. */
export interface AskModelDeps extends Partial<RetryDeps> {
  readonly connection: ModelConnection
  readonly tasks: ModelTasks
  readonly budget: BudgetLimits
  /** Models that are elsewhere than `connection`. */
  readonly endpoints?: ModelEndpoints
  /** Without prices nobody counts money. */
  readonly prices?: ModelPrices
  /** Without books there are no limits of a day. */
  readonly day?: Omit<DailyUsageDeps, 'log'>
  readonly breaker?: BreakerSettings
  readonly log?: Log
  readonly callModel?: CallModel
  /** Where spans of calls go; nowhere when left out. */
  readonly inSpan?: InSpan
  /** Told of every request; nobody when left out. */
  readonly modelCall?: Metrics['modelCall']
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
 * Makes the asker: renders the prompt, calls the model of the role and then its fallbacks, retries what passes, leaves
 * models alone that keep failing, does without a JSON schema where an endpoint knows none, has a malformed reply
 * repaired once, and counts what all of it cost.
 */
export const makeAskModel = (deps: AskModelDeps): AskModel => {
  const { log = silentLog } = deps
  const findEndpoint = makeFindEndpoint(deps.connection, deps.endpoints)
  const callModel = withSpans(deps.callModel ?? routeCalls(findEndpoint), deps.inSpan)
  const renderPrompt = deps.renderPrompt ?? makeRenderPrompt()
  const adapt = makeAdaptToEndpoint()
  const retrying: RetryDeps = {
    sleep: deps.sleep ?? ((milliseconds, signal) => wait(milliseconds, undefined, { signal })),
    random: deps.random ?? Math.random,
    now: deps.now ?? Date.now,
  }
  const { now } = retrying
  const ledger = deps.day?.ledger
  const budgetOf = makeBudgets(deps.budget, now, ledger && (questionId => ledger.spentFor(questionId)))
  const booksOf = deps.day ? makeDailyUsage({ ...deps.day, log }) : null
  const breakerOf = makeBreakers({ settings: deps.breaker ?? defaultBreaker, findEndpoint, now, log })
  const oneAskDeps = { renderPrompt, breakerOf, findEndpoint, retrying }

  return async <Name extends OutputName>(request: ModelRequest, expected: readonly Name[]) => {
    const { role, questionId, signal } = request
    const settings = settingsFor(deps.tasks, role, request.model)
    const { messages, output } = promptOf(request, expected, renderPrompt)
    // TypeScript does not follow a name to its own schema through a union of schemas.
    const schema = outputs[output] as unknown as z.ZodType<OutputOf<Name>>
    const account = budgetOf(questionId)
    const meter = makeUsageMeter({
      ...{ role, now },
      budget: account.forRole(role, settings.budgetShare),
      ...(deps.prices ? { prices: deps.prices } : {}),
      ...(booksOf ? { books: booksOf(questionId) } : {}),
      ...(deps.modelCall ? { modelCall: deps.modelCall } : {}),
    })
    const counted = adapt(meter.metered(callModel))
    const askOne = (model: string, timeoutMs: number): Promise<OutputOf<Name>> =>
      askOneModel(
        {
          ...{ model, messages, schema, format: replyFormat(output), settings, timeoutMs },
          callModel: counted,
          ...(signal ? { signal } : {}),
        },
        oneAskDeps,
      )
    return withUsage(meter, async () => {
      await account.restore().catch(notKnown)
      const wait = account.beginWait()
      try {
        return await askWithFallback(askOne, {
          models: [settings.model, ...(settings.fallbacks ?? [])],
          timeoutMs: Math.min(settings.timeoutMs, wait.leftMs),
          ...{ isPassable: model => breakerOf(model).isPassable(), now, log },
        })
      } finally {
        wait.end()
      }
    })
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

/** A question that was begun by another process must not have its budget twice. */
const notKnown = (cause: unknown): never => {
  throw new QuerentError(
    'store-unavailable',
    'The books on what this question has used of models cannot be read: no model is asked. Check DATABASE_URL and that its server runs.',
    { cause },
  )
}

/** What was asked has its price, whether it was answered or not. */
const withUsage = async <T>(
  meter: UsageMeter,
  work: () => Promise<{ readonly value: T; readonly model: string }>,
): Promise<ModelReply<T>> => {
  try {
    return { ...(await work()), usage: meter.usage() }
  } catch (error) {
    if (!(error instanceof QuerentError)) throw error
    throw new ModelError(error.code, error.message, { usage: meter.usage(), cause: error.cause })
  }
}
