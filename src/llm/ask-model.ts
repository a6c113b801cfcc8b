import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import { BudgetError, ModelError, QuerentError } from '../domain/errors.ts'
import type { ModelReply, ModelRequest, ModelRole } from '../domain/model.ts'
import {
  type InSpan,
  type Log,
  type Metrics,
  silentLog,
  withoutSpans,
} from '../domain/operations/telemetry.ts'
import { addLostCall } from '../domain/operations/usage.ts'
import { askOneModel } from './ask-one-model.ts'
import { type BreakerSettings, defaultBreaker, makeBreakers } from './breaker.ts'
import { type BudgetLimits, makeBudgets } from './budget.ts'
import {
  type CallModel,
  type ChatMessage,
  type FindEndpoint,
  type ModelConnection,
  type ModelEndpoints,
  type ModelTasks,
  makeFindEndpoint,
  settingsFor,
  type TaskSettings,
} from './call-model.ts'
import { type CapabilityBook, makeCapabilities } from './capabilities.ts'
import { endpointKey } from './endpoint-address.ts'
import { type ModelGate, makeModelGate } from './model-gate.ts'
import { makeOpenAi } from './openai.ts'
import { type OutputName, type OutputOf, outputs, replyFormat } from './outputs.ts'
import { makeRenderPrompt, type RenderPrompt } from './prompts.ts'
import { askWithFallback, type RetryDeps } from './retry.ts'
import {
  type DailyUsageDeps,
  type ModelPrices,
  makeDailyUsage,
  makeUsageMeter,
  type UsageMeter,
} from './usage-meter.ts'

/** What asking a model needs. Everything but the first three has a default or can be left out. */
export interface AskModelDeps extends Partial<RetryDeps> {
  readonly connection: ModelConnection
  readonly tasks: ModelTasks
  readonly budget: BudgetLimits
  /** Models at other endpoints than `connection`. */
  readonly endpoints?: ModelEndpoints
  /** What models take; what is known by their names if left out. */
  readonly capabilities?: CapabilityBook
  /** Without prices, money is not counted. */
  readonly prices?: ModelPrices
  /** Without it there are no daily limits. */
  readonly day?: Omit<DailyUsageDeps, 'log'>
  readonly breaker?: BreakerSettings
  readonly log?: Log
  readonly callModel?: CallModel
  /** Wraps each call in a span; no spans if left out. */
  readonly inSpan?: InSpan
  /** Counts every request; nothing is counted if left out. */
  readonly modelCall?: Metrics['modelCall']
  readonly renderPrompt?: RenderPrompt
  /** Whether a model gets the short instructions of a prompt; those that reason by themselves if left out. */
  readonly isLean?: (model: string) => boolean
}

/**
 * Asks one prompt and returns its checked reply. `expected` are the outputs that the caller can read. Throws
 * `ModelError` as `AskForSql` does, and `internal` for a prompt with another role or output.
 */
export type AskModel = <Name extends OutputName>(
  request: ModelRequest,
  expected: readonly Name[],
) => Promise<ModelReply<OutputOf<Name>>>

/**
 * Makes the function that asks models. It renders the prompt, calls the model of the role and then its fallbacks,
 * retries temporary failures, passes over models that keep failing, writes each request as its endpoint takes it, has a
 * malformed reply repaired once, and counts the cost of all of it. The first conversation with a model goes alone; then
 * as many run together as the model takes.
 */
export const makeAskModel = (deps: AskModelDeps): AskModel => {
  const { log = silentLog } = deps
  const findEndpoint = makeFindEndpoint(deps.connection, deps.endpoints)
  const callModel = withSpans(deps.callModel ?? routeCalls(findEndpoint), deps.inSpan)
  const renderPrompt = deps.renderPrompt ?? makeRenderPrompt()
  const capabilities = deps.capabilities ?? makeCapabilities(findEndpoint)
  const isLean = deps.isLean ?? (model => capabilities.of(model).reasoning)
  const gateOf = makeGates(findEndpoint)
  const retrying: RetryDeps = {
    sleep: deps.sleep ?? ((milliseconds, signal) => wait(milliseconds, undefined, { signal })),
    random: deps.random ?? Math.random,
    now: deps.now ?? Date.now,
  }
  const { now } = retrying
  const ledger = deps.day?.ledger
  const budgetOf = makeBudgets(deps.budget, now, ledger && (questionId => ledger.spentFor(questionId)))
  const dailyUsageOf = deps.day ? makeDailyUsage({ ...deps.day, log }) : null
  const breakerOf = makeBreakers({ settings: deps.breaker ?? defaultBreaker, findEndpoint, now, log })
  const oneAskDeps = { renderPrompt, breakerOf, findEndpoint, retrying }

  return async <Name extends OutputName>(request: ModelRequest, expected: readonly Name[]) => {
    const { role, questionId, signal } = request
    const settings = withTemperature(settingsFor(deps.tasks, role, request.model), request)
    const lean = isLean(settings.model)
    const { messages, output } = promptOf(request, expected, { renderPrompt, lean })
    // TypeScript cannot narrow a union of schemas by name.
    const schema = outputs[output] as unknown as z.ZodType<OutputOf<Name>>
    const account = budgetOf(questionId)
    const meter = makeUsageMeter({
      ...{ role, now },
      budget: account.forRole(role, settings.budgetShare),
      ...(deps.prices ? { prices: deps.prices } : {}),
      ...(dailyUsageOf ? { daily: dailyUsageOf(questionId) } : {}),
      ...(deps.modelCall ? { modelCall: deps.modelCall } : {}),
    })
    const counted = capabilities.adapt(meter.metered(callModel))
    let queuedMs = 0
    const converse = (model: string, timeoutMs: number): Promise<OutputOf<Name>> =>
      askOneModel(
        {
          ...{ model, messages, schema, format: replyFormat(output), settings, timeoutMs },
          callModel: counted,
          ...(signal ? { signal } : {}),
        },
        oneAskDeps,
      )
    return withUsage(meter, role, async () => {
      await account.restore().catch(notKnown)
      const wait = account.beginWait()
      const askOne = async (model: string, timeoutMs: number): Promise<OutputOf<Name>> => {
        let queuedSince: number | null = now()
        const endQueueing = (): void => {
          if (queuedSince !== null) queuedMs += now() - queuedSince
          queuedSince = null
        }
        const begin = (): Promise<OutputOf<Name>> => {
          endQueueing()
          return converse(model, Math.max(1, Math.floor(Math.min(timeoutMs, wait.leftMs()))))
        }
        const { parallel } = capabilities.of(model)
        try {
          return await gateOf(model).run(begin, { parallel, ...(signal ? { signal } : {}) })
        } finally {
          endQueueing()
        }
      }
      try {
        return await askWithFallback(askOne, {
          models: [settings.model, ...(settings.fallbacks ?? [])],
          timeoutMs: Math.min(settings.timeoutMs, wait.leftMs()),
          isPassable: model => breakerOf(model).isPassable(),
          // Waiting for others takes nothing of the time for a reply.
          ...{ now: () => now() - queuedMs, log },
        })
      } finally {
        wait.end()
      }
    })
  }
}

/** A model that takes no temperature gets none, whatever is asked for. */
const withTemperature = (settings: TaskSettings, { temperature }: ModelRequest): TaskSettings =>
  temperature === undefined || settings.temperature === null ? settings : { ...settings, temperature }

const promptOf = <Name extends OutputName>(
  request: ModelRequest,
  expected: readonly Name[],
  { renderPrompt, lean }: { readonly renderPrompt: RenderPrompt; readonly lean: boolean },
) => {
  const { task, output, messages } = renderPrompt(request.prompt, request.variables, { lean })
  const known = expected.find(name => name === output)
  if (known === undefined || task !== request.role) {
    throw new QuerentError('internal', `prompts/${request.prompt}.md is not for the ${request.role}`)
  }
  return { output: known, messages: withCacheMark(messages) }
}

/** Marks the end of the system message, which every request with the same prompt begins with, unless a prompt has marks. */
const withCacheMark = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages.some(({ endsPrefix }) => endsPrefix)
    ? messages
    : messages.map(message => (message.role === 'system' ? { ...message, endsPrefix: true } : message))

/** One gate for each model at its endpoint. */
const makeGates = (findEndpoint: FindEndpoint): ((model: string) => ModelGate) => {
  const gates = new Map<string, ModelGate>()
  return model => {
    const key = endpointKey(findEndpoint(model))
    const gate = gates.get(key) ?? makeModelGate()
    gates.set(key, gate)
    return gate
  }
}

/** A question that another process began must not get its budget twice. */
const notKnown = (cause: unknown): never => {
  throw new QuerentError(
    'store-unavailable',
    'I asked no model, because I cannot read what this question has spent on models. Check DATABASE_URL and that its server is running.',
    { cause },
  )
}

/** A request costs what it costs, whether it was answered or not. */
const withUsage = async <T>(
  meter: UsageMeter,
  role: ModelRole,
  work: () => Promise<{ readonly value: T; readonly model: string }>,
): Promise<ModelReply<T>> => {
  try {
    return { ...(await work()), usage: meter.usage() }
  } catch (error) {
    if (!(error instanceof QuerentError)) throw error
    const { code, message, cause } = error
    const limit = error instanceof BudgetError ? error.limit : null
    throw new ModelError(code, message, {
      usage: addLostCall(meter.usage(), role, { code, limit }),
      ...{ limit, cause },
    })
  }
}

/** Sends each request to the endpoint of its model, under the model's name there. */
const routeCalls =
  (findEndpoint: FindEndpoint): CallModel =>
  async call => {
    const endpoint = findEndpoint(call.model)
    const named = { ...call, model: endpoint.model }
    if (endpoint.provider === 'openai') return makeOpenAi(endpoint)(named)
    // Loaded on demand: most models are at OpenAI-compatible endpoints.
    const { makeProviderModel } = await import('./provider-model.ts')
    return makeProviderModel(endpoint)(named)
  }

/** Puts each call in a span with its model and tokens, and none of the text. */
export const withSpans =
  (callModel: CallModel, inSpan: InSpan = withoutSpans): CallModel =>
  call =>
    inSpan('call-model', { model: call.model }, async span => {
      const reply = await callModel(call)
      const { promptTokens, completionTokens, cutOff, cachedTokens } = reply
      span.set({
        ...{ promptTokens, completionTokens, cutOff },
        ...(cachedTokens === undefined ? {} : { cachedTokens }),
      })
      return reply
    })
