import type { DigestUseCases } from '../../core/digest-use-cases.ts'
import type { FindQuotaRefusal } from '../questions/why-not-read.ts'

/**
 * `Run now` for those who may still have something read: it is on the account of whoever presses. Who may not see the
 * digest is told that, and nothing of budgets.
 */
export const requireQuotaToRunNow =
  (
    { find, runNow }: Pick<DigestUseCases, 'find' | 'runNow'>,
    whyNotRead: FindQuotaRefusal,
  ): DigestUseCases['runNow'] =>
  async given => {
    const { digestId, person } = given
    const digest = await find({ digestId, person })
    if (digest === null || 'status' in digest) return runNow(given)
    const { team, target } = digest
    const channel = target.kind === 'channel' ? target.channel : null
    return (await whyNotRead({ origin: 'digest', person, team, channel })) ?? runNow(given)
  }
