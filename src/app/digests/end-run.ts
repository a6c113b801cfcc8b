import type { Digest } from '../../core/digest.ts'
import type { DigestFinding, DigestOutcome, DigestRun } from '../../core/digest-run.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'
import type { SchemaFit } from './run-part.ts'

/** What became of a run, and of its digest by it. */
export interface FinishedRun {
  readonly run: DigestRun
  readonly outcome: DigestOutcome
  readonly findings?: readonly {
    readonly questionId: string
    readonly finding: DigestFinding
    readonly at: Date
  }[]
  readonly fits?: ReadonlyMap<string, SchemaFit>
  readonly failures?: number
  readonly pause?: NonNullable<Digest['pause']>
  readonly repair?: Digest['repair']
}

/**
 * Writes how a run ended, once: what is written a second time changes nothing. `tell` is called when all but the end is
 * written: whoever is told can act on it at once. Where it rejects, the run has not ended.
 */
export type FinishRun = (ended: FinishedRun, tell?: () => Promise<void>) => Promise<void>

/** Makes it. What a person changed meanwhile stays: only what the run is about is written, onto the digest as it is. */
export const makeFinishRun =
  (deps: {
    readonly inTransaction: InTransaction
    readonly lock: (id: string, tx: Tx) => Promise<Digest | null>
    /** Whether a run has not ended. */
    readonly isOpen: (run: DigestRun, tx: Tx) => Promise<boolean>
    readonly end: (
      run: DigestRun,
      ended: { readonly at: Date; readonly outcome: DigestOutcome },
      tx: Tx,
    ) => Promise<boolean>
    readonly change: (
      id: string,
      changes: Partial<Pick<Digest, 'questions' | 'failures' | 'pause' | 'nextDue' | 'repair'>>,
      tx: Tx,
    ) => Promise<unknown>
    readonly keepFinding: (
      digestId: string,
      questionId: string,
      found: { readonly finding: DigestFinding; readonly at: Date },
      tx: Tx,
    ) => Promise<void>
    readonly count: (outcome: DigestOutcome) => void
    readonly now: () => Date
  }): FinishRun =>
  async (ended, tell) => {
    const { run, outcome } = ended
    const end = (tx: Tx): Promise<boolean> => deps.end(run, { at: deps.now(), outcome }, tx)
    const write = async (digest: Digest, tx: Tx): Promise<void> => {
      const { findings = [] } = ended
      for (const { questionId, finding, at } of findings)
        if (hasQuestion(digest, questionId))
          await deps.keepFinding(digest.id, questionId, { finding, at }, tx)
      const changes = digestPatchOf(ended, digest)
      if (Object.keys(changes).length > 0) await deps.change(digest.id, changes, tx)
    }
    if (tell) {
      await deps.inTransaction(async tx => {
        const digest = await deps.lock(run.digestId, tx)
        if (digest && (await deps.isOpen(run, tx))) await write(digest, tx)
      })
      await tell()
    }
    const isEnded = await deps.inTransaction(async tx => {
      const digest = await deps.lock(run.digestId, tx)
      if (!digest || !(await end(tx))) return false
      // What somebody decided since they were told stays decided.
      if (!tell) await write(digest, tx)
      return true
    })
    if (isEnded) deps.count(outcome)
  }

const hasQuestion = ({ questions }: Digest, id: string): boolean =>
  questions.some(question => question.id === id)

const digestPatchOf = ({ fits = new Map(), failures, pause, repair }: FinishedRun, digest: Digest) => ({
  ...(failures !== undefined && failures !== digest.failures && { failures }),
  ...(pause && !digest.pause && { pause, nextDue: null }),
  ...(repair && hasQuestion(digest, repair.questionId) && { repair }),
  ...(digest.questions.some(({ id }) => fits.has(id)) && {
    questions: digest.questions.map(question => ({
      ...question,
      ...fits.get(question.id),
    })),
  }),
})
