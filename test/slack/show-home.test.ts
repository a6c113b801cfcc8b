import { describe, expect, it } from 'vitest'
import type { DescribeHome } from '../../src/core/home.ts'
import { makeShowHome } from '../../src/slack/listeners/show-home.ts'
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

describe('showing Home', () => {
  it('shows what is there at once, and the rest when it has come', async () => {
    const describeHome: DescribeHome = async (_asker, { patient } = { patient: false }) =>
      patient ? homeFacts : { ...homeFacts, examples: [], isPartial: true }
    const { client, published } = clientOf('https://acme.slack.com/')
    await makeShowHome({ describeHome })(client, asker, 'Done.')
    expect(published.map(view => view.includes('Try one of these'))).toEqual([false, true])
    expect(published.every(view => view.includes('Done.') && view.includes('acme.slack.com/archives'))).toBe(
      true,
    )
  })

  it('is shown once where all is there, and without links where the address is not known', async () => {
    const { client, published } = clientOf(null)
    await makeShowHome({ describeHome: async () => homeFacts })(client, asker)
    expect(published).toHaveLength(1)
    expect(published[0]).not.toContain('archives')
  })
})
