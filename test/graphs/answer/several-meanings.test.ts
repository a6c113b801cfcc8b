import { describe, expect, it } from 'vitest'
import { makeQueryPlanPath } from '../../../graphs/answer/drafting/model-paths.ts'
import type { AnswerReport } from '../../../src/domain/answer.ts'
import type { DraftPath } from '../../../src/domain/candidate.ts'
import type { AskForSql, DraftedSql } from '../../../src/domain/model.ts'
import { noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { PairMember } from '../../../src/domain/selection/pairwise.ts'
import { asked, draft, openHarborRuns, pathOf } from './harbor-runs.ts'

const makeRuns = openHarborRuns()

const home = 'select home_port, count(*) from boats group by 1'

const build = 'select build_port, count(*) from boats group by 1'

const name = 'select name, 1 from boats'

/** What one draft says: a statement, that there is none, or the meanings of the question. */
const sql = (statement = home): DraftedSql => ({ sql: statement, assumptions: [] })

const cannot: DraftedSql = { sql: '', assumptions: [], missing: 'There are no ports.' }

const ambiguous = (
  meanings: DraftedSql['ambiguity'] = {
    unclear: 'by port',
    meanings: [
      { label: 'home port', sql: home },
      { label: 'port of building', sql: build },
    ],
  },
): DraftedSql => ({ sql: meanings.meanings[0]?.sql ?? '', assumptions: [], ambiguity: meanings })

/** The real path over a model that says one thing after the other. */
const modelThat = (...said: readonly DraftedSql[]): DraftPath & { readonly calls: () => number } => {
  let calls = 0
  const askForSql: AskForSql = async () => {
    const value = said[calls++]
    if (value === undefined) throw new Error('asked too often')
    return { value, usage: { modelCalls: 1, promptTokens: 1, completionTokens: 1 } }
  }
  const path = makeQueryPlanPath({ askForSql, renderSchema: () => 'boats', model: 'm' })
  return { ...path, samples: said.length, calls: () => calls }
}

const ask = async (
  paths: readonly DraftPath[],
  given: Parameters<typeof makeRuns>[0] & { readonly question?: string } = {},
): Promise<AnswerReport> => {
  const { question = 'Boats by port', ...parts } = given
  const { runs } = makeRuns({
    paths,
    thresholds: { answer: 0.3, ask: 0.12, askInFullMode: true },
    drafting: { mode: 'full', mostDrafts: 21 },
    ...parts,
  })
  return runs.start(asked(question))
}

const adaptive = { drafting: { mode: 'adaptive', mostDrafts: 21 } } as const

describe('a draft that calls the question ambiguous', () => {
  it('is asked about in its own words, and the choice is answered by the statement of that meaning', async () => {
    const { runs } = makeRuns({ paths: [modelThat(ambiguous())], thresholds: { answer: 0.3, ask: 0.12 } })
    const question = asked('Boats by port')
    const { outcome, candidates } = await runs.start(question)
    expect(outcome).toMatchObject({
      status: 'needs-clarification',
      clarification: {
        question: 'By which port?',
        options: [
          { label: 'home port', hint: '2 rows', means: { phrase: 'port', meaning: 'home port' } },
          { label: 'port of building', hint: '2 rows' },
        ],
        defaultOption: 0,
      },
    })
    expect(candidates.map(({ sql }) => sql)).toEqual([home, build])
    const { outcome: answered } = await runs.resume(question.id, { kind: 'option', number: 2 })
    expect(answered).toMatchObject({
      status: 'answered',
      sql: build,
      assumptions: ['You chose: port of building.'],
    })
  })

  it('quotes the unclear words as the question has them, and none that it does not have', async () => {
    const unclear = (words: string) => ambiguous({ ...ambiguous().ambiguity, unclear: words } as never)
    const textOf = async (words: string, question: string): Promise<string> => {
      const { outcome } = await ask([modelThat(unclear(words))], { question })
      return outcome.status === 'needs-clarification' ? outcome.clarification.question : outcome.status
    }
    expect(await textOf('“their PORT”', 'Boats and their Port')).toBe('What do you mean by “their Port”?')
    expect(await textOf('harbour', 'Boats by port')).toBe('Which of these do you mean?')
    expect(await textOf('', 'Boats by port')).toBe('Which of these do you mean?')
    expect(await textOf('port', 'Boats by airport')).toBe('Which of these do you mean?')
  })

  it('is not asked about if its meanings have the same result', async () => {
    const same = {
      unclear: 'port',
      meanings: [
        { label: 'home port', sql: home },
        { label: 'base', sql: 'select home_port, count(id) from boats group by home_port' },
      ],
    }
    const { outcome } = await ask([modelThat(ambiguous(same))])
    expect(outcome).toMatchObject({ status: 'answered', sql: home })
  })

  it('is not asked about if one meaning runs only', async () => {
    const broken = {
      unclear: 'port',
      meanings: [
        { label: 'home port', sql: home },
        { label: 'port of call', sql: 'select call_port from boats' },
      ],
    }
    expect((await ask([modelThat(ambiguous(broken))])).outcome).toMatchObject({ sql: home })
  })

  it('alone is outweighed by a sure interpretation that uses every word, which tells of the other meaning', async () => {
    const parser = (prior: number, unused: readonly string[] = []) =>
      pathOf(() => [draft(home, { prior, unused })])
    expect((await ask([parser(0.9), modelThat(ambiguous())])).outcome).toMatchObject({
      status: 'answered',
      sql: home,
    })
    const left = await ask([parser(0.9, ['port']), modelThat(ambiguous())])
    expect(left.outcome.status).toBe('needs-clarification')
    const unsure = await ask([parser(0.5), modelThat(ambiguous())])
    expect(unsure.outcome.status).toBe('needs-clarification')
    const two = await ask([parser(0.9), modelThat(ambiguous(), ambiguous())])
    expect(two.outcome.status).toBe('needs-clarification')
  })

  it('is outvoted by drafts that see one meaning', async () => {
    const { outcome } = await ask([modelThat(sql(), ambiguous(), sql(), sql())])
    expect(outcome).toMatchObject({ status: 'answered', sql: home })
  })

  it('is heard if two of five say so', async () => {
    const { outcome } = await ask([modelThat(sql(), ambiguous(), sql(), ambiguous(), sql())])
    expect(outcome).toMatchObject({ clarification: { question: 'By which port?' } })
  })

  it('is outvoted by drafts that find no answer', async () => {
    const { outcome } = await ask([modelThat(cannot, ambiguous(), cannot)])
    expect(outcome).toMatchObject({
      status: 'refused',
      why: { code: 'cannot-answer', reason: 'There are no ports.' },
    })
  })

  it('is not asked about in full mode unless the settings say so', async () => {
    const { outcome } = await ask([modelThat(ambiguous(), ambiguous())], {
      thresholds: { answer: 0.3, ask: 0.12 },
    })
    expect(outcome.status).toBe('answered')
  })

  it('has the labels that most drafts give, and further meanings of others', async () => {
    const third = ambiguous({
      unclear: 'port',
      meanings: [
        { label: 'port of building', sql: build },
        { label: 'no port at all', sql: name },
      ],
    })
    const other = ambiguous({
      unclear: 'port',
      meanings: [
        { label: 'home port', sql: home },
        { label: 'yard', sql: build },
      ],
    })
    const { outcome } = await ask([modelThat(other, ambiguous(), third)])
    const labels =
      outcome.status === 'needs-clarification' ? outcome.clarification.options.map(({ label }) => label) : []
    expect(labels.toSorted()).toEqual(['home port', 'no port at all', 'port of building'])
  })

  it('has its labels shown without anything that a person could click', async () => {
    const { outcome } = await ask([
      modelThat(
        ambiguous({
          unclear: '<!channel> port',
          meanings: [
            { label: '<https://evil.example|home> *port*', sql: home },
            { label: 'port of building, see https://evil.example', sql: build },
          ],
        }),
      ),
    ])
    expect(outcome).toMatchObject({
      clarification: {
        question: 'By which port?',
        options: [{ label: 'port' }, { label: 'port of building, see' }],
      },
    })
  })

  it('is a plain statement if its labels cannot be read at a glance', async () => {
    const long = {
      unclear: 'port',
      meanings: [
        { label: 'home port', sql: home },
        { label: `the port ${'that the boat was built in '.repeat(3)}`, sql: build },
      ],
    }
    const { outcome, candidates } = await ask([modelThat(ambiguous(long))])
    expect(outcome).toMatchObject({ status: 'answered', sql: home })
    expect(candidates).toHaveLength(1)
  })
})

describe('a model that repairs', () => {
  const failing = 'select call_port, count(*) from boats group by 1'

  it('may find that nothing can answer, which is heard as a draft that says so', async () => {
    const { outcome, trace } = await ask(
      [pathOf(() => [draft(home, { prior: 0.4 })]), modelThat(sql(failing))],
      {
        fixers: [async () => ({ sql: null, usage: noModelUsage, missing: 'No ports of call. <b>None</b>.' })],
      },
    )
    expect(outcome).toMatchObject({
      status: 'refused',
      why: { code: 'cannot-answer', reason: 'No ports of call. None.' },
    })
    expect(trace?.cannotAnswer).toMatchObject([{ path: 'query-plan', lineage: 'query-plan/m' }])
  })

  it('that says so of what no model wrote is not heard', async () => {
    const { outcome } = await ask([pathOf(() => [draft(failing)])], {
      fixers: [async () => ({ sql: null, usage: noModelUsage, missing: 'No ports.' })],
    })
    expect(outcome).toMatchObject({ status: 'refused', why: { code: 'all-failed' } })
  })

  it('may find the question ambiguous, which is heard as a draft that says so', async () => {
    const named = { label: 'home port', unclear: 'port' }
    const { outcome } = await ask([modelThat(sql(failing), ambiguous())], {
      fixers: [async () => ({ sql: home, usage: noModelUsage, named })],
    })
    expect(outcome).toMatchObject({ clarification: { question: 'By which port?' } })
  })
})

describe('drafting in rounds', () => {
  it('stops once most drafts call it ambiguous, and asks no judge what a person has to say', async () => {
    const model = modelThat(...Array.from({ length: 9 }, () => ambiguous()))
    const judged: unknown[] = []
    const { outcome, trace } = await ask([model], {
      ...adaptive,
      pairwise: {
        rate: (_first: PairMember, _second: PairMember) => 0.5,
        judge: async ({ first, second }) => {
          judged.push([first.sql, second.sql])
          throw new Error('nobody should ask')
        },
      },
    })
    expect(outcome).toMatchObject({ clarification: { question: 'By which port?' } })
    expect(model.calls()).toBe(2)
    expect(trace?.waves.at(-1)?.reason).toBe('the drafts agree that the question has several meanings')
    expect(judged).toEqual([])
  })

  it('asks others before it believes one', async () => {
    const model = modelThat(ambiguous(), sql(), sql(), sql(), sql(), sql())
    const { outcome } = await ask([model], adaptive)
    expect(outcome).toMatchObject({ status: 'answered', sql: home })
    expect(model.calls()).toBeGreaterThan(1)
  })
})
