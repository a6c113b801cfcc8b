import { expect, it } from 'vitest'
import { runDigestSoak } from '../../../simulator/soak/digests/run-digest-soak.ts'
import { makeSqliteFile } from '../../helpers/sqlite-file.ts'
import { createTestDatabase } from '../../helpers/test-database.ts'

/** The small form of `npm run soak -- digests`: two weeks of twenty digests around a change of the clocks, one kill. */
it('every due time has exactly one post, though the worker dies with one half done', async () => {
  await using database = await createTestDatabase({ migrated: true })
  const file = makeSqliteFile('create table hires (n integer); insert into hires values (1), (2), (3);')
  try {
    const report = await runDigestSoak(
      { storeUrl: database.url, databaseFile: file.file, say: () => {} },
      { digests: 20, start: new Date('2026-03-22T00:00:00Z'), days: 14, kills: 1 },
    )
    expect(report.due).toBeGreaterThan(40)
    expect(report).toMatchObject({
      ...{ posts: report.due, duplicates: 0, missed: 0, unexpected: 0, unfinished: 0 },
      ...{ kills: 1, problems: [] },
    })
  } finally {
    file.remove()
  }
}, 300_000)
