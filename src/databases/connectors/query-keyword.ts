/** How a query can begin, after white space, comments and parentheses. */
const beginning = /^(?:\s|\(|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*(?:select|with|values|table)\b/i

/**
 * True if the first word makes a statement a query. A read-only transaction stops writes, but not statements that set,
 * call or show.
 */
export const startsAsQuery = (sql: string): boolean => beginning.test(sql)
