import type { FixInput, FixSql } from '../../../src/core/draft.ts'
import type { RenderSchema } from '../../../src/core/linked-schema.ts'
import type { AskForSql } from '../../../src/core/model.ts'
import { ModelError } from '../../../src/core/model-error.ts'
import type { SqlErrorClass } from '../../../src/core/sql-error.ts'
import { noModelUsage } from '../../../src/core/usage.ts'
import { describeTeamKnowledge } from '../paths/describe-evidence.ts'
import { describeTime } from '../paths/describe-time.ts'
import { describeValues } from '../paths/describe-values.ts'
import { dialectNotes } from '../paths/dialects/dialect-notes.ts'
import { describeHistory } from './describe-history.ts'

/** What is wrong, for each class that another statement can cure; null where no statement can. */
const problems: Readonly<Record<SqlErrorClass, string | null>> = {
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

/**
 * Asks a model to repair a statement (CHASE-SQL 3.4). Null when no statement can help, when the model finds that the
 * schema cannot answer, or when asking failed: the tokens of a failed call are in the usage all the same.
 */
export const makeFixWithModel =
  (deps: { readonly askForSql: AskForSql; readonly renderSchema: RenderSchema }): FixSql =>
  async input => {
    const problem = problems[input.errorClass]
    if (problem === null) return { sql: null, usage: noModelUsage }
    try {
      const { value, usage } = await deps.askForSql({
        role: 'fixer',
        prompt: 'fix-sql',
        variables: variablesOf(input, problem, deps.renderSchema),
        ...(input.questionId === undefined ? {} : { questionId: input.questionId }),
        ...(input.signal ? { signal: input.signal } : {}),
      })
      return value.sql === '' ? { sql: null, usage } : { sql: value.sql, usage }
    } catch (error) {
      if (error instanceof ModelError && error.code !== 'cancelled') return { sql: null, usage: error.usage }
      throw error
    }
  }

const variablesOf = (input: FixInput, problem: string, renderSchema: RenderSchema) => {
  const { understanding, database, linked, matches, sample } = input
  return {
    dialect: dialectNotes[database.dialect],
    schema: renderSchema(database.catalog, linked, { seed: sample, matches }),
    evidence: describeTeamKnowledge(database.knowledge, { question: understanding.text, linked }),
    values: describeValues(matches),
    time: describeTime(understanding),
    question: understanding.text,
    problem,
    statement: input.sql,
    message: input.message,
    history: describeHistory(input.history),
    'question-again': understanding.text,
  }
}
