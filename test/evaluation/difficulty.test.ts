import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { difficultyOf } from '../../src/evaluation/difficulty.ts'

describe('difficulty', () => {
  it.each([
    ['easy', 'select count(*) from boats'],
    ['easy', "select name from boats where port = 'Kiel'"],
    ['easy', '(select name from boats)'],
    ['easy', 'select name from boats where length between 3 and 4 -- , and or'],
    ['easy', "select 'a, b or c' from boats"],
    ['medium', 'select name, length from boats order by length'],
    ['medium', 'select count(*), max(length) from boats'],
    ['medium', "select b.name from boats b join ports p on b.port = p.id where p.name = 'Kiel'"],
    ['medium', "select name from boats where port = 'Kiel' and length > 3"],
    ['hard', 'select name from boats where port in (select id from ports)'],
    ['hard', 'select name from boats union select name from ports'],
    ['hard', '(select name from boats) union (select name from ports where a = 1 or b = 2)'],
    ['hard', 'select port, count(*) from boats where a = 1 group by port order by count(*)'],
    ['extra', 'select a, b from boats where port in (select id from ports)'],
    ['extra', 'with t as (select 1) select a from t where b in (select c from d)'],
    ['extra', "select a, count(*) from b join c on b.i = c.i where d like 'x%' or e = 1 group by a limit 3"],
    [null, "select 'unterminated"],
    [null, 'values (1)'],
  ] as const)('is %s: %s', (difficulty, sql) => {
    expect(difficultyOf(sql, 'sqlite')).toBe(difficulty)
  })

  it('is the same in every dialect that is read alike', () => {
    const sql = 'select a, b from boats where c in (select d from e) limit 3'
    expect(
      (['postgres', 'mysql', 'duckdb', 'tsql'] as const).map(dialect => difficultyOf(sql, dialect)),
    ).toEqual(['extra', 'extra', 'extra', 'extra'])
  })

  const spider = join(import.meta.dirname, '../../../shared/data/spider/questions/spider_dev.jsonl')
  // Spider publishes, of its 1,034 development questions, 24.0, 43.1, 16.8 and 16.1 % of each (our half has other databases).
  it.skipIf(!existsSync(spider))('comes near to what Spider publishes of its own questions', () => {
    const golds = readFileSync(spider, 'utf8')
      .trim()
      .split('\n')
      .map(line => (JSON.parse(line) as { gold: string }).gold)
    const shareOf = (difficulty: string) =>
      golds.filter(gold => difficultyOf(gold, 'sqlite') === difficulty).length / golds.length
    expect(Math.abs(shareOf('easy') - 0.24)).toBeLessThan(0.03)
    expect(Math.abs(shareOf('medium') - 0.431)).toBeLessThan(0.03)
    expect(Math.abs(shareOf('hard') - 0.168)).toBeLessThan(0.03)
    expect(Math.abs(shareOf('extra') - 0.161)).toBeLessThan(0.03)
  })
})
