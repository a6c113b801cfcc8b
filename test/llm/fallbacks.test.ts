import { expect, it, vi } from 'vitest'
import { ModelError } from '../../src/domain/errors.ts'
import type { ModelRequest } from '../../src/domain/model.ts'
import { type Log, type LogFields, silentLog } from '../../src/domain/operations/telemetry.ts'
import { type AskModelDeps, makeAskModel } from '../../src/llm/ask-model.ts'
import type { BudgetLimits } from '../../src/llm/budget.ts'
import { CallFailure, type CallFailureKind } from '../../src/llm/call-failure.ts'
import type { CallModel, TaskSettings } from '../../src/llm/call-model.ts'

const good = JSON.stringify({ phrases: [] })

const request: ModelRequest = {
  role: 'keywords',
  prompt: 'extract-keywords',
  variables: { tables: 'boats', question: 'how many?' },
}

type Behaviour = CallFailureKind | 'good' | 'no JSON' | 'hang'

/** Models by name, each with what it does every time it is asked; `asked` is who was, in order. */
const models = (
  behaviours: Readonly<Record<string, Behaviour>>,
  deps: Partial<AskModelDeps> & { readonly settings?: Partial<TaskSettings> } = {},
) => {
  const asked: string[] = []
  const callModel: CallModel = async ({ model, signal }) => {
    asked.push(model)
    const behaviour = behaviours[model]
    const reply = { refusal: null, cutOff: false, promptTokens: 100, completionTokens: 10 }
    if (behaviour === 'good') return { ...reply, text: good }
    if (behaviour === 'no JSON') return { ...reply, text: 'Certainly!' }
    if (behaviour === 'hang') {
      const aborted = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => aborted.resolve())
      await aborted.promise
    }
    const kind = behaviour === 'hang' || behaviour === undefined ? 'timed-out' : behaviour
    throw new CallFailure(`${model} says no`, {
      kind,
      status: 500,
      code: null,
      param: null,
      retryAfterMs: null,
    })
  }
  const logged: string[] = []
  const keep = (fields: LogFields, message: string): void => void logged.push(`${fields.model}: ${message}`)
  const log: Log = { ...silentLog, info: keep, warn: keep }
  const { settings, ...rest } = deps
  const keywords = {
    model: 'first',
    temperature: 0,
    timeoutMs: 2_000,
    fallbacks: ['second', 'third'],
    ...settings,
  }
  const askModel = makeAskModel({
    connection: { apiKey: 'k', baseUrl: null },
    tasks: { drafter: keywords, fixer: keywords, keywords },
    budget: { modelCallsPerQuestion: 50, tokensPerQuestion: 100_000 } satisfies BudgetLimits,
    sleep: async () => {},
    random: () => 0,
    callModel,
    log,
    ...rest,
  })
  return {
    asked,
    logged,
    ask: (more: Partial<ModelRequest> = {}) => askModel({ ...request, ...more }, ['keywords']),
  }
}

const failureOf = async (work: Promise<unknown>): Promise<ModelError> => {
  const error: unknown = await work.then(
    value => expect.unreachable(`answered ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(ModelError)
  return error as ModelError
}

it('the first choice answers alone while it can', async () => {
  const { ask, asked } = models({ first: 'good', second: 'good' })
  expect((await ask()).model).toBe('first')
  expect(asked).toEqual(['first'])
})

it.each(['quota-spent', 'rejected', 'unreadable', 'no JSON'] as const)(
  'after %s the next one is asked, and says who it was',
  async behaviour => {
    const { ask, asked, logged } = models({ first: behaviour, second: 'good' })
    const reply = await ask()
    expect(reply.model).toBe('second')
    expect(asked.at(-1)).toBe('second')
    expect(reply.usage.modelCalls).toBe(asked.length)
    expect(logged).toEqual(['first: falling back to another model'])
  },
)

it('retries a temporary failure before the next model is asked', async () => {
  const { ask, asked } = models(
    { first: 'server-error', second: 'good' },
    { settings: { timeoutMs: 60_000 } },
  )
  expect((await ask()).model).toBe('second')
  expect(asked).toEqual(['first', 'first', 'first', 'first', 'second'])
})

it('one that hangs leaves time for the others', async () => {
  const { ask } = models({ first: 'hang', second: 'hang', third: 'good' }, { settings: { timeoutMs: 3_000 } })
  expect((await ask()).model).toBe('third')
})

it('every request gets whole milliseconds: the timers of providers take no others', async () => {
  const times: number[] = []
  const { ask } = models(
    {},
    {
      settings: { timeoutMs: 1_001 },
      callModel: async ({ timeoutMs }) => {
        times.push(timeoutMs)
        return { text: good, refusal: null, cutOff: false, promptTokens: 1, completionTokens: 1 }
      },
    },
  )
  await ask()
  expect(times.map(Number.isInteger)).toEqual([true])
})

it('names every reason and counts everything if all fail', async () => {
  const { ask, asked } = models({ first: 'quota-spent', second: 'rejected', third: 'unreadable' })
  const error = await failureOf(ask())
  expect(error.code).toBe('model-failed')
  expect(error.message).toMatch(/no credit left.*rejected the request to second.*does not answer like/)
  expect(error.usage.modelCalls).toBe(asked.length)
})

it('asks no other model after a stop', async () => {
  const stop = new AbortController()
  const { ask, asked } = models({ first: 'hang', second: 'good' })
  const work = failureOf(ask({ signal: stop.signal }))
  await vi.waitUntil(() => asked.length > 0)
  stop.abort()
  expect((await work).code).toBe('cancelled')
  expect(asked).toEqual(['first'])
})

it('asks no other model after the budget is spent', async () => {
  const { ask, asked } = models(
    { first: 'quota-spent', second: 'good' },
    { budget: { modelCallsPerQuestion: 1, tokensPerQuestion: 1_000 } },
  )
  expect((await failureOf(ask({ questionId: 'q' }))).code).toBe('budget-spent')
  expect(asked).toEqual(['first'])
})

it('does not ask a model that keeps failing, tries it again after a pause, and then asks it as before', async () => {
  let time = 0
  const behaviours: Record<string, Behaviour> = { first: 'unreadable', second: 'good' }
  const { ask, asked, logged } = models(behaviours, {
    now: () => time,
    breaker: { failures: 2, windowMs: 10_000, restMs: 1_000 },
  })
  await ask()
  await ask()
  expect(logged).toContain('first: the model keeps failing and is not asked for a while')
  asked.length = 0
  await ask()
  expect(asked).toEqual(['second'])
  time = 1_000
  behaviours.first = 'good'
  asked.length = 0
  expect((await ask()).model).toBe('first')
  expect(asked).toEqual(['first'])
  expect(logged.at(-1)).toBe('first: the model answers again')
})

it('sends no request if all breakers are open, and says so', async () => {
  const { ask, asked } = models(
    { first: 'unreadable' },
    { settings: { fallbacks: [] }, breaker: { failures: 1, windowMs: 1_000, restMs: 60_000 } },
  )
  await failureOf(ask())
  const error = await failureOf(ask())
  expect(error.message).toMatch(/first at api\.openai\.com is not asked for a while/)
  expect(error.usage.modelCalls).toBe(0)
  expect(asked).toEqual(['first'])
})

it('one of several drafters is asked by its name, with its own settings', async () => {
  const seen: unknown[] = []
  const settings = { model: 'a', temperature: 0, timeoutMs: 1_000 }
  const askModel = makeAskModel({
    connection: { apiKey: null, baseUrl: 'http://nowhere' },
    tasks: {
      drafter: settings,
      fixer: settings,
      keywords: settings,
      drafters: [settings, { ...settings, model: 'b', temperature: 0.9 }],
    },
    budget: { modelCallsPerQuestion: 5, tokensPerQuestion: 1_000 },
    callModel: async ({ model, temperature }) => {
      seen.push([model, temperature])
      return { text: good, refusal: null, cutOff: false, promptTokens: 1, completionTokens: 1 }
    },
  })
  await askModel({ ...request, model: 'b' }, ['keywords'])
  await askModel(request, ['keywords'])
  expect(seen).toEqual([
    ['b', 0.9],
    ['a', 0],
  ])
})

it('a role stops at its share of the budget while others go on', async () => {
  const settings = { model: 'm', temperature: 0, timeoutMs: 1_000 }
  const { ask } = models(
    { m: 'good' },
    {
      tasks: { drafter: settings, fixer: settings, keywords: { ...settings, budgetShare: 0.25 } },
      budget: { modelCallsPerQuestion: 8, tokensPerQuestion: 100_000 },
    },
  )
  await ask({ questionId: 'q' })
  await ask({ questionId: 'q' })
  const error = await failureOf(ask({ questionId: 'q' }))
  expect(error.code).toBe('budget-spent')
  expect(error.message).toMatch(/keywords has used its share.*2 model calls.*models\.keywords/)
})

it('waits for models only as long as the question may', async () => {
  let time = 0
  const { ask } = models(
    { first: 'good' },
    {
      now: () => time,
      budget: { modelCallsPerQuestion: 8, tokensPerQuestion: 100_000, modelTimePerQuestionMs: 10_000 },
      callModel: async () => {
        time += 5_000
        return { text: good, refusal: null, cutOff: false, promptTokens: 1, completionTokens: 1 }
      },
    },
  )
  await ask({ questionId: 'q' })
  time += 3_600_000
  await ask({ questionId: 'q' })
  const error = await failureOf(ask({ questionId: 'q' }))
  expect(error.message).toMatch(/used its 10 s of waiting for models.*budget\.modelTimePerQuestionMs/)
  expect((await ask({ questionId: 'another' })).model).toBe('first')
})

it('money is counted by the prices, and unknown without one', async () => {
  const prices = { first: { prompt: 2, completion: 30 } }
  const { ask } = models({ first: 'good', second: 'good' }, { prices })
  expect((await ask()).usage.money).toBeCloseTo((100 * 2 + 10 * 30) / 1_000_000, 12)
  const fallen = models({ first: 'quota-spent', second: 'good' }, { prices })
  expect((await fallen.ask()).usage.money).toBeNull()
})
