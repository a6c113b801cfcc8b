import type { z } from 'zod'
import { QuerentError } from '../core/errors.ts'
import type { ChatMessage, RawReply } from './call-model.ts'
import type { RenderPrompt } from './prompts.ts'
import { type ReadReply, readReply } from './read-reply.ts'

/** What a conversation is about: its messages, and what the reply must be. */
export interface Conversation<T> {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly schema: z.ZodType<T>
  /** The same schema in JSON Schema's words, for an author who got it wrong. */
  readonly schemaText: string
}

/** A malformed reply is quoted to its author up to here. */
const maxQuotedLength = 8_000

/** Asks, and asks once more when the reply is not what was asked for. Throws `model-failed` after that. */
export const converse = async <T>(
  conversation: Conversation<T>,
  send: (messages: readonly ChatMessage[]) => Promise<RawReply>,
  renderPrompt: RenderPrompt,
): Promise<T> => {
  const { model, messages, schema, schemaText } = conversation
  const first = await send(messages)
  const read = tryReply(first, schema, model)
  if (read.ok) return read.value
  const repair = renderPrompt('repair-json', { problem: read.problem, schema: schemaText })
  const quoted = { role: 'assistant' as const, content: first.text.slice(0, maxQuotedLength) || '(empty)' }
  const reread = tryReply(await send([...messages, quoted, ...repair.messages]), schema, model)
  if (reread.ok) return reread.value
  throw new QuerentError(
    'model-failed',
    `${model} did not return the JSON it was asked for, twice. ${reread.problem}. Choose a model that can follow a JSON schema.`,
  )
}

/** Reads a reply; throws where asking again would not help. */
const tryReply = <T>(reply: RawReply, schema: z.ZodType<T>, model: string): ReadReply<T> => {
  if (reply.refusal !== null) {
    throw new QuerentError(
      'model-failed',
      `${model} refused: ${reply.refusal.slice(0, 200)}. Ask in other words, or choose another model in querent.yml.`,
    )
  }
  const read = readReply(reply.text, schema)
  if (!read.ok && reply.cutOff) {
    throw new QuerentError(
      'model-failed',
      `The reply of ${model} was cut off at its token limit. Raise or remove maxTokens of the model in querent.yml.`,
    )
  }
  return read
}
