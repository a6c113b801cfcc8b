/**
 * One comparison of two groups, by the candidates that stand for them, in the order in which they were seen. `by` says
 * who decided: a model, the local scorer, a probe of what the two results say and what small queries add, or the vote
 * because the model failed (`reason` then says how).
 */
export interface ComparisonRecord {
  readonly round: number
  readonly first: string
  readonly second: string
  readonly winner: 'first' | 'second'
  readonly by: 'model' | 'scorer' | 'probe' | 'vote'
  readonly reason: string
}
