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
  | { readonly status: 'too-few-votes'; readonly votes: number; readonly counted: 'all' | 'since-decision' }
  | { readonly status: 'judged'; readonly version: string; readonly report: ChallengeReport }

type TrainChallenger = (options?: { readonly signal?: AbortSignal }) => Promise<TrainingResult>

/** A selector in use; its model is only passed on here. */
interface CurrentModel<Model> {
  readonly version: string
  readonly model: Model
}

/**
 * Reads feedback, trains and evaluates a challenger, and stores it with its report as champion or rejected. After a
 * person promoted or rolled back a selector, the minimum number of new votes must arrive first; otherwise the change
 * would be undone the next night.
 */
export const makeTrainChallenger =
  <Model>(deps: {
    readonly listFeedback: () => Promise<readonly AnswerFeedback[]>
    readonly countFeedbackSince: (since: Date) => Promise<number>
    readonly findChampion: () => Promise<CurrentModel<Model>>
    readonly listVersions: () => Promise<readonly Pick<SelectorVersion, 'decidedBy' | 'decidedAt'>[]>
    readonly challenge: (
      feedback: readonly AnswerFeedback[],
      champion: CurrentModel<Model>,
      options: { readonly minimumVotes: number },
    ) =>
      | { readonly status: 'too-few-votes'; readonly votes: number }
      | { readonly status: 'judged'; readonly model: Model; readonly report: ChallengeReport }
    readonly rateExperts: (feedback: readonly AnswerFeedback[]) => readonly ExpertRecord[]
    readonly replaceExperts: (records: readonly ExpertRecord[], tx: Tx) => Promise<void>
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
    const experts = deps.rateExperts(feedback)
    await deps.inTransaction(tx => deps.replaceExperts(experts, tx))

    const decisions = (await deps.listVersions()).filter(({ decidedBy }) => decidedBy !== null)
    const last = Math.max(...decisions.map(({ decidedAt }) => decidedAt.getTime()))
    if (decisions.length > 0) {
      const votes = await deps.countFeedbackSince(new Date(last))
      if (votes < deps.minimumVotes) return { status: 'too-few-votes', votes, counted: 'since-decision' }
    }
    const champion = await deps.findChampion()
    const found = deps.challenge(feedback, champion, { minimumVotes: deps.minimumVotes })
    if (found.status === 'too-few-votes') return { ...found, counted: 'all' }
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
    return { status: 'judged', version, report: found.report }
  }

/** The training time in UTC, such as `2026-11-22.030015`: short enough to type, and sortable. */
const nameVersion = (at: Date): string => at.toISOString().slice(0, 19).replace('T', '.').replaceAll(':', '')
