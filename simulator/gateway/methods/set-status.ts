import { z } from 'zod'
import type { Workspace } from '../../workspace.ts'
import { type ApiMethod, refuse } from '../api-method.ts'

const paramsSchema = z.object({
  channel_id: z.string(),
  thread_ts: z.string(),
  status: z.string().max(150),
  loading_messages: z.array(z.string()).max(10).optional(),
})

/** `assistant.threads.setStatus`: the line "querent is …" under a thread. */
export const makeSetStatus =
  ({ statuses }: Workspace): ApiMethod =>
  async params => {
    const read = paramsSchema.safeParse(params)
    if (!read.success) return refuse('invalid_arguments', [z.prettifyError(read.error)])
    statuses.set({ channel: read.data.channel_id, threadTs: read.data.thread_ts, text: read.data.status })
    return { ok: true }
  }
