import { describe, expect, it } from 'vitest'
import {
  detectTextFormat,
  followsPattern,
  pickDiverseSamples,
} from '../../../src/databases/catalog/text-format.ts'

const times = (count: number, make: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => make(n))

describe('a format', () => {
  it.each<[string, string[], string | null]>([
    ['codes', times(20, n => `AX-${1000 + n}`), 'AA-9999'],
    ['codes of several lengths', times(20, n => `AX-${10 ** (n % 4)}`), 'A+-9+'],
    ['addresses of mail', times(20, n => `${'abcdefgh'.slice(0, 1 + (n % 7))}@mail.example`), 'a+@a+.a+'],
    ['ISO dates', times(20, n => `2026-01-${10 + n}`), 'YYYY-MM-DD'],
    ['moments', times(20, n => `2026-01-${10 + n} 08:15:00`), 'YYYY-MM-DD HH:MM:SS'],
    ['dates with the day first', times(20, n => `${10 + n}/02/2026`), 'DD/MM/YYYY'],
    ['dates with the month first', times(20, n => `02/${10 + n}/2026`), 'MM/DD/YYYY'],
    ['dates that could be either', times(20, n => `0${1 + (n % 9)}/02/2026`), '99/99/9999'],
    ['dates with dots', times(20, n => `${10 + n}.02.2026`), 'DD.MM.YYYY'],
    ['letters with accents', times(20, n => `Éü-${n % 10}`), 'Aa-9'],
    ['names', times(20, n => `Amber ${'abcdefgh'[n % 8]}`), null],
    ['numbers', times(20, n => `${n}.5`), null],
    ['all kinds of things', times(20, n => ['a-1', 'b', '77', 'c/d/e'][n % 4] ?? ''), null],
    ['four values', times(4, n => `AX-${n}`), null],
  ])('of %s', (_what, values, pattern) => {
    expect(detectTextFormat(values)?.pattern ?? null).toBe(pattern)
  })

  it('tells the share that follows it', () => {
    expect(detectTextFormat([...times(9, n => `AX-${n}`), 'none'])).toEqual({ pattern: 'AA-9', share: 0.9 })
  })
})

describe('samples', () => {
  it('differ as far as they can, and are the same each time', () => {
    const values = [...times(50, n => `Amber ${n}`), 'x@y.z', '', 'Hull', '007']
    const picked = pickDiverseSamples(values)
    expect(picked).toHaveLength(5)
    expect(picked).toEqual(expect.arrayContaining(['x@y.z', '', '007']))
    expect(pickDiverseSamples(values)).toEqual(picked)
    expect(pickDiverseSamples(['one'])).toEqual(['one'])
  })
})

describe('whether a text has a format', () => {
  it.each([
    ['C-0042', 'A-9999', true],
    ['C-1000000', 'A-9999', true],
    ['c-0042', 'A-9999', false],
    ['0042', 'A-9999', false],
    ['ada9@example.org', 'a+9+@a+.a+', true],
    ['ada@example.org', 'a+9+@a+.a+', false],
    ['2026-03-01', 'YYYY-MM-DD', true],
    ['2026-03', 'YYYY-MM-DD', false],
  ])('%s as %s: %s', (text, pattern, has) => {
    expect(followsPattern(text, pattern)).toBe(has)
  })
})
