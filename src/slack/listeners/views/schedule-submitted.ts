import type { AllMiddlewareArgs, SlackViewMiddlewareArgs } from '@slack/bolt'
import { maxDigestQuestions } from '../../../core/digest.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import { digestFormIds } from '../../views/digest-form.ts'
import { noticeModal } from '../../views/notice-modal.ts'
import { findField, readDigestFields, readDigestForm } from '../../views/read-digest-form.ts'
import { scheduleModal } from '../../views/schedule-modal.ts'
import { digestSavedModal } from '../../views/scheduled-modal.ts'
import type { Background } from '../background.ts'
import { failedOutcome, refusedOutcome } from '../digest-form-outcome.ts'
import { findDigest } from '../find-digest.ts'
import { type FormOutcome, finishForm } from '../finish-in-modal.ts'
import { findSubmittedAnswer } from '../on-submitted-answer.ts'
import { sendDirectMessage } from '../tell-directly.ts'

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
