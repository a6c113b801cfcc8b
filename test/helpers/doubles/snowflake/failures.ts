/** A failure as the SQL API answers with it. */
export interface Failure {
  readonly code: string
  readonly sqlState: string
  readonly message: string
}

const compilation = (code: string, sqlState: string, message: string): Failure => ({
  code,
  sqlState,
  message: `SQL compilation error:\n${message}`,
})

/** DuckDB's errors with the codes and words that Snowflake has for the same. */
const known: readonly (readonly [RegExp, (part: string) => Failure])[] = [
  [/Parser Error|syntax error/i, () => compilation('001003', '42000', 'syntax error line 1 at position 0.')],
  [
    /ORDER term out of range|ORDER BY.*out of range/i,
    () => compilation('002040', '42601', 'Order by position is out of range.'),
  ],
  [
    /(?:Scalar|Table|Aggregate)? ?Function with name (\S+) does not exist/i,
    part => compilation('002139', '42601', `Unknown function ${part.toUpperCase()}`),
  ],
  [
    /(?:Table|Schema|Catalog).*?"?([\w.]+)"? does not exist|Catalog "(\w+)" does not exist/i,
    part => compilation('002003', '42S02', `Object '${part}' does not exist or not authorized.`),
  ],
  [
    /Ambiguous reference to column name "(\w+)"/i,
    part => compilation('002028', '42601', `ambiguous column name '${part}'`),
  ],
  [
    /(?:Referenced column|Values list|Table) "([^"]+)" (?:not found|does not have a column)/i,
    part => compilation('000904', '42000', `error line 1 at position 7\ninvalid identifier '${part}'`),
  ],
  [
    /No function matches the given name and argument types '(\w+)\([^']*'/i,
    part => compilation('000939', '22023', `too many arguments for function [${part}]`),
  ],
  [
    /must appear in the GROUP BY clause/i,
    () => compilation('000979', '42601', '[PORTS.NAME] is not a valid group by expression'),
  ],
  [
    /aggregate function calls cannot be nested/i,
    () => compilation('001104', '42601', 'Aggregate functions cannot be nested.'),
  ],
  [
    /Set operations can only apply to expressions with the same number/i,
    () => compilation('001789', '42601', 'invalid number of result columns for set operator input branches'),
  ],
  [
    /Conversion Error: .*?(?:date|timestamp) field (?:value|format)/i,
    () => ({ code: '100040', sqlState: '22007', message: "Date 'x' is not recognized" }),
  ],
  [
    /Conversion Error: Could not convert string '?"?(.*?)"?'? to/i,
    part => ({ code: '100038', sqlState: '22018', message: `Numeric value '${part}' is not recognized` }),
  ],
  [/division by zero/i, () => ({ code: '100051', sqlState: '22012', message: 'Division by zero' })],
]

/** A failure of DuckDB as Snowflake's. One that nobody thought of stays as it is, and its test fails. */
export const failureOf = (message: string): Failure => {
  for (const [pattern, make] of known) {
    const found = pattern.exec(message)
    if (found) return make(found[1] ?? found[2] ?? '')
  }
  return { code: 'DOUBLE', sqlState: 'XX000', message: `The double does not know this error: ${message}` }
}
