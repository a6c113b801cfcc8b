import { expect, inject, test } from 'vitest'
import '../../../helpers/services/global-postgres.ts'
import { requireService } from '../../../helpers/services/require-service.ts'
import { mysqlServer, type NamesServer, postgresServer } from './names-servers.ts'
import { settings } from './names-world.ts'
import { runLeaks } from './run-leaks.ts'

const prove = async (server: NamesServer): Promise<void> => {
  const { counts, leaks } = await runLeaks(server, { statements: 240, seed: 41 })
  expect(leaks).toEqual([])
  // A proof only as far as statements run.
  for (const setting of settings) expect(counts[setting].ran, setting).toBeGreaterThan(6)
}

test('no name in generated statements shows what is hidden on Postgres', async () => {
  await prove(postgresServer(inject('embeddedPostgresUrl')))
}, 120_000)

const url = requireService('MYSQL_URL', 'names in generated statements on MariaDB and MySQL')

test.skipIf(url === null)(
  'no name in generated statements shows what is hidden on MariaDB',
  async () => {
    await prove(mysqlServer(url ?? ''))
  },
  120_000,
)
