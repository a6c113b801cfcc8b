import { expect, it } from 'vitest'
import { makeRecheckChannel } from '../../src/answering/recheck-channel.ts'
import type { Audience } from '../../src/domain/access/access.ts'

const signal = new AbortController().signal

/** 450 answers, every third of them with rows that are not for everyone. */
const answers = Array.from({ length: 450 }, (_, at) => ({
  id: String(at).padStart(4, '0'),
  database: at % 3 === 0 ? 'shop' : 'shop@0123456789abcdef',
}))

const setUp = (audience: (database: string) => Promise<Audience>) => {
  const withheld: string[] = []
  const looked: string[] = []
  const recheck = makeRecheckChannel({
    listAnswered: async (_, { after, most }) =>
      answers.filter(({ id }) => after === null || id > after).slice(0, most),
    audience: ({ database }, options) => {
      looked.push(`${database} ${options?.isFresh} ${options?.mustKnow}`)
      return audience(database)
    },
    withholdAnswer: async id => void withheld.push(id),
    listDigestPosts: async () => [],
    findDigest: async () => null,
    isForAll: async () => true,
    digestDelivery: { withhold: async () => {} },
  })
  return { withheld, looked, run: () => recheck({ team: 'T1', channel: 'C1' }, { signal }) }
}

it('takes out what not everyone may see, however many answers there are, and asks Slack once for each kind', async () => {
  const { withheld, looked, run } = setUp(async database =>
    database === 'shop' ? { kind: 'some', without: 1 } : { kind: 'everyone' },
  )
  await run()
  expect(withheld).toEqual(answers.filter(({ database }) => database === 'shop').map(({ id }) => id))
  expect(looked).toEqual(['shop true true', 'shop@0123456789abcdef true true'])
})

it('takes nothing out while Slack does not tell who is there, and fails, so that it is tried again', async () => {
  const { withheld, run } = setUp(() => Promise.reject(new Error('Slack is away')))
  await expect(run()).rejects.toThrow('Slack is away')
  expect(withheld).toEqual([])
})
