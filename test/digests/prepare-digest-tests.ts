import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Digest } from '../../src/domain/digests/digest.ts'
import type { DigestForm } from '../../src/domain/digests/use-cases.ts'
import { openDigestSetup } from './open-digest-setup.ts'

type DigestSetup = Awaited<ReturnType<typeof openDigestSetup>>

/** The setup of the test file that runs. */
export let setup: DigestSetup

/** Opens a setup for the tests of a file, and resets it before each of them. */
export const prepareDigestTests = (): void => {
  beforeAll(async () => {
    setup = await openDigestSetup()
  })
  afterAll(() => setup?.[Symbol.asyncDispose]())

  beforeEach(async () => {
    const { fakes, posts, notices, jobs, accounts, store } = setup
    fakes.now = new Date('2026-11-23T07:00:00Z')
    fakes.access = () => ({ status: 'allowed', database: 'cycles' })
    fakes.beforePost = async () => null
    fakes.beforeTold = async () => {}
    fakes.beforeAccess = async () => {}
    fakes.isIn = () => true
    fakes.limit = async () => null
    fakes.isAway = false
    Object.assign(setup.most, { perPerson: null, perChannel: null })
    fakes.overBudget = null
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
  const questionId = await setup.answer(text, sql)
  const request = nextRequest()
  const made = await setup.useCases.schedule({
    questionId,
    person: 'U1',
    form: { ...form, ...given },
    request,
  })
  if (made.status !== 'scheduled') throw new Error(JSON.stringify(made))
  return made
}

export const find = async (id: string): Promise<Digest> => {
  const digest = await setup.store.repositories.digests.find(id)
  if (!digest) throw new Error('it is gone')
  return digest
}

export const outcomes = async (id: string) =>
  (await setup.store.repositories.digestRuns.listOf(id, 10)).map(run => run.ended?.outcome).reverse()

export const notIn = (channel: string) => (_: string, asked: string) =>
  asked === channel
    ? ({ status: 'refused', code: 'guest', reason: `Not in ${channel}.`, nextStep: 'Ask an admin.' } as const)
    : ({ status: 'allowed', database: 'cycles' } as const)
