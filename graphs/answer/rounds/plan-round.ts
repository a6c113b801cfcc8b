import type { DraftPath } from '../../../src/domain/candidate.ts'
import { nextRoundEnd } from '../../../src/domain/selection/draft-rounds.ts'
import type { PlannedDraft } from '../../../src/domain/trace.ts'

/**
 * How drafts are spent. `adaptive`: round after round, while another is worth its cost. `full`: everything at once, as in
 * CHASE-SQL.
 */
export type DraftingMode = 'adaptive' | 'full'

/** What the plan rests on. */
export interface RoundInput {
  readonly drafting: DraftingMode
  readonly paths: readonly Pick<DraftPath, 'name' | 'cost' | 'samples' | 'isFirst'>[]
  /** Drafts of this round planned so far. */
  readonly made: readonly PlannedDraft[]
  /** Candidates of the last round. */
  readonly came: number
  /** Model drafts that one question may have at most, without those of paths that are first. */
  readonly mostDrafts: number
  /** Drafts of the last round that say the schema cannot answer, and whether all that models drafted say so. */
  readonly cannotAnswer: { readonly came: number; readonly areAgreed: boolean }
  /** Whether most of the drafts say that the question has several meanings, whose results differ. */
  readonly isAmbiguous: boolean
  /** Whether what free paths read best has the leading result of the models, as a witness of its own. */
  readonly freePathsAgree: boolean
  /** How the vote stands: whether a further draft is worth it, and why. */
  readonly judgement: { readonly continues: boolean; readonly reason: string }
}

/** The next drafts, or none, and why. */
interface RoundPlan {
  readonly drafts: readonly PlannedDraft[]
  readonly reason: string
  /** All drafts that are allowed are made, although another is worth its cost. */
  readonly cappedAt?: number
}

/**
 * Plans the next round. Paths that ask no model come first, with those that are first; then one model draft at
 * a time, later two and more (`nextRoundEnd`): easy questions end after one draft, or none if the first paths settle them.
 */
export const planRound = (input: RoundInput): RoundPlan => {
  const { drafting, paths, made, mostDrafts, judgement } = input
  const free = paths.filter(({ cost }) => cost === 'free')
  const models = paths.filter(({ cost, isFirst }) => cost === 'model' && !isFirst)
  const ahead = drafting === 'full' ? [] : paths.filter(({ isFirst }) => isFirst)
  const spent = made.filter(({ path }) => models.some(({ name }) => name === path)).length
  const most = Math.min(
    mostDrafts,
    models.reduce((sum, { samples }) => sum + samples, 0),
  )
  if (made.length === 0) {
    const first = free.map(({ name }) => ({ path: name, sample: 0 }))
    if (drafting === 'full')
      return { drafts: [...first, ...alternatePaths(models, 0, most)], reason: 'everything at once' }
    const begin = [...first, ...ahead.map(({ name }) => ({ path: name, sample: 0 }))]
    if (begin.length > first.length)
      return { drafts: begin, reason: 'what needs no SQL of a model comes first' }
    if (first.length > 0) return { drafts: first, reason: 'what needs no model comes first' }
  }
  if (models.length === 0 || most === 0) return { drafts: [], reason: 'there is no model to ask' }
  if (spent >= most) {
    const isCapped = drafting === 'adaptive' && judgement.continues
    return { drafts: [], reason: `all ${most} drafts are made`, ...(isCapped && { cappedAt: most }) }
  }
  const { cannotAnswer } = input
  if (spent > 0 && cannotAnswer.areAgreed)
    return { drafts: [], reason: 'the drafts agree that the schema cannot answer' }
  if (spent > 0 && input.isAmbiguous)
    return { drafts: [], reason: 'the drafts agree that the question has several meanings' }
  if (spent > 0 && input.came === 0 && cannotAnswer.came === 0)
    return { drafts: [], reason: 'the last drafts failed with the model' }
  const isDisputed = spent > 0 && input.came === 0
  if (spent > 0 && !isDisputed && !judgement.continues) return { drafts: [], reason: judgement.reason }
  if (spent === 0 && isAmong(ahead, made)) {
    // The rule of stopping knows drafts of free SQL. Figures that were defined leave less to get wrong.
    if (input.freePathsAgree)
      return { drafts: [], reason: 'the metric query and what was read without a model agree' }
    if (!judgement.continues) return { drafts: [], reason: judgement.reason }
  }
  const reason = isDisputed
    ? 'a draft found no answer in the schema, so others are asked'
    : spent > 0
      ? judgement.reason
      : isAmong(ahead, made)
        ? 'no model has written SQL yet'
        : 'no model has been asked yet'
  return { drafts: alternatePaths(models, spent, Math.min(nextRoundEnd(spent), most)), reason }
}

const isAmong = (paths: readonly Pick<DraftPath, 'name'>[], made: readonly PlannedDraft[]): boolean =>
  made.some(({ path }) => paths.some(({ name }) => name === path))

/** The drafts from one number to another when the paths take turns; a path whose samples are used up is passed over. */
const alternatePaths = (
  paths: readonly Pick<DraftPath, 'name' | 'samples'>[],
  from: number,
  until: number,
): readonly PlannedDraft[] => {
  const longest = Math.max(0, ...paths.map(({ samples }) => samples))
  const all = Array.from({ length: longest }, (_, sample) =>
    paths.filter(({ samples }) => sample < samples).map(({ name }) => ({ path: name, sample })),
  )
  return all.flat().slice(from, until)
}
