import { describe, expect, it } from 'vitest'
import { cleanDriverMessage } from '../../../src/databases/connectors/driver-errors.ts'

describe('scrubMessage', () => {
  it('puts a message on one line without control characters', () => {
    expect(cleanDriverMessage('  relation "x"\n\tdoes not\u0007\u001b exist ')).toBe(
      'relation "x" does not exist',
    )
  })

  it('cuts at 500 characters, and shows that it did', () => {
    expect(cleanDriverMessage('x'.repeat(500))).toHaveLength(500)
    expect(cleanDriverMessage('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`)
  })
})
