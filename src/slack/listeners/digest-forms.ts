import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import { type Digest, maxDigestQuestions } from '../../domain/digests/digest.ts'
import type { DigestForm, DigestRefusal } from '../../domain/digests/use-cases.ts'
import { QuerentError } from '../../domain/errors.ts'
import { type Modal, noticeModal } from '../block-kit/modal.ts'
import { editDigestForm, handOverForm, savedTexts, scheduleForm } from '../copy/digest-forms.ts'
import { formFailedText } from '../copy/phrases.ts'
import { sendDirectMessage } from '../delivery/private-messages.ts'
import { findTimeZone } from '../directory.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { digestFormIds, findField, readDigestFields, readDigestForm } from '../views/digests/form.ts'
import { type DigestKey, formatDigestRefusal, readDigestKey } from '../views/digests/format.ts'
import { digestSavedModal, editDigestModal, handOverModal, scheduleModal } from '../views/digests/modals.ts'
import {
  type Background,
  type ButtonClickArgs,
  type FormOutcome,
  findReadableAnswer,
  findSubmittedAnswer,
  finishForm,
} from './clicks-and-forms.ts'
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
      let changed: ChangedDigest = await digests.edit({
        ...{ digestId, person },
        // The title that was shown may be one without values: it stays as it is stored.
        form: fields.title === digest.title ? withoutTitle(parsed.form) : parsed.form,
      })
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

const withoutTitle = ({ title: _, ...form }: DigestForm): DigestForm => form

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
const refusedOutcome = (refusal: DigestRefusal, reopen: RebuildForm): FormOutcome => {
  const problem = formatDigestRefusal(refusal)
  const block = refusal.status === 'unfit' ? blockOfField[refusal.field] : digestFormIds.where
  return { status: 'refused', errors: { [block]: problem }, reopened: reopen(problem), problem }
}

/** An unexpected error: the person sees no details, which are in the log. */
const failedOutcome = (error: unknown, reopen: RebuildForm): FormOutcome => {
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

const MOST_EXISTING = 100

/** `Schedule`: a form that makes a digest of the answer. */
export const makeScheduleClick =
  (deps: Pick<SlackUseCases, 'findAnswered' | 'findRefusal' | 'digests'>) =>
  async (args: ButtonClickArgs): Promise<void> => {
    const { ack, body, client } = args
    const { digests } = deps
    await ack()
    const clicked = await findReadableAnswer(deps, args)
    if (!clicked) return
    const { click, answered } = clicked
    const { person, team, channel } = click
    const [zone, own] = await Promise.all([
      findTimeZone(client, person),
      digests.list({ person, team, all: false, offset: 0, limit: MOST_EXISTING }),
    ])
    const isDirect = channel.startsWith('D')
    const view = scheduleModal({
      questionId: answered.question.id,
      fields: {
        title: answered.question.text,
        schedule: scheduleForm.defaultSchedule,
        timeZone: zone ?? answered.question.timeZone,
        where: isDirect ? 'person' : 'channel',
        channel: isDirect ? null : channel,
        condition: 'always',
        value: '',
      },
      existing: own.digests.filter(({ questions }) => questions.length < maxDigestQuestions),
    })
    await client.views.open({ trigger_id: body.trigger_id, view: view as View })
  }

/** `Schedule`, submitted: a new digest, or one more question of an existing one. Sent twice, it makes one. */
export const makeScheduleSubmitted =
  ({ findAnswered, digests }: Pick<SlackUseCases, 'findAnswered' | 'digests'>, background: Background) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, body, view, client } = args
    const { values } = view.state
    const person = body.user.id
    const team = body.team?.id ?? body.user.team_id ?? ''
    const fields = readDigestFields(values)
    const existingId = findField(values, digestFormIds.existing)?.selected_option?.value ?? null
    const parsed = existingId === null ? readDigestForm(fields, person) : null
    if (parsed?.status === 'unfit') {
      await ack({ response_action: 'errors', errors: { ...parsed.errors } })
      return
    }
    const answered = await findSubmittedAnswer(findAnswered, args)
    if (!answered) {
      await ack()
      return
    }
    const questionId = answered.question.id
    const reopen = (problem: string) => scheduleModal({ questionId, fields, existing: [], problem })

    const scheduleNew = async (): Promise<FormOutcome> => {
      if (parsed === null) throw new Error('the form of a new digest was not parsed')
      const request = `schedule ${view.id}`
      const scheduled = await digests.schedule({ questionId, person, form: parsed.form, request })
      if (scheduled.status !== 'scheduled') return refusedOutcome(scheduled, reopen)
      const modal = digestSavedModal({ ...scheduled, outcome: 'scheduled' })
      return { status: 'done', ifQuick: modal, ifSlow: modal }
    }
    const addToExisting = async (digestId: string): Promise<FormOutcome> => {
      const found = await findDigest(digests, { digestId, person, team })
      if (found.status === 'not-found')
        return refusedOutcome({ status: 'unfit', field: 'question', reason: found.reason }, reopen)
      const added = await digests.addQuestion({ digestId, questionId, person })
      if (added.status !== 'changed') return refusedOutcome(added, reopen)
      const { digest } = added
      const isNew = digest.questions.length > found.digest.questions.length
      const modal = digestSavedModal({
        outcome: isNew ? 'added' : 'unchanged',
        digest,
        next: digest.nextDue === null ? [] : [digest.nextDue],
        remarks: [
          isNew
            ? savedTexts.questionAdded(digest.questions.length, maxDigestQuestions)
            : savedTexts.alreadyThere,
        ],
      })
      return { status: 'done', ifQuick: modal, ifSlow: modal }
    }
    await finishForm(args, background, {
      what: 'scheduling an answer',
      work: (existingId === null ? scheduleNew() : addToExisting(existingId)).catch(error =>
        failedOutcome(error, reopen),
      ),
      running: noticeModal(scheduleForm.running),
      // In the words of the form: the person may be one who may not read the question.
      notify: problem => sendDirectMessage(client, person, scheduleForm.notScheduled(fields.title, problem)),
    })
  }
