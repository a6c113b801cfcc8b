import type { Column } from '../../../src/domain/catalog.ts'
import { databaseDialect } from '../../../src/sql/dialects.ts'
import type { SqlToken } from '../../../src/sql/parse/sql-tokens.ts'
import type { SelectBlock } from './select-blocks.ts'
import {
  type Edit,
  isWord,
  nameOfSource,
  type Statement,
  sameName,
  tableOfSource,
  visibleSources,
} from './statement.ts'

/** A column as it is written, at [from, to) of the tokens, and what the catalog knows of it. */
interface Written {
  readonly from: number
  readonly to: number
  readonly kind: Column['kind']
}

const equals = new Set(['=', '==', '<>', '!='])

const orders = new Set(['<', '<=', '>', '>='])

/**
 * Makes both sides of a comparison one type where the catalog says what the columns are: numbers beside texts, 0 and 1
 * beside booleans, patterns on numbers and days, sums of texts. Numbers kept as text are cast where their order or sum
 * is asked for; where they are only compared for being equal, the number is written as text.
 */
export const matchTypes = (statement: Statement): readonly Edit[] =>
  statement.blocks.flatMap(block =>
    block.own.flatMap(at => {
      const column = columnAt(at, block, statement)
      return column === null ? [] : editsFor(column, block, statement)
    }),
  )

const editsFor = (column: Written, block: SelectBlock, statement: Statement): readonly Edit[] => {
  const { tokens } = statement
  const { from, to, kind } = column
  const [operator, value] = [tokens[to], tokens[to + 1]]
  const isNegated = isWord(operator, 'not')
  const word = isNegated ? value : operator
  if (isWord(word, 'like', 'ilike') && (isNumber(kind) || isMoment(kind)))
    return [cast(column, 'text', statement)]
  if (kind === 'text' && isWord(tokens[from - 2], 'sum', 'avg') && tokens[from - 1]?.text === '(')
    return tokens[to]?.text === ')' ? [cast(column, 'numeric', statement)] : []
  if (operator === undefined) return []
  if (kind === 'text' && isWord(word, 'in')) return listEdits(to + (isNegated ? 2 : 1), statement)
  if (kind === 'text' && isWord(word, 'between') && tokens[to + (isNegated ? 2 : 1)]?.kind === 'number')
    return [cast(column, 'numeric', statement)]
  if (value?.kind === 'number') {
    if (kind === 'boolean' && equals.has(operator.text) && /^[01]$/.test(value.text))
      return [{ ...value, text: value.text === '1' ? 'TRUE' : 'FALSE' }]
    if (kind !== 'text') return []
    if (equals.has(operator.text)) return [{ ...value, text: `'${value.text}'` }]
    return orders.has(operator.text) ? [cast(column, 'numeric', statement)] : []
  }
  const other = equals.has(operator.text) ? columnAt(to + 1, block, statement) : null
  if (other === null) return []
  if (kind === 'text' && isNumber(other.kind)) return [cast(other, 'text', statement)]
  return isNumber(kind) && other.kind === 'text' ? [cast(column, 'text', statement)] : []
}

/** `IN (1, 2)` beside a text. */
const listEdits = (open: number, { tokens }: Statement): readonly Edit[] => {
  if (tokens[open]?.text !== '(') return []
  const edits: Edit[] = []
  for (let at = open + 1; tokens[at] && tokens[at]?.text !== ')'; at++) {
    const token = tokens[at] as SqlToken
    if (token.kind === 'number') edits.push({ ...token, text: `'${token.text}'` })
    else if (token.text !== ',' && token.kind !== 'string') return []
  }
  return edits
}

const isNumber = (kind: Column['kind']): boolean => kind === 'integer' || kind === 'number'

const isMoment = (kind: Column['kind']): boolean => kind === 'date' || kind === 'timestamp'

const cast = (
  { from, to }: Written,
  type: 'numeric' | 'text',
  { sql, tokens, database }: Statement,
): Edit => {
  const start = tokens[from]?.start ?? 0
  const end = tokens[to - 1]?.end ?? start
  const name = databaseDialect(database.dialect).repair.castTo[type]
  return { start, end, text: `CAST(${sql.slice(start, end)} AS ${name})` }
}

/** The column that begins at a place; null for everything else, and if it is not sure whose it is. */
const columnAt = (at: number, block: SelectBlock, statement: Statement): Written | null => {
  const { tokens } = statement
  const token = tokens[at]
  if ((token?.kind !== 'word' && token?.kind !== 'quoted') || tokens[at - 1]?.text === '.') return null
  const isQualified = tokens[at + 1]?.text === '.'
  const name = isQualified ? tokens[at + 2] : token
  const to = at + (isQualified ? 3 : 1)
  if (!name || tokens[to]?.text === '(' || tokens[to]?.text === '.') return null
  const found = visibleSources(block).flatMap(source => {
    if (isQualified && !sameName(nameOfSource(source) ?? '', token.value, statement)) return []
    return (
      tableOfSource(source, statement)?.columns.filter(column =>
        sameName(column.name, name.value, statement),
      ) ?? []
    )
  })
  const [column, ...others] = found
  return column && others.length === 0 ? { from: at, to, kind: column.kind } : null
}
