import type { Clause, QueryDraft } from '../draft/query-draft.ts'

/** Makes what is said of rows of another model a condition of the question. */
export const liftClause = (draft: QueryDraft, clause: Clause): void => {
  draft.clauses.splice(draft.clauses.indexOf(clause), 1)
  draft.periods.push(...clause.spans.map(span => ({ span, date: clause.date, at: clause.at })))
  draft.filters.push(
    ...clause.filters.filter(({ kind }) => kind !== 'period').map(filter => ({ filter, at: clause.at })),
  )
}
