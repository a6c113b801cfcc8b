import { describe, expect, it } from 'vitest'
import { describeTeamKnowledge } from '../../../../graphs/answer/drafting/prompt-inputs.ts'
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

describe('evidence', () => {
  it('is of the terms that the question uses and the rules about tables that are shown', () => {
    const text = describeTeamKnowledge(knowledge, { question: 'How many seconds have our glaze?', linked })
    expect(text.split('\n')).toEqual([
      `- "seconds": Pieces with a flaw. In SQL: pieces.outcome = 'flawed'`,
      '- "house glaze" (also: our glaze): See pieces.glaze_colour.',
      '- Broken pieces count as fired, see `pieces.outcome`.',
      `- Years begin in autumn. ${'x'.repeat(377)}…`,
    ])
  })

  it('finds a term in the singular, but not in other words', () => {
    const one = describeTeamKnowledge(
      { ...knowledge, rules: [] },
      { question: 'Apprentices by city?', linked },
    )
    expect(one).toContain('apprentice')
    const none = describeTeamKnowledge(
      { ...knowledge, rules: [] },
      { question: 'glaze of the house', linked },
    )
    expect(none).toBe('Nothing is known beside the schema.')
  })

  it('is bounded', () => {
    const many = {
      ...knowledge,
      terms: Array.from({ length: 90 }, () => term('glaze')),
      rules: Array.from({ length: 90 }, () => ({ text: 'y'.repeat(900), at })),
    }
    expect(describeTeamKnowledge(many, { question: 'glaze', linked }).length).toBeLessThan(6_000)
  })

  it('is nothing where nothing is known', () => {
    expect(describeTeamKnowledge(undefined, { question: 'glaze', linked })).toBe(
      'Nothing is known beside the schema.',
    )
  })
})
