import { z } from 'zod'
import { checkBlocks } from '../../../src/slack/block-kit/blocks.ts'
import { slackLimits } from '../../../src/slack/block-kit/schema.ts'
import type { Messaging } from '../../messaging/make-messaging.ts'
import { withBlockIds } from '../../messaging/with-block-ids.ts'
import type { Block, RecordedMessage } from '../../shapes/message.ts'
import type { Workspace } from '../../workspace.ts'
import { type ApiMethod, type ApiParams, refuse } from '../api-method.ts'
import { emptyStream, growStream, type StreamChunk, streamChunk } from './grow-stream.ts'
import { isStreaming } from './is-streaming.ts'

/** `chat.startStream`, `chat.appendStream` and `chat.stopStream`: a message that grows until it is stopped or expires. */
export const makeStreams = (
  workspace: Workspace,
  messaging: Messaging,
): { readonly start: ApiMethod; readonly append: ApiMethod; readonly stop: ApiMethod } => {
  const { bot, messages, timing, timers } = workspace

  const note = (method: string, error: string, problems: readonly string[], sent: unknown) => {
    workspace.problems.add({ at: workspace.now().getTime(), method, error, problems, sent })
    return refuse(error, problems)
  }

  const store = (message: RecordedMessage, extra: ApiParams = {}) =>
    workspace.callEmulator(
      'chat.update',
      { channel: message.channel, ts: message.ts, text: message.text || '…', ...extra },
      bot.token,
    )

  /** The streaming message of a call, or why there is none. */
  const findOpen = (params: ApiParams): RecordedMessage | string => {
    const message = messages.find(String(params.channel), String(params.ts))
    if (!message || message.deleted) return 'message_not_found'
    return isStreaming(message, workspace) ? message : 'message_not_in_streaming_state'
  }

  const start: ApiMethod = async params => {
    const channel = workspace.channels.find(channel => channel.id === params.channel)
    if (!channel) return refuse('channel_not_found')
    if (typeof params.thread_ts !== 'string') return refuse('invalid_arguments', ['thread_ts is needed'])
    if (channel.kind === 'channel') {
      if (!params.recipient_team_id) return refuse('missing_recipient_team_id')
      if (!params.recipient_user_id) return refuse('missing_recipient_user_id')
    }
    const read = readChunks(params)
    if ('error' in read) return note('chat.startStream', read.error, read.problems, params)
    const stream = growStream(emptyStream, read.chunks)
    const blocks = withBlockIds(read.blocks)
    const posted = { channel: channel.id, thread_ts: params.thread_ts, bot_id: bot.botId }
    const stored = await workspace.callEmulator(
      'chat.postMessage',
      { ...posted, text: stream.markdown || '…', ...(blocks.length > 0 ? { blocks } : {}) },
      bot.token,
    )
    if (!stored.ok) return stored
    const message = messaging.add({
      channel: channel.id,
      ts: String(stored.ts),
      threadTs: params.thread_ts,
      author: bot.id,
      byBot: true,
      text: stream.markdown,
      blocks,
      stream,
    })
    timers.later(timing.streamLasts, () => {
      const now = messages.find(message.channel, message.ts)
      if (now?.stream?.state !== 'streaming') return
      messaging.change(now.channel, now.ts, 'stream', { stream: { ...now.stream, state: 'expired' } })
    })
    return { ok: true, channel: channel.id, ts: message.ts }
  }

  const append: ApiMethod = async params => {
    const found = findOpen(params)
    if (typeof found === 'string') return refuse(found)
    const read = readChunks(params)
    if ('error' in read) return note('chat.appendStream', read.error, read.problems, params)
    const stream = growStream(found.stream ?? emptyStream, read.chunks)
    const message = messaging.change(found.channel, found.ts, 'stream', {
      stream,
      text: stream.markdown,
      blocks: [...found.blocks, ...withBlockIds(read.blocks)],
    })
    if (message) await store(message, { blocks: message.blocks })
    return { ok: true, channel: found.channel, ts: found.ts }
  }

  const stop: ApiMethod = async params => {
    const found = findOpen(params)
    if (typeof found === 'string') return refuse(found)
    const read = readChunks(params)
    if ('error' in read) return note('chat.stopStream', read.error, read.problems, params)
    const problems = checkBlocks(params.blocks ?? [], slackLimits.blocksPerMessage)
    if (problems.length > 0) return note('chat.stopStream', 'invalid_blocks', problems, params)
    const stream = growStream(found.stream ?? emptyStream, read.chunks)
    const last = (params.blocks ?? []) as readonly Block[]
    const message = messaging.change(found.channel, found.ts, 'stream', {
      stream: { ...stream, state: 'stopped' },
      text: stream.markdown,
      blocks: [...found.blocks, ...withBlockIds([...read.blocks, ...last])],
      ...(params.metadata === undefined ? {} : { metadata: params.metadata }),
    })
    const metadata = params.metadata === undefined ? {} : { metadata: params.metadata }
    if (message) await store(message, { blocks: message.blocks, ...metadata })
    return { ok: true, channel: found.channel, ts: found.ts, message: { text: stream.markdown } }
  }

  return { start, append, stop }
}

/** The new chunks of a call, whether they came as text or as chunks. */
const readChunks = (
  params: ApiParams,
):
  | { readonly chunks: readonly StreamChunk[]; readonly blocks: readonly Block[] }
  | { readonly error: string; readonly problems: readonly string[] } => {
  const text = params.markdown_text
  if (typeof text === 'string' && text.length > slackLimits.markdownText) {
    return { error: 'msg_too_long', problems: [`markdown_text: longer than ${slackLimits.markdownText}`] }
  }
  const parsed = z.array(streamChunk).safeParse(params.chunks ?? [])
  if (!parsed.success) {
    const problems = parsed.error.issues.map(issue => `chunks.${issue.path.join('.')}: ${issue.message}`)
    return { error: 'invalid_chunks', problems }
  }
  const blocks = parsed.data.flatMap(chunk => (chunk.type === 'blocks' ? chunk.blocks : [])) as Block[]
  const problems = checkBlocks(blocks, slackLimits.blocksPerMessage)
  if (problems.length > 0) return { error: 'invalid_blocks', problems }
  return {
    chunks: [...(typeof text === 'string' ? [{ type: 'markdown_text' as const, text }] : []), ...parsed.data],
    blocks,
  }
}
