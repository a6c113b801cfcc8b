import { expect, test } from 'vitest'
import { requireService } from '../../../helpers/services/require-service.ts'
import { judgeTricks } from './judge-tricks.ts'
import { mysqlTricks } from './trick-servers.ts'

const url = requireService('MYSQL_URL', 'tricks against the lists on MariaDB and MySQL')

test.skipIf(url === null)(
  'no trick gets anything hidden out of MariaDB or MySQL, and ordinary reads pass',
  async () => {
    const { tricks, leaks, harmless, refused, allowed, resolved } = await judgeTricks(mysqlTricks(url ?? ''))
    console.info(
      `mysql: ${tricks} tricks, ${allowed.length} allowed, ${leaks.length} leaks; ${harmless} harmless, ${refused.length} refused; ${resolved} resolved by the server`,
    )
    expect(tricks).toBeGreaterThan(350)
    expect(harmless).toBeGreaterThan(60)
    expect(resolved).toBeGreaterThan(60)
    expect(leaks).toEqual([])
    expect(refused).toEqual([])
  },
  300_000,
)
