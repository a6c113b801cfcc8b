import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell, ValueKind } from '../../src/domain/result.ts'
import { canonicalValue } from '../../src/evaluation/execution-accuracy.ts'

type Typed = readonly [cell: Cell, kind?: ValueKind]

const areEqual = ([a, kindA = 'unknown']: Typed, [b, kindB = 'unknown']: Typed) =>
  new Set([canonicalValue(a, kindA)]).has(canonicalValue(b, kindB))

describe('canonicalValue', () => {
  it.each<[Typed, Typed]>([
    [[null], [null]],
    [[1], [1n]],
    [[true], [1]],
    [[false], [0n]],
    [[-0], [0]],
    [[1], ['1.000', 'number']],
    [[2 ** 53], [9007199254740992n]],
    [[1e21], [10n ** 21n]],
    [[0.1], ['0.10', 'number']],
    [[1e-7], ['0.0000001', 'number']],
    [[-1.5e-9], ['-1.5E-9', 'number']],
    [[1500], ['1.5e3', 'number']],
    [
      ['00012.50', 'number'],
      ['12.5', 'number'],
    ],
    [['.5', 'number'], [0.5]],
    [['-0.0', 'number'], [0]],
    [
      ['12345678901234567890.5', 'number'],
      ['12345678901234567890.50', 'number'],
    ],
    [[Number.NaN], [Number.NaN]],
    [[new Uint8Array([1, 2])], [new Uint8Array([0, 1, 2]).subarray(1)]],
  ])('%o equals %o', (a, b) => {
    expect(areEqual(a, b)).toBe(true)
  })

  it.each<[Typed, Typed]>([
    [[1], ['1']],
    [[1], ['1', 'text']],
    [[null], ['null']],
    [[null], ['-']],
    [[null], ['']],
    [[0], [null]],
    [[true], ['true']],
    [[0.1 + 0.2], [0.3]],
    [[2 ** 53], [9007199254740993n]],
    [[1e23], [10n ** 23n]],
    [[2 ** 53 + 2], ['9007199254740993', 'number']],
    [['n1'], [1]],
    [['Berlin'], ['berlin']],
    [['a'], ['a ']],
    [
      ['0.1', 'number'],
      ['0.10000000000000001', 'number'],
    ],
    [
      ['12345678901234567890', 'number'],
      ['12345678901234567891', 'number'],
    ],
    [['01'], ['1']],
    [[new Uint8Array([1])], [new Uint8Array([1, 0])]],
    [[Number.POSITIVE_INFINITY], [Number.NEGATIVE_INFINITY]],
  ])('%o does not equal %o', (a, b) => {
    expect(areEqual(a, b)).toBe(false)
  })

  it('text in a column of numbers that is no number stays text', () => {
    expect(areEqual(['n/a', 'integer'], ['n/a', 'text'])).toBe(true)
    expect(areEqual(['1e99999999', 'number'], ['2e99999999', 'number'])).toBe(false)
  })

  it('doubles are equal exactly when they are the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (a, b) => {
        expect(areEqual([a], [b])).toBe(a === b)
        if (Math.abs(a) < 2 ** 53) expect(areEqual([a], [String(a), 'number'])).toBe(true)
      }),
    )
  })

  it('whole numbers are equal whatever they are held in', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.nat(20), (value, zeros) => {
        expect(areEqual([value], [`${value}.${'0'.repeat(zeros)}`, 'number'])).toBe(true)
        expect(areEqual([value], [String(value)])).toBe(false)
      }),
    )
  })
})
