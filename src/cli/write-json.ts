import type { Writable } from 'node:stream'

/**
 * Writes one JSON value and a newline. Whole numbers past 2^53 become text, because most readers of JSON would
 * silently round them; bytes become hexadecimal text.
 */
export const writeJson = (out: Writable, value: unknown): void => {
  out.write(`${JSON.stringify(value, replaceUnwritable)}\n`)
}

const replaceUnwritable = (_key: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
  return value
}
