import { expect, it } from 'vitest'
import { calendarForm, monthNumber } from '../../../src/lib/lexicon/value-forms.ts'

it.each([
  ['August', 'Aug'],
  ['aug', 'August'],
  ['Mon', 'Monday'],
  ['sunday', 'Sun'],
  ['Dec.', 'December'],
  ['May', null],
  ['anchor', null],
])('the other form of %s is %s', (word, form) => {
  expect(calendarForm(word)).toBe(form)
})

it.each([
  ['January', 1],
  ['sept', 9],
  ['may', 5],
  ['Monday', null],
])('%s is month %s', (word, month) => {
  expect(monthNumber(word)).toBe(month)
})
