/**
 * How a query may begin, behind white space, comments and parentheses. Executable comments are not passed over: what
 * stands in them is run.
 */
const beginning =
  /^(?:\s|\(|#[^\n]*\n|--\s[^\n]*\n|\/\*(?!!|M!)[\s\S]*?\*\/)*(?:select|with|values|table|explain)\b/i

/**
 * True for a statement that is a query by its first word. A read-only transaction does not stop ANALYZE, OPTIMIZE and
 * CHECK TABLE, which give rows, nor SET STATEMENT, which takes our time limit away.
 */
export const startsWithQueryKeyword = (sql: string): boolean => beginning.test(sql)
