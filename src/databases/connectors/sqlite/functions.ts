import { commonFunctions, functionNames } from '../standard-sql.ts'

/**
 * Built-in functions of SQLite 3.53 that read nothing but their arguments (lang_corefunc, lang_datefunc,
 * lang_aggfunc, lang_mathfunc, json1, windowfunctions). Left out on purpose: `randomblob`, `load_extension`, `readfile`,
 * `writefile`, `edit`, `fts3_tokenizer`, everything that begins with `sqlite_`, and the counters of the
 * connection. `zeroblob` has to be told how much.
 */
export const sqliteFunctions: ReadonlySet<string> = new Set([
  ...commonFunctions,
  ...functionNames(
    `group_concat string_agg total median percentile percentile_cont percentile_disc`,
    `char format glob hex if ifnull iif instr like likelihood likely match printf quote random regexp soundex typeof
     unhex unicode unistr unistr_quote unlikely`,
    `date datetime julianday strftime time timediff unixepoch`,
    `acosh asinh atanh cosh sinh tanh`,
    `json json_array json_array_length json_each json_error_position json_extract json_group_array
     json_group_object json_insert json_object json_patch json_pretty json_quote json_remove json_replace json_set
     json_tree json_type json_valid jsonb jsonb_array jsonb_extract jsonb_group_array jsonb_group_object
     jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set json_array_insert jsonb_array_insert
     generate_series zeroblob subtype`,
    // FTS5
    `bm25 highlight snippet`,
  ),
])

const jsonColumns = 'key value type atom id parent fullkey path'.split(' ')

/** The columns of functions in FROM, without those that `*` leaves out. */
export const functionColumns: ReadonlyMap<string, readonly string[]> = new Map([
  ['json_each', jsonColumns],
  ['json_tree', jsonColumns],
  ['generate_series', ['value']],
])
