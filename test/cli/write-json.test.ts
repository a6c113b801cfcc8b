import { expect, it } from 'vitest'
import { writeJson } from '../../src/cli/terminal.ts'
import { MemoryStream } from '../helpers/memory-stream.ts'

const written = (value: unknown): string => {
  const out = new MemoryStream()
  writeJson(out, value)
  return out.text
}

it('writes one line', () => {
  expect(written({ rows: [[1, null, 'a\nb']] })).toBe('{"rows":[[1,null,"a\\nb"]]}\n')
})

it('keeps every digit of whole numbers past 2^53', () => {
  expect(written([9007199254740993n])).toBe('["9007199254740993"]\n')
})

it('writes bytes as hexadecimal text', () => {
  expect(written([new Uint8Array([0, 255])])).toBe('["0x00ff"]\n')
  expect(written([Buffer.from([1, 2])])).not.toContain('Buffer')
})
