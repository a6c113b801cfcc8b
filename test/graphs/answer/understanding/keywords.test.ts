import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractKeywords } from '../../../../graphs/answer/understanding/keywords.ts'

const texts = (question: string, source?: string) =>
  extractKeywords(question)
    .filter(keyword => source === undefined || keyword.source === source)
    .map(keyword => keyword.text)

describe('the keywords of a question', () => {
  it('begin with what stands in quotes', () => {
    expect(texts('orders of "Nora Lind" since May')[0]).toBe('Nora Lind')
    expect(texts("orders of ‘Nora Lind’, and of 'Ola'", 'quoted')).toEqual(['Nora Lind', 'Ola'])
  })

  it('hold every run of words that begins and ends with one that means something', () => {
    const found = texts('How many tents did we sell in New Haven?')
    expect(found).toEqual(expect.arrayContaining(['tents', 'New Haven', 'sell in New Haven', 'Haven']))
    expect(found.filter(text => /^(?:in|did|how|we)\b|\b(?:in|did|we)$/i.test(text))).toEqual([])
  })

  it('keep an apostrophe inside a word and drop what makes an owner of it', () => {
    const found = texts("What is O'Brien's city? And the boys' town?")
    expect(found).toEqual(expect.arrayContaining(["O'Brien's city", "O'Brien", 'boys']))
    expect(texts("What is O'Brien's city?", 'quoted')).toEqual([])
  })

  it('hold names whole, with the small words inside them', () => {
    expect(texts('Who sang The Ballad of the Long Winter in Oslo?', 'capitalised')[0]).toBe(
      'The Ballad of the Long Winter in Oslo',
    )
    expect(texts('Alba Nord sails, Brisa too', 'capitalised')).toEqual(['Alba Nord', 'Nord', 'Brisa'])
  })

  it('take a single letter for a value where it is written as one', () => {
    expect(texts('Which pupils got an A or No in art?')).toEqual(expect.arrayContaining(['A', 'No']))
    expect(texts('A boat, no sail')).not.toEqual(expect.arrayContaining(['A']))
  })

  it('write numbers and days as databases do, and remember how the question says them', () => {
    const found = extractKeywords(
      'Over twenty-five crates of 2k kg, packed on May 6th, 2020 or in June 2021?',
    )
    expect(found.filter(({ source }) => source === 'number' || source === 'date')).toMatchObject([
      { text: '25', said: 'twenty-five' },
      { text: '2000', said: '2k' },
      { text: '6', said: '6th' },
      { text: '2020-05-06', said: 'May 6th 2020' },
      { text: '5/6/2020', said: 'May 6th 2020' },
      { text: '6/5/2020', said: 'May 6th 2020' },
      { text: '2021-06', said: 'June 2021' },
    ])
  })

  it('add other forms: countries, states, months, and letters that stand for words', () => {
    const found = extractKeywords('female Italian sailors from Ohio in august')
    const formsOf = (said: string) => found.filter(keyword => keyword.said === said).map(({ text }) => text)
    expect(formsOf('Italian')).toEqual(expect.arrayContaining(['Italy', 'IT']))
    expect(formsOf('Ohio')).toContain('OH')
    expect(formsOf('august')).toContain('Aug')
    expect(found.filter(({ source }) => source === 'code')).toEqual([
      { text: 'f', said: 'female', source: 'code', weight: 0.9 },
      { text: 'w', said: 'female', source: 'code', weight: 0.9 },
    ])
  })

  it('take words with a hyphen apart too', () => {
    expect(texts('all-female crews')).toEqual(expect.arrayContaining(['all-female', 'female']))
  })

  it('are none where nothing is said', () => {
    expect(extractKeywords('how many are there?')).toEqual([])
    expect(extractKeywords('')).toEqual([])
  })
})

describe('any text', () => {
  it('gives keywords that differ, are not empty, and are not too many', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), text => {
        const found = extractKeywords(text)
        expect(new Set(found.map(keyword => keyword.text)).size).toBe(found.length)
        expect(found.every(keyword => keyword.text.trim() !== '' && keyword.weight > 0)).toBe(true)
      }),
      { seed: 7 },
    )
  })

  it('that is long costs a bounded number of lookups', () => {
    const long = Array.from({ length: 3000 }, (_, at) => `word${at}`).join(' ')
    expect(extractKeywords(long).length).toBeLessThan(400)
  })
})
