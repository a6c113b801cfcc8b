import type { AllMiddlewareArgs, BlockAction, OverflowAction, SlackActionMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { AnsweredQuestion } from '../../domain/answer.ts'
import { answerGoneText, saveAsVerifiedTexts } from '../copy/answer.ts'
import { reviewReplies } from '../copy/answer-actions.ts'
import { withNextStep } from '../copy/phrases.ts'
import { sendEphemeral } from '../delivery/private-messages.ts'
import type { AnswerUseCases } from '../use-cases.ts'
import { menuChoices } from '../views/answer.ts'
import { traceModal } from '../views/trace-modal.ts'
import { type Background, type Click, isClickOnQuestion, readClick } from './clicks-and-forms.ts'

type Deps = Pick<
  AnswerUseCases,
  | 'findAnswered'
  | 'findRefusal'
  | 'findTrace'
  | 'chooseDisplay'
  | 'showAnswer'
  | 'proposeVerified'
  | 'requestReview'
  | 'feedback'
>

const MenuSelection = z.object({ choice: z.enum(menuChoices), questionId: z.string().min(1) })

/** The overflow menu of an answer. */
export const makeAnswerMenuListener =
  (deps: Deps, background: Background) =>
  async ({
    ack,
    action,
    body,
    client,
  }: SlackActionMiddlewareArgs<BlockAction<OverflowAction>> & AllMiddlewareArgs): Promise<void> => {
    await ack()
    const [word, id] = (action.selected_option?.value ?? '').split(/:(.*)/s)
    const selection = MenuSelection.safeParse({ choice: word, questionId: id })
    const click = readClick(body)
    const answered = click && selection.success ? await deps.findAnswered(selection.data.questionId) : null
    if (!click || !answered || !selection.success || !isClickOnQuestion(click, answered)) return
    const { choice, questionId } = selection.data
    switch (choice) {
      case 'how': {
        const trace = await deps.findTrace(questionId, click.person)
        if (trace && 'status' in trace) {
          await sendEphemeral(client, click, withNextStep(trace))
          return
        }
        const view = traceModal(answered, trace)
        await client.views.open({ trigger_id: body.trigger_id, view: view as View })
        return
      }
      case 'chart':
      case 'table': {
        const refused = await deps.findRefusal(questionId, click.person)
        if (refused) {
          await sendEphemeral(client, click, withNextStep(refused))
          return
        }
        await deps.chooseDisplay(questionId, choice)
        background.run('showing an answer in another way', () => deps.showAnswer(questionId))
        return
      }
      case 'verify':
        background.run('saving a verified query', () => saveVerified(deps, client, click, answered))
        return
      case 'human':
        await sendEphemeral(
          client,
          click,
          formatReviewReply(await deps.requestReview({ questionId, person: click.person })),
        )
        return
      default: {
        const never: never = choice
        return never
      }
    }
  }

type ReviewReply = Awaited<ReturnType<AnswerUseCases['requestReview']>>

const formatReviewReply = (reply: ReviewReply): string => {
  if (typeof reply !== 'string') return withNextStep(reply)
  return reply === 'gone' ? answerGoneText : reviewReplies[reply]
}

const saveVerified = async (
  { proposeVerified, feedback }: Deps,
  client: WebClient,
  click: Click,
  { question }: AnsweredQuestion,
): Promise<void> => {
  const { person } = click
  const saved = await proposeVerified({ questionId: question.id, person })
  switch (saved.status) {
    case 'saved':
      await sendEphemeral(client, click, saveAsVerifiedTexts.saved(saved.query.id.slice(0, 8)))
      await feedback({ questionId: question.id, person, feedback: { kind: 'verification' } })
      return
    case 'taken':
      return sendEphemeral(client, click, saveAsVerifiedTexts.taken)
    case 'unfit':
      return sendEphemeral(client, click, saveAsVerifiedTexts.unfit(saved.reason))
    case 'gone':
      return sendEphemeral(client, click, answerGoneText)
    default: {
      const never: never = saved
      return never
    }
  }
}
