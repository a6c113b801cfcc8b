import type { AllMiddlewareArgs, BlockAction, ButtonAction, SlackActionMiddlewareArgs } from '@slack/bolt'
import type { SlackUseCases } from '../../use-cases.ts'
import type { Background } from '../background.ts'
import { clickOnAnswer } from '../click-on-answer.ts'

/** `Export CSV`: the whole result as a file in the thread. Uploading may take longer than Slack waits for a click. */
export const makeExportCsv =
  (
    { findAnswered, exportRows }: Pick<SlackUseCases, 'findAnswered' | 'exportRows'>,
    background: Background,
  ) =>
  async ({
    ack,
    action,
    body,
    client,
  }: SlackActionMiddlewareArgs<BlockAction<ButtonAction>> & AllMiddlewareArgs): Promise<void> => {
    await ack()
    const on = await clickOnAnswer(findAnswered, body, action)
    if (!on) return
    const { click, answered } = on
    background.run('exporting rows', async () => {
      const exported = await exportRows(answered.question.id)
      if (!exported) {
        await client.chat.postEphemeral({
          channel: click.channel,
          user: click.person,
          thread_ts: click.thread,
          text: 'The rows of this answer are no longer kept. Ask the question again to export them.',
        })
        return
      }
      const rows = `${exported.rows.toLocaleString('en-US')} ${exported.rows === 1 ? 'row' : 'rows'}`
      await client.filesUploadV2({
        channel_id: click.channel,
        thread_ts: click.thread,
        filename: exported.fileName,
        content: exported.csv,
        initial_comment: exported.complete ? `${rows}.` : `The first ${rows}: the result was larger.`,
      })
    })
  }
