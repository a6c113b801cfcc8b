import type { SqlErrorClass } from '../../../src/domain/errors.ts'
import type { Problem } from '../shared/agent-state.ts'

/** Who made an attempt. */
export type Author = 'fast' | 'slow'

/** An entry of the progress ledger: one attempt and what came of it. */
export interface Attempt {
  readonly by: Author
  /** Null if its author wrote no statement, and left the question to the other. */
  readonly candidateId: string | null
  /** Null if nothing is wrong with it, or as long as it has not run. */
  readonly problem: Problem | null
  /** The number of the attempt whose statement it repeats, from 1; null if it is new. */
  readonly repeats: number | null
}

/** What a statement ran into that ran all the same. */
const isOnlyOdd = ({ errorClass }: Problem): boolean =>
  errorClass === 'empty-result' || errorClass === 'wrong-shape'

/**
 * Whether an attempt repeats a statement whose result looked odd: it stands by the result, and nothing would change if it
 * were asked again.
 */
export const isConfirmation = ({ repeats, problem }: Attempt): boolean =>
  repeats !== null && problem !== null && isOnlyOdd(problem)

/** The candidate that is the answer: the last one without a problem, else the last one that ran; null if none ran. */
export const bestCandidate = (attempts: readonly Attempt[]): string | null => {
  const written = attempts.filter(({ candidateId }) => candidateId !== null)
  const clean = written.findLast(({ problem }) => problem === null)
  const ran = written.findLast(({ problem }) => problem === null || isOnlyOdd(problem))
  return (clean ?? ran)?.candidateId ?? null
}

/** What to do otherwise, for each class of failure; classes that no statement can cure need no word. */
const changes: Readonly<Partial<Record<SqlErrorClass, string>>> = {
  syntax: 'Write it in the syntax of this database, from the start, in fewer nested parts.',
  'unknown-table': 'Take table names from the schema, letter by letter.',
  'unknown-column':
    'Find out which table has the column, and join that table, or use the column that exists.',
  'ambiguous-column': 'Put the alias of its table before each column.',
  'type-mismatch': 'Compare values of one kind, and convert where the schema stores another.',
  function: 'Use a function that this database has, with the arguments it takes.',
  aggregation: 'Group by every column that is not aggregated.',
  permission: 'Do without the part that may not be read.',
  timeout: 'Filter earlier, join on keys, and leave out tables that add nothing.',
  refused:
    'Write one statement that this database can parse and that only reads, without what is not allowed.',
  'empty-result': 'Check how values are spelled, whether conditions exclude each other, and what joins drop.',
  'wrong-shape': 'Return as many rows and the columns that the question asks for.',
  other: 'Go another way about it.',
}

const LONGEST_MESSAGE = 300

const LONGEST_STATEMENT = 6_000

const names = { fast: 'fast loop', slow: 'SQL generator' } as const

/**
 * The progress ledger as agents read it after a failure (sections 3.3.8 and 3.3.9): the first and the latest attempt with
 * their statement, what failed and what to change, those between as one line. `pruned: false` shows all in full.
 */
export const describeProgress = (
  attempts: readonly Attempt[],
  statements: ReadonlyMap<string, string>,
  { pruned }: { readonly pruned: boolean },
): string => {
  if (attempts.length === 0) return 'Nothing has been tried yet.'
  return attempts
    .map((attempt, at) => {
      const isKept = !pruned || at === 0 || at === attempts.length - 1
      return isKept ? inFull(attempt, at, statements) : asLine(attempt, at)
    })
    .join('\n\n')
}

const asLine = (attempt: Attempt, at: number): string => {
  const { problem } = attempt
  const what = problem === null ? '' : ` (${shorten(problem.message)})`
  return `${headline(attempt, at)}${what}`
}

const inFull = (attempt: Attempt, at: number, statements: ReadonlyMap<string, string>): string => {
  const { candidateId, problem } = attempt
  const sql = candidateId === null ? undefined : statements.get(candidateId)
  const change = problem === null ? undefined : changes[problem.errorClass]
  return [
    headline(attempt, at),
    ...(problem === null ? [] : [`What happened: ${shorten(problem.message)}`]),
    ...(change === undefined ? [] : [`What to change: ${change}`]),
    ...(sql === undefined ? [] : [`Statement: ${sql.slice(0, LONGEST_STATEMENT)}`]),
  ].join('\n')
}

const headline = ({ by, candidateId, problem, repeats }: Attempt, at: number): string => {
  const who = `Attempt ${at + 1} by the ${names[by]}`
  if (candidateId === null) return `${who}: no statement`
  if (repeats !== null) return `${who}: the statement of attempt ${repeats} again`
  return `${who}: ${problem === null ? 'ran' : problem.errorClass}`
}

const shorten = (message: string): string => {
  const line = message.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line
}
