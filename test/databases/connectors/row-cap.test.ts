import { describe, expect, it } from 'vitest'
import { makeRowCap } from '../../../src/databases/connectors/row-cap.ts'

describe('makeRowCap', () => {
  it('counts text as UTF-8, numbers as eight bytes, bytes as they are, NULL and booleans as one', () => {
    const cap = makeRowCap({ maxRows: 10, maxBytes: 1000 })
    expect(cap.refuse(['長崎', 1, null, true, new Uint8Array(5), 5n, 2n ** 80n])).toBeNull()
    expect(cap.bytes()).toBe(6 + 8 + 1 + 1 + 5 + 8 + 11)
  })

  it('lets rows in up to a cap, and says which one it was', () => {
    const rows = makeRowCap({ maxRows: 2, maxBytes: 1000 })
    expect([rows.refuse([1]), rows.refuse([1]), rows.refuse([1])]).toEqual([null, null, 'rows'])
    const bytes = makeRowCap({ maxRows: 10, maxBytes: 16 })
    expect([bytes.refuse([1]), bytes.refuse([1]), bytes.refuse([null])]).toEqual([null, null, 'bytes'])
  })

  it('lets nothing in any more once it has refused', () => {
    const cap = makeRowCap({ maxRows: 10, maxBytes: 10 })
    expect(cap.refuse(['far too long a text'])).toBe('bytes')
    expect(cap.refuse([null])).toBe('bytes')
    expect(cap.rows()).toBe(0)
  })
})
