import { describe, expect, it } from 'vitest'
import { makeFixWithModel } from '../../../../graphs/answer/repair/fix-with-model.ts'
import type { FixInput } from '../../../../src/domain/candidate.ts'
import { ModelError } from '../../../../src/domain/errors.ts'
import { makeRenderPrompt } from '../../../../src/llm/prompts.ts'
import { potteryInput, renderPottery } from '../drafting/pottery.ts'
import { recordRequests } from '../drafting/record-requests.ts'

const input: FixInput = {
  ...potteryInput('sqlite'),
  sql: "SELECT m.name FROM makers AS m WHERE m.city = 'bergen'",
  errorClass: 'unknown-column',
  message: 'no such column: m.name',
  history: [],
}

const fixerOver = (sql: string) => {
  const { asked, askForSql } = recordRequests({ sql, assumptions: [] })
  return { asked, fix: makeFixWithModel({ askForSql, renderSchema: renderPottery }) }
}

const rendered = (request: { prompt: string; variables: Readonly<Record<string, string>> } | undefined) =>
  makeRenderPrompt()(request?.prompt ?? '', request?.variables ?? {}).messages

describe('the model that fixes', () => {
  it('returns its statement and what it cost', async () => {
    const { fix, asked } = fixerOver('SELECT m.full_name FROM makers AS m')
    expect(await fix({ ...input, questionId: 'q1' })).toEqual({
      sql: 'SELECT m.full_name FROM makers AS m',
      usage: { modelCalls: 1, promptTokens: 10, completionTokens: 5 },
    })
    expect(asked[0]).toMatchObject({ role: 'fixer', questionId: 'q1' })
  })

  it('has no fix when the schema cannot answer', async () => {
    expect((await fixerOver('').fix(input)).sql).toBeNull()
  })

  it.each(['cancelled', 'connection'] as const)('is not asked about %s', async errorClass => {
    const { fix, asked } = fixerOver('SELECT 1')
    expect((await fix({ ...input, errorClass })).sql).toBeNull()
    expect(asked).toEqual([])
  })

  it('that fails is a fixer without a fix, and its tokens still count', async () => {
    const usage = { modelCalls: 4, promptTokens: 40, completionTokens: 4 }
    const failing = (code: 'model-failed' | 'budget-spent' | 'cancelled') =>
      makeFixWithModel({
        askForSql: async () => {
          throw new ModelError(code, 'no', { usage })
        },
        renderSchema: renderPottery,
      })
    expect(await failing('model-failed')(input)).toEqual({ sql: null, usage })
    expect(await failing('budget-spent')(input)).toEqual({ sql: null, usage })
    await expect(failing('cancelled')(input)).rejects.toThrow('no')
  })

  it('sees the question at both ends, the failure, and a short history', async () => {
    const { fix, asked } = fixerOver('SELECT 1')
    const history = [
      { sql: `SELECT\n  ${'x, '.repeat(400)}y`, message: 'no such column: x' },
      { sql: 'SELECT nom FROM makers', message: 'no such column: nom' },
    ]
    await fix({ ...input, history })
    const [system, user] = rendered(asked[0])
    expect(system?.content).toMatchSnapshot('system')
    expect(user?.content).toMatchSnapshot('user')
  })

  it.each([
    'syntax',
    'unknown-table',
    'ambiguous-column',
    'type-mismatch',
    'function',
    'aggregation',
    'permission',
    'timeout',
    'refused',
    'empty-result',
    'wrong-shape',
    'other',
  ] as const)('is told what %s means', async errorClass => {
    const { fix, asked } = fixerOver('SELECT 1')
    await fix({ ...input, errorClass })
    expect(
      rendered(asked[0])
        .at(-1)
        ?.content.match(/What went wrong: .*/)?.[0],
    ).toMatchSnapshot()
  })
})
