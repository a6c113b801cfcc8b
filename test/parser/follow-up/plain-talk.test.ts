import { describe, expect, it } from 'vitest'
import { isDoubt, isRemark, toPlainTalk } from '../../../src/parser/follow-up/plain-talk.ts'

describe('talk about an answer', () => {
  it.each([
    ['Germany seems off, can you split it by city', 'can you split it by city for Germany'],
    ['hm, Lisbon looks really low - show it by month?', 'hm, show it by month for Lisbon'],
    ['that looks odd, only 2025 please', 'only 2025 please'],
    ['hm, Germany seems off, can you leave it out?', 'hm, without Germany'],
    ['Lisbon is way too high, exclude it please', 'without Lisbon'],
    ['that looks wrong, leave it out', 'leave it out'],
    ['by revenue instead of units?', 'by revenue instead?'],
    ['spa not included', 'without spa'],
    ['only Porto, and breakfast excluded', 'only Porto, and without breakfast'],
    ['how many reviews is that based on', 'how many reviews'],
  ])('is read as the change that it asks for: %s', (said, change) => {
    expect(toPlainTalk(said)).toBe(change)
  })

  it.each(['only Germany', 'and by month?', 'only those not shipped', 'which stores are off limits?'])(
    'stays as it is if it says nothing of the kind: %s',
    said => {
      expect(toPlainTalk(said)).toBe(said)
    },
  )

  it.each(['lol porto is tiny', 'that’s huge', 'Revenue looks good', 'I expected more from the app'])(
    'asks for nothing: %s',
    said => {
      expect(isRemark(said)).toBe(true)
      expect(isDoubt(said)).toBe(said.startsWith('I expected'))
    },
  )

  it.each(["hmm that can't be right", 'I think North is missing two stores', 'Porto looks wrong'])(
    'is doubt: %s',
    said => {
      expect(isDoubt(said)).toBe(true)
    },
  )

  it.each(['only the open ones', 'is that high?', 'what is wrong', 'by month', 'which is highest?'])(
    'is no remark: %s',
    said => {
      expect(isRemark(said)).toBe(false)
    },
  )
})
