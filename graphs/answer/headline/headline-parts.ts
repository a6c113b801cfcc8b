import type {
  AnswerCondition,
  AnswerSubject,
  ColumnMeaning,
} from '../../../src/domain/metrics/answer-meaning.ts'
import type { Cell, ResultTable } from '../../../src/domain/result.ts'
import { capitalize } from '../../../src/lib/capitalize.ts'
import {
  formatDatePart,
  formatFigure,
  formatMoment,
  formatPeriod,
  isYes,
} from '../../../src/lib/format-figure.ts'
import { periodText } from './period-text.ts'

/** A column of a result with what it means. */
export interface MeantColumn {
  readonly meaning: ColumnMeaning
  readonly at: number
}

/** What a headline is composed from. */
export interface Shown {
  readonly subject: AnswerSubject
  readonly table: ResultTable
  /** The day (ISO) of the question. */
  readonly today: string
  readonly keys: readonly MeantColumn[]
  readonly figures: readonly MeantColumn[]
}

/**
 * " from Germany in October 2026 (canceled)": the values and the period that rows were filtered by. A place is where
 * things come from that are counted, and where everything else is measured. `asAsked` keeps the question's words.
 */
export const contextOf = (
  { subject, today }: Pick<Shown, 'subject' | 'today'>,
  isCounted: boolean,
  { asAsked = false, withoutAdjectives = false } = {},
): string => {
  const { conditions, period } = subject
  const ofKind = (...kinds: readonly AnswerCondition['kind'][]): readonly string[] =>
    conditions.filter(({ kind }) => kinds.includes(kind)).map(({ words }) => words)
  const isList = subject.rowsOf !== null
  const places = ofKind('place')
  const people = ofKind('person')
  const behind = [...ofKind('clause'), ...(isList ? ofKind('measure').map(words => `with ${words}`) : [])]
  const others = [
    ...(withoutAdjectives ? [] : ofKind('adjective')),
    ...ofKind('value'),
    ...(isList ? [] : ofKind('measure')),
  ]
  const phrase = asAsked && adverbPattern.test(period?.phrase ?? '') ? (period?.phrase ?? null) : null
  const when = period === null ? '' : (phrase ?? periodText(period, today))
  // "Orders from Ada Alm in October": nobody doubts that they were placed.
  const verb = period?.verb && when !== '' && places.length + people.length === 0 ? `${period.verb} ` : ''
  return [
    people.length === 0 ? '' : ` ${isCounted ? 'from' : 'for'} ${people.join(', ')}`,
    places.length === 0 ? '' : ` ${isCounted ? 'from' : 'in'} ${places.join(', ')}`,
    when === '' ? '' : ` ${verb}${when}`,
    behind.length === 0 ? '' : ` ${behind.join(' and ')}`,
    others.length === 0 ? '' : ` (${others.join(', ')})`,
  ].join('')
}

/** Words for a period that need none before them: "last month" and "since June", not "October". */
const adverbPattern =
  /^(?:since|before|after|until|till|from|between|by|in|on|last|this|next|past|the (?:last|past|previous|prior|day)|previous|prior|coming|current|today|yesterday|tomorrow|so far|[wmqy]td)\b|\bago$/i

/** The figure of a row; null if there is none. */
export const numberAt = (row: readonly Cell[], { at }: MeantColumn): number | null => {
  const cell = row[at]
  if (cell == null || cell === '' || cell instanceof Uint8Array) return null
  const number = Number(cell)
  return Number.isFinite(number) ? number : null
}

/** A figure as people write it: "€890". */
export const figureText = (row: readonly Cell[], column: MeantColumn): string => {
  const number = numberAt(row, column)
  if (number !== null) return formatFigure(number, column.meaning.unit)
  // The last time of something is a figure, too.
  const cell = row[column.at]
  return (typeof cell === 'string' ? formatMoment(cell) : null) ?? 'none'
}

/** What a row is about: "Ana Adler", "Oct 2026". */
export const nameOf = (row: readonly Cell[], keys: readonly MeantColumn[]): string => {
  const [first] = keys
  const texts = keys.map(({ meaning, at }) => toldBy(row[at] ?? null, meaning))
  // First and last name are one name; other keys stand beside each other.
  return texts.join(first?.meaning.role.kind === 'name' ? ' ' : ', ')
}

/** A number or a yes says little without its heading: "Priority 4", "No newsletter", "Not vegan". */
const toldBy = (cell: Cell, { label, role }: ColumnMeaning): string => {
  const text = keyText(cell, role)
  if (cell === null || cell === '' || cell instanceof Uint8Array) return text
  if (role.kind === 'flag') {
    const plain = label.replace(/^Is /, '')
    const not = plain === label && !/(?:ed|able|ible)$/.test(label) ? 'No' : 'Not'
    return isYes(cell) ? capitalize(plain) : `${not} ${lower(plain)}`
  }
  const isBare = (role.kind === 'category' || role.kind === 'name') && /^\d+(?:\.\d+)?$/.test(text)
  return isBare ? `${label} ${text}` : text
}

/** What a row is told by, as people write it: "Oct 2026". */
export const keyText = (cell: Cell, role: ColumnMeaning['role']): string => {
  if (cell === null || cell === '') return 'none'
  if (role.kind === 'period') return formatPeriod(String(cell), role.grain) ?? String(cell)
  if (role.kind === 'date-part') return formatDatePart(Number(cell), role.part)
  if (role.kind === 'flag') return cell instanceof Uint8Array ? '' : isYes(cell) ? 'yes' : 'no'
  if (role.kind === 'moment') return formatMoment(String(cell)) ?? String(cell)
  return cell instanceof Uint8Array ? '' : String(cell)
}

/** A label within a sentence. */
export const lower = (label: string): string =>
  /^\p{Lu}\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)

/** What is counted, without the words that it is: `Number of campaigns` are campaigns. */
export const countedNoun = ({ meaning: { label } }: MeantColumn): string =>
  lower(label.replace(/^Number of (?:different )?/, ''))

/** "Lyon, Nice and Paris". */
export const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** Whether a figure says how many there are. */
export const isCount = ({ meaning: { unit } }: MeantColumn): boolean => unit?.kind === 'count'

/** What the ends of a figure are called: the most orders, the longest time, the highest price. */
export const sidesOf = (figure: MeantColumn): { readonly most: string; readonly least: string } => {
  switch (figure.meaning.unit?.kind) {
    case 'count':
      return isPlural(countedNoun(figure))
        ? { most: 'most', least: 'fewest' }
        : { most: 'highest', least: 'lowest' }
    case 'duration':
      return { most: 'longest', least: 'shortest' }
    default:
      return { most: 'highest', least: 'lowest' }
  }
}

/** Orders, units sold, people; not headcount. */
const isPlural = (noun: string): boolean => /(?:[^s]s|people|children|men)\b/i.test(noun)

/** A label behind "the highest", which says already that it is. */
export const superlativeNoun = (figure: MeantColumn): string =>
  countedNoun(figure).replace(/^(?:highest|lowest|longest|shortest) /, '')
