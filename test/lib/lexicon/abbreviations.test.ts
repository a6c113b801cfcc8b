import { describe, expect, it } from 'vitest'
import { splitCompound } from '../../../src/lib/lexicon/abbreviations.ts'

describe('takeApart', () => {
  it('cuts what runs together where all parts are known', () => {
    expect(splitCompound('boatname', new Set(['boat']))).toEqual(['boat', 'name'])
    expect(splitCompound('harbourid', new Set(['harbour']))).toEqual(['harbour', 'id'])
  })

  it('leaves words alone that are short, known as they are, or not made of known parts', () => {
    expect(splitCompound('boat', new Set(['boat']))).toBeNull()
    expect(splitCompound('customer', new Set(['custom']))).toBeNull()
    expect(splitCompound('xyzzyname', new Set())).toBeNull()
    expect(splitCompound('straße', new Set())).toBeNull()
  })
})
