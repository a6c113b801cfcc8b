import type { AnswerSubject, ColumnMeaning, RowNoun } from '../../../src/domain/metrics/answer-meaning.ts'
import type { Cell, ResultTable } from '../../../src/domain/result.ts'
import { capitalize } from '../../../src/lib/capitalize.ts'
import { formatFigure } from '../../../src/lib/format-figure.ts'
import {
  contextOf,
  countedNoun,
  figureText,
  isCount,
  keyText,
  listOf,
  lower,
  type MeantColumn,
  nameOf,
  numberAt,
  type Shown,
  sidesOf,
  superlativeNoun,
} from './headline-parts.ts'
import { periodText } from './period-text.ts'
import { seriesHeadline } from './series-headline.ts'

/**
 * The first line of an answer: the measure, the period and the one thing worth knowing, with every figure taken from the
 * result. Null if the result is not what its description says, because a repair changed it.
 */
export const composeHeadline = (subject: AnswerSubject, table: ResultTable, today: string): string | null => {
  const headline = compose(subject, table, today)
  // “too small” leads a sentence as “Too small”; iPhone stays.
  return headline === null || !/^\p{Ll}+(?=[\s,.:]|$)/u.test(headline) ? headline : capitalize(headline)
}

const compose = (subject: AnswerSubject, table: ResultTable, today: string): string | null => {
  if (subject.columns.length !== table.columns.length) return null
  const columns = subject.columns.map((meaning, at) => ({ meaning, at }))
  const ordered = columns.find(({ at }) => at === subject.order?.column)
  const figures = columns.filter(({ meaning: { role } }) => role.kind === 'figure')
  const shown: Shown = {
    subject,
    table,
    today,
    keys: columns.filter(({ meaning: { role } }) => isKey(role, subject)),
    // What ranks comes before other figures.
    figures:
      ordered && figures.includes(ordered) ? [ordered, ...figures.filter(one => one !== ordered)] : figures,
  }
  const [figure] = shown.figures
  if (subject.rowsOf !== null) return listHeadline(shown, subject.rowsOf, figure)
  if (figure === undefined) return plainHeadline(shown)
  if (isNothing(subject, table))
    return `No ${countedNoun(figure)}${contextOf(shown, true, { asAsked: true })}.`
  if (shown.keys.length === 0)
    return table.rows.length > 1 ? plainHeadline(shown) : totalHeadline(shown, figure)
  const period = shown.keys.find(({ meaning: { role } }) => role.kind === 'period')
  if (period && shown.keys.length === 1 && subject.limit === null)
    return seriesHeadline(shown, figure, period)
  return subject.limit === null || table.rows.length === 1
    ? leaderHeadline(shown, figure)
    : rankingHeadline(shown, figure)
}

/** Whether an answer has nothing to show: no rows, or only figures of no rows. */
export const isNothing = ({ columns }: AnswerSubject, { rows }: ResultTable): boolean => {
  const [row] = rows
  if (row === undefined) return true
  return (
    rows.length === 1 &&
    columns.every(
      ({ role, unit }, at) =>
        role.kind === 'figure' && (row[at] == null || (unit?.kind === 'count' && Number(row[at]) === 0)),
    )
  )
}

const isKey = (role: ColumnMeaning['role'], { rowsOf }: AnswerSubject): boolean =>
  role.kind !== 'figure' && role.kind !== 'detail' && !(role.kind === 'moment' && rowsOf !== null)

const totalHeadline = (shown: Shown, figure: MeantColumn): string => {
  const { subject, table } = shown
  const row = table.rows[0] ?? []
  const context = contextOf(shown, isCount(figure))
  if (subject.isYesNo && isCount(figure))
    return `Yes. ${figureText(row, figure)} ${countedNoun(figure)}${context}.`
  const [before, growth] = (['previous', 'growth'] as const).map(of =>
    shown.figures.find(({ meaning: { role } }) => role.kind === 'figure' && role.of === of),
  )
  const { compare } = subject
  if (before && growth && compare?.kind === 'period') {
    const change = numberAt(row, growth)
    const than = periodText(compare, shown.today).replace(/^(?:in|on|from) /, '')
    const stretch = compare.isSameStretch ? ` in the same stretch of ${than}` : ` in ${than}`
    if (change === null)
      return `${figure.meaning.label}${context}: ${figureText(row, figure)}, with ${figureText(row, before)}${stretch}`
    const verb = change > 0 ? 'grew' : change < 0 ? 'fell' : 'did not change'
    const by = change === 0 ? '' : ` ${formatFigure(Math.abs(change), growth.meaning.unit)}`
    return `${figure.meaning.label} ${verb}${by}${context}: ${figureText(row, figure)} after ${figureText(row, before)}${stretch}`
  }
  const others = shown.figures.slice(1).map(one => `${lower(one.meaning.label)} ${figureText(row, one)}`)
  return [`${figure.meaning.label}${context}: ${figureText(row, figure)}`, ...others].join(', ')
}

/** Whether the lowest figure comes first; rows that are sorted by anything else are not ranked. */
const ranksUp = ({ order, columns }: AnswerSubject): boolean =>
  order?.direction === 'asc' && (order.column === null || columns[order.column]?.role.kind === 'figure')

/** Who leads, with how much, and what part of all that is. */
const leaderHeadline = (shown: Shown, figure: MeantColumn): string => {
  const { table, subject, keys } = shown
  const changed = subject.order?.isChange
    ? shown.figures.find(({ meaning: { role } }) => role.kind === 'figure' && role.of === 'growth')
    : undefined
  const measured = changed ?? figure
  const isLowest = ranksUp(subject)
  const rows = table.rows.filter(row => numberAt(row, measured) !== null)
  const value = (row: readonly Cell[]): number => numberAt(row, measured) ?? 0
  const [first, ...others] = rows
  if (first === undefined) return `${figure.meaning.label}${contextOf(shown, isCount(figure))}`
  const leader = others.reduce(
    (best, row) => ((isLowest ? value(row) < value(best) : value(row) > value(best)) ? row : best),
    first,
  )
  const { role } = figure.meaning
  const total = rows.reduce((sum, row) => sum + value(row), 0)
  const isWhole =
    role.kind === 'figure' &&
    role.isAdditive &&
    subject.limit === null &&
    rows.length > 1 &&
    total > 0 &&
    !changed
  const part = isWhole
    ? ` of ${formatFigure(total, figure.meaning.unit)} (${formatFigure(value(leader) / total, { kind: 'percent', scale: 100 })})`
    : ''
  const adjective = `the ${isLowest ? sidesOf(figure).least : sidesOf(figure).most}`
  // What reads the same is the same to a person.
  const tied = rows.filter(row => figureText(row, measured) === figureText(leader, measured))
  if (tied.length > 1) return tieHeadline(shown, measured, { tied, of: rows.length, adjective })
  const name = nameOf(leader, keys)
  if (changed) {
    const grew = value(leader) >= 0
    // Of those that all fell, the one that grew fastest fell the least.
    const most = grew === isLowest ? 'the least' : 'the most'
    return `${name} ${grew ? 'grew' : 'fell'} ${most}${contextOf(shown, isCount(figure))}: ${lower(figure.meaning.label)} ${grew ? 'up' : 'down'} ${formatFigure(Math.abs(value(leader)), changed.meaning.unit)}${comparedWith(shown)}`
  }
  return `${name} had ${adjective} ${superlativeNoun(figure)}${contextOf(shown, isCount(figure))}: ${figureText(leader, figure)}${part}${growthText(shown, leader)}`
}

/** " on September 2026": what a change is measured from. */
const comparedWith = ({ subject: { compare }, today }: Shown): string =>
  compare?.kind === 'period' ? ` on ${periodText(compare, today).replace(/^(?:in|on|from) /, '')}` : ''

/** ", up 15%", where the figure stands beside that of another period. */
const growthText = ({ figures }: Shown, row: readonly Cell[]): string => {
  const growth = figures.find(({ meaning: { role } }) => role.kind === 'figure' && role.of === 'growth')
  const change = growth ? numberAt(row, growth) : null
  if (!growth || change === null || change === 0) return ''
  return `, ${change > 0 ? 'up' : 'down'} ${formatFigure(Math.abs(change), growth.meaning.unit)}`
}

/** Names of tied leaders that fit a headline. */
const MOST_TIED_NAMES = 3

/** "Lyon and Nice had the most orders: 12 each". */
const tieHeadline = (
  shown: Shown,
  figure: MeantColumn,
  {
    tied,
    of,
    adjective,
  }: { readonly tied: readonly (readonly Cell[])[]; readonly of: number; readonly adjective: string },
): string => {
  const label = `${lower(figure.meaning.label)}${contextOf(shown, isCount(figure))}`
  const each = `${figureText(tied[0] ?? [], figure)} each`
  const noun = lower(shown.keys[0]?.meaning.label ?? 'group')
  if (tied.length === of)
    return `${figure.meaning.label}${contextOf(shown, isCount(figure))}: the same for every ${noun}, ${each}`
  const names = tied.map(row => nameOf(row, shown.keys))
  const all = names.length > MOST_TIED_NAMES ? `${names[0]} and ${names.length - 1} others` : listOf(names)
  return `${all} had ${adjective} ${label}: ${each}`
}

const rankingHeadline = (shown: Shown, figure: MeantColumn): string => {
  const { table, subject, keys } = shown
  const noun = lower(keys[0]?.meaning.label ?? 'group')
  const isLowest = ranksUp(subject)
  const count = table.rows.length
  const things = subject.groupsOf === null ? '' : ` ${subject.groupsOf.plural}`
  // Nobody takes the fastest for the bottom.
  if (isLowest && figure.meaning.unit?.kind === 'duration' && !subject.limitsGroups)
    return `${capitalize(things.trim() || `${noun}s`)} with the shortest ${countedNoun(figure)}${contextOf(shown, false)}: ${leading(table.rows, keys, figure)}`
  const what = subject.limitsGroups
    ? `Top ${subject.limit} in each ${noun}`
    : `${isLowest ? 'Bottom' : 'Top'} ${count}${things}`
  const part = shareText(shown)
  const leads = leading(table.rows, subject.limitsGroups && keys.length > 1 ? keys.slice(1) : keys, figure)
  return `${what} by ${countedNoun(figure)}${contextOf(shown, false)}: ${part}${leads}`
}

/** "18% of the total, ", where each row shows its share of all. */
const shareText = ({ figures, table, subject }: Shown): string => {
  const share = figures.find(({ meaning: { role } }) => role.kind === 'figure' && role.of === 'share')
  const parts = share ? table.rows.map(row => numberAt(row, share)) : []
  if (!share || subject.limitsGroups || table.truncated || parts.includes(null)) return ''
  const together = parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)
  return `${formatFigure(together, share.meaning.unit)} of the total, `
}

/** "Oak Table leads with €890", "Oslo and Bergen lead with 9". */
const leading = (rows: ResultTable['rows'], keys: readonly MeantColumn[], figure: MeantColumn): string => {
  const [first = []] = rows
  const tied = rows.filter(row => numberAt(row, figure) === numberAt(first, figure))
  const names = tied.map(row => nameOf(row, keys))
  const all = names.length > MOST_TIED_NAMES ? `${names[0]} and ${names.length - 1} others` : listOf(names)
  return `${all} ${names.length > 1 ? 'lead' : 'leads'} with ${figureText(first, figure)}`
}

/** "15 inactive customers", "Top 10 products by list price: Oak Table leads with €890", or the one row by its name. */
const listHeadline = (shown: Shown, rowsOf: RowNoun, figure: MeantColumn | undefined): string => {
  const { table, subject, keys } = shown
  const count = table.rows.length
  const adjectives = subject.conditions
    .filter(({ kind }) => kind === 'adjective')
    .map(({ words }) => `${words} `)
  const plain = adjectives.every(words => /^[\p{L}-]+ $/u.test(words))
  const matching = subject.isComplete || subject.limit !== null ? '' : 'matching '
  const noun = `${plain ? adjectives.join('') : ''}${matching}${count === 1 ? rowsOf.singular : rowsOf.plural}`
  const context = contextOf(shown, true, { withoutAdjectives: plain })
  if (count === 0) return `No ${noun}${contextOf(shown, true, { withoutAdjectives: plain, asAsked: true })}.`
  const many = `${table.truncated ? 'more than ' : ''}${count.toLocaleString('en-US')}`
  if (subject.isYesNo) return `Yes. ${capitalize(many)} ${noun}${context}.`
  const [first = []] = table.rows
  const names = keys.filter(({ meaning: { role } }) => role.kind === 'name')
  const own = nameOf(first, names.length > 0 ? names : keys.slice(0, 1))
  // An order has no name that anybody knows it by; whose it is says more than its number.
  const isNumber = /^\d+$/.test(String(first[(names[0] ?? keys[0])?.at ?? -1] ?? ''))
  const name = count === 1 && isNumber ? textsOf(first).join(' ') || own : own
  if (count === 1)
    return oneRowHeadline(shown, { name: names.length > 0 ? name : null, noun, context, figure })
  if (subject.limit !== null && subject.order && !subject.limitsGroups) {
    const moments = momentsText(shown)
    const isBirth = /birth|born/i.test(subject.order.label)
    const [least, most] = isBirth ? ['oldest', 'youngest'] : ['earliest', 'latest']
    const end = subject.order.direction === 'asc' ? least : most
    if (moments !== null) return `The ${count} ${end} ${rowsOf.plural}${context}: ${moments}`
    const leads =
      figure === undefined || name === '' ? '' : `: ${name} leads with ${figureText(first, figure)}`
    const side = subject.order.direction === 'asc' ? 'Bottom' : 'Top'
    return `${side} ${count} ${rowsOf.plural} by ${lower(subject.order.label)}${context}${leads}`
  }
  if (subject.limit !== null && subject.order && keys[0]) {
    const side = subject.order.direction === 'asc' ? 'Bottom' : 'Top'
    return `${side} ${subject.limit} ${rowsOf.plural} by ${lower(subject.order.label)} in each ${lower(keys[0].meaning.label)}${context}`
  }
  return `${capitalize(many)} ${noun}${context}`
}

/** When rows happened that are ranked by that: "hired Mar 3, 2009 to Jan 7, 2011". Null if something else ranks them. */
const momentsText = ({ subject: { order, columns }, table: { rows } }: Shown): string | null => {
  const column = columns[order?.column ?? -1]
  if (column?.role.kind !== 'moment') return null
  const ends = [rows[0], rows.at(-1)].map(row => row?.[order?.column ?? -1] ?? null)
  const [first, last] = (order?.direction === 'asc' ? ends : ends.toReversed()).map(cell =>
    keyText(cell, column.role),
  )
  return `${lower(column.label)} ${first === last ? first : `${first} to ${last}`}`
}

/** The texts of a row that are neither numbers nor dates. */
const textsOf = (row: readonly Cell[]): readonly string[] =>
  row.filter((cell): cell is string => typeof cell === 'string' && /^\p{L}/u.test(cell))

/** The only row by its name, or by its only value. */
const oneRowHeadline = (
  shown: Shown,
  {
    name,
    noun,
    context,
    figure,
  }: {
    readonly name: string | null
    readonly noun: string
    readonly context: string
    readonly figure: MeantColumn | undefined
  },
): string => {
  const { subject, table } = shown
  const [first = []] = table.rows
  const [only] = subject.columns
  if (name !== null && subject.limit === 1 && subject.order && figure) {
    const side = subject.order.direction === 'asc' ? sidesOf(figure).least : sidesOf(figure).most
    return `${name} has the ${side} ${superlativeNoun(figure)}${context}: ${figureText(first, figure)}`
  }
  const moment = subject.limit === 1 ? momentsText(shown) : null
  if (name !== null && moment !== null) return `${name}${context}: ${moment}`
  const told = name === null ? null : namedRowHeadline(shown, name)
  if (told !== null) return told
  if (name !== null) return subject.limit === 1 ? `${name}${context}` : `1 ${noun}${context}: ${name}`
  if (subject.columns.length === 1 && only)
    return `${only.label}: ${only.unit ? figureText(first, { meaning: only, at: 0 }) : keyText(first[0] ?? null, only.role)}`
  return `1 ${noun}${context}`
}

/** "Oak Table: list price €890": what a question wants to know of the one thing that it names; null if it names none. */
const namedRowHeadline = ({ subject, table }: Shown, name: string): string | null => {
  const isNamed = subject.conditions.some(({ words }) => words.toLowerCase() === name.toLowerCase())
  const [first = []] = table.rows
  const told = subject.columns.flatMap((meaning, at) =>
    meaning.unit === null ? [] : [`${lower(meaning.label)} ${figureText(first, { meaning, at })}`],
  )
  return isNamed && told.length > 0 ? `${name}: ${listOf(told)}` : null
}

/** Rows of which nobody can say what each is. */
const plainHeadline = ({ subject, table }: Shown): string => {
  const count = table.rows.length
  if (count === 0) return `Nothing found${contextOf({ subject, today: '' }, true, { asAsked: true })}.`
  const [column] = subject.columns
  if (count === 1 && subject.columns.length === 1 && column)
    return `${column.label}: ${keyText(table.rows[0]?.[0] ?? null, column.role)}`
  return `${table.truncated ? 'More than ' : ''}${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`
}
