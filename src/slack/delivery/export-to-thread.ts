import type { WebClient } from '@slack/web-api'
import type { JobData } from '../../core/job.ts'
import type { Log } from '../../core/log.ts'
import { SqlError, type SqlErrorClass } from '../../core/sql-error.ts'
import type { AnswerUseCases } from '../answer-use-cases.ts'
import { truncateText } from '../cut-text.ts'
import { sendEphemeral } from '../listeners/tell-person.ts'

/** Errors of a database may be long and may quote data; this much of one is shown. */
const LONGEST_REASON = 500

/** What may be gone at the next attempt. Everything else that a database or a budget says, it says again. */
const transientErrors: ReadonlySet<SqlErrorClass> = new Set(['connection', 'cancelled'])

/** Uploads the whole result of an answer into its thread. Rejects where another attempt may do better. */
export type ExportToThread = (
  given: JobData['export'],
  attempt: { readonly signal: AbortSignal; readonly attempt: number; readonly lastAttempt: boolean },
) => Promise<void>

/** Makes it. Whoever asked for the file is told alone where there is none. */
export const makeExportToThread =
  (deps: {
    readonly exportRows: AnswerUseCases['exportRows']
    readonly feedback: AnswerUseCases['feedback']
    readonly client: WebClient
    readonly log: Log
  }): ExportToThread =>
  async ({ questionId, person, channel, thread }, { signal, attempt, lastAttempt }) => {
    const tell = (text: string): Promise<void> =>
      sendEphemeral(deps.client, { channel, person, thread }, text).catch((error: unknown) =>
        // A word alone is no reason to make the file again.
        deps.log.warn({ error, questionId }, 'nobody could be told of an export'),
      )
    try {
      const onSlow = (): void => {
        if (attempt === 1)
          void tell('Reading the whole result from the database. The file comes into this thread.')
      }
      const exported = await deps.exportRows(questionId, { person, signal, onSlow })
      if (!exported) return await tell('The rows of this answer are no longer kept. Ask the question again.')
      if ('status' in exported) return await tell(`${exported.reason} ${exported.nextStep}`)
      const rows = `${exported.rows.toLocaleString('en-US')} ${exported.rows === 1 ? 'row' : 'rows'}`
      await deps.client.filesUploadV2({
        channel_id: channel,
        thread_ts: thread,
        filename: exported.fileName,
        file: Buffer.from(exported.csv),
        initial_comment: exported.complete
          ? `${rows}, all there are.`
          : `The first ${rows}: the result is larger than one file may be. Narrow the question, or ask an admin for a higher \`export.maxRows\`.`,
      })
    } catch (error) {
      if (error instanceof SqlError && !transientErrors.has(error.errorClass))
        return await tell(`The file could not be made. ${truncateText(error.message, LONGEST_REASON)}`)
      if (lastAttempt) await tell('The file could not be made. Try again in a moment.')
      throw error
    }
    await deps
      .feedback({ questionId, person, feedback: { kind: 'export' } })
      .catch((error: unknown) => deps.log.warn({ error, questionId }, 'an export could not be counted'))
  }
