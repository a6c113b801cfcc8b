import { describe, expect, it } from 'vitest'
import type { DigestUseCases } from '../../../src/domain/digests/use-cases.ts'
import type { DescribeHome } from '../../../src/domain/home.ts'
import { makeShowHome } from '../../../src/slack/listeners/home.ts'
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
