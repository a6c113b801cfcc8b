import { describe, expect, it } from 'vitest'
import { askWithStrategy } from '../../helpers/scripted-agents/ask-with-strategy.ts'
import type { ScriptedExchange } from '../../helpers/scripted-agents/start-scripted-agents.ts'

const question = 'Which singers sang at concerts with more than 100 visitors?'
const good =
  'SELECT DISTINCT s.name FROM singers AS s JOIN concerts AS c ON c.singer_id = s.singer_id WHERE c.visitors > 100'
const alike =
  'SELECT name FROM singers WHERE singer_id IN (SELECT singer_id FROM concerts WHERE visitors > 100)'
const other = 'SELECT name FROM singers'

const write = (model: string, sql: string, more: Partial<ScriptedExchange> = {}): ScriptedExchange => ({
  ...{ prompt: 'ssev/write-sql', model, sees: [question] },
  reply: { plan: 'Join both.', sql, missing: '', assumptions: [] },
  ...more,
})

const refine = (model: string, statement: string, sql: string, together?: string): ScriptedExchange => ({
  ...{ prompt: 'ssev/refine-sql', model, sees: [statement] },
  reply: { cause: 'It was wrong.', sql, missing: '', assumptions: [] },
  ...(together === undefined ? {} : { together }),
})

const first = { together: 'first' }
const second = { together: 'second' }

/** Asks three models as experts. */
const ask = (
  script: readonly ScriptedExchange[],
  settings: Readonly<Record<string, unknown>> = {},
  config: Readonly<Record<string, unknown>> = {},
) =>
  askWithStrategy({
    ...{ strategy: 'ssev', question, script },
    settings: { experts: ['a', 'b', 'c'], ...settings },
    config,
  })

/** Both rounds of three experts: what each writes at first, and what it writes on the linked schema. */
const bothRounds = (
  firsts: readonly [string, string, string],
  seconds = firsts,
): readonly ScriptedExchange[] => [
  ...firsts.map((sql, at) => write('abc'[at] ?? '', sql, first)),
  ...seconds.map((sql, at) => write('abc'[at] ?? '', sql, second)),
]

describe('SSEV', () => {
  it('asks each expert twice and answers with the result of most, as sure as their share of the weight', async () => {
    const { report, table, problems, agents } = await ask(bothRounds([good, other, alike]))
    expect(problems).toEqual([])
    expect(agents).toEqual([...Array(3).fill('PreSQL'), ...Array(3).fill('PostSQL')])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
    expect(report.outcome.status === 'answered' && report.outcome.confidence).toBeCloseTo(2 / 3, 6)
    expect(table?.rows).toEqual([['Ada']])
    expect(report.usage.modelCalls).toBe(6)
  })

  it('is never surer than the system is known to be', async () => {
    const { report } = await ask(bothRounds([good, alike, good]))
    expect(report.outcome).toMatchObject({ status: 'answered', confidence: 0.844 })
  })

  it('shows the whole schema first, and then what the first statements use, with keys', async () => {
    const { seen } = await ask(bothRounds([good, good, good]))
    expect(seen[0]?.user).toMatch(/city/)
    expect(seen[0]?.user).toContain('singer_id | name | voice | city\n1 | Ada | alto | Turku')
    expect(seen[3]?.user).not.toMatch(/voice|city|held_on/)
    expect(seen[3]?.user).toMatch(/concert_id[\s\S]*visitors/)
    expect(seen[3]?.user).toContain('singer_id | name\n1 | Ada')
  })

  it('links what every first statement uses, or with a vote what the winning ones use', async () => {
    const odd = 'SELECT city FROM singers'
    const union = await ask(bothRounds([good, odd, alike]))
    expect(union.seen[3]?.user).toMatch(/city/)
    const voted = await ask(bothRounds([good, odd, alike]), { linking: 'vote' })
    expect([voted.problems, union.problems]).toEqual([[], []])
    expect(voted.seen[3]?.user).not.toMatch(/city/)
  })

  it('leaves out the second round, the rows and the examples', async () => {
    const { report, problems, seen } = await ask(
      [write('a', good, first), write('b', alike, first), write('c', other, first)],
      { linking: 'none', sampleRows: 0, shots: 0 },
    )
    expect(problems).toEqual([])
    expect(report.usage.modelCalls).toBe(3)
    expect(seen[0]?.user).not.toMatch(/<rows>|<shots>/)
  })

  it('shows no rows where models may see none', async () => {
    const { seen } = await ask(
      [write('a', good, first), write('b', good, first), write('c', good, first)],
      { linking: 'none' },
      { models: { drafter: { model: 'a' }, judge: { model: 'a', seesRows: false } } },
    )
    expect(seen[0]?.user).not.toContain('<rows>')
  })

  it('has each expert mend its own statement, an error as well as an empty result, in both rounds', async () => {
    const broken = 'SELECT nam FROM singers'
    const empty = "SELECT name FROM singers WHERE voice = 'Alto'"
    const { report, problems, agents } = await ask([
      ...[broken, good, good].map((sql, at) => write('abc'[at] ?? '', sql, first)),
      refine('a', broken, good),
      ...[good, empty, broken].map((sql, at) => write('abc'[at] ?? '', sql, second)),
      refine('b', empty, alike, 'mend'),
      refine('c', broken, alike, 'mend'),
    ])
    expect([problems, agents.length]).toEqual([[], 9])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
    expect(
      report.candidates.flatMap(({ repairs }) => repairs.map(({ errorClass }) => errorClass)).sort(),
    ).toEqual(['empty-result', 'unknown-column', 'unknown-column'])
  })

  it('gives up on a statement after three refinements, or when its expert changes nothing', async () => {
    const broken = (at: number) => `SELECT nothing_${at} FROM singers`
    const { report, problems, agents } = await ask(
      [
        write('a', broken(0), first),
        write('b', broken(9), first),
        refine('a', broken(0), broken(1), 'mend'),
        refine('b', broken(9), broken(9), 'mend'),
        refine('a', broken(1), broken(2)),
        refine('a', broken(2), broken(3)),
      ],
      { experts: ['a', 'b'], linking: 'none' },
    )
    expect([problems, agents.length]).toEqual([[], 6])
    expect(report.outcome).toMatchObject({ status: 'refused', why: { code: 'all-failed' } })
  })

  it('lets an expert vote by its first statement if the second does not run', async () => {
    const broken = 'SELECT nam FROM singers'
    const { report, problems } = await ask(bothRounds([good, other, alike], [good, other, broken]), {
      refinements: 0,
    })
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('goes on without an expert whose model fails, which is not asked again', async () => {
    const { report, problems } = await ask([
      write('a', good, first),
      { ...write('b', '', first), status: 404 },
      write('c', alike, first),
      write('a', good, second),
      write('c', alike, second),
    ])
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
    expect(report.outcome.status === 'answered' && report.outcome.confidence).toBeCloseTo(2 / 3, 6)
  })

  it('has a malformed reply sent again once', async () => {
    const { report, problems } = await ask(
      [
        { prompt: 'ssev/write-sql', model: 'a', text: 'SELECT name FROM singers' },
        { prompt: 'repair-json', sees: ['fits this schema'], reply: write('a', good).reply },
      ],
      { experts: ['a'], styles: 1, linking: 'none' },
    )
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('refuses with what is missing if most experts say that the schema cannot answer', async () => {
    const missing = (model: string) => ({
      ...write(model, '', first),
      reply: { plan: '', sql: '', missing: 'The database has no ticket prices.', assumptions: [] },
    })
    const { report, problems } = await ask([
      missing('a'),
      missing('b'),
      write('c', other, first),
      write('c', other, second),
    ])
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({
      status: 'refused',
      why: { code: 'cannot-answer', reason: 'The database has no ticket prices.' },
    })
  })

  it('reads the question without a model if all models fail', async () => {
    const { report, problems } = await askWithStrategy({
      ...{ strategy: 'ssev', question: 'How many singers are there?' },
      script: ['a', 'b'].map(model => ({ prompt: 'ssev/write-sql', model, status: 404, ...first })),
      settings: { experts: ['a', 'b'] },
    })
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered' })
    expect(report.outcome.status === 'answered' && report.outcome.assumptions.join()).toMatch(/model/)
  })

  it('votes on what there is once the budget is spent', async () => {
    const { report, agents } = await ask(
      [write('a', good, first), write('b', good, first), write('c', good, first)],
      {},
      { budget: { modelCallsPerQuestion: 3 } },
    )
    expect(report.usage.modelCalls).toBe(3)
    expect(agents).toHaveLength(6)
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('plays several experts with one model, each told another way to work', async () => {
    const script = [good, alike, other].flatMap((sql, at) => [
      { ...write('scripted', sql, first), sees: [styleTexts[at] ?? ''] },
      { ...write('scripted', sql, second), sees: [styleTexts[at] ?? ''] },
    ])
    const { report, problems } = await ask(
      [
        ...script.filter(({ together }) => together === 'first'),
        ...script.filter(({ together }) => together === 'second'),
      ],
      { experts: [] },
    )
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('draws one expert with rwma, the same one for the same question', async () => {
    const { report, problems } = await ask(bothRounds([good, other, alike]), { vote: 'rwma' })
    expect(problems).toEqual([])
    expect(report.trace?.groups.map(({ reasons }) => reasons?.join()).join('\n')).toMatch(
      /^\d of 3 experts, \d+% of the weight; [abc] was drawn/,
    )
  })

  it('renders its prompts', async () => {
    const broken = 'SELECT nam FROM singers'
    const { seen } = await ask([write('a', broken), refine('a', broken, good)], {
      ...{ experts: ['a'], styles: 1, linking: 'none' },
    })
    expect(seen.map(({ prompt, system, user }) => ({ prompt, system, user }))).toMatchSnapshot()
  })
})

const styleTexts = ['suits the question', 'Begin with the result', 'Begin with the tables']
