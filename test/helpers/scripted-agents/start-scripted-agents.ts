import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { promptFolder } from '../../../src/llm/prompts.ts'

/**
 * One exchange of a script: which prompt is expected, what must be in the request, and what comes back: a reply as JSON, a
 * text that may be no JSON, or an error of the endpoint. `any` order: exchanges in a row of `together` may come in any.
 */
export interface ScriptedExchange {
  readonly prompt: string
  /** Texts that must stand in the request. */
  readonly sees?: readonly string[]
  readonly model?: string
  readonly reply?: unknown
  readonly text?: string
  readonly status?: number
  /** The request gets no answer. */
  readonly never?: true
  /** Called when it is asked, before it is answered. */
  readonly onAsked?: () => void
  /** Exchanges with the same name here are asked at the same time, in whatever order. */
  readonly together?: string
}

/** A request as the endpoint saw it. */
export interface SeenAgentRequest {
  readonly prompt: string
  readonly model: string
  readonly temperature: number | null
  readonly system: string
  readonly user: string
}

const chatRequest = z.object({
  model: z.string(),
  temperature: z.number().optional(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })).min(2),
})

/**
 * An OpenAI-compatible endpoint that plays a script in order. It reads off the instructions which prompt a request is of.
 * A request that is not the next of the script gets 400 and is kept in `unexpected`, as are exchanges nobody asked for.
 */
export const startScriptedAgents = async (script: readonly ScriptedExchange[]) => {
  const promptOf = readPromptsByInstructions()
  const left = [...script]
  const seen: SeenAgentRequest[] = []
  const unexpected: string[] = []

  const take = (request: SeenAgentRequest): ScriptedExchange | null => {
    const [next] = left
    const open = next?.together === undefined ? [next] : left.filter(one => one.together === next.together)
    const found = open.find(
      one =>
        one !== undefined &&
        one.prompt === request.prompt &&
        (one.model === undefined || one.model === request.model) &&
        (one.sees ?? []).every(text => `${request.system}\n${request.user}`.includes(text)),
    )
    if (found === undefined) return null
    left.splice(left.indexOf(found), 1)
    return found
  }

  const server = createServer(async (incoming, response) => {
    const { model, temperature = null, messages } = chatRequest.parse(JSON.parse(await textOf(incoming)))
    const prompt = messages.length > 2 ? 'repair-json' : promptOf(messages[0]!.content)
    const request = {
      prompt,
      model,
      temperature,
      system: messages[0]!.content,
      user: messages.at(-1)!.content,
    }
    seen.push(request)
    const exchange = take(request)
    exchange?.onAsked?.()
    if (exchange?.never) return
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (exchange === null) {
      const next = left[0]
      unexpected.push(
        `${prompt} by ${model} was asked, but the script has ${next ? `${next.prompt}${next.sees ? ` with ${next.sees.join(', ')}` : ''}` : 'nothing more'}`,
      )
      send(400, { error: { message: unexpected.at(-1), code: 'invalid_prompt' } })
    } else if (exchange.status !== undefined) {
      send(exchange.status, { error: { message: `scripted ${exchange.status}`, code: 'model_not_found' } })
    } else send(200, completion(exchange.text ?? JSON.stringify(exchange.reply), model))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    /** Requests that the script does not have, and exchanges that nobody asked for. */
    problems: (): readonly string[] => [
      ...unexpected,
      ...left.map(({ prompt }) => `${prompt} was never asked`),
    ],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>(resolve => void server.close(() => resolve()))
    },
  }
}

/** Instructions have no variables, so that the text in front of the data tells which prompt it is. */
const readPromptsByInstructions = (): ((instructions: string) => string) => {
  const prompts = readdirSync(promptFolder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md'))
    .map(file => {
      const text = readFileSync(join(promptFolder, file), 'utf8')
      const [, instructions = ''] = /^# System\n([\s\S]*?)^# User$/m.exec(text) ?? []
      return { prompt: file.slice(0, -'.md'.length), instructions: instructions.trim() }
    })
  return instructions =>
    prompts.find(prompt => prompt.instructions === instructions)?.prompt ?? 'an unknown prompt'
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

const completion = (content: string, model: string) => ({
  id: 'scripted',
  object: 'chat.completion',
  created: 0,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
})
