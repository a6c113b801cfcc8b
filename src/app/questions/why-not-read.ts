import type { NotAllowed } from '../../core/access.ts'
import type { RunContext } from '../../core/run-context.ts'
import { SqlError } from '../../core/sql-error.ts'
import type { CheckQuota } from './check-reading.ts'

/** Why nothing more may be read for somebody in a place; null where it may. For no question yet. */
export type FindQuotaRefusal = (
  who: Pick<RunContext, 'origin' | 'person' | 'team' | 'channel'>,
) => Promise<NotAllowed | null>

/** Makes it, for those who have something run that is there: they are told before anything of it is changed. */
export const makeFindQuotaRefusal =
  (checkReading: CheckQuota): FindQuotaRefusal =>
  async who => {
    try {
      await checkReading({ ...who, questionId: null, digestId: null })
      return null
    } catch (error) {
      if (!(error instanceof SqlError) || error.errorClass !== 'over-budget') throw error
      return {
        status: 'not-allowed',
        reason: error.message,
        nextStep: 'Try again when there is more, or ask an admin to raise the limit.',
      }
    }
  }
