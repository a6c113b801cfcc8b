import { describe, expect, it } from 'vitest'
import { makeAdmitCaller, makeListCallerDatabases } from '../../src/access/caller-access.ts'
import type { AccessControl } from '../../src/domain/access/access.ts'
import type { Caller } from '../../src/domain/operations/caller.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'

const ada: Caller = { person: 'U1', team: 'T1', databases: null }

const none = { channels: [], direct: false }

/** What Slack says: `null` if it says nothing. */
const access = (found: Awaited<ReturnType<AccessControl['reachableDatabases']>> | null) => {
  const databasesOf = makeListCallerDatabases({
    shell: ['shop', 'pets'],
    byDefault: 'shop',
    rightsOf: () => ({ kind: 'open', group: null }),
    reachableDatabases: async ({ person, team }) => {
      if (person !== 'U1' || team !== 'T1' || found === null) throw new Error('Slack is away')
      return found
    },
    log: silentLog,
  })
  return { databasesOf, admit: makeAdmitCaller(databasesOf) }
}

describe('the databases of a caller', () => {
  it('are those of the shell for the person at it', async () => {
    const shell: Caller = { person: null, team: null, databases: null }
    expect(await access(null).databasesOf(shell)).toEqual(['shop', 'pets'])
  })

  it('are those of a token, or the default', async () => {
    const bob: Caller = { person: 'bob', team: null, databases: ['pets'] }
    expect(await access(null).databasesOf(bob)).toEqual(['pets'])
    expect(await access(null).databasesOf({ ...bob, databases: null })).toEqual(['shop'])
  })

  it('are those that Slack allows the person, that of direct messages first, and no others of the token', async () => {
    const { databasesOf } = access([
      { database: 'finance/cfo', ...none, channels: ['finance'] },
      { database: 'shop', ...none, direct: true },
    ])
    expect(await databasesOf(ada)).toEqual(['shop', 'finance/cfo'])
    expect(await databasesOf({ ...ada, databases: ['finance', 'hr'] })).toEqual(['finance/cfo'])
    expect(await databasesOf({ ...ada, databases: ['hr'] })).toMatchObject({ status: 'not-allowed' })
  })

  it('are none while Slack does not say who the person is', async () => {
    expect(await access(null).databasesOf(ada)).toMatchObject({
      status: 'not-allowed',
      reason: expect.stringContaining('Slack did not tell me who you are'),
    })
    expect(await access([]).databasesOf(ada)).toMatchObject({ status: 'not-allowed' })
  })
})

describe('a caller asks', () => {
  const { admit } = access([
    { database: 'shop', ...none, direct: true },
    { database: 'pets/vets', ...none },
    { database: 'cats/a', ...none },
    { database: 'cats/b', ...none },
  ])

  it.each([
    [null, 'shop'],
    ['shop', 'shop'],
    ['pets', 'pets/vets'],
    ['pets/vets', 'pets/vets'],
  ])('%s: %s', async (named, database) => {
    expect(await admit(ada, named)).toEqual({ status: 'admitted', database })
  })

  it.each(['hr', 'cats', '', 'sqlite:shop.sqlite', 'constructor'])('not %s', async named => {
    expect(await admit(ada, named)).toMatchObject({
      status: 'not-allowed',
      nextStep: 'Ask one of these: shop, pets/vets, cats/a, cats/b.',
    })
  })
})
