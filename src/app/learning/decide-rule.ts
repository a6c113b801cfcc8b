import type { DecideRule, ProposedRule } from '../../core/proposed-rule.ts'

/** Makes the use case: an admin accepts or rejects what a reply proposed. Questions see it within seconds. */
export const makeDecideRule =
  (deps: {
    readonly decide: (
      id: string,
      decision: { readonly status: 'accepted' | 'rejected'; readonly by: string | null; readonly at: Date },
    ) => Promise<ProposedRule | null>
    readonly now: () => Date
  }): DecideRule =>
  ({ id, status, by }) =>
    deps.decide(id, { status, by, at: deps.now() })
