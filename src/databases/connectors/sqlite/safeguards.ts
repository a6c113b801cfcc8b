import { constants } from 'node:sqlite'

/** Functions that reach outside the database, or turn a small number into a large value. */
const blockedFunctions: ReadonlySet<string> = new Set([
  'load_extension',
  'readfile',
  'writefile',
  'edit',
  'fsdir',
  'zeroblob',
  'randomblob',
  'fts3_tokenizer',
  'fts5',
  'sqlite_compileoption_get',
  'sqlite_compileoption_used',
  'sqlite_source_id',
  'sqlite_version',
])

/** Full-text tables read these when they are first used. As a statement they return only a number. */
const harmlessPragmas: ReadonlySet<string> = new Set(['data_version', 'page_size'])

/** Tables about the file rather than its data. Names of columns and tables come from the catalog. */
const isInternalTable = (name: string): boolean =>
  /^(sqlite_|pragma_|dbstat$|bytecode$|tables_used$|fsdir$)/i.test(name)

const isAllowed = (action: number, first: string | null, second: string | null): boolean => {
  switch (action) {
    case constants.SQLITE_SELECT:
    case constants.SQLITE_RECURSIVE:
      return true
    case constants.SQLITE_READ:
      return first === null || !isInternalTable(first)
    case constants.SQLITE_FUNCTION:
      return second === null || !blockedFunctions.has(second.toLowerCase())
    case constants.SQLITE_PRAGMA:
      return first !== null && second === null && harmlessPragmas.has(first.toLowerCase())
    default:
      return false
  }
}

/**
 * SQLite's authorizer, called for each thing that a statement would do while it is prepared. Reading, calling
 * functions and recursing are allowed; everything else (writes, schema changes, ATTACH, transactions, PRAGMA) is
 * denied, whatever the guard said.
 */
export const authorize = (action: number, first: string | null, second: string | null): number =>
  isAllowed(action, first, second) ? constants.SQLITE_OK : constants.SQLITE_DENY

/** White space, comments and semicolons: all that can follow a statement. */
const blankOrComment = /^(?:\s|;|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*$/

/**
 * True if another statement follows the first. SQLite prepares the first and does not report the rest; `prepared`
 * is the text that it read (`StatementSync.sourceSQL`).
 */
export const hasSecondStatement = (sql: string, prepared: string): boolean =>
  !blankOrComment.test(sql.slice(prepared.length))
