import { randomUUID } from 'node:crypto'
import { MemorySaver } from '@langchain/langgraph-checkpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnswerDeps } from '../../../graphs/answer/deps.ts'
import { makeAnswerRuns } from '../../../graphs/answer/index.ts'
import { findClarification } from '../../../src/clarification/find-clarification.ts'
import type { AnswerEvent } from '../../../src/core/answer-event.ts'
import type { Connector } from '../../../src/core/connector.ts'
import type { Database } from '../../../src/core/database.ts'
import type { Draft, DraftPath, FixSql } from '../../../src/core/draft.ts'
import type { Question } from '../../../src/core/question.ts'
import { silentAudit } from '../../../src/core/statement-audit.ts'
import { noUsage } from '../../../src/core/usage.ts'
import { connect } from '../../../src/databases/connect.ts'
import { makeGuard } from '../../../src/databases/guard/make-guard.ts'
import { widenSchema } from '../../../src/databases/linking/widen-schema.ts'
import { makeRunQuery } from '../../../src/databases/run.ts'
import { makeMemoryResults } from '../../../src/store/in-memory/results.ts'
import { makeMemoryWorkbench } from '../../../src/store/in-memory/workbench.ts'
import { selectionParts } from '../../helpers/selection-parts.ts'
import { makeSqliteFile } from '../../helpers/sqlite-file.ts'

const harbour = makeSqliteFile(`
  create table boats (id integer primary key, name text, home_port text, build_port text, length real);
  insert into boats values (1, 'Alba', 'Kiel', 'Gdansk', 9.5), (2, 'Brisa', 'Kiel', 'Kiel', 12), (3, 'Cyan', 'Bergen', 'Kiel', 7);
`)
let connector: Connector
let database: Database

beforeAll(async () => {
  connector = await connect({ kind: 'sqlite', name: 'harbour', file: harbour.file }, { audit: silentAudit })
  const guard = makeGuard()
  database = {
    name: 'harbour',
    dialect: 'sqlite',
    catalog: await connector.introspect(),
    findValues: () => [],
    guard: sql => guard(sql, 'sqlite'),
    run: makeRunQuery({ connector, limits: { timeoutMs: 5_000, maxRows: 100, maxBytes: 100_000 } }),
    indexMilliseconds: 0,
  }
})

afterAll(async () => {
  await connector.close()
  harbour.remove()
})

const draft = (sql: string, given: Partial<Draft> = {}): Draft => ({
  sql,
  lineage: 'semantic-parser',
  prior: 0.6,
  decisions: [],
  assumptions: [],
  unused: [],
  ...given,
})

/** A path that gives the drafts a test wrote, by the words of the question. */
const pathOf = (
  drafts: (question: string) => Draft[],
  name: DraftPath['name'] = 'semantic-parser',
): DraftPath => ({
  name,
  cost: name === 'semantic-parser' ? 'free' : 'model',
  samples: 1,
  draft: async ({ understanding }) => ({ drafts: drafts(understanding.text), usage: noUsage }),
})

const home = { phrase: 'port', kind: 'column', choice: 'boats.home_port', label: 'home port' } as const
const build = { phrase: 'port', kind: 'column', choice: 'boats.build_port', label: 'build port' } as const
const byPort = [
  draft('select home_port, count(*) from boats group by 1', { prior: 0.4, decisions: [home] }),
  draft('select build_port, count(*) from boats group by 1 having count(*) > 1', {
    prior: 0.35,
    decisions: [build],
  }),
]

const asked = (text: string): Question => {
  const id = randomUUID()
  return {
    id,
    key: id,
    text,
    database: 'harbour',
    askedAt: new Date('2026-03-02T10:00:00Z'),
    timeZone: 'UTC',
    askedBy: null,
  }
}

const makeRuns = (given: Partial<AnswerDeps>) => {
  const results = makeMemoryResults()
  const workbench = makeMemoryWorkbench()
  const checkpointer = new MemorySaver()
  const runs = makeAnswerRuns(
    {
      database: async () => database,
      understand: (text, clock) => ({
        kind: text === '' ? 'empty' : 'data',
        text,
        spans: [],
        today: clock.now().toISOString().slice(0, 10),
        timeZone: clock.timeZone,
      }),
      linkSchema: async () => ({ tables: [{ table: 'boats', keep: 'all' }] }),
      widenSchema,
      paths: [pathOf(() => [draft('select count(*) as boats from boats')])],
      fixers: [],
      ...selectionParts,
      findClarification,
      workbench,
      saveResult: results.save,
      loadResult: results.load,
      loadHeads: results.heads,
      thresholds: { answer: 0.5, ask: 0.2 },
      ...given,
    },
    checkpointer,
  )
  return { runs, results, checkpointer }
}

describe('a question', () => {
  it('is answered with the saved result, a headline and how sure it is', async () => {
    const { runs, results } = makeRuns({})
    const { outcome } = await runs.start(asked('how many boats?'))
    expect(outcome).toMatchObject({ status: 'answered', confidence: 0.6, headline: 'boats: 3' })
    const table = outcome.status === 'answered' ? await results.load(outcome.resultId) : null
    expect(table?.rows).toEqual([[3]])
  })

  it('tells its steps while it goes', async () => {
    const { runs } = makeRuns({})
    const events: AnswerEvent[] = []
    await runs.start(asked('how many boats?'), { onEvent: event => events.push(event) })
    expect(events.map(event => event.step)).toEqual([
      'understand',
      'find-values',
      'link',
      'draft',
      'check',
      'choose',
      'explain',
    ])
  })

  it('is answered by the other path when one throws', async () => {
    const broken: DraftPath = {
      name: 'divide-and-conquer',
      cost: 'model',
      samples: 1,
      draft: () => Promise.reject(new Error('no model')),
    }
    const { runs } = makeRuns({ paths: [broken, pathOf(() => [draft('select 3')])] })
    expect((await runs.start(asked('how many?'))).outcome.status).toBe('answered')
  })

  it('is trusted more when two lineages agree', async () => {
    const other = pathOf(() => [draft('select 3', { lineage: 'model' })], 'divide-and-conquer')
    const { runs } = makeRuns({ paths: [pathOf(() => [draft('select count(*) from boats')]), other] })
    const { outcome } = await runs.start(asked('how many?'))
    expect(outcome).toMatchObject({ status: 'answered', confidence: expect.closeTo(0.84) })
  })

  it('is refused with the missing words when no reading is trusted', async () => {
    const { runs } = makeRuns({
      paths: [pathOf(() => [draft('select 1', { prior: 0.1, unused: ['zebra'] })])],
    })
    expect((await runs.start(asked('zebra?'))).outcome).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('zebra'),
    })
  })

  it('is refused when the guard refuses every draft', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => [draft('delete from boats')])] })
    const { outcome, candidates } = await runs.start(asked('sink them'))
    expect(outcome.status).toBe('refused')
    expect(candidates[0]?.run).toMatchObject({ status: 'failed', errorClass: 'refused' })
    expect(connector.dialect).toBe('sqlite')
  })

  it('without words gets a reply and touches no data', async () => {
    const { runs } = makeRuns({})
    const { outcome, candidates } = await runs.start(asked(''))
    expect(outcome.status).toBe('refused')
    expect(candidates).toEqual([])
  })

  it('stops when it is told to', async () => {
    const stop = new AbortController()
    const slow = pathOf(() => {
      stop.abort(new Error('enough'))
      return [draft('select 1')]
    })
    const { runs } = makeRuns({ paths: [slow] })
    await expect(runs.start(asked('?'), { signal: stop.signal })).rejects.toThrow()
  })
})

describe('repair', () => {
  it('runs the repaired statement and remembers what was wrong', async () => {
    const fix: FixSql = async ({ sql }) => ({ sql: sql.replace('boat ', 'boats '), usage: noUsage })
    const { runs } = makeRuns({
      paths: [pathOf(() => [draft('select count(*) from boat where 1')])],
      fixers: [fix],
    })
    const { outcome, candidates } = await runs.start(asked('how many?'))
    expect(outcome).toMatchObject({ status: 'answered', sql: 'select count(*) from boats where 1' })
    expect(candidates[0]?.repairs).toMatchObject([{ round: 1, errorClass: 'unknown-table' }])
  })

  it.each([
    ['three rounds with a model', 1, 3],
    ['eight without', 0, 8],
  ])('gives up after %s', async (_, modelCalls, most) => {
    let rounds = 0
    const usage = { ...noUsage, modelCalls }
    const fix: FixSql = async () => ({ sql: `select nothing_${++rounds} from boats`, usage })
    const { runs } = makeRuns({ paths: [pathOf(() => [draft('select nothing from boats')])], fixers: [fix] })
    const { candidates } = await runs.start(asked('nothing?'))
    expect(rounds).toBe(most)
    expect(candidates[0]?.repairs).toHaveLength(most)
    expect(candidates[0]?.run).toMatchObject({ status: 'failed', errorClass: 'unknown-column' })
  })

  it('asks the next fixer when one has no fix or breaks', async () => {
    const none: FixSql = async () => ({ sql: null, usage: noUsage })
    const broken: FixSql = () => Promise.reject(new Error('no model'))
    const last: FixSql = async () => ({ sql: 'select 3', usage: noUsage })
    const { runs } = makeRuns({ paths: [pathOf(() => [draft('select nope')])], fixers: [none, broken, last] })
    expect((await runs.start(asked('how many?'))).outcome).toMatchObject({
      status: 'answered',
      sql: 'select 3',
    })
  })

  it('keeps an empty result when the repair breaks it', async () => {
    const fix: FixSql = async () => ({ sql: 'select nope', usage: noUsage })
    const empty = draft("select name from boats where home_port = 'Rome'", { prior: 0.9 })
    const { runs } = makeRuns({ paths: [pathOf(() => [empty])], fixers: [fix] })
    expect((await runs.start(asked('boats of Rome'))).outcome).toMatchObject({
      status: 'answered',
      headline: 'No rows match.',
    })
  })
})

describe('a question back', () => {
  it('is asked once with both readings, and answered by the number of one', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port')
    const { outcome } = await runs.start(question)
    expect(outcome).toMatchObject({
      status: 'needs-clarification',
      clarification: {
        question: 'What do you mean by “port”?',
        options: [
          { label: 'home port', hint: '2 rows' },
          { label: 'build port', hint: '1 row' },
        ],
      },
    })
    const resumed = await runs.resume(question.id, { kind: 'option', number: 2 })
    expect(resumed.outcome).toMatchObject({
      status: 'answered',
      sql: byPort[1]?.sql,
      assumptions: ['You chose: build port.'],
    })
  })

  it('says when nobody replied and the default was taken, and what else it could have been', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port')
    await runs.start(question)
    const { outcome } = await runs.resume(question.id, { kind: 'option', number: 1, expired: true })
    expect(outcome).toMatchObject({
      status: 'answered',
      sql: byPort[0]?.sql,
      assumptions: ['Nobody replied, so I took: home port.'],
      alternatives: [{ label: 'build port', hint: '1 row', candidateId: '0/00/semantic-parser/00.01' }],
    })
  })

  it('is not asked where that costs more than it adds; the answer tells what it took', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)], thresholds: { answer: 0.3, ask: 0.5 } })
    const { outcome } = await runs.start(asked('boats by port'))
    expect(outcome).toMatchObject({
      status: 'answered',
      sql: byPort[0]?.sql,
      assumptions: ['I took “port” as: home port.'],
      alternatives: [{ label: 'build port', hint: '1 row' }],
    })
  })

  it('is asked about candidates that no parser wrote', async () => {
    const drafts = [
      draft("select name from boats where home_port = 'Kiel'", { prior: 0.4, decisions: [] }),
      draft("select name from boats where build_port = 'Kiel'", { prior: 0.35, decisions: [] }),
    ]
    const { runs } = makeRuns({ paths: [pathOf(() => drafts)] })
    const { outcome } = await runs.start(asked('which boats are from Kiel?'))
    expect(outcome).toMatchObject({
      status: 'needs-clarification',
      clarification: {
        question: 'What do you mean by “Kiel”?',
        options: [{ label: 'home port is Kiel' }, { label: 'build port is Kiel' }],
      },
    })
  })

  it('drafts an option of which no result is left in its own words, and asks no second time', async () => {
    const again = pathOf(text => (text.includes('(build port)') ? byPort.slice(1) : byPort))
    const { runs } = makeRuns({
      paths: [again],
      findClarification: given => {
        const found = findClarification(given)
        const gone = (found?.clarification.options ?? []).map(option =>
          option.label === 'build port' ? { ...option, candidateIds: ['gone'] } : option,
        )
        return found && { ...found, clarification: { ...found.clarification, options: gone } }
      },
      thresholds: { answer: 0.3, ask: 0.2 },
    })
    const question = asked('boats by port')
    await runs.start(question)
    const { outcome, candidates } = await runs.resume(question.id, { kind: 'option', number: 2 })
    expect(outcome.status).toBe('answered')
    expect(candidates.map(candidate => candidate.id)).toContain('1/00/semantic-parser/00.00')
  })

  it('is still asked when its job is delivered again', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port')
    const first = await runs.start(question)
    expect((await runs.start(question)).outcome).toEqual(first.outcome)
  })

  it('takes the first of two replies', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port')
    await runs.start(question)
    const first = await runs.resume(question.id, { kind: 'option', number: 1 })
    expect(await runs.resume(question.id, { kind: 'option', number: 2 })).toEqual(first)
  })

  it('takes a typed reply that names one option as that option', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port')
    await runs.start(question)
    expect((await runs.resume(question.id, { kind: 'text', text: 'Build' })).outcome).toMatchObject({
      status: 'answered',
      sql: byPort[1]?.sql,
    })
  })

  it('drafts again with other words', async () => {
    const again = pathOf(text =>
      text.includes('longest')
        ? [draft('select name from boats order by length desc limit 1', { prior: 0.9 })]
        : byPort,
    )
    const { runs } = makeRuns({ paths: [again] })
    const question = asked('boats by port')
    await runs.start(question)
    const { outcome, candidates } = await runs.resume(question.id, { kind: 'text', text: 'the longest one' })
    expect(outcome).toMatchObject({ status: 'answered', sql: expect.stringContaining('order by length') })
    expect(candidates.map(candidate => candidate.id)).toContain('1/00/semantic-parser/00.00')
  })
})

describe('checkpoints', () => {
  it('hold ids and facts, but no rows and no SQL of candidates that were not chosen', async () => {
    const { runs, checkpointer } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port')
    await runs.start(question)
    const tuple = await checkpointer.getTuple({ configurable: { thread_id: question.id } })
    const state = JSON.stringify(tuple?.checkpoint.channel_values)
    expect(state).toContain('0/semantic-parser/00')
    expect(state).not.toContain('select home_port')
    expect(state).not.toContain('Bergen')
  })
})

describe('the trace of a run', () => {
  it('holds what was read, tried and decided, and what each step took', async () => {
    const boom: DraftPath = {
      name: 'query-plan',
      cost: 'model',
      samples: 1,
      draft: async () => {
        throw new Error('the model hung')
      },
    }
    const { runs } = makeRuns({ paths: [pathOf(() => [draft('select name from boats')]), boom] })
    const question = asked('which boats?')
    const { trace } = await runs.start(question)
    expect(trace).toMatchObject({
      questionId: question.id,
      question: 'which boats?',
      schema: [{ table: 'boats', keep: 'all' }],
      groups: [{ head: { columns: ['name'], rows: [['Alba'], ['Brisa'], ['Cyan']] } }],
      outcome: { status: 'answered', headline: '3 rows: name' },
      failures: [{ path: 'query-plan', sample: 0, message: 'the model hung' }],
      leftOut: [],
    })
    expect(trace?.waves.at(-1)?.drafts).toEqual([])
    const steps = new Map(trace?.steps.map(step => [step.step, step]))
    expect(steps.get('draft-sql')?.times).toBe(2)
    expect(steps.get('explain-answer')?.times).toBe(1)
    expect([...steps.values()].every(({ milliseconds, longest }) => milliseconds >= longest)).toBe(true)
    expect(await runs.trace(question.id)).toEqual(trace)
    expect(await runs.trace('another')).toBeNull()
  })

  it('is there for a question that is asked back, and goes on with the reply', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port?')
    expect((await runs.start(question)).trace?.outcome?.status).toBe('needs-clarification')
    const { trace } = await runs.resume(question.id, { kind: 'option', number: 2 })
    expect(trace).toMatchObject({ outcome: { status: 'answered' }, reply: { kind: 'option', number: 2 } })
  })

  it('tells how far a run came that broke', async () => {
    const { runs } = makeRuns({
      paths: [pathOf(() => byPort)],
      findClarification: () => {
        throw new Error('broken')
      },
    })
    const question = asked('boats by port')
    await expect(runs.start(question)).rejects.toThrow('broken')
    const trace = await runs.trace(question.id)
    expect(trace).toMatchObject({ outcome: null, schema: [{ table: 'boats' }] })
    expect(trace?.candidates[0]?.run?.status).toBe('ran')
  })
})
