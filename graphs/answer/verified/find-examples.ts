import type { ExampleQuery, FindExampleQueries } from '../../../src/core/example-query.ts'
import type { SimilarVerifiedQuery } from '../../../src/core/near-verified.ts'
import type { ParseQuestion } from '../../../src/core/reading.ts'
import type { Understanding } from '../../../src/core/understanding.ts'
import type { ListVerified } from '../../../src/core/verified-query.ts'
import { skeletonSimilarityTo } from '../../../src/sql/skeleton-likeness.ts'
import { makeFindSimilarVerified } from './find-near-verified.ts'
import { sketchSkeleton } from './sketch-skeleton.ts'

/** Examples of one prompt. DAIL-SQL shows up to nine; each costs what a table of the schema does. */
const MOST = 3

/** Less alike than this, an example is about something else. */
const LEAST = 0.35

/**
 * Finds verified questions to show as examples (DAIL-SQL 3.2): by how they ask (masked questions), by what they are
 * about (the questions as they are, since all are of one database), and by the skeleton of their SQL against that of
 * the semantic parser's best reading, where it has one. Found once for all drafts of a question.
 */
export const makeFindExamples = (deps: {
  readonly listVerified: ListVerified
  readonly parse: ParseQuestion
}): FindExampleQueries => {
  const found = new WeakMap<Understanding, ReturnType<FindExampleQueries>>()
  return input => {
    const examples = found.get(input.understanding) ?? findAlike(input, deps)
    found.set(input.understanding, examples)
    return examples
  }
}

const findAlike = async (
  input: Parameters<FindExampleQueries>[0],
  deps: { readonly listVerified: ListVerified; readonly parse: ParseQuestion },
): Promise<readonly ExampleQuery[]> => {
  const near = await makeFindSimilarVerified(deps)(input)
  if (near.length === 0) return []
  const sketched = sketchSkeleton(input, deps.parse)
  const asSketched = sketched === null ? null : skeletonSimilarityTo(sketched)
  const likeness = ({ query: { skeleton }, likeness: words }: SimilarVerifiedQuery): number =>
    asSketched === null || skeleton === null ? words : 0.7 * words + 0.3 * asSketched(skeleton)
  const alike = near
    .map(one => ({ query: one.query, likeness: likeness(one) }))
    .filter(({ likeness }) => likeness >= LEAST)
    .sort((a, b) => b.likeness - a.likeness)
  const examples: ExampleQuery[] = []
  for (const { query } of alike) {
    if (examples.length === MOST) break
    const { question, sql } = query
    // What has since been kept from everybody is not shown to a model either.
    if (input.database.guard(sql).verdict === 'allow') examples.push({ question, sql })
  }
  return examples
}
