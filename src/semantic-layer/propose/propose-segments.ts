import type { Segment, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import type { Dialect } from '../../domain/sql.ts'
import { quoteIdentifier } from '../../sql/render/quote.ts'
import { columnWords, labelOf } from './names.ts'

/** What a date that is set says, and what it says if it is not: `canceled` and `active`. The first of each is the name. */
const states: readonly {
  readonly word: RegExp
  readonly set: readonly string[]
  readonly unset: readonly string[]
}[] = [
  {
    word: /^(?:canceled|cancelled|cancellation|churned|terminated)$/,
    set: ['canceled', 'cancelled', 'churned', 'terminated'],
    unset: ['active', 'current', 'running', 'not canceled'],
  },
  {
    word: /^(?:ended|end|left|departed|termination)$/,
    set: ['ended', 'former', 'past', 'inactive'],
    unset: ['active', 'current', 'ongoing', 'running'],
  },
  { word: /^closed$/, set: ['closed', 'former'], unset: ['open', 'not closed', 'active', 'current'] },
  {
    word: /^(?:resolved|solved)$/,
    set: ['resolved', 'solved', 'closed'],
    unset: ['unresolved', 'open', 'unsolved', 'pending'],
  },
  { word: /^paid$/, set: ['paid', 'settled'], unset: ['unpaid', 'outstanding', 'not paid'] },
  { word: /^shipped$/, set: ['shipped', 'dispatched'], unset: ['unshipped', 'not shipped'] },
  { word: /^(?:delivered|delivery)$/, set: ['delivered'], unset: ['undelivered', 'not delivered'] },
  { word: /^returned$/, set: ['returned'], unset: ['unreturned', 'not returned', 'still out'] },
  {
    word: /^(?:completed|finished)$/,
    set: ['completed', 'finished', 'done'],
    unset: ['incomplete', 'unfinished', 'not completed', 'pending'],
  },
  { word: /^approved$/, set: ['approved'], unset: ['unapproved', 'not approved'] },
  { word: /^verified$/, set: ['verified'], unset: ['unverified'] },
  { word: /^discontinued$/, set: ['discontinued'], unset: ['active', 'available', 'current'] },
  {
    word: /^(?:deleted|archived|deactivated|retired)$/,
    set: ['deleted', 'archived', 'deactivated'],
    unset: ['active', 'not deleted'],
  },
  { word: /^refunded$/, set: ['refunded'], unset: ['not refunded'] },
  { word: /^discharged$/, set: ['discharged'], unset: ['admitted', 'not discharged'] },
  { word: /^(?:converted)$/, set: ['converted'], unset: ['unconverted'] },
]

/** What the opposite of a flag is called. */
const opposites: Readonly<Record<string, readonly string[]>> = {
  active: ['inactive', 'deactivated', 'disabled'],
  enabled: ['disabled'],
  paid: ['unpaid', 'outstanding'],
  public: ['private'],
  available: ['unavailable'],
  open: ['closed'],
  discontinued: ['active', 'available'],
  deleted: ['active'],
  archived: ['active'],
  remote: ['on site'],
  insured: ['uninsured'],
  verified: ['unverified'],
  current: ['former'],
  resolved: ['unresolved', 'open'],
  shipped: ['unshipped'],
  delivered: ['undelivered'],
  completed: ['incomplete', 'unfinished'],
}

/** Segments from flags, from dates that may be missing, and from stock that is used up. */
export const proposeSegments = (model: SemanticModel, dialect: Dialect): readonly Segment[] => {
  const column = (name: string): string => quoteIdentifier(name, dialect)
  const found = new Map<string, Segment>()
  const add = (words: readonly string[], text: string): void => {
    const [first, ...synonyms] = words.filter(word => !found.has(word))
    if (first === undefined || found.has(first)) return
    found.set(first, {
      name: `${first.replaceAll(' ', '_')}_${model.name}`,
      label: labelOf([...first.split(' '), ...model.label.toLowerCase().split(' ')]),
      synonyms: [first, ...synonyms].map(word => word.toLowerCase()),
      description: null,
      model: model.name,
      conditions: [{ kind: 'sql', text }],
      status: 'proposed',
    })
  }
  /** The column whose absence says that a date is not set: its own, or the key to the calendar. */
  const presence = ({ expression, name }: (typeof model.dimensions)[number]): string =>
    column(
      expression.kind === 'column'
        ? expression.column
        : (model.joins.find(join => join.name === name)?.columns[0]?.from ?? name),
    )
  for (const dimension of model.dimensions) {
    const own = columnWords(dimension.name).filter(
      word => !['is', 'has', 'was', 'at', 'on', 'date', 'flag', 'time'].includes(word),
    )
    const name = own.join(' ')
    if (dimension.type === 'boolean' && dimension.expression.kind === 'column') {
      const yes = yesValue(dimension.values)
      const written =
        typeof yes === 'boolean'
          ? ''
          : ` = ${typeof yes === 'number' ? yes : `'${yes.replaceAll("'", "''")}'`}`
      const positive = `${column(dimension.name)}${written}`
      const has = columnWords(dimension.name)[0] === 'has'
      add([name, ...(has ? [`with ${name}`] : []), ...dimension.synonyms], positive)
      add([...(opposites[name] ?? []), `non-${name}`, `not ${name}`, `un${name}`], `NOT (${positive})`)
      continue
    }
    const isDate = dimension.type === 'date' || dimension.type === 'timestamp'
    if (!isDate || model.timeDimension === dimension.name) continue
    const state = states.find(({ word }) => own.some(one => word.test(one)))
    if (state === undefined) continue
    add(state.set, `${presence(dimension)} IS NOT NULL`)
    add(state.unset, `${presence(dimension)} IS NULL`)
  }
  const dates = model.dimensions.filter(({ type }) => type === 'date' || type === 'timestamp')
  const named = (pattern: RegExp) =>
    dates.find(({ name }) => columnWords(name).some(word => pattern.test(word)))
  const planned = named(/^(?:due|promised|expected|planned|required|deadline|estimated)$/)
  const actual = named(/^(?:delivered|arrived|paid|returned|completed|finished|resolved|actual)$/)
  const written = ({ expression }: (typeof dates)[number]): string =>
    expression.kind === 'sql'
      ? expression.text
      : column(expression.kind === 'column' ? expression.column : '')
  if (planned && actual) {
    add(['late', 'delayed', 'too late'], `${written(actual)} > ${written(planned)}`)
    add(['on time', 'on-time', 'punctual', 'in time'], `${written(actual)} <= ${written(planned)}`)
  }
  const status = model.dimensions.find(
    ({ values, type }) =>
      type === 'categorical' && values?.some(value => String(value).toLowerCase() === 'paid'),
  )
  const isOpen = actual
    ? `${presence(actual)} IS NULL`
    : status?.expression.kind === 'column'
      ? `${column(status.expression.column)} NOT IN (${(status.values ?? [])
          .filter(value => settled.test(String(value)))
          .map(value => `'${value}'`)
          .join(', ')})`
      : null
  if (planned && isOpen !== null)
    found.set('overdue', {
      name: `overdue_${model.name}`,
      label: labelOf(['overdue', ...model.label.toLowerCase().split(' ')]),
      synonyms: ['overdue', 'past due', 'late and unpaid', 'outstanding and overdue'],
      description: null,
      model: model.name,
      conditions: [
        { kind: 'past', dimension: planned.name },
        { kind: 'sql', text: isOpen },
      ],
      status: 'proposed',
    })
  if (!actual && status && isOpen !== null) add(['unpaid', 'outstanding', 'not paid'], isOpen)
  const stock = model.dimensions.find(
    ({ name, type }) =>
      type === 'number' &&
      /^(?:stock|on_hand|onhand|in_stock|units_in_stock|stock_level|stock_quantity)$/i.test(name),
  )
  if (stock) {
    add(['out of stock', 'sold out'], `${column(stock.name)} <= 0`)
    add(['in stock'], `${column(stock.name)} > 0`)
  }
  return [...found.values()]
}

/** States of a bill on which nothing is owed anymore. */
const settled = /^(?:paid|void|voided|canceled|cancelled|refunded|waived|settled|written[ _]off)$/i

const yesValue = (values: readonly (string | number | boolean)[] | null): string | number | boolean => {
  const yes = values?.find(value => ['1', 'y', 'yes', 't', 'true'].includes(String(value).toLowerCase()))
  return yes ?? (values?.some(value => typeof value === 'number') ? 1 : true)
}
