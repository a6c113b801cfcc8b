import { describe, expect, it, vi } from 'vitest'
import { sqlErrorOf } from '../../helpers/sql-error-of.ts'
import type { OpenedConnector } from './connector-subject.ts'

/** Closes the connector: the last part. */
export const testClosing = ({ subject, connector, run }: OpenedConnector): void => {
  describe('closing', () => {
    it('ends what runs, holds nothing any more, and takes no more statements', async () => {
      const held = await subject.heldResources()
      expect(held).toBeGreaterThan(0)
      const running = sqlErrorOf(run(subject.runaway))
      await vi.waitFor(async () => expect(await subject.runningStatements()).toBe(1), { timeout: 20_000 })
      await connector().close()
      expect((await running).errorClass).toBe('connection')
      // What waits for a reply ends with that, and an idle connection a few seconds later.
      await vi.waitFor(async () => expect(await subject.heldResources()).toBe(0), { timeout: 45_000 })
      expect((await sqlErrorOf(run('select 1'))).errorClass).toBe('connection')
      await connector().close()
    })
  })
}
