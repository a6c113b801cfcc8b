import type { Catalog } from '../../../domain/catalog.ts'
import { brandGuardedSql, type GuardedSql, type GuardVerdict } from '../../../domain/sql.ts'
import { functionCalls } from '../../../sql/analyze/function-calls.ts'
import { sqlScopes } from '../../../sql/analyze/sql-scopes.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import { parseSql } from '../../../sql/parse/parse-sql.ts'
import type { SqlToken } from '../../../sql/parse/sql-tokens.ts'
import type { SqlTree } from '../../../sql/parse/sql-tree.ts'
import { quoteIdentifier } from '../../../sql/render/quote.ts'
import { schemaWithCatalog } from '../../../sql/tree/query-tree.ts'
import { treeOfGuarded } from '../guarded-tree.ts'
import { foldName, sameName } from '../scope/name-lookup.ts'
import { makeIsOwnFunction } from '../scope/scoped-database.ts'
import { scopeMessages } from '../scope/visible-sources.ts'
import type { RestrictedTable, RestrictedTables } from './restricted-tables.ts'

/**
 * The same statement over what a person sees of its tables. A query of WITH stands in front of it for each restricted
 * table, under the name of the table, so that every mention in it means that query: in joins, subqueries, other
 * queries of WITH and behind commas alike. Names with a schema would mean the table itself; they lose the schema. Each
 * query ends with a fence, so that no condition of the statement is computed before the rule, where an error could
 * tell of a hidden row. What cannot be shown to read nothing else is refused.
 *
 * @example
 * SELECT count(*) FROM shop.orders
 * WITH orders AS (SELECT * FROM shop.orders WHERE (region = 'EMEA') OFFSET 0) SELECT count(*) FROM orders
 */
export const applyRights = (
  guarded: GuardedSql,
  restricted: RestrictedTables,
  catalog: Catalog,
): GuardVerdict => {
  const refuse = (reason: string): GuardVerdict => ({ verdict: 'refuse', reason })
  const { dialect } = catalog
  if (guarded.dialect !== dialect)
    return refuse(`it is ${guarded.dialect}, but the database speaks ${dialect}`)
  const tree = treeOfGuarded(guarded)
  if (tree?.statements.length !== 1) return refuse(unread)
  const look = makeLook(restricted, catalog)
  if (!databaseDialect(dialect).scope.withSeesOuter && hasInnerWith(tree) && look.isMentioned(tree))
    return refuse('it has a WITH inside a query: write all queries of WITH at its start')
  // A function of the database under a name that is allowed may read any row.
  const { functions } = databaseDialect(dialect).guard
  const isOwn = makeIsOwnFunction(catalog)
  const own = functionCalls(tree).find(call => functions.has(call.name) && isOwn(call))
  if (own !== undefined) return refuse(scopeMessages.call(own.name))
  const used = new Set<RestrictedTable>()
  for (const source of tablesIn(tree)) {
    const meant = [source.schema, ...(source.catalog === null ? [] : [schemaWithCatalog(source)])].flatMap(
      schema => look.tablesNamed(schema, source.name),
    )
    if (meant.some(table => restricted.closed.has(table)))
      return refuse(`it reads ${source.name}, which is no table here`)
    const own = meant.flatMap(table => look.restrictionOf(table))
    const [first] = own
    if (first === undefined) continue
    if (source.catalog !== null) return refuse(`it reads ${source.name}: write its name without the catalog`)
    // The server alone knows which of several tables a name means.
    if (meant.length > 1) return refuse(`it reads ${source.name}, and there are several tables of this name`)
    if (!look.isSpelled(source.name, first))
      return refuse(`it reads ${source.name}: write the name as the table has it, ${first.table.name}`)
    used.add(first)
  }
  const clash = queryNames(tree).find(name => look.isTaken(name, used))
  if (used.size > 0 && clash !== undefined)
    return refuse(`its query ${clash} in WITH has the name of a table: give it another name`)
  if (used.size === 0) return { verdict: 'allow', guarded }

  const sql = rewrite(tree, [...used], look)
  return readsOnly(sql, [...used], look, catalog)
    ? { verdict: 'allow', guarded: brandGuardedSql(sql, dialect) }
    : refuse(unread)
}

const unread = 'it has a form in which nobody can tell which rows it reads'

interface NamedSource {
  readonly catalog: string | null
  readonly schema: string | null
  readonly name: string
}

/** The real tables that a statement reads, each as often as it is named. */
const tablesIn = (tree: SqlTree): readonly NamedSource[] =>
  sqlScopes(tree)
    .flatMap(scope => scope.sources)
    .flatMap(({ kind, catalog, schema, name }) =>
      kind === 'table' && name !== null ? [{ catalog, schema, name }] : [],
    )

/** Whether a WITH stands anywhere but at the start. */
const hasInnerWith = ({ tokens }: SqlTree): boolean =>
  tokens.some(
    ({ kind, value }, at) =>
      at > 0 && kind === 'word' && value === 'with' && tokens[at + 1]?.value !== 'rollup',
  )

/** Names that stand before `AS (` or `(...) AS (`: those of queries in WITH, wherever they are, and of windows. */
const queryNames = ({ tokens }: SqlTree): readonly string[] => {
  const isWith = tokens.some(({ kind, value }) => kind === 'word' && value === 'with')
  if (!isWith) return []
  return tokens.flatMap((token, at) => {
    if (token.kind !== 'word' && token.kind !== 'quoted') return []
    const after = tokens[at + 1]?.text === '(' ? afterBracket(tokens, at + 1) : at + 1
    const isAs = tokens[after]?.kind === 'word' && tokens[after]?.value === 'as'
    const next = tokens[after + 1]
    // `orders AS o` names no query.
    const opens = next?.text === '(' || (next?.kind === 'word' && /^(?:not|materialized)$/.test(next.value))
    return isAs && opens ? [token.value] : []
  })
}

const afterBracket = (tokens: readonly SqlToken[], open: number): number => {
  let depth = 0
  for (let at = open; at < tokens.length; at += 1) {
    const { text } = tokens[at] as SqlToken
    depth += text === '(' ? 1 : text === ')' ? -1 : 0
    if (depth === 0) return at + 1
  }
  return tokens.length
}

/** What names mean under rights. */
interface Look {
  /** The tables that a name can mean. */
  readonly tablesNamed: (schema: string | null, name: string) => readonly RestrictedTable['table'][]
  readonly restrictionOf: (table: RestrictedTable['table']) => readonly RestrictedTable[]
  /** Whether a query of WITH under the name of the table stands for this name too. */
  readonly isSpelled: (name: string, restriction: RestrictedTable) => boolean
  /** Whether a query of the statement in WITH has the name of one of ours. */
  readonly isTaken: (name: string, used: ReadonlySet<RestrictedTable>) => boolean
  readonly isSchemaOf: (schema: string, table: RestrictedTable['table']) => boolean
  /** Whether the name of a restricted or closed table stands anywhere. */
  readonly isMentioned: (tree: SqlTree) => boolean
}

const makeLook = ({ tables, closed }: RestrictedTables, { dialect, tables: all }: Catalog): Look => {
  const same = sameName(dialect)
  const { defaultSchema } = databaseDialect(dialect).names
  const byFold = Map.groupBy(all, ({ name }) => foldName(name, dialect))
  const byTable = new Map(tables.map(one => [one.table, one]))
  const secret = new Set([...byTable.keys(), ...closed].map(({ name }) => foldName(name, dialect)))
  const isSchemaOf: Look['isSchemaOf'] = (schema, table) =>
    same(table.schema ?? table.home ?? defaultSchema, schema, 'table') !== 'no'
  return {
    isSchemaOf,
    tablesNamed: (schema, name) => {
      const alike = byFold.get(foldName(name, dialect)) ?? []
      if (schema !== null) return alike.filter(table => isSchemaOf(schema, table))
      const plain = alike.filter(table => table.schema === null)
      return plain.length > 0 ? plain : alike
    },
    restrictionOf: table => {
      const found = byTable.get(table)
      return found === undefined ? [] : [found]
    },
    isSpelled: (name, { table }) => same(table.name, name, 'query') === 'yes',
    isMentioned: ({ tokens }) => tokens.some(({ value }) => secret.has(foldName(value, dialect))),
    isTaken: (name, used) =>
      [...used].some(({ table }) => foldName(table.name, dialect) === foldName(name, dialect)),
  }
}

const rewrite = (tree: SqlTree, used: readonly RestrictedTable[], look: Look): string => {
  const { dialect, tokens } = tree
  const plain = withoutSchemas(tree, used, look)
  const queries = used
    .map(({ table, query }) => `${quoteIdentifier(table.name, dialect)} AS (${query})`)
    .join(', ')
  const [first, second] = tokens
  if (first?.kind !== 'word' || first.value !== 'with') return `WITH ${queries} ${plain}`
  const isRecursive = second?.kind === 'word' && second.value === 'recursive'
  const end = isRecursive ? second.end : first.end
  // Nothing before the first word of a query in WITH loses a schema.
  return `${plain.slice(0, end)} ${queries}, ${plain.slice(end)}`
}

/** `shop.orders` becomes `orders`, as a table and before its columns. */
const withoutSchemas = ({ sql, tokens }: SqlTree, used: readonly RestrictedTable[], look: Look): string => {
  let text = sql
  const isName = (token: SqlToken | undefined): token is SqlToken =>
    token?.kind === 'word' || token?.kind === 'quoted'
  for (let at = tokens.length - 3; at >= 0; at -= 1) {
    const [schema, dot, name] = [tokens[at], tokens[at + 1], tokens[at + 2]]
    if (!isName(schema) || dot?.text !== '.' || !isName(name) || tokens[at - 1]?.text === '.') continue
    const isRestricted = used.some(
      one => look.isSpelled(name.value, one) && look.isSchemaOf(schema.value, one.table),
    )
    if (isRestricted) text = text.slice(0, schema.start) + text.slice(name.start)
  }
  return text
}

/**
 * Reads the new statement again, and fails closed: of the restricted tables it must name just those that stand in our
 * own queries, each with its schema, and nothing that is closed.
 */
const readsOnly = (
  sql: string,
  used: readonly RestrictedTable[],
  look: Look,
  { dialect }: Catalog,
): boolean => {
  const ours = `WITH ${used.map(({ table, query }) => `${quoteIdentifier(table.name, dialect)} AS (${query})`).join(', ')} SELECT 1`
  const [whole, alone] = [parseSql(sql, dialect), parseSql(ours, dialect)]
  if (!whole.ok || !alone.ok || whole.tree.statements.length !== 1) return false
  const secret = (tree: SqlTree): readonly string[] =>
    tablesIn(tree)
      .filter(({ schema, name }) =>
        look.tablesNamed(schema, name).some(table => look.restrictionOf(table).length > 0),
      )
      .map(source => JSON.stringify([source.schema, source.name]))
      .sort()
  return JSON.stringify(secret(whole.tree)) === JSON.stringify(secret(alone.tree))
}
