import { describe, expect, it } from 'vitest'
import { makeReadableDigests } from '../../src/digests/readable-digests.ts'
import { seesEveryValue, seesNoValue } from '../../src/domain/access/sees-value.ts'
import type { Digest } from '../../src/domain/digests/digest.ts'
import type { DigestUseCases } from '../../src/domain/digests/use-cases.ts'
import { digestOf, digestQuestion, repair } from '../slack/listeners/digest-of.ts'

const secret = 'Northwind'

const sql = `select count(*) from deals where account = '${secret}'`

const statement = { ...digestQuestion.statement, sql, periods: [] }

const withSecrets = digestOf({
  title: `Deals of ${secret}`,
  questions: [
    { ...digestQuestion, rights: '0123456789abcdef', text: `how many deals of ${secret}?`, statement },
  ],
  pause: { why: 'schema', reason: `no ${secret}`, at: new Date(0) },
  repair: { ...repair, statement, reason: secret, says: [secret], other: { statement, says: [secret] } },
})

/** The owner has the rights under which it was asked, bo sees everything, and cy, an admin, other rows. */
const useCasesOf = (digest: Digest) => {
  const done = { status: 'changed', digest } as const
  const change = async () => done
  return makeReadableDigests(
    {
      ...{ find: async () => digest, list: async () => ({ digests: [digest], total: 1 }) },
      ...{ edit: change, pause: change, handOver: change },
      findStatements: async () => [{ text: secret, sql, periods: [] }],
    } as unknown as DigestUseCases,
    {
      findReader: async ({ person, writtenFor }) => {
        const ownKey = person === digest.owner && writtenFor.endsWith('@0123456789abcdef')
        return person === 'bo' || ownKey ? seesEveryValue : seesNoValue
      },
      dialectOf: () => 'postgres',
    },
  )
}

const digestId = withSecrets.id

describe('a digest', () => {
  it.each([withSecrets.owner, 'bo'])('is whole for %s', async person => {
    const useCases = useCasesOf(withSecrets)
    expect(await useCases.find({ digestId, person })).toBe(withSecrets)
    expect(await useCases.findStatements({ digestId, scheduledFor: new Date(0), person })).toHaveLength(1)
  })

  it('has no value of rows for an admin who sees other rows, wherever it is shown', async () => {
    const useCases = useCasesOf(withSecrets)
    const reader = { digestId, person: 'cy' }
    const shown = await Promise.all([
      useCases.find(reader),
      useCases.list({ ...reader, team: 'T1', all: true, offset: 0, limit: 10 }),
      useCases.pause(reader),
      useCases.edit({ ...reader, form: {} as never }),
      useCases.findStatements({ ...reader, scheduledFor: new Date(0) }),
    ])
    expect(JSON.stringify(shown)).not.toContain(secret)
    expect(shown[0]).toMatchObject({
      title: 'Deals of ...',
      questions: [{ statement: { sql: "select count(*) from deals where account = '...'" } }],
    })
  })

  it('is handed over only to people who may read its words', async () => {
    const useCases = useCasesOf(withSecrets)
    const given = { digestId, person: withSecrets.owner }
    expect(await useCases.handOver({ ...given, to: 'cy' })).toMatchObject({
      status: 'unfit',
      field: 'person',
    })
    expect(await useCases.handOver({ ...given, to: 'bo' })).toMatchObject({ status: 'changed' })
    const plain = useCasesOf(digestOf({ questions: [{ ...digestQuestion, rights: '0123456789abcdef' }] }))
    expect(await plain.handOver({ ...given, to: 'cy' })).toMatchObject({ status: 'changed' })
  })

  it('of before rights were recorded is whole for its owner alone', async () => {
    const { rights: _, ...question } = withSecrets.questions[0] ?? digestQuestion
    const old = { ...withSecrets, questions: [question] }
    expect(await useCasesOf(old).find({ digestId, person: old.owner })).toBe(old)
    expect(JSON.stringify(await useCasesOf(old).find({ digestId, person: 'cy' }))).not.toContain(secret)
  })
})
