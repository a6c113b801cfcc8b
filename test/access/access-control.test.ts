import { describe, expect, it } from 'vitest'
import { makeAccess } from '../../src/access/access-control.ts'
import { cacheFacts } from '../../src/access/cache-facts.ts'
import { makeRightsRegistry } from '../../src/access/rights/rights-registry.ts'
import type {
  AccessFactSource,
  AccessSettings,
  LocationSettings,
  PersonFacts,
} from '../../src/domain/access/access.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'

const open: LocationSettings = { database: 'shop', mayAsk: null, guests: false, outsiders: false }

const settings = (given: Partial<AccessSettings> = {}): AccessSettings => ({
  channels: {},
  otherChannels: open,
  directMessages: open,
  exampleDatabase: 'shop',
  rights: { groups: [], people: {} },
  ...given,
})

const people: Readonly<Record<string, Omit<PersonFacts, 'id'>>> = {
  Umember: { teams: ['T1'], isGuest: false },
  Uguest: { teams: ['T1'], isGuest: true },
  Uother: { teams: ['T2'], isGuest: false },
  Uleft: { teams: ['T1'], isGuest: false, hasLeft: true },
  Ugrid: { teams: ['T2', 'T1'], isGuest: false },
  Unowhere: { teams: [], isGuest: false },
}

const channels = [
  { id: 'C0000001', name: 'sales', kind: 'channel', isShared: false },
  { id: 'C0000002', name: 'partners', kind: 'channel', isShared: true },
  { id: 'C0000003', name: 'barn', kind: 'channel', isShared: false },
] as const

const known = <T>(fact: T | undefined): T => {
  if (fact === undefined) throw new Error('Slack does not tell')
  return fact
}

const facts: AccessFactSource = {
  person: async id => ({ id, ...known(people[id]) }),
  channel: async id => known(channels.find(channel => channel.id === id)),
  members: async group => known({ S1: ['Umember'], S2: [] }[group]),
  isIn: async (person, channel) =>
    known({ Umember: true, Uguest: true, Ugrid: false }[person]) && channel !== 'C0000003',
  channelsOf: async () => channels,
  channelMembers: async () => [],
}

const accessWith = (given: Partial<AccessSettings> = {}) =>
  makeAccess({ settings: settings(given), facts, registry: makeRightsRegistry(), log: silentLog })

const decide = async (
  given: Partial<AccessSettings>,
  person: string,
  channel: string,
  database?: string,
): Promise<string> => {
  const access = await accessWith(given).mayAsk({
    ...{ person, location: { team: 'T1', channel } },
    ...(database !== undefined && { database }),
  })
  return access.status === 'refused'
    ? access.code
    : access.status === 'allowed'
      ? access.database
      : `unknown ${access.database}`
}

describe('who may ask where', () => {
  it.each([
    ['a member, anywhere by default', {}, 'Umember', 'C0000001', 'shop'],
    ['a member, in direct messages', {}, 'Umember', 'D1', 'shop'],
    [
      'nobody in direct messages that are off',
      { directMessages: null },
      'Umember',
      'D1',
      'no-direct-messages',
    ],
    [
      'nobody in a channel that is not set',
      { otherChannels: null },
      'Umember',
      'C0000001',
      'unmapped-channel',
    ],
    [
      'by the name of the channel',
      { channels: { sales: { ...open, database: 'farm' } } },
      'Umember',
      'C0000001',
      'farm',
    ],
    [
      'by its id before its name',
      { channels: { sales: { ...open, database: 'farm' }, C0000001: { ...open, database: 'barn' } } },
      'Umember',
      'C0000001',
      'barn',
    ],
    ['no guest', {}, 'Uguest', 'C0000001', 'guest'],
    [
      'a guest where that is allowed',
      { otherChannels: { ...open, guests: true } },
      'Uguest',
      'C0000001',
      'shop',
    ],
    ['nobody whose account was closed', {}, 'Uleft', 'C0000001', 'left'],
    ['nobody from another workspace', {}, 'Uother', 'C0000001', 'outsider'],
    ['nobody of whom no workspace is told', {}, 'Unowhere', 'C0000001', 'outsider'],
    ['somebody of several workspaces of one organisation', {}, 'Ugrid', 'C0000001', 'shop'],
    ['not even a member in a shared channel', {}, 'Umember', 'C0000002', 'shared-channel'],
    [
      'outsiders where that is allowed',
      { otherChannels: { ...open, outsiders: true } },
      'Uother',
      'C0000002',
      'shop',
    ],
    [
      'no guest for being an allowed outsider',
      { otherChannels: { ...open, outsiders: true } },
      'Uguest',
      'C0000002',
      'guest',
    ],
    ['who is listed', { otherChannels: { ...open, mayAsk: ['Umember'] } }, 'Umember', 'C0000001', 'shop'],
    [
      'who is in a listed group',
      { otherChannels: { ...open, mayAsk: ['S2', 'S1'] } },
      'Umember',
      'C0000001',
      'shop',
    ],
    [
      'nobody else',
      { otherChannels: { ...open, mayAsk: ['Uguest', 'S2'] } },
      'Umember',
      'C0000001',
      'not-listed',
    ],
    ['no listed guest', { otherChannels: { ...open, mayAsk: ['Uguest'] } }, 'Uguest', 'C0000001', 'guest'],
    ['not of another database than the place has', {}, 'Umember', 'C0000001', 'other-database', 'farm'],
    ['of the database that the place has', {}, 'Umember', 'C0000001', 'shop', 'shop'],
  ] as const)('%s', async (_name, given, person, channel, outcome, database?: string) => {
    expect(await decide(given, person, channel, database)).toBe(outcome)
  })

  it('is unknown without facts, but names the database if that needs none', async () => {
    expect(await decide({}, 'Ugone', 'C0000001')).toBe('unknown shop')
    expect(await decide({}, 'Umember', 'C0000009')).toBe('unknown shop')
    // Under which name it stands in the settings is not known.
    expect(await decide({ channels: { sales: open } }, 'Umember', 'C0000009')).toBe('unknown null')
    expect(await decide({ otherChannels: { ...open, mayAsk: ['S9'] } }, 'Umember', 'C0000001')).toBe(
      'unknown shop',
    )
  })

  it('refuses a person who is not a member, if membership is required', async () => {
    const asMember = async (person: string, channel: string): Promise<string> => {
      const access = await accessWith().mayAsk(
        { person, location: { team: 'T1', channel } },
        { asMember: true },
      )
      return access.status === 'refused' ? access.code : access.status
    }
    expect(await decide({}, 'Umember', 'C0000003')).toBe('shop')
    expect(await asMember('Umember', 'C0000001')).toBe('allowed')
    expect(await asMember('Umember', 'C0000003')).toBe('not-in-channel')
    expect(await asMember('Ugrid', 'C0000001')).toBe('not-in-channel')
    // Direct messages are not a channel.
    expect(await asMember('Umember', 'D1')).toBe('not-in-channel')
    // What else stands against somebody is said first, and what is not told lets nobody in.
    expect(await asMember('Uguest', 'C0000003')).toBe('guest')
    expect(await asMember('Uleft', 'C0000001')).toBe('left')
    const unknown = makeAccess({
      settings: settings(),
      facts: { ...facts, isIn: async () => Promise.reject(new Error('rate limited')) },
      registry: makeRightsRegistry(),
      log: silentLog,
    }).mayAsk({ person: 'Umember', location: { team: 'T1', channel: 'C0000001' } }, { asMember: true })
    expect((await unknown).status).toBe('unknown')
  })

  it('says in every refusal what to do next', async () => {
    const access = await accessWith({ otherChannels: null }).mayAsk({
      person: 'Umember',
      location: { team: 'T1', channel: 'C0000001' },
    })
    expect(access).toMatchObject({ status: 'refused', code: 'unmapped-channel' })
    expect('nextStep' in access && access.nextStep).toContain('channels:\n  sales:\n    database: shop')
  })

  it('lets those who are in the review channel review answers, no matter who can ask there', async () => {
    const { canReview: mayDecide } = accessWith({
      otherChannels: null,
      channels: { sales: { ...open, mayAsk: ['U9'] } },
    })
    const at = (person: string, channel: string) => mayDecide({ person, location: { team: 'T1', channel } })
    expect((await at('Umember', 'C0000001')).status).toBe('allowed')
    expect(await at('Umember', 'C0000003')).toMatchObject({ status: 'refused', code: 'not-in-channel' })
    expect((await at('Uguest', 'C0000001')).status).toBe('refused')
    expect((await at('Umember', 'C0000002')).status).toBe('refused')
  })
})

describe('the fingerprint of rights', () => {
  it('is the same for people who see the same, and null for people without access', async () => {
    const { rightsFingerprint } = accessWith({ channels: { barn: { ...open, database: 'farm' } } })
    const of = (person: string, channel: string) =>
      rightsFingerprint({ person, location: { team: 'T1', channel } })
    expect(await of('Umember', 'C0000001')).toMatch(/^[0-9a-f]{64}$/)
    expect(await of('Ugrid', 'D1')).toBe(await of('Umember', 'C0000001'))
    expect(await of('Umember', 'C0000003')).not.toBe(await of('Umember', 'C0000001'))
    expect(await of('Uguest', 'C0000001')).toBeNull()
    expect(await of('Ugone', 'C0000001')).toBeNull()
  })
})

describe('the databases within reach', () => {
  it('are those of locations where the person is and can ask', async () => {
    const { reachableDatabases: reachable } = accessWith({
      channels: { barn: { ...open, database: 'farm' } },
    })
    expect(await reachable({ person: 'Umember', team: 'T1' })).toEqual([
      { database: 'shop', channels: ['sales'], direct: true },
      { database: 'farm', channels: ['barn'], direct: false },
    ])
    expect(await reachable({ person: 'Uguest', team: 'T1' })).toEqual([])
  })
})

describe('cached facts', () => {
  it('are not looked up again for five minutes; failures are', async () => {
    let now = 0
    let asked = 0
    let fails = true
    const remembered = cacheFacts(
      {
        ...facts,
        person: async id => {
          asked += 1
          if (fails) throw new Error('Slack is away')
          return facts.person(id, 'quick')
        },
      },
      () => now,
    )
    await expect(remembered.person('Umember', 'quick')).rejects.toThrow('away')
    fails = false
    await Promise.all([remembered.person('Umember', 'quick'), remembered.person('Umember', 'quick')])
    expect(asked).toBe(2)
    now = 299_999
    await remembered.person('Umember', 'patient')
    expect(asked).toBe(2)
    now = 300_000
    await remembered.person('Umember', 'quick')
    expect(asked).toBe(3)
    await remembered.person('Uguest', 'quick')
    expect(asked).toBe(4)
  })
})
