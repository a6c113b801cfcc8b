import {
  isNode,
  listOf,
  nodeOf,
  type SqlTree,
  type TreeNode,
  type TreeValue,
  textOf,
} from '../../sql/parse/sql-tree.ts'

/** What in a Postgres tree is not part of a plain query; null if everything is. Checks the whole tree. */
export const postgresRefusal = (tree: SqlTree): string | null => {
  const [root] = tree.statements as readonly [TreeNode]
  const tag = Object.keys(root)[0] ?? ''
  if (tag !== 'SelectStmt') return `it is no query but ${describeNode(tag, tree.tokens[0]?.text ?? '')}`
  return postgresNodeRefusal(root)
}

const postgresNodeRefusal = (value: TreeValue | undefined): string | null => {
  if (Array.isArray(value)) return firstPostgresRefusal(value as readonly TreeValue[])
  if (!isNode(value)) return null
  if (isNode(value.intoClause)) return 'it writes its rows into a table (SELECT ... INTO)'
  if (listOf(value.lockingClause).length > 0) return 'it locks rows (FOR UPDATE or FOR SHARE)'
  for (const [key, child] of Object.entries(value)) {
    // Tags begin with a capital, parts of a node do not.
    if (/^[A-Z]/.test(key)) {
      if (!allowedPostgresTags.has(key)) return `it has ${describeNode(key, key)} in it`
      const odd = isNode(child) ? checks[key]?.(child) : null
      if (odd) return odd
    }
    const odd = (key === 'typeName' && isNode(child) ? checkType(child) : null) ?? postgresNodeRefusal(child)
    if (odd !== null) return odd
  }
  return null
}

const firstPostgresRefusal = (values: readonly TreeValue[]): string | null => {
  for (const value of values) {
    const refusal = postgresNodeRefusal(value)
    if (refusal !== null) return refusal
  }
  return null
}

const postgresTag = (node: TreeValue): string => Object.keys(nodeOf(node) ?? {})[0] ?? ''

const namesOf = (list: TreeValue | undefined): readonly string[] =>
  listOf(list).map(part => textOf(nodeOf(nodeOf(part)?.String)?.sval) ?? '')

/** Casting to these, or to lists of them (`_regclass`), looks names up in the catalog, reads the server's state, or parses XML. */
const closedType = /^_*(?:reg[a-z]+|pg_\w+|xml|aclitem|refcursor)$/

const checkType = (node: TreeNode): string | null => {
  const names = namesOf(node.names)
  const name = names.at(-1) ?? ''
  const schema = names.length > 1 ? names.at(-2) : null
  const system =
    schema !== null && schema !== 'pg_catalog' && /^(?:pg_|information_schema$)/.test(schema ?? '')
  return system || closedType.test(name)
    ? `it casts to ${names.join('.')}, which reaches into the catalog`
    : checkTypeSize(name, node)
}

/** The grammar accepts any expression in the brackets of a type, even a query; servers accept words and numbers. */
const checkTypeSize = (name: string, node: TreeNode): string | null => {
  const isPlain = (part: TreeValue): boolean => /^(?:A_Const|ColumnRef)$/.test(postgresTag(part))
  return listOf(node.typmods).every(isPlain)
    ? null
    : `it has more than plain words and numbers in the brackets of ${name}`
}

/** In the tree an operator's name has its own key in each place: in expressions, before ANY, and in ORDER BY. */
const checkOperator = (node: TreeNode): string | null => {
  const names = namesOf(node.name ?? node.operName ?? node.useOp)
  const foreign = names.length > 1 && names[0] !== 'pg_catalog'
  return foreign ? `it uses the operator ${names.join('.')} of another schema` : null
}

/** The percentage and the seed can be queries, and the server's error message would show what they read. */
const checkSample = (node: TreeNode): string | null => {
  const method = namesOf(node.method).join('.')
  if (!/^(?:bernoulli|system)$/.test(method)) return `it samples with ${method}, which is not allowed`
  const numbers = [...listOf(node.args), ...(node.repeatable === undefined ? [] : [node.repeatable])]
  return numbers.every(number => postgresTag(number) === 'A_Const')
    ? null
    : 'it samples with something that is not a plain number'
}

const names = (...lines: readonly string[]): readonly string[] =>
  lines.flatMap(line => line.trim().split(/\s+/))

const checks: Readonly<Record<string, (node: TreeNode) => string | null>> = {
  TypeName: checkType,
  A_Expr: checkOperator,
  SubLink: checkOperator,
  SortBy: checkOperator,
  RangeTableSample: checkSample,
}

/**
 * Every kind of Postgres node that may occur in a query. The rest of Postgres's some 270 kinds are statements that
 * write, define, lock or command, XML, and placeholders.
 */
const allowedPostgresTags: ReadonlySet<string> = new Set(
  `SelectStmt ResTarget ColumnRef String Integer Float Boolean BitString A_Star A_Const A_Expr A_Indices
   A_Indirection A_ArrayExpr BoolExpr NullTest BooleanTest CaseExpr CaseWhen CoalesceExpr MinMaxExpr SubLink FuncCall
   NamedArgExpr TypeCast TypeName CollateClause RowExpr List RangeVar RangeSubselect RangeFunction RangeTableSample
   JoinExpr SortBy WindowDef GroupingSet GroupingFunc SQLValueFunction CommonTableExpr Alias ColumnDef
   JsonObjectConstructor JsonArrayConstructor JsonArrayQueryConstructor JsonKeyValue JsonValueExpr JsonFuncExpr
   JsonIsPredicate JsonObjectAgg JsonArrayAgg JsonParseExpr JsonScalarExpr JsonSerializeExpr JsonTable
   JsonTableColumn JsonTablePathSpec JsonArgument JsonOutput JsonBehavior`.split(/\s+/),
)

/** What in a polyglot tree is not part of a plain query; null if everything is. Checks the whole tree. */
export const polyglotRefusal = (tree: SqlTree): string | null => {
  const [root] = tree.statements as readonly [TreeNode]
  const kind = Object.keys(root)[0] ?? ''
  if (!allowedRootKinds.has(kind))
    return `it is no query but ${describeNode(kind, tree.tokens[0]?.text ?? '')}`
  return polyglotNodeRefusal(root)
}

const polyglotNodeRefusal = (value: TreeValue | undefined): string | null => {
  if (Array.isArray(value)) return firstPolyglotRefusal(value as readonly TreeValue[])
  if (!isNode(value)) return null
  const entries = Object.entries(value)
  const [kind, body] = entries[0] ?? []
  // polyglot writes a node as an object whose only key is its kind; everything else has several keys.
  if (entries.length === 1 && kind !== undefined && typeof body === 'object' && !Array.isArray(body)) {
    if (!allowedPolyglotKinds.has(kind) && !plainStructures.has(kind))
      return `it has ${describeNode(kind, kind)} in it`
    const odd = isNode(body) ? (unexpectedPart(kind, body) ?? unexpectedSource(kind, body)) : null
    if (odd !== null) return odd
  }
  return firstPolyglotRefusal(entries.map(([, child]) => child))
}

const firstPolyglotRefusal = (values: readonly (TreeValue | undefined)[]): string | null => {
  for (const value of values) {
    const refusal = polyglotNodeRefusal(value)
    if (refusal !== null) return refusal
  }
  return null
}

const unexpectedPart = (kind: string, body: TreeNode): string | null => {
  const allowed = kind === 'select' ? allowedSelectParts : kind === 'table' ? allowedTableParts : null
  const odd =
    allowed === null
      ? undefined
      : Object.keys(body).find(key => !allowed.has(key) && isFilled(body[key]) && !isHarmless(key, body[key]))
  if (odd === undefined) return null
  return partNouns[odd] ?? `it has ${odd.replaceAll('_', ' ').toUpperCase()}, which is not allowed`
}

/** `SELECT STRAIGHT_JOIN`: only the order of work and what is cached change. */
const isHarmless = (key: string, value: TreeValue | undefined): boolean =>
  key === 'operation_modifiers' &&
  listOf(value).every(word => harmlessModifiers.has(String(word).toUpperCase()))

const harmlessModifiers: ReadonlySet<string> = new Set(
  names('STRAIGHT_JOIN HIGH_PRIORITY SQL_SMALL_RESULT SQL_BIG_RESULT SQL_CACHE SQL_NO_CACHE'),
)

/** polyglot accepts any expression in FROM; servers read anything but a table, query or call differently. */
const unexpectedSource = (kind: string, body: TreeNode): string | null => {
  const sources = [
    ...listOf(nodeOf(body.from)?.expressions),
    ...listOf(body.joins).map(join => nodeOf(join)?.this),
  ]
  const inside = kind === 'subquery' ? [body.this] : []
  const isOdd = (source: TreeValue | undefined, kinds: ReadonlySet<string>): boolean => {
    const kind = polyglotKind(unaliased(source))
    // A node that is allowed nowhere is better named by its own kind.
    return allowedPolyglotKinds.has(kind) && !kinds.has(kind)
  }
  const odd =
    sources.some(source => isOdd(source, sourceKinds)) || inside.some(source => isOdd(source, bracketKinds))
  return odd ? 'it reads from something that is neither a table nor a query' : null
}

const unaliased = (source: TreeValue | undefined): TreeValue | undefined =>
  nodeOf(nodeOf(source)?.alias)?.this ?? source

const polyglotKind = (value: TreeValue | undefined): string => Object.keys(nodeOf(value) ?? {})[0] ?? ''

const isFilled = (value: TreeValue | undefined): boolean =>
  value !== null && value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)

const partNouns: Readonly<Record<string, string>> = {
  into: 'it writes its rows somewhere (INTO)',
  locks: 'it locks rows (FOR UPDATE or FOR SHARE)',
  hint: 'it has an optimizer hint',
  operation_modifiers: 'it has a modifier after SELECT that changes how the server works',
  when: 'it reads an older version of a table',
}

/** Kinds of polyglot nodes that a statement may begin with. */
const allowedRootKinds: ReadonlySet<string> = new Set(names('select union intersect except values subquery'))

/**
 * Every kind of polyglot node that may occur in a query. polyglot has about 900. Kinds that write, define, lock, load or
 * command are left out, and so are all that were not reviewed. Some functions have kinds of their own, so they are
 * listed too; which of them can be called is decided by the tokens.
 */
const allowedPolyglotKinds: ReadonlySet<string> = new Set(
  names(
    // queries and their clauses
    `select union intersect except values subquery with cte from where group_by having order_by ordered limit offset
     fetch qualify join joined_table table alias aliases table_alias paren annotated tuple cube rollup grouping_sets
     lateral lateral_view unnest pivot unpivot pivot_any table_sample window window_function over within_group
     index_table_hint`,
    // names and values
    `column star identifier literal boolean null interval interval_span time_unit var data_type introducer
     hex_string_expr byte_string unicode_string array array_func struct struct_func map map_func comprehension`,
    // operators
    `and or not add sub mul div int_div mod neg eq neq lt lte gt gte like i_like glob match similar_to regexp_like
     regexp_i_like is is_null is_true is_false null_safe_eq null_safe_neq in between exists any all case if_func
     concat d_pipe adjacent bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift bitwise_right_shift
     xor collation cast try_cast safe_cast at_time_zone subscript array_slice slice dot method_call lambda named_argument
     overlaps filter member_of array_contains_all array_contained_by array_overlaps json_extract
     json_extract_scalar scope_resolution`,
    // functions
    `function aggregate_function count sum avg min max stddev stddev_pop stddev_samp variance var_pop var_samp
     any_value row_number rank dense_rank percent_rank cume_dist n_tile lag lead first_value last_value nth_value
     coalesce null_if nullif if_null nvl nvl2 greatest least abs ceil floor round trunc_func power sqrt cbrt exp ln log
     mod_func sign pi degrees radians sin cos tan asin acos atan atan2 rand random lower upper length trim l_trim
     r_trim substring replace position str_position left right lpad rpad reverse initcap ascii chr char_func
     concat_ws split split_part substring_index contains starts_with ends_with levenshtein soundex regexp_replace
     regexp_extract repeat space group_concat string_agg list_agg array_agg median mode first last logical_and logical_or
     count_if sum_if bitwise_and_agg bitwise_or_agg bitwise_xor_agg approx_distinct approx_count_distinct
     approx_quantile quantile percentile percentile_cont percentile_disc corr covar_pop covar_samp arg_max arg_min
     combined_agg_func typeof convert convert_to_charset cast_to_str_type grouping match_against columns`,
    `extract year month day hour minute second quarter week day_of_month day_of_week day_of_week_iso day_of_year
     week_of_year last_day date time timestamp datetime date_add date_sub date_diff date_trunc date_bin
     timestamp_trunc timestamp_add timestamp_sub timestamp_diff datetime_add datetime_sub datetime_diff
     datetime_trunc to_date to_timestamp to_char date_format format_date str_to_date str_to_time time_to_str
     make_date make_timestamp epoch epoch_ms from_unixtime unix_timestamp add_months months_between dayname
     monthname current_date current_time current_timestamp localtime localtimestamp utc_time utc_timestamp to_number`,
    `json_type json_object json_array_length json_keys json_value json_query to_json parse_json j_s_o_n
     j_s_o_n_array j_s_o_n_array_agg j_s_o_n_object_agg j_s_o_n_key_value j_s_o_n_table j_s_o_n_schema
     j_s_o_n_column_def j_s_o_n_path j_s_o_n_path_root j_s_o_n_path_key j_s_o_n_extract`,
    `array_length array_size array_append array_prepend array_contains array_distinct array_intersect
     array_position array_reverse array_concat array_sort array_to_string array_join cardinality element_at
     map_from_entries map_keys map_values safe_divide`,
  ),
)

/** Kinds allowed in FROM or after JOIN. */
const sourceKinds: ReadonlySet<string> = new Set(
  names(
    'table subquery joined_table paren values function unnest lateral pivot unpivot table_sample j_s_o_n_table column literal',
  ),
)

/** Kinds allowed in brackets in place of a query: a query, or a table. */
const bracketKinds: ReadonlySet<string> = new Set(
  names('select union intersect except values subquery table joined_table paren literal column'),
)

/** Parts of a SELECT that may be filled. INTO, locks, hints, settings and output formats are not here. */
const allowedSelectParts: ReadonlySet<string> = new Set(
  names(
    `expressions from joins lateral_views where_clause group_by having qualify order_by limit offset fetch distinct
     distinct_on top with sample windows leading_comments post_select_comments qualify_after_window limit_by kind`,
  ),
)

/** Parts of a table reference that may be filled. Time travel and names made by functions are not here. */
const allowedTableParts: ReadonlySet<string> = new Set(
  names(
    'name schema catalog alias alias_explicit_as column_aliases leading_comments trailing_comments hints partitions table_sample only span',
  ),
)

/** Objects with a single key that are not nodes. */
const plainStructures: ReadonlySet<string> = new Set(
  names('this expressions args num_buckets Preceding Following Value'),
)

/**
 * A node's name in words known from SQL: `InsertStmt`, `insert` and `create_table` become `an INSERT` and `a CREATE
 * TABLE`. `written` is used if the parser's name says nothing.
 */
export const describeNode = (name: string, written: string): string => {
  const words = nodeNouns[name] ?? (unnamedNodes.has(name) ? written.toUpperCase() : splitCamelCase(name))
  return `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`
}

const splitCamelCase = (name: string): string =>
  name
    .replace(/(?:Stmt|_statement|_stmt)$/, '')
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .replaceAll('_', ' ')
    .toUpperCase()

/** Kinds that polyglot uses for everything it has no kind for. */
const unnamedNodes = new Set(['command', 'raw', 'column', 'alias', 'function', 'describe', 'annotated'])

const nodeNouns: Readonly<Record<string, string>> = {
  ClosePortalStmt: 'CLOSE',
  CreateStmt: 'CREATE TABLE',
  CreatedbStmt: 'CREATE DATABASE',
  CreateTableAsStmt: 'CREATE TABLE AS',
  DeclareCursorStmt: 'DECLARE CURSOR',
  DropdbStmt: 'DROP DATABASE',
  IndexStmt: 'CREATE INDEX',
  ParamRef: 'placeholder ($1)',
  RangeTableFunc: 'XMLTABLE',
  RuleStmt: 'CREATE RULE',
  TransactionStmt: 'transaction command',
  VariableSetStmt: 'SET',
  VariableShowStmt: 'SHOW',
  ViewStmt: 'CREATE VIEW',
  XmlExpr: 'XML expression',
  XmlSerialize: 'XML expression',
  next_value_for: 'NEXT VALUE FOR (a sequence)',
  parameter: 'placeholder or variable',
  placeholder: 'placeholder',
  property_e_q: 'assignment (:=)',
  session_parameter: 'server variable',
}
