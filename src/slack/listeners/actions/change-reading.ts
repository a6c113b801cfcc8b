import type {
  AllMiddlewareArgs,
  BlockAction,
  SlackActionMiddlewareArgs,
  StaticSelectAction,
} from '@slack/bolt'
import type { AnswerUseCases } from '../../answer-use-cases.ts'
import type { Background } from '../background.ts'
import { isClickOn, readClick } from '../click.ts'
import { sayNotRevised } from '../say-revised.ts'
import { tellPerson } from '../tell-person.ts'

/** `Change to…` beside an assumption: another reading of the question takes the place of the answer. */
export const makeChangeReading =
  (
    {
      findAnswered,
      pickResult,
      feedback,
      showAnswer,
    }: Pick<AnswerUseCases, 'findAnswered' | 'pickResult' | 'feedback' | 'showAnswer'>,
    background: Background,
  ) =>
  async ({
    ack,
    action,
    body,
    client,
  }: SlackActionMiddlewareArgs<BlockAction<StaticSelectAction>> & AllMiddlewareArgs): Promise<void> => {
    await ack()
    const [questionId = '', candidateId = ''] = (action.selected_option?.value ?? '').split(/:(.*)/s)
    const click = readClick(body)
    const answered = click && questionId ? await findAnswered(questionId) : null
    if (!click || !answered || !isClickOn(click, answered)) return
    background.run('changing a reading', async () => {
      const { person } = click
      const request = `reading ${action.action_ts}`
      const revised = await pickResult({ questionId, candidateId, person, request })
      const problem = sayNotRevised(revised)
      if (problem !== null) return tellPerson(client, click, problem)
      await showAnswer(questionId)
      if (revised.status === 'revised') {
        const { groupKey } = revised
        await feedback({ questionId, person, feedback: { kind: 'alternative', groupKey } })
      }
    })
  }
