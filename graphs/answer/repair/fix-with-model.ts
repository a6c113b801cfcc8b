import type { FixInput, FixSql } from '../../../src/domain/candidate.ts'
import { ModelError, type SqlErrorClass } from '../../../src/domain/errors.ts'
import type { AskForSql } from '../../../src/domain/model.ts'
import { noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { RenderSchema } from '../../../src/domain/question-context.ts'
import { nameMeanings, questionVariables, schemaVariables } from '../drafting/model-paths.ts'

/** What is wrong, for each class that another statement can cure; null if no statement can. */
export const problemTexts: Readonly<Record<SqlErrorClass, string | null>> = {
  syntax: 'the database cannot parse it.',
  'unknown-table': 'it names a table that does not exist.',
  'unknown-column': 'it names a column that does not exist in the tables it uses.',
  'ambiguous-column': 'it names a column that several of its tables have, without saying which.',
  'type-mismatch': 'it compares or computes with values of types that do not fit.',
  function: 'it calls a function that does not exist here, or with the wrong arguments.',
  aggregation: 'it mixes aggregated and plain columns.',
  permission: 'it reads something that may not be read here.',
  timeout: 'it takes too long. Read fewer rows, join on keys, filter early.',
  refused: 'it is not allowed here, for the reason given.',
  'empty-result': 'it runs and returns no rows. Is a value spelt differently, or a condition too strict?',
  'wrong-shape': 'it runs, but its result does not have the shape that the question asks for.',
  other: 'the database reports an error.',
  // Whether it may run is for people to say, not for another statement.
  'too-heavy': null,
  'over-budget': null,
  cancelled: null,
  connection: null,
}

/** Whether another statement can cure this. */
export const isCurable = (errorClass: SqlErrorClass): boolean => problemTexts[errorClass] !== null

/**
 * Asks a model to repair a statement (CHASE-SQL 3.4). Null when no statement can help, when the model finds that the
 * schema cannot answer, or when asking failed: the tokens of a failed call are in the usage all the same.
 */
export const makeFixWithModel =
  (deps: { readonly askForSql: AskForSql; readonly renderSchema: RenderSchema }): FixSql =>
  async input => {
    const problem = problemTexts[input.errorClass]
    if (problem === null) return { sql: null, usage: noModelUsage }
    try {
      const { value, usage } = await deps.askForSql({
        role: 'fixer',
        prompt: 'fix-sql',
        variables: variablesOf(input, problem, deps.renderSchema),
        ...(input.questionId === undefined ? {} : { questionId: input.questionId }),
        ...(input.signal ? { signal: input.signal } : {}),
      })
      const { sql, missing, ambiguity } = value
      if (sql === '') return { sql: null, usage, ...(missing !== undefined && { missing }) }
      // A repair is of one statement: the other meanings are for other drafts.
      const [named] = ambiguity ? nameMeanings(ambiguity) : []
      return { sql, usage, ...(named?.sql === sql && { named: named.named }) }
    } catch (error) {
      if (error instanceof ModelError && error.code !== 'cancelled') return { sql: null, usage: error.usage }
      throw error
    }
  }

const variablesOf = (input: FixInput, problem: string, renderSchema: RenderSchema) => {
  return {
    ...schemaVariables(input, renderSchema),
    ...questionVariables(input),
    problem,
    statement: input.sql,
    message: input.message,
    history: describeHistory(input.history),
    'question-again': input.understanding.text,
  }
}

const LONGEST_SQL = 600

const LONGEST_MESSAGE = 200

/** What was tried before, one line a statement and one a message (AgentNLQ's compression of a history into facts). */
const describeHistory = (history: FixInput['history']): string =>
  history
    .map(
      ({ sql, message }, at) =>
        `${at + 1}. ${short(sql, LONGEST_SQL)}\n   ${short(message, LONGEST_MESSAGE)}`,
    )
    .join('\n')

const short = (text: string, longest: number): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}
