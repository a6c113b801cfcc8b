import { z } from 'zod'
import type { Messaging } from '../../messaging/make-messaging.ts'
import type { SharedFile } from '../../shapes/message.ts'
import type { Workspace } from '../../workspace.ts'
import type { ApiMethod } from '../api-method.ts'

const share = z.record(z.string(), z.array(z.looseObject({ ts: z.string() })))

const storedFile = z.looseObject({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  mimetype: z.string(),
  size: z.number(),
  url_private: z.string(),
  shares: z.object({ public: share.optional(), private: share.optional() }).optional(),
})

/**
 * `files.completeUploadExternal`: the emulator has the file at once, but like Slack we answer before it is processed;
 * the message with it appears when that is done.
 */
export const makeCompleteUpload =
  (workspace: Workspace, messaging: Messaging): ApiMethod =>
  async params => {
    const { bot, timing, timers } = workspace
    const answer = await workspace.callEmulator('files.completeUploadExternal', params, bot.token)
    if (!answer.ok) return answer
    const stored = z.array(storedFile).parse(answer.files)
    const readyAt = workspace.now().getTime() + timing.fileProcessing
    for (const file of stored) {
      workspace.files.add({ ...shown(file), readyAt, path: new URL(file.url_private).pathname })
    }
    const channel = typeof params.channel_id === 'string' ? params.channel_id : null
    const ts = channel ? findShare(stored[0], channel) : null
    if (channel && ts) {
      const appear = (): void => {
        messaging.add({
          channel,
          ts,
          threadTs: typeof params.thread_ts === 'string' ? params.thread_ts : null,
          author: bot.id,
          byBot: true,
          text: String(params.initial_comment ?? ''),
          blocks: [],
          files: stored.map(shown),
        })
      }
      if (timing.fileProcessing > 0) timers.later(timing.fileProcessing, appear)
      else appear()
    }
    return answer
  }

const shown = ({ id, name, title, mimetype, size }: z.infer<typeof storedFile>): SharedFile => ({
  id,
  name,
  title,
  mimetype,
  size,
})

const findShare = (file: z.infer<typeof storedFile> | undefined, channel: string): string | null => {
  const shares = { ...file?.shares?.private, ...file?.shares?.public }
  return shares[channel]?.at(-1)?.ts ?? null
}
