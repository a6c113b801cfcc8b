import { assumptionText } from '../../../src/domain/answer-wording/assumptions.ts'
import { type Draft, type DraftPath, PRIOR_OF_APPROVED } from '../../../src/domain/candidate.ts'
import type { ParseQuestion } from '../../../src/domain/interpretation.ts'
import { noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { ListVerified, VerifiedQuery } from '../../../src/domain/verified-query.ts'
import { skeletonSimilarityTo } from '../../../src/sql/analyze/sql-skeleton.ts'
import { type ReplayedQuery, replayVerified } from '../verified/replay-verified.ts'
import { findVerified, sketchSkeleton } from '../verified/similar-questions.ts'

/**
 * How often a replayed query gives the right result, well below what was measured (`npm run bench:verified`,
 * docs/benchmarks.md): same words 92 of 92; other words 235 of 241, but only 10 of 16 where the other wording of each question
 * was left out.
 */
const PRIOR = 0.75

/** Words may differ so far: each difference that decides nothing counts 0.1, another word for the same thing 0.4. */
const LARGEST_COST = 1

/** In the measured set nothing but words for the same thing led astray: below the cost of one, the query is approved. */
const COST_OF_SYNONYM = 0.4

const COST_WEIGHT = 0.4

/** Queries that match as well as each other and say different things. */
const MOST_DRAFTS = 2

/**
 * A verified question that asks the same, with the literals of its SQL replaced by what the new question names (after
 * DAIL-SQL): free. Where several match, the one whose skeleton is nearest to how the semantic parser reads the
 * question comes first. Nothing when none is close.
 */
export const makeVerifiedPath = (deps: {
  readonly listVerified: ListVerified
  readonly parse: ParseQuestion
}): DraftPath => ({
  name: 'verified-example',
  cost: 'free',
  samples: 1,
  draft: async input => {
    const { understanding, database } = input
    const { spoken, queries } = await findVerified(input, deps.listVerified)
    const asked = { text: understanding.text, spoken, spans: understanding.spans }
    const found = queries.flatMap(query => {
      const replayed = replayVerified(query, asked, database.dialect)
      return replayed === null || replayed.cost > LARGEST_COST ? [] : [{ query, replayed }]
    })
    const different = [...new Map(found.toReversed().map(one => [one.replayed.sql, one])).values()]
    const ranked = different.length < 2 ? different : rank(different, sketchSkeleton(input, deps.parse))
    const drafts = ranked
      .slice(0, MOST_DRAFTS)
      .map((one, rank) => asDraft(one, priorOf(one, rank, ranked.length)))
    return { kind: 'statements', drafts, usage: noModelUsage }
  },
})

interface Found {
  readonly query: VerifiedQuery
  readonly replayed: ReplayedQuery
}

const rank = (found: readonly Found[], sketched: string | null): readonly Found[] => {
  const toSketch = sketched === null ? null : skeletonSimilarityTo(sketched)
  const likeness = ({ query }: Found): number => toSketch?.(query.skeleton ?? '') ?? 0
  return [...found].sort((a, b) => a.replayed.cost - b.replayed.cost || likeness(b) - likeness(a))
}

const priorOf = ({ replayed: { cost } }: Found, rank: number, matches: number): number => {
  if (matches === 1 && cost < COST_OF_SYNONYM) return PRIOR_OF_APPROVED
  // Those that follow contradict the first: together they are no surer than one.
  return (PRIOR - cost * COST_WEIGHT) / 2 ** rank
}

const asDraft = ({ query, replayed }: Found, prior: number): Draft => ({
  sql: replayed.sql,
  lineage: 'verified-example',
  prior,
  decisions: [],
  assumptions: [
    assumptionText({ kind: 'verified-query', question: query.question, replaced: replayed.replaced }),
  ],
  unused: [],
})
