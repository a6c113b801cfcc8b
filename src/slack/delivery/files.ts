import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { SqlError, type SqlErrorClass } from '../../domain/errors.ts'
import type { JobData } from '../../domain/operations/jobs.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { Chart } from '../../domain/result.ts'
import { truncateText } from '../block-kit/text.ts'
import type { AnswerUseCases } from '../use-cases.ts'
import { sendEphemeral } from './private-messages.ts'
import { slackErrorCode } from './slack-errors.ts'

/** Errors of a database may be long and may quote data; this much of one is shown. */
const LONGEST_REASON = 500

/** What may be gone at the next attempt. Everything else that a database or a budget says, it says again. */
const transientErrors: ReadonlySet<SqlErrorClass> = new Set(['connection', 'cancelled'])

/** Uploads the whole result of an answer into its thread. Rejects where another attempt may do better. */
type ExportToThread = (
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

/** Uploads a picture and returns the id of its file; `to` shares it somewhere, without it no channel shows it. */
export const uploadChart = async (
  client: WebClient,
  { png, altText }: Chart,
  to: { readonly channel_id?: string; readonly thread_ts?: string } = {},
): Promise<string> => {
  const answer: unknown = await client.filesUploadV2({
    ...(to as object),
    file: Buffer.from(png),
    filename: 'chart.png',
    title: 'Chart',
    alt_text: altText.slice(0, 1_000),
  })
  return uploadedFileId(answer)
}

const UploadResponse = z.object({
  files: z.array(z.object({ files: z.array(z.object({ id: z.string() })).min(1) })).min(1),
})

/** The id of the one file that `filesUploadV2` answers with. */
export const uploadedFileId = (answer: unknown): string =>
  UploadResponse.parse(answer).files[0]?.files[0]?.id ?? ''

/** Slack takes a while to process a file; until then no image block may show it. */
const MOST_TRIES = 6

const FIRST_PAUSE_MS = 250

/** Slack's ways to say that the file is not there yet. */
const fileNotReadyCodes: ReadonlySet<string> = new Set(['invalid_blocks', 'slack_file_not_found'])

/** Puts a message with pictures in its place, as soon as Slack has processed them. False when it does not take them. */
export const updateWhenFilesReady = async (update: () => Promise<unknown>): Promise<boolean> => {
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    try {
      await update()
      return true
    } catch (error) {
      if (!fileNotReadyCodes.has(slackErrorCode(error) ?? '')) throw error
      if (attempt < MOST_TRIES - 1) await sleep(FIRST_PAUSE_MS * 2 ** attempt)
    }
  }
  return false
}
