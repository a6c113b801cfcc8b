import { describe, expect, it } from 'vitest'
import { makeAskModel } from '../../../src/llm/ask-model.ts'
import { makeModelTasks } from '../../../src/llm/call-model.ts'
import { makeAskForKeywords, makeAskForSql } from '../../../src/llm/model-requests.ts'
import { readScriptedQuestions } from '../../helpers/scripted-model/scripted-replies.ts'
import { startScriptedModel } from '../../helpers/scripted-model/start-scripted-model.ts'

const written = readScriptedQuestions()

const fixing = (question: string, statement: string) => ({
  role: 'fixer' as const,
  prompt: 'fix-sql',
  variables: {
    ...{
      dialect: '',
      schema: '',
      evidence: '',
      values: '',
      time: '',
      thread: '',
      message: '',
      history: '',
      problem: '',
    },
    ...{ question, statement, 'question-again': question },
  },
})

const askers = (baseUrl: string) => {
  const askModel = makeAskModel({
    connection: { apiKey: null, baseUrl },
    tasks: makeModelTasks('written-by-hand'),
    budget: { modelCallsPerQuestion: 10, tokensPerQuestion: 100_000 },
  })
  return { askForSql: makeAskForSql(askModel), askForKeywords: makeAskForKeywords(askModel) }
}

describe('the replies in fixtures/llm', () => {
  it('are of fourteen questions and of whatever else is asked, all labelled as written by hand', () => {
    expect(written.filter(({ question }) => question !== 'any')).toHaveLength(14)
    expect(new Set(written.map(({ written }) => written))).toEqual(new Set(['by hand']))
  })
})

describe('the endpoint that plays them', () => {
  it('answers with the reply to this question, role, prompt and statement', async () => {
    await using model = await startScriptedModel(written)
    const { askForSql } = askers(model.baseUrl)
    const { value } = await askForSql(
      fixing('Which region grew fastest last quarter?', 'select growth_since(1)'),
    )
    expect(value.sql).toContain('::numeric / before')
    expect(model.unexpected).toEqual([])
    expect(model.idle().map(({ file, role }) => `${file} ${role}`)).not.toContain('fastest-region.yml fixer')
  })

  it('answers what is for any question where there is nothing of its own', async () => {
    await using model = await startScriptedModel(written)
    const { value } = await askers(model.baseUrl).askForKeywords({ question: 'Anything?', tables: '' })
    expect([value, model.unexpected]).toEqual([[], []])
  })

  it('fails on what nothing is written for, and says what was nearest', async () => {
    await using model = await startScriptedModel(written.filter(({ question }) => question !== 'any'))
    const { askForSql } = askers(model.baseUrl)
    await expect(askForSql(fixing('Which region grew fastest last quarter?', 'select 1'))).rejects.toThrow(
      /HTTP 404.*nothing is written for the fixer/,
    )
    expect(model.unexpected).toEqual([
      'nothing is written for the fixer, fix-sql, attempt 0, on “Which region grew fastest last quarter?”; the nearest is fixer, fix-sql, attempt 0 of fastest-region.yml, which is other in where',
    ])
  })

  it('fails when it is asked too often', async () => {
    await using model = await startScriptedModel(written.filter(({ question }) => question !== 'any'))
    const { askForSql } = askers(model.baseUrl)
    const request = fixing('Which region grew fastest last quarter?', 'select growth_since(1)')
    await askForSql(request)
    await expect(askForSql(request)).rejects.toThrow(/attempt 1/)
    expect(model.unexpected[0]).toContain('which is other in attempt')
  })
})
