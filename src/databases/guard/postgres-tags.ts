/**
 * Every kind of Postgres node that may occur in a query. The rest of Postgres's some 270 kinds are statements that
 * write, define, lock or command, XML, and placeholders.
 */
export const allowedPostgresTags: ReadonlySet<string> = new Set(
  `SelectStmt ResTarget ColumnRef String Integer Float Boolean BitString A_Star A_Const A_Expr A_Indices
   A_Indirection A_ArrayExpr BoolExpr NullTest BooleanTest CaseExpr CaseWhen CoalesceExpr MinMaxExpr SubLink FuncCall
   NamedArgExpr TypeCast TypeName CollateClause RowExpr List RangeVar RangeSubselect RangeFunction RangeTableSample
   JoinExpr SortBy WindowDef GroupingSet GroupingFunc SQLValueFunction CommonTableExpr Alias ColumnDef
   JsonObjectConstructor JsonArrayConstructor JsonArrayQueryConstructor JsonKeyValue JsonValueExpr JsonFuncExpr
   JsonIsPredicate JsonObjectAgg JsonArrayAgg JsonParseExpr JsonScalarExpr JsonSerializeExpr JsonTable
   JsonTableColumn JsonTablePathSpec JsonArgument JsonOutput JsonBehavior`.split(/\s+/),
)
