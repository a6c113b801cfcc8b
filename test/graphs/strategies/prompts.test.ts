import { describe, expect, it } from 'vitest'
import type { StrategyName } from '../../../src/domain/strategies/strategy.ts'
import { askWithStrategy } from '../../helpers/scripted-agents/ask-with-strategy.ts'
import type { ScriptedExchange } from '../../helpers/scripted-agents/start-scripted-agents.ts'

const question = 'How many altos live in Vaasa?'
const good = "SELECT COUNT(*) FROM singers WHERE voice = 'alto' AND city = 'Vaasa'"
const broken = 'SELECT COUNT(*) FROM singer'
const statement = { reasoning: 'Count the altos.', sql: good, missing: '', assumptions: [] }
const personas = ['shortest', 'technical detail', 'two different ways']

const scripts: Readonly<
  Partial<Record<StrategyName, { settings: object; script: readonly ScriptedExchange[] }>>
> = {
  'mac-sql': {
    settings: { columnsInAll: 2, shots: 1 },
    script: [
      { prompt: 'mac-sql/select-schema', reply: { tables: [{ table: 'singers', keep: 'keep_all' }] } },
      { prompt: 'mac-sql/decompose', reply: { steps: [{ question, sql: broken }], sql: broken } },
      { prompt: 'mac-sql/refine', reply: { cause: 'A slip.', sql: good } },
    ],
  },
  'agent-nlq': {
    settings: { fastAttempts: 1, judge: true },
    script: [
      {
        prompt: 'agent-nlq/plan',
        reply: {
          subquestions: [{ question, needs: [] }],
          tables: ['singers'],
          filters: ["singers.voice = 'alto'", "singers.city = 'Vaasa'"],
          metrics: ['Count singers.'],
        },
      },
      { prompt: 'agent-nlq/emit', reply: { thought: 'Count.', sql: broken, assumptions: [] } },
      {
        prompt: 'agent-nlq/generate',
        reply: { diagnosis: 'The table is singers.', steps: ['Count.'], sql: good, assumptions: [] },
      },
      { prompt: 'agent-nlq/judge', reply: { reasoning: 'It fits.', code: 'correct', score: 90 } },
    ],
  },
  recap: {
    settings: {},
    script: [
      {
        prompt: 'recap/plan',
        reply: { steps: ['Count the altos.'], columns: [{ name: 'altos', type: 'number' }] },
      },
      {
        prompt: 'recap/critique-plan',
        reply: { critique: '', complete: true, clear: true, revise: false },
      },
      { prompt: 'recap/retrieve-dialect', reply: { reason: 'Letters.', topics: ['text'] } },
      { prompt: 'recap/act', reply: { thought: 'Count.', action: 'answer', sql: broken } },
      { prompt: 'recap/critique-sql', reply: { flaws: '', sql: broken } },
      { prompt: 'recap/refine', reply: { cause: 'A slip.', verdict: 'change', sql: good } },
      { prompt: 'recap/critique-sql', reply: { flaws: '', sql: good } },
      { prompt: 'recap/validate', reply: { reason: 'A count.', unneeded: [], valid: true, problem: '' } },
    ],
  },
  discussion: {
    settings: { rounds: 1 },
    script: [
      ...personas.map(persona => ({
        ...{ prompt: 'discussion/start', together: 'start', sees: [persona], reply: statement },
      })),
      ...personas.map(persona => ({
        ...{ prompt: 'discussion/discuss', together: 'discuss', sees: [persona], reply: statement },
      })),
      { prompt: 'discussion/judge', reply: { ...statement, merits: 'All agree.' } },
    ],
  },
  'planner-coder': {
    settings: {},
    script: [
      { prompt: 'planner-coder/plan', reply: { plan: ['Read singers.', 'Count.'] } },
      { prompt: 'planner-coder/code', reply: statement },
    ],
  },
  'coder-aggregator': {
    settings: { coders: 2 },
    script: [
      { prompt: 'coder-aggregator/code', together: 'code', reply: statement },
      { prompt: 'coder-aggregator/code', together: 'code', reply: statement },
      { prompt: 'coder-aggregator/aggregate', reply: statement },
    ],
  },
}

describe('what the agents see', () => {
  it.each(Object.entries(scripts))('of %s', async (strategy, { settings, script }) => {
    const { seen, problems } = await askWithStrategy({
      ...{ strategy: strategy as StrategyName, question, script },
      settings: settings as Record<string, unknown>,
    })
    expect(problems).toEqual([])
    // Agents that are asked at the same time come in any order, and share their instructions: the first by its text.
    const byPrompt = Map.groupBy(seen, ({ prompt }) => prompt).values()
    const shown = [...byPrompt].flatMap(same =>
      same.toSorted((a, b) => (a.user < b.user ? -1 : 1)).slice(0, 1),
    )
    expect(
      shown.map(({ prompt, system, user }) => `=== ${prompt}\n${system}\n--- user\n${user}`).join('\n\n'),
    ).toMatchSnapshot()
  })
})
