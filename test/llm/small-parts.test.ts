import { describe, expect, it } from 'vitest'
import { readRetryAfter, redactMessage } from '../../src/llm/call-failure.ts'
import { cleanSql } from '../../src/llm/model-requests.ts'

describe('readRetryAfter', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': '7', 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '' }, null],
    [{}, null],
  ])('%j', (headers, milliseconds) => {
    expect(readRetryAfter(new Headers(headers as Record<string, string>), now)).toBe(milliseconds)
  })
})

describe('scrubSecrets', () => {
  it('takes out the key, and whatever looks like one', () => {
    expect(redactMessage('hunter2 Bearer abc.def123 sk-proj-12******89, task-list', ['hunter2', ''])).toBe(
      '[redacted] Bearer [redacted] sk-[redacted], task-list',
    )
  })
  it('keeps it short', () => {
    expect(redactMessage('y'.repeat(5_000), [])).toHaveLength(301)
  })
})

it.each([
  ['SELECT 1;', 'SELECT 1'],
  [' SELECT 1 ; ;\n', 'SELECT 1'],
  ['```sql\nSELECT 1;\n```', 'SELECT 1'],
  ["SELECT ';'", "SELECT ';'"],
  ['', ''],
])('cleanSql %j', (written, clean) => {
  expect(cleanSql(written)).toBe(clean)
})
