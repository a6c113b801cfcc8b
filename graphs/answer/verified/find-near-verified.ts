import type { FindSimilarVerified } from '../../../src/core/near-verified.ts'
import type { ListVerified } from '../../../src/core/verified-query.ts'
import { findVerified } from './find-verified.ts'
import { maskQuestion } from './mask-question.ts'
import { likenessTo } from './similarity.ts'

/**
 * Finds them by how they ask (masked questions, DAIL-SQL 3.2) and by what they are about (the questions as they are,
 * since all are of one database), half and half. What candidates look like does not enter: they are held against these.
 */
export const makeFindSimilarVerified =
  (deps: { readonly listVerified: ListVerified }): FindSimilarVerified =>
  async input => {
    const { spoken, queries } = await findVerified(input, deps.listVerified)
    if (queries.length === 0) return []
    const { text } = input.understanding
    const asMasked = likenessTo(maskQuestion(text, { spoken, catalog: input.database.catalog }))
    const asSaid = likenessTo(text)
    return queries
      .map(query => ({ query, likeness: (asMasked(query.maskedQuestion) + asSaid(query.question)) / 2 }))
      .sort((a, b) => b.likeness - a.likeness)
  }
