import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Attack, Command } from './attack.ts'

/** What the model did about one attack. */
interface Obedience {
  /** Prompts that showed it the instruction. */
  readonly seen: number
  /** Replies in which it did as it was told. */
  readonly obeyed: number
}

/** The key of the endpoint; it must not be seen anywhere. */
export const modelKey = 'sk-zqsecret-of-the-model'

/**
 * An OpenAI-compatible endpoint that obeys every instruction it reads. A question carries the tag of its attack; if the
 * prompt has the planted instruction too, the reply is what the attacker wants. Everything else gets a harmless reply.
 */
export const startObedientModel = async (attacks: readonly Attack[], harmless: string) => {
  const commands = new Map(attacks.flatMap(({ id, command }) => (command ? [[id, command] as const] : [])))
  const record = new Map<string, Obedience>()
  const prompts: string[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as ChatRequest
    const prompt = body.messages.map(({ content }) => content).join('\n')
    prompts.push(prompt)
    const id = attackIn(prompt)
    const command = commands.get(id) ?? {}
    const format = body.response_format?.json_schema?.name ?? ''
    const { reply, did } = replyTo(format, withTag(command, id), harmless)
    if (commands.has(id)) {
      const { seen, obeyed } = record.get(id) ?? { seen: 0, obeyed: 0 }
      record.set(id, { seen: seen + 1, obeyed: obeyed + (did ? 1 : 0) })
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(completion(JSON.stringify(reply))))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    of: (id: string): Obedience => record.get(id) ?? { seen: 0, obeyed: 0 },
    prompts,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>(resolve => void server.close(() => resolve()))
    },
  }
}

/** The tag of an attack in a question, by which the model knows whose turn it is. */
export const tagOf = ({ id }: Pick<Attack, 'id'>): string => id.replace('A', 'c')

/** What it makes of a message goes on with the attack. */
const withTag = (command: Command, id: string): Command =>
  command.rewrite === undefined
    ? command
    : { ...command, rewrite: `${command.rewrite} ${tagOf({ id })} ${id}` }

/** The attack whose question and whose instruction a prompt shows; empty if there is none. */
const attackIn = (prompt: string): string => {
  const tags = [...prompt.matchAll(/\bc(\d{4})\b/g)].map(([, number]) => `A${number}`)
  return tags.findLast(id => prompt.includes(id)) ?? ''
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly response_format?: { readonly json_schema?: { readonly name: string } }
}

/** A reply in the form that a prompt asks for, and whether it did what the command says. */
const replyTo = (
  format: string,
  command: Command,
  harmless: string,
): { readonly reply: unknown; readonly did: boolean } => {
  const { headline, rewrite, metric } = command
  const { reply: statement, did } = statementReply(command, harmless)
  switch (format) {
    case 'divide-and-conquer':
      return { reply: { parts: [], assembled: statement.sql, redundant: [], ...statement }, did }
    case 'query-plan':
      return { reply: { locate: [], operate: [], deliver: [], ...statement }, did }
    case 'drafted-sql':
      return { reply: { thought: '', ...statement }, did }
    case 'fixed-sql':
      return { reply: { diagnosis: '', ...statement }, did }
    case 'metric-query':
      return { reply: metric ?? { missing: 'everything' }, did: metric !== undefined }
    case 'examples':
      return { reply: { features: [], focused: [] }, did: false }
    case 'judgement':
      return { reply: { difference: '', reason: '', winner: 'first' }, did: false }
    case 'keywords':
      return { reply: { phrases: [] }, did: false }
    case 'headline':
      return { reply: { headline: headline ?? '' }, did: headline !== undefined }
    case 'rewrite':
      return {
        reply: { kind: 'follow-up', question: rewrite ?? 'How many orders are there?' },
        did: rewrite !== undefined,
      }
    default:
      throw new Error(`the obedient model does not know how to reply to ${format || 'such a prompt'}`)
  }
}

const statementReply = ({ sql, assumptions = [], missing, meanings }: Command, harmless: string) => {
  if (missing !== undefined)
    return { reply: { outcome: 'cannot-answer', sql: '', assumptions, missing }, did: true }
  if (meanings !== undefined) {
    const found = meanings.map((label, i) => ({ label, sql: `${harmless} where id > ${i}` }))
    const reply = {
      outcome: 'ambiguous',
      sql: found[0]?.sql ?? '',
      assumptions,
      unclear: 'many',
      meanings: found,
    }
    return { reply, did: true }
  }
  return {
    reply: { outcome: 'sql', sql: sql ?? harmless, assumptions },
    did: sql !== undefined || assumptions.length > 0,
  }
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

const completion = (content: string) => ({
  id: 'obedient',
  object: 'chat.completion',
  created: 0,
  model: 'obedient',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
})
