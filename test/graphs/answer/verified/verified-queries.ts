import { makeReadVerified } from '../../../../graphs/answer/verified/read-verified.ts'
import type { Database } from '../../../../src/domain/database.ts'
import type { VerifiedQuery } from '../../../../src/domain/verified-query.ts'
import { understandQuestion } from '../../../../src/parser/understand/understand-question.ts'

/** When the verified questions of the tests were asked. */
export const savedAt = new Date('2026-11-20T12:00:00Z')

const readVerified = makeReadVerified({
  understand: understandQuestion,
  clock: { now: () => savedAt, timeZone: 'UTC' },
})

/** A question with its SQL as it is kept once somebody has accepted it. */
export const acceptedQuery = async (
  question: string,
  sql: string,
  database: Database,
): Promise<VerifiedQuery> => ({
  ...(await readVerified({ question, sql }, database)),
  id: crypto.randomUUID(),
  database: database.name,
  question,
  sql,
  fingerprint: database.catalog.fingerprint,
  status: 'accepted',
  savedBy: 'ada',
  savedAt,
  decidedBy: 'ada',
  decidedAt: savedAt,
})
