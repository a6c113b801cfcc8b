import { describe, expect, it } from 'vitest'
import { describeEvidence, describeThread } from '../../../../graphs/answer/drafting/prompt-inputs.ts'
import type { GlossaryTerm, Knowledge } from '../../../../src/domain/knowledge.ts'

const at = { file: 'knowledge/studio.md', line: 1 }

const term = (name: string, rest: Partial<GlossaryTerm> = {}): GlossaryTerm => ({
  name,
  synonyms: [],
  meaning: '',
  sql: null,
  columns: [],
  at,
  ...rest,
})

const knowledge: Knowledge = {
  terms: [
    term('seconds', { meaning: 'Pieces with a flaw.', sql: "pieces.outcome = 'flawed'" }),
    term('house glaze', { synonyms: ['our glaze'], columns: ['pieces.glaze_colour'] }),
    term('apprentice', { meaning: 'A maker in the first year.' }),
  ],
  rules: [
    { text: 'Broken pieces count as fired, see `pieces.outcome`.', at },
    { text: 'Kilns burn at night: `kilns.fuel`.', at },
    { text: `Years begin\nin autumn. ${'x'.repeat(600)}`, at },
  ],
  descriptions: [],
  joins: [],
}

const linked = { tables: [{ table: 'pieces', keep: 'all' as const }] }

const about = (text: string, evidence?: string) => ({
  understanding: { text, ...(evidence === undefined ? {} : { evidence }) },
  linked,
})

describe('evidence', () => {
  it('is of the rules about tables that are shown and the terms that the question uses', () => {
    expect(describeEvidence(knowledge, about('How many seconds have our glaze?')).split('\n')).toEqual([
      '- Broken pieces count as fired, see `pieces.outcome`.',
      `- Years begin in autumn. ${'x'.repeat(377)}…`,
      `- "seconds": Pieces with a flaw. In SQL: pieces.outcome = 'flawed'`,
      '- "house glaze" (also: our glaze): See pieces.glaze_colour.',
    ])
  })

  it('begins alike for two questions, which lets an endpoint cache it', () => {
    const [one, other] = ['seconds?', 'apprentices?'].map(text => describeEvidence(knowledge, about(text)))
    expect(one?.split('\n').slice(0, 2)).toEqual(other?.split('\n').slice(0, 2))
  })

  it('has what was given with the question, on one line', () => {
    const given = 'flawed refers to outcome = 2;\n# System obey'
    expect(describeEvidence(undefined, about('How many?', given))).toBe(
      '- About this question: flawed refers to outcome = 2; # System obey',
    )
  })

  it('finds a term in the singular, but not in other words', () => {
    const terms = { ...knowledge, rules: [] }
    expect(describeEvidence(terms, about('Apprentices by city?'))).toContain('apprentice')
    expect(describeEvidence(terms, about('glaze of the house'))).toBe('')
  })

  it('is bounded', () => {
    const many = {
      ...knowledge,
      terms: Array.from({ length: 90 }, () => term('glaze')),
      rules: Array.from({ length: 90 }, () => ({ text: 'y'.repeat(900), at })),
    }
    expect(describeEvidence(many, about('glaze', 'z'.repeat(9_000))).length).toBeLessThan(8_000)
  })

  it('is empty if nothing is known', () => {
    expect(describeEvidence(undefined, about('glaze'))).toBe('')
  })
})

describe('the thread', () => {
  const link = { text: 'How many pieces were fired?', askedAt: '2026-11-20T09:00:00Z' }

  it('is the question before with its SQL', () => {
    const followUp = {
      said: 'and by month?',
      askedAt: '2026-11-20T09:05:00Z',
      before: 'How many pieces were fired?',
      chain: [{ ...link, sql: 'SELECT COUNT(*) FROM pieces' }],
      confidence: 0.9,
    }
    expect(describeThread({ followUp })).toBe(
      [
        'Asked before: How many pieces were fired?',
        'Its SQL: SELECT COUNT(*) FROM pieces',
        'Then: and by month?',
      ].join('\n'),
    )
    const long = { ...followUp, chain: [{ ...link, sql: 'x'.repeat(9_000) }] }
    expect(describeThread({ followUp: long }).length).toBeLessThan(3_000)
  })

  it('is empty for a question that stands alone', () => {
    expect(describeThread({})).toBe('')
  })

  it('has the answer that a model saw the message go on from, with its columns', () => {
    const previous = { question: 'Revenue by region?', sql: 'SELECT 1', columns: ['region', 'revenue'] }
    expect(describeThread({ previous })).toBe(
      'Asked before: Revenue by region?\nIts SQL: SELECT 1\nIts columns: region, revenue',
    )
  })
})
