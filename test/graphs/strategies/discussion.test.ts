import { describe, expect, it } from 'vitest'
import { askWithStrategy } from '../../helpers/scripted-agents/ask-with-strategy.ts'
import type { ScriptedExchange } from '../../helpers/scripted-agents/start-scripted-agents.ts'

const question = 'How many singers live in Vaasa?'
const good = "SELECT COUNT(*) FROM singers WHERE city = 'Vaasa'"
const worse = "SELECT name FROM singers WHERE city = 'Vaasa'"

/** What three personas answer at the same time. */
const heard = (
  prompt: 'discussion/start' | 'discussion/discuss',
  together: string,
  statements: readonly [string, string, string],
): readonly ScriptedExchange[] =>
  ['shortest', 'technical detail', 'two different ways'].map((persona, at) => ({
    ...{ prompt, together, sees: [persona, question] },
    reply: { reasoning: `thought ${at}`, sql: statements[at], missing: '', assumptions: [] },
  }))

const verdict = (sql: string, sees: readonly string[] = [], missing = ''): ScriptedExchange => ({
  ...{ prompt: 'discussion/judge', sees },
  reply: { merits: 'The first is right.', sql, missing, assumptions: [] },
})

const round = (at: number, sql: string): readonly ScriptedExchange[] => [
  ...heard('discussion/discuss', `round ${at}`, [good, worse, good]),
  verdict(sql, ['simple: thought 0', worse]),
]

const ask = (script: readonly ScriptedExchange[], settings = {}) =>
  askWithStrategy({ strategy: 'discussion', question, script, settings })

describe('the discussion of BAPPA', () => {
  it('takes 3 + 3 * (3 + 1) calls, and answers with the last verdict', async () => {
    const { report, table, problems, agents, seen } = await ask([
      ...heard('discussion/start', 'start', [good, worse, worse]),
      ...round(1, worse),
      ...round(2, worse),
      ...round(3, good),
    ])
    expect(problems).toEqual([])
    expect(report.usage.modelCalls).toBe(15)
    const personas = ['simple', 'technical', 'thinker']
    expect(agents).toEqual([...personas, ...[1, 2, 3].flatMap(() => [...personas, 'judge'])])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good, confidence: 0.53 })
    expect(table?.rows).toEqual([[2]])
    // Nobody is shown their own answer as another's.
    const [simple] = seen.slice(3).filter(({ user }) => user.includes('shortest'))
    expect(simple?.user.split('What the others answered')[1]).not.toContain('simple:')
    expect(simple?.user.split('What the others answered')[0]).toContain('simple: thought 0')
  })

  it('can hear the judge after the last round alone', async () => {
    const { report, problems, agents } = await ask(
      [
        ...heard('discussion/start', 'start', [good, worse, worse]),
        ...heard('discussion/discuss', 'round 1', [good, worse, worse]),
        ...round(2, good),
      ],
      { rounds: 2, judgeEachRound: false },
    )
    expect([problems, report.usage.modelCalls, agents.at(-1)]).toEqual([[], 10, 'judge'])
  })

  it('answers with an earlier verdict if the last one does not run', async () => {
    const { report, problems } = await ask(
      [
        ...heard('discussion/start', 'start', [good, worse, worse]),
        ...round(1, good),
        ...round(2, 'SELECT COUNT(*) FROM singer'),
      ],
      { rounds: 2 },
    )
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('refuses if the last verdict is that the database cannot answer', async () => {
    const { report } = await ask(
      [
        ...heard('discussion/start', 'start', [good, worse, worse]),
        ...heard('discussion/discuss', 'round 1', [good, worse, worse]),
        verdict('', [], 'The database does not say where singers live.'),
      ],
      { rounds: 1 },
    )
    expect(report.outcome).toMatchObject({
      status: 'refused',
      why: { code: 'cannot-answer', reason: 'The database does not say where singers live.' },
    })
  })

  it('goes on without a persona whose model fails, and with what it said before', async () => {
    const [first, second, third] = heard('discussion/start', 'start', [good, worse, worse])
    const [revised, , other] = heard('discussion/discuss', 'round 1', [good, worse, worse])
    const failing = {
      prompt: 'discussion/discuss',
      together: 'round 1',
      sees: ['technical detail'],
      status: 404,
    }
    const { report, problems } = await ask(
      [
        first!,
        second!,
        third!,
        revised!,
        failing,
        other!,
        verdict(good, [`technical: thought 1\nSQL: ${worse}`]),
      ],
      { rounds: 1 },
    )
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('answers with what a persona said if the judge fails', async () => {
    const { report, problems } = await ask(
      [
        ...heard('discussion/start', 'start', [good, worse, worse]),
        ...heard('discussion/discuss', 'round 1', [good, worse, worse]),
        { prompt: 'discussion/judge', status: 404 },
      ],
      { rounds: 1 },
    )
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('has a malformed verdict sent again once', async () => {
    const { report, problems } = await ask(
      [
        ...heard('discussion/start', 'start', [good, worse, worse]),
        ...heard('discussion/discuss', 'round 1', [good, worse, worse]),
        { prompt: 'discussion/judge', text: good },
        { prompt: 'repair-json', reply: verdict(good).reply },
      ],
      { rounds: 1 },
    )
    expect([problems, report.usage.modelCalls]).toEqual([[], 8])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })
})
