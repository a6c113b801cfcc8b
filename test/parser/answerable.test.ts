import { describe, expect, it } from 'vitest'
import { findUnknownTerms } from '../../src/parser/answerability/find-unknown-terms.ts'
import { rateAnswerability } from '../../src/parser/answerability/rate-answerability.ts'
import { isRequestToBot } from '../../src/parser/follow-up/detect-follow-up.ts'
import { libraryCatalog } from './library.ts'

const catalog = libraryCatalog('sqlite')

describe('things that a database has not', () => {
  it.each([
    ['how many blue elephants signed?', ['blue', 'elephants']],
    ['what is the salary of each astronaut?', ['salary', 'astronaut']],
    ['how many books are there in Atlantis?', ['Atlantis']],
    ['list all unicorns born last year', ['unicorns']],
    ['gender split of our members', ['gender']],
  ])('%s', (text, things) => {
    expect(findUnknownTerms(text, catalog)).toEqual(things)
  })

  it.each([
    'how many books are there by genre?',
    'which members borrowed the most books?',
    'what is the average fine that each branch took?',
    'show the major genres of books',
    'how many members never returned anything?',
    'list the nationality and birth year of all authors',
  ])('are not in: %s', text => {
    expect(findUnknownTerms(text, catalog)).toEqual([])
  })

  it('are not what values account for', () => {
    expect(findUnknownTerms('how many books are there in Atlantis?', catalog, ['Atlantis'])).toEqual([])
  })
})

describe('whether a text is about a database', () => {
  it.each([
    'how many books are there by genre?',
    'which members live in Elmford?',
    'total fines by branch in 2025',
  ])('is: %s', text => {
    expect(rateAnswerability(text, catalog)).toBeGreaterThan(0.5)
  })

  it.each([
    'did he ever think that this would happen to the band?',
    'water boils at a lower temperature on high mountains than at sea',
  ])('is not: %s', text => {
    expect(rateAnswerability(text, catalog)).toBeLessThan(0.05)
  })
})

describe('words in a thread that name nobody', () => {
  it.each([
    'and by month?',
    'only Germany',
    'top 5',
    'as a chart',
    'who are they?',
    'how many orders were placed last year?',
    'show me the same for France',
    'what about last month',
    'lowest first',
    'total instead',
  ])('ask something: %s', text => {
    expect(isRequestToBot(text)).toBe(true)
  })

  it.each([
    'thanks!',
    'I think that looks right',
    'ok, let me check with finance',
    'we should tell the others',
    'interesting, that is lower than last year',
    'agreed',
    'nice one',
    'that number looks odd to me',
    'yes',
  ])('ask nothing: %s', text => {
    expect(isRequestToBot(text)).toBe(false)
  })
})
