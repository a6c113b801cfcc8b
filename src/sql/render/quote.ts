import type { Table } from '../../domain/catalog.ts'
import type { Dialect } from '../../domain/sql.ts'
import { databaseDialect } from '../dialects.ts'

/** A name as the dialect needs it written: bare where that is safe, else quoted with its own quotes doubled. */
export const quoteIdentifier = (name: string, dialect: Dialect): string => {
  const { bare, quote } = databaseDialect(dialect).names
  return bare.test(name) && !reservedWords.has(name.toLowerCase()) ? name : quote(name)
}

/** A schema as the dialect needs it written, with its catalog in front where it has one. */
export const quoteSchema = (schema: string, dialect: Dialect): string =>
  databaseDialect(dialect).names.hasCatalogs
    ? schema
        .split('.')
        .map(part => quoteIdentifier(part, dialect))
        .join('.')
    : quoteIdentifier(schema, dialect)

/** A table's name with its schema, and its catalog where it has one: no query of WITH can be meant by it. */
export const fullName = (table: Table, dialect: Dialect): string => {
  const { names } = databaseDialect(dialect)
  const schema = table.schema ?? table.home ?? names.defaultSchema
  const name = names.quote(table.name)
  return schema === '' ? name : `${quoteSchema(schema, dialect)}.${name}`
}

/**
 * Words that cannot stand as a bare column, table or alias in at least one of our dialects: the reserved key words of
 * PostgreSQL 18 (appendix C), MySQL 8.4 (section 11.3), MariaDB 11, DuckDB 1.5 (duckdb_keywords) and SQLite (lang_keywords) that a person may choose as a name.
 */
const reservedWords: ReadonlySet<string> = new Set(
  `abort accessible action add after all alter always analyse analyze and anti any array as asc asensitive asof
  asymmetric at attach authorization autoincrement before begin between bigint binary blob both by call
  cascade case cast change char character check collate collation column columns commit concurrently condition
  conflict constraint continue convert create cross cube cume_dist current current_catalog current_date
  current_role current_schema current_time current_timestamp current_user cursor database databases day_hour
  day_minute day_second dec decimal declare default deferrable deferred delayed delete dense_rank desc
  describe detach deterministic distinct distinctrow div do do_domain_ids double drop dual each else elseif
  empty enclosed end escape escaped except exclude exclusive exists exit explain fail false fetch filter first
  first_value float float4 float8 following for force foreign freeze from full fulltext function generated get
  glob grant group grouping groups having high_priority hour_microsecond hour_minute hour_second if ignore
  ignore_domain_ids ilike immediate in index indexed infile initially inner inout insensitive insert instead
  int int1 int2 int3 int4 int8 integer intersect interval into io_after_gtids is isnull iterate join
  json_table key keys kill lag lambda last last_value lateral lead leading leave left like limit linear lines
  load localtime localtimestamp lock long longblob longtext loop low_priority manual match materialized
  mediumint mediumtext middleint minute_second mod modifies natural no not nothing notnull nth_value ntile
  null nulls numeric of off offset on only optimize option optionally or order others out outer outfile over
  overlaps page_checksum parallel parse_vcol_expr partition percent_rank pivot pivot_longer pivot_wider
  placing plan positional pragma preceding precision primary procedure purge qualify query raise range rank
  read reads real recursive ref_system_id references regexp reindex release rename repeat replace require
  resignal restrict return returning revoke right rlike rollback row row_number rownum rows savepoint schema
  schemas select semi sensitive separator session_user set show signal similar slow smallint some spatial
  specific sql sql_big_result sql_small_result sqlexception sqlstate sqlwarning ssl starting stats_auto_recalc
  stats_persistent stats_sample_pages stored straight_join summarize symmetric system system_user table
  tablesample temp temporary terminated then ties tinyblob tinyint to trailing transaction trigger true
  unbounded undo union unique unlock unpack unpivot unsigned update usage use user using utc_date utc_time
  utc_timestamp vacuum values varbinary varchar varcharacter variadic varying verbose view virtual when where
  while window with within without write xor year_month zerofill`.split(/\s+/),
)

/**
 * A constant as the dialect writes it. MySQL reads backslashes in plain strings as escapes, so they are doubled there;
 * the other dialects take them as they are. NUL cannot stand in a text of any of them and is dropped. Numbers that
 * SQL cannot write (NaN, infinities) become NULL.
 */
export const quoteLiteral = (value: string | number | bigint | boolean | null, dialect: Dialect): string => {
  if (value === null) return 'NULL'
  switch (typeof value) {
    case 'bigint':
      return value.toString()
    case 'number':
      return Number.isFinite(value) ? String(value) : 'NULL'
    case 'boolean':
      return databaseDialect(dialect).rendering.booleans[value ? 'true' : 'false']
    case 'string':
      return databaseDialect(dialect).rendering.quoteText(value)
  }
}
