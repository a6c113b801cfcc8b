import { describe, expect, it } from 'vitest'
import type { OpenedConnector } from './connector-subject.ts'

/** Statements at the same time. */
export const testConcurrency = ({ run }: OpenedConnector): void => {
  describe('at once', () => {
    it('answers ten statements, each with its own rows', async () => {
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) => run(`select ${index}, name from ports where id = 1`)),
      )
      expect(results.map(result => result.rows)).toEqual(
        Array.from({ length: 10 }, (_, index) => [[index, 'Ålesund']]),
      )
    })

    it('keeps failures of some from the others', async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) => run(index % 2 === 0 ? `select ${index}` : 'select nope')),
      )
      expect(results.map(result => result.status)).toEqual(
        Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'fulfilled' : 'rejected')),
      )
    })
  })
}
