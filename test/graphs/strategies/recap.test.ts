import { describe, expect, it } from 'vitest'
import { askWithStrategy } from '../../helpers/scripted-agents/ask-with-strategy.ts'

const question = 'Which singers sang at concerts with more than 100 visitors?'
const good =
  'SELECT DISTINCT s.name FROM singers AS s JOIN concerts AS c ON c.singer_id = s.singer_id WHERE c.visitors > 100'
const nobody = "SELECT name FROM singers WHERE voice = 'Alto'"
const everybody = 'SELECT name FROM singers'

const plan = (steps = ['Join singers and concerts.', 'Keep concerts with more than 100 visitors.']) => ({
  prompt: 'recap/plan',
  sees: [question],
  reply: { steps, columns: [{ name: 'singer', type: 'text' }], missing: '' },
})

const planCritique = (critique = '') => ({
  prompt: 'recap/critique-plan',
  sees: ['singer (text)'],
  reply: { critique, complete: critique === '', clear: true, revise: critique !== '' },
})

const topics = (...found: readonly string[]) => ({
  prompt: 'recap/retrieve-dialect',
  reply: { reason: 'As the plan says.', topics: found },
})

const action = (sql: string, more: { action?: string; missing?: string; sees?: string[] } = {}) => ({
  prompt: 'recap/act',
  sees: more.sees ?? [question],
  reply: {
    ...{ thought: 'Next.', action: more.action ?? 'answer', sql, missing: more.missing ?? '' },
    assumptions: [],
  },
})

const sqlCritique = (statement: string, better = statement) => ({
  prompt: 'recap/critique-sql',
  sees: [statement],
  reply: { flaws: better === statement ? '' : 'It does not answer the question.', sql: better },
})

const refinement = (sql: string, more: { sees?: string[]; verdict?: string } = {}) => ({
  prompt: 'recap/refine',
  sees: more.sees ?? [question],
  reply: { cause: 'It was wrong.', verdict: more.verdict ?? 'change', sql, missing: '', assumptions: [] },
})

const verdict = (problem = '', unneeded: string[] = []) => ({
  prompt: 'recap/validate',
  sees: ['; columns: '],
  reply: { reason: 'As it is.', unneeded, valid: problem === '', problem },
})

const start = [plan(), planCritique(), topics()]

const ask = (script: Parameters<typeof askWithStrategy>[0]['script'], settings = {}) =>
  askWithStrategy({ strategy: 'recap', question, script, settings })

const opening = ['planner', 'plan-critic', 'dialect-retriever', 'action']

describe('ReCAPAgent-SQL', () => {
  it('plans, has the plan reviewed, acts, has the statement reviewed and the result validated', async () => {
    const valid = { ...verdict(), sees: ['1 row;', 'Ada', 'NULLs: none'] }
    const { report, table, problems, agents } = await ask([...start, action(good), sqlCritique(good), valid])
    expect([problems, agents]).toEqual([[], [...opening, 'sql-critic', 'validator']])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good, confidence: 0.66 })
    expect(table?.rows).toEqual([['Ada']])
    expect(report.usage.modelCalls).toBe(6)
  })

  it('writes a criticized plan again, three times at most', async () => {
    const { problems, agents, report } = await ask([
      ...[plan(['Guess.']), planCritique('It joins nothing.')],
      ...[{ ...plan(['Join.']), sees: ['Guess.', 'It joins nothing.'] }, planCritique('It filters nothing.')],
      ...[plan(['Filter.']), planCritique('It lacks the join.'), plan()],
      ...[topics(), action(good), sqlCritique(good), verdict()],
    ])
    expect(problems).toEqual([])
    expect(agents.slice(0, 7).join()).toBe(
      'planner,plan-critic,planner,plan-critic,planner,plan-critic,planner',
    )
    expect(report.usage.modelCalls).toBe(11)
  })

  it('shows the action agent what it looked up about the dialect, and what it looked at', async () => {
    const look = 'SELECT DISTINCT voice FROM singers'
    const { report, problems, agents } = await ask([
      ...[plan(), planCritique(), topics('dates')],
      action(look, { action: 'look', sees: ["date(t, 'start of month')"] }),
      action(good, { sees: ['A look: SELECT DISTINCT voice', 'alto'] }),
      ...[sqlCritique(good), verdict()],
    ])
    expect([problems, agents.length]).toEqual([[], 7])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good, confidence: 0.66 })
  })

  it('runs what the critic makes of a statement', async () => {
    const { report, problems } = await ask([
      ...start,
      action(everybody),
      sqlCritique(everybody, good),
      verdict(),
    ])
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
    expect(report.candidates[0]?.repairs).toMatchObject([{ sql: everybody, errorClass: 'other' }])
  })

  it('refines by the kind of error, first a syntax error and then what finds nothing', async () => {
    const broken = 'SELECT name FROM singers WHERE voice = = 1'
    const { report, problems, agents } = await ask([
      ...start,
      ...[action(broken), sqlCritique(broken)],
      ...[refinement(nobody, { sees: [broken] }), sqlCritique(nobody)],
      ...[refinement(good, { sees: ['NoResult', nobody] }), sqlCritique(good), verdict()],
    ])
    expect(problems).toEqual([])
    expect(agents.slice(4).join()).toBe('sql-critic,refiner,sql-critic,refiner,sql-critic,validator')
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('takes an empty result for the answer if the refiner says that there are none', async () => {
    const { report, problems } = await ask([
      ...start,
      ...[action(nobody), sqlCritique(nobody), refinement(nobody, { verdict: 'keep' })],
    ])
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: nobody, confidence: 0.66 })
  })

  it('links the schema again when a statement names what does not exist', async () => {
    const wide = Array.from(
      { length: 90 },
      (_, at) => `ledger_note_of_the_alto_in_the_big_ledger_${at} TEXT`,
    ).join(', ')
    const tables = Array.from({ length: 5 }, (_, at) => `CREATE TABLE ledger_${at} (id INTEGER, ${wide});`)
    const fees = Array.from({ length: 60 }, (_, at) => `quay_${at} INTEGER`).join(', ')
    const wrong = 'SELECT harbor_fees FROM singers'
    const right = 'SELECT harbor_fee FROM tolls'
    const { report, problems, seen } = await askWithStrategy({
      strategy: 'recap',
      question: 'What is the ledger note of the alto in the big ledger 1?',
      schema: `${tables.join('\n')}
        CREATE TABLE singers (singer_id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE tolls (toll_id INTEGER PRIMARY KEY, ${fees}, harbor_fee INTEGER);
        INSERT INTO tolls (toll_id, harbor_fee) VALUES (1, 12);`,
      script: [
        ...[
          { ...plan(), sees: [] },
          planCritique(),
          topics(),
          action(wrong, { sees: [] }),
          sqlCritique(wrong),
        ],
        ...[
          refinement(right, { sees: ['ColumnNotFound', 'harbor_fee'] }),
          sqlCritique(right),
          { ...verdict(), sees: [] },
        ],
      ],
    })
    expect(problems).toEqual([])
    expect(seen[0]?.user).not.toContain('harbor_fee')
    expect(seen[5]?.user).toContain('tolls')
    expect(report.outcome).toMatchObject({ status: 'answered', sql: right })
  })

  it('refines what the validator rejects, and answers with the latest result if it never accepts one', async () => {
    const { report, problems, agents } = await ask(
      [
        ...start,
        ...[action(everybody), sqlCritique(everybody), verdict('It leaves out the concerts.')],
        refinement(good, { sees: ['InvalidResult', 'It leaves out the concerts.'] }),
        ...[sqlCritique(good), verdict('', ['name'])],
      ],
      { steps: 2 },
    )
    expect([problems, agents.length]).toEqual([[], 9])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good, confidence: 0.31 })
  })

  it('starts over with another action after three refinements, until the steps are used up', async () => {
    const broken = (at: number) => `SELECT nothing_${at} FROM singers`
    const round = (at: number) => [refinement(broken(at)), sqlCritique(broken(at))]
    const { report, problems, agents } = await ask([
      ...start,
      ...[action(broken(0)), sqlCritique(broken(0)), ...round(1), ...round(2), ...round(3)],
      action(broken(4), { sees: ['ColumnNotFound', broken(0), broken(3)] }),
      ...[sqlCritique(broken(4)), ...round(5)],
    ])
    expect(problems).toEqual([])
    expect(agents.filter(agent => agent === 'refiner' || agent === 'action')).toHaveLength(6)
    expect(report.outcome).toMatchObject({ status: 'refused', why: { code: 'all-failed' } })
  })

  it('takes 26 calls at most, however often an agent objects', async () => {
    const tried = (at: number) => `SELECT name, ${at} AS number FROM singers`
    const seen = (at: number) => [sqlCritique(tried(at)), verdict('It leaves out the concerts.')]
    const { report, problems, agents } = await ask([
      ...[0, 1, 2].flatMap(() => [plan(), planCritique('It filters nothing.')]),
      ...[plan(), topics(), action(tried(0)), ...seen(0)],
      ...[1, 2, 3].flatMap(at => [refinement(tried(at)), ...seen(at)]),
      ...[action(tried(4)), ...seen(4), refinement(tried(5)), ...seen(5)],
    ])
    expect([problems, agents.length]).toEqual([[], 26])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: tried(5), confidence: 0.31 })
  })

  it('tells an agent once of a repeated statement, and stops when it is repeated again', async () => {
    const broken = 'SELECT nam FROM singers'
    const { report, problems, agents } = await ask([
      ...start,
      ...[action(broken), sqlCritique(broken)],
      refinement(`${broken}  `),
      refinement(broken, { sees: ['was tried before'] }),
    ])
    expect([problems, agents.slice(-2)]).toEqual([[], ['refiner', 'refiner']])
    expect(report.outcome).toMatchObject({ status: 'refused', why: { code: 'all-failed' } })
  })

  it('tells the action agent once of an action without a statement', async () => {
    const { report, problems, agents } = await ask([
      ...start,
      action(''),
      action(good, { sees: ['no statement that could be run', 'Steps left: 5'] }),
      ...[sqlCritique(good), verdict()],
    ])
    expect([problems, agents.length]).toEqual([[], 7])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('has a malformed reply sent again once', async () => {
    const { report, problems } = await ask([
      ...start,
      { prompt: 'recap/act', text: good },
      { prompt: 'repair-json', sees: ['fits this schema'], reply: action(good).reply },
      ...[sqlCritique(good), verdict()],
    ])
    expect(problems).toEqual([])
    expect(report.usage.modelCalls).toBe(7)
  })

  it('refuses with what is missing if the planner says that the schema cannot answer', async () => {
    const missing = 'The database has no ticket prices.'
    const { report, problems, agents } = await ask([
      { prompt: 'recap/plan', reply: { steps: [], columns: [], missing } },
    ])
    expect([problems, agents]).toEqual([[], ['planner']])
    expect(report.outcome).toMatchObject({
      status: 'refused',
      why: { code: 'cannot-answer', reason: missing },
    })
  })

  it('refuses with what is missing if the action agent finds that out', async () => {
    const missing = 'The database has no ticket prices.'
    const { report, problems } = await ask([...start, action('', { action: 'finish', missing })])
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({
      status: 'refused',
      why: { code: 'cannot-answer', reason: missing },
    })
  })

  it('reads the question without a model if its model fails before there is a statement', async () => {
    const { report, problems } = await askWithStrategy({
      strategy: 'recap',
      question: 'How many singers are there?',
      script: [
        { ...plan(), sees: [] },
        { prompt: 'recap/critique-plan', status: 404 },
      ],
    })
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered' })
    expect(report.outcome.status === 'answered' && report.outcome.assumptions.join()).toMatch(/model/)
  })

  it('runs a statement whose review failed, and answers with it although nothing validates it', async () => {
    const { report, problems, agents } = await ask([
      ...start,
      action(good),
      { prompt: 'recap/critique-sql', status: 404 },
    ])
    expect([problems, agents.at(-1)]).toEqual([[], 'sql-critic'])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good, confidence: 0.31 })
  })

  it('shows agents no rows where the judge may see none', async () => {
    const look = 'SELECT DISTINCT voice FROM singers'
    const { problems, seen } = await askWithStrategy({
      ...{ strategy: 'recap', question },
      script: [
        ...[...start, action(look, { action: 'look' }), action(good, { sees: ['2 rows; columns: voice'] })],
        ...[sqlCritique(good), { ...verdict(), sees: ['1 row; columns: name'] }],
      ],
      config: { models: { drafter: { model: 'scripted' }, judge: { seesRows: false } } },
    })
    expect(problems).toEqual([])
    expect(seen.at(-1)?.user).not.toContain('Ada')
  })

  it('leaves out what its switches switch off', async () => {
    const off = { planCritiques: 0, dialectRetriever: false, sqlCritic: false, validator: false }
    const { report, problems, agents } = await ask([plan(), action(good)], off)
    expect([problems, agents]).toEqual([[], ['planner', 'action']])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good, confidence: 0.66 })
  })
})
