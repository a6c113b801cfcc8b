import { describeResult } from '../../../graphs/answer/headline/describe-result.ts'
import type { DescribeResult } from '../../domain/answer-revision.ts'
import type { Database } from '../../domain/database.ts'
import { dayOf } from '../../lib/time-zone.ts'
import { describeAnswer } from '../../semantic-layer/describe/describe-statement.ts'

/** Puts results in words that are not those of a new answer: of changed statements, picked results and digests. */
export const makeDescribeResult =
  (deps: {
    readonly openDatabase: (name: string) => Promise<Pick<Database, 'catalog' | 'semanticLayer'>>
    readonly now: () => Date
  }): DescribeResult =>
  async ({ table, sql, meaning, question: { text, database: name, timeZone = 'UTC' } }) => {
    const today = dayOf(deps.now(), timeZone)
    const database = await deps.openDatabase(name)
    return describeResult(table, today, () =>
      describeAnswer({
        ...{ sql, database, understanding: { text, spans: [], today, timeZone } },
        ...(meaning && { meaning }),
      }),
    )
  }
