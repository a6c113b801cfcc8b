import { describe, expect, it } from 'vitest'
import { askWithStrategy } from '../../helpers/scripted-agents/ask-with-strategy.ts'
import type { ScriptedExchange } from '../../helpers/scripted-agents/start-scripted-agents.ts'

const question = 'Which alto virtuosos drew over 100 guests?'
const good =
  "SELECT DISTINCT s.name FROM singers AS s JOIN concerts AS c ON c.singer_id = s.singer_id WHERE s.voice = 'alto' AND c.visitors > 100"
const other = "SELECT name FROM singers WHERE voice = 'alto'"
const broken = good.replace('c.visitors', 'c.guests')

const keywords: ScriptedExchange = {
  prompt: 'extract-keywords',
  together: 'drafts',
  sees: [question],
  reply: { phrases: [] },
}

const examples: ScriptedExchange = {
  ...{ prompt: 'make-examples', together: 'drafts' },
  reply: {
    features: [{ question: 'How many singers are there?', sql: 'SELECT COUNT(*) FROM singers' }],
    focused: [],
  },
}

/** Drafts of one path, all asked for at the same time. */
const drafts = (prompt: string, more: object, statements: readonly string[]): readonly ScriptedExchange[] =>
  statements.map(sql => ({ prompt, together: 'drafts', reply: { ...more, sql, assumptions: [] } }))

const times = (count: number, sql: string): readonly string[] => Array.from({ length: count }, () => sql)

const conquered = (statements: readonly string[]) =>
  drafts('divide-and-conquer', { parts: [], assembled: '', redundant: [] }, statements)

const planned = (statements: readonly string[]) =>
  drafts('query-plan', { locate: [], operate: [], deliver: [] }, statements)

const withExamples = (statements: readonly string[]) =>
  drafts('online-synthetic', { thought: '' }, statements)

const judged = (first: string, winner: 'first' | 'second'): ScriptedExchange => ({
  ...{ prompt: 'judge-pair', sees: [`<first-statement>\n${first}`], together: 'pairs' },
  reply: { difference: 'The condition.', reason: 'It has the guests.', winner },
})

const ask = (script: readonly ScriptedExchange[], settings = {}) =>
  askWithStrategy({ strategy: 'chase', question, script, settings: { freeReadings: false, ...settings } })

const countOf = (seen: readonly { readonly prompt: string }[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(seen, ({ prompt }) => prompt)].map(([prompt, { length }]) => [prompt, length]),
  )

describe('CHASE-SQL', () => {
  it('takes three paths with seven drafts each, one set of examples, a fix for what fails and both orders of a pair', async () => {
    const { report, problems, seen } = await ask([
      keywords,
      ...[examples, ...conquered([broken, ...times(6, good)])],
      ...[...planned([...times(3, other), ...times(4, good)]), ...withExamples(times(7, good))],
      { prompt: 'fix-sql', sees: [broken], reply: { diagnosis: '', sql: good, assumptions: [] } },
      ...[judged(good, 'first'), judged(other, 'second')],
    ])
    expect(problems).toEqual([])
    expect(countOf(seen)).toEqual({
      ...{ 'extract-keywords': 1, 'make-examples': 1, 'fix-sql': 1, 'judge-pair': 2 },
      ...{ 'divide-and-conquer': 7, 'query-plan': 7, 'online-synthetic': 7 },
    })
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
    const drafting = seen.filter(({ prompt }) => /conquer|plan|synthetic/.test(prompt))
    expect(new Set(drafting.map(({ temperature }) => temperature))).toEqual(new Set([0.5]))
  })

  it('leaves out what its switches leave out', async () => {
    const { report, problems, seen } = await ask([...conquered([broken, good]), ...planned([good, other])], {
      values: false,
      fixer: false,
      onlineSynthetic: false,
      samples: 2,
      selection: 'vote',
    })
    expect(problems).toEqual([])
    expect(countOf(seen)).toEqual({ 'divide-and-conquer': 2, 'query-plan': 2 })
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('compares nothing if all drafts agree', async () => {
    const { problems, seen } = await ask([...conquered([good]), ...planned([good])], {
      ...{ values: false, onlineSynthetic: false, samples: 1 },
    })
    expect([problems, seen.length]).toEqual([[], 2])
  })
})
