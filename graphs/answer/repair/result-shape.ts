import type { ResultTable, ValueKind } from '../../../src/domain/result.ts'
import { parseNumber } from '../../../src/lib/parse-number.ts'
import type { Edit, Statement } from './statement.ts'

/**
 * Where a result cannot be what the question asks for, by its shape alone: what is wrong, in
 * words for the repair, else null. NULLs are no fault (MAC-SQL, section 3.4, takes them for one), and neither
 * are fewer rows than were asked for: there may be no more.
 */
export const checkShape = (question: string, { columns, rows }: ResultTable): string | null => {
  const wanted = expectedShape(question)
  if (wanted.oneNumber && (columns.length !== 1 || rows.length !== 1))
    return `The question asks for one number; the result has ${formatCount(rows.length, 'row')} and ${formatCount(columns.length, 'column')}.`
  if (wanted.perGroup && columns.length === 1 && rows.length === 1)
    return 'The question asks for one row for each group; the result is one value for all of them.'
  if (wanted.mostRows !== null && rows.length > wanted.mostRows)
    return `The question asks for at most ${wanted.mostRows} rows; the result has ${rows.length}.`
  if (wanted.label && columns.length > 0 && columns.every(({ kind }) => isNumeric(kind)))
    return 'The question asks for names; the result has numbers only.'
  return null
}

const isNumeric = (kind: ValueKind): boolean => kind === 'integer' || kind === 'number' || kind === 'boolean'

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** What a question says about the shape of its answer; null or false if it says nothing. */
interface ExpectedShape {
  /** One number and nothing beside it: "how many ...". */
  readonly oneNumber: boolean
  /** One row for each of something: "per city", "for each year". */
  readonly perGroup: boolean
  /** So many rows at most: "the top 5", "the three oldest". */
  readonly mostRows: number | null
  /** At least one column of texts: "what are the names of ...". */
  readonly label: boolean
}

const counting =
  /^(?:how many|what is the (?:total )?number of|what are the number of|count|find the (?:total )?number of)\b/

const grouping =
  /\b(?:each(?! time)|every|per(?! (?:second|minute|hour))|(?:for|by) (?:the )?different|respectively|grouped by|group by|by (?:country|year|month|day|week|quarter|city|state|type|category|region|department))\b/

const naming =
  /^(?:what (?:is|are)|which|list|show|find|give|return|tell me|display)\b(?:\W+\w+){0,4}?\W+(?:names?|titles?)\b/

/** A second thing is asked for, so one number is not all. */
const more =
  /[,;]|\b(?:and|or|also|along|together|with their|as well|most|least|highest|lowest|different kinds)\b/

const ranked =
  /\b(?:top|first|last|bottom|best)\s+([\w-]+)\b|\bthe\s+([\w-]+)\s+(?:most|least|highest|lowest|largest|smallest|oldest|youngest|newest|latest|biggest|longest|shortest|cheapest)\b/

/** Reads the cues of a question, in English. It says only what hardly ever turns out to be meant otherwise. */
export const expectedShape = (question: string): ExpectedShape => {
  const text = question.toLowerCase().replace(/\s+/g, ' ').trim()
  const perGroup = grouping.test(text)
  const isCount = counting.test(text)
  const [, behind, between] = ranked.exec(text) ?? []
  return {
    oneNumber: isCount && !perGroup && !more.test(text.replace(/^[^ ]+ [^ ]+/, '')),
    perGroup: perGroup && /\b(?:how many|number of|average|total|count|sum|maximum|minimum)\b/.test(text),
    mostRows: perGroup ? null : countIn(behind ?? between),
    label: !isCount && naming.test(text),
  }
}

/** Of two or more: a "first 1" is as often a column as a number. */
const countIn = (word: string | undefined): number | null => {
  const number = word === undefined ? null : wholeNumber(word)
  return number !== null && number >= 2 && number <= 1000 ? number : null
}

/** `the third highest` asks for one row, not for three. */
const wholeNumber = (word: string): number | null => {
  const number = /(?:st|nd|rd|th)$/.test(word) ? null : parseNumber(word)
  return number !== null && Number.isInteger(number) ? number : null
}

/** Takes as many rows as were asked for (`the top 5`) from a statement that orders its rows and keeps all of them. */
export const limitRows = ({ blocks, tokens }: Statement, question: string): readonly Edit[] => {
  const { mostRows } = expectedShape(question)
  const [block, ...others] = blocks.filter(({ parent }) => parent === null)
  const last = tokens[(block?.to ?? 0) - 1]
  if (mostRows === null || !block || others.length > 0 || !last) return []
  if (!block.clauses.order || block.clauses.limit || block.isPartOfSet) return []
  return [{ start: last.end, end: last.end, text: ` LIMIT ${mostRows}` }]
}
