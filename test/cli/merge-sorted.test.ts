import { describe, expect, it } from 'vitest'
import { mergeSorted } from '../../src/cli/audit.ts'
import { collect } from '../helpers/collect.ts'

async function* of(items: readonly string[], onEnd: () => void = () => {}): AsyncGenerator<string> {
  try {
    yield* items
  } finally {
    onEnd()
  }
}

const byLength = (a: string, b: string): number => a.length - b.length

describe('mergeSorted', () => {
  it.each([
    [[], [], []],
    [['a', 'ccc'], [], ['a', 'ccc']],
    [[], ['a', 'ccc'], ['a', 'ccc']],
    [
      ['a', 'ccc', 'e'.repeat(5)],
      ['bb', 'dddd'],
      ['a', 'bb', 'ccc', 'dddd', 'eeeee'],
    ],
    [
      ['x', 'xx'],
      ['y', 'yy'],
      ['x', 'y', 'xx', 'yy'],
    ],
  ])('makes one order of %j and %j', async (left, right, both) => {
    expect(await collect(mergeSorted(of(left), of(right), byLength))).toEqual(both)
  })

  it('lets both go when nobody wants more', async () => {
    const ended: string[] = []
    const left = of(['a', 'aa'], () => ended.push('left'))
    const right = of(['b', 'bb'], () => ended.push('right'))
    for await (const item of mergeSorted(left, right, byLength)) if (item === 'b') break
    expect(ended).toEqual(['left', 'right'])
  })
})
