import { describe, expect, it } from 'vitest'
import { mapInParallel } from '../../src/lib/concurrency.ts'

const turn = () => new Promise(resolve => setImmediate(resolve))

describe('mapInParallel', () => {
  it('keeps the order of the items and never has more than `width` under way', async () => {
    let underWay = 0
    let most = 0
    const doubled = await mapInParallel([5, 1, 4, 2, 3], 2, async item => {
      underWay += 1
      most = Math.max(most, underWay)
      for (let n = 0; n < item; n++) await turn()
      underWay -= 1
      return item * 2
    })
    expect(doubled).toEqual([10, 2, 8, 4, 6])
    expect(most).toBe(2)
  })

  it('begins nothing after a failure', async () => {
    const begun: number[] = []
    const work = mapInParallel([1, 2, 3, 4], 1, async item => {
      begun.push(item)
      if (item === 2) throw new Error('two')
    })
    await expect(work).rejects.toThrow('two')
    expect(begun).toEqual([1, 2])
  })

  it('takes no items, and a width of none', async () => {
    expect(await mapInParallel([], 3, async () => 1)).toEqual([])
    expect(await mapInParallel([1], 0, async item => item)).toEqual([1])
  })
})
