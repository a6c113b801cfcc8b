import type { Expression } from '../../sql/query-tree/query-tree.ts'
import { describeExpression } from './describe-expression.ts'
import type { NameScope } from './names.ts'

/** A call of a function that is no aggregate; what only changes how a value is written is not spoken of. */
export const describeCall = (
  { name, inputs }: Extract<Expression, { kind: 'call' }>,
  names: NameScope,
): string => {
  const words = inputs.map(input => describeExpression(input, names))
  const [first, second] = inputs
  if (silent.has(name)) return words[0] ?? name
  if (dateParts.has(name) && inputs.length === 1)
    return `${name.replace(/s$/, '')} of ${withArticle(words[0])}`
  if (name === 'date_trunc' && first?.kind === 'text')
    return `${first.value.toLowerCase()} of ${withArticle(words[1])}`
  const format = name === 'strftime' || name === 'date_format' || name === 'to_char'
  const pattern = [first, second].find(one => one?.kind === 'text')
  if (format && pattern?.kind === 'text') {
    const unit = formatUnits.find(([expression]) => expression.test(pattern.value))?.[1]
    const other = inputs.findIndex(one => one !== pattern)
    if (unit !== undefined && other >= 0) return `${unit} of ${withArticle(words[other])}`
  }
  const fixed = present.get(name)
  if (fixed !== undefined) return fixed
  if (name === 'coalesce' || name === 'ifnull') return words[0] ?? name
  if (name === 'length' || name === 'char_length') return `length of ${withArticle(words[0])}`
  if (name === 'abs') return `${words[0]} without its sign`
  if (name === 'negative') return `minus ${words[0]}`
  if (name === 'nullif') return `${words[0]} unless it is ${words[1]}`
  if (name === 'row_number') return 'row number'
  if (name === 'rank' || name === 'dense_rank') return 'rank'
  return inputs.length === 0 ? `${name}()` : `${name}(${words.join(', ')})`
}

/** `today` and values take no article. */
const withArticle = (words = ''): string => (/^(?:today|now|[“\d])/.test(words) ? words : `the ${words}`)

/** Functions that leave a value what it is to a reader. */
const silent: ReadonlySet<string> = new Set(
  'lower upper trim btrim ltrim rtrim l_trim r_trim round date timestamp datetime cast to_date to_timestamp'.split(
    ' ',
  ),
)

const dateParts: ReadonlySet<string> = new Set(
  'year month day quarter week hour minute second dow weekday years months days hours'.split(' '),
)

const formatUnits: readonly (readonly [RegExp, string])[] = [
  [/^(?:%Y|YYYY)$/, 'year'],
  [/^(?:%m|MM|%B|%b|Month|Mon)$/, 'month'],
  [/^(?:%Y-%m|YYYY-MM)$/, 'month'],
  [/^(?:%d|DD)$/, 'day'],
  [/^(?:%Y-%m-%d|YYYY-MM-DD)$/, 'day'],
  [/^(?:%w|%W|%u)$/, 'week'],
  [/^(?:%H|HH24)$/, 'hour'],
]

const present: ReadonlyMap<string, string> = new Map([
  ['now', 'now'],
  ['current_timestamp', 'now'],
  ['current_date', 'today'],
  ['curdate', 'today'],
])
