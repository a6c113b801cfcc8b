import type {
  AnswerCondition,
  AnswerSubject,
  ColumnMeaning,
  RowNoun,
} from '../../../src/domain/metrics/answer-meaning.ts'
import type { Cell, ResultTable } from '../../../src/domain/result.ts'
import { capitalize } from '../../../src/lib/capitalize.ts'
import {
  formatDatePart,
  formatFigure,
  formatMoment,
  formatPeriod,
  isRunningPeriod,
} from '../../../src/lib/format-figure.ts'
import { periodText } from './period-text.ts'

/** A column of a result with what it means. */
interface MeantColumn {
  readonly meaning: ColumnMeaning
  readonly at: number
}

/** What a headline is composed from. */
interface Shown {
  readonly subject: AnswerSubject
  readonly table: ResultTable
  /** The day (ISO) of the question. */
  readonly today: string
  readonly keys: readonly MeantColumn[]
  readonly figures: readonly MeantColumn[]
}

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

/**
 * " from Germany in October 2026 (canceled)": the values and the period that rows were filtered by. A place is where
 * things come from that are counted, and where everything else is measured. `asAsked` keeps the question's words.
 */
const contextOf = (
  { subject, today }: Pick<Shown, 'subject' | 'today'>,
  isCounted: boolean,
  { asAsked = false, withoutAdjectives = false } = {},
): string => {
  const { conditions, period } = subject
  const ofKind = (...kinds: readonly AnswerCondition['kind'][]): readonly string[] =>
    conditions.filter(({ kind }) => kinds.includes(kind)).map(({ words }) => words)
  const isList = subject.rowsOf !== null
  const places = ofKind('place')
  const behind = [...ofKind('clause'), ...(isList ? ofKind('measure').map(words => `with ${words}`) : [])]
  const others = [
    ...(withoutAdjectives ? [] : ofKind('adjective')),
    ...ofKind('value'),
    ...(isList ? [] : ofKind('measure')),
  ]
  const when =
    period === null ? '' : asAsked && period.phrase !== null ? period.phrase : periodText(period, today)
  const verb = period?.verb && when !== '' ? `${period.verb} ` : ''
  return [
    places.length === 0 ? '' : ` ${isCounted ? 'from' : 'in'} ${places.join(', ')}`,
    when === '' ? '' : ` ${verb}${when}`,
    behind.length === 0 ? '' : ` ${behind.join(' and ')}`,
    others.length === 0 ? '' : ` (${others.join(', ')})`,
  ].join('')
}

const numberAt = (row: readonly Cell[], { at }: MeantColumn): number | null => {
  const cell = row[at]
  if (cell == null || cell === '' || cell instanceof Uint8Array) return null
  const number = Number(cell)
  return Number.isFinite(number) ? number : null
}

const figureText = (row: readonly Cell[], column: MeantColumn): string => {
  const number = numberAt(row, column)
  if (number !== null) return formatFigure(number, column.meaning.unit)
  // The last time of something is a figure, too.
  const cell = row[column.at]
  return (typeof cell === 'string' ? formatMoment(cell) : null) ?? 'none'
}

/** What a row is about: "Ana Adler", "Oct 2026". */
const nameOf = (row: readonly Cell[], keys: readonly MeantColumn[]): string => {
  const [first] = keys
  const texts = keys.map(({ meaning: { role }, at }) => keyText(row[at] ?? null, role))
  // First and last name are one name; other keys stand beside each other.
  return texts.join(first?.meaning.role.kind === 'name' ? ' ' : ', ')
}

const keyText = (cell: Cell, role: ColumnMeaning['role']): string => {
  if (cell === null || cell === '') return 'none'
  if (role.kind === 'period') return formatPeriod(String(cell), role.grain) ?? String(cell)
  if (role.kind === 'date-part') return formatDatePart(Number(cell), role.part)
  if (role.kind === 'moment') return formatMoment(String(cell)) ?? String(cell)
  return cell instanceof Uint8Array ? '' : String(cell)
}

const lower = (label: string): string =>
  /^\p{Lu}\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)

/** What is counted, without the words that it is: `Number of campaigns` are campaigns. */
const countedNoun = ({ meaning: { label } }: MeantColumn): string =>
  lower(label.replace(/^Number of (?:different )?/, ''))

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

const grainWords = { day: 'day', week: 'week', month: 'month', quarter: 'quarter', year: 'year' } as const

/** How a figure developed, where it was highest, and whether the last period is still running. */
const seriesHeadline = (shown: Shown, figure: MeantColumn, period: MeantColumn): string => {
  const { table, today } = shown
  const { role } = period.meaning
  if (role.kind !== 'period') return figure.meaning.label
  const rows = table.rows
    .filter(row => row[period.at] != null && numberAt(row, figure) !== null)
    .toSorted((a, b) => (String(a[period.at]) < String(b[period.at]) ? -1 : 1))
  const label = `${figure.meaning.label} per ${grainWords[role.grain]}`
  const [first] = rows
  const last = rows.at(-1)
  const name = (row: readonly Cell[]): string => keyText(row[period.at] ?? null, role)
  if (first === undefined || last === undefined || rows.length === 1)
    return `${label}${contextOf(shown, isCount(figure))}`
  const isRunning = isRunningPeriod(String(last[period.at]), role.grain, today)
  const ended = isRunning ? rows.slice(0, -1) : rows
  const end = ended.at(-1) ?? last
  const [from, to] = [numberAt(first, figure) ?? 0, numberAt(end, figure) ?? 0]
  const peak = ended.reduce(
    (best, row) => ((numberAt(row, figure) ?? 0) > (numberAt(best, figure) ?? 0) ? row : best),
    first,
  )
  const running = shown.figures.find(
    ({ meaning: { role: own } }) => own.kind === 'figure' && own.of === 'running',
  )
  if (running) {
    const reached = `${figure.meaning.label} added up to ${figureText(last, running)} by ${name(last)}`
    return isRunning ? `${reached} so far` : reached
  }
  const compared = comparedWithYearBefore(shown, figure, ended)
  if (compared !== null) {
    const days = `from ${name(first)} to ${name(end)}`
    const sides = `${compared.now} ${first === end ? `in ${name(end)}` : days} after ${compared.before}`
    const headline = `${figure.meaning.label} ${compared.change} on a year before: ${sides}`
    return isRunning ? `${headline} · ${name(last)} is not over yet` : headline
  }
  const change = from > 0 && end !== first ? to / from - 1 : null
  const grown =
    change === null
      ? `${label}, ${name(first)} to ${name(last)}`
      : `${figure.meaning.label} ${change >= 0 ? 'grew' : 'fell'} ${formatFigure(Math.abs(change), { kind: 'percent', scale: 100 })} from ${name(first)} to ${name(end)}`
  return [
    grown,
    `peak in ${name(peak)}, ${figureText(peak, figure)}`,
    ...(isRunning ? [`${name(last)} is not over yet`] : []),
  ].join(' · ')
}

/** All periods of a series beside the same ones of the year before, if both can be added up; null otherwise. */
const comparedWithYearBefore = (
  { subject: { compare }, figures }: Shown,
  figure: MeantColumn,
  rows: readonly (readonly Cell[])[],
): { readonly now: string; readonly before: string; readonly change: string } | null => {
  const { role, unit } = figure.meaning
  const previous = figures.find(
    ({ meaning: { role: own } }) => own.kind === 'figure' && own.of === 'previous',
  )
  if (compare?.kind !== 'series' || compare.lag !== 'year' || role.kind !== 'figure' || !role.isAdditive)
    return null
  if (previous === undefined || rows.some(row => numberAt(row, previous) === null)) return null
  const totalOf = (column: MeantColumn): number =>
    rows.reduce((sum, row) => sum + (numberAt(row, column) ?? 0), 0)
  const [now, before] = [totalOf(figure), totalOf(previous)]
  if (before <= 0) return null
  const share = now / before - 1
  const percent = formatFigure(Math.abs(share), { kind: 'percent', scale: 100 })
  return {
    now: formatFigure(now, unit),
    before: formatFigure(before, unit),
    change: share === 0 ? 'did not change' : `${share > 0 ? 'grew' : 'fell'} ${percent}`,
  }
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
  if (changed)
    return `${name} ${value(leader) >= 0 ? 'grew' : 'fell'} the most${contextOf(shown, isCount(figure))}: ${lower(figure.meaning.label)} ${value(leader) >= 0 ? 'up' : 'down'} ${formatFigure(Math.abs(value(leader)), changed.meaning.unit)}`
  return `${name} had ${adjective} ${superlativeNoun(figure)}${contextOf(shown, isCount(figure))}: ${figureText(leader, figure)}${part}`
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

const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

const isCount = ({ meaning: { unit } }: MeantColumn): boolean => unit?.kind === 'count'

/** What the ends of a figure are called: the most orders, the longest time, the highest price. */
const sidesOf = (figure: MeantColumn): { readonly most: string; readonly least: string } => {
  switch (figure.meaning.unit?.kind) {
    case 'count':
      return { most: 'most', least: 'fewest' }
    case 'duration':
      return { most: 'longest', least: 'shortest' }
    default:
      return { most: 'highest', least: 'lowest' }
  }
}

/** A label behind "the highest", which says already that it is. */
const superlativeNoun = (figure: MeantColumn): string =>
  countedNoun(figure).replace(/^(?:highest|lowest|longest|shortest) /, '')

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
  return `${what} by ${countedNoun(figure)}${contextOf(shown, false)}: ${leading(table.rows, keys, figure)}`
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
  const name = count === 1 && /^\d+$/.test(own) ? textsOf(first).join(' ') || own : own
  if (count === 1)
    return oneRowHeadline(shown, { name: names.length > 0 ? name : null, noun, context, figure })
  if (subject.limit !== null && subject.order && !subject.limitsGroups) {
    const leads =
      figure === undefined || name === '' ? '' : `: ${name} leads with ${figureText(first, figure)}`
    const side = subject.order.direction === 'asc' ? 'Bottom' : 'Top'
    return `${side} ${count} ${rowsOf.plural} by ${lower(subject.order.label)}${context}${leads}`
  }
  return `${capitalize(many)} ${noun}${context}`
}

/** The texts of a row that are neither numbers nor dates. */
const textsOf = (row: readonly Cell[]): readonly string[] =>
  row.filter((cell): cell is string => typeof cell === 'string' && /^\p{L}/u.test(cell))

/** The only row by its name, or by its only value. */
const oneRowHeadline = (
  { subject, table }: Shown,
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
  const [first = []] = table.rows
  const [only] = subject.columns
  if (name !== null && subject.limit === 1 && subject.order && figure) {
    const side = subject.order.direction === 'asc' ? sidesOf(figure).least : sidesOf(figure).most
    return `${name} has the ${side} ${superlativeNoun(figure)}${context}: ${figureText(first, figure)}`
  }
  if (name !== null) return subject.limit === 1 ? `${name}${context}` : `1 ${noun}${context}: ${name}`
  if (subject.columns.length === 1 && only)
    return `${only.label}: ${only.unit ? figureText(first, { meaning: only, at: 0 }) : keyText(first[0] ?? null, only.role)}`
  return `1 ${noun}${context}`
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
