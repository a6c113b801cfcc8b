import { describe, expect, it } from 'vitest'
import { makeAccess } from '../../src/access/access-control.ts'
import { makeRightsRegistry } from '../../src/access/rights/rights-registry.ts'
import type { AccessFactSource, LocationSettings } from '../../src/domain/access/access.ts'
import { type GrantedRights, plainSession, type RightsGroup } from '../../src/domain/access/data-rights.ts'
import { unrestrictedScope } from '../../src/domain/database.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'

const rows = (condition: string | null): GrantedRights => ({
  scope: unrestrictedScope,
  rowRules: condition === null ? [] : [{ table: 'orders', condition }],
  columnMasks: [],
  mayExport: true,
  session: plainSession,
})

const group = (name: string, ids: readonly string[], grant: GrantedRights): RightsGroup => ({
  name,
  members: { kind: 'listed', ids, claims: null },
  databases: { shop: grant },
})

const people: Readonly<Record<string, object>> = {
  Uguest: { isGuest: true },
  Uother: { teams: ['T2'] },
  Ubot: { isBot: true },
}

const setUp = (members: readonly string[], location: Partial<LocationSettings> = {}) => {
  const looked: string[] = []
  const facts: AccessFactSource = {
    person: async id => {
      looked.push(id)
      if (id === 'Ulost') throw new Error('Slack does not tell')
      return { id, teams: ['T1'], isGuest: false, ...people[id] }
    },
    channel: async id => ({ id, name: 'sales', kind: 'channel', isShared: false }),
    members: async () => [],
    isIn: async () => true,
    channelsOf: async () => [],
    channelMembers: async () => members,
  }
  const settings: LocationSettings = {
    database: 'shop',
    mayAsk: null,
    guests: false,
    outsiders: false,
    ...location,
  }
  const { audience, databaseAccess } = makeAccess({
    settings: {
      channels: {},
      otherChannels: settings,
      directMessages: settings,
      exampleDatabase: 'shop',
      rights: {
        people: {},
        groups: [
          group('leads', ['Ulead'], rows(null)),
          group('north', ['Uada', 'Ubob'], rows("region = 'north'")),
          group('south', ['Ucid', 'Uguest', 'Uother', 'Ulost'], rows("region = 'south'")),
          group('own', ['Udan'], rows('owner = {person.id}')),
        ],
      },
    },
    facts,
    registry: makeRightsRegistry(),
    log: silentLog,
  })
  const check = async (askedBy: string, channel = 'C0000001') => {
    const access = await databaseAccess({ person: askedBy, team: 'T1', database: 'shop' })
    looked.length = 0
    const key = access.kind === 'restricted' ? `@${access.rights.key}` : ''
    return audience({ team: 'T1', channel, database: `shop${key}` })
  }
  return { check, looked, audience }
}

describe('who may see an answer in a channel', () => {
  it('is everyone if all have the same rights or see everything', async () => {
    expect(await setUp(['Uada', 'Ubob', 'Ulead', 'Ubot']).check('Uada')).toEqual({ kind: 'everyone' })
    expect(await setUp(['Ulead']).check('Ulead')).toEqual({ kind: 'everyone' })
  })

  it('is not everyone if one has other rights, none, or fewer', async () => {
    expect(await setUp(['Uada', 'Ucid']).check('Uada')).toEqual({ kind: 'some', without: 1 })
    expect(await setUp(['Uada', 'Unobody']).check('Uada')).toEqual({ kind: 'some', without: 1 })
    expect(await setUp(['Uada', 'Ubob', 'Ulead']).check('Ulead')).toEqual({ kind: 'some', without: 2 })
  })

  it('leaves out guests and people of other companies, unless they may ask there', async () => {
    expect(await setUp(['Ucid', 'Uguest']).check('Ucid')).toEqual({ kind: 'some', without: 1 })
    expect(await setUp(['Ucid', 'Uother']).check('Ucid')).toEqual({ kind: 'some', without: 1 })
    const both = { guests: true, outsiders: true }
    expect(await setUp(['Ucid', 'Uguest', 'Uother'], both).check('Ucid')).toEqual({ kind: 'everyone' })
  })

  it('is not everyone if Slack does not tell, or if there are too many to look at', async () => {
    expect(await setUp(['Ucid', 'Ulost']).check('Ucid')).toEqual({ kind: 'some', without: null })
    const many = Array.from({ length: 1_001 }, () => 'Uada')
    expect(await setUp(many).check('Uada')).toEqual({ kind: 'some', without: null })
  })

  it('is what the channel states, whoever is in it', async () => {
    const north = { audience: 'north' }
    expect(await setUp(['Ucid'], north).check('Uada')).toEqual({ kind: 'everyone' })
    expect(await setUp(['Uada'], north).check('Ucid')).toEqual({ kind: 'some', without: null })
    expect(await setUp(['Uada'], north).check('Ulead')).toEqual({ kind: 'some', without: null })
    expect(await setUp(['Uada'], { audience: 'leads' }).check('Uada')).toEqual({ kind: 'everyone' })
    // Rights that depend on the person are no class.
    expect(await setUp(['Udan'], { audience: 'own' }).check('Udan')).toEqual({ kind: 'some', without: null })
  })

  it('looks nobody up in direct messages, or if no group names the database', async () => {
    const direct = setUp(['Ucid'])
    expect(await direct.check('Uada', 'D1')).toEqual({ kind: 'everyone' })
    expect(direct.looked).toEqual([])
    const other = setUp(['Ucid'])
    expect(await other.audience({ team: 'T1', channel: 'C0000001', database: 'pets' })).toEqual({
      kind: 'everyone',
    })
    expect(other.looked).toEqual([])
  })
})
