import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { SqlError } from '../../src/domain/errors.ts'
import type { Cell, ResultTable } from '../../src/domain/result.ts'
import {
  type EvaluationInput,
  type EvaluationProgress,
  evaluateQuestions,
} from '../../src/evaluation/evaluate-questions.ts'
import type { OpenForEvaluation, SystemAnswer } from '../../src/evaluation/evaluation-database.ts'
import { parseQuestions, type QuestionLine } from '../../src/evaluation/questions-file.ts'
import { makeEvaluated } from './make-evaluated.ts'

const schema = `
  create table fruit (name text, colour text, grams integer);
  insert into fruit values ('apple', 'red', 180), ('plum', 'blue', 60), ('cherry', 'red', 8), ('apple', 'red', 180);
`

const lineOf = (fields: Partial<QuestionLine> = {}): QuestionLine =>
  parseQuestions(
    JSON.stringify({ id: 'q', db_id: 'fruit', question: '?', gold: 'select 1', ...fields }),
    'test',
  )[0]!

const askedOf = (fields: Partial<SystemAnswer> = {}): SystemAnswer => ({
  outcome: 'answered',
  sql: null,
  confidence: null,
  candidates: fields.sql ? [fields.sql] : [],
  usage: { modelCalls: 1, promptTokens: 10, completionTokens: 5 },
  milliseconds: 3,
  ...fields,
})

/** A real SQLite database behind the port, a scripted system in front of it, and a record of what happened. */
const makeSystem = (answers: Record<string, SystemAnswer | Error> = {}) => {
  const log: string[] = []
  let busy = 0
  const seen = { mostBusy: 0, executed: [] as string[] }
  const openForEvaluation: OpenForEvaluation = async dbId => {
    log.push(`open ${dbId}`)
    const database = new DatabaseSync(':memory:')
    database.exec(schema)
    return {
      dialect: 'sqlite',
      indexMilliseconds: 40,
      ask: async line => {
        log.push(`ask ${line.id}`)
        busy += 1
        seen.mostBusy = Math.max(seen.mostBusy, busy)
        await new Promise(resolve => setImmediate(resolve))
        busy -= 1
        const answer = answers[line.id] ?? askedOf()
        if (answer instanceof Error) throw answer
        return answer
      },
      execute: async sql => {
        seen.executed.push(sql)
        return runOn(database, sql)
      },
      close: async () => {
        log.push(`close ${dbId}`)
        database.close()
      },
    }
  }
  return { openForEvaluation, log, seen }
}

const runOn = (database: DatabaseSync, sql: string): ResultTable => {
  try {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    const columns = statement.columns().map(({ name }) => ({ name, kind: 'unknown' as const }))
    return { columns, rows: statement.all() as unknown as Cell[][], truncated: null, milliseconds: 1 }
  } catch (error) {
    throw new SqlError('other', (error as Error).message)
  }
}

const evaluateOne = async (
  line: Partial<QuestionLine>,
  asked: SystemAnswer | Error,
  options: Partial<EvaluationInput> = {},
) => {
  const system = makeSystem({ q: asked })
  const run = await evaluateQuestions({
    lines: [lineOf(line)],
    openForEvaluation: system.openForEvaluation,
    ...options,
  })
  return { ...run.evaluated[0]!, executed: system.seen.executed }
}

describe('the score of one question', () => {
  const gold = "select name, grams from fruit where colour = 'red'"

  it.each<[string, string, { ex: boolean; exAnyOrder: boolean; softF1: number }]>([
    [
      'the same rows',
      'select distinct name, grams from fruit where grams in (8, 180) order by 2',
      { ex: true, exAnyOrder: true, softF1: 0 },
    ],
    [
      'another column order',
      "select grams, name from fruit where colour = 'red'",
      { ex: false, exAnyOrder: true, softF1: 1 },
    ],
    ['other rows', 'select name, grams from fruit', { ex: false, exAnyOrder: false, softF1: 0.4 }],
  ])('%s', async (_, sql, expected) => {
    const scored = await evaluateOne({ gold }, askedOf({ sql }))
    expect(scored).toMatchObject({
      ...expected,
      softF1: expect.closeTo(expected.softF1),
      oracle: expected.ex,
      error: null,
    })
  })

  it('an alternative is as right as the gold, also when the gold does not run', async () => {
    const line = { gold: 'select nothing', alternatives: ['select count(*) from fruit'] }
    const scored = await evaluateOne(line, askedOf({ sql: 'select 4' }))
    expect(scored).toMatchObject({
      ex: true,
      oracle: true,
      softF1: 1,
      goldError: expect.stringContaining('nothing'),
    })
  })

  it('nothing is right when no gold runs', async () => {
    const scored = await evaluateOne({ gold: 'select nothing' }, askedOf({ sql: 'select nothing' }))
    expect(scored).toMatchObject({ ex: false, exAnyOrder: false, softF1: 0, oracle: false })
    expect(scored.goldError).toContain('nothing')
  })

  it('a statement that fails is wrong, and says why', async () => {
    const scored = await evaluateOne({}, askedOf({ sql: 'select colour from vegetable' }))
    expect(scored).toMatchObject({
      ex: false,
      softF1: 0,
      outcome: 'answered',
      error: expect.stringContaining('vegetable'),
    })
  })

  it('the oracle looks at the first candidates only, and stops at the right one', async () => {
    const candidates = ['select 2', 'select 3', 'select 1', 'select 5']
    const asked = askedOf({ sql: 'select 2', candidates })
    expect(await evaluateOne({}, asked)).toMatchObject({
      ex: false,
      oracle: true,
      executed: ['select 1', 'select 2', 'select 3'],
    })
    expect(await evaluateOne({}, asked, { oracleOver: 2 })).toMatchObject({ oracle: false })
  })

  it('the oracle counts when the question was asked back', async () => {
    const scored = await evaluateOne({}, askedOf({ outcome: 'clarified', candidates: ['select 1'] }))
    expect(scored).toMatchObject({
      outcome: 'clarified',
      ex: false,
      exAnyOrder: false,
      softF1: 0,
      oracle: true,
    })
  })

  it('a system that throws has failed', async () => {
    const scored = await evaluateOne({}, new Error('out of paper'))
    expect(scored).toMatchObject({
      outcome: 'failed',
      sql: null,
      ex: false,
      error: 'out of paper',
      modelCalls: 0,
    })
  })

  it('a question that cannot be answered has no scores, and nothing is run for it', async () => {
    const scored = await evaluateOne({ gold: null, answerable: false }, askedOf({ sql: 'select 1' }))
    expect(scored).toMatchObject({
      ex: null,
      exAnyOrder: null,
      softF1: null,
      oracle: null,
      answerable: false,
      executed: [],
    })
  })

  it.each<[string, Partial<ResultTable>]>([
    ['cut short', { truncated: 'rows' }],
    ['late', { milliseconds: 30_001 }],
  ])('a result that comes %s is wrong', async (_, fields) => {
    const answer: ResultTable = {
      columns: [{ name: 'x', kind: 'unknown' }],
      rows: [[1]],
      truncated: null,
      milliseconds: 1,
    }
    const { evaluated } = await evaluateQuestions({
      lines: [lineOf()],
      openForEvaluation: async () => ({
        dialect: 'sqlite',
        indexMilliseconds: 0,
        ask: async () => askedOf({ sql: 'answer' }),
        execute: async sql => (sql === 'answer' ? { ...answer, ...fields } : answer),
        close: async () => {},
      }),
    })
    expect(evaluated[0]).toMatchObject({
      ex: false,
      oracle: false,
      error: expect.stringMatching(/cut|longer than 30 s/),
    })
  })

  it('a statement that runs over the limit is stopped and wrong', async () => {
    let stopped = false
    const { evaluated } = await evaluateQuestions({
      lines: [lineOf()],
      timeoutMs: 20,
      openForEvaluation: async () => ({
        dialect: 'sqlite',
        indexMilliseconds: 0,
        ask: async () => askedOf({ sql: 'endless' }),
        execute: (sql, { signal }) =>
          sql !== 'endless'
            ? Promise.resolve({
                columns: [{ name: 'x', kind: 'unknown' }],
                rows: [[1]],
                truncated: null,
                milliseconds: 1,
              })
            : new Promise((_, reject) => {
                signal.addEventListener('abort', () => {
                  stopped = true
                  reject(new SqlError('cancelled', 'cancelled'))
                })
              }),
        close: async () => {},
      }),
    })
    expect(stopped).toBe(true)
    expect(evaluated[0]).toMatchObject({ ex: false, error: 'ran longer than 0.02 s' })
  })
})

describe('the run', () => {
  const lines = [
    lineOf({ id: 'a1', db_id: 'a' }),
    lineOf({ id: 'b1', db_id: 'b' }),
    lineOf({ id: 'a2', db_id: 'a' }),
  ]

  it('takes one database after the other, indexes first, and returns results in the order of the lines', async () => {
    const system = makeSystem()
    const progress: EvaluationProgress[] = []
    const run = await evaluateQuestions({
      lines,
      openForEvaluation: system.openForEvaluation,
      onProgress: step => void progress.push(step),
    })
    expect(system.log).toEqual(['open a', 'ask a1', 'ask a2', 'close a', 'open b', 'ask b1', 'close b'])
    expect(run.evaluated.map(({ id }) => id)).toEqual(['a1', 'b1', 'a2'])
    expect(run.indexMilliseconds).toBe(80)
    expect(progress).toEqual([
      { phase: 'index', database: 'a', done: 0, total: 3 },
      { phase: 'ask', database: 'a', done: 1, total: 3 },
      { phase: 'ask', database: 'a', done: 2, total: 3 },
      { phase: 'index', database: 'b', done: 2, total: 3 },
      { phase: 'ask', database: 'b', done: 3, total: 3 },
    ])
  })

  it('goes on where an earlier one stopped', async () => {
    const system = makeSystem()
    const kept: string[] = []
    const earlier = makeEvaluated({ id: 'b1', sql: 'earlier' })
    const stranger = makeEvaluated({ id: 'z9' })
    const run = await evaluateQuestions({
      lines,
      done: [earlier, stranger],
      openForEvaluation: system.openForEvaluation,
      onEvaluated: ({ id }) => void kept.push(id),
    })
    expect(system.log).toEqual(['open a', 'ask a1', 'ask a2', 'close a'])
    expect(kept).toEqual(['a1', 'a2'])
    expect(run.evaluated.map(({ id }) => id)).toEqual(['a1', 'b1', 'a2'])
    expect(run.evaluated[1]).toBe(earlier)
    expect(run.indexMilliseconds).toBe(40)
  })

  it('opens nothing when all is done', async () => {
    const system = makeSystem()
    const done = lines.map(({ id }) => makeEvaluated({ id }))
    const run = await evaluateQuestions({ lines, done, openForEvaluation: system.openForEvaluation })
    expect(system.log).toEqual([])
    expect(run).toEqual({ evaluated: done, indexMilliseconds: null })
  })

  it.each([1, 3])('asks %d at a time', async concurrency => {
    const system = makeSystem()
    const many = Array.from({ length: 8 }, (_, n) => lineOf({ id: `q${n}` }))
    await evaluateQuestions({ lines: many, concurrency, openForEvaluation: system.openForEvaluation })
    expect(system.seen.mostBusy).toBe(concurrency)
  })

  it('rejects when a database cannot be opened, and closes what it opened', async () => {
    const system = makeSystem()
    const openForEvaluation: OpenForEvaluation = (dbId, options) =>
      dbId === 'b' ? Promise.reject(new Error('no such file')) : system.openForEvaluation(dbId, options)
    await expect(evaluateQuestions({ lines, openForEvaluation })).rejects.toThrow('no such file')
    expect(system.log.at(-1)).toBe('close a')
  })

  it('stops at the signal, keeps what is done, and closes the database', async () => {
    const system = makeSystem()
    const stop = new AbortController()
    const kept: string[] = []
    const run = evaluateQuestions({
      lines,
      openForEvaluation: system.openForEvaluation,
      signal: stop.signal,
      onEvaluated: ({ id }) => {
        kept.push(id)
        stop.abort(new Error('stopped'))
      },
    })
    await expect(run).rejects.toThrow('stopped')
    expect(kept).toEqual(['a1'])
    expect(system.log).toEqual(['open a', 'ask a1', 'close a'])
  })
})
