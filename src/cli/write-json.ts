import type { Writable } from 'node:stream'

/**
 * Writes one JSON value and a newline. Whole numbers past 2^53 become text, because most readers of JSON would
 * silently round them; bytes become hexadecimal text.
 */
export const writeJson = (out: Writable, value: unknown): void => {
  out.write(`${JSON.stringify(value, replaceUnwritable)}\n`)
}

/** A plain function for its `this`: a Buffer has turned itself into an object before it comes here as a value. */
function replaceUnwritable(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const held = this[key]
  if (typeof held === 'bigint') return held.toString()
  if (held instanceof Uint8Array) return `0x${Buffer.from(held).toString('hex')}`
  return value
}
