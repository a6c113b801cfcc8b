import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { Digest } from '../../domain/digest.ts'
import type { DigestRefusal } from '../../domain/digest-use-cases.ts'
import { QuerentError } from '../../domain/errors.ts'
import { type Modal, noticeModal } from '../block-kit/modal.ts'
import { sendDirectMessage } from '../delivery/private-messages.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { type DigestKey, readDigestKey } from '../views/digests/buttons.ts'
import { digestFormIds } from '../views/digests/form.ts'
import { formatDigestRefusal } from '../views/digests/format.ts'
import { digestSavedModal, editDigestModal, handOverModal } from '../views/digests/modals.ts'
import { findField, readDigestFields, readDigestForm } from '../views/digests/read-form.ts'
import { type FormOutcome, finishForm } from './background.ts'
import { type DigestListenerDeps, findDigest } from './digest-buttons.ts'

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

/** The form again, with what was wrong. */
type RebuildForm = (problem: string) => Modal

/** A refusal of a use case as the form shows it: at the field that it is about. */
export const refusedOutcome = (refusal: DigestRefusal, formAgain: RebuildForm): FormOutcome => {
  const said = formatDigestRefusal(refusal)
  const block = refusal.status === 'unfit' ? blockOfField[refusal.field] : digestFormIds.where
  return { status: 'refused', errors: { [block]: said }, formAgain: formAgain(said), said }
}

/** What broke, said without what it was: the log has that. */
export const failedOutcome = (error: unknown, formAgain: RebuildForm): FormOutcome => {
  const said =
    error instanceof QuerentError ? error.message : 'Something broke on my side. Try again in a moment.'
  return { status: 'refused', errors: { [digestFormIds.title]: said }, formAgain: formAgain(said), said }
}

/** The names of digests in the store's and in the form's terms. */
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
