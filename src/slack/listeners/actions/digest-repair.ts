import type { View } from '@slack/types'
import type { RepairDecision } from '../../../core/digest-use-cases.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import { repairDecisionView } from '../../views/decided-repair.ts'
import { readRepairKey } from '../../views/digest-key.ts'
import { noticeModal } from '../../views/notice-modal.ts'
import { formatDigestRefusal } from '../../views/say-digest-refusal.ts'
import type { Background } from '../background.ts'
import type { ButtonClickArgs } from '../button-click-args.ts'
import { readClick } from '../click.ts'
import { clickFailedText } from '../digest-click.ts'
import { findDigest } from '../find-digest.ts'
import { sendEphemeral } from '../tell-person.ts'

const repairDecidedText =
  'There is nothing to decide any more: somebody was faster, or another repair came since.'

/** `Accept`, also of the second of two, and `Refuse` on a proposed repair, in the notice to the owner or in the modal that compares. */
export const makeRepairDecisionClick =
  (decision: RepairDecision, { digests }: Pick<SlackUseCases, 'digests'>, background: Background) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const key = readRepairKey(action.value)
    const person = body.user.id
    const team = body.team?.id ?? body.user.team_id ?? ''
    const click = readClick(body)
    if (!key) return
    /** A message stays as it is where nothing was decided; a modal says so. */
    const tell = async (said: string): Promise<void> => {
      if (click) await sendEphemeral(client, click, said)
      else await showInModal(said)
    }
    const showInModal = async (said: string): Promise<void> => {
      const view = noticeModal('Repair of a digest', said) as View
      if (body.view) await client.views.update({ view_id: body.view.id, view })
    }
    const decide = async (): Promise<void> => {
      const found = await findDigest(digests, { digestId: key.digestId, person, team })
      if (found.status === 'not-found') return tell(found.said)
      const { digest } = found
      // What was shown is decided, and nothing that was proposed since.
      const decided = await digests.decideRepair({ ...key, person, decision })
      if (decided.status === 'gone') return tell(repairDecidedText)
      if (decided.status !== 'changed') return tell(formatDigestRefusal(decided))
      const { text, blocks } = repairDecisionView(digest.title, decision, {
        isPaused: decided.digest.pause !== null,
      })
      if (!click) return showInModal(text)
      await client.chat.update({
        channel: click.channel,
        ts: click.message,
        text,
        blocks: [...blocks] as never,
      })
    }
    background.run('deciding a repair of a digest', async () => {
      try {
        await decide()
      } catch (error) {
        await tell(clickFailedText)
        throw error
      }
    })
  }
