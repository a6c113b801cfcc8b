import { expect, it } from 'vitest'
import { z } from 'zod'
import { readReply } from '../../src/llm/ask-one-model.ts'

const schema = z.object({ sql: z.string() })

const value = { sql: 'SELECT \'}\' || "a" -- {' }

const json = JSON.stringify(value)

it.each([
  ['the whole reply', json],
  ['a fenced block', `Sure!\n\n\`\`\`json\n${json}\n\`\`\`\nAnything else?`],
  ['a fenced block without a language', `\`\`\`\n${json}\n\`\`\``],
  ['an object among prose', `The answer is ${json}, I think.`],
  ['the last object, after thinking aloud', `<think>maybe {"sql": "SELECT 0"} {oops</think>\n${json}`],
  ['an object after one of another shape', `{"plan": {"steps": 2}} ${json}`],
])('reads %s', (_, text) => {
  expect(readReply(text, schema)).toEqual({ ok: true, value })
})

it.each([
  ['', /not JSON/],
  ['SELECT 1', /not JSON/],
  ['{"sql": "SELECT 1', /not JSON/],
  ['{{{{', /not JSON/],
  ['{"sql": 1}', /schema: sql: /],
  ['Here: {"statement": "SELECT 1"}', /schema: sql: /],
])('says what is wrong with %j', (text, problem) => {
  const read = readReply(text, schema)
  expect(read.ok ? '' : read.problem).toMatch(problem)
})

it('reads a reply that is all braces in reasonable time', () => {
  expect(readReply('{'.repeat(200_000), schema).ok).toBe(false)
})
