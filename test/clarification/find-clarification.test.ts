import { describe, expect, it } from 'vitest'
import { findClarification } from '../../src/clarification/find-clarification.ts'
import type { Candidate } from '../../src/domain/candidate.ts'
import type { Catalog } from '../../src/domain/catalog.ts'
import type { Decision } from '../../src/domain/interpretation.ts'
import { groupCandidates } from '../../src/ranking/votes.ts'
import { makeCandidate, ranWith } from '../helpers/make-candidate.ts'

const decided = (phrase: string, choice: string): Decision => ({
  phrase,
  kind: 'column',
  choice,
  label: choice.replaceAll('_', ' '),
})

const reading = (id: string, prior: number, ...decisions: Decision[]): Candidate =>
  makeCandidate({ id, prior, decisions, run: ranWith(id, 4) })

const catalog: Catalog = { dialect: 'postgres', tables: [], foreignKeys: [], fingerprint: 'f' }

const weigh = (...candidates: Candidate[]) =>
  findClarification({ question: 'bikes by colour', catalog, groups: groupCandidates(candidates), candidates })

const ask = (...candidates: Candidate[]) => weigh(...candidates)?.clarification ?? null

describe('findClarification', () => {
  it('asks about the phrase that near-equal readings take differently', () => {
    const asked = ask(
      reading('a', 0.4, decided('colour', 'frame_colour')),
      reading('b', 0.35, decided('colour', 'saddle_colour')),
    )
    expect(asked).toEqual({
      question: 'By which colour?',
      options: [
        {
          label: 'frame colour',
          hint: '4 rows',
          candidateIds: ['a'],
          means: { phrase: 'colour', meaning: 'frame colour', sql: null, columns: [] },
        },
        {
          label: 'saddle colour',
          hint: '4 rows',
          candidateIds: ['b'],
          means: { phrase: 'colour', meaning: 'saddle colour', sql: null, columns: [] },
        },
      ],
      defaultOption: 0,
    })
  })

  it('is worth what the other options may add', () => {
    const choices = [decided('colour', 'x'), decided('colour', 'y')]
    const [x, y] = choices as [Decision, Decision]
    expect(weigh(reading('a', 0.5, x), reading('b', 0.4, y))?.value).toBeCloseTo(0.4)
    expect(weigh(reading('a', 0.8, x), reading('b', 0.1, y))?.value).toBeCloseTo(0.1)
  })

  it('leaves out what is too unlikely to be read about', () => {
    expect(
      ask(reading('a', 0.8, decided('colour', 'x')), reading('b', 0.01, decided('colour', 'y'))),
    ).toBeNull()
  })

  it('is not to be asked when a reading is clearly likely, or far ahead of the others', () => {
    const useOf = (...priors: number[]) =>
      weigh(...priors.map((prior, at) => reading(`r${at}`, prior, decided('colour', `c${at}`))))?.use
    expect(useOf(0.56, 0.4)).toBe('offer')
    expect(useOf(0.4, 0.2)).toBe('offer')
    expect(useOf(0.4, 0.3)).toBe('ask')
    expect(useOf(0.5, 0.5)).toBe('ask')
  })

  it('neither asks nor offers what readings of the parser differ in when the question says nothing of it', () => {
    const readings = (...priors: number[]) =>
      priors.map((prior, at) => ({
        ...reading(`r${at}`, prior),
        sql: `SELECT ${at === 0 ? 'name' : 'name, colour'} FROM bikes`,
      }))
    const drafted = (...priors: number[]) =>
      readings(...priors).map(candidate => ({ ...candidate, path: 'query-plan' as const }))
    expect(weigh(...readings(0.7, 0.2))).toBeNull()
    expect(weigh(...readings(0.4, 0.4))).toBeNull()
    expect(weigh(...drafted(0.7, 0.2))).toMatchObject({ use: 'offer' })
    expect(weigh(...drafted(0.4, 0.4))).toMatchObject({ use: 'ask' })
  })

  it('offers no option that is much less likely than the first', () => {
    const asked = ask(
      reading('a', 0.35, decided('colour', 'frame')),
      reading('b', 0.3, decided('colour', 'saddle')),
      reading('c', 0.15, decided('colour', 'label')),
    )
    expect(asked?.options.map(option => option.label)).toEqual(['frame', 'saddle'])
  })

  it('asks about all that differs when readings differ in more than one thing', () => {
    const asked = ask(
      reading('a', 0.4, decided('colour', 'red'), decided('size', 'small')),
      reading('b', 0.4, decided('colour', 'blue'), decided('size', 'big')),
    )
    expect(asked?.options.map(({ label }) => label)).toEqual(['red, small', 'blue, big'])
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
    expect(weigh()).toBeNull()
  })
})
