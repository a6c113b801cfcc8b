import type { HearEdit, HearMessage } from '../../core/heard-message.ts'
import type { SendJob } from '../../core/job.ts'
import { type Place, placeKey } from '../../core/place.ts'
import type { Question } from '../../core/question.ts'
import type { Remark } from '../../core/thread.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'
import type { LimitRate } from '../questions/limit-rate.ts'
import type { StoreQuestion } from '../questions/store-question.ts'
import type { TakeBackQuestion } from '../questions/take-back-question.ts'
import type { TellAlone } from './tell-refused.ts'

/** Parts the key of a message from the change that made it this question. */
const CHANGE = '#'

/** Whoever works on the question before may be posting its first message this moment. */
const AFTER_LETTING_GO_SECONDS = 3

/**
 * Makes the use case. An edited question is another question in the same place: the one before is taken back and stopped,
 * and its message is handed over, so that there is one answer and it changes in place. An edit that changes no word, as
 * when a preview of a link appears, does nothing. A message that was none of ours may become a question by naming us.
 */
export const makeHearEdit =
  (deps: {
    readonly inTransaction: InTransaction
    readonly findByMessage: (place: Place, tx: Tx) => Promise<Question | null>
    readonly takeBack: TakeBackQuestion
    readonly storeQuestion: StoreQuestion
    /** Whether the person asks too much: then the answer before stands. */
    readonly limit: LimitRate
    readonly tellLimited: TellAlone
    /** Lets the message that shows one question show another. False when none is known to be posted. */
    readonly handOver: (from: string, to: string, tx: Tx) => Promise<boolean>
    /** Changes a remark that was kept; false when there is none of this place. */
    readonly changeRemark: (place: Place, remark: Remark, tx: Tx) => Promise<boolean>
    readonly sendJob: SendJob
    readonly hear: HearMessage
  }): HearEdit =>
  async message => {
    const { place, text, askedBy, askedAt, changedAt } = message
    const done = await deps.inTransaction(async tx => {
      const before = await deps.findByMessage(place, tx)
      if (!before) {
        const isRemark = await deps.changeRemark(place, { by: askedBy, text, at: askedAt }, tx)
        return isRemark && !message.addressed ? ('remark' as const) : null
      }
      const [, lastChange = ''] = before.key.split(CHANGE)
      if (before.text === text || lastChange >= changedAt) return 'unchanged' as const
      const tooMuch = await deps.limit({ person: askedBy, team: place.team })
      if (tooMuch) return tooMuch
      await deps.takeBack(before.id, askedBy, tx)
      const key = `${placeKey(place)}${CHANGE}${changedAt}`
      // Whether its author may still ask, and of that database, is looked at where it is answered.
      const { database } = before
      const id = await deps.storeQuestion({ text, place, askedBy, askedAt, database, key }, tx)
      if (id === null) return 'unchanged' as const
      // A message that is being posted this moment cannot be handed over: it goes once it is there.
      if (!(await deps.handOver(before.id, id, tx))) {
        const { id: questionId } = before
        await deps.sendJob(
          'remove-answer',
          { questionId },
          { tx, startAfterSeconds: AFTER_LETTING_GO_SECONDS },
        )
      }
      return 'asked-anew' as const
    })
    if (typeof done === 'string') return done
    if (done !== null) {
      await deps.tellLimited(place, askedBy, done)
      return 'refused'
    }
    return message.addressed ? deps.hear(message) : 'not-ours'
  }
