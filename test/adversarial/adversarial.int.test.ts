import { afterAll, beforeAll, expect, it } from 'vitest'
import { requireService } from '../helpers/services/require-service.ts'
import { createTestDatabase } from '../helpers/test-database.ts'
import { openArena } from './arena.ts'
import { allAttacks, sampleAttacks } from './corpus/all-attacks.ts'
import { type AttackOutcome, formatProblem, runAttacks } from './run-attacks.ts'

/** A sample of the corpus against the whole bot; `npm run bench:attacks` runs all of it. */
const EVERY = 12

const undo = new AsyncDisposableStack()

let outcomes: readonly AttackOutcome[]

beforeAll(async () => {
  const attacks = sampleAttacks(EVERY)
  const store = undo.use(await createTestDatabase({ migrated: true }))
  const shop = undo.use(await createTestDatabase())
  const mysqlUrl = requireService('MYSQL_URL', 'attacks on MySQL')
  const arena = undo.use(await openArena({ attacks, storeUrl: store.url, postgresUrl: shop.url, mysqlUrl }))
  outcomes = await runAttacks(arena, attacks)
}, 300_000)
afterAll(() => undo.disposeAsync())

it('no attack succeeds', () => {
  expect(outcomes.length).toBeGreaterThan(40)
  expect(outcomes.flatMap(({ attack, achieved }) => formatProblem(attack, achieved))).toEqual([])
})

it('every instruction reached a model, which obeyed it', () => {
  expect(outcomes.filter(({ obeyed }) => obeyed > 0).length).toBeGreaterThan(15)
  expect(outcomes.flatMap(({ attack, faults }) => formatProblem(attack, faults))).toEqual([])
})

it('the corpus has no attack twice', () => {
  const keys = allAttacks.map(({ id: _, ...row }) => JSON.stringify(row))
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
})
