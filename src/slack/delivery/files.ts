import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { CheckAudience } from '../../domain/access/access.ts'
import { SqlError, type SqlErrorClass } from '../../domain/errors.ts'
import type { LocatedQuestion, OutboundMessageLog } from '../../domain/message.ts'
import type { JobData } from '../../domain/operations/jobs.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { Chart } from '../../domain/result.ts'
import { truncateText } from '../block-kit/text.ts'
import { chartTitle, exportTexts } from '../copy/answer.ts'
import { formatCount, withNextStep } from '../copy/phrases.ts'
import type { AnswerUseCases } from '../use-cases.ts'
import { LONGEST_ERROR } from '../views/replies.ts'
import { slackErrorCode } from './client.ts'
import { sendEphemeral } from './private-messages.ts'

/** Errors that may be gone at the next attempt. Any other error of a database or a quota would come again. */
const transientErrors: ReadonlySet<SqlErrorClass> = new Set(['connection', 'cancelled'])

/** Uploads the whole result of an answer to its thread. Rejects if another attempt may succeed. */
type ExportToThread = (
  given: JobData['export'],
  attempt: { readonly signal: AbortSignal; readonly attempt: number; readonly lastAttempt: boolean },
) => Promise<void>

/** If there is no file, the person who asked for it is told privately. */
export const makeExportToThread =
  (deps: {
    readonly exportRows: AnswerUseCases['exportRows']
    readonly feedback: AnswerUseCases['feedback']
    readonly client: WebClient
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly audience: CheckAudience
    readonly outbound: Pick<OutboundMessageLog, 'claim' | 'markPosted'>
    readonly now: () => Date
    readonly log: Log
  }): ExportToThread =>
  async ({ questionId, person, channel, thread }, { signal, attempt, lastAttempt }) => {
    const notify = (text: string): Promise<void> =>
      sendEphemeral(deps.client, { channel, person, thread }, text).catch((error: unknown) =>
        // A notice that failed is no reason to make the file again.
        deps.log.warn({ error, questionId }, 'could not tell anyone about an export'),
      )
    try {
      const onSlow = (): void => {
        if (attempt === 1) void notify(exportTexts.slow)
      }
      const exported = await deps.exportRows(questionId, { person, signal, onSlow })
      if (!exported) return await notify(exportTexts.gone)
      if ('status' in exported) return await notify(withNextStep(exported))
      const rows = formatCount(exported.rows, 'row')
      const placed = await deps.findPlaced(questionId)
      if (!placed) return await notify(exportTexts.gone)
      const { audience: check } = deps
      const audience = await check(
        { team: placed.location.team, channel, database: placed.question.database },
        { isFresh: true },
      )
      const isForAll = audience.kind === 'everyone'
      const to = isForAll ? channel : (await deps.client.conversations.open({ users: person })).channel?.id
      if (to === undefined) throw new Error(`Slack opened no conversation with ${person}`)
      const uploaded: unknown = await deps.client.filesUploadV2({
        channel_id: to,
        ...(isForAll && { thread_ts: thread }),
        filename: exported.fileName,
        file: Buffer.from(exported.csv),
        initial_comment: exported.complete ? exportTexts.complete(rows) : exportTexts.cut(rows),
      } as Parameters<WebClient['filesUploadV2']>[0])
      if (isForAll) await rememberFile(deps, { questionId, channel, file: uploadedFileId(uploaded) })
      else await notify(exportTexts.sentToYou)
    } catch (error) {
      if (error instanceof SqlError && !transientErrors.has(error.errorClass))
        return await notify(exportTexts.failed(truncateText(error.message, LONGEST_ERROR)))
      if (lastAttempt) await notify(exportTexts.tryAgain)
      throw error
    }
    await deps
      .feedback({ questionId, person, feedback: { kind: 'export' } })
      .catch((error: unknown) => deps.log.warn({ error, questionId }, 'an export could not be counted'))
  }

/** In the log of posted messages, with its id behind it: a file of an answer's rows in its thread. */
export const fileStep = 'file-'

/** So that the file can be taken back when somebody joins who may not see it. */
export const rememberFile = async (
  {
    outbound,
    now,
  }: { readonly outbound: Pick<OutboundMessageLog, 'claim' | 'markPosted'>; readonly now: () => Date },
  {
    questionId,
    channel,
    file,
  }: { readonly questionId: string; readonly channel: string; readonly file: string },
): Promise<void> => {
  const step = `${fileStep}${file}`
  await outbound.claim({ questionId, step, channel, payload: {}, claimedAt: now() })
  await outbound.markPosted(questionId, step, file)
}

/** Deletes a file in Slack, unless it is gone. */
export const deleteFile = async (client: WebClient, file: string): Promise<void> => {
  try {
    await client.files.delete({ file })
  } catch (error) {
    if (!goneFileCodes.has(slackErrorCode(error) ?? '')) throw error
  }
}

const goneFileCodes: ReadonlySet<string> = new Set(['file_not_found', 'file_deleted'])

/** Uploads a picture and returns the id of its file. `to` shares it in a channel; without it no channel shows it. */
export const uploadChart = async (
  client: WebClient,
  { png, altText }: Chart,
  to: { readonly channel_id?: string; readonly thread_ts?: string } = {},
): Promise<string> => {
  const answer: unknown = await client.filesUploadV2({
    ...(to as object),
    file: Buffer.from(png),
    filename: 'chart.png',
    title: chartTitle,
    alt_text: altText.slice(0, 1_000),
  })
  return uploadedFileId(answer)
}

const UploadResponse = z.object({
  files: z.array(z.object({ files: z.array(z.object({ id: z.string() })).min(1) })).min(1),
})

/** The id of the one file in the response of `filesUploadV2`. */
export const uploadedFileId = (answer: unknown): string =>
  UploadResponse.parse(answer).files[0]?.files[0]?.id ?? ''

/** Slack takes a while to process a file; until then no image block may show it. */
const MAX_ATTEMPTS = 6

const FIRST_PAUSE_MS = 250

/** Slack's codes for a file that is not processed yet. */
const fileNotReadyCodes: ReadonlySet<string> = new Set(['invalid_blocks', 'slack_file_not_found'])

/** Updates a message with pictures as soon as Slack has processed them. False if Slack does not take them. */
export const updateWhenFilesReady = async (update: () => Promise<unknown>): Promise<boolean> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    try {
      await update()
      return true
    } catch (error) {
      if (!fileNotReadyCodes.has(slackErrorCode(error) ?? '')) throw error
      if (attempt < MAX_ATTEMPTS - 1) await sleep(FIRST_PAUSE_MS * 2 ** attempt)
    }
  }
  return false
}
