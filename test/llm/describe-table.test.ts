import { describe, expect, it } from 'vitest'
import { makeAskModel } from '../../src/llm/ask-model.ts'
import { makeDescribeTable } from '../../src/llm/model-requests.ts'
import { startModelServer } from './model-server.ts'

const settings = { model: 'some-model', temperature: 0, timeoutMs: 5_000 }

const describer = { ...settings, model: 'a-describer' }

const describeWith = (connection: { apiKey: string; baseUrl: string }) =>
  makeDescribeTable(
    makeAskModel({
      connection,
      tasks: { drafter: settings, fixer: settings, describer },
      budget: { modelCallsPerQuestion: 5, tokensPerQuestion: 50_000 },
    }),
  )

const buoys = { database: 'Buoys of the coast', rendered: '## buoys\n...', columns: ['lit', 'depth'] }

describe('the describer', () => {
  it('asks its own model, with everything in it that is data fenced, and checks what comes back', async () => {
    const reply = JSON.stringify({
      table: 'One buoy\nat sea.',
      columns: [
        { column: 'depth', description: 'Metres of water below it.' },
        { column: 'owner', description: 'Nobody asked for this.' },
        { column: 'lit', description: ' ' },
      ],
    })
    await using server = await startModelServer([{ reply, usage: [300, 40] }])
    const { value, usage } = await describeWith(server.connection)(buoys)
    expect(value).toEqual({
      table: 'One buoy at sea.',
      columns: [{ column: 'depth', text: 'Metres of water below it.' }],
    })
    expect(usage).toEqual({ modelCalls: 1, promptTokens: 300, completionTokens: 40 })
    const [sent] = server.seen()
    expect(sent?.model).toBe('a-describer')
    expect(sent?.response_format?.json_schema?.name).toBe('descriptions')
    expect(sent?.messages).toMatchSnapshot()
  })

  it('has a malformed reply repaired once', async () => {
    const good = JSON.stringify({ table: '', columns: [] })
    await using server = await startModelServer([{ reply: '{"table": 5}' }, { reply: good }])
    const { value, usage } = await describeWith(server.connection)(buoys)
    expect(value).toEqual({ table: null, columns: [] })
    expect(usage.modelCalls).toBe(2)
  })

  it('is the drafter if no model is named for it', async () => {
    await using server = await startModelServer([{ reply: JSON.stringify({ table: '', columns: [] }) }])
    const ask = makeAskModel({
      connection: server.connection,
      tasks: { drafter: settings, fixer: settings },
      budget: { modelCallsPerQuestion: 5, tokensPerQuestion: 50_000 },
    })
    await makeDescribeTable(ask)(buoys)
    expect(server.seen()[0]?.model).toBe('some-model')
  })
})
