import { describe, expect, it } from 'vitest'
import { isNaturalKey } from '../../../src/databases/catalog/linked-schema.ts'
import type { Column, ColumnProfile } from '../../../src/domain/catalog.ts'

const keyOf = (values: readonly string[], profile: Partial<ColumnProfile> = {}): Column => ({
  name: 'key',
  type: 'text',
  kind: 'text',
  nullable: false,
  comment: null,
  profile: {
    nullShare: 0,
    distinctCount: 900,
    min: null,
    max: null,
    mostFrequent: values.map(value => ({ value, count: 1 })),
    meanLength: values.reduce((sum, value) => sum + value.length, 0) / values.length,
    ...profile,
  },
})

describe('a natural key', () => {
  it.each([
    ['countries', ['NO', 'DE', 'FR']],
    ['currencies', ['EUR', 'NOK']],
    ['airports', ['BGO', 'OSL', 'CDG']],
    ['languages', ['nb', 'en-gb', 'fr']],
    ['flights', ['SK-4171', 'LH402']],
    ['products', ['SKU-00017', 'SKU-00018', 'BOX/12']],
  ])('is made of codes: %s', (_, values) => {
    expect(isNaturalKey(keyOf(values))).toBe(true)
  })

  it('is a short list of words, or follows a format with letters', () => {
    expect(isNaturalKey(keyOf(['at sea', 'in port', 'laid up'], { distinctCount: 3 }))).toBe(true)
    expect(isNaturalKey(keyOf(['Pier-A1b', 'Pier-B2c']))).toBe(false)
    expect(isNaturalKey(keyOf(['Pier-1', 'Pier-2'], { format: { pattern: 'Aaaa-9+', share: 1 } }))).toBe(true)
  })

  it.each([
    ['numbers as text', ['10017', '10018']],
    ['UUIDs', ['3f2b8c1e-9a4d-4e7b-8f60-1c2d3e4f5a6b']],
    ['hashes', ['9e107d9d', '0a1b2c3d']],
    ['ids that programs make', ['V1StGXR8z', 'aX3kP9qLm']],
    ['names, of which there are many', ['Bergen Harbor', 'Port of Tacoma']],
  ])('is not made of %s', (kind, values) => {
    const profile = kind === 'numbers as text' ? { numericText: true } : {}
    expect(isNaturalKey(keyOf(values, profile))).toBe(false)
  })

  it('is a text with a profile', () => {
    expect(isNaturalKey({ ...keyOf(['NO']), kind: 'integer' })).toBe(false)
    expect(isNaturalKey({ ...keyOf(['NO']), profile: null })).toBe(false)
  })
})
