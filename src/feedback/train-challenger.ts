import type { AnswerFeedback } from '../domain/feedback.ts'
import type { InTransaction, Tx } from '../domain/operations/jobs.ts'
import type {
  ChallengeReport,
  ExpertRecord,
  SelectorState,
  SelectorVersion,
} from '../domain/selection/ranking.ts'

/** The result of a nightly training. */
export type TrainingResult =
  /** Too few votes; `since-decision` counts those after a person last decided about a selector. */
  | {
      readonly status: 'too-few-votes'
      readonly votes: number
      readonly counted: 'all' | 'since-decision'
      /** Statements that are held until an admin decides. */
      readonly waiting: number
    }
  | {
      readonly status: 'judged'
      readonly version: string
      readonly report: ChallengeReport
      readonly waiting: number
    }

type TrainChallenger = (options?: { readonly signal?: AbortSignal }) => Promise<TrainingResult>

/** A selector in use; its model is only passed on here. */
interface CurrentModel<Model> {
  readonly version: string
  readonly model: Model
}

/**
 * Reads feedback, weighs its voters, trains and evaluates a challenger, and stores it with its report as champion or rejected. After a
 * person promoted or rolled back a selector, the minimum number of new votes must arrive first; otherwise the change
 * would be undone the next night.
 */
export const makeTrainChallenger =
  <Model, Statement>(deps: {
    readonly listFeedback: () => Promise<readonly AnswerFeedback[]>
    readonly countFeedbackSince: (since: Date) => Promise<number>
    readonly findChampion: () => Promise<CurrentModel<Model>>
    readonly listVersions: () => Promise<readonly Pick<SelectorVersion, 'decidedBy' | 'decidedAt'>[]>
    /** What of the feedback may train, and what each voter's word weighs. */
    readonly weighFeedback: (feedback: readonly AnswerFeedback[]) => {
      readonly statements: readonly Statement[]
      readonly voters: ReadonlyMap<string, number>
      readonly held: readonly { readonly questionId: string }[]
    }
    readonly challenge: (
      statements: readonly Statement[],
      champion: CurrentModel<Model>,
      options: { readonly minimumVotes: number },
    ) =>
      | { readonly status: 'too-few-votes'; readonly votes: number }
      | { readonly status: 'judged'; readonly model: Model; readonly report: ChallengeReport }
    readonly rateExperts: (
      feedback: readonly AnswerFeedback[],
      statements: readonly Statement[],
    ) => readonly ExpertRecord[]
    readonly replaceExperts: (records: readonly ExpertRecord[], tx: Tx) => Promise<void>
    readonly replaceVoters: (weights: ReadonlyMap<string, number>, at: Date, tx: Tx) => Promise<void>
    /** Takes back what the experts of a live chooser learned from feedback that is held by now. */
    readonly teachExperts: (questionId: string) => Promise<void>
    readonly insertVersion: (version: SelectorVersion, tx: Tx) => Promise<void>
    readonly setState: (
      version: string,
      state: SelectorState,
      decision: { readonly by: null; readonly at: Date },
      tx: Tx,
    ) => Promise<unknown>
    /** Adds its name to the model, as traces show it. */
    readonly nameModel: (model: Model, version: string) => Model
    readonly inTransaction: InTransaction
    readonly minimumVotes: number
    readonly now: () => Date
  }): TrainChallenger =>
  async ({ signal } = {}) => {
    const feedback = await deps.listFeedback()
    signal?.throwIfAborted()
    const { statements, voters, held } = deps.weighFeedback(feedback)
    const experts = deps.rateExperts(feedback, statements)
    await deps.inTransaction(async tx => {
      await deps.replaceExperts(experts, tx)
      await deps.replaceVoters(voters, deps.now(), tx)
    })
    for (const questionId of new Set(held.map(one => one.questionId))) await deps.teachExperts(questionId)
    const waiting = held.length

    const decisions = (await deps.listVersions()).filter(({ decidedBy }) => decidedBy !== null)
    const last = Math.max(...decisions.map(({ decidedAt }) => decidedAt.getTime()))
    if (decisions.length > 0) {
      const votes = await deps.countFeedbackSince(new Date(last))
      if (votes < deps.minimumVotes)
        return { status: 'too-few-votes', votes, counted: 'since-decision', waiting }
    }
    const champion = await deps.findChampion()
    const found = deps.challenge(statements, champion, { minimumVotes: deps.minimumVotes })
    if (found.status === 'too-few-votes') return { ...found, counted: 'all', waiting }
    signal?.throwIfAborted()

    const at = deps.now()
    const version = nameVersion(at)
    const isPromoted = found.report.verdict === 'promoted'
    const decision = { by: null, at }
    await deps.inTransaction(async tx => {
      if (isPromoted) await deps.setState(champion.version, 'retired', decision, tx)
      await deps.insertVersion(
        {
          version,
          state: isPromoted ? 'champion' : 'rejected',
          model: deps.nameModel(found.model, version),
          report: found.report,
          trainedAt: at,
          decidedBy: null,
          decidedAt: at,
        },
        tx,
      )
    })
    return { status: 'judged', version, report: found.report, waiting }
  }

/** The training time in UTC, such as `2026-11-22.030015`: short enough to type, and sortable. */
const nameVersion = (at: Date): string => at.toISOString().slice(0, 19).replace('T', '.').replaceAll(':', '')
