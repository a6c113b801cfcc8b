import { describe, expect, it } from 'vitest'
import { decideOutcome } from '../../../graphs/answer/decide.ts'
import type { Candidate } from '../../../src/domain/candidate.ts'
import { groupCandidates } from '../../../src/ranking/votes.ts'
import { makeCandidate, ranWith } from '../../helpers/make-candidate.ts'

const clarification = {
  clarification: { question: 'Which?', options: [], defaultOption: 0 },
  gain: 1,
  value: 0.35,
  use: 'ask' as const,
}

const decideOn = (candidates: Candidate[], given: { ask?: boolean; replied?: boolean } = {}) =>
  decideOutcome({
    groups: groupCandidates(candidates),
    candidates,
    cannotAnswer: null,
    clarification: given.ask ? clarification : null,
    replied: given.replied ?? false,
    thresholds: { answer: 0.5, ask: 0.2 },
  })

describe('decide', () => {
  it('answers with a trusted leader', () => {
    expect(decideOn([makeCandidate({ prior: 0.7, run: ranWith('x') })]).do).toBe('answer')
  })

  it('asks when there is something to ask and the readings together are trusted', () => {
    const rivals = [
      makeCandidate({ id: 'a', prior: 0.35, run: ranWith('x') }),
      makeCandidate({ id: 'b', prior: 0.35, run: ranWith('y') }),
    ]
    expect(decideOn(rivals, { ask: true }).do).toBe('ask')
  })

  it('does not ask where every reply would leave out the same word', () => {
    const rivals = (first: readonly string[], second: readonly string[]) => [
      makeCandidate({ id: 'a', prior: 0.35, unused: first, run: ranWith('x') }),
      makeCandidate({ id: 'b', prior: 0.35, unused: second, run: ranWith('y') }),
    ]
    expect(decideOn(rivals(['zebra'], ['zebra', 'old']), { ask: true })).toMatchObject({
      do: 'refuse',
      why: { code: 'ignored-words', words: ['zebra'] },
    })
    expect(decideOn(rivals(['zebra'], ['old']), { ask: true }).do).toBe('ask')
    expect(decideOn(rivals(['located'], ['located']), { ask: true }).do).toBe('ask')
  })

  it('does not ask about readings that are all unlikely', () => {
    expect(decideOn([makeCandidate({ prior: 0.1, run: ranWith('x') })], { ask: true }).do).toBe('refuse')
  })

  it("does not ask for less than a person's attention costs, and tells what it took", () => {
    const rivals = [
      makeCandidate({ id: 'a', prior: 0.6, run: ranWith('x') }),
      makeCandidate({ id: 'b', prior: 0.3, run: ranWith('y') }),
    ]
    const worth = (value: number) =>
      decideOutcome({
        groups: groupCandidates(rivals),
        candidates: rivals,
        cannotAnswer: null,
        clarification: { ...clarification, value },
        replied: false,
        thresholds: { answer: 0.5, ask: 0.2 },
      })
    expect(worth(0.2)).toMatchObject({ do: 'ask' })
    expect(worth(0.19)).toMatchObject({ do: 'answer', assumed: clarification.clarification })
    expect(worth(0.04)).toMatchObject({ do: 'answer', assumed: null })
  })

  it('does not ask when one reading clearly leads, and offers the others', () => {
    const rivals = [
      makeCandidate({ id: 'a', prior: 0.6, run: ranWith('x') }),
      makeCandidate({ id: 'b', prior: 0.3, run: ranWith('y') }),
    ]
    const verdict = decideOutcome({
      groups: groupCandidates(rivals),
      candidates: rivals,
      cannotAnswer: null,
      clarification: { ...clarification, use: 'offer' },
      replied: false,
      thresholds: { answer: 0.5, ask: 0.2 },
    })
    expect(verdict).toMatchObject({ do: 'answer', assumed: clarification.clarification })
  })

  it('answers after a reply, however unsure', () => {
    expect(decideOn([makeCandidate({ prior: 0.2, run: ranWith('x') })], { replied: true }).do).toBe('answer')
  })

  it('names the words it found nothing for', () => {
    const verdict = decideOn([makeCandidate({ prior: 0.2, unused: ['zebra'], run: ranWith('x') })])
    expect(verdict).toMatchObject({ do: 'refuse', why: { code: 'ignored-words', words: ['zebra'] } })
  })

  it.each([
    [['vs', 'zebra', 'than'], ['zebra']],
    [['vs'], ['vs']],
  ])('names no words between things, unless there are no others: %s', (unused, words) => {
    const verdict = decideOn([makeCandidate({ prior: 0.2, unused, run: ranWith('x') })])
    expect(verdict).toMatchObject({ do: 'refuse', why: { code: 'ignored-words', words } })
  })

  it('says what the database said when every query failed', () => {
    const run = { status: 'failed', errorClass: 'timeout', message: 'it took too long' } as const
    expect(decideOn([makeCandidate({ run })])).toMatchObject({
      do: 'refuse',
      why: { code: 'all-failed', message: expect.stringContaining('it took too long'), isTimeout: true },
    })
  })

  it('says that the database is away, and not where it was looked for', () => {
    const message = 'Cannot connect to postgres://reader@db.internal:5432/shop: connect ECONNREFUSED'
    const away = { status: 'failed', errorClass: 'connection', message } as const
    const syntax = { status: 'failed', errorClass: 'syntax', message: 'near "x"' } as const
    const verdict = decideOn([makeCandidate({ id: 'a', run: away }), makeCandidate({ id: 'b', run: syntax })])
    expect(verdict).toMatchObject({
      do: 'refuse',
      why: { code: 'database-unreachable' },
    })
    expect(JSON.stringify(verdict)).not.toContain('db.internal')
  })

  it.each([
    [
      'over-budget',
      'The limit is reached: 12 rows.',
      { code: 'over-budget', message: 'The limit is reached: 12 rows.' },
    ],
    ['connection', 'connect ECONNREFUSED', { code: 'database-unreachable' }],
  ] as const)(
    'blames %s, and not the question, where likelier candidates could not be tried',
    (errorClass, message, why) => {
      const verdict = decideOn([
        makeCandidate({ id: 'a', prior: 0.9, run: { status: 'failed', errorClass, message } }),
        makeCandidate({ id: 'b', prior: 0.01, run: ranWith('x') }),
      ])
      expect(verdict).toMatchObject({ do: 'refuse', why })
    },
  )

  it('says that it could not match the question when there is no candidate', () => {
    expect(decideOn([])).toMatchObject({ do: 'refuse', why: { code: 'nothing-drafted' } })
  })

  it('quotes the last failure when nothing ran', () => {
    const failed = (message: string) => ({ status: 'failed', errorClass: 'syntax', message }) as const
    const verdict = decideOn([
      makeCandidate({ id: 'a', run: failed('the first') }),
      makeCandidate({ id: 'b', run: failed('the second') }),
    ])
    expect(verdict).toMatchObject({ do: 'refuse', why: { code: 'all-failed', message: 'the second' } })
  })
})
