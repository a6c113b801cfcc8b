import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { Digest } from '../../../core/digest.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import { digestFormIds } from '../../views/digest-form.ts'
import { editDigestModal } from '../../views/edit-digest-modal.ts'
import { noticeModal } from '../../views/notice-modal.ts'
import { findField, readDigestFields, readDigestForm } from '../../views/read-digest-form.ts'
import { digestSavedModal } from '../../views/scheduled-modal.ts'
import type { DigestListenerDeps } from '../digest-click.ts'
import { type ChangedDigest, failedOutcome, refusedOutcome } from '../digest-form-outcome.ts'
import { findDigest } from '../find-digest.ts'
import { type FormOutcome, finishForm } from '../finish-in-modal.ts'
import { readSubmittedDigest } from '../submitted-digest.ts'
import { sendDirectMessage } from '../tell-directly.ts'

/** `Edit digest`, submitted: its fields are changed, and questions without a tick are taken out. */
export const makeDigestEditSubmitted =
  ({ digests }: Pick<SlackUseCases, 'digests'>, { showHome, background }: DigestListenerDeps) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, view, client } = args
    const about = readSubmittedDigest(args)
    if (!about) {
      await ack()
      return
    }
    const { digestId, offset, person, team } = about
    const fields = readDigestFields(view.state.values)
    const kept = findField(view.state.values, digestFormIds.questions)?.selected_options?.map(
      ({ value }) => value,
    )
    const found = await findDigest(digests, { digestId, person, team })
    if (found.status === 'not-found') {
      await ack({ response_action: 'errors', errors: { [digestFormIds.title]: found.said } })
      return
    }
    const { digest } = found
    const read = readDigestForm(fields, recipientOf(digest))
    if (read.status === 'unfit') {
      await ack({ response_action: 'errors', errors: { ...read.errors } })
      return
    }
    const metadata = view.private_metadata
    const formAgain = (problem: string) => editDigestModal({ digest, fields, metadata, problem })

    const save = async (): Promise<FormOutcome> => {
      let changed: ChangedDigest = await digests.edit({ digestId, person, form: read.form })
      for (const { id } of digest.questions) {
        if (changed.status !== 'changed' || kept === undefined || kept.includes(id)) continue
        const without = await digests.removeQuestion({ digestId, digestQuestionId: id, person })
        // Gone already: the form was sent twice.
        if (without.status !== 'gone') changed = without
      }
      if (changed.status !== 'changed') return refusedOutcome(changed, formAgain)
      const modal = digestSavedModal({ title: 'Saved', digest: changed.digest, next: nextOf(changed.digest) })
      const afterwards =
        offset === null ? {} : { afterwards: () => showHome(client, { person, team }, undefined, offset) }
      return { status: 'done', atOnce: modal, later: modal, ...afterwards }
    }
    const nextOf = ({ schedule, pause }: Digest): readonly Date[] => {
      if (pause !== null) return []
      const preview = digests.preview(schedule.cron, schedule.timeZone)
      return preview.status === 'read' ? preview.next : []
    }
    await finishForm(args, background, {
      what: 'editing a digest',
      work: save().catch(error => failedOutcome(error, formAgain)),
      running: noticeModal('Saving', 'The digest is being saved. You may close this.'),
      tell: said => sendDirectMessage(client, person, `“${digest.title}” was not changed: ${said}`),
    })
  }

/** An admin who edits somebody's own digest leaves it with that person. */
const recipientOf = ({ target, owner }: Digest): string => (target.kind === 'person' ? target.person : owner)
