import { expect, it } from 'vitest'
import { regionForms } from '../../../src/lib/lexicon/regions.ts'

it.each([
  ['French', ['France', 'FR']],
  ['France', ['French', 'FR']],
  ['danish', ['Denmark', 'DK']],
  ['Canadian', ['Canada', 'CA']],
  ['Canada', ['Canadian']],
  ['Peruvian', ['Peru']],
  ['Belgian', ['Belgium', 'BE']],
  ['Mexico', ['Mexican']],
  ['Brazil', ['Brazilian', 'BR']],
  ['american', ['United States', 'US', 'USA', 'United States of America']],
  ['UK', ['United Kingdom', 'GB', 'British']],
  ['Scottish', ['Scotland']],
])('%s has the forms %j', (text, forms) => {
  expect(regionForms(text)).toEqual(expect.arrayContaining(forms))
})

it('takes codes for codes in capitals only, since many are words', () => {
  expect(regionForms('IN')).toContain('India')
  for (const word of ['in', 'it', 'me', 'is', 'us', 'be', 'to']) expect(regionForms(word)).toEqual([])
})

it('finds nothing in words that only end like an adjective', () => {
  for (const word of [
    'children',
    'station',
    'public',
    'selling',
    'customer',
    'taxi',
    'plan',
    'english-speaking',
  ])
    expect(regionForms(word)).toEqual([])
})

it('never gives back what it was asked with', () => {
  for (const text of ['France', 'french', 'US', 'USA', 'Irish'])
    expect(regionForms(text).map(form => form.toLowerCase())).not.toContain(text.toLowerCase())
})
