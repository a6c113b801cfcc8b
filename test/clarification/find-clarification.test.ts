import { describe, expect, it } from 'vitest'
import { findClarification } from '../../src/clarification/find-clarification.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { Decision } from '../../src/core/reading.ts'
import { groupCandidates } from '../../src/selection/group-candidates.ts'
import { makeCandidate, ranWith } from '../helpers/make-candidate.ts'

const decided = (phrase: string, choice: string): Decision => ({
  phrase,
  kind: 'column',
  choice,
  label: choice.replaceAll('_', ' '),
})

const reading = (id: string, prior: number, ...decisions: Decision[]): Candidate =>
  makeCandidate({ id, prior, decisions, run: ranWith(id, 4) })

const ask = (...candidates: Candidate[]) => findClarification(groupCandidates(candidates), candidates)

describe('findClarification', () => {
  it('asks about the phrase that near-equal readings take differently', () => {
    const asked = ask(
      reading('a', 0.4, decided('colour', 'frame_colour')),
      reading('b', 0.35, decided('colour', 'saddle_colour')),
    )
    expect(asked).toEqual({
      question: 'What do you mean by “colour”?',
      options: [
        { label: 'frame colour', hint: '4 rows', candidateIds: ['a'] },
        { label: 'saddle colour', hint: '4 rows', candidateIds: ['b'] },
      ],
      defaultOption: 0,
    })
  })

  it('does not ask when the leader is far ahead', () => {
    expect(
      ask(reading('a', 0.8, decided('colour', 'x')), reading('b', 0.1, decided('colour', 'y'))),
    ).toBeNull()
  })

  it('does not ask when readings differ in more than one thing', () => {
    expect(
      ask(
        reading('a', 0.4, decided('colour', 'x'), decided('size', 'p')),
        reading('b', 0.4, decided('colour', 'y'), decided('size', 'q')),
      ),
    ).toBeNull()
  })

  it('does not ask when both readings give the same result', () => {
    const both = [decided('colour', 'x'), decided('colour', 'y')].map((decision, i) =>
      makeCandidate({ id: String(i), prior: 0.4, decisions: [decision], run: ranWith('same') }),
    )
    expect(ask(...both)).toBeNull()
  })

  it('offers at most four options, each once', () => {
    const readings = ['p', 'q', 'r', 's', 't', 'u'].map(choice =>
      reading(choice, 0.15, decided('colour', choice)),
    )
    const asked = ask(...readings)
    expect(asked?.options.map(option => option.label)).toEqual(['p', 'q', 'r', 's'])
  })

  it('has nothing to ask without candidates', () => {
    expect(findClarification([], [])).toBeNull()
  })
})
