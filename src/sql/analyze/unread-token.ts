import type { SqlToken } from '../parse/sql-tokens.ts'
import { isNode, type SqlTree, type TreeValue } from '../parse/sql-tree.ts'
import { functionCalls } from './function-calls.ts'

/**
 * The first token that polyglot's tree does not account for, or null. polyglot drops what its grammar has no place
 * for, silently: of `WITH x AS (DELETE FROM t) VALUES (1)` only the VALUES is left. So every name, string and
 * number of the text must be found in the tree as often as it is written; the rest must be keywords of a query, or
 * functions that are called, which have kinds of nodes instead of names. Postgres trees lose nothing.
 */
export const unaccountedToken = (tree: SqlTree): SqlToken | null => {
  if (tree.parser === 'libpg-query') return null
  const called = new Set(functionCalls(tree).map(call => call.name))
  const counts = wordCounts(tree.statements)
  for (const [at, token] of tree.tokens.entries()) {
    if (isUncounted(token) || isPartOfClause(tree.tokens, at)) continue
    // A keyword uses nothing up: the same letters may stand in a name or a string further on.
    if (token.kind === 'word' && (queryWords.has(token.value) || called.has(token.value))) continue
    for (const word of wordsOf(writtenInTree(token, counts))) {
      const left = counts.get(word) ?? 0
      if (left === 0) return token
      counts.set(word, left - 1)
    }
  }
  return null
}

/** Symbols have no letters, backslashes and hexadecimal numbers are written otherwise in the tree. */
const isUncounted = ({ kind, text }: SqlToken): boolean =>
  kind === 'symbol' || kind === 'parameter' || (kind === 'string' && text.includes('\\')) || /^0x/i.test(text)

/** `1_000` is 1000 in a tree that does not keep it as written. */
const writtenInTree = ({ kind, value }: SqlToken, counts: ReadonlyMap<string, number>): string =>
  kind === 'number' && !counts.has(value.toLowerCase()) ? value.replaceAll('_', '') : value

/** Words that are part of a clause in one place alone, and names elsewhere. */
const isPartOfClause = (tokens: readonly SqlToken[], at: number): boolean => {
  const [token, before, next] = [tokens[at], tokens[at - 1], tokens[at + 1]]
  if (token?.kind !== 'word') return false
  switch (token.value) {
    case 'no':
      return before?.value === 'exclude' && next?.value === 'others'
    case 'others':
      return before?.value === 'no'
    case 'set':
      return before?.value === 'character'
    case 'character':
      return next?.value === 'set'
    case 'unknown':
      return before?.value === 'is' || (before?.value === 'not' && tokens[at - 2]?.value === 'is')
    case 'distinctrow':
      return before?.value === 'select'
    default:
      return before?.text === '(' && next?.value === 'from' && tokens[at - 2]?.value === 'extract'
  }
}

/** Letters and digits only, because trees hold strings unescaped and numbers without their signs. */
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []

const wordCounts = (value: TreeValue): Map<string, number> => {
  const counts = new Map<string, number>()
  const visit = (value: TreeValue | undefined, key: string): void => {
    if (Array.isArray(value)) for (const item of value as readonly TreeValue[]) visit(item, key)
    else if (isNode(value)) for (const [part, child] of Object.entries(value)) visit(child, part)
    else if ((typeof value === 'string' || typeof value === 'number') && !spanKeys.has(key))
      for (const word of wordsOf(String(value))) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  visit(value, '')
  return counts
}

/** Parts of a span: numbers that no text holds. */
const spanKeys = new Set(['start', 'end', 'line', 'column'])

/**
 * Words that belong to the grammar of queries, in any dialect, and leave no trace of their own in a tree. No word
 * that begins or belongs to a statement which writes, defines, locks or commands may ever be added.
 */
const queryWords: ReadonlySet<string> = new Set(
  `select from where group by having order limit offset qualify window with recursive materialized as on using values
   union intersect except minus all distinct top percent ties fetch first last next only rows row
   join inner left right full outer cross natural lateral apply straight_join asof positional semi anti global
   and or not xor in is null true false like ilike glob regexp rlike similar to match escape between symmetric
   asymmetric exists any some isnull notnull overlaps member of sounds div mod collate binary
   case when then else end if cast try_cast at time zone without local array struct map
   over partition range groups unbounded preceding following current exclude filter within separator respect ignore
   nulls asc desc replace rename cube rollup grouping sets
   interval year years quarter quarters month months week weeks day days hour hours minute minutes second seconds
   millisecond milliseconds microsecond microseconds
   int integer bigint smallint tinyint mediumint hugeint real double precision float decimal numeric number varchar
   nvarchar char nchar character varying text string boolean bool date timestamp timestamptz datetime blob bytea
   unsigned signed uuid json jsonb utinyint usmallint uinteger ubigint uhugeint timetz lambda
   timestamp_ntz timestamp_ltz timestamp_tz variant object binary
   leading trailing both placing for pivot unpivot include sample tablesample bernoulli system reservoir repeatable
   use force index indexed key against mode language query expansion dual offsets ordinality final`
    .trim()
    .split(/\s+/),
)
