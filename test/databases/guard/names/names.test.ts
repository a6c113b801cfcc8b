import { expect, test } from 'vitest'
import { duckdbServer, type NamesServer, sqliteServer } from './names-servers.ts'
import { settings } from './names-world.ts'
import { runLeaks } from './run-leaks.ts'

const servers: readonly (readonly [string, NamesServer])[] = [
  ['SQLite', sqliteServer],
  ['DuckDB', duckdbServer],
]

test.each(servers)(
  'no name in generated statements shows what is hidden on %s',
  async (_, server) => {
    const { counts, leaks } = await runLeaks(server, { statements: 240, seed: 41 })
    expect(leaks).toEqual([])
    // A proof only as far as statements run.
    for (const setting of settings) expect(counts[setting].ran, setting).toBeGreaterThan(6)
  },
  120_000,
)
