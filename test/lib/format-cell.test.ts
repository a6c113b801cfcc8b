import { expect, it } from 'vitest'
import { formatCell } from '../../src/lib/format-cell.ts'

it('shows NULL and empty text as a dash', () => {
  expect(formatCell(null)).toBe('–')
  expect(formatCell('')).toBe('–')
})

it('keeps every digit of big whole numbers', () => {
  expect(formatCell(9007199254740993n, { grouped: true })).toBe('9,007,199,254,740,993')
})

it('groups thousands only where asked: an id is not an amount', () => {
  expect(formatCell(20261120)).toBe('20261120')
  expect(formatCell(20261120, { grouped: true })).toBe('20,261,120')
})

it('cuts the noise of floating point', () => {
  expect(formatCell(0.1 + 0.2)).toBe('0.3')
})

it('says where text was cut', () => {
  expect(formatCell('abcdef', { maxLength: 4 })).toBe('abc…')
})

it('says only how many bytes there are', () => {
  expect(formatCell(new Uint8Array(3))).toBe('(3 bytes)')
})

it('shows a decimal of a column of numbers as a number, whatever holds it', () => {
  expect(formatCell('1234.56789012345678901', { kind: 'number', grouped: true })).toBe('1,234.56789')
  expect(formatCell('1234.56789012345678901', { kind: 'text' })).toBe('1234.56789012345678901')
})

it('keeps a value on one line, without characters that move what stands around them', () => {
  expect(formatCell('a\r\nb\u202ec\u0000d\ufeff')).toBe('a b c d ')
})
