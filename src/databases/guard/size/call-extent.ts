import type { SizeRules } from '../../../sql/sql-dialect.ts'
import type { Expression } from '../../../sql/tree/query-tree.ts'
import { columnLength, type Extent, eitherOf, nothing, numberOf, textOf, together } from './extent.ts'

/** A call whose inputs were measured. */
export interface MeasuredCall {
  /** In lower case, as the parser names it. */
  readonly name: string
  readonly sizes: SizeRules
  readonly inputs: readonly Expression[]
  /** Those of lambdas are empty. */
  readonly extents: readonly Extent[]
  /** Rows whose values an aggregate puts together. */
  readonly rows: number
  /** The largest result of a lambda among the inputs; null if there is none. */
  readonly lambda: ((parameters: readonly Extent[]) => Extent) | null
  /** Opening brackets in the literals of the statement: how deep its JSON can be. */
  readonly brackets: number
}

/** Why a call cannot be bounded, in words, or how large its result can get. */
export type CallExtent = Extent | string

/** The longest text that one call can be told to make. */
export const maxWidth = 10_000

const maxFormatWidth = 1_000

/** Functions that make as much as a number among their arguments says, with the place of that number. */
const sizedBy: Readonly<Record<string, number>> = {
  ...{ lpad: 1, rpad: 1, repeat: 1, space: 0, zeroblob: 0, randomblob: 0 },
  ...{ list_resize: 1, array_resize: 1, bar: 3, bitstring: 1 },
}

/** Aggregates that keep as many values as a number says from the first row on, with the place of that number. */
const sketchedBy: Readonly<Record<string, number>> = {
  ...{ approx_top_k: 1, approx_quantiles: 1, approx_most_frequent: 2 },
  ...{ numeric_histogram: 0, histogram_numeric: 1 },
}

/** True for a function whose arguments set the size of its result, so that they must have been seen. */
export const isSizedByNumber = (name: string): boolean =>
  Object.hasOwn(sizedBy, name) || name === 'printf' || name === 'format' || name === 'sformat'

/** True for an aggregate whose result grows with the rows. */
export const isCollecting = (name: string, { collecting }: Pick<SizeRules, 'collecting'>): boolean =>
  collecting.has(name.replaceAll('_', ''))

/** The place of the argument that says how many values an aggregate gives; null if it gives one. */
export const placeOfCount = (
  name: string,
  inputs: readonly unknown[],
  { collectingSome }: Pick<SizeRules, 'collectingSome'>,
): number | null => {
  const place = Object.hasOwn(collectingSome, name) ? collectingSome[name] : undefined
  return place !== undefined && inputs.length > place ? place : null
}

/** True for a function that gives numbers or moments in a row: as rows, or as a list. */
export const isSeries = (name: string): boolean => series.has(name)

const series: ReadonlySet<string> = new Set(
  `generate_series range sequence generate_array generate_date_array generate_timestamp_array
   array_generate_range`.split(/\s+/),
)

/** True for a function that gives a row for each element of a list, wherever it is called. */
export const isExpanding = (name: string): boolean =>
  /^(?:unnest|string_to_table|regexp_split_to_table|jsonb?_(?:each|array_elements)|(?:pos)?explode|inline|arrayjoin)/.test(
    name,
  )

const placeOfSize = (name: string, given: number): number | undefined => {
  if (Object.hasOwn(sizedBy, name)) return sizedBy[name]
  const place = Object.hasOwn(sketchedBy, name) ? sketchedBy[name] : undefined
  return place !== undefined && place < given ? place : undefined
}

/** How large the result of a call can get. */
export const callExtent = (call: MeasuredCall): CallExtent => {
  const { name, extents, rows, sizes } = call
  if (isCollecting(name, sizes)) {
    const all = together(extents, 4)
    const length = rows * all.length
    return textOf(name === 'group_concat' ? Math.min(length, sizes.longestGroupConcat) : length, rows)
  }
  const place = placeOfCount(name, call.inputs, sizes)
  if (place !== null) {
    const count = Math.min(rows, Math.max(1, extents[place]?.high ?? rows))
    return textOf(count * together(extents, 4).length, count)
  }
  const size = placeOfSize(name, extents.length)
  if (size !== undefined) return sizedExtent(call, size)
  return (rules[name] ?? sumOf)(call)
}

type Rule = (call: MeasuredCall) => CallExtent

const first = ({ extents }: MeasuredCall): Extent => extents[0] ?? nothing

/** Most functions give no more than they were given. */
const sumOf: Rule = ({ extents, lambda }) => {
  const all = together(extents, 64)
  return lambda === null ? all : eachItem(all, lambda)
}

/** A list in which a lambda has replaced each element. */
const eachItem = (list: Extent, lambda: (parameters: readonly Extent[]) => Extent): Extent => {
  const items = Math.max(1, list.items)
  const element = { ...list, length: Math.max(40, Math.ceil(list.length / items)), items: 1 }
  return textOf(items * (2 + lambda([element, numberOf(0, items)]).length), items)
}

/** What a call gives that multiplies the length of its first argument, and adds the others. */
const times =
  (factor: number): Rule =>
  call =>
    textOf(first(call).length * factor + together(call.extents.slice(1), 64).length)

const sizedExtent = ({ name, extents }: MeasuredCall, place: number): CallExtent => {
  const count = extents[place]?.high
  const isOfValues = name === 'repeat' || name.endsWith('_resize') || Object.hasOwn(sketchedBy, name)
  const unit = isOfValues ? together(extents).length : 1
  return count === undefined || !(count <= maxWidth)
    ? `it calls ${name} with a number that is not known to be at most ${maxWidth.toLocaleString('en')}; write the number, or least(n, 1000)`
    : textOf(Math.max(0, count) * unit + 1, Math.max(0, count))
}

const literalText = (expression: Expression | undefined): string | null =>
  expression?.kind === 'text' ? expression.value : null

/** Every match is replaced. Only a literal is known to be longer than one character. */
const replaced: Rule = call => {
  const [text = nothing, , by = nothing] = call.extents
  const from = literalText(call.inputs[1])
  const growth = Math.max(1, by.length / Math.max(1, from?.length ?? 1))
  return textOf(Math.ceil(text.length * growth) + 1)
}

/** A pattern that can match nothing puts its replacement between all characters. */
const replacedByPattern: Rule = call => {
  const [text = nothing, , by = nothing] = call.extents
  const pattern = literalText(call.inputs[1])
  const replacement = literalText(call.inputs[2])
  const repeated = replacement === null ? by.length : (replacement.match(/[\\$][&\d]/g)?.length ?? 0)
  const everywhere = call.sizes.replacesEveryMatch || call.extents.length > 3
  if (!everywhere) return textOf(text.length * (1 + repeated) + by.length)
  const matchesSomething =
    pattern !== null && pattern !== '' && !/[*?|^$(){}]/.test(pattern.replace(/\[[^\]]*\]/g, '.'))
  const growth = matchesSomething ? Math.max(1, by.length) : 1 + by.length
  return textOf(text.length * (growth + repeated) + by.length)
}

/** `part(text, ..., count)`: no longer than the count. */
const cutTo =
  (place: number): Rule =>
  call => {
    const { length } = first(call)
    const count = call.extents[place]?.high ?? Number.POSITIVE_INFINITY
    return textOf(count >= 0 ? Math.min(length, count) : length)
  }

const joined: Rule = call => {
  const [list = nothing, ...others] = call.extents
  const separator = eitherOf(others)
  return textOf(list.length + list.items * separator.length + 64)
}

const joinedArguments: Rule = call => {
  const [separator = nothing] = call.extents
  return textOf(together(call.extents).length + separator.length * call.extents.length)
}

/** Every level of JSON is indented by its depth. */
const indented: Rule = call => textOf(first(call).length * 4 * (1 + call.brackets))

/** A wildcard for all depths gives each part once for every level above it. */
const byPath: Rule = call => {
  const wildcards = call.inputs.reduce(
    (sum, input) => sum + (literalText(input)?.match(/\*\*|\.\./g)?.length ?? 0),
    0,
  )
  return textOf(together(call.extents, 64).length * (16 + call.brackets) ** wildcards)
}

/** Marks around every word. */
const marked: Rule = call =>
  textOf(Math.max(columnLength, first(call).length) * Math.max(1, together(call.extents.slice(1)).length))

/** A template of a date or number: each letter can stand for a long word. */
const byTemplate: Rule = call => {
  const template = call.inputs.findIndex(({ kind }) => kind === 'text')
  const longest = call.extents[template] ?? eitherOf(call.extents)
  return textOf(15 * longest.length + together(call.extents, 64).length)
}

/** A character has up to four bytes. */
const bytesIn: Rule = call => numberOf(0, 4 * first(call).length)

const bitsIn: Rule = call => numberOf(0, 32 * first(call).length)

const charactersIn: Rule = call => numberOf(0, Math.max(first(call).length, first(call).items))

const numbersIn = (text: string): readonly number[] => text.match(/\d+/g)?.map(Number) ?? []

const formatted: Rule = call => {
  if (call.sizes.format === 'none' && call.name !== 'sformat') return sumOf(call)
  const template = literalText(call.inputs[0])
  if (template === null) return `it calls ${call.name} with a format that does not stand there as text`
  const braces = call.name === 'sformat' || (call.sizes.format === 'braces' && call.name === 'format')
  const plain = template.replaceAll('{{', '').replaceAll('}}', '')
  const directives = (braces ? plain.match(/\{[^}]*\}?/g) : template.match(/%[^a-z%]*./gi)) ?? []
  if (directives.some(one => /\*|\{.*\{/s.test(one) || numbersIn(one).some(width => width > maxFormatWidth)))
    return `it calls ${call.name} with a width that is too large or not a number`
  const longest = eitherOf(call.extents.slice(1)).length
  return textOf(
    directives.reduce((sum, one) => {
      return sum + Math.max(longest, ...numbersIn(one)) + 64
    }, template.length),
  )
}

/** The accumulator goes through the lambda once for each element. */
const folded: Rule = call => {
  const [list = nothing] = call.extents
  if (call.lambda === null) return sumOf(call)
  const items = Math.max(1, list.items)
  const element = { ...list, length: Math.max(40, Math.ceil(list.length / items)), items: 1 }
  let result = eitherOf([element, ...call.extents.slice(1)])
  for (let round = 0; round < Math.min(items, reduceRounds); round += 1) {
    const next = eitherOf([result, call.lambda([result, element, numberOf(0, items)])])
    const grown = next.length - result.length
    result = next
    // Each round adds the same: so will those that are left.
    if (round === reduceRounds - 1) result = textOf(result.length + grown * (items - reduceRounds))
  }
  return result
}

/** After so many rounds a result that is multiplied is larger than any limit. */
const reduceRounds = 40

/** A matrix of both lengths. */
const compared: Rule = ({ extents: [a = nothing, b = nothing] }) => ({
  ...numberOf(0, a.length + b.length),
  length: 8 * a.length * b.length,
})

const manyDigits: Rule = ({ sizes }) => textOf(sizes.longestPower, 1)

const least: Rule = ({ extents }) => ({
  ...eitherOf(extents),
  high: Math.min(...extents.map(({ high }) => high)),
})

const oneOf: Rule = ({ extents }) => eitherOf(extents)

const absolute: Rule = call => {
  const { low, high } = first(call)
  return numberOf(0, Math.max(Math.abs(low), Math.abs(high)))
}

const rounded: Rule = call => {
  const { length, low, high } = first(call)
  return { length: length + 40, items: 1, low: low - 1, high: high + 1 }
}

const listOf: Rule = ({ extents }) => ({
  ...eitherOf(extents),
  length: together(extents, 16).length + 2 * extents.length,
  items: extents.length,
})

const negative: Rule = call => ({ ...first(call), low: -first(call).high, high: -first(call).low })

const same = (names: string, rule: Rule): Readonly<Record<string, Rule>> =>
  Object.fromEntries(names.split(/\s+/).map(name => [name, rule]))

const rules: Readonly<Record<string, Rule>> = {
  ...same('replace array_replace', replaced),
  ...same('regexp_replace', replacedByPattern),
  ...same('left right', cutTo(1)),
  ...same('substring substr mid substring_grapheme', cutTo(2)),
  ...same(
    'hex to_hex encode to_binary quote quote_literal quote_ident quote_nullable to_base64 base64',
    times(2),
  ),
  ...same(
    'to_json to_jsonb json_quote json_scalar row_to_json array_to_json unistr_quote regexp_escape',
    times(2),
  ),
  ...same('url_encode weight_string normalize nfc_normalize', times(8)),
  ...same('to_base bin to_bin', times(8)),
  ...same('jsonb_pretty json_pretty json_detailed', indented),
  ...same(
    'jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_path_query_tz jsonb_path_query_array_tz jsonb_path_query_first_tz json_extract json_extract_string json_query json_value json_search json_keys jsonb_path_match json_extract_path json_extract_path_text json_extract_scalar',
    byPath,
  ),
  ...same('array_to_string list_string_agg array_join list_aggregate list_aggr array_aggregate', joined),
  ...same('concat_ws', joinedArguments),
  ...same('ts_headline highlight snippet', marked),
  ...same('to_char strftime date_format time_format format_date time_to_str', byTemplate),
  ...same('length strlen octet_length', bytesIn),
  ...same('bit_length', bitsIn),
  ...same(
    'len char_length character_length instr position strpos locate str_position array_length array_size cardinality json_array_length jsonb_array_length',
    charactersIn,
  ),
  ...same('format printf sformat', formatted),
  ...same('list_transform list_apply array_transform array_apply apply transform', sumOf),
  ...same('list_reduce array_reduce reduce', folded),
  ...same('damerau_levenshtein', compared),
  ...same('^ ** power pow exp factorial', manyDigits),
  ...same('least', least),
  ...same(
    'greatest coalesce nullif ifnull nvl if_null null_if elt min max any_value first last arbitrary mode',
    oneOf,
  ),
  ...same('export_set', call => textOf(64 * together(call.extents, 64).length)),
  ...same('abs', absolute),
  ...same('round floor ceil ceiling trunc truncate int_div div integer int4 int8 int2', rounded),
  ...same('a_arrayexpr array array_func list_value list_pack array_value', listOf),
  ...same('negative', negative),
}
