import type {
  AllMiddlewareArgs,
  BlockAction,
  SlackActionMiddlewareArgs,
  SlackViewMiddlewareArgs,
} from '@slack/bolt'
import type { View } from '@slack/types'
import { z } from 'zod'
import type { RevisionRequest } from '../../domain/answer-revision.ts'
import { feedbackReasons } from '../../domain/feedback.ts'
import { withNextStep } from '../copy/phrases.ts'
import { sendEphemeral } from '../delivery/private-messages.ts'
import type { AnswerUseCases, SlackUseCases } from '../use-cases.ts'
import { feedbackFormIds, feedbackModal } from '../views/feedback-modal.ts'
import { type Background, findSubmittedAnswer, isClickOnQuestion, readClick } from './clicks-and-forms.ts'
import { reviseFromForm } from './edit-sql.ts'

/** Bolt's types know no `feedback_buttons` action yet; its payload is read as what it must be. */
const VoteAction = z.object({ value: z.string().regex(/^(up|down):./) })

/**
 * A vote on an answer: the last vote of each person who can ask there counts, and the count is shown on the answer. A
 * person who finds it wrong can say why, pick another result or give the SQL.
 */
export const makeVoteClick =
  (
    {
      findAnswered,
      vote,
      otherResults,
      delivery,
    }: Pick<AnswerUseCases, 'findAnswered' | 'vote' | 'otherResults'> & Pick<SlackUseCases, 'delivery'>,
    background: Background,
  ) =>
  async ({
    ack,
    action,
    body,
    client,
  }: SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs): Promise<void> => {
    const given = VoteAction.safeParse(action)
    const click = readClick(body)
    if (given.success && click) {
      const [direction, questionId = ''] = given.data.value.split(/:(.*)/s)
      const answered = await findAnswered(questionId)
      if (answered && isClickOnQuestion(click, answered)) {
        const counted = await vote({
          questionId,
          person: click.person,
          vote: direction === 'up' ? 'up' : 'down',
        })
        if (counted !== null && 'status' in counted) {
          background.run('saying why a vote does not count', () =>
            sendEphemeral(client, click, withNextStep(counted)),
          )
          await ack()
          return
        }
        background.run('showing votes', () => delivery.refresh(questionId))
        if (direction === 'down') {
          // The vote counts even if the form cannot be opened.
          background.run('asking why', async () => {
            const view = feedbackModal({ questionId, others: await otherResults(questionId, click.person) })
            await client.views.open({ trigger_id: body.trigger_id, view: view as View })
          })
        }
      }
    }
    // Acknowledged only once the vote is stored: if that failed, Slack tells the person.
    await ack()
  }

/** The feedback form, submitted: the reason is stored; SQL or a picked result replaces the answer. */
export const makeFeedbackSubmitted =
  ({
    findAnswered,
    reviseAnswer,
    feedback,
  }: Pick<AnswerUseCases, 'findAnswered' | 'reviseAnswer' | 'feedback'>) =>
  async (args: SlackViewMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { ack, body, view } = args
    const answered = await findSubmittedAnswer(findAnswered, args)
    if (!answered) {
      await ack()
      return
    }
    const questionId = answered.question.id
    const person = body.user.id
    const { reason, sql, candidateId } = readFeedbackForm(view.state.values)
    const storeReason = async (): Promise<void> => {
      if (reason) await feedback({ questionId, person, feedback: { kind: 'reason', ...reason } })
    }
    const change: RevisionRequest['change'] | null =
      sql !== null
        ? { kind: 'sql', sql, evenIfHeavy: false }
        : candidateId !== null
          ? { kind: 'pick', candidateId }
          : null
    if (change === null) {
      await storeReason()
      await ack()
      return
    }
    await reviseFromForm(args, reviseAnswer, {
      request: { questionId, person, by: 'feedback', submission: view.id, change, reason },
      errorBlock: change.kind === 'sql' ? feedbackFormIds.sql : feedbackFormIds.other,
      question: answered.question.text,
      sql: sql ?? answered.sql,
      // The form that confirms an expensive query does not carry the fields of this one.
      onTooHeavy: storeReason,
    })
  }

type Values = SlackViewMiddlewareArgs['view']['state']['values']

const readFeedbackForm = (values: Values) => {
  const field = (block: string) => values[block]?.[feedbackFormIds.action]
  const text = (block: string): string | null => field(block)?.value?.trim() || null
  const chosen = (block: string): string | null => field(block)?.selected_option?.value ?? null
  const reason = chosen(feedbackFormIds.reason)
  const known = feedbackReasons.find(known => known === reason) ?? null
  const note = text(feedbackFormIds.note)
  return {
    reason: known === null && note === null ? null : { reason: known ?? ('other' as const), note },
    sql: text(feedbackFormIds.sql),
    candidateId: chosen(feedbackFormIds.other),
  }
}
