import { describe, expect, it } from 'vitest'
import type { DigestUseCases } from '../../../src/domain/digests/use-cases.ts'
import type { DescribeHome } from '../../../src/domain/home.ts'
import { makeShowHome } from '../../../src/slack/listeners/home.ts'
import { makeSuggestPrompts } from '../../../src/slack/listeners/suggest-prompts.ts'
import { digestOf } from './digest-of.ts'
import { homeFacts } from './home-facts.ts'

/** A client that keeps what is published, in a workspace whose address is told or not. */
const clientOf = (url: string | null) => {
  const published: string[] = []
  const client = {
    auth: {
      test: async () => {
        if (url === null) throw new Error('Slack is away')
        return { url }
      },
    },
    views: {
      publish: async ({ view }: { readonly view: unknown }) => void published.push(JSON.stringify(view)),
    },
  }
  return { client: client as never, published }
}

const asker = { person: 'U1', team: 'T1' }

const isAdmin = (): boolean => false

/** Eleven of them, of which the last may be gone. */
const listOf = (total: number): Pick<DigestUseCases, 'list'> => ({
  list: async ({ offset, limit }) => ({
    total,
    digests: Array.from({ length: total }, (_, i) => digestOf({ title: `Number ${i + 1}.` })).slice(
      offset,
      offset + limit,
    ),
  }),
})

const digests = listOf(0) as DigestUseCases

describe('showing Home', () => {
  it('shows what is there at once, and the rest when it has come', async () => {
    const describeHome: DescribeHome = async (_asker, { patient } = { patient: false }) =>
      patient ? homeFacts : { ...homeFacts, examples: [], isPartial: true }
    const { client, published } = clientOf('https://acme.slack.com/')
    await makeShowHome({ describeHome, digests, isAdmin })(client, asker, 'Done.')
    expect(published.map(view => view.includes('Try one of these'))).toEqual([false, true])
    expect(published.every(view => view.includes('Done.') && view.includes('acme.slack.com/archives'))).toBe(
      true,
    )
  })

  it('is shown once where all is there, and without links where the address is not known', async () => {
    const { client, published } = clientOf(null)
    await makeShowHome({ describeHome: async () => homeFacts, digests, isAdmin })(client, asker)
    expect(published).toHaveLength(1)
    expect(published[0]).not.toContain('archives')
  })

  it('shows the page of digests that is wanted, or the one before where it is empty by now', async () => {
    const show = async (total: number) => {
      const { client, published } = clientOf(null)
      const deps = { describeHome: async () => homeFacts, digests: listOf(total) as DigestUseCases, isAdmin }
      await makeShowHome(deps)(client, asker, undefined, 10)
      return published[0]
    }
    expect(await show(11)).toMatch(/Number 11\..*11 to 11 of 11/)
    expect(await show(10)).toMatch(/Number 1\..*Number 10\./)
  })
})

describe('suggesting questions in direct messages', () => {
  const suggestTo = async (describeHome: DescribeHome) => {
    const suggested: unknown[] = []
    const client = {
      assistant: { threads: { setSuggestedPrompts: async (given: unknown) => void suggested.push(given) } },
    }
    await makeSuggestPrompts({ describeHome })(client as never, asker, 'D1')
    return suggested
  }
  const examples = ['one?', `${'long '.repeat(30)}?`, 'three?', 'four?', 'five?']

  it('offers four examples of the data, each as a whole question', async () => {
    const [given] = await suggestTo(async () => ({ ...homeFacts, examples }))
    expect(given).toMatchObject({ channel_id: 'D1', title: 'Try one of these' })
    const { prompts } = given as { prompts: readonly { title: string; message: string }[] }
    expect(prompts.map(({ message }) => message)).toEqual(examples.slice(0, 4))
    expect(prompts.every(({ title }) => title.length <= 75)).toBe(true)
    // In a thread Slack would not show them.
    expect(given).not.toHaveProperty('thread_ts')
  })

  it('waits for examples that are not ready, and offers none to someone who cannot ask', async () => {
    const late: DescribeHome = async (_, { patient } = { patient: false }) =>
      patient ? { ...homeFacts, examples } : { ...homeFacts, examples: [], isPartial: true }
    expect(await suggestTo(late)).toHaveLength(1)
    expect(await suggestTo(async () => ({ ...homeFacts, examples: [] }))).toEqual([])
  })
})
