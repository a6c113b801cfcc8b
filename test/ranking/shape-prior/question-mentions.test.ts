import { expect, test } from 'vitest'
import { findMentions, maskWords, questionCues } from '../../../src/ranking/shape-prior/question-mentions.ts'
import { nursery } from './nursery.ts'

/** The columns that a question names wholly, with the word at which it does. */
const named = (question: string): Record<string, string> => {
  const { words, columns, catalog } = findMentions(question, nursery)
  return Object.fromEntries(
    catalog.columns.flatMap((column, at) => {
      const mention = columns[at]
      return mention?.share === 1
        ? [[`${column.table}.${column.name}`, `${mention.at} ${words[mention.at]?.text}`]]
        : []
    }),
  )
}

test('finds columns by all of their words, those of their table aside', () => {
  expect(named('Which heights and prices do plants have?')).toEqual({
    'plant.height': '1 heights',
    'plant.price': '3 prices',
  })
})

test('prefers the place that asks over the place that compares', () => {
  expect(named('For plants whose price is over 3, what is the price?')).toMatchObject({
    'plant.price': '11 price',
  })
  expect(named('Which plant has the best price? List the height and price.')).toMatchObject({
    'plant.price': '11 price',
  })
})

test('masks names and values, and keeps the words of asking', () => {
  expect(maskWords(findMentions('How many plants have a height over 12.5?', nursery)).join(' ')).toBe(
    'how mani T have a C over V',
  )
  expect(
    maskWords(findMentions('List cities of growers in "Bad Homburg" or Kyoto.', nursery)).join(' '),
  ).toBe('list C of T in V or V')
})

test('keeps no value of a question as a cue', () => {
  const cues = questionCues(findMentions('Which plants of Kyoto cost 17?', nursery))
  expect(cues).toContain('which T')
  expect(cues.filter(cue => /kyoto|17/.test(cue))).toEqual([])
})

test('reads an empty question and an empty catalog', () => {
  const reading = findMentions('', { ...nursery, tables: [], foreignKeys: [] })
  expect(reading.words).toEqual([])
  expect(questionCues(reading)).toContain('#C=0')
})
