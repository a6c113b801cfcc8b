import { expect, it } from 'vitest'
import { makeRefuseMissing } from '../../../../graphs/answer/nodes/refuse-missing.ts'
import type { State } from '../../../../graphs/answer/state.ts'
import type { Candidate, DraftPath } from '../../../../src/domain/candidate.ts'
import type { Database } from '../../../../src/domain/database.ts'
import { makeCandidate, ranWith } from '../../../helpers/make-candidate.ts'

const noDraft: DraftPath['draft'] = async () => {
  throw new Error('nothing is drafted here')
}

const paths: readonly DraftPath[] = [
  { name: 'semantic-parser', cost: 'free', samples: 1, draft: noDraft },
  { name: 'verified-example', cost: 'free', samples: 1, draft: noDraft },
  { name: 'query-plan', cost: 'model', samples: 1, draft: noDraft },
]

/** What becomes of a forecast that was answered, after drafts along some paths. */
const refuse = async (drafted: readonly DraftPath['name'][], leader: Candidate) => {
  const node = makeRefuseMissing({
    database: async () => ({ catalog: { tables: [] } }) as unknown as Database,
    drafting: { paths },
    understanding: {},
    talking: {},
    storing: {
      runStore: {
        loadContext: async () => ({
          understanding: { text: 'will revenue grow next year?', spans: [] },
          matches: [],
        }),
        loadCandidates: async () => [leader],
      },
    },
  } as unknown as Parameters<typeof makeRefuseMissing>[0])
  return node(
    {
      question: { id: 'q', database: 'd' },
      outcome: { status: 'answered', candidateId: leader.id },
      groups: [],
      reply: null,
      waves: [{ drafts: drafted.map(path => ({ path, sample: 0 })) }],
    } as unknown as State,
    {},
  )
}

const read = makeCandidate({ id: 'a', run: ranWith('A') })

it('refuses a forecast that only the parser read, whether or not verified queries were looked up', async () => {
  const refused = { outcome: { status: 'refused', why: { code: 'beyond-data', asks: 'forecast' } } }
  expect(await refuse(['semantic-parser'], read)).toMatchObject(refused)
  expect(await refuse(['semantic-parser', 'verified-example'], read)).toMatchObject(refused)
})

it('trusts a verified query, and a model that found something', async () => {
  const verified = makeCandidate({ id: 'b', path: 'verified-example', run: ranWith('A') })
  expect(await refuse(['semantic-parser', 'verified-example'], verified)).toEqual({})
  expect(await refuse(['semantic-parser', 'query-plan'], read)).toEqual({})
})
