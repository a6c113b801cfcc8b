import type {
  AllMiddlewareArgs,
  BlockAction,
  SlackActionMiddlewareArgs,
  StaticSelectAction,
} from '@slack/bolt'
import type { AnswerUseCases } from '../../answer-use-cases.ts'
import { isClickOnQuestion, readClick } from '../click.ts'
import { sendEphemeral } from '../tell-person.ts'

/**
 * `Change to…` beside an assumption: another reading of the question takes the place of the answer. Its rows may have to
 * be read again, so a job does it, stored before the click is acknowledged.
 */
export const makeChangeInterpretation =
  ({ findAnswered, reviseAnswer }: Pick<AnswerUseCases, 'findAnswered' | 'reviseAnswer'>) =>
  async ({
    ack,
    action,
    body,
    client,
  }: SlackActionMiddlewareArgs<BlockAction<StaticSelectAction>> & AllMiddlewareArgs): Promise<void> => {
    const [questionId = '', candidateId = ''] = (action.selected_option?.value ?? '').split(/:(.*)/s)
    const click = readClick(body)
    const answered = click && questionId ? await findAnswered(questionId) : null
    if (!click || !answered || !isClickOnQuestion(click, answered)) return ack()
    const refused = await reviseAnswer.click({
      questionId,
      person: click.person,
      by: 'reading',
      submission: action.action_ts,
      change: { kind: 'pick', candidateId },
      reason: null,
    })
    await ack()
    if (refused) await sendEphemeral(client, click, `${refused.reason} ${refused.nextStep}`)
  }
