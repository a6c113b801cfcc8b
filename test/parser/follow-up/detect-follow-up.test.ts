import { describe, expect, it } from 'vitest'
import {
  isRequestToBot,
  looksLikeEdit,
  stripFollowUpCues,
} from '../../../src/parser/follow-up/detect-follow-up.ts'

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
    'as a percentage',
    'exclude canceled',
    'the month before',
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

describe('a reply in a thread', () => {
  it.each([
    'no, only Huskies',
    'no, just 2024',
    'thanks, now by breed?',
    'sorry, I meant owners',
    'ok and per month',
    'yes please by store',
    'great, top 5?',
    'thanks! and in 2025?',
    'haha ok, why is March so low?',
    'cool, as a chart',
    'okay, what about Lisbon',
    'nice, who are they?',
    'wait, only open ones',
    'perfect. sort by price',
    'I meant per region',
    'as a percentage',
    'exclude canceled',
    'drop the drafts',
    'add their emails',
    'the month before',
    'one year earlier?',
    'vs last year',
    'year over year',
    'cumulative',
    'make it weekly',
    'reverse the order',
    'hm, Germany seems off, can you split it by city',
    'that helps but what about returns',
    'Lisbon was closed in May. could you leave out that one',
  ])('is a request: %s', text => {
    expect(isRequestToBot(text)).toBe(true)
  })

  it.each([
    'thanks!',
    'ok thank you so much',
    'yes perfect',
    'no worries, thanks',
    '👍',
    ':tada:',
    'haha',
    'no',
    'yes, I think so too',
    'ok let me check with Anna',
    'thanks, I will tell the others',
    "no, that's wrong",
    'great, we can use that in the deck',
    'sorry, wrong thread',
    'thanks Anna',
    'drop it',
    'remove that please',
    'add me to the list',
    'the month before was better',
    'quarterly results are bad',
  ])('is people talking: %s', text => {
    expect(isRequestToBot(text)).toBe(false)
  })

  it.each([
    ['no, only Huskies', 'Huskies'],
    ['no, Huskies', 'Huskies'],
    ['sorry, I meant owners', 'owners'],
    ['ok and per month', 'per month'],
    ['thanks, only open ones please', 'open ones'],
  ])('"%s" corrects with "%s"', (said, text) => {
    expect(stripFollowUpCues(said)).toMatchObject({ text, cued: true })
  })

  it('without an objection or a cue is no correction', () => {
    expect(stripFollowUpCues('thanks, owners by city')).toMatchObject({ text: 'owners by city', cued: false })
  })
})
