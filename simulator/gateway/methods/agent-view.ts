import { z } from 'zod'
import { slackLimits } from '../../../src/slack/block-kit/schema.ts'
import type { Workspace } from '../../workspace.ts'
import { type ApiMethod, refuse } from '../api-method.ts'

const promptsSchema = z.object({
  channel_id: z.string(),
  thread_ts: z.string().optional(),
  title: z.string().optional(),
  prompts: z
    .array(z.object({ title: z.string().min(1), message: z.string().min(1) }))
    .min(1)
    .max(slackLimits.suggestedPrompts),
})

const titleSchema = z.object({
  channel_id: z.string(),
  thread_ts: z.string(),
  title: z.string().min(1).max(slackLimits.threadTitle),
})

/** `assistant.threads.setSuggestedPrompts` and `assistant.threads.setTitle`, for direct messages with the bot. */
export const makeAgentViewMethods = ({
  agentView,
  channels,
  messages,
}: Workspace): { readonly suggest: ApiMethod; readonly name: ApiMethod } => {
  const isDirect = (id: string): boolean => channels.some(one => one.id === id && one.kind === 'direct')

  return {
    suggest: async params => {
      const read = promptsSchema.safeParse(params)
      if (!read.success) return refuse('invalid_arguments', [z.prettifyError(read.error)])
      const { channel_id: channel, thread_ts: thread, title = null, prompts } = read.data
      if (!isDirect(channel)) return refuse('channel_not_found')
      // Slack says that a call for a thread fails silently for an agent.
      if (thread === undefined) agentView.suggest({ channel, title, prompts })
      return { ok: true }
    },
    name: async params => {
      const read = titleSchema.safeParse(params)
      if (!read.success) return refuse('invalid_arguments', [z.prettifyError(read.error)])
      const { channel_id: channel, thread_ts: threadTs, title } = read.data
      if (!isDirect(channel)) return refuse('channel_not_found')
      if (!messages.find(channel, threadTs)) return refuse('invalid_thread_ts')
      agentView.name({ channel, threadTs, title })
      return { ok: true }
    },
  }
}
