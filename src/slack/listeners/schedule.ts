import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import { maxDigestQuestions } from '../../domain/digest.ts'
import { noticeModal } from '../block-kit/modal.ts'
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

/** What stands in the form before anybody writes. */
const DEFAULT_SCHEDULE = 'every weekday at 09:00'

const MOST_EXISTING = 100

/** `Schedule`: makes a digest out of the answer, in a form. */
export const makeScheduleClick =
  ({ findAnswered, digests }: Pick<SlackUseCases, 'findAnswered' | 'digests'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const on = await findClickedAnswer(findAnswered, body, action)
    if (!on) return
    const { click, answered } = on
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
        schedule: DEFAULT_SCHEDULE,
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

/** `Schedule`, submitted: a new digest, or one more question of one that is there. Sent twice, it makes one. */
export const makeScheduleSubmitted =
  ({ findAnswered, digests }: Pick<SlackUseCases, 'findAnswered' | 'digests'>, background: Background) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, body, view, client } = args
    const { values } = view.state
    const person = body.user.id
    const team = body.team?.id ?? body.user.team_id ?? ''
    const fields = readDigestFields(values)
    const existingId = findField(values, digestFormIds.existing)?.selected_option?.value ?? null
    const read = existingId === null ? readDigestForm(fields, person) : null
    if (read?.status === 'unfit') {
      await ack({ response_action: 'errors', errors: { ...read.errors } })
      return
    }
    const answered = await findSubmittedAnswer(findAnswered, args)
    if (!answered) {
      await ack()
      return
    }
    const questionId = answered.question.id
    const formAgain = (problem: string) => scheduleModal({ questionId, fields, existing: [], problem })

    const scheduleNew = async (): Promise<FormOutcome> => {
      if (read === null) throw new Error('a form of a new digest was not read')
      const request = `schedule ${view.id}`
      const scheduled = await digests.schedule({ questionId, person, form: read.form, request })
      if (scheduled.status !== 'scheduled') return refusedOutcome(scheduled, formAgain)
      const modal = digestSavedModal({ title: 'Scheduled', ...scheduled })
      return { status: 'done', atOnce: modal, later: modal }
    }
    const addTo = async (digestId: string): Promise<FormOutcome> => {
      const found = await findDigest(digests, { digestId, person, team })
      if (found.status === 'not-found')
        return refusedOutcome({ status: 'unfit', field: 'question', reason: found.said }, formAgain)
      const added = await digests.addQuestion({ digestId, questionId, person })
      if (added.status !== 'changed') return refusedOutcome(added, formAgain)
      const { digest } = added
      const isNew = digest.questions.length > found.digest.questions.length
      const modal = digestSavedModal({
        title: isNew ? 'Added' : 'Unchanged',
        digest,
        next: digest.nextDue === null ? [] : [digest.nextDue],
        remarks: [
          isNew
            ? `It has ${digest.questions.length} of at most ${maxDigestQuestions} questions now.`
            : 'This answer is in it already.',
        ],
      })
      return { status: 'done', atOnce: modal, later: modal }
    }
    await finishForm(args, background, {
      what: 'scheduling an answer',
      work: (existingId === null ? scheduleNew() : addTo(existingId)).catch(error =>
        failedOutcome(error, formAgain),
      ),
      running: noticeModal(
        'Scheduling',
        'I am trying the statement. You may close this: my Home tab has the digest when it is done.',
      ),
      tell: said =>
        sendDirectMessage(client, person, `“${answered.question.text}” was not scheduled: ${said}`),
    })
  }
