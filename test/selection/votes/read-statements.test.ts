import { describe, expect, it } from 'vitest'
import type { AnswerFeedback } from '../../../src/core/feedback.ts'
import { readStatements } from '../../../src/selection/votes/read-statements.ts'
import { toLabelledGroups } from '../../../src/selection/votes/to-labelled-groups.ts'
import { toPairs } from '../../../src/selection/votes/to-pairs.ts'
import { makeFeedback, makeKept, makeVote, minute } from './make-feedback.ts'

/** `a>b .5` for every pair that is learned from. */
const pairsOf = (feedback: Partial<AnswerFeedback>): readonly string[] =>
  readStatements(makeFeedback(feedback))
    .flatMap(statement => toLabelledGroups(statement) ?? [])
    .flatMap(toPairs)
    .map(({ better, worse, weight }) => `${better.key}>${worse.key} ${weight}`)

describe('what people do becomes pairs', () => {
  it('a thumb up: the answer above every other result', () => {
    expect(pairsOf({ votes: [makeVote('U1', 'up')] })).toEqual(['a>b 0.5', 'a>c 0.5'])
  })

  it('a thumb down: every other result above the answer, lightly', () => {
    expect(pairsOf({ votes: [makeVote('U1', 'down')] })).toEqual(['b>a 0.125', 'c>a 0.125'])
  })

  it('an alternative that was picked: it above all', () => {
    expect(pairsOf({ kept: [makeKept('U1', 'alternative', { groupKey: 'c' })] })).toEqual([
      'c>a 0.75',
      'c>b 0.75',
    ])
  })

  it('SQL that was given: its result above all', () => {
    expect(pairsOf({ kept: [makeKept('U1', 'sql', { groupKey: 'b' })] })).toEqual(['b>a 1', 'b>c 1'])
  })

  it('an edit: its result above the answer, and nothing where the result is the same', () => {
    expect(pairsOf({ kept: [makeKept('U1', 'edit', { groupKey: 'b' })] })).toEqual(['b>a 0.5'])
    expect(pairsOf({ kept: [makeKept('U1', 'edit')] })).toEqual([])
  })

  it('an export speaks weakly for the answer, a verification strongly', () => {
    expect(pairsOf({ kept: [makeKept('U1', 'export')] })).toEqual(['a>b 0.125', 'a>c 0.125'])
    expect(pairsOf({ kept: [makeKept('U1', 'verification')] })).toEqual(['a>b 1.5', 'a>c 1.5'])
  })

  it('a reason alone tells no results apart', () => {
    expect(pairsOf({ kept: [makeKept('U1', 'reason', { reason: 'wrong-filter' })] })).toEqual([])
  })

  it('a thumb down for the format or for old data is not about the result', () => {
    const votes = [makeVote('U1', 'down')]
    expect(pairsOf({ votes, kept: [makeKept('U1', 'reason', { reason: 'format' })] })).toEqual([])
    expect(pairsOf({ votes, kept: [makeKept('U1', 'reason', { reason: 'stale-data' })] })).toEqual([])
    expect(pairsOf({ votes, kept: [makeKept('U1', 'reason', { reason: 'wrong-table' })] })).toHaveLength(2)
    expect(pairsOf({ votes, kept: [makeKept('U2', 'reason', { reason: 'format' })] })).toHaveLength(2)
  })

  it('SQL whose result nobody drafted sets no unmeasured result against measured ones', () => {
    const kept = [makeKept('U1', 'sql', { groupKey: 'new' })]
    expect(readStatements(makeFeedback({ kept }))).toMatchObject([{ right: ['new'], wrong: ['a', 'b', 'c'] }])
    expect(pairsOf({ kept })).toEqual([])
  })

  it('one result alone tells nothing', () => {
    const [group] = makeFeedback().snapshot.groups
    const snapshot = { version: 'shipped', groups: [group!] }
    expect(pairsOf({ snapshot, votes: [makeVote('U1', 'up')] })).toEqual([])
  })

  it('a vote on a candidate that the selector did not see is passed over', () => {
    expect(pairsOf({ votes: [makeVote('U1', 'up', { key: 'z' })] })).toEqual([])
  })
})

describe('one statement a person', () => {
  it('is what the strongest deed says', () => {
    const votes = [makeVote('U1', 'down')]
    const picked = makeKept('U1', 'alternative', { groupKey: 'b' })
    expect(pairsOf({ votes, kept: [picked, makeKept('U1', 'export')] })).toEqual(['b>a 0.75', 'b>c 0.75'])
    expect(pairsOf({ votes, kept: [makeKept('U1', 'edit', { groupKey: 'c' })] })).toEqual(['c>a 0.5'])
    expect(pairsOf({ votes, kept: [makeKept('U1', 'export')] })).toEqual(['b>a 0.125', 'c>a 0.125'])
  })

  it('is the last of those that name the right result', () => {
    const kept = [
      makeKept('U1', 'verification', { givenAt: minute(30) }),
      makeKept('U1', 'alternative', { groupKey: 'b', givenAt: minute(40) }),
    ]
    expect(readStatements(makeFeedback({ kept }))).toMatchObject([{ right: ['b'], givenAt: minute(40) }])
    expect(readStatements(makeFeedback({ kept: kept.toReversed() }))).toMatchObject([{ right: ['b'] }])
  })

  it('does not hold a thumb up against an edit that asks for something else', () => {
    const kept = [makeKept('U1', 'edit', { groupKey: 'b' })]
    expect(pairsOf({ votes: [makeVote('U1', 'up')], kept })).toEqual(['a>b 0.5', 'a>c 0.5'])
  })

  it('is made for each person', () => {
    const votes = [makeVote('U1', 'up'), makeVote('U2', 'down')]
    expect(readStatements(makeFeedback({ votes })).map(({ person }) => person)).toEqual(['U1', 'U2'])
  })
})
