import { describe, expect, it } from 'vitest'
import { takeApart } from '../../../src/lib/lexicon/take-apart.ts'

describe('takeApart', () => {
  it('cuts what runs together where all parts are known', () => {
    expect(takeApart('boatname', new Set(['boat']))).toEqual(['boat', 'name'])
    expect(takeApart('harbourid', new Set(['harbour']))).toEqual(['harbour', 'id'])
  })

  it('leaves words alone that are short, known as they are, or not made of known parts', () => {
    expect(takeApart('boat', new Set(['boat']))).toBeNull()
    expect(takeApart('customer', new Set(['custom']))).toBeNull()
    expect(takeApart('xyzzyname', new Set())).toBeNull()
    expect(takeApart('straße', new Set())).toBeNull()
  })
})
