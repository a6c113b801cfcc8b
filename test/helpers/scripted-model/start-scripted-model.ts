import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { promptFolder } from '../../../src/llm/prompts.ts'
import { formatRequest, holds, nearestReply, type ScriptedRequest } from './nearest-reply.ts'
import type { ScriptedQuestion, ScriptedReply } from './scripted-replies.ts'

const chatRequest = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string() })).min(2),
})

/**
 * An OpenAI-compatible endpoint that answers from fixtures/llm. What a request is for is read off the request itself: its
 * instructions are those of one prompt, its data stand between tags. What nothing is written for gets 404 and is kept
 * in `unexpected`, with what was nearest: paths that fail leave a question to the others, so a test has to look there.
 */
export const startScriptedModel = async (questions: readonly ScriptedQuestion[]) => {
  const replies = questions.flatMap(({ question, file, replies }): ScriptedReply[] =>
    replies.map(reply => ({ ...reply, question, file })),
  )
  const promptOf = readPromptsByInstructions()
  const attempts = new Map<string, number>()
  const used = new Set<ScriptedReply>()
  const asked: ScriptedRequest[] = []
  const unexpected: string[] = []

  const answer = (body: unknown): ScriptedReply | null => {
    const { messages } = chatRequest.parse(body)
    const about = promptOf(messages[0]!.content)
    const variables = fencedIn(messages[1]!.content)
    // Instructions, data, a reply that was no JSON, and what was said of it.
    const prompt = messages.length > 2 ? 'repair-json' : about.prompt
    const question = variables.question ?? ''
    const fits = (reply: ScriptedReply): boolean =>
      reply.role === about.role && reply.prompt === prompt && holds(reply, variables)
    const fitting = [question, 'any'].flatMap(asked =>
      replies.filter(reply => reply.question === asked && fits(reply)),
    )
    const key = [question, about.role, prompt, ...fitting.map(reply => replies.indexOf(reply))].join('\n')
    const attempt = attempts.get(key) ?? 0
    attempts.set(key, attempt + 1)
    const request = { question, role: about.role, prompt, attempt, variables }
    asked.push(request)
    const found = fitting.find(reply => reply.attempt === 'any' || reply.attempt === attempt) ?? null
    if (found) used.add(found)
    else
      unexpected.push(`nothing is written for ${formatRequest(request)}; ${nearestReply(request, replies)}`)
    return found
  }

  const server = createServer(async (request, response) => {
    const reply = answer(JSON.parse(await textOf(request)))
    const content = reply?.text ?? JSON.stringify(reply?.reply)
    response.writeHead(reply ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(reply ? completion(content) : { error: { message: unexpected.at(-1) } }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    unexpected,
    /** Replies that nobody has asked for. */
    idle: () => replies.filter(reply => !used.has(reply)),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>(resolve => void server.close(() => resolve()))
    },
  }
}

/** Instructions have no variables, so that the text in front of the data tells which prompt it is. */
const readPromptsByInstructions = () => {
  const prompts = readdirSync(promptFolder)
    .filter(file => file.endsWith('.md'))
    .map(file => {
      const text = readFileSync(`${promptFolder}/${file}`, 'utf8')
      const [, instructions = ''] = /^# System\n([\s\S]*?)^# User$/m.exec(text) ?? []
      const [, role = ''] = /^task: (\S+)$/m.exec(text) ?? []
      return { prompt: file.slice(0, -'.md'.length), role, instructions: instructions.trim() }
    })
  return (instructions: string) =>
    prompts.find(prompt => prompt.instructions === instructions) ?? { prompt: 'unknown', role: 'unknown' }
}

/** Variables of the prompt, by the tags that they stand between. */
const fencedIn = (content: string): Record<string, string> =>
  Object.fromEntries(
    [...content.matchAll(/^<([a-z-]+)>\n([\s\S]*?)\n<\/\1>$/gm)].map(([, name = '', text = '']) => [
      name,
      text,
    ]),
  )

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

const completion = (content: string) => ({
  id: 'written',
  object: 'chat.completion',
  created: 0,
  model: 'written-by-hand',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
})
