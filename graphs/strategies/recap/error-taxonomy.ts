import type { SqlErrorClass } from '../../../src/domain/errors.ts'

/** A kind of failure by its name in the paper, and what usually cures it. */
interface ErrorKind {
  readonly name: string
  readonly hint: string
}

/**
 * The refiner's taxonomy (section 3.3.6) over our classes of errors, which come from the driver's codes. Null for what no
 * other statement cures.
 */
export const errorTaxonomy: Readonly<Record<SqlErrorClass, ErrorKind | null>> = {
  syntax: {
    name: 'SyntaxError',
    hint: 'Find the word that the database stumbles over. Check brackets, commas, quotes and the order of clauses, and write what this dialect has.',
  },
  'unknown-table': {
    name: 'TableNotFound',
    hint: 'Take the table from the schema, letter by letter, with its schema in front if it is shown with one.',
  },
  'unknown-column': {
    name: 'ColumnNotFound',
    hint: 'Find the table that has the column, and join it; or take the column that means the same. Check the alias in front of it.',
  },
  'ambiguous-column': {
    name: 'AmbiguousColumn',
    hint: 'Put the alias of its table in front of every column.',
  },
  'type-mismatch': {
    name: 'TypeMismatch',
    hint: 'Compare like with like: cast one side, or write the literal as the column holds it.',
  },
  function: {
    name: 'FunctionError',
    hint: 'The function is not there, or takes other arguments. Use one that this dialect has, or compute it without.',
  },
  aggregation: {
    name: 'AggregationError',
    hint: 'Every selected column is aggregated or stands in GROUP BY. Conditions on aggregates belong in HAVING.',
  },
  permission: {
    name: 'PermissionDenied',
    hint: 'Answer with the tables and columns of the schema alone; the one that was refused cannot be read.',
  },
  timeout: {
    name: 'Timeout',
    hint: 'Read less: filter before you join, join on keys, and aggregate before you join again.',
  },
  refused: {
    name: 'NotAllowed',
    hint: 'One SELECT that only reads. Leave out what the message names.',
  },
  'empty-result': {
    name: 'NoResult',
    hint: 'Check how values are spelled, whether conditions exclude each other, and whether an inner join drops every row. If there really are none, keep it.',
  },
  'wrong-shape': {
    name: 'InvalidResult',
    hint: 'The statement ran, but its result does not fit the question. Change what the message names and nothing else.',
  },
  other: {
    name: 'UnknownError',
    hint: 'Read the message, and write the part that it names in a simpler way.',
  },
  // Whether it may run is for people to say, not for another statement.
  'too-heavy': null,
  'over-budget': null,
  cancelled: null,
  connection: null,
}
