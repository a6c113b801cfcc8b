import { describe, expect, it } from 'vitest'
import { abbreviations } from '../../../src/lib/lexicon/abbreviations.ts'
import { areRelated, relatedTo, synonymGroups } from '../../../src/lib/lexicon/synonyms.ts'
import { stemWord } from '../../../src/lib/stem-word.ts'

describe('areRelated', () => {
  it('holds between the head of a line and its others, in both directions', () => {
    expect(areRelated(stemWord('customer'), stemWord('clients'))).toBe(true)
    expect(areRelated(stemWord('clients'), stemWord('customer'))).toBe(true)
  })

  it('does not hold between two words that only share a head, or of a word with itself', () => {
    expect(areRelated(stemWord('client'), stemWord('shopper'))).toBe(false)
    expect(areRelated(stemWord('client'), stemWord('client'))).toBe(false)
  })

  it('is what relatedTo lists', () => {
    for (const [head = ''] of synonymGroups)
      for (const other of relatedTo(stemWord(head))) expect(areRelated(other, stemWord(head))).toBe(true)
    expect([...relatedTo('xyzzy')]).toEqual([])
  })
})

describe('abbreviations', () => {
  it('are folded words and spell out in folded words', () => {
    for (const [short, long] of abbreviations)
      expect(`${short} ${long.join(' ')}`).toMatch(/^[a-z]+( [a-z]+)+$/)
  })
})
