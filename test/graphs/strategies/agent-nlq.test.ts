import { describe, expect, it } from 'vitest'
import { askWithStrategy } from '../../helpers/scripted-agents/ask-with-strategy.ts'
import type { ScriptedExchange } from '../../helpers/scripted-agents/start-scripted-agents.ts'

const question = 'Which singers sang at concerts with more than 100 visitors?'
const good =
  'SELECT DISTINCT s.name FROM singers AS s JOIN concerts AS c ON c.singer_id = s.singer_id WHERE c.visitors > 100'
const broken = (at: number) => `SELECT nothing_${at} FROM singers`
const empty = 'SELECT name FROM singers WHERE singer_id > 100'

const joined = 'singers.singer_id = concerts.singer_id'

const ledger = (more: object = {}): ScriptedExchange => ({
  prompt: 'agent-nlq/plan',
  sees: ['## singers', '## concerts', '## Statistics', question],
  reply: {
    subquestions: [
      { question: 'Which concerts had more than 100 visitors?', needs: [] },
      { question: 'Who sang at them?', needs: [1] },
    ],
    tables: ['singers', 'concerts'],
    joins: [joined],
    filters: ['concerts.visitors > 100'],
    groupBy: [],
    metrics: ['Return singers.name, each once.'],
    rules: [],
    missing: '',
    ...more,
  },
})

const emitted = (sql: string, sees: readonly string[] = []): ScriptedExchange => ({
  prompt: 'agent-nlq/emit',
  sees: [joined, '2. Who sang at them? (after 1)', ...sees],
  reply: { thought: 'Follow the plan.', sql, assumptions: [] },
})

const generated = (sql: string, sees: readonly string[] = [], missing = ''): ScriptedExchange => ({
  prompt: 'agent-nlq/generate',
  sees: [joined, '## Statistics', ...sees],
  reply: { diagnosis: 'A slip.', steps: ['Join.'], sql, missing, assumptions: [] },
})

const judged = (code: string, score: number, sees: readonly string[] = []): ScriptedExchange => ({
  ...{ prompt: 'agent-nlq/judge', sees: [question, ...sees] },
  reply: { reasoning: 'It fits.', code, score },
})

const ask = (script: readonly ScriptedExchange[], settings = {}, config = {}) =>
  askWithStrategy({ strategy: 'agent-nlq', question, script, settings, config })

describe('AgentNLQ', () => {
  it('takes two calls for a straight question: the task ledger, and a statement by it', async () => {
    const { report, table, problems, agents, seen } = await ask([
      ledger(),
      emitted(good, ['Nothing has been tried yet.']),
    ])
    expect([problems, agents]).toEqual([[], ['planner', 'fast']])
    expect(report.usage.modelCalls).toBe(2)
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good, confidence: 0.7 })
    expect(table?.rows).toEqual([['Ada']])
    expect(seen.map(({ temperature }) => temperature)).toEqual([0, 0])
  })

  it('tells the fast loop what failed and what to change: three calls', async () => {
    const { report, problems, agents } = await ask([
      ledger(),
      emitted(broken(1)),
      emitted(good, [
        'Attempt 1 by the fast loop: unknown-column',
        'What happened: no such column: nothing_1',
        'What to change: Find out which table has the column',
        `Statement: ${broken(1)}`,
      ]),
    ])
    expect([problems, agents]).toEqual([[], ['planner', 'fast', 'fast']])
    expect(report.usage.modelCalls).toBe(3)
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('has the slow generator take over after two errors: four calls', async () => {
    const { report, problems, agents } = await ask([
      ledger(),
      emitted(broken(1)),
      emitted(broken(2)),
      generated(good, [`Statement: ${broken(1)}`, `Statement: ${broken(2)}`]),
    ])
    expect([problems, agents]).toEqual([[], ['planner', 'fast', 'fast', 'slow']])
    expect(report.usage.modelCalls).toBe(4)
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
    expect(report.candidates.map(({ lineage }) => lineage)).toEqual([
      'agent-nlq/fast/scripted',
      'agent-nlq/fast/scripted',
      'agent-nlq/slow/scripted',
    ])
  })

  it('gives up after four attempts: five calls, with the attempts between cut to a line', async () => {
    const { report, problems, agents, seen } = await ask([
      ledger(),
      emitted(broken(1)),
      emitted(broken(2)),
      generated(broken(3)),
      generated(broken(4), [
        `Statement: ${broken(1)}`,
        'Attempt 2 by the fast loop: unknown-column (no such column: nothing_2)',
        'Attempt 3 by the SQL generator: unknown-column',
        `Statement: ${broken(3)}`,
      ]),
    ])
    expect([problems, agents]).toEqual([[], ['planner', 'fast', 'fast', 'slow', 'slow']])
    expect(seen.at(-1)?.user).not.toContain(broken(2))
    expect(report.usage.modelCalls).toBe(5)
    expect(report.outcome).toMatchObject({ status: 'refused', why: { code: 'all-failed' } })
  })

  it('shows all attempts in full if the history is not pruned', async () => {
    const { problems } = await ask(
      [
        ledger(),
        emitted(broken(1)),
        emitted(broken(2)),
        emitted(broken(3)),
        emitted(good, [broken(1), broken(2), broken(3)]),
      ],
      { prunedHistory: false, fastAttempts: 4 },
    )
    expect(problems).toEqual([])
  })

  it.each([
    ['a table that does not exist', 'SELECT name FROM singer', 'unknown-table', 'letter by letter'],
    ['a statement that cannot be parsed', 'SELECT name FRM singers WHERE', 'refused', 'can parse'],
    ['a statement that writes', 'DELETE FROM singers', 'refused', 'only reads'],
    ['an empty result', empty, 'empty-result', 'what joins drop'],
  ])('counts %s as a failed attempt', async (_, sql, errorClass, change) => {
    const { report, table, problems } = await ask([
      ledger(),
      emitted(sql),
      emitted(good, [`Attempt 1 by the fast loop: ${errorClass}`, change]),
    ])
    expect([problems, report.usage.modelCalls]).toEqual([[], 3])
    expect(table?.rows).toEqual([['Ada']])
    // The empty result is no other answer.
    expect(report.trace?.groups).toHaveLength(1)
  })

  it('answers that there are none if an agent stands by an empty result', async () => {
    const { report, problems } = await ask([ledger(), emitted(empty), emitted(`${empty};`)])
    expect([problems, report.usage.modelCalls]).toEqual([[], 3])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: empty })
    expect(report.candidates).toHaveLength(1)
  })

  it('answers with the last result there is if every attempt has failed', async () => {
    const { report, problems } = await ask([
      ledger(),
      emitted(empty),
      emitted(broken(2)),
      generated(broken(3)),
      generated(broken(4)),
    ])
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: empty })
  })

  it('does not run a statement again that failed with an error, and counts it as an attempt', async () => {
    const { report, problems } = await ask([
      ledger(),
      emitted(broken(1)),
      emitted(broken(1)),
      generated(good, ['Attempt 2 by the fast loop: the statement of attempt 1 again']),
    ])
    expect([problems, report.usage.modelCalls]).toEqual([[], 4])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
    expect(report.candidates).toHaveLength(2)
  })

  it('lets the fast loop hand over to the slow generator, which then makes the attempts that are left', async () => {
    const handedOver = 'Attempt 1 by the fast loop: no statement'
    const { report, problems, agents } = await ask([
      ledger(),
      emitted(''),
      generated(broken(2), [handedOver]),
      generated(good, [handedOver]),
    ])
    expect([problems, agents]).toEqual([[], ['planner', 'fast', 'slow', 'slow']])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('shows the fast loop the tables of the ledger alone, and the slow generator all of them', async () => {
    const { problems, seen } = await ask([
      ledger({ tables: ['concerts'] }),
      emitted('SELECT name FROM concerts'),
      emitted('SELECT title FROM concerts'),
      generated(good),
    ])
    expect(problems).toEqual([])
    expect(seen[1]?.user).not.toContain('voice')
    expect(seen[3]?.user).toContain('voice')
  })

  it('shows names, types and keys alone without enriched metadata', async () => {
    const bare = { sees: ['## singers', 'visitors'] }
    const { problems, seen } = await ask(
      [
        { ...ledger(), ...bare },
        { ...generated(good), ...bare },
      ],
      { enrichedMetadata: false, fastAttempts: 0 },
    )
    expect(problems).toEqual([])
    for (const { user } of seen) expect(user).not.toMatch(/## Statistics|'alto'|3 rows/)
  })

  it('starts with the fast loop if no task ledger is made', async () => {
    const { report, problems, agents } = await ask(
      [{ ...emitted(good), sees: ['No plan was made.', 'voice'] }],
      { taskLedger: false },
    )
    expect([problems, agents]).toEqual([[], ['fast']])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('shows the slow generator the verified question that is most like the one asked', async () => {
    const verified = [
      ['Which singers sang at concerts with more than 50 visitors?', 'SELECT 50'],
      ['Which singers sang at concerts in May?', 'SELECT 5'],
    ] as const
    const { problems, seen } = await askWithStrategy({
      ...{ strategy: 'agent-nlq', question, verified, settings: { fastAttempts: 0 } },
      script: [ledger(), generated(good, ['with more than 50 visitors?', 'SELECT 50'])],
    })
    expect(problems).toEqual([])
    expect(seen[1]?.user).not.toContain('in May')
  })

  it('asks each agent the model of its own', async () => {
    const { problems } = await ask(
      [
        { ...ledger(), model: 'planning' },
        { ...emitted(broken(1)), model: 'quick' },
        { ...emitted(broken(2)), model: 'quick' },
        { ...generated(good), model: 'deep' },
        { ...judged('correct', 90), model: 'strict' },
      ],
      { judge: true, models: { planner: 'planning', fast: 'quick', slow: 'deep', judge: 'strict' } },
    )
    expect(problems).toEqual([])
  })

  it.each<[string, ScriptedExchange[]]>([
    ['planner', [ledger({ missing: 'The database has no ticket prices.' })]],
    ['slow generator', [ledger(), emitted(''), generated('', [], 'The database has no ticket prices.')]],
    [
      'slow generator after an empty result',
      [ledger(), emitted(empty), emitted(''), generated('', [], 'The database has no ticket prices.')],
    ],
  ])('refuses with what is missing if the %s says so', async (_, script) => {
    const { report, problems } = await ask(script)
    expect([problems, report.usage.modelCalls]).toEqual([[], script.length])
    expect(report.outcome).toMatchObject({
      status: 'refused',
      why: { code: 'cannot-answer', reason: 'The database has no ticket prices.' },
    })
  })

  it('has a malformed reply sent again once', async () => {
    const { report, problems } = await ask([
      ledger(),
      { prompt: 'agent-nlq/emit', text: good },
      { prompt: 'repair-json', sees: ['fits this schema'], reply: emitted(good).reply },
    ])
    expect([problems, report.usage.modelCalls]).toEqual([[], 3])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('answers with what ran before its model failed', async () => {
    const { report, problems } = await ask([
      ledger(),
      emitted(empty),
      { prompt: 'agent-nlq/emit', status: 404 },
    ])
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: empty })
  })

  it('reads the question without a model if its model fails before anything ran', async () => {
    const { report, problems } = await askWithStrategy({
      strategy: 'agent-nlq',
      question: 'How many singers are there?',
      script: [{ prompt: 'agent-nlq/plan', status: 404 }],
    })
    expect(problems).toEqual([])
    expect(report.outcome.status === 'answered' && report.outcome.assumptions.join()).toMatch(/model/)
  })

  it('stops asking once the budget is spent', async () => {
    const { report, problems, agents } = await ask(
      [ledger(), emitted(broken(1))],
      {},
      { budget: { modelCallsPerQuestion: 2 } },
    )
    expect([problems, agents]).toEqual([[], ['planner', 'fast', 'fast']])
    expect(report.usage.modelCalls).toBe(2)
  })
})

describe('the answer judge of AgentNLQ', () => {
  it('adds one call, and its score is the confidence', async () => {
    const { report, problems, agents } = await ask(
      [ledger(), emitted(good), judged('correct', 92, [good, '1 row; columns: name', 'Ada'])],
      { judge: true },
    )
    expect([problems, agents]).toEqual([[], ['planner', 'fast', 'judge']])
    expect(report.usage.modelCalls).toBe(3)
    expect(report.outcome).toMatchObject({ status: 'answered', confidence: 0.92 })
  })

  it('gives no answer that it takes for wrong', async () => {
    const { report, problems } = await ask([ledger(), emitted(good), judged('wrong', 10)], { judge: true })
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'refused', why: { code: 'unsure', confidence: 0.1 } })
  })

  it('is not trusted with more than a half where its code says that the result is wrong', async () => {
    const { report } = await ask([ledger(), emitted(good), judged('unexpected', 95)], { judge: true })
    expect(report.outcome).toMatchObject({ status: 'answered', confidence: 0.5 })
  })

  it('sees no rows if models may not', async () => {
    const { problems, seen } = await ask(
      [ledger(), emitted(good), judged('partial', 80, ['1 row; columns: name'])],
      { judge: true },
      { models: { drafter: { model: 'scripted' }, judge: { seesRows: false } } },
    )
    expect(problems).toEqual([])
    expect(seen.at(-1)?.user).toMatch(/<result>\n1 row; columns: name[^\n]*\n<\/result>/)
  })

  it('is not asked if nothing ran, and not missed if it fails', async () => {
    const nothing = await ask([ledger(), emitted(broken(1))], { judge: true, attempts: 1 })
    expect(nothing.problems).toEqual([])
    const failing = await ask([ledger(), emitted(good), { prompt: 'agent-nlq/judge', status: 404 }], {
      judge: true,
    })
    expect(failing.problems).toEqual([])
    expect(failing.report.outcome).toMatchObject({ status: 'answered', confidence: 0.7 })
  })
})
