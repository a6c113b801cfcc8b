import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { DigestRefusal } from '../../../core/digest-use-cases.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import { digestFormIds } from '../../views/digest-form.ts'
import { handOverModal } from '../../views/hand-over-modal.ts'
import { noticeModal } from '../../views/notice-modal.ts'
import { findField } from '../../views/read-digest-form.ts'
import { formatDigestRefusal } from '../../views/say-digest-refusal.ts'
import type { DigestListenerDeps } from '../digest-click.ts'
import { findDigest } from '../find-digest.ts'
import { type FormOutcome, finishForm } from '../finish-in-modal.ts'
import { readSubmittedDigest } from '../submitted-digest.ts'
import { sendDirectMessage } from '../tell-directly.ts'

/** `Hand over`, submitted: the digest is somebody else's, who must be allowed what it shows. */
export const makeHandOverSubmitted =
  ({ digests }: Pick<SlackUseCases, 'digests'>, { showHome, background }: DigestListenerDeps) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, view, client } = args
    const about = readSubmittedDigest(args)
    const to = findField(view.state.values, digestFormIds.person)?.selected_user
    if (!about || !to) {
      await ack()
      return
    }
    const { digestId, offset, person, team } = about
    const refused = (said: string, title: string): FormOutcome => ({
      status: 'refused',
      errors: { [digestFormIds.person]: said },
      formAgain: handOverModal({ title, metadata: view.private_metadata }),
      said,
    })
    const handOver = async (): Promise<FormOutcome> => {
      const found = await findDigest(digests, { digestId, person, team })
      if (found.status === 'not-found') return refused(found.said, '')
      const { title } = found.digest
      const changed = await digests.handOver({ digestId, person, to })
      if (changed.status !== 'changed') return refused(formatHandOverRefusal(changed), title)
      return {
        status: 'done',
        atOnce: null,
        later: noticeModal('Handed over', 'The digest runs with their rights from now on.'),
        afterwards: () => showHome(client, { person, team }, `“${title}” is handed over.`, offset ?? 0),
      }
    }
    await finishForm(args, background, {
      what: 'handing over a digest',
      work: handOver().catch(() => refused('Something broke on my side. Try again in a moment.', '')),
      running: noticeModal('Handing over', 'I am asking what they may see. You may close this.'),
      tell: said => sendDirectMessage(client, person, `The digest was not handed over: ${said}`),
    })
  }

/** The reason why somebody may not have it is in the words that they would be told, and is shown to somebody else. */
const formatHandOverRefusal = (refusal: DigestRefusal): string => {
  const said = formatDigestRefusal(refusal)
  return refusal.status === 'unfit' && refusal.field === 'person'
    ? `They may not see what it shows. They would be told: “${said}”`
    : said
}
