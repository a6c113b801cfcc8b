import type { DecidePairWinner } from '../../../src/core/judge-pair.ts'
import type { RenderSchema } from '../../../src/core/linked-schema.ts'
import type { AskForJudgment } from '../../../src/core/model.ts'
import { describeTeamKnowledge } from '../paths/describe-evidence.ts'
import { describeTime } from '../paths/describe-time.ts'
import { describeValues } from '../paths/describe-values.ts'
import { dialectNotes } from '../paths/dialects/dialect-notes.ts'
import { describeResult } from './describe-result.ts'

/**
 * A model as the judge of a pair (CHASE-SQL 3.5): it gets the question, the union schema, both statements and heads of
 * both results. Without `seesRows` no row of a result is sent, only how many there are and of which columns.
 */
export const makeJudgeWithModel =
  (deps: {
    readonly askForJudgement: AskForJudgment
    readonly renderSchema: RenderSchema
    readonly seesRows: boolean
  }): DecidePairWinner =>
  async ({ understanding, database, linked, matches, first, second, questionId, signal }) => {
    const { value, usage } = await deps.askForJudgement({
      role: 'judge',
      prompt: 'judge-pair',
      variables: {
        dialect: dialectNotes[database.dialect],
        schema: deps.renderSchema(database.catalog, linked, { matches }),
        evidence: describeTeamKnowledge(database.knowledge, { question: understanding.text, linked }),
        values: describeValues(matches),
        time: describeTime(understanding),
        question: understanding.text,
        'first-statement': first.sql,
        'first-result': describeResult(first.result, deps),
        'second-statement': second.sql,
        'second-result': describeResult(second.result, deps),
      },
      ...(questionId === undefined ? {} : { questionId }),
      ...(signal ? { signal } : {}),
    })
    return { winner: value.winner, reason: value.reason, usage }
  }
