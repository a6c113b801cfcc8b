import { describe, expect, it } from 'vitest'
import type { ProposedRule } from '../../../src/domain/knowledge.ts'
import { postgresServers } from '../../helpers/services/postgres-servers.ts'
import { storeOn } from '../setup/store-on.ts'

const at = new Date('2026-11-20T12:00:00Z')

let count = 0

const makeRule = (changes: Partial<ProposedRule> = {}): ProposedRule => {
  count++
  return {
    id: crypto.randomUUID(),
    database: 'shop',
    questionId: crypto.randomUUID(),
    question: `sales by country ${count}`,
    phrase: `country ${count}`,
    meaning: 'billing country of the order',
    sql: `orders.country = '${count}'`,
    columns: ['orders.billing_country'],
    status: 'proposed',
    proposedBy: 'ada',
    proposedAt: new Date(at.getTime() + count * 1000),
    decidedBy: null,
    decidedAt: null,
    ...changes,
  }
}

describe.each(postgresServers('proposed rules'))('proposed rules on the %s server', on => {
  const store = storeOn(on)

  it('come back as they were proposed, newest first, by database and state', async () => {
    const { insert, list, decide } = store().repositories.proposedRules
    const database = 'listed'
    const first = makeRule({ database, question: 'ünï "x" $1 ? \n {}', phrase: null, sql: null, columns: [] })
    const second = makeRule({ database })
    expect(await insert(first)).toBe(true)
    expect(await insert(second)).toBe(true)
    expect(await list({ database })).toEqual([second, first])
    const accepted = await decide(second.id, { status: 'accepted', by: 'bo', at })
    expect(accepted).toEqual({ ...second, status: 'accepted', decidedBy: 'bo', decidedAt: at })
    expect(await list({ database, status: 'accepted' })).toEqual([accepted])
    expect(await list({ database, status: 'proposed' })).toEqual([first])
  })

  it('are one a question, and the same comes once, also after it was rejected', async () => {
    const { insert, decide } = store().repositories.proposedRules
    const rule = makeRule()
    expect(await insert(rule)).toBe(true)
    expect(await insert(makeRule({ questionId: rule.questionId }))).toBe(false)
    await decide(rule.id, { status: 'rejected', by: 'bo', at })
    const same = { phrase: rule.phrase?.toUpperCase() ?? null, meaning: rule.meaning }
    expect(await insert(makeRule(same))).toBe(false)
    expect(await insert(makeRule({ ...same, database: 'other' }))).toBe(true)
    expect(await insert(makeRule({ ...same, meaning: 'shipping country' }))).toBe(true)
  })

  it('are one when two replies propose them at once', async () => {
    const { insert } = store().repositories.proposedRules
    const same = { phrase: 'at once', meaning: 'the same' }
    const inserted = await Promise.all(Array.from({ length: 8 }, () => insert(makeRule(same))))
    expect(inserted.filter(Boolean)).toHaveLength(1)
  })

  it('can be decided again, but not under another id', async () => {
    const { insert, decide, findByPrefix } = store().repositories.proposedRules
    const rule = makeRule()
    await insert(rule)
    await decide(rule.id, { status: 'accepted', by: 'bo', at })
    expect(await decide(rule.id, { status: 'rejected', by: 'cy', at })).toMatchObject({
      status: 'rejected',
      decidedBy: 'cy',
    })
    expect(await decide(crypto.randomUUID(), { status: 'accepted', by: 'bo', at })).toBeNull()
    expect((await findByPrefix(rule.id.slice(0, 8).toUpperCase())).map(({ id }) => id)).toEqual([rule.id])
  })
})
