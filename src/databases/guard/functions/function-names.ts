/** Names as they are written in a list, several lines of several names, as a set. */
export const functionNames = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap(line => line.trim().split(/\s+/)))
