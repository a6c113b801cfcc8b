import type { AllMiddlewareArgs, BlockAction, OverflowAction, SlackActionMiddlewareArgs } from '@slack/bolt'
import type { View } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { AnsweredQuestion } from '../../../core/answered-question.ts'
import type { AnswerUseCases } from '../../answer-use-cases.ts'
import { moreChoices } from '../../views/answer-actions.ts'
import { howModal } from '../../views/how-modal.ts'
import type { Background } from '../background.ts'
import { type Click, isClickOn, readClick } from '../click.ts'
import { tellPerson } from '../tell-person.ts'

type Deps = Pick<
  AnswerUseCases,
  'findAnswered' | 'findTrace' | 'chooseLook' | 'showAnswer' | 'proposeVerified' | 'askHuman' | 'feedback'
>

const chosen = z.object({ choice: z.enum(moreChoices), questionId: z.string().min(1) })

/** The overflow menu of an answer. */
export const makeMore =
  (deps: Deps, background: Background) =>
  async ({
    ack,
    action,
    body,
    client,
  }: SlackActionMiddlewareArgs<BlockAction<OverflowAction>> & AllMiddlewareArgs): Promise<void> => {
    await ack()
    const [word, id] = (action.selected_option?.value ?? '').split(/:(.*)/s)
    const read = chosen.safeParse({ choice: word, questionId: id })
    const click = readClick(body)
    const answered = click && read.success ? await deps.findAnswered(read.data.questionId) : null
    if (!click || !answered || !read.success || !isClickOn(click, answered)) return
    const { choice, questionId } = read.data
    switch (choice) {
      case 'how': {
        const trace = await deps.findTrace(questionId, click.person)
        if (trace && 'status' in trace) {
          await tellPerson(client, click, `${trace.reason} ${trace.nextStep}`)
          return
        }
        const view = howModal(answered, trace)
        await client.views.open({ trigger_id: body.trigger_id, view: view as View })
        return
      }
      case 'chart':
      case 'table':
        await deps.chooseLook(questionId, choice)
        background.run('showing an answer in another way', () => deps.showAnswer(questionId))
        return
      case 'verify':
        background.run('saving a verified query', () => verify(deps, client, click, answered))
        return
      case 'human':
        await tellPerson(client, click, sayAsked(await deps.askHuman({ questionId, person: click.person })))
        return
      default: {
        const never: never = choice
        return never
      }
    }
  }

type Asked = Awaited<ReturnType<AnswerUseCases['askHuman']>>

const sayAsked = (reply: Asked): string =>
  typeof reply === 'string' ? asked[reply] : `${reply.reason} ${reply.nextStep}`

const asked: Record<Extract<Asked, string>, string> = {
  asked: 'I passed it on. Whoever looks at it answers in this thread.',
  already: 'It was passed on before: the decision comes into this thread, or is there already.',
  nobody: 'Nobody is there to ask: an admin can name a channel as `slack.humansChannel` in querent.yml.',
  gone: 'This answer is no longer kept. Ask the question again.',
}

const verify = async (
  { proposeVerified, feedback }: Deps,
  client: WebClient,
  click: Click,
  { question }: AnsweredQuestion,
): Promise<void> => {
  const { person } = click
  const saved = await proposeVerified({ questionId: question.id, person })
  switch (saved.status) {
    case 'saved':
      await tellPerson(
        client,
        click,
        `Saved as a proposal. Once an admin accepts it (\`querent verified accept ${saved.query.id.slice(0, 8)}\`), questions like this one are answered from it.`,
      )
      await feedback({ questionId: question.id, person, feedback: { kind: 'verification' } })
      return
    case 'taken':
      return tellPerson(client, click, 'This question has a verified query already.')
    case 'unfit':
      return tellPerson(client, click, `It cannot be saved: ${saved.reason}`)
    case 'gone':
      return tellPerson(client, click, 'This answer is no longer kept. Ask the question again.')
    default: {
      const never: never = saved
      return never
    }
  }
}
