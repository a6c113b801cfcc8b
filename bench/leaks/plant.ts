import { randomUUID } from 'node:crypto'
import { markOf, type Region, regions } from './world.ts'

/** Runs SQL in the store of the bot. */
type Rows = (sql: string, values?: readonly unknown[]) => Promise<unknown>

/**
 * Stores what people said about rows of each region: verified queries that are accepted, proposed and outdated, and
 * rules that are accepted and proposed. Each names a value that the people of the other regions do not see.
 */
export const plantWrittenValues = async (rows: Rows, ownerOf: (region: Region) => string): Promise<void> => {
  for (const region of regions) {
    const name = `${markOf(region)} account ${regions.indexOf(region) + 1}`
    const sql = `select count(*) from accounts where name = '${name}'`
    for (const status of ['accepted', 'proposed', 'stale'] as const) {
      const isStale = status === 'stale'
      await rows(
        `insert into querent.verified_queries (id, database, question, masked_question, sql, slots, fingerprint, status,
           saved_by, saved_at, decided_at, stale_since, stale_reasons, due_at)
         values ($1, 'cycles', $2, $2, $3, '[]', '', $4, $5, now(), now(), $6, $7, now() + interval '1 day')`,
        [
          ...[randomUUID(), `How many ${status} accounts are ${name}?`, sql, status, ownerOf(region)],
          ...[isStale ? new Date() : null, isStale ? JSON.stringify([`no ${name}`]) : null],
        ],
      )
    }
    for (const status of ['accepted', 'proposed'] as const)
      await rows(
        `insert into querent.proposed_rules (id, database, question_id, question, phrase, meaning, sql, columns, status,
           proposed_by, proposed_at, decided_at)
         values ($1, 'cycles', $2, $3, $4, $5, $6, '[]', $7, $8, now(), now())`,
        [
          ...[
            randomUUID(),
            randomUUID(),
            `deals of ${name}?`,
            `${status} ones of ${region}`,
            `name is ${name}`,
          ],
          ...[`accounts.name = '${name}'`, status, ownerOf(region)],
        ],
      )
  }
}
