import type { View } from '@slack/types'
import { maxDigestQuestions } from '../../../core/digest.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import { scheduleModal } from '../../views/schedule-modal.ts'
import type { ButtonClickArgs } from '../button-click-args.ts'
import { findClickedAnswer } from '../click-on-answer.ts'
import { findTimeZone } from '../zone-of-person.ts'

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
