import { describe, expect, it } from 'vitest'
import { isOnlySmallTalk, isThanks, stripSmallTalk } from '../../src/lib/small-talk.ts'
import { classifyRequest } from '../../src/parser/understand/understand-question.ts'

/** Replies, and what is left of them without the small talk that they begin with. */
const withMore: readonly (readonly [string, string])[] = [
  ['no, only Huskies', 'only Huskies'],
  ['No only Huskies', 'only Huskies'],
  ['thanks, now by breed?', 'now by breed?'],
  ['sorry, I meant owners', 'I meant owners'],
  ['sorry i meant owners', 'i meant owners'],
  ['ok and per month', 'and per month'],
  ['yes please by store', 'by store'],
  ['great, top 5?', 'top 5?'],
  ['yes, by store', 'by store'],
  ['thanks! and in 2025?', 'and in 2025?'],
  ['Thank you so much, and for Germany?', 'and for Germany?'],
  ['ok cool, now as a chart', 'now as a chart'],
  ['nice 👍 by country', 'by country'],
  [':+1: only last year', 'only last year'],
  ['hmm, what about Lisbon?', 'what about Lisbon?'],
  ['okay so what about Lisbon', 'so what about Lisbon'],
  ['perfect. sort by price', 'sort by price'],
  ['no, the other way round', 'the other way round'],
  ['no, Huskies', 'Huskies'],
  ['nope, without refunds', 'without refunds'],
  ['oops, wrong year: 2024', 'wrong year: 2024'],
  ['no worries, but by month', 'but by month'],
  ['haha ok, why is March so low?', 'why is March so low?'],
  ['lol how many of those are new?', 'how many of those are new?'],
  ['cool - and the average?', 'and the average?'],
  ['yes. Which ones?', 'Which ones?'],
  ['yeah, show them', 'show them'],
  ['thx, list the top ten', 'list the top ten'],
  ['hello, how many customers are there', 'how many customers are there'],
  ['Hi there! Which store sold most?', 'Which store sold most?'],
  ['good morning, revenue last week please', 'revenue last week please'],
  ['thanks for the answer, now per channel', 'now per channel'],
  ["that's great, and last month?", 'and last month?'],
  ['alright, only open tickets', 'only open tickets'],
  ['sure, by region', 'by region'],
  ['Sorry, not Porto but Lisbon', 'not Porto but Lisbon'],
  ['okay 2025 only', '2025 only'],
  ['yes, he was hired in 2024?', 'he was hired in 2024?'],
]

/** Questions and changes that begin with a word of small talk and mean it. */
const withoutAny: readonly string[] = [
  'no-shows last month',
  'No-show rate by department',
  'hi-fi sales by store',
  'no orders from Germany',
  'no refunds',
  'nice hotels in Porto',
  'good customers by city',
  'great lakes by area',
  'right wing players of the season',
  'yes votes per state',
  'thanks to whom did we win?',
  'Thanksgiving revenue',
  'perfect games per pitcher',
  'hello kitty sales',
  'fine amounts per driver',
  'true positives by test',
  'nothing sold last week?',
  'okra by farm',
  'sorryville',
  'by month',
  'please list all owners',
]

const nothingElse: readonly string[] = [
  'thanks!',
  'Thank you',
  'thanks a lot',
  'thanks so much!!',
  'ok thank you so much',
  'many thanks',
  'thx',
  'ty :)',
  'cheers mate',
  'thanks everyone',
  'thanks for that',
  'thanks for the quick help',
  'great, thanks again',
  'yes perfect',
  'Yes!',
  'no',
  'nope',
  'no worries, thanks',
  'no problem',
  'no thanks',
  'ok',
  'Okay.',
  'ok cool',
  'okay then',
  'cool cool cool',
  'sounds good',
  'makes sense, thank you',
  'got it, thanks!',
  "that's all for now",
  'that’s great, thank you',
  'this is very helpful',
  'nice one',
  'good bot',
  'well done',
  'wow',
  'haha',
  'hahaha',
  'LOL',
  'hmm',
  'sorry',
  'sorry about that',
  'my bad',
  'never mind',
  'nevermind, sorry',
  'hi',
  'Hey there!',
  'good morning everyone',
  'how are you?',
  'bye',
  'see you tomorrow',
  'have a nice weekend!',
  '👍',
  '🎉🎉',
  '❤️',
  ':tada:',
  ':+1: :+1:',
  'thanks :pray:',
  'perfect 👌',
]

it.each(withMore)('"%s" asks "%s"', (text, rest) => {
  expect(classifyRequest(text)).toBe('data')
  expect(stripSmallTalk(text).text).toBe(rest)
})

it.each(withoutAny)('"%s" is a question from its first word on', text => {
  expect(classifyRequest(text)).toBe('data')
  expect(stripSmallTalk(text)).toEqual({ text, objects: false })
})

it.each(nothingElse)('"%s" is small talk and nothing else', text => {
  expect(isOnlySmallTalk(text)).toBe(true)
  expect(classifyRequest(text)).toBe('small-talk')
})

it.each(['', '   ', '?!', '...', ':)', '2'])('"%s" is no small talk', text => {
  expect(isOnlySmallTalk(text)).toBe(false)
})

describe('small talk before a request', () => {
  it.each([
    ['no, only Huskies', true],
    ['sorry, I meant owners', true],
    ['oops, only 2024', true],
    ['thanks, now by breed?', false],
    ['no worries, but by month', false],
    ['yes please by store', false],
  ])('"%s" objects: %s', (text, objects) => {
    expect(stripSmallTalk(text).objects).toBe(objects)
  })
})

it.each([
  ['ok thank you so much', true],
  ['no worries, thanks', true],
  ['yes perfect', true],
  ['haha', false],
  ['hello', false],
  ['no', false],
])('"%s" thanks: %s', (text, thanks) => {
  expect(isThanks(text)).toBe(thanks)
})

it('takes no long time for a long message', () => {
  const started = performance.now()
  for (const text of [
    'thanks so much '.repeat(70),
    'ha'.repeat(500),
    'ok, '.repeat(250),
    'very '.repeat(200),
  ])
    stripSmallTalk(`${text}and by month`)
  expect(performance.now() - started).toBeLessThan(1_000)
})
