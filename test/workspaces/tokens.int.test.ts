import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { QuerentError } from '../../src/domain/errors.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { resultKey } from '../../src/ranking/result-key.ts'
import { makeSealer } from '../../src/store/sealer.ts'
import { makeStore, type Store } from '../../src/store/store.ts'
import {
  makeBotAccounts,
  makeRotateKeys,
  openCredentials,
  sealCredentials,
} from '../../src/workspaces/bot-account.ts'
import {
  type ExchangeRefreshToken,
  makeRefreshExpiringTokens,
  makeRefreshToken,
} from '../../src/workspaces/refresh-token.ts'
import { until } from '../helpers/wait.ts'
import { withClient } from '../helpers/with-client.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'

const HOUR_MS = 60 * 60_000

const oldKey = { id: 'old', key: randomBytes(32) }

const newKey = { id: 'new', key: randomBytes(32) }

const sealer = makeSealer([oldKey])

let opened: Awaited<ReturnType<typeof openTestStore>>

/** As another process has it: with connections of its own. */
let other: Store

beforeAll(async () => {
  opened = await openTestStore()
  other = makeStore({ url: opened.url, resultKey })
})

afterAll(async () => {
  await other?.close()
  await opened?.[Symbol.asyncDispose]()
})

const now = (): Date => new Date('2026-11-22T12:00:00Z')

const inMs = (ms: number): Date => new Date(now().getTime() + ms)

const install = (team: string, token: string, expiresAt: Date | null): Promise<void> =>
  opened.store.repositories.installations.upsert({
    ...{ team, teamName: team, botUserId: 'UBOT', botId: 'BBOT', scopes: ['chat:write'], expiresAt },
    sealed: sealCredentials(sealer, team, { token, refreshToken: `refresh-${token}` }),
    installedAt: inMs(-HOUR_MS),
  })

/** Slack, which takes a refresh token once. `meanwhile`: what happens before it answers. */
const makeSlack = (meanwhile: () => Promise<unknown> = async () => {}) => {
  const used: string[] = []
  let isAway = false
  const exchange: ExchangeRefreshToken = async refreshToken => {
    if (isAway) throw new Error('Slack is away')
    if (used.includes(refreshToken)) throw new Error('invalid_refresh_token')
    used.push(refreshToken)
    await meanwhile()
    const credentials = { token: 'second', refreshToken: 'refresh-second' }
    return { credentials, expiresAt: inMs(12 * HOUR_MS) }
  }
  const setAway = (away: boolean): void => {
    isAway = away
  }
  return { used, exchange, setAway }
}

const processOver = (
  store: Store,
  slack: ReturnType<typeof makeSlack>,
  given: Partial<Parameters<typeof makeRefreshToken>[0]> = {},
) => {
  const { installations } = store.repositories
  const refresh = makeRefreshToken({
    inTransaction: store.inTransaction,
    lock: (team, tx) => installations.lock(team, tx),
    storeTokens: (team, tokens, tx) => installations.storeTokens(team, tokens, tx),
    recordFailure: (team, failure) => installations.recordFailure(team, failure),
    exchange: slack.exchange,
    forget: team => accounts.forget(team),
    pause: async () => {},
    ...{ sealer, now, log: silentLog, ...given },
  })
  const accounts = makeBotAccounts({
    findInstallation: team => installations.find(team),
    refresh,
    sealer,
    now,
  })
  const keepFresh = makeRefreshExpiringTokens({
    listExpiring: before => installations.listExpiring(before),
    ...{ refresh, now, log: silentLog },
  })
  return { refresh, accounts, keepFresh }
}

beforeEach(async () => {
  const { installations } = opened.store.repositories
  for (const { team } of await installations.list()) await installations.remove(team, inMs(HOUR_MS))
})

it('refreshes a token once, even if two processes try together', async () => {
  await install('T1', 'first', inMs(HOUR_MS))
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const otherWaits = () =>
    withClient(opened.url, client => until(async () => (await client.query(waiting)).rowCount === 1))
  const slack = makeSlack(otherWaits)
  const both = [processOver(opened.store, slack), processOver(other, slack)]
  const done = await Promise.all(both.map(({ refresh }) => refresh('T1', inMs(2 * HOUR_MS))))
  expect(done.toSorted()).toEqual(['fresh', 'refreshed'])
  expect(slack.used).toEqual(['refresh-first'])
  for (const { accounts } of both) expect((await accounts.find('T1')).token).toBe('second')
})

it('refreshes tokens that expire soon, and no others', async () => {
  await install('T1', 'first', inMs(HOUR_MS))
  await install('T2', 'later', inMs(5 * HOUR_MS))
  await install('T3', 'never', null)
  const slack = makeSlack()
  await processOver(opened.store, slack).keepFresh()
  expect(slack.used).toEqual(['refresh-first'])
})

it('records a failed refresh, uses the token while it lasts, and clears the failure after the next', async () => {
  await install('T1', 'first', inMs(HOUR_MS))
  const { installations } = opened.store.repositories
  const slack = makeSlack()
  slack.setAway(true)
  const { keepFresh, accounts } = processOver(opened.store, slack)
  await keepFresh()
  expect((await installations.find('T1'))?.failure).toEqual({ reason: 'Slack is away', at: now() })
  expect((await accounts.find('T1')).token).toBe('first')
  slack.setAway(false)
  await keepFresh()
  expect((await installations.find('T1'))?.failure).toBeNull()
  expect((await accounts.find('T1')).token).toBe('second')
})

it('refreshes an expired token when it is needed', async () => {
  await install('T1', 'first', inMs(-HOUR_MS))
  expect((await processOver(opened.store, makeSlack()).accounts.find('T1')).token).toBe('second')
})

it('stores refreshed tokens even if the store was unavailable at first', async () => {
  await install('T1', 'first', inMs(HOUR_MS))
  const { inTransaction, repositories } = opened.store
  const pauses: number[] = []
  let outages = 2
  const { refresh, accounts } = processOver(opened.store, makeSlack(), {
    inTransaction: async work =>
      inTransaction(async tx => {
        await work(tx)
        throw new Error('the store is away')
      }),
    storeTokens: async (team, tokens, tx) => {
      if (tx === undefined && outages-- > 0) throw new Error('the store is away')
      await repositories.installations.storeTokens(team, tokens, tx)
    },
    pause: async ms => void pauses.push(ms),
  })
  expect(await refresh('T1', inMs(2 * HOUR_MS))).toBe('refreshed')
  expect(pauses).toEqual([1_000, 4_000, 15_000])
  expect((await accounts.find('T1')).token).toBe('second')
})

it('finds no account without the app, and retries at once', async () => {
  const { accounts } = processOver(opened.store, makeSlack())
  const code = await accounts.find('T9').catch((error: QuerentError) => error.code)
  expect(code).toBe('not-installed')
  await install('T9', 'there', null)
  expect((await accounts.find('T9')).token).toBe('there')
})

it('keeps an installation that is newer than its removal', async () => {
  await install('T1', 'first', null)
  const { installations } = opened.store.repositories
  expect(await installations.remove('T1', inMs(-2 * HOUR_MS))).toBe(false)
  expect(await installations.remove('T1', now())).toBe(true)
})

it('re-encrypts with the first key, after which the old one can be removed', async () => {
  await install('T1', 'first', null)
  await install('T2', 'other', null)
  const { inTransaction, repositories } = opened.store
  const { installations } = repositories
  const rotate = makeRotateKeys({
    inTransaction,
    list: () => installations.list(),
    lock: (team, tx) => installations.lock(team, tx),
    storeSealed: (team, sealed, tx) => installations.storeSealed(team, sealed, tx),
    sealer: makeSealer([newKey, oldKey]),
  })
  expect(await rotate()).toEqual({ resealed: 2, workspaces: 2 })
  expect(await rotate()).toEqual({ resealed: 0, workspaces: 2 })
  const sealed = (await installations.find('T1'))?.sealed ?? ''
  expect(openCredentials(makeSealer([newKey]), 'T1', sealed).token).toBe('first')
})

it('refuses a row that was copied to another workspace', async () => {
  await install('T1', 'first', null)
  await install('T2', 'other', null)
  const { installations } = opened.store.repositories
  const stolen = (await installations.find('T1'))?.sealed ?? ''
  await installations.storeSealed('T2', stolen)
  await expect(processOver(opened.store, makeSlack()).accounts.find('T2')).rejects.toThrow('cannot be opened')
})
