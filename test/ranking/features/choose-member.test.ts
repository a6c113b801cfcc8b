import { expect, test } from 'vitest'
import { chooseMember } from '../../../src/ranking/features/measure-groups.ts'

test('one vote more does not outweigh an order that suits much better', () => {
  expect(
    chooseMember([
      { columnsKey: 'a', columnOrder: -2 },
      { columnsKey: 'a', columnOrder: -2 },
      { columnsKey: 'b', columnOrder: -0.1 },
    ]),
  ).toBe(2)
})

test('votes decide between orders that suit alike, and the earliest between equals', () => {
  expect(
    chooseMember([
      { columnsKey: 'a', columnOrder: -0.7 },
      { columnsKey: 'b', columnOrder: -0.7 },
      { columnsKey: 'b', columnOrder: -0.7 },
    ]),
  ).toBe(1)
  expect(
    chooseMember([
      { columnsKey: 'a', columnOrder: 0 },
      { columnsKey: 'b', columnOrder: 0 },
    ]),
  ).toBe(0)
})

test('a member without a shape comes last, and is chosen when there is no other', () => {
  expect(
    chooseMember([
      { columnsKey: 'a', columnOrder: null },
      { columnsKey: 'b', columnOrder: -3 },
    ]),
  ).toBe(1)
  expect(chooseMember([{ columnsKey: 'a', columnOrder: null }])).toBe(0)
})

test('there is nobody to choose in an empty group', () => {
  expect(() => chooseMember([])).toThrow(RangeError)
})
