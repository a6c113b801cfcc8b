import type { SlackUseCases } from '../../use-cases.ts'
import type { ButtonClickArgs } from '../button-click-args.ts'
import { findClickedAnswer } from '../click-on-answer.ts'

/**
 * `Export CSV`: the whole result as a file in the thread. Reading and uploading may take longer than Slack waits, so a
 * job does it, stored before the click is acknowledged. A double click makes one file.
 */
export const makeExportCsvClick =
  ({ findAnswered, sendExport }: Pick<SlackUseCases, 'findAnswered' | 'sendExport'>) =>
  async ({ ack, action, body }: ButtonClickArgs): Promise<void> => {
    const on = await findClickedAnswer(findAnswered, body, action)
    if (on) {
      const { person, channel, thread } = on.click
      await sendExport({ questionId: on.answered.question.id, person, channel, thread })
    }
    await ack()
  }
