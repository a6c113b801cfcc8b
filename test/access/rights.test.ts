import { describe, expect, it } from 'vitest'
import { makeFindDatabaseAccess } from '../../src/access/rights/find-database-access.ts'
import { type Identity, resolveRights } from '../../src/access/rights/resolve-rights.ts'
import { makeRightsRegistry } from '../../src/access/rights/rights-registry.ts'
import {
  type GrantedRights,
  plainSession,
  type RightsGroup,
  type RightsSettings,
} from '../../src/domain/access/data-rights.ts'
import {
  coversRef,
  formatDatabaseRef,
  mergeScopes,
  parseDatabaseRef,
  unrestrictedScope,
} from '../../src/domain/database.ts'

const everything: GrantedRights = {
  scope: unrestrictedScope,
  rowRules: [],
  columnMasks: [],
  mayExport: true,
  session: plainSession,
}

const rows = (condition: string): GrantedRights => ({
  ...everything,
  rowRules: [{ table: 'orders', condition }],
})

const group = (name: string, ids: readonly string[], databases: RightsGroup['databases']): RightsGroup => ({
  name,
  members: { kind: 'listed', ids, claims: null },
  databases,
})

const settings = (...groups: readonly RightsGroup[]): RightsSettings => ({ groups, people: {} })

const ada: Identity = {
  id: 'UADA',
  email: 'ada@example.com',
  userGroups: new Set(['SSALES']),
  claims: { region: 'EMEA' },
}

const conditionOf = (given: RightsSettings, identity: Identity = ada): string | null => {
  const access = resolveRights(given, identity, 'shop')
  return access.kind === 'restricted' ? (access.rights.rowRules[0]?.condition ?? null) : access.kind
}

describe('what a person sees of a database', () => {
  it('is everything if no group names it, and nothing if the person is in none that does', () => {
    expect(conditionOf(settings(group('pets', ['UADA'], { pets: everything })))).toBe('open')
    expect(conditionOf(settings(group('others', ['UBOB'], { shop: everything })))).toBe('closed')
  })

  it('comes from the first group with the person, not from all of them', () => {
    const narrow = group('narrow', ['SSALES'], { shop: rows('a') })
    const wide = group('wide', ['UADA'], { shop: everything })
    expect(conditionOf(settings(narrow, wide))).toBe('a')
    expect(conditionOf(settings(wide, narrow))).toBe('open')
  })

  it('depends on user groups, addresses and claims', () => {
    expect(conditionOf(settings(group('mail', ['ADA@example.com'], { shop: rows('b') })))).toBe('b')
    const claimed = (region: string): RightsGroup => ({
      name: 'claimed',
      members: { kind: 'listed', ids: [], claims: { region } },
      databases: { shop: rows('c') },
    })
    expect(conditionOf(settings(claimed('EMEA')))).toBe('c')
    expect(conditionOf(settings(claimed('APAC')))).toBe('closed')
    expect(conditionOf(settings({ ...claimed(''), members: { kind: 'everyone' } }))).toBe('c')
  })

  it('has facts about the person filled in as text', () => {
    const rule = rows('owner = {person.email} and region = {claim.region} and id <> {person.id}')
    expect(conditionOf(settings(group('g', ['UADA'], { shop: rule })))).toBe(
      "owner = 'ada@example.com' and region = 'EMEA' and id <> 'UADA'",
    )
    const odd = { ...ada, claims: { region: "x' or 'a'='a" } }
    expect(conditionOf(settings(group('g', ['UADA'], { shop: rows('r = {claim.region}') })), odd)).toBe(
      "r = 'x'' or ''a''=''a'",
    )
  })

  it('is nothing if a fact is not known or could end a text', () => {
    const rule = settings(group('g', ['UADA'], { shop: rows('owner = {person.email}') }))
    expect(conditionOf(rule, { ...ada, email: null })).toBe('closed')
    expect(conditionOf(rule, { ...ada, email: "a\\' or 1=1 -- " })).toBe('closed')
    expect(conditionOf(rule, { ...ada, email: 'a\u0000b' })).toBe('closed')
  })

  it('has equal keys for equal rights only', () => {
    const keyOf = (condition: string, name = 'g'): string => {
      const access = resolveRights(settings(group(name, ['UADA'], { shop: rows(condition) })), ada, 'shop')
      return access.kind === 'restricted' ? access.rights.key : access.kind
    }
    expect(keyOf('a')).toMatch(/^[0-9a-f]{16}$/)
    expect(keyOf('a', 'other')).toBe(keyOf('a'))
    expect(keyOf('b')).not.toBe(keyOf('a'))
  })
})

describe('looking up what a person sees', () => {
  it('asks Slack only about databases that a group names, and registers the rights', async () => {
    const asked: string[] = []
    const registry = makeRightsRegistry()
    const find = makeFindDatabaseAccess({
      settings: settings(group('sales', ['SSALES'], { shop: rows('a') })),
      facts: {
        person: async id => {
          asked.push(id)
          return { id, teams: [], isGuest: false }
        },
        members: async id => {
          asked.push(id)
          return ['UADA']
        },
      },
      registry,
    })
    expect(await find({ person: 'UADA', team: 'T1', database: 'pets' })).toEqual({
      kind: 'open',
      group: null,
    })
    expect(asked).toEqual([])
    const access = await find({ person: 'UADA', team: 'T1', database: 'shop' })
    expect(asked.sort()).toEqual(['SSALES', 'UADA'])
    if (access.kind !== 'restricted') throw new Error(access.kind)
    expect(registry.find(access.rights.key)).toBe(access.rights)
    expect(() => makeRightsRegistry().find(access.rights.key)).toThrow('no longer know')
  })
})

describe('a reference to a database', () => {
  it('has a glossary and the key of rights', () => {
    for (const ref of ['shop', 'shop/finance', 'shop@0123456789abcdef', 'shop/finance@0123456789abcdef'])
      expect(formatDatabaseRef(parseDatabaseRef(ref))).toBe(ref)
    expect(parseDatabaseRef('shop/finance@0123456789abcdef')).toEqual({
      database: 'shop',
      glossary: 'finance',
      rights: '0123456789abcdef',
    })
    for (const path of ['sqlite:data@0123456789abcdef', 'postgres://a@b/c', 'shop@short'])
      expect(parseDatabaseRef(path)).toEqual({ database: path, glossary: null, rights: null })
  })

  it('covers what was read under the same rights, and everything if it has none', () => {
    const [one, other] = ['shop@0123456789abcdef', 'shop@fedcba9876543210']
    expect(coversRef(one, one)).toBe(true)
    expect(coversRef('shop', one)).toBe(true)
    expect(coversRef(one, other)).toBe(false)
    expect(coversRef(one, 'shop')).toBe(false)
    expect(coversRef('shop', 'pets')).toBe(false)
    expect(coversRef('shop', `shop/finance@0123456789abcdef`)).toBe(false)
  })
})

it('merges the lists of a database with those of a person', () => {
  const base = { tables: { include: ['a', 'b'], exclude: [] }, columns: { exclude: ['*.x'], mask: [] } }
  const own = { tables: { include: ['b', 'c'], exclude: ['d'] }, columns: { exclude: [], mask: ['*.y'] } }
  expect(mergeScopes(base, unrestrictedScope)).toBe(base)
  expect(mergeScopes(unrestrictedScope, own)).toBe(own)
  expect(mergeScopes(base, own)).toEqual({
    tables: { include: ['a', 'b'], exclude: ['d'], within: ['b', 'c'] },
    columns: { exclude: ['*.x'], mask: ['*.y'] },
  })
})
