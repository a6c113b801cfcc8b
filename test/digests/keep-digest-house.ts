import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Digest } from '../../src/domain/digest.ts'
import type { DigestForm } from '../../src/domain/digest-use-cases.ts'
import { openDigestHouse } from './open-digest-house.ts'

type House = Awaited<ReturnType<typeof openDigestHouse>>

/** The house of the file that runs. */
export let it1: House

/** Opens a house for the tests of a file, and puts it in order before each of them. */
export const keepDigestHouse = (): void => {
  beforeAll(async () => {
    it1 = await openDigestHouse()
  })
  afterAll(() => it1?.[Symbol.asyncDispose]())

  beforeEach(async () => {
    const { house, posts, notices, jobs, accounts, store } = it1
    house.now = new Date('2026-11-23T07:00:00Z')
    house.access = () => ({ status: 'allowed', database: 'cycles' })
    house.beforePost = async () => null
    house.beforeTold = async () => {}
    house.beforeAccess = async () => {}
    house.isIn = () => true
    house.limit = async () => null
    house.isAway = false
    Object.assign(it1.most, { perPerson: null, perChannel: null })
    house.overBudget = null
    for (const list of [posts, notices, jobs, accounts]) list.length = 0
    for (const { id } of await store.repositories.digests.listAll(100))
      await store.repositories.digests.remove(id)
  })
}

export const lastWeek = "select sum(n) as hires from hires where day >= '2026-11-16' and day < '2026-11-23'"

export const perCity = 'select city, sum(n) as hires from hires group by city order by city'

export const form: DigestForm = {
  schedule: 'mondays 09:00',
  timeZone: 'UTC',
  condition: { kind: 'always' },
  target: { kind: 'channel', channel: 'C1' },
}

let requests = 0

/** What tells one form from another. */
export const nextRequest = (): string => String(requests++)

export const schedule = async (given: Partial<DigestForm> = {}, text = 'Hires last week', sql = lastWeek) => {
  const questionId = await it1.answer(text, sql)
  const request = nextRequest()
  const made = await it1.useCases.schedule({ questionId, person: 'U1', form: { ...form, ...given }, request })
  if (made.status !== 'scheduled') throw new Error(JSON.stringify(made))
  return made
}

export const find = async (id: string): Promise<Digest> => {
  const digest = await it1.store.repositories.digests.find(id)
  if (!digest) throw new Error('it is gone')
  return digest
}

export const outcomes = async (id: string) =>
  (await it1.store.repositories.digestRuns.listOf(id, 10)).map(run => run.ended?.outcome).reverse()

export const notIn = (channel: string) => (_: string, asked: string) =>
  asked === channel
    ? ({ status: 'refused', code: 'guest', reason: `Not in ${channel}.`, nextStep: 'Ask an admin.' } as const)
    : ({ status: 'allowed', database: 'cycles' } as const)
