import { describe, expect, it } from 'vitest'
import { normalizeQuestion } from '../../../../graphs/answer/nodes/recall-answer.ts'
import { understandQuestion } from '../../../../src/parser/understand/understand-question.ts'

const at = (text: string, day = '2026-11-20T10:00:00Z', timeZone = 'Europe/Berlin'): string =>
  normalizeQuestion(understandQuestion(text, { now: () => new Date(day), timeZone }))

describe('a question as a key', () => {
  it.each([
    ['How many tents were sold?', 'how many  tents were sold'],
    ['A list of the stores', 'a list of the stores'],
    ['how many tents were sold ?', 'how many tents were sold.'],
    ['orders from Café Nord', 'orders from Cafe\u0301 Nord'],
  ])('is the same for %s and %s', (one, other) => {
    expect(at(one)).toBe(at(other))
  })

  it.each([
    ['how many tents were sold?', 'how many boats were sold?'],
    // A country and a pronoun, a department and a pronoun.
    ['orders from US', 'orders from us'],
    ['tickets of IT', 'tickets of it'],
    ['seats in class A', 'seats in class a'],
    ['orders over 10', 'orders over 100'],
    ['orders over 1.0', 'orders over 10'],
  ])('differs for %s and %s', (one, other) => {
    expect(at(one)).not.toBe(at(other))
  })

  it('changes with the days that it means, and with whose days they are', () => {
    const lastWeek = 'how many orders last week?'
    expect(at(lastWeek, '2026-11-20T10:00:00Z')).toBe(at(lastWeek, '2026-11-20T16:00:00Z'))
    expect(at(lastWeek, '2026-11-20T10:00:00Z')).not.toBe(at(lastWeek, '2026-11-21T10:00:00Z'))
    expect(at(lastWeek)).not.toBe(at(lastWeek, undefined, 'Asia/Tokyo'))
  })
})
