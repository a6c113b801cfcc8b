import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ParseDialect } from '../../../src/core/dialect.ts'
import { makeGuard } from '../../../src/databases/guard/make-guard.ts'

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
})
