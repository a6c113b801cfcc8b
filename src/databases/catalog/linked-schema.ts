import { type Catalog, type Column, type ForeignKey, nameTables, type Table } from '../../domain/catalog.ts'
import type { LinkedSchema } from '../../domain/question-context.ts'
import type { Cell } from '../../domain/result.ts'
import { isPersonalColumn } from '../../lib/personal-columns.ts'
import { shuffle } from '../../lib/random.ts'

/** A table as prompts show it. `name` is its name in keys. */
export interface PickedTable {
  readonly name: string
  readonly table: Table
  readonly columns: readonly Column[]
}

/** The linked tables and columns, and the keys whose columns are all among them. */
interface PickedSchema {
  readonly tables: readonly PickedTable[]
  readonly foreignKeys: readonly ForeignKey[]
}

/** Selects the linked part of a catalog, in the catalog's order, or with tables and columns shuffled by a seed. */
export const pickLinkedSchema = (catalog: Catalog, linked: LinkedSchema, seed?: number): PickedSchema => {
  const keep = new Map(linked.tables.map(({ table, keep }) => [table, keep]))
  const names = nameTables(catalog)
  const order = <Item>(items: readonly Item[], salt: number): readonly Item[] =>
    seed === undefined ? items : shuffle(items, seed * 1009 + salt)
  const tables = catalog.tables.flatMap((table, index) => {
    const name = names.get(table) ?? table.name
    const kept = keep.get(name)
    if (kept === undefined) return []
    const columns =
      kept === 'all' ? table.columns : table.columns.filter(column => kept.includes(column.name))
    return [{ name, table, columns: order(columns, index + 1) }]
  })
  const shown = new Map(
    tables.map(({ name, columns }) => [name, new Set(columns.map(column => column.name))]),
  )
  const isShown = ({ table, columns }: ForeignKey['from']): boolean =>
    columns.every(column => shown.get(table)?.has(column) ?? false)
  return {
    tables: order(tables, 0),
    foreignKeys: catalog.foreignKeys.filter(key => isShown(key.from) && isShown(key.to)),
  }
}

/** What prompts say about a column besides its name and type. Texts are short and on one line. */
export interface ColumnDescription {
  readonly comment: string | null
  /** How to read its values, if the type does not say. */
  readonly note: string | null
  /** All values of a column that has few, or some values of others, as SQL literals. */
  readonly examples: readonly string[]
  /** Whether the examples are all there are. */
  readonly complete: boolean
  readonly range: string | null
}

const longestComment = 200

const longestValue = 40

const fewValues = 6

const mostExamples = 3

/**
 * Cells and comments are other people's text in a prompt: they are cut and put on one line, so that
 * they cannot end the comment they are in.
 */
export const onOneLine = (text: string, longest: number): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be rid of
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`
}

/** A cell as an SQL literal, only for display. */
const exampleLiteral = (cell: Cell): string => {
  if (typeof cell === 'string') return `'${onOneLine(cell, longestValue).replaceAll("'", "''")}'`
  if (cell instanceof Uint8Array) return `${cell.byteLength} bytes`
  return cell === null ? 'NULL' : String(cell)
}

/**
 * Describes a column from its profile. Numbers that are keys get no examples, since they mean nothing to a reader; codes
 * do. Of personal columns no value is shown.
 */
export const describeColumn = (
  column: Column,
  { table, isKey }: { readonly table: Table; readonly isKey: boolean },
): ColumnDescription => {
  const { profile } = column
  const isHidden = isPersonalColumn(column, table) || (isKey && !isNaturalKey(column))
  const frequent = profile?.mostFrequent ?? []
  // If each value occurs once, none is more frequent than others; samples say more than the first in the
  // alphabet.
  const repeats = frequent.some(({ count }) => count > 1)
  const values = repeats || !profile?.samples ? frequent : profile.samples.map(value => ({ value }))
  const complete =
    !isHidden && values.length > 0 && values.length === profile?.distinctCount && values.length <= fewValues
  const isOrdered = ['integer', 'number', 'date', 'timestamp', 'time'].includes(column.kind)
  const examples =
    isHidden || (isOrdered && !complete) ? [] : values.map(({ value }) => exampleLiteral(value))
  const hasRange = isOrdered && !isKey && !isHidden && !complete && profile !== null && profile.min !== null
  return {
    comment: column.comment === null ? null : onOneLine(column.comment, longestComment),
    note: [noteOf(column), formatNote(column)].filter(note => note !== null).join('; ') || null,
    examples: complete ? examples : examples.slice(0, mostExamples),
    complete,
    range: hasRange ? `${exampleLiteral(profile.min)} to ${exampleLiteral(profile.max)}` : null,
  }
}

const noteOf = (column: Column): string | null => {
  if (column.profile?.numericText) return 'numbers stored as text'
  const declared = column.type.toLowerCase()
  if (column.kind === 'date' && !declared.includes('date')) return 'dates as text, YYYY-MM-DD'
  if (column.kind === 'timestamp' && !/date|time/.test(declared)) return 'dates and times as text'
  if (column.kind === 'boolean' && !/bool|bit/.test(declared)) return '1 for yes, 0 for no'
  return null
}

/** A share this close to 100% is not shown. */
const nearlyAll = 0.995

const formatNote = ({ kind, profile }: Column): string | null => {
  if (kind !== 'text' || !profile?.format) return null
  const { pattern, share } = profile.format
  const written = onOneLine(pattern, longestValue)
  return share >= nearlyAll ? `written ${written}` : `${Math.floor(share * 100)} % written ${written}`
}

/** People know codes and short names by heart; what is longer is looked up. */
const longestMean = 24

/** A key with so few values is a list of kinds, such as states of an order. */
const fewKinds = 50

/** `DE`, `EUR`, `FRA`, `LH-400`, `SKU-00017`, `de`, `en-gb`. Ids that programs make are longer or mix cases. */
const code = /^(?=.*\p{Lu})[\p{Lu}\d][\p{Lu}\d._/-]{0,11}$|^[a-z]{2,3}(?:-[a-z]{2})?$/u

/** Hexadecimal with a digit in it, such as the first letters of a hash. */
const hexadecimal = /^(?=.*\d)[0-9a-f]{6,}$/i

/**
 * Whether the values of a key mean something to people, by its profile: codes of countries, currencies, airports or
 * products, and short lists of words. Numbers, UUIDs and hashes do not: they only tell rows apart.
 */
export const isNaturalKey = ({ kind, profile }: Column): boolean => {
  if (kind !== 'text' || !profile || profile.numericText || profile.meanLength > longestMean) return false
  const values = [...profile.mostFrequent.map(({ value }) => value), ...(profile.samples ?? [])]
  const texts = values.filter(value => typeof value === 'string' && value !== '').map(String)
  if (texts.length === 0 || texts.every(text => hexadecimal.test(text))) return false
  return profile.distinctCount <= fewKinds
    ? texts.some(text => /\p{L}/u.test(text))
    : texts.every(text => code.test(text)) || hasLettersInFormat(profile.format?.pattern)
}

/** A format such as `AAA-9999` or `Aa9+`; one of digits alone is a number with dashes. */
const hasLettersInFormat = (pattern: string | undefined): boolean =>
  pattern !== undefined && /a/i.test(pattern)
