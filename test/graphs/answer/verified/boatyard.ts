import { extractKeywords } from '../../../../graphs/answer/understanding/keywords.ts'
import { matchKeywords } from '../../../../graphs/answer/understanding/value-matches.ts'
import { makeGuard } from '../../../../src/databases/guard/guard.ts'
import { openDatabase } from '../../../../src/databases/open-database.ts'
import type { DraftInput } from '../../../../src/domain/candidate.ts'
import type { Database } from '../../../../src/domain/database.ts'
import { silentAudit } from '../../../../src/domain/operations/audit.ts'
import { understandQuestion } from '../../../../src/parser/understand/understand-question.ts'
import { makeSqliteFile } from '../../../helpers/sqlite-file.ts'

/** A boatyard in a real SQLite file, opened and indexed. */
export const openBoatyard = async (): Promise<{
  readonly database: Database
  readonly close: () => Promise<void>
}> => {
  const made = makeSqliteFile(`
    create table boats (id integer primary key, name text, home_port text, builder text, length_m real, launched date);
    insert into boats values
      (1, 'Alba', 'Kiel', 'Nordwerft', 9.5, '2026-10-03'),
      (2, 'Brisa', 'Kiel', 'O''Hara & Sons', 12, '2026-10-10'),
      (3, 'Cyan', 'Bergen', 'Nordwerft', 7, '2026-09-10'),
      (4, 'Dorn', 'Bergen', 'Kiel', 11, '2025-05-01'),
      (5, 'Eike', 'Port Ellen', 'Nordwerft', 15, '2025-09-30');
  `)
  const opened = await openDatabase(
    { dialect: 'sqlite', name: 'boatyard', location: made.file },
    { audit: silentAudit, guard: makeGuard(), limits: { timeoutMs: 5_000, maxRows: 100, maxBytes: 100_000 } },
  )
  return {
    database: opened.database,
    close: async () => {
      await opened.close()
      made.remove()
    },
  }
}

/** A question of it, understood and looked up as the graph does, a month after the verified ones were saved. */
export const boatyardInput = async (question: string, database: Database): Promise<DraftInput> => {
  const clock = { now: () => new Date('2026-12-20T12:00:00Z'), timeZone: 'UTC' }
  const understanding = understandQuestion(question, clock)
  return {
    understanding,
    database,
    matches: await matchKeywords(extractKeywords(understanding.text), database),
    linked: { tables: [{ table: 'boats', keep: 'all' }] },
    sample: 0,
  }
}
