import { describe, expect, it } from 'vitest'
import { renderSummary, summarizeRun } from '../../src/evaluation/summary.ts'
import { makeEvaluated } from './make-evaluated.ts'

const wrong = { ex: false, exAnyOrder: false, oracle: false, softF1: 0 }

const run = [
  makeEvaluated({ id: '1', modelCalls: 2, promptTokens: 100 }),
  makeEvaluated({
    id: '2',
    ex: false,
    exAnyOrder: true,
    softF1: 0.5,
    confidence: 0.8,
    milliseconds: 20,
    modelCalls: 3,
    promptTokens: 50,
  }),
  makeEvaluated({ id: '3', confidence: 0.79, milliseconds: 30 }),
  makeEvaluated({ id: '4', ...wrong, outcome: 'clarified', oracle: true, confidence: 0.9, milliseconds: 40 }),
  makeEvaluated({ id: '5', ...wrong, outcome: 'refused', sql: null, confidence: null, milliseconds: 50 }),
  makeEvaluated({ id: '6', ...wrong, outcome: 'failed', sql: null, confidence: null, milliseconds: 60 }),
  makeEvaluated({ id: '7', ...wrong, confidence: 0.1, milliseconds: 70 }),
  makeEvaluated({ id: '8', ...wrong, confidence: null, milliseconds: 80 }),
  makeEvaluated({
    id: 'n1',
    answerable: false,
    ex: null,
    exAnyOrder: null,
    softF1: null,
    oracle: null,
    outcome: 'refused',
    milliseconds: 9999,
    modelCalls: 7,
  }),
  makeEvaluated({
    id: 'n2',
    answerable: false,
    ex: null,
    exAnyOrder: null,
    softF1: null,
    oracle: null,
    milliseconds: 9999,
  }),
]

describe('summarise', () => {
  it('divides by all answerable questions, and keeps the others apart', () => {
    expect(summarizeRun(run, 120)).toEqual({
      questions: 8,
      ex: 2 / 8,
      exAnyOrder: 3 / 8,
      softF1: 2.5 / 8,
      oracle: 4 / 8,
      answered: 5,
      refused: 1,
      clarified: 1,
      failed: 1,
      precisionConfident: 1 / 2,
      coverageConfident: 2 / 8,
      modelCalls: 5,
      promptTokens: 150,
      completionTokens: 0,
      byDifficulty: [],
      rves: null,
      p50: 45,
      p95: expect.closeTo(76.5),
      indexMilliseconds: 120,
      unanswerable: { questions: 2, refused: 1 },
    })
  })

  it('is null if there is nothing to compute from', () => {
    const nothing = summarizeRun([], null)
    expect(nothing).toMatchObject({ questions: 0, ex: null, p50: null, coverageConfident: null })
    expect(summarizeRun([makeEvaluated({ confidence: 0.2 })], 1)).toMatchObject({
      precisionConfident: null,
      coverageConfident: 0,
    })
  })
})

describe('renderSummary', () => {
  it('is a table for a person', () => {
    expect(renderSummary(summarizeRun(run, 1234))).toMatchInlineSnapshot(`
      "| measure                       |                   value |
      |-------------------------------|------------------------:|
      | questions                     |                       8 |
      | EX                            |                  25.0 % |
      | EX, columns in any order      |                  37.5 % |
      | soft F1                       |                  31.3 % |
      | oracle over the candidates    |                  50.0 % |
      | answered                      |              5 (62.5 %) |
      | asked back                    |              1 (12.5 %) |
      | refused                       |              1 (12.5 %) |
      | failed                        |              1 (12.5 %) |
      | precision at confidence >= .8 |                  50.0 % |
      | coverage at confidence >= .8  |                  25.0 % |
      | model calls                   |    5 (0.6 per question) |
      | prompt tokens                 | 150 (18.8 per question) |
      | time, median                  |                   45 ms |
      | time, 95th percentile         |                   77 ms |
      | indexing, total               |                   1.2 s |
      | unanswerable, refused         |                  1 of 2 |"
    `)
  })

  it('copes with nothing', () => {
    expect(renderSummary(summarizeRun([], null))).toMatch(/\| questions +\| +0 \|/)
  })
})

describe('by difficulty', () => {
  it('counts what is known, the easiest first, words of others last', () => {
    const of = (difficulty: string | null, ex: boolean) => makeEvaluated({ difficulty, ex })
    const evaluated = [
      of('odd', true),
      of('extra', false),
      of('easy', true),
      of('easy', false),
      of(null, true),
    ]
    expect(summarizeRun(evaluated, null).byDifficulty).toEqual([
      { difficulty: 'easy', questions: 2, ex: 0.5, exAnyOrder: 1 },
      { difficulty: 'extra', questions: 1, ex: 0, exAnyOrder: 1 },
      { difficulty: 'odd', questions: 1, ex: 1, exAnyOrder: 1 },
    ])
  })

  it('sums R-VES up only where every question has it', () => {
    expect(summarizeRun([makeEvaluated({ rves: 1 }), makeEvaluated({ rves: 0 })], null).rves).toBe(0.5)
    expect(summarizeRun([makeEvaluated({ rves: 1 }), makeEvaluated({ rves: null })], null).rves).toBeNull()
  })
})
