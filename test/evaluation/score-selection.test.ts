import { describe, expect, it } from 'vitest'
import { renderSelection } from '../../src/evaluation/render-selection.ts'
import {
  type LabeledSelection,
  scoreConfidence,
  scoreSelections,
} from '../../src/evaluation/score-selection.ts'

/** What a selector chose, how sure it was, and whether that was right: `turned` has its columns in another order. */
const judged = (confidence: number | null, was: 'right' | 'turned' | 'wrong'): LabeledSelection => ({
  selected: { candidateId: 'a', confidence, early: null },
  label: { ex: was === 'right', anyOrder: was !== 'wrong' },
  earlyLabel: null,
})

const sure = [judged(0.9, 'right'), judged(0.8, 'turned'), judged(0.6, 'wrong'), judged(0.3, 'right')]
const pool = { majority: 0.25, oracle: 0.75 }

describe('scoring selections', () => {
  it('scores confidence against what is right in any order of columns', () => {
    const score = scoreSelections(sure, pool)
    const confidence = scoreConfidence([
      { confidence: 0.9, right: true },
      { confidence: 0.8, right: true },
      { confidence: 0.6, right: false },
      { confidence: 0.3, right: true },
    ])!
    const { ece, eceInterval, brier, brierSkill, riskAt80, riskAt100 } = confidence
    expect(score).toMatchObject({ ece, eceInterval, brier, brierSkill, riskAt80, riskAt100 })
    expect(ece).toBeCloseTo((0.1 + 0.2 + 0.6 + 0.7) / 4, 10)
    expect(score).toMatchObject({ ex: 0.5, exAnyOrder: 0.75, gapClosed: 0.5 })
  })

  it('says nothing of confidence where a selector has none', () => {
    const score = scoreSelections([judged(null, 'right'), judged(null, 'wrong')], pool)
    expect(score).toMatchObject({
      ...{ ex: 0.5, ece: null, eceInterval: null, brier: null, brierSkill: null },
      ...{ riskAt80: null, riskAt100: null },
    })
  })

  it('is shown in one row a selector', () => {
    const none = scoreSelections([judged(null, 'right')], pool)
    const table = renderSelection({
      folds: 'by-database',
      pools: {
        one: {
          ...{ questions: 4, oracle: 0.75, oracleAnyOrder: 1, regret: null },
          selectors: { learned: scoreSelections(sure, pool), first: none },
        },
      },
    }).split('\n')
    const cells = (row: string | undefined) => row?.trim().split(/ {2,}/)
    expect(cells(table[1])?.slice(4, 9)).toEqual(['ECE', 'Brier', 'skill', 'risk 80', 'risk 100'])
    expect(cells(table[2])?.slice(4, 9)).toEqual(['0.400', '0.225', '-0.200', '33.3 %', '25.0 %'])
    expect(cells(table[3])?.slice(4, 9)).toEqual(['-', '-', '-', '-', '-'])
  })
})
