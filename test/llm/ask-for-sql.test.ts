import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ModelError } from '../../src/domain/errors.ts'
import type { ModelRequest } from '../../src/domain/model.ts'
import type { AskModelDeps } from '../../src/llm/ask-model.ts'
import type { ModelConnection } from '../../src/llm/call-model.ts'
import { makeAskForSql } from '../../src/llm/model-requests.ts'
import { type Exchange, startModelServer } from './model-server.ts'

const request: ModelRequest = {
  role: 'fixer',
  prompt: 'fix-sql',
  variables: {
    dialect: 'SQLite.',
    schema: 'CREATE TABLE buoys (id integer, depth integer)',
    evidence: 'none',
    values: 'none',
    thread: '',
    time: 'none',
    question: 'How many buoys are there?',
    problem: 'it does not parse.',
    statement: 'SELEC 1',
    message: 'near SELEC',
    history: 'nothing',
    'question-again': 'How many buoys are there?',
  },
}

const good = JSON.stringify({
  diagnosis: 'A letter is missing.',
  sql: 'SELECT count(*) FROM buoys;',
  assumptions: [' every row is a buoy ', ''],
})

const ask = (connection: ModelConnection, deps: Partial<AskModelDeps> = {}) => {
  const waits: number[] = []
  const settings = { model: 'some-model', temperature: 0, timeoutMs: 10_000 }
  const askForSql = makeAskForSql({
    connection,
    tasks: { drafter: settings, fixer: settings },
    budget: { modelCallsPerQuestion: 20, tokensPerQuestion: 100_000 },
    sleep: async milliseconds => void waits.push(milliseconds),
    random: () => 1,
    ...deps,
  })
  return { askForSql, waits }
}

const failureOf = async (asked: Promise<unknown>): Promise<ModelError> => {
  const error = await asked.then(
    value => expect.unreachable(`answered ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(ModelError)
  return error as ModelError
}

const play = async (script: readonly Exchange[], deps: Partial<AskModelDeps> = {}) => {
  const server = await startModelServer(script)
  return { ...server, ...ask(server.connection, deps) }
}

describe('structured output', () => {
  it('sends the schema, returns the checked statement and counts the tokens', async () => {
    await using model = await play([{ reply: good, usage: [321, 45] }])
    expect(await model.askForSql(request)).toEqual({
      value: { sql: 'SELECT count(*) FROM buoys', assumptions: ['every row is a buoy'] },
      usage: { modelCalls: 1, promptTokens: 321, completionTokens: 45 },
      model: 'some-model',
    })
    const [sent] = model.seen()
    expect(sent?.response_format).toMatchObject({ type: 'json_schema', json_schema: { name: 'fixed-sql' } })
    expect(sent?.messages.map(message => message.role)).toEqual(['system', 'user'])
    expect(sent).toMatchObject({ model: 'some-model', temperature: 0 })
  })

  it('sends the settings of the role', async () => {
    const server = await startModelServer([{ reply: good }])
    await using _ = server
    const other = { model: 'a-fixer', temperature: 0.7, maxTokens: 500, timeoutMs: 2_000 }
    const { askForSql } = ask(server.connection, {
      tasks: { drafter: { ...other, model: 'x' }, fixer: other },
    })
    await askForSql(request)
    expect(server.seen()[0]).toMatchObject({ model: 'a-fixer', temperature: 0.7, max_tokens: 500 })
  })

  it('falls back to plain JSON if the endpoint rejects a schema, and remembers it', async () => {
    const refused = { status: 400, error: { message: 'unknown field response_format' } }
    const fenced = `Here you are:\n\n\`\`\`json\n${good}\n\`\`\``
    await using model = await play([refused, { reply: fenced }, { reply: good }])
    const first = await model.askForSql(request)
    expect(first.value.sql).toBe('SELECT count(*) FROM buoys')
    expect(first.usage.modelCalls).toBe(2)
    await model.askForSql(request)
    expect(model.seen().map(sent => sent.response_format?.type ?? null)).toEqual(['json_schema', null, null])
  })

  it('does not mistake a rejection for another reason for one of schemas', async () => {
    const tooLong = { status: 400, error: { message: 'too long', code: 'context_length_exceeded' } }
    await using model = await play([tooLong, { reply: good }])
    expect((await failureOf(model.askForSql(request))).message).toMatch(/rejected the request.*too long/)
    await model.askForSql(request)
    expect(model.seen().map(sent => sent.response_format?.type)).toEqual(['json_schema', 'json_schema'])
  })

  it('leaves out a temperature that the model does not take, and remembers it', async () => {
    const refused = { status: 400, error: { message: 'unsupported value', param: 'temperature' } }
    await using model = await play([refused, { reply: good }, { reply: good }])
    await model.askForSql(request)
    await model.askForSql(request)
    expect(model.seen().map(sent => sent.temperature)).toEqual([0, undefined, undefined])
    expect(model.seen().map(sent => sent.response_format?.type)).toEqual(Array(3).fill('json_schema'))
  })
})

describe('instructions', () => {
  const systemFor = async (model: string, deps: Partial<AskModelDeps> = {}) => {
    const settings = { model, temperature: 0, timeoutMs: 10_000 }
    await using played = await play([{ reply: good }], {
      tasks: { drafter: settings, fixer: settings },
      ...deps,
    })
    await played.askForSql(request)
    return played.seen()[0]?.messages[0]?.content
  }

  it('are short for a model that reasons by itself, and ask for the same', async () => {
    const usual = (await systemFor('some-model')) ?? ''
    const lean = (await systemFor('o3')) ?? ''
    expect(usual).toContain('First say in a sentence or two why it went wrong.')
    expect(lean).not.toContain('First say')
    expect(lean.length).toBeLessThan(usual.length)
    expect(lean.split('\n').at(-1)).toBe(usual.split('\n').at(-1))
    expect(await systemFor('some-model', { isLean: () => true })).toBe(lean)
  })
})

describe('how a reply ends', () => {
  const said = async (reply: object) => {
    await using model = await play([{ reply: JSON.stringify({ diagnosis: '', assumptions: [], ...reply }) }])
    return (await model.askForSql(request)).value
  }
  const deep = { label: ' deep  ones ', sql: 'SELECT 1;' }
  const lit = { label: 'lit ones', sql: 'SELECT 2' }

  it('is a statement, or nothing, where only that is there', async () => {
    expect(await said({ sql: 'SELECT 1' })).toEqual({ sql: 'SELECT 1', assumptions: [] })
    expect(await said({ sql: '', assumptions: ['No buoys.'] })).toEqual({
      sql: '',
      assumptions: ['No buoys.'],
    })
    const empty = { outcome: 'sql', missing: '', unclear: '', meanings: [] }
    expect(await said({ sql: 'SELECT 1', ...empty })).toEqual({ sql: 'SELECT 1', assumptions: [] })
  })

  it('is what is missing, whatever else is there', async () => {
    const reply = { outcome: 'cannot-answer', missing: ' There are no depths. ', sql: 'SELECT 1' }
    expect(await said(reply)).toEqual({ sql: '', assumptions: [], missing: 'There are no depths.' })
    expect(await said({ sql: '', missing: 'There are no depths.' })).toMatchObject({
      missing: 'There are no depths.',
    })
  })

  it('is a statement for each meaning, the first one first', async () => {
    const reply = { outcome: 'ambiguous', sql: '', unclear: ' buoys ', meanings: [deep, lit] }
    expect(await said(reply)).toEqual({
      sql: 'SELECT 1',
      assumptions: [],
      ambiguity: { unclear: 'buoys', meanings: [{ label: 'deep ones', sql: 'SELECT 1' }, lit] },
    })
  })

  it('is a plain statement where there are not two meanings', async () => {
    const one = {
      outcome: 'ambiguous',
      sql: '',
      meanings: [deep, { ...lit, sql: '' }, { ...deep, label: 'x' }],
    }
    expect(await said(one)).toEqual({ sql: 'SELECT 1', assumptions: [] })
    expect(await said({ outcome: 'sql', sql: 'SELECT 3', meanings: [deep, lit] })).toEqual({
      sql: 'SELECT 3',
      assumptions: [],
    })
  })

  it('is read from a weak model that gets the new fields wrong', async () => {
    const wrong = { outcome: 'done', missing: null, unclear: 3, meanings: 'none' }
    expect(await said({ sql: 'SELECT 1', ...wrong })).toEqual({ sql: 'SELECT 1', assumptions: [] })
  })
})

describe('malformed replies', () => {
  it('are repaired with one more call that quotes the reply and the problem', async () => {
    await using model = await play([
      { reply: '{"diagnosis": "A letter', usage: [200, 10] },
      { reply: good, usage: [250, 30] },
    ])
    const { value, usage } = await model.askForSql(request)
    expect(value.sql).toBe('SELECT count(*) FROM buoys')
    expect(usage).toEqual({ modelCalls: 2, promptTokens: 450, completionTokens: 40 })
    const repair = model.seen()[1]
    expect(repair?.messages.map(message => message.role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(repair?.messages[2]?.content).toBe('{"diagnosis": "A letter')
    expect(repair?.messages[3]?.content).toMatch(/It is not JSON/)
  })

  it('that lack a field are repaired too', async () => {
    await using model = await play([{ reply: '{"sql": "SELECT 1"}' }, { reply: good }])
    await model.askForSql(request)
    expect(model.seen()[1]?.messages[3]?.content).toMatch(/does not fit the schema: diagnosis/)
  })

  it('twice are a failure that includes what it cost', async () => {
    await using model = await play([
      { reply: 'SELECT 1', usage: [200, 10] },
      { reply: 'As I said: SELECT 1', usage: [250, 30] },
    ])
    const error = await failureOf(model.askForSql(request))
    expect(error.code).toBe('model-failed')
    expect(error.message).toMatch(/^some-model did not return the JSON it was asked for, twice/)
    expect(error.usage).toMatchObject({ modelCalls: 2, promptTokens: 450, completionTokens: 40 })
  })

  it('that were cut off are not asked for again', async () => {
    await using model = await play([{ reply: '{"diagnosis": "A very', finish: 'length', usage: [200, 10] }])
    const error = await failureOf(model.askForSql(request))
    expect(error.message).toMatch(/cut off.*maxTokens/)
    expect(error.usage).toMatchObject({ modelCalls: 1, promptTokens: 200, completionTokens: 10 })
  })
})

describe('failures of the endpoint', () => {
  it('429 is retried after the time that the endpoint asks for', async () => {
    await using model = await play([{ status: 429, retryAfter: 1 }, { reply: good }])
    expect((await model.askForSql(request)).usage.modelCalls).toBe(2)
    expect(model.waits).toEqual([1_000])
  })

  it('429 with a wait past the deadline is not waited for', async () => {
    await using model = await play([{ status: 429, retryAfter: 3_600 }])
    const error = await failureOf(model.askForSql(request))
    expect(error.message).toMatch(/too many \(HTTP 429\)/)
    expect(model.waits).toEqual([])
  })

  it('429 for a lack of credit is final', async () => {
    await using model = await play([{ status: 429, error: { code: 'insufficient_quota' } }])
    expect((await failureOf(model.askForSql(request))).message).toMatch(/no credit left/)
    expect(model.waits).toEqual([])
  })

  it('500 is retried', async () => {
    await using model = await play([{ status: 500 }, { reply: good }])
    expect((await model.askForSql(request)).value.sql).toBe('SELECT count(*) FROM buoys')
    expect(model.waits).toEqual([500])
  })

  it('a 500 that stays ends after three retries with growing waits', async () => {
    await using model = await play([{ status: 500 }, { status: 503 }, { status: 500 }, { status: 502 }])
    const error = await failureOf(model.askForSql(request))
    expect(error.code).toBe('model-failed')
    expect(error.message).toMatch(/keeps failing \(HTTP 502\)/)
    expect(error.usage.modelCalls).toBe(4)
    expect(model.waits).toEqual([500, 1_000, 2_000])
  })

  it('a request that takes too long is retried', async () => {
    const settings = { model: 'slow-model', temperature: 0, timeoutMs: 1_600 }
    await using model = await play([{ lateBy: 2_500 }, { reply: good }], {
      tasks: { drafter: settings, fixer: settings },
      now: () => 0,
    })
    expect((await model.askForSql(request)).usage.modelCalls).toBe(2)
  })

  it('all of it together ends at the total timeout', async () => {
    const settings = { model: 'slow-model', temperature: 0, timeoutMs: 300 }
    await using model = await play([{ lateBy: 1_000 }, { lateBy: 1_000 }], {
      tasks: { drafter: settings, fixer: settings },
      now: () => 0,
      random: () => 0,
    })
    const error = await failureOf(model.askForSql(request))
    expect(error.code).toBe('model-failed')
    expect(error.message).toMatch(/^slow-model gave no usable reply within 0\.3 s/)
  })

  it('401 is final, says which variable to check, and never shows the key', async () => {
    await using model = await play([
      { status: 401, error: { message: 'Incorrect API key provided: a-key-nobody-may-see' } },
    ])
    const error = await failureOf(model.askForSql(request))
    expect(error.message).toMatch(/did not accept the key \(HTTP 401\)\. Check OPENAI_API_KEY/)
    expect(`${error.message} ${error.cause} ${JSON.stringify(error.cause)}`).not.toContain('nobody-may-see')
    expect(String(error.cause)).toContain('[redacted]')
  })

  it('404 names the model and the setting', async () => {
    await using model = await play([{ status: 404, error: { message: 'no such model' } }])
    expect((await failureOf(model.askForSql(request))).message).toMatch(/no model some-model.*querent\.yml/)
  })

  it('an address that nobody answers is retried, and the error names it', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    const { askForSql, waits } = ask({ apiKey: null, baseUrl: `http://127.0.0.1:${port}/v1` })
    const error = await failureOf(askForSql(request))
    expect(error.message).toMatch(`127.0.0.1:${port} cannot be reached: connect ECONNREFUSED`)
    expect(waits).toHaveLength(3)
  })

  it('a page that is not a completion is not read as one', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end('{"hello": "world"}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { askForSql } = ask({ apiKey: null, baseUrl: `http://127.0.0.1:${port}` })
    expect((await failureOf(askForSql(request))).message).toMatch(/OpenAI-compatible.*\/v1/)
    server.close()
  })
})

describe('stopping', () => {
  it('a signal ends the HTTP request, not only the wait for it', async () => {
    const arrived = Promise.withResolvers<void>()
    const hungUp = Promise.withResolvers<void>()
    const server = createServer(incoming => {
      incoming.socket.on('close', () => hungUp.resolve())
      arrived.resolve()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const stop = new AbortController()
    const { askForSql } = ask({ apiKey: 'k', baseUrl: `http://127.0.0.1:${port}/v1` })
    const asked = failureOf(askForSql({ ...request, signal: stop.signal }))
    await arrived.promise
    stop.abort()
    expect((await asked).code).toBe('cancelled')
    await hungUp.promise
    server.close()
  })

  it('a signal ends the wait before a retry', async () => {
    const stop = new AbortController()
    await using model = await play([{ status: 500 }], {
      sleep: async (_, signal) => {
        stop.abort()
        signal.throwIfAborted()
      },
    })
    const error = await failureOf(model.askForSql({ ...request, signal: stop.signal }))
    expect(error.code).toBe('cancelled')
    expect(error.usage.modelCalls).toBe(1)
  })
})

describe('the budget of a question', () => {
  it('ends after so many calls, failed ones included', async () => {
    await using model = await play([{ reply: good }, { status: 500 }, { reply: good }], {
      budget: { modelCallsPerQuestion: 2, tokensPerQuestion: 100_000 },
    })
    await model.askForSql({ ...request, questionId: 'q1' })
    const error = await failureOf(model.askForSql({ ...request, questionId: 'q1' }))
    expect(error.code).toBe('budget-spent')
    expect(error.message).toMatch(/2 model calls.*budget\.modelCallsPerQuestion/)
    expect(error.usage.modelCalls).toBe(1)
    expect((await model.askForSql({ ...request, questionId: 'q2' })).usage.modelCalls).toBe(1)
  })

  it('ends before the call after its tokens', async () => {
    await using model = await play([{ reply: 'no JSON', usage: [900, 200] }], {
      budget: { modelCallsPerQuestion: 10, tokensPerQuestion: 1_000 },
    })
    const error = await failureOf(model.askForSql({ ...request, questionId: 'q1' }))
    expect(error.code).toBe('budget-spent')
    const limit = { of: 'question', unit: 'tokens', most: 1_000 }
    expect(error).toMatchObject({
      limit,
      usage: {
        ...{ modelCalls: 1, promptTokens: 900, completionTokens: 200 },
        lost: [{ role: 'fixer', why: 'budget-spent', limit, count: 1 }],
      },
    })
    expect(model.seen()).toHaveLength(1)
  })
})

it('a prompt of another role is refused before anything is sent', async () => {
  await using model = await play([])
  await expect(model.askForSql({ ...request, role: 'drafter' })).rejects.toThrow(/not for the drafter/)
  expect(model.seen()).toEqual([])
})
