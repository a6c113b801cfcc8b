import { expect, inject, test } from 'vitest'
import '../../../helpers/services/global-postgres.ts'
import { judgeTricks } from './judge-tricks.ts'
import { postgresTricks } from './trick-servers.ts'

test('no trick gets anything hidden out of Postgres, and ordinary reads pass', async () => {
  const { tricks, leaks, harmless, refused, allowed, resolved } = await judgeTricks(
    postgresTricks(inject('embeddedPostgresUrl')),
  )
  console.info(
    `postgres: ${tricks} tricks, ${allowed.length} allowed, ${leaks.length} leaks; ${harmless} harmless, ${refused.length} refused; ${resolved} resolved by the server`,
  )
  expect(tricks).toBeGreaterThan(350)
  expect(harmless).toBeGreaterThan(60)
  expect(resolved).toBeGreaterThan(60)
  expect(leaks).toEqual([])
  expect(refused).toEqual([])
}, 300_000)
