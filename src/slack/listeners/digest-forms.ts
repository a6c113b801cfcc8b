import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { Digest } from '../../domain/digest.ts'
import type { DigestRefusal } from '../../domain/digest-use-cases.ts'
import { QuerentError } from '../../domain/errors.ts'
import { type Modal, noticeModal } from '../block-kit/modal.ts'
import { editDigestForm, handOverForm } from '../copy/digest-forms.ts'
import { formFailedText } from '../copy/errors.ts'
import { sendDirectMessage } from '../delivery/private-messages.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { type DigestKey, readDigestKey } from '../views/digests/buttons.ts'
import { digestFormIds } from '../views/digests/form.ts'
import { formatDigestRefusal } from '../views/digests/format.ts'
import { digestSavedModal, editDigestModal, handOverModal } from '../views/digests/modals.ts'
import { findField, readDigestFields, readDigestForm } from '../views/digests/read-form.ts'
import { type FormOutcome, finishForm } from './background.ts'
import { findDigest } from './digest-buttons.ts'
import type { HomeListenerDeps } from './home.ts'

/** `Edit digest`, submitted: its fields are changed, and questions without a tick are taken out. */
export const makeDigestEditSubmitted =
  ({ digests }: Pick<SlackUseCases, 'digests'>, { showHome, background }: HomeListenerDeps) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, view, client } = args
    const submitted = readSubmittedDigest(args)
    if (!submitted) {
      await ack()
      return
    }
    const { digestId, offset, person, team } = submitted
    const fields = readDigestFields(view.state.values)
    const kept = findField(view.state.values, digestFormIds.questions)?.selected_options?.map(
      ({ value }) => value,
    )
    const found = await findDigest(digests, { digestId, person, team })
    if (found.status === 'not-found') {
      await ack({ response_action: 'errors', errors: { [digestFormIds.title]: found.reason } })
      return
    }
    const { digest } = found
    const parsed = readDigestForm(fields, recipientOf(digest))
    if (parsed.status === 'unfit') {
      await ack({ response_action: 'errors', errors: { ...parsed.errors } })
      return
    }
    const metadata = view.private_metadata
    const reopen = (problem: string) => editDigestModal({ digest, fields, metadata, problem })

    const save = async (): Promise<FormOutcome> => {
      let changed: ChangedDigest = await digests.edit({ digestId, person, form: parsed.form })
      for (const { id } of digest.questions) {
        if (changed.status !== 'changed' || kept === undefined || kept.includes(id)) continue
        const without = await digests.removeQuestion({ digestId, digestQuestionId: id, person })
        // Already gone: the form was sent twice.
        if (without.status !== 'gone') changed = without
      }
      if (changed.status !== 'changed') return refusedOutcome(changed, reopen)
      const modal = digestSavedModal({
        outcome: 'saved',
        digest: changed.digest,
        next: nextOf(changed.digest),
      })
      const afterwards =
        offset === null ? {} : { afterwards: () => showHome(client, { person, team }, undefined, offset) }
      return { status: 'done', ifQuick: modal, ifSlow: modal, ...afterwards }
    }
    const nextOf = ({ schedule, pause }: Digest): readonly Date[] => {
      if (pause !== null) return []
      const preview = digests.preview(schedule.cron, schedule.timeZone)
      return preview.status === 'read' ? preview.next : []
    }
    await finishForm(args, background, {
      what: 'editing a digest',
      work: save().catch(error => failedOutcome(error, reopen)),
      running: noticeModal(editDigestForm.running),
      notify: problem => sendDirectMessage(client, person, editDigestForm.notChanged(digest.title, problem)),
    })
  }

/** An admin who edits a digest to a person leaves it with that person. */
const recipientOf = ({ target, owner }: Digest): string => (target.kind === 'person' ? target.person : owner)

/** `Hand over`, submitted: the new owner must have access to what the digest shows. */
export const makeHandOverSubmitted =
  ({ digests }: Pick<SlackUseCases, 'digests'>, { showHome, background }: HomeListenerDeps) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, view, client } = args
    const submitted = readSubmittedDigest(args)
    const to = findField(view.state.values, digestFormIds.person)?.selected_user
    if (!submitted || !to) {
      await ack()
      return
    }
    const { digestId, offset, person, team } = submitted
    const refused = (problem: string, title: string): FormOutcome => ({
      status: 'refused',
      errors: { [digestFormIds.person]: problem },
      reopened: handOverModal({ title, metadata: view.private_metadata }),
      problem,
    })
    const handOver = async (): Promise<FormOutcome> => {
      const found = await findDigest(digests, { digestId, person, team })
      if (found.status === 'not-found') return refused(found.reason, '')
      const { title } = found.digest
      const changed = await digests.handOver({ digestId, person, to })
      if (changed.status !== 'changed') return refused(formatHandOverRefusal(changed), title)
      return {
        status: 'done',
        ifQuick: null,
        ifSlow: noticeModal(handOverForm.done),
        afterwards: () => showHome(client, { person, team }, handOverForm.doneNote(title), offset ?? 0),
      }
    }
    await finishForm(args, background, {
      what: 'handing over a digest',
      work: handOver().catch(() => refused(formFailedText, '')),
      running: noticeModal(handOverForm.running),
      notify: problem => sendDirectMessage(client, person, handOverForm.notDone(problem)),
    })
  }

/** A reason why the new owner is refused is addressed to them, and is quoted here to another person. */
const formatHandOverRefusal = (refusal: DigestRefusal): string => {
  const reason = formatDigestRefusal(refusal)
  return refusal.status === 'unfit' && refusal.field === 'person' ? handOverForm.refused(reason) : reason
}

/** Makes the form again, with what was wrong. */
type RebuildForm = (problem: string) => Modal

/** A refusal of a use case as the form shows it: at the field that it is about. */
export const refusedOutcome = (refusal: DigestRefusal, reopen: RebuildForm): FormOutcome => {
  const problem = formatDigestRefusal(refusal)
  const block = refusal.status === 'unfit' ? blockOfField[refusal.field] : digestFormIds.where
  return { status: 'refused', errors: { [block]: problem }, reopened: reopen(problem), problem }
}

/** An unexpected error: the person sees no details, which are in the log. */
export const failedOutcome = (error: unknown, reopen: RebuildForm): FormOutcome => {
  const problem = error instanceof QuerentError ? error.message : formFailedText
  return {
    status: 'refused',
    errors: { [digestFormIds.title]: problem },
    reopened: reopen(problem),
    problem,
  }
}

/** At which field of the form a refused field is shown. */
const blockOfField: Readonly<Record<Extract<DigestRefusal, { status: 'unfit' }>['field'], string>> = {
  question: digestFormIds.title,
  title: digestFormIds.title,
  schedule: digestFormIds.schedule,
  condition: digestFormIds.value,
  target: digestFormIds.channel,
  person: digestFormIds.person,
}

/** What a use case that changes a digest resolves with. */
type ChangedDigest = { readonly status: 'changed'; readonly digest: Digest } | DigestRefusal

/** Which digest a submitted form is about, and by whom; null for a form that names none. */
const readSubmittedDigest = ({
  body,
  view,
}: Pick<SlackViewMiddlewareArgs, 'body' | 'view'>):
  | (DigestKey & { readonly person: string; readonly team: string })
  | null => {
  const key = readDigestKey(view.private_metadata)
  return key && { ...key, person: body.user.id, team: body.team?.id ?? body.user.team_id ?? '' }
}
