import type { AnswerUseCases } from '../../answer-use-cases.ts'
import type { Background } from '../background.ts'
import type { ButtonClickArgs } from '../button-click-args.ts'
import { clickOnAnswer } from '../click-on-answer.ts'
import { tellPerson } from '../tell-person.ts'

/** `Export CSV`: the whole result as a file in the thread. Reading and uploading may take longer than Slack waits. */
export const makeExportCsv =
  (
    { findAnswered, exportRows, feedback }: Pick<AnswerUseCases, 'findAnswered' | 'exportRows' | 'feedback'>,
    background: Background,
  ) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    await ack()
    const on = await clickOnAnswer(findAnswered, body, action)
    if (!on) return
    const { click, answered } = on
    const questionId = answered.question.id
    background.run('exporting rows', async () => {
      // That it takes longer is worth saying, but no reason to fail.
      const onSlow = (): void =>
        background.run('telling of an export', () =>
          tellPerson(
            client,
            click,
            'Reading the whole result from the database. The file comes into this thread.',
          ),
        )
      try {
        const exported = await exportRows(questionId, { person: click.person, onSlow })
        if (!exported) {
          await tellPerson(
            client,
            click,
            'The rows of this answer are no longer kept. Ask the question again.',
          )
          return
        }
        if ('status' in exported) {
          await tellPerson(client, click, `${exported.reason} ${exported.nextStep}`)
          return
        }
        const rows = `${exported.rows.toLocaleString('en-US')} ${exported.rows === 1 ? 'row' : 'rows'}`
        await client.filesUploadV2({
          channel_id: click.channel,
          thread_ts: click.thread,
          filename: exported.fileName,
          file: Buffer.from(exported.csv),
          initial_comment: exported.complete
            ? `${rows}, all there are.`
            : `The first ${rows}: the result is larger than one file may be. Narrow the question, or ask an admin for a higher \`export.maxRows\`.`,
        })
        await feedback({ questionId, person: click.person, feedback: { kind: 'export' } })
      } catch (error) {
        await tellPerson(client, click, 'The file could not be made. Try again in a moment.')
        throw error
      }
    })
  }
