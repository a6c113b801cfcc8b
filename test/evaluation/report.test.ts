import { describe, expect, it } from 'vitest'
import { parseQuestions } from '../../src/evaluation/questions-file.ts'
import { renderHtml, renderMarkdown } from '../../src/evaluation/render-report.ts'
import { callsHistogram, makeReport, riskCoverage } from '../../src/evaluation/report.ts'
import { makeEvaluated } from './make-evaluated.ts'

describe('the risk-coverage curve', () => {
  it('adds answers from the surest on, those of one confidence together', () => {
    const answer = (confidence: number | null, ex: boolean) => makeEvaluated({ confidence, ex })
    const evaluated = [
      answer(0.5, false),
      answer(0.9, true),
      answer(0.5, true),
      answer(null, true),
      makeEvaluated({ outcome: 'clarified', confidence: 0.99, ex: false }),
      makeEvaluated({ answerable: false, confidence: 1, ex: null }),
    ]
    expect(riskCoverage(evaluated)).toEqual([
      { confidence: 0.9, coverage: 1 / 5, precision: 1 },
      { confidence: 0.5, coverage: 3 / 5, precision: 2 / 3 },
    ])
    expect(riskCoverage([])).toEqual([])
  })
})

describe('the histogram of calls', () => {
  const of = (...calls: number[]) => callsHistogram(calls.map(modelCalls => makeEvaluated({ modelCalls })))

  it('has a bar for every count, empty ones too', () => {
    expect(of(0, 2, 2)).toEqual([
      { from: 0, to: 0, questions: 1 },
      { from: 1, to: 1, questions: 0 },
      { from: 2, to: 2, questions: 2 },
    ])
    expect(of()).toEqual([])
  })

  it('joins counts where there would be too many bars, and loses none', () => {
    const bars = of(...Array.from({ length: 101 }, (_, i) => i))
    expect(bars.length).toBeLessThanOrEqual(25)
    expect(bars.reduce((sum, { questions }) => sum + questions, 0)).toBe(101)
    expect(bars.at(-1)).toMatchObject({ from: 100, questions: 1 })
  })
})

describe('a report', () => {
  const hostile = '<script>alert(1)</script> [x](y) | `z` # "quoted"'
  const lines = parseQuestions(
    JSON.stringify({ id: 'b', db_id: 'shop', question: hostile, gold: 'select 2' }),
    'q',
  )
  const run = (ex: boolean) => [
    makeEvaluated({ id: 'a', difficulty: 'easy', modelCalls: 1 }),
    makeEvaluated({ id: 'b', difficulty: 'hard', ex, sql: 'select ```1```', confidence: 0.4, modelCalls: 3 }),
  ]
  const named = (name: string, ex: boolean) => ({ name, evaluated: run(ex), indexMilliseconds: 5 })
  const alone = makeReport('shop.jsonl', named('now', false), { against: null, lines })
  const beside = makeReport('shop.jsonl', named('now', false), { against: named('then', true), lines })

  it('is plain to read as Markdown', () => {
    expect(renderMarkdown(alone, chart => `shop-${chart}.svg`)).toMatchSnapshot()
  })

  it('sets two runs side by side, and says which of them is better', () => {
    const text = renderMarkdown(beside, chart => `${chart}.svg`)
    expect(text).toContain('| measure | now | then |')
    expect(text).toContain('| EX | 50.0 % | 100.0 % |')
    expect(text).toContain('difference, B - A    -50.0 points')
  })

  it('is one page of HTML in which nothing of a question is markup', () => {
    const html = renderHtml(beside, chart => `<svg id="${chart}"></svg>`)
    expect(html.match(/<svg id="[^"]+"/g)).toEqual([
      '<svg id="by-difficulty"',
      '<svg id="coverage"',
      '<svg id="calls"',
    ])
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).not.toMatch(/(src|href)=/)
  })

  it('shows the first misses, and counts the others', () => {
    const evaluated = Array.from({ length: 53 }, (_, i) => makeEvaluated({ id: String(i), ex: false }))
    const report = makeReport(
      't',
      { name: 'n', evaluated, indexMilliseconds: null },
      { against: null, lines },
    )
    expect(report.misses).toHaveLength(50)
    expect(renderMarkdown(report, () => '')).toContain('the first 50; 3 more')
  })
})
