import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { QuerentError } from '../../src/domain/errors.ts'
import { makeSpans } from '../../src/telemetry/spans.ts'
import { nextTurn } from '../helpers/wait.ts'

/** What a collector receives, as far as it matters here. */
interface SentSpan {
  readonly name: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[]
  readonly status: { readonly code: number; readonly message?: string }
}

let collector: Server

let endpoint: string

let received: { url: string | undefined; authorization: string | undefined; body: string }[]

beforeEach(async () => {
  received = []
  collector = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => {
      body += part.toString()
    })
    request.on('end', () => {
      received.push({ url: request.url, authorization: request.headers.authorization, body })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`
})

afterEach(() => {
  collector.closeAllConnections()
  collector.close()
})

const sent = (): SentSpan[] =>
  received.flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: SentSpan[] }[] }) =>
      resource.scopeSpans.flatMap(scope => scope.spans),
    ),
  )

const factsOf = (span: SentSpan | undefined) =>
  Object.fromEntries(span?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [])

describe('spans', () => {
  it('reach the collector with facts and headers, each under the one that it was begun in', async () => {
    const spans = await makeSpans({ endpoint, headers: 'authorization=Bearer%20abc, x=1' })
    const result = await spans.inSpan('question', { database: 'shop' }, async outer => {
      const both = await Promise.all(
        ['a', 'b'].map(name =>
          spans.inSpan(name, { sample: 1 }, async () => {
            await nextTurn()
            return name
          }),
        ),
      )
      outer.set({ candidates: 2 })
      return both.join('')
    })
    await spans.inSpan('another', {}, async () => {})
    await spans.close()
    expect(result).toBe('ab')
    expect(received[0]).toMatchObject({ url: '/v1/traces', authorization: 'Bearer abc' })
    const [question, a, b, another] = ['question', 'a', 'b', 'another'].map(name =>
      sent().find(span => span.name === name),
    )
    expect(factsOf(question)).toEqual({ database: 'shop', candidates: 2 })
    expect(factsOf(a)).toEqual({ sample: 1 })
    expect([a?.parentSpanId, b?.parentSpanId]).toEqual([question?.spanId, question?.spanId])
    expect(another?.parentSpanId || null).toBeNull()
  })

  it('tell of an error its code, and nothing of what it says', async () => {
    const spans = await makeSpans({ endpoint })
    const failing = spans.inSpan('call', {}, async () => {
      throw new QuerentError('model-failed', 'the row of Jane Doe')
    })
    await expect(failing).rejects.toThrow('Jane Doe')
    await spans.close()
    expect(sent()[0]?.status.code).toBe(2)
    expect(factsOf(sent()[0])).toEqual({ 'error.type': 'model-failed' })
    expect(received.map(({ body }) => body).join()).not.toContain('Jane')
  })

  it('have no effect if the collector is unavailable', async () => {
    const spans = await makeSpans({ endpoint: 'http://127.0.0.1:1' })
    expect(await spans.inSpan('a', {}, async () => 7)).toBe(7)
    await expect(spans.close()).resolves.toBeUndefined()
  })
})
