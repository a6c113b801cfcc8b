import type { Clock } from '../../../src/core/clock.ts'
import type { UnderstandQuestion } from '../../../src/core/understanding.ts'
import type { BuildVerifiedTemplate } from '../../../src/core/verified-query.ts'
import { sqlSkeleton } from '../../../src/sql/sql-skeleton.ts'
import { extractKeywords } from '../keywords/extract-keywords.ts'
import { flagMatches } from '../keywords/flag-matches.ts'
import { matchKeywords } from '../keywords/match-keywords.ts'
import { findSlots } from './find-slots.ts'
import { findQuestionLiterals } from './find-spoken.ts'
import { maskQuestion } from './mask-question.ts'
import { touchedTables } from './touched-tables.ts'

/**
 * Reads a question and its SQL together: masked question, skeleton, which pieces of the question became which
 * literals, and which tables and columns the SQL reads. `clock` is when the question was asked: its periods are days of then.
 */
export const makeReadVerified =
  (deps: { readonly understand: UnderstandQuestion; readonly clock: Clock }): BuildVerifiedTemplate =>
  async ({ question, sql }, database, { signal } = {}) => {
    const matches = await matchKeywords(extractKeywords(question), database, {
      more: flagMatches(question, database.catalog),
      ...(signal && { signal }),
    })
    const { spans } = deps.understand(question, deps.clock)
    const spoken = findQuestionLiterals(question, { matches, spans })
    return {
      maskedQuestion: maskQuestion(question, { spoken, catalog: database.catalog }),
      skeleton: sqlSkeleton(sql, database.dialect),
      slots: findSlots(question, sql, spoken, database.dialect),
      touches: touchedTables(sql, database),
    }
  }
