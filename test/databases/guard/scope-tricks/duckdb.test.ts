import { expect, test } from 'vitest'
import { judgeTricks } from './judge-tricks.ts'
import { duckdbTricks } from './trick-servers.ts'

test('no trick on DuckDB shows what the lists hide, its bound plan agrees, and plain statements run', async () => {
  const { tricks, leaks, harmless, refused, allowed, resolved } = await judgeTricks(duckdbTricks)
  console.info(
    `duckdb: ${tricks} tricks, ${allowed.length} allowed, ${leaks.length} leaks; ${harmless} harmless, ${refused.length} refused; ${resolved} resolved by the server`,
  )
  expect(tricks).toBeGreaterThan(900)
  expect(harmless).toBeGreaterThan(60)
  expect(resolved).toBeGreaterThan(60)
  expect(leaks).toEqual([])
  expect(refused).toEqual([])
}, 300_000)
