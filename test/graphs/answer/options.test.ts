import { describe, expect, it } from 'vitest'
import { matchOption } from '../../../graphs/answer/options.ts'

const labels = ['city is Fresno', 'county is Fresno', 'top 3 by size']

const options = labels.map(label => ({ label, hint: '', candidateIds: [] }))

describe('a typed reply', () => {
  it.each([
    ['2', 2],
    ['#2', 2],
    ['option 2', 2],
    ['the second one, please', 2],
    ['County', 2],
    ['I mean the county', 2],
    ['city is Fresno', 1],
    ['CITY IS FRESNO', 1],
    ['by size', 3],
    // A number that stands in a label is that label's.
    ['3', 3],
  ])('%s is option %i', (text, number) => {
    expect(matchOption(text, { options })).toBe(number)
  })

  it.each(['Fresno', '7', 'the county, but only since May', 'both', '', 'the one', 'neither'])(
    '“%s” names none of them',
    text => {
      expect(matchOption(text, { options })).toBeNull()
    },
  )
})
