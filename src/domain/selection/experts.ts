/**
 * How experts vote (SSEV 3.1.2): `wma` by the weight behind each result, `rwma` by drawing one expert in proportion to
 * its weight, `naive` with one vote each.
 */
export type ExpertVoteKind = 'wma' | 'rwma' | 'naive'

/** What one expert says of a question. */
export interface ExpertAnswer {
  /** Equal for equal results; null if nothing of the expert's ran. */
  readonly key: string | null
  /** The expert's candidate with that result. */
  readonly candidateId: string | null
}

/** By expert, in the order in which they first spoke. */
export type ExpertAnswers = ReadonlyMap<string, ExpertAnswer>

/** How often each expert was wrong. One that is not named never was. */
export type ExpertMistakes = ReadonlyMap<string, number>

/** The outcome of a vote of experts. */
export interface ExpertVote {
  readonly key: string
  readonly candidateId: string
  /** By key, what the experts behind it weigh; of all experts together 1, those without an answer included. */
  readonly shares: ReadonlyMap<string, number>
  /** The expert that was drawn; null if none was. */
  readonly drawn: string | null
}

/** Chooses among the answers of experts; null if nobody has one. */
export type ChooseByExperts = (input: {
  readonly answers: ExpertAnswers
  readonly mistakes: ExpertMistakes
  /** The share of its weight that an expert loses by a mistake, 0 to 1. */
  readonly epsilon: number
  readonly vote: ExpertVoteKind
  /** A number from 0 to 1 that the draw of `rwma` is made with. */
  readonly draw: number
}) => ExpertVote | null

/** What experts said of a question, kept until people say what is right. */
export interface ExpertRound {
  readonly questionId: string
  /** Results, with the candidates that have them. */
  readonly groups: readonly { readonly key: string; readonly candidateIds: readonly string[] }[]
  /** The key of each expert's result; null if it has none. */
  readonly answers: readonly { readonly expert: string; readonly key: string | null }[]
}

/**
 * Says which experts of a round were wrong; null if nothing is known of it, which also takes back what was said before.
 */
export type JudgeExpertRound = (round: ExpertRound) => Promise<readonly string[] | null>

/** Keeps what experts said, and how often each was wrong. */
export interface ExpertRecords {
  listMistakes(): Promise<ExpertMistakes>
  /** Keeps a round; replaces an earlier one of the question that was not settled yet. */
  saveRound(round: ExpertRound): Promise<void>
  /**
   * Settles a round by a judgment. Each question counts once: a later judgment corrects an earlier one. Does nothing
   * for a question without a round.
   */
  settleRound(questionId: string, judge: JudgeExpertRound): Promise<void>
}

/** What a live chooser needs: the record of its experts, and the vote. */
export interface ExpertVoting {
  readonly records: Pick<ExpertRecords, 'listMistakes' | 'saveRound'>
  readonly choose: ChooseByExperts
  /** The place of the candidate of a result whose order of columns is to be shown. */
  readonly chooseMember: (
    members: readonly { readonly columnsKey: string; readonly columnOrder: number | null }[],
  ) => number
  /** The share of its weight that a mistake costs, for a number of experts and of questions expected. */
  readonly bestEpsilon: (experts: number, questions: number) => number
}

/** How counts change when a round is judged, or judged otherwise than before: by expert, 1 more or 1 fewer. */
export const changesOfMistakes = (
  before: readonly string[],
  after: readonly string[],
): ReadonlyMap<string, number> =>
  new Map([
    ...after.filter(expert => !before.includes(expert)).map(expert => [expert, 1] as const),
    ...before.filter(expert => !after.includes(expert)).map(expert => [expert, -1] as const),
  ])
