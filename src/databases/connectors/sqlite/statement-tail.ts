/** White space, comments and semicolons: all that may stand behind a statement. */
const blankOrComment = /^(?:\s|;|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*$/

/**
 * True when there is a second statement behind the first. SQLite prepares the first and says nothing of the rest;
 * `prepared` is the text that it did read (`StatementSync.sourceSQL`).
 */
export const hasSecondStatement = (sql: string, prepared: string): boolean =>
  !blankOrComment.test(sql.slice(prepared.length))
