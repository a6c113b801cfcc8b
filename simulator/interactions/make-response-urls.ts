import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { judgeMessage } from '../messaging/judge-message.ts'
import type { Messaging } from '../messaging/make-messaging.ts'
import { withBlockIds } from '../messaging/with-block-ids.ts'
import type { Block } from '../shapes/message.ts'
import type { Workspace } from '../workspace.ts'

/** The target of a `response_url`. */
interface Origin {
  readonly channel: string
  readonly threadTs: string | null
  readonly person: string
  /** The message that was clicked; null for a command. */
  readonly ts: string | null
}

/** Addresses at which the bot can respond to a click or a command, a few times and for a while. */
export interface ResponseUrls {
  issue(origin: Origin): string
  /** Handles what was sent to the address with this id. `status` is the HTTP status. */
  receive(id: string, body: string): Promise<{ readonly status: number; readonly text: string }>
}

const replySchema = z.looseObject({
  text: z.string().optional(),
  blocks: z.array(z.looseObject({ type: z.string() })).optional(),
  response_type: z.enum(['ephemeral', 'in_channel']).optional(),
  replace_original: z.union([z.boolean(), z.stringbool()]).optional(),
  delete_original: z.union([z.boolean(), z.stringbool()]).optional(),
  thread_ts: z.string().optional(),
})

export const makeResponseUrls = (workspace: Workspace, messaging: Messaging): ResponseUrls => {
  const { bot, timing, now, problems, callEmulator } = workspace
  const issued = new Map<string, { readonly origin: Origin; readonly until: number; uses: number }>()

  const post = async (origin: Origin, reply: z.infer<typeof replySchema>): Promise<void> => {
    const text = reply.text ?? ''
    const blocks = withBlockIds((reply.blocks ?? []) as readonly Block[])
    const threadTs = reply.thread_ts ?? origin.threadTs
    const said = {
      channel: origin.channel,
      text: text || ' ',
      blocks,
      ...(threadTs ? { thread_ts: threadTs } : {}),
    }
    const open = reply.response_type === 'in_channel'
    const answer = open
      ? await callEmulator('chat.postMessage', { ...said, bot_id: bot.botId }, bot.token)
      : await callEmulator('chat.postEphemeral', { ...said, user: origin.person }, bot.token)
    if (!answer.ok) throw new Error(`the emulator refused an answer to a response_url: ${answer.error}`)
    messaging.add({
      channel: origin.channel,
      ts: String(open ? answer.ts : answer.message_ts),
      threadTs,
      author: bot.id,
      byBot: true,
      text,
      blocks,
      onlyFor: open ? null : origin.person,
    })
  }

  const replace = async (channel: string, ts: string, reply: z.infer<typeof replySchema>): Promise<void> => {
    const blocks = withBlockIds((reply.blocks ?? []) as readonly Block[])
    const text = reply.text ?? ''
    // The emulator refuses to change ephemeral messages; they live in our record alone.
    if (workspace.messages.find(channel, ts)?.onlyFor === null) {
      await callEmulator('chat.update', { channel, ts, text: text || ' ', blocks }, bot.token)
    }
    messaging.change(channel, ts, 'response-url', { text, blocks, edited: true })
  }

  const remove = async (channel: string, ts: string): Promise<void> => {
    await callEmulator('chat.delete', { channel, ts }, bot.token)
    messaging.change(channel, ts, 'delete', { deleted: true, text: '', blocks: [] })
  }

  return {
    issue: origin => {
      const id = randomBytes(12).toString('hex')
      issued.set(id, { origin, until: now().getTime() + timing.responseUrlLasts, uses: 0 })
      return `${workspace.url}/actions/${id}`
    },
    receive: async (id, body) => {
      const found = issued.get(id)
      if (!found || found.until < now().getTime()) return { status: 404, text: 'expired_url' }
      if (found.uses >= timing.responseUrlUses) return { status: 404, text: 'used_url' }
      found.uses += 1
      const { origin } = found
      const reply = replySchema.parse(JSON.parse(body))
      if (reply.delete_original === true && origin.ts) {
        await remove(origin.channel, origin.ts)
        return { status: 200, text: 'ok' }
      }
      const judged = judgeMessage(reply, workspace.files)
      if (judged.problems.length > 0) {
        problems.add({ at: now().getTime(), method: 'response_url', ...judged, sent: reply })
      }
      if (judged.error) return { status: 400, text: judged.error }
      if (reply.replace_original === true && origin.ts) await replace(origin.channel, origin.ts, reply)
      else await post(origin, reply)
      return { status: 200, text: 'ok' }
    },
  }
}
