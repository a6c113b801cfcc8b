import type { AllMiddlewareArgs, BlockAction, OverflowAction, SlackActionMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { AnsweredQuestion } from '../../domain/answer.ts'
import { sendEphemeral } from '../delivery/private-messages.ts'
import type { AnswerUseCases } from '../use-cases.ts'
import { menuChoices } from '../views/answer.ts'
import { traceModal } from '../views/trace-modal.ts'
import type { Background } from './background.ts'
import { type Click, isClickOnQuestion, readClick } from './clicks.ts'

type Deps = Pick<
  AnswerUseCases,
  | 'findAnswered'
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
    const read = MenuSelection.safeParse({ choice: word, questionId: id })
    const click = readClick(body)
    const answered = click && read.success ? await deps.findAnswered(read.data.questionId) : null
    if (!click || !answered || !read.success || !isClickOnQuestion(click, answered)) return
    const { choice, questionId } = read.data
    switch (choice) {
      case 'how': {
        const trace = await deps.findTrace(questionId, click.person)
        if (trace && 'status' in trace) {
          await sendEphemeral(client, click, `${trace.reason} ${trace.nextStep}`)
          return
        }
        const view = traceModal(answered, trace)
        await client.views.open({ trigger_id: body.trigger_id, view: view as View })
        return
      }
      case 'chart':
      case 'table':
        await deps.chooseDisplay(questionId, choice)
        background.run('showing an answer in another way', () => deps.showAnswer(questionId))
        return
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

const formatReviewReply = (reply: ReviewReply): string =>
  typeof reply === 'string' ? reviewReplies[reply] : `${reply.reason} ${reply.nextStep}`

const reviewReplies: Record<Extract<ReviewReply, string>, string> = {
  asked: 'I passed it on. Whoever looks at it answers in this thread.',
  already: 'It was passed on before: the decision comes into this thread, or is there already.',
  nobody: 'Nobody is there to ask: an admin can name a channel as `slack.humansChannel` in querent.yml.',
  gone: 'This answer is no longer kept. Ask the question again.',
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
      await sendEphemeral(
        client,
        click,
        `Saved as a proposal. Once an admin accepts it (\`querent verified accept ${saved.query.id.slice(0, 8)}\`), questions like this one are answered from it.`,
      )
      await feedback({ questionId: question.id, person, feedback: { kind: 'verification' } })
      return
    case 'taken':
      return sendEphemeral(client, click, 'This question has a verified query already.')
    case 'unfit':
      return sendEphemeral(client, click, `It cannot be saved: ${saved.reason}`)
    case 'gone':
      return sendEphemeral(client, click, 'This answer is no longer kept. Ask the question again.')
    default: {
      const never: never = saved
      return never
    }
  }
}
