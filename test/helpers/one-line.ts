/** A statement on one line, however it is laid out. */
export const oneLine = (sql: string): string =>
  sql
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('( ', '(')
    .replaceAll(' )', ')')
