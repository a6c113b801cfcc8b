import { expect, it } from 'vitest'
import { tryCandidate } from '../../../../graphs/answer/repair/try-candidate.ts'
import type { Database } from '../../../../src/domain/database.ts'
import { QuerentError, SqlError } from '../../../../src/domain/errors.ts'
import { ExpensiveQueryError } from '../../../../src/domain/sql.ts'
import { forgeGuardedSql } from '../../../helpers/forge-guarded-sql.ts'

const sql = 'select 1'

const attempt = (error: Error) =>
  tryCandidate(
    sql,
    { id: 'q', text: 'one?' },
    {
      database: {
        guard: () => ({ verdict: 'allow', guarded: forgeGuardedSql(sql, 'sqlite') }),
        run: () => Promise.reject(error),
      } as Pick<Database, 'guard' | 'run'> as Database,
      saveResult: () => Promise.reject(new Error('nothing is to be saved')),
      resultKey: () => '',
      columnsKey: () => '',
      findEvidence: () => {
        throw new Error('there is no evidence')
      },
    },
    {},
  )

it('does not take a statement that cannot be written down for a wrong one', async () => {
  const away = new QuerentError('store-unavailable', 'the audit log is away')
  await expect(attempt(away)).rejects.toBe(away)
})

it.each([
  [new ExpensiveQueryError({ rows: 9e9, table: 'events' }, 5e7), 'too-heavy'],
  [new SqlError('over-budget', 'The limit is reached.'), 'over-budget'],
  [new QuerentError('database-unreachable', 'Nothing listens at db:5432.'), 'connection'],
])('tells why a statement was not run: %s', async (error, errorClass) => {
  const { run } = await attempt(error)
  expect(run).toEqual({ status: 'failed', errorClass, message: error.message })
})
