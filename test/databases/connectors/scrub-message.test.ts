import { describe, expect, it } from 'vitest'
import { scrubMessage } from '../../../src/databases/connectors/scrub-message.ts'

describe('scrubMessage', () => {
  it('puts a message on one line without control characters', () => {
    expect(scrubMessage('  relation "x"\n\tdoes not\u0007\u001b exist ')).toBe('relation "x" does not exist')
  })

  it('cuts at 500 characters, and shows that it did', () => {
    expect(scrubMessage('x'.repeat(500))).toHaveLength(500)
    expect(scrubMessage('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`)
  })
})
