import type { NotAllowed } from '../../core/access.ts'
import type { DigestRequest } from '../../core/digest-wish.ts'
import type { AskQuestion } from '../../core/heard-message.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'
import type { AdmitQuestion } from './admit-question.ts'
import type { CheckRateLimit } from './limit-rate.ts'
import type { StoreQuestion } from './store-question.ts'

/** Takes a question back that was just stored. */
class RateLimited extends Error {
  readonly refusal: NotAllowed
  constructor(refusal: NotAllowed) {
    super(refusal.reason)
    this.refusal = refusal
  }
}

/** Makes the use case. Only when its transaction has committed may the click or command be acknowledged. */
export const makeAskQuestion =
  (deps: {
    readonly admit: AdmitQuestion
    readonly inTransaction: InTransaction
    readonly storeQuestion: StoreQuestion
    readonly limit: CheckRateLimit
    /** False when the key is taken. */
    readonly claim: (key: string, tx: Tx) => Promise<boolean>
    readonly keepWish: (wish: DigestRequest, tx: Tx) => Promise<void>
  }): AskQuestion =>
  async ({ claims = [], digest, ...asked }) => {
    const admission = await deps.admit({ person: asked.askedBy, place: asked.place })
    if (admission.status === 'not-allowed') return admission
    const { database } = admission
    try {
      const questionId = await deps.inTransaction(async tx => {
        for (const key of claims) if (!(await deps.claim(key, tx))) return null
        const stored = await deps.storeQuestion({ ...asked, database }, tx)
        if (stored === null) return null
        // A click that is delivered again is not counted again: only what is stored for the first time is.
        const tooMuch = await deps.limit({ person: asked.askedBy, team: asked.place.team })
        if (tooMuch) throw new RateLimited(tooMuch)
        if (digest) {
          const wish = { questionId: stored, person: asked.askedBy, digest, madeAt: asked.askedAt }
          await deps.keepWish(wish, tx)
        }
        return stored
      })
      return questionId === null ? { status: 'known' } : { status: 'asked', questionId }
    } catch (error) {
      if (error instanceof RateLimited) return error.refusal
      throw error
    }
  }
