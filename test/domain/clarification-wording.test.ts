import { expect, it } from 'vitest'
import { clarificationText, readableOptions } from '../../src/domain/answer-wording/clarifications.ts'

it('asks by what to group as people say it', () => {
  expect(clarificationText({ kind: 'phrase', phrase: 'country', isGroup: true })).toBe('By which country?')
  expect(clarificationText({ kind: 'phrase', phrase: 'Kiel', isGroup: false })).toBe(
    'What do you mean by “Kiel”?',
  )
})

it('shows options in sentence case, and only hints that tell them apart', () => {
  const [billing, shipping] = [
    { label: 'billing country', hint: '19 rows' },
    { label: 'shipping country', hint: '19 rows' },
  ]
  expect(readableOptions([billing, shipping])).toEqual([
    { label: 'Billing country', hint: '' },
    { label: 'Shipping country', hint: '' },
  ])
  expect(readableOptions([billing, { ...shipping, hint: '4 rows' }])[1]?.hint).toBe('4 rows')
})
