import { describe, expect, it, vi } from 'vitest'
import { sqlErrorOf } from '../../helpers/sql-error-of.ts'
import type { OpenedConnector } from './connector-subject.ts'

/** Statements end when they take too long or are cancelled, in the database too. */
export const testCancellation = ({ subject, run, nothingRuns }: OpenedConnector): void => {
  describe('stopping', () => {
    it('stops a statement that runs away, in the database too', async () => {
      const error = await sqlErrorOf(run(subject.runaway, { timeoutMs: 300 }))
      expect(error).toMatchObject({ code: 'database-error', errorClass: 'timeout' })
      await nothingRuns()
      expect((await run('select 1')).rows).toEqual([[1]])
    })

    it('stops one that has begun to give rows', async () => {
      const error = await sqlErrorOf(
        run(`select n from (${subject.numbers(2_000_000_000)}) endless`, {
          timeoutMs: 300,
          maxRows: 2_000_000_000,
          maxBytes: 2 ** 40,
        }),
      )
      expect(error.errorClass).toBe('timeout')
      await nothingRuns()
    })

    it('cancels by signal, in the database too', async () => {
      const controller = new AbortController()
      const running = sqlErrorOf(run(subject.runaway, { signal: controller.signal }))
      await vi.waitFor(async () => expect(await subject.runningStatements()).toBe(1), { timeout: 20_000 })
      controller.abort()
      expect(await running).toMatchObject({ code: 'cancelled', errorClass: 'cancelled' })
      await nothingRuns()
      expect((await run('select 2')).rows).toEqual([[2]])
    })

    it('does not begin what was cancelled before', async () => {
      const error = await sqlErrorOf(run('select 1', { signal: AbortSignal.abort() }))
      expect(error.errorClass).toBe('cancelled')
    })

    it('cancels what still waits for its turn, and leaves the others alone', async () => {
      const running = new AbortController()
      const waiting = new AbortController()
      const busy = Array.from({ length: 8 }, () =>
        sqlErrorOf(run(subject.runaway, { signal: running.signal })),
      )
      const queued = sqlErrorOf(run('select 1', { signal: waiting.signal }))
      const patient = run('select 3')
      waiting.abort()
      expect((await queued).errorClass).toBe('cancelled')
      running.abort()
      expect((await Promise.all(busy)).map(error => error.errorClass)).toEqual(Array(8).fill('cancelled'))
      expect((await patient).rows).toEqual([[3]])
      await nothingRuns()
    })
  })
}
