/** Sentences and phrases that several commands use. */

/** A number and its noun: “1 table”, “1,428 orders”. */
export const formatCount = (number: number, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`

/** A list in a sentence: “a, b or c”. */
export const listWith = (word: 'and' | 'or', items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`

export const notOneOf = (option: string, known: readonly string[], given: string): string =>
  `${option} must be ${listWith('or', known)}, not “${given}”.`

export const notATime = (option: string, given: string): string =>
  `${option} must be a day or a time, not “${given}”. Write 2026-03-31 or 2026-03-31T09:00.`

export const notAWholeNumber = (option: string, given: string, from?: number): string =>
  `${option} must be a whole number${from === undefined ? '' : ` of at least ${from}`}, not “${given}”.`

export const unreadableFile = (path: string, option?: string): string =>
  `Cannot read ${path}. Check the path${option === undefined ? '' : ` given to ${option}`}.`

export const unwritableFile = (path: string): string => `Cannot write ${path}. Check the path.`

export const stoppedByCtrlC = 'Stopped by Ctrl-C.'

/** Errors for an id that was typed in part. `noun`: what it is the id of; `list`: the command that shows ids. */
export const idPrefixErrors = (noun: string, list: string) => ({
  notAnId: (typed: string, minLength: number): string =>
    `“${typed}” is not an id. Give at least ${minLength} characters of the id that \`${list}\` shows.`,
  notFound: (typed: string): string => `There is no ${noun} ${typed}. \`${list}\` shows them.`,
  ambiguous: (typed: string): string => `Several ids begin with ${typed}. Give more characters.`,
})
