import { afterAll, describe, expect, it, vi } from 'vitest'
import type { AnswerReport } from '../../src/domain/answer.ts'
import { unansweredText } from '../../src/domain/answer-wording/unanswered.ts'
import { mapInParallel } from '../../src/lib/concurrency.ts'
import { openApp as openAppOver } from '../helpers/open-app.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { type Behaviour, startFaultyModel } from '../llm/faulty-model.ts'

const harbor = makeSqliteFile(`
  create table ports (id integer primary key, name text, country text);
  insert into ports values (1, 'Kiel', 'Germany'), (2, 'Bergen', 'Norway'), (3, 'Gdansk', 'Poland');
  create table boats (id integer primary key, name text, port_id integer references ports, length real, launched text);
  insert into boats values (1, 'Alba', 1, 9.5, '2019-05-01'), (2, 'Brisa', 1, 12, '2020-06-01'),
    (3, 'Cyan', 2, 7, '2021-07-01'), (4, 'Dorado', 3, 15, '2022-08-01');
`)

afterAll(() => harbor.remove())

/** Questions that the semantic parser reads by itself, and some that it cannot read at all. */
const readable = [
  'How many boats are there?',
  'How many ports are there?',
  'What is the average length of boats?',
  'How many boats per port?',
  'Which boats are in Kiel?',
  'What is the longest boat?',
]

const unreadable = ['Who was grumpiest at the regatta dinner?', 'Zxqv of the frobnicated wibble?']

const openApp = (baseUrl: string, settings: Readonly<Record<string, unknown>> = {}) =>
  openAppOver(harbor.file, {
    baseUrl,
    models: { drafter: { model: 'some-model', timeoutMs: 1_500 }, keywords: { timeoutMs: 1_000 } },
    drafting: { mostDrafts: 4 },
    budget: { modelTimePerQuestionMs: 5_000 },
    ...settings,
  })

/** A model that knows the boats, whatever is asked. */
const write = (): string => 'SELECT count(*) AS boats FROM boats'

const noticesIn = ({ outcome }: AnswerReport): string =>
  outcome.status === 'answered'
    ? outcome.assumptions.join(' ')
    : outcome.status === 'needs-clarification'
      ? ''
      : unansweredText(outcome).reason

describe('a model that fails', { timeout: 240_000 }, () => {
  it('in every way in turn leaves no question without an end', async () => {
    const faults: readonly [Behaviour, ...Behaviour[]] = [
      ...(['busy', 'right', 'broken', 'hangs', 'no JSON', 'wrong dialect'] as const),
      ...(['hangs up', 'right', 'cut off', 'wrong shape', 'wrong dialect'] as const),
    ]
    await using model = await startFaultyModel(faults, write)
    // Closed for good: the trial is about each failure, not about a model that is left alone.
    await using app = await openApp(model.baseUrl, {
      models: {
        ...{ drafter: { model: 'some-model', timeoutMs: 3_000 }, keywords: { timeoutMs: 2_000 } },
        breaker: { failures: 1_000 },
      },
      budget: { modelTimePerQuestionMs: 10_000 },
    })
    const questions = Array.from({ length: 40 }, (_, turn) => {
      const all = [...readable, ...unreadable]
      return all[turn % all.length] ?? ''
    })
    // Forty at once would starve each other on a busy machine, and a right reply come too late.
    const reports = await mapInParallel(questions, 8, question => app.ask(question))
    expect(reports).toHaveLength(40)
    for (const [at, { outcome, usage }] of reports.entries()) {
      const question = `${questions[at]} ${JSON.stringify(outcome)}`
      if (outcome.status === 'answered') expect(outcome.sql, question).not.toBe('')
      else if (outcome.status === 'needs-clarification')
        expect(outcome.clarification.options.length, question).toBeGreaterThan(1)
      else {
        const { reason, nextStep } = unansweredText(outcome)
        expect(reason.length * nextStep.length, question).toBeGreaterThan(0)
      }
      expect(usage.modelCalls, question).toBeLessThanOrEqual(30)
    }
    expect(new Set(model.served())).toEqual(new Set(faults))
    await vi.waitUntil(() => model.waiting() === 0)
    // What the semantic parser reads needs no model: it is answered, or asked back where a draft says otherwise.
    const ends = reports.map(({ outcome }) => outcome.status)
    const endsOfReadable = ends.filter((_, at) => readable.includes(questions[at] ?? ''))
    expect(endsOfReadable.filter(end => end !== 'answered' && end !== 'needs-clarification')).toEqual([])
    expect(endsOfReadable.filter(end => end === 'answered').length).toBeGreaterThanOrEqual(10)
    expect(
      reports.filter(({ candidates }) => candidates.some(({ lineage }) => lineage.endsWith('/some-model')))
        .length,
    ).toBeGreaterThan(0)
  })

  it('with a statement that finds nothing, and nothing else, does not silence a sure reading', async () => {
    const faults: readonly [Behaviour, ...Behaviour[]] = [
      'right',
      'right',
      'right',
      'cut off',
      'cut off',
      'cut off',
    ]
    await using model = await startFaultyModel(
      faults,
      () => "SELECT * FROM boats WHERE launched = '2031-01-01'",
    )
    await using app = await openApp(model.baseUrl)
    const { outcome, candidates } = await app.ask('How many boats are there?')
    expect(candidates.map(({ lineage }) => lineage)).toContain('divide-and-conquer/some-model')
    expect(outcome).toMatchObject({ status: 'answered', headline: expect.stringContaining('4') })
  })

  it('by hanging, with every draft at once, is waited for once, and no request is left behind', async () => {
    await using model = await startFaultyModel(['hangs'], write)
    await using app = await openApp(model.baseUrl, {
      models: {
        ...{ drafter: { model: 'some-model', timeoutMs: 2_000 }, breaker: { failures: 1_000 } },
        capabilities: { 'some-model': { parallel: 30 } },
      },
      drafting: { mode: 'full', mostDrafts: 21 },
      // The first conversation hangs alone; then the others do together.
      budget: { modelTimePerQuestionMs: 6_000, modelCallsPerQuestion: 1_000 },
    })
    const report = await app.ask('How many boats are there?')
    expect(report.outcome).toMatchObject({ status: 'answered', headline: expect.stringContaining('4') })
    expect(noticesIn(report)).toContain('No model helped with this')
    expect(model.served().length).toBeGreaterThanOrEqual(21)
    await vi.waitUntil(() => model.waiting() === 0)
  })

  it('for good is no longer asked, and the parser answers without it', async () => {
    await using model = await startFaultyModel(['broken'], write)
    await using app = await openApp(model.baseUrl, {
      models: {
        drafter: { model: 'some-model', timeoutMs: 1_000 },
        breaker: { failures: 3, restMs: 600_000 },
      },
    })
    for (const question of readable) await app.ask(question)
    const requests = model.served().length
    const reports = await Promise.all(readable.map(question => app.ask(question)))
    expect(model.served()).toHaveLength(requests)
    expect(app.warnings).toContain('the model keeps failing and is not asked for a while')
    expect(reports[0]?.outcome).toMatchObject({ status: 'answered', headline: expect.stringContaining('4') })
    for (const report of reports) {
      expect(report.candidates.every(({ path }) => path === 'semantic-parser')).toBe(true)
      if (report.outcome.status !== 'needs-clarification') {
        expect(noticesIn(report)).toContain('No model helped with this: none could be reached.')
      }
    }
  })

  it('gives way to its fallback, whose name the lineage bears', async () => {
    await using broken = await startFaultyModel(['broken'], write)
    await using sound = await startFaultyModel(['right'], write)
    await using app = await openApp(broken.baseUrl, {
      models: {
        drafter: { model: 'some-model', timeoutMs: 20_000, fallbacks: ['another-model'] },
        endpoints: { 'another-model': { model: 'its-name-there', baseUrl: sound.baseUrl } },
        prices: { 'another-model': { prompt: 1, completion: 10 } },
        breaker: { failures: 2, restMs: 600_000 },
      },
      drafting: { mostDrafts: 1 },
    })
    const report = await app.ask('How many boats are there?')
    expect(report.outcome).toMatchObject({ status: 'answered', assumptions: [] })
    const lineages = report.candidates.map(({ lineage }) => lineage)
    expect(lineages).toContain('divide-and-conquer/another-model')
    expect(lineages).not.toContain('divide-and-conquer/some-model')
    expect(report.usage.money).toBeCloseTo(sound.served().length * 0.0002, 9)
  })
})

describe('a budget of the day', { timeout: 60_000 }, () => {
  const right = () => startFaultyModel(['right'], write)
  /** A busy machine must not look like a model that hangs. */
  const models = { drafter: { model: 'some-model', timeoutMs: 20_000 }, keywords: { timeoutMs: 20_000 } }

  it('that is used up leaves the paths that need no model, and the answer says so', async () => {
    await using model = await right()
    await using app = await openApp(model.baseUrl, { models, budget: { tokensPerDay: 300 } })
    const first = await app.ask('How many boats are there?')
    expect(first.usage.modelCalls).toBeGreaterThan(0)
    expect(noticesIn(first)).not.toContain('budget')
    await app.ask('What is the longest boat?')
    const requests = model.served().length
    const second = await app.ask('How many ports are there?')
    expect(model.served()).toHaveLength(requests)
    expect(second.outcome.status).toBe('answered')
    expect(noticesIn(second)).toContain('No model helped with this: the model budget is used up.')
  })

  it('of one person does not stop another', async () => {
    await using model = await right()
    await using app = await openApp(model.baseUrl, { models, budget: { tokensPerUserPerDay: 110 } })
    await app.ask('How many boats are there?', 'ada')
    expect((await app.ask('How many ports are there?', 'ada')).usage.modelCalls).toBe(0)
    expect((await app.ask('How many ports are there?', 'bob')).usage.modelCalls).toBeGreaterThan(0)
  })

  it('in money is counted by the prices', async () => {
    await using model = await right()
    const prices = { 'some-model': { prompt: 10, completion: 100 } }
    await using app = await openApp(model.baseUrl, {
      models: { ...models, prices },
      budget: { moneyPerDay: 0.002 },
    })
    const first = await app.ask('How many boats are there?')
    expect(first.usage.money).toBeCloseTo(0.002 * first.usage.modelCalls, 9)
    expect((await app.ask('How many ports are there?')).usage).toMatchObject({ modelCalls: 0 })
  })
})
