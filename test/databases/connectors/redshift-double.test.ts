import { describe, expect, it } from 'vitest'
import { toSqlError } from '../../../src/databases/connectors/redshift/errors.ts'
import { splitStatements, translate } from '../../helpers/doubles/redshift/statements.ts'

const codeOf = (sql: string): string => {
  const result = translate(sql)
  return result.kind === 'refuse' ? result.code : 'runs'
}

const writtenFor = (sql: string): string => {
  const result = translate(sql)
  return result.kind === 'run' ? result.sql : result.message
}

describe('the double of Redshift', () => {
  it.each([
    ['select count(*) filter (where a > 1) from t', '42601'],
    ['select distinct on (a) a from t', '0A000'],
    ['select * from t, lateral (select 1) as u', '42601'],
    ['select 1 where a is not distinct from b', '42601'],
    ["select E'x'", '42704'],
    ['select $$x$$', '42601'],
    ['select array[1, 2]', '0A000'],
    ['select a::jsonb from t', '42704'],
    ['select * from generate_series(1, 3)', '42883'],
    ["select string_agg(a, ',') from t", '42883'],
    ['select pg_advisory_unlock_all()', '42883'],
    ['set local lock_timeout = 10', '42704'],
    ['set local standard_conforming_strings = on', '42704'],
    ['savepoint probe', '0A000'],
    ['listen x', '42601'],
    ["select 'filter (where x)'", 'runs'],
  ])('answers %s with %s', (sql, code) => {
    expect(codeOf(sql)).toBe(code)
  })

  it.each([
    "unload ('select 1') to 's3://b/x'",
    "copy t from 's3://b/x'",
    'call f()',
    'cancel 1',
    'show tables',
  ])('is loud about what must never reach a server: %s', sql => {
    expect(() => translate(sql)).toThrow('must not reach the server')
  })

  it('writes for Postgres what only Redshift reads', () => {
    expect(writtenFor("select 'a\\\\b', 'it\\'s', 'it''s'")).toBe("select 'a\\b', 'it''s', 'it''s'")
    expect(writtenFor('select dateadd(month, 1, d) from t')).toBe("select dateadd('month', 1, d) from t")
    expect(writtenFor('select month from t')).toBe('select month from t')
    expect(writtenFor("select listagg(a, ', ') within group (order by b) from t")).toBe(
      "select string_agg(a, ', ' order by b) from t",
    )
    expect(splitStatements("select ';' ; -- ;\n rollback;")).toHaveLength(2)
  })
})

describe('errors of Redshift', () => {
  it('says why a query is refused in a read-only transaction', () => {
    const words =
      'Failed to incorporate external table "s"."t" into local catalog. Error=transaction is read-only'
    const error = toSqlError(Object.assign(new Error(words), { severity: 'ERROR', code: 'XX000' }), {
      ranOutOfTime: false,
    })
    expect(error).toMatchObject({ errorClass: 'permission', driverCode: 'XX000' })
    expect(error.message).toContain('patch 204')
  })
})
