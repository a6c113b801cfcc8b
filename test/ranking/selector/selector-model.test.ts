import { describe, expect, it } from 'vitest'
import { familyOf, reasonOf } from '../../../src/ranking/features/feature-reasons.ts'
import { makeRankGroups } from '../../../src/ranking/selector/rank-groups.ts'
import { manualFeatures, withManualFeatures } from '../../../src/ranking/selector/selector-model.ts'
import { shippedSelector } from '../../../src/ranking/selector/shipped-selector.ts'
import { makeMeasured, makeSelectorModel } from './make-measured.ts'

describe('what was set by hand', () => {
  it('is measured, can be said in words, and says why it weighs what it does', () => {
    for (const { name, why } of manualFeatures) {
      expect(reasonOf(name), name).not.toBeNull()
      expect(familyOf(name), name).not.toBeNull()
      expect(why).not.toBe('')
    }
  })

  it('joins a model that says nothing of it, and leaves one alone that does', () => {
    const bare = makeSelectorModel({ 'vote-share': 2 })
    expect(withManualFeatures(bare).features).toEqual([
      { name: 'vote-share', scale: 1, weight: 2 },
      { name: 'verified-likeness', scale: 1, weight: 0.7 },
      { name: 'layer-term-unread', scale: 1, weight: -1 },
    ])
    const moved = makeSelectorModel({ 'verified-likeness': -0.1, 'layer-term-unread': -2 })
    expect(withManualFeatures(moved)).toBe(moved)
    for (const { name } of manualFeatures)
      expect(shippedSelector.features.filter(one => one.name === name)).toHaveLength(1)
  })

  it('tips a choice that nothing else decides, and says so', () => {
    const rank = makeRankGroups(withManualFeatures(makeSelectorModel({ 'vote-share': 1 })))
    const groups = [
      makeMeasured('A', { 'vote-share': 0.5 }),
      makeMeasured('B', { 'vote-share': 0.5, 'verified-likeness': 0.9 }),
    ]
    expect(rank(groups)[0]).toMatchObject({
      key: 'B',
      reasons: ['it is built like a query that somebody verified for a similar question'],
    })
    const behind = [makeMeasured('A', { 'vote-share': 1.5 }), groups[1]!]
    expect(rank(behind)[0]?.key).toBe('A')
  })
})
