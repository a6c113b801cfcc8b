import type { SuiteStatement } from './suite-statements.ts'

/**
 * Why the refusal of a query is right, in words; null if the query is harmless. The list is short on purpose: what is
 * not on it counts against the guard.
 */
export const rightReason = (
  { sql, isSyntaxError }: SuiteStatement,
  refusal: string,
  {
    dialect,
    created,
    own,
  }: {
    readonly dialect: string
    readonly created: ReadonlySet<string>
    /** The functions that the server has; null if it was not asked. */
    readonly own: ReadonlySet<string> | null
  },
): string | null => {
  if (isSyntaxError) return 'a syntax error, says the suite'
  const called = /^it calls (?:.*\.)?(\S+?),? /.exec(refusal)?.[1]?.toLowerCase()
  if (called !== undefined && created.has(called)) return 'calls what the suite creates'
  if (called !== undefined && /is not on the list/.test(refusal) && own !== null && !own.has(called))
    return 'calls what our version of the server does not have'
  if (called !== undefined && /^it calls \S+, which is not/.test(refusal) && unsafeFunctions.test(called))
    return 'calls a function of files, network, catalog, settings, locks or sequences'
  // libpg-query is the grammar of the server.
  if (dialect === 'postgres' && refusal.startsWith('it could not be read')) return 'a syntax error'
  for (const [pattern, reason] of refusals) if (pattern.test(refusal)) return reason
  for (const [pattern, reason] of texts) if (pattern.test(sql)) return reason
  return null
}

/** Refusals that say by themselves that the query is none. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/^it (?:writes|has an? (?:INSERT|UPDATE|DELETE|MERGE|CREATE|DROP|CALL)\b)/, 'writes'],
  [/^it locks/, 'locks rows'],
  [/a system table$|belongs to the system$/, 'reads a system table'],
  [/^it has a (?:DESCRIBE|SHOW|DESC|SUMMARIZE|PRAGMA)\b/, 'reads the catalog'],
  [/^it is no query but/, 'no query'],
  [/^it reads the file /, 'reads a file'],
  [/^it casts to .*reaches into the catalog$/, 'reads the catalog'],
  [/statements; only one/, 'several statements'],
  [/^it is empty|is longer than/, 'empty or too long'],
  [
    /^it names .*(?:placeholder|variable)|server variable|assignment|placeholder/,
    'a placeholder or variable',
  ],
  [/a comment that a server may execute|executable comment|optimizer hint/, 'a comment that is executed'],
  [/character that (?:does not belong|is no text)/, 'a character that nobody sees'],
  [/XML/, 'XML'],
  [/^it nests too deep/, 'nests too deep'],
]

/** What a query does by its text, whatever the refusal says. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/\binto\s+(?:outfile|dumpfile|@|temp|table|unlogged)|\bselect\b[^;()]*\binto\s+\w/i, 'writes'],
  [/\b(?:insert\s+into|update\s+\S+\s+set|delete\s+from|merge\s+into)\b/i, 'writes'],
  [/\bfor\s+(?:no\s+key\s+|key\s+)?(?:update|share)\b|\block\s+in\s+share\b/i, 'locks rows'],
  [/\bnext(?:val)?\s+(?:value\s+for\b|\()|\bprocedure\s+analyse\b|\bhandler\b/i, 'writes'],
  [/\bexport_state\b/i, 'state of an aggregate'],
  [/[\u200b-\u200f\u2060\ufeff]/, 'a character that nobody sees'],
  [/@@?\w|\bsql_(?:no_)?cache\b|\bsql_calc_found_rows\b|\bsql_buffer_result\b/i, 'settings of the session'],
  [/\b(?:for\s+system_time|as\s+of\s+timestamp|at\s*\(\s*(?:version|timestamp))\b/i, 'reads old versions'],
  [/\b(?:information_schema|performance_schema|mysql|pg_catalog|sys)\s*\.\s*\w/i, 'reads a system table'],
]

const unsafeFunctions =
  /^(?:pg_\w+|_?pg_\w+|has_\w+|to_reg\w+|lo_\w+|loread|lowrite|reg(?:role|namespace|oper|operator|proc|procedure|class|type|collation|config|dictionary)|\w*_?(?:set_config|current_setting|nextval|currval|setval|lastval)|txid_\w+|query\w*_to_xml\w*|table_to_xml\w*|schema_to_xml\w*|database_to_xml\w*|cursor_to_xml\w*|xml\w*|xpath\w*|dblink\w*|ts_stat|ts_rewrite|ts_debug|ts_parse|ts_token_type|ts_lexize|get_current_ts_config|inet_(?:client|server)_\w+|current_(?:user|role|schema|schemas|catalog|database|query)|session_user|system_user|user|version|obj_description|col_description|shobj_description|format_type|row_security_active|ginarray\w*|binary_upgrade\w*|brin_\w+|gin_\w+|amvalidate|\w+_(?:in|out|recv|send)|(?:array|box|text|date|int\d|float\d|numeric|bool|bpchar|name|oid)(?:in|out|recv|send)|sleep|benchmark|get_lock|release_\w*lock\w*|is_(?:free|used)_lock|load_file|extractvalue|updatexml|found_rows|row_count|last_insert_id|lastval|connection_id|database|schema|charset|collation|coercibility|\w*_pos_wait|wait_\w+|wsrep_\w+|gtid_\w+|ps_\w+|sys_\w+|name_const|default|encrypt|des_\w+|aes_\w+|password|old_password|uuid_short|load_extension|readfile|writefile|sqlite_\w+|changes|total_changes|last_insert_rowid|zipfile\w*|fsdir|edit|fts\w*|read_\w+|\w+_scan|glob|query|query_table|getenv|getvariable|setseed|duckdb_\w+|pragma_\w+|in_search_path|current_setting|write_log|parse_\w*path|parse_(?:filename|dirname)|sniff_csv|which_secret|repeat_row|test_all_types|json_execute_serialized_sql|json_(?:de)?serialize\w*|checkpoint|force_checkpoint|sql_auto_complete|stats|txid_current|error|seq_scan|parquet_\w+|st_read\w*|crosstab\w*|nextval|currval|icu_\w+|enable_\w+|disable_\w+|vector_type|add_parquet_key|arrow_\w+|finalize|combine|summary|from_substrait|get_substrait\w*|vacuum\w*|truncate_duckdb_logs|storage_info|table_info|show|import_database|file_\w+|url_\w*get)$/
