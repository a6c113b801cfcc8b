import { describe, expect, it } from 'vitest'
import type { AnswerFeedback } from '../../../src/domain/feedback.ts'
import { toFeedbackSignals } from '../../../src/ranking/learning/signals.ts'
import { makeFeedback, makeKept, makeVote, minute } from './make-feedback.ts'

/** `right a .2`: the claim and how often the like is a slip. */
const claimsOf = (feedback: Partial<AnswerFeedback>): readonly string[] =>
  toFeedbackSignals(makeFeedback(feedback)).map(({ claim, slip }) =>
    [claim.kind, claim.key, ...('than' in claim ? ['than', claim.than] : []), slip].join(' '),
  )

describe('what people do becomes statements', () => {
  it('a thumb up: the answer is right; a thumb down: it is wrong', () => {
    expect(claimsOf({ votes: [makeVote('U1', 'up')] })).toEqual(['right a 0.2'])
    expect(claimsOf({ votes: [makeVote('U1', 'down')] })).toEqual(['wrong a 0.2'])
  })

  it('an alternative that was picked, or SQL that was given: it and no other', () => {
    expect(claimsOf({ feedback: [makeKept('U1', 'alternative', { groupKey: 'c' })] })).toEqual([
      'named c 0.2',
    ])
    expect(claimsOf({ feedback: [makeKept('U1', 'sql', { groupKey: 'b' })] })).toEqual(['named b 0.1'])
    expect(claimsOf({ feedback: [makeKept('U1', 'sql', { groupKey: 'new' })] })).toEqual(['named new 0.1'])
  })

  it('an edit: its result is better than the answer; nothing where that is the same, or nobody drafted it', () => {
    expect(claimsOf({ feedback: [makeKept('U1', 'edit', { groupKey: 'b' })] })).toEqual([
      'better b than a 0.3',
    ])
    expect(claimsOf({ feedback: [makeKept('U1', 'edit')] })).toEqual([])
    expect(claimsOf({ feedback: [makeKept('U1', 'edit', { groupKey: 'new' })] })).toEqual([])
  })

  it('an export says little for the answer, a verification much', () => {
    expect(claimsOf({ feedback: [makeKept('U1', 'export')] })).toEqual(['right a 0.4'])
    expect(claimsOf({ feedback: [makeKept('U1', 'verification')] })).toEqual(['right a 0.05'])
  })

  it('a reason alone tells no results apart', () => {
    expect(claimsOf({ feedback: [makeKept('U1', 'reason', { reason: 'wrong-filter' })] })).toEqual([])
  })

  it('a thumb down for the format or for old data is not about the result', () => {
    const votes = [makeVote('U1', 'down')]
    expect(claimsOf({ votes, feedback: [makeKept('U1', 'reason', { reason: 'format' })] })).toEqual([])
    expect(claimsOf({ votes, feedback: [makeKept('U1', 'reason', { reason: 'stale-data' })] })).toEqual([])
    expect(claimsOf({ votes, feedback: [makeKept('U1', 'reason', { reason: 'wrong-table' })] })).toHaveLength(
      1,
    )
    expect(claimsOf({ votes, feedback: [makeKept('U2', 'reason', { reason: 'format' })] })).toHaveLength(1)
  })

  it('nothing, where there is one result alone, or the vote is on one that the selector did not see', () => {
    const [group] = makeFeedback().snapshot.groups
    const snapshot = { version: 'shipped', groups: [group!] }
    expect(claimsOf({ snapshot, votes: [makeVote('U1', 'up')] })).toEqual([])
    expect(claimsOf({ votes: [makeVote('U1', 'up', { key: 'z' })] })).toEqual([])
  })
})

describe('one statement a person', () => {
  it('is what the strongest deed says', () => {
    const votes = [makeVote('U1', 'down')]
    const picked = makeKept('U1', 'alternative', { groupKey: 'b' })
    expect(claimsOf({ votes, feedback: [picked, makeKept('U1', 'export')] })).toEqual(['named b 0.2'])
    expect(claimsOf({ votes, feedback: [makeKept('U1', 'edit', { groupKey: 'c' })] })).toEqual([
      'better c than a 0.3',
    ])
    expect(claimsOf({ votes, feedback: [makeKept('U1', 'export')] })).toEqual(['wrong a 0.2'])
  })

  it('is the last of those that name the right result', () => {
    const kept = [
      makeKept('U1', 'verification', { givenAt: minute(30) }),
      makeKept('U1', 'alternative', { groupKey: 'b', givenAt: minute(40) }),
    ]
    expect(claimsOf({ feedback: kept })).toEqual(['named b 0.2'])
    expect(claimsOf({ feedback: kept.toReversed() })).toEqual(['named b 0.2'])
  })

  it('does not hold a thumb up against an edit that asks for something else', () => {
    const kept = [makeKept('U1', 'edit', { groupKey: 'b' })]
    expect(claimsOf({ votes: [makeVote('U1', 'up')], feedback: kept })).toEqual(['right a 0.2'])
  })

  it('is made for each person', () => {
    const votes = [makeVote('U1', 'up'), makeVote('U2', 'down')]
    expect(toFeedbackSignals(makeFeedback({ votes })).map(({ person }) => person)).toEqual(['U1', 'U2'])
  })
})
