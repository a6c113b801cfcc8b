/** An error in the shape of the REST API. */
export class ServiceError extends Error {
  readonly status: number
  readonly reason: string

  constructor(status: number, reason: string, message: string) {
    super(message)
    this.status = status
    this.reason = reason
  }
}

/** Fails on a name that is not known. */
export const only = (what: string, given: Iterable<string>, known: readonly string[]): void => {
  for (const name of given)
    if (!known.includes(name)) throw new ServiceError(400, 'invalid', `The double knows no ${what} ${name}.`)
}

const rules: readonly (readonly [RegExp, (found: RegExpExecArray) => ServiceError])[] = [
  [
    /Table with name (\S+) does not exist|schema "(\w+)" does not exist/i,
    ([, table, dataset]) =>
      new ServiceError(
        404,
        'notFound',
        table
          ? `Not found: Table querent-test:harbor.${table} was not found in location EU`
          : `Not found: Dataset querent-test:${dataset} was not found in location EU`,
      ),
  ],
  [
    /Referenced column "([^"]+)" (?:not found|was not found)|does not have a column named "([^"]+)"/i,
    ([, a, b]) => invalid(`Unrecognized name: ${a ?? b} at [1:8]`),
  ],
  [
    /Ambiguous reference to column name "(\w+)"/i,
    ([, name]) => invalid(`Column name ${name} is ambiguous at [1:8]`),
  ],
  [/Function with name (\w+) does not exist/i, ([, name]) => invalid(`Function not found: ${name} at [1:8]`)],
  [
    /No function matches[^']*'(\w+)\(/i,
    ([, name]) => invalid(`No matching signature for function ${name?.toUpperCase()} at [1:8]`),
  ],
  [
    /must appear in the GROUP BY clause/i,
    () =>
      invalid(
        'SELECT list expression references column name which is neither grouped nor aggregated at [1:8]',
      ),
  ],
  [
    /aggregate function calls cannot be nested/i,
    () => invalid('Aggregations of aggregations are not allowed at [1:12]'),
  ],
  [
    /Could not convert string '([^']*)' to (\w+)/i,
    ([, value, type]) => invalid(`Bad ${type?.toLowerCase()} value: ${value}`),
  ],
  [/invalid date field format: "([^"]*)"/i, ([, value]) => invalid(`Invalid date: '${value}'`)],
  [
    /same number of result columns/i,
    () =>
      invalid(
        'Queries in UNION ALL have mismatched column count; query 1 has 1 column, query 2 has 2 columns at [1:8]',
      ),
  ],
  [
    /Parser Error: ([^\n]*)|^Failed to extract statements/i,
    ([, words = 'Unexpected end']) => invalid(`Syntax error: ${words} at [1:1]`),
  ],
  [/^Invalid Input Error: ([^\n]*)/i, ([, words]) => invalid(words ?? '')],
]

const invalid = (message: string): ServiceError => new ServiceError(400, 'invalidQuery', message)

/** What DuckDB says, in the service's words. What is not known fails the test. */
export const toServiceError = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error
  const message = error instanceof Error ? error.message : String(error)
  for (const [pattern, make] of rules) {
    const found = pattern.exec(message)
    if (found) return make(found)
  }
  return new ServiceError(501, 'notImplemented', `The double does not know: ${message}`)
}
