import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import { maxDigestQuestions } from '../../domain/digest.ts'
import { noticeModal } from '../block-kit/modal.ts'
import { savedTexts, scheduleForm } from '../copy/digest-forms.ts'
import { sendDirectMessage } from '../delivery/private-messages.ts'
import { findTimeZone } from '../directory.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { digestFormIds } from '../views/digests/form.ts'
import { digestSavedModal, scheduleModal } from '../views/digests/modals.ts'
import { findField, readDigestFields, readDigestForm } from '../views/digests/read-form.ts'
import { type Background, type FormOutcome, finishForm } from './background.ts'
import { type ButtonClickArgs, findClickedAnswer, findSubmittedAnswer } from './clicks.ts'
import { findDigest } from './digest-buttons.ts'
import { failedOutcome, refusedOutcome } from './digest-forms.ts'

const MOST_EXISTING = 100

/** `Schedule`: a form that makes a digest of the answer. */
export const makeScheduleClick =
  ({ findAnswered, digests }: Pick<SlackUseCases, 'findAnswered' | 'digests'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const clicked = await findClickedAnswer(findAnswered, body, action)
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
      notify: problem =>
        sendDirectMessage(client, person, scheduleForm.notScheduled(answered.question.text, problem)),
    })
  }
