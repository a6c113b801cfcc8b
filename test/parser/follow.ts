import type { ChainLink, FollowUpInterpretation } from '../../src/domain/conversation.ts'
import { makeReadFollowUp } from '../../src/parser/follow-up/read-follow-up.ts'
import { trainedModel } from '../../src/parser/rank/model.ts'
import { understandQuestion } from '../../src/parser/understand/understand-question.ts'
import { oneLine } from '../helpers/one-line.ts'
import { findLibraryValues, libraryCatalog } from './library.ts'
import { clock, read } from './read.ts'

const readFollowUp = makeReadFollowUp(trainedModel, understandQuestion)

const catalog = libraryCatalog('sqlite')

const askedAt = clock.now().toISOString()

/** Reads the last message of a thread over the library; those before it are answered by their first readings. */
export const follow = (first: string, ...said: readonly string[]): FollowUpInterpretation => {
  const [answer] = read(first)
  if (!answer) throw new Error(`no reading of: ${first}`)
  let chain: readonly ChainLink[] = [{ text: first, askedAt, sql: answer.sql }]
  let before = first
  let reading: FollowUpInterpretation = { kind: 'new' }
  for (const text of said) {
    reading = readFollowUp({
      followUp: { said: text, askedAt, before, chain, confidence: 0.9 },
      catalog,
      findValues: findLibraryValues,
      timeZone: clock.timeZone,
    })
    if (reading.kind !== 'edit') return reading
    before = reading.text
    chain = [...chain, { text, askedAt, sql: reading.readings[0]?.sql ?? '' }]
  }
  return reading
}

/** The first reading's SQL on one line, or what else became of the message. */
export const followed = (first: string, ...said: readonly string[]): string => {
  const reading = follow(first, ...said)
  return reading.kind === 'edit' ? oneLine(reading.readings[0]?.sql ?? 'no reading') : reading.kind
}
