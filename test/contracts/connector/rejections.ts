import { describe, expect, it } from 'vitest'
import { sqlErrorOf } from '../../helpers/sql-error-of.ts'
import type { OpenedConnector } from './connector-subject.ts'

/** What must not run does not, and what cannot run says why. */
export const testRejections = ({ subject, connector, run, nothingRuns }: OpenedConnector): void => {
  describe('writing', () => {
    for (const sql of subject.writes) {
      it(`refuses: ${sql.slice(0, 60)}`, async () => {
        const before = await run('select * from ports order by id')
        expect((await sqlErrorOf(run(sql))).errorClass).toMatch(/^(permission|syntax)$/)
        expect((await run('select * from ports order by id')).rows).toEqual(before.rows)
      })
    }

    it('passes its safeguard check: refuses writes, stops in time, and frees the database when canceled', async () => {
      expect(await connector().checkSafeguards()).toEqual({
        refusesWrites: true,
        stopsAtTimeout: true,
        cancelFreesServer: true,
        roleCanWrite: subject.roleCanWrite,
      })
      await nothingRuns()
    })

    it('stops checking its safeguards when told to', async () => {
      const error = await sqlErrorOf(connector().checkSafeguards({ signal: AbortSignal.abort() }))
      expect(error.errorClass).toBe('cancelled')
    })

    it('runs no second statement', async () => {
      expect((await sqlErrorOf(run('select 1; select 2'))).errorClass).toBe('syntax')
      expect((await sqlErrorOf(run('select 1; delete from stops'))).errorClass).toBe('syntax')
      expect((await run('select count(*) from stops')).rows).toEqual([[3]])
    })

    it('takes a semicolon and comments behind the one statement', async () => {
      expect((await run('select 1; -- the end\n /* really */ ;')).rows).toEqual([[1]])
    })
  })

  describe('errors', () => {
    for (const [errorClass, sql] of subject.errors) {
      it(`says ${errorClass} of: ${sql.slice(0, 70)}`, async () => {
        const error = await sqlErrorOf(run(sql))
        expect(error).toMatchObject({ code: 'database-error', errorClass })
        expect(error.driverCode).not.toBeNull()
        expect(error.message.length).toBeGreaterThan(5)
      })
    }

    it('keeps messages to one line of at most 500 characters', async () => {
      const error = await sqlErrorOf(run(`select "${'no\n'.repeat(1000)}x"."y" from ports`))
      expect(error.message.length).toBeLessThanOrEqual(500)
      expect(error.message).not.toContain('\n')
    })

    it('goes on after an error', async () => {
      await sqlErrorOf(run('select nonsense from nowhere'))
      expect((await run('select 1')).rows).toEqual([[1]])
    })
  })
}
