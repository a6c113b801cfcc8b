import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import type { ParseDialect } from '../../../src/domain/sql.ts'
import { parseSql } from '../../../src/sql/parse/parse-sql.ts'

/** Evaluation data beside the checkout; without it there is nothing to measure. */
const data = new URL('../../../../shared/data/', import.meta.url)

const guard = makeGuard()

const readLines = <T>(path: string): readonly T[] =>
  readFileSync(new URL(path, data), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as T)

interface Question {
  readonly id: string
  readonly gold: string | null
  readonly alternatives?: readonly string[]
  readonly dialect: ParseDialect
  readonly excluded: string | null
}

const questionSets = [
  'spider/questions/spider_train.jsonl',
  'spider/questions/spider_dev.jsonl',
  'spider/questions/spider_dev_pg.jsonl',
  'spider/questions/spider_realistic.jsonl',
  'spider/questions/spider_dk.jsonl',
  'defog/questions/instruct_advanced_postgres.jsonl',
  'defog/questions/instruct_basic_postgres.jsonl',
  'defog/questions/questions_gen_postgres.jsonl',
  'archer/archer_en_train.jsonl',
]

describe.skipIf(!existsSync(data))('the guard on the evaluation data', () => {
  test.each(['refuse', 'allow'] as const)('has the right verdict on all of %s', expected => {
    const lines = readLines<{ id: string; sql: string; dialect: ParseDialect }>(`guard/${expected}.jsonl`)
    expect(lines.length).toBeGreaterThan(0)
    const wrong = lines.filter(({ sql, dialect }) => guard(sql, dialect).verdict !== expected)
    expect(wrong.map(({ id }) => id)).toEqual([])
  })

  test.each(questionSets)(
    'refuses no usable gold of %s',
    path => {
      const usable = readLines<Question>(path).filter(question => question.excluded === null)
      const statements = usable.flatMap(({ id, dialect, gold, alternatives = [] }) =>
        [gold, ...alternatives]
          .filter(sql => sql !== null && sql !== undefined)
          .map(sql => ({ id, dialect, sql })),
      )
      const refused = statements.flatMap(({ id, dialect, sql }) => {
        const verdict = guard(sql, dialect)
        return verdict.verdict === 'refuse' ? [`${id}: ${verdict.reason}`] : []
      })
      console.info(
        `${path}: ${usable.length} questions, ${statements.length} statements, ${refused.length} refused`,
      )
      expect(statements.length).toBeGreaterThan(0)
      expect(refused).toEqual([])
    },
    180_000,
  )

  // Of BIRD there is text alone: nobody can say here which statements run.
  test.each(['sqlite', 'postgres'] as const)(
    'refuses no gold of the BIRD mini-dev in %s that it can read',
    dialect => {
      const path = new URL(`bird_text_only/bird_mini_dev_${dialect}.json`, data)
      const golds = (JSON.parse(readFileSync(path, 'utf8')) as { SQL: string }[]).map(({ SQL }) => SQL)
      const { read, allowed, refusals } = verdictsOn(golds, dialect)
      console.info(`BIRD mini-dev, ${dialect}: ${golds.length} golds, ${read} read, ${allowed} allowed`)
      expect(refusals).toEqual([])
      // Two of SQLite's have "percent" as a name behind an expression, which polyglot does not take for one.
      expect(golds.length - read).toBe(dialect === 'sqlite' ? 2 : 0)
    },
    180_000,
  )

  test.each(['sqlite', 'mysql', 'postgres'] as const)(
    'refuses of what models wrote for BIRD in %s only what no server of that kind would run, or two statements',
    dialect => {
      const written = modelRuns(dialect)
      const { read, allowed, refusals } = verdictsOn(written, dialect)
      const functions = new Map<string, number>()
      const others: string[] = []
      for (const reason of refusals) {
        const called = /^it calls (\S+), which is not on the list/.exec(reason)?.[1]
        if (called !== undefined) functions.set(called, (functions.get(called) ?? 0) + 1)
        else others.push(reason)
      }
      console.info(
        `BIRD model runs, ${dialect}: ${written.length} statements, ${read} read, ${allowed} allowed; calls refused:`,
        Object.fromEntries(functions),
      )
      expect([...functions.keys()].filter(name => !notThere[dialect].has(name))).toEqual([])
      expect(others.filter(reason => !expectedRefusal.test(reason))).toEqual([])
    },
    300_000,
  )
})

/** Functions that models call and that the dialect does not have (columns named `Enrollment (K-12)` among them), so that leaving them off the list costs nothing. */
const notThere: Readonly<Record<'sqlite' | 'mysql' | 'postgres', ReadonlySet<string>>> = {
  sqlite: new Set(
    'year month divide subtract multiply datediff timestampdiff date_part string_split fastestlapspeed frpmcount c'.split(
      ' ',
    ),
  ),
  mysql: new Set(
    'divide subtract multiply strftime c frpm.freemealcount frpm.frpmcount s.enrollment'.split(' '),
  ),
  postgres: new Set(
    'year month divide subtract multiply strftime group_concat datediff fastestlapspeed f.enrollment'.split(
      ' ',
    ),
  ),
}

/** Refused for good reasons: more than one statement, a system table, a string that servers end in two places. */
const expectedRefusal = /^it (?:has \d+ statements|names sqlite_|has a backslash before a quote|has a RAW)/

/** Counts each time that a statement was written; judges each text once, as many models write the same. */
const verdictsOn = (statements: readonly string[], dialect: ParseDialect) => {
  const times = new Map<string, number>()
  for (const sql of statements) times.set(sql, (times.get(sql) ?? 0) + 1)
  let read = 0
  let allowed = 0
  const refusals: string[] = []
  for (const [sql, written] of times) {
    const verdict = guard(sql, dialect)
    // What is allowed was read.
    if (verdict.verdict === 'allow') allowed += written
    else if (!parseSql(sql, dialect).ok) continue
    else refusals.push(...Array<string>(written).fill(verdict.reason))
    read += written
  }
  return { read, allowed, refusals }
}

const birdMark = '\t----- bird -----\t'

/** What models wrote, as they wrote it: a good part of it is not SQL. */
const modelRuns = (dialect: 'sqlite' | 'mysql' | 'postgres'): readonly string[] => {
  const folder = new URL('bird_text_only/', data)
  const dialectOf = (file: string): string =>
    /mysql/.test(file) ? 'mysql' : /postgres/.test(file) ? 'postgres' : 'sqlite'
  const mini = readdirSync(new URL('mini_dev_predictions/', folder))
    .filter(file => dialectOf(file) === dialect)
    .flatMap(file =>
      Object.values(
        JSON.parse(readFileSync(new URL(`mini_dev_predictions/${file}`, folder), 'utf8')) as object,
      ),
    )
  const dev =
    dialect === 'sqlite'
      ? readdirSync(new URL('dev_predictions_nl2sql360/', folder)).flatMap(file =>
          readFileSync(new URL(`dev_predictions_nl2sql360/${file}`, folder), 'utf8')
            .trim()
            .split('\n'),
        )
      : []
  return [...mini, ...dev].map(text => String(text).split(birdMark)[0] ?? '')
}
