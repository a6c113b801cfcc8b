import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { readableOptions } from '../../domain/answer-wording/clarifications.ts'
import type { Clarification, ClarificationReply } from '../../domain/clarification.ts'
import { elicitCopy } from '../copy.ts'
import { plainText } from '../render.ts'
import type { ToolCall } from './tool.ts'

/** How long a person has to reply within a call; afterwards the question waits for the tool `reply`. */
const PATIENCE_MS = 10 * 60_000

const MOST_WORDS = 500

/**
 * Asks the person through the client (elicitation). Null if the client cannot ask, if the person declines, or if nobody
 * replies in time: then the question waits.
 */
export const askPerson = async (
  { server }: McpServer,
  { signal, extra }: ToolCall,
  { question, options, defaultOption }: Clarification,
): Promise<ClarificationReply | null> => {
  if (!server.getClientCapabilities()?.elicitation?.form) return null
  const labels = uniqueLabels(
    readableOptions(options).map(({ label, hint }) => plainText(hint === '' ? label : `${label} (${hint})`)),
  )
  try {
    const { action, content } = await server.elicitInput(
      {
        message: plainText(question),
        requestedSchema: {
          type: 'object',
          properties: {
            choice: {
              ...{ type: 'string', title: elicitCopy.choice, enum: labels },
              ...(labels[defaultOption] !== undefined && { default: labels[defaultOption] }),
            },
            words: { type: 'string', title: elicitCopy.words, maxLength: MOST_WORDS },
          },
        },
      },
      // On the stream of the call: over HTTP a client need not listen to any other.
      { relatedRequestId: extra.requestId, signal, timeout: PATIENCE_MS },
    )
    if (action !== 'accept') return null
    const { words, choice } = content ?? {}
    if (typeof words === 'string' && words.trim() !== '') return { kind: 'text', text: words }
    const at = typeof choice === 'string' ? labels.indexOf(choice) : -1
    return at < 0 ? null : { kind: 'option', number: at + 1 }
  } catch {
    // A client that cannot ask after all, or a reply that does not fit: the question is shown instead.
    signal.throwIfAborted()
    return null
  }
}

/** Options of the same words are told apart by their numbers. */
const uniqueLabels = (labels: readonly string[]): string[] =>
  labels.map((label, i) => (labels.indexOf(label) === i ? label : `${label} (${i + 1})`))
