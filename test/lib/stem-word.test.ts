import { describe, expect, it } from 'vitest'
import { toSingular } from '../../src/lib/stem-word.ts'

describe('toSingular', () => {
  it.each([
    ['countries', 'country'],
    ['boxes', 'box'],
    ['classes', 'class'],
    ['houses', 'house'],
    ['churches', 'church'],
    ['cats', 'cat'],
    ['people', 'person'],
    ['buses', 'bus'],
    ['heroes', 'hero'],
  ])('%s becomes %s', (plural, singular) => {
    expect(toSingular(plural)).toBe(singular)
  })

  it.each([
    'bus',
    'status',
    'class',
    'series',
    'gas',
    'tax',
    'country',
    'us',
    '1990',
    'alias',
    '',
    'constructor',
  ])('%s stays', word => {
    expect(toSingular(word)).toBe(word)
  })
})
