import { describe, expect, it } from 'vitest'
import { looksLikeEdit } from '../../../src/parser/follow-up/detect-follow-up.ts'

describe('words outside of a thread', () => {
  it.each([
    'and by month?',
    'only Germany',
    'by country instead',
    'in 2024',
    'what about last month?',
    'top 5',
    'as a chart',
    'who are they?',
    'why is March low?',
    'without refunds',
  ])('are a change: %s', text => {
    expect(looksLikeEdit(text)).toBe(true)
  })

  it.each([
    'how many orders were placed last month?',
    'orders by country',
    'Which customers placed the most orders in 2024?',
    'Germany',
    'show all stores in Hamburg that have a cafe',
    'in which month of last year were the most orders placed?',
    '',
  ])('are none: %s', text => {
    expect(looksLikeEdit(text)).toBe(false)
  })
})
