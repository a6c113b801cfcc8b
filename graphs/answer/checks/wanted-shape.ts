import { parseNumber } from '../../../src/lib/read-number.ts'

/** What a question says about the shape of its answer; null or false where it says nothing. */
export interface ExpectedShape {
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
