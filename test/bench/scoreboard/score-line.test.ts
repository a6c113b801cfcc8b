import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  isFailure,
  judgeLine,
  readFigure,
  readJson,
  scoreboardSchema,
} from '../../../bench/scoreboard/score-line.ts'

describe('a line of the scoreboard', () => {
  const up = { figure: 0.5, better: 'up', tolerance: 0.01 } as const
  const down = { figure: 100, better: 'down', tolerance: 20 } as const

  it.each([
    ['the same figure', up, 0.5, 'same'],
    ['more, where up is better', up, 0.6, 'better'],
    ['a little less', up, 0.495, 'within tolerance'],
    ['less by exactly the tolerance', up, 0.49, 'within tolerance'],
    ['less by more than the tolerance', up, 0.489, 'fell'],
    ['less, where down is better', down, 80, 'better'],
    ['a little more', down, 120, 'within tolerance'],
    ['more than the tolerance', down, 121, 'fell'],
  ] as const)('judges %s', (_, line, figure, verdict) => {
    expect(judgeLine(line, { figure })).toBe(verdict)
  })

  it('takes no fall at all with a tolerance of zero', () => {
    const line = { figure: 0, better: 'down', tolerance: 0 } as const
    expect(judgeLine(line, { figure: 0 })).toBe('same')
    expect(judgeLine(line, { figure: 1 })).toBe('fell')
  })

  it('has nothing to compare with before the first run, or when it was skipped', () => {
    expect(judgeLine({ ...up, figure: null }, { figure: 0.1 })).toBe('new')
    expect(judgeLine(up, { skipped: '../shared/data is not here' })).toBe('skipped')
    expect(judgeLine(up, { failed: 'ended with 1' })).toBe('failed')
  })

  it('fails the run when it fell or could not be measured', () => {
    const failing = (
      ['same', 'better', 'within tolerance', 'fell', 'new', 'skipped', 'failed'] as const
    ).filter(isFailure)
    expect(failing).toEqual(['fell', 'failed'])
  })
})

describe('reading a figure', () => {
  const json = {
    questions: 8,
    clarified: 2,
    pools: { 'a+b': { ex: 0.75, early: 0.5 } },
    list: [{ p95: 3 }],
    none: null,
  }

  it.each([
    ['questions', 8],
    ['pools.a+b.ex', 0.75],
    ['list.0.p95', 3],
    ['clarified / questions', 0.25],
    ['pools.a+b.ex - pools.a+b.early', 0.25],
  ])('finds %s', (expression, figure) => {
    expect(readFigure(json, expression)).toBe(figure)
  })

  it.each(['missing', 'pools.c.ex', 'none', 'pools', 'questions / missing'])('has none at %s', expression => {
    expect(() => readFigure(json, expression)).toThrow('there is no number at')
  })

  it('takes one JSON value or several lines', () => {
    expect(readJson('{"a": 1}\n')).toEqual({ a: 1 })
    expect(readJson('{"a": 1}\n{"a": 2}\n')).toEqual([{ a: 1 }, { a: 2 }])
    expect(() => readJson('not JSON')).toThrow()
  })
})

describe('the kept scoreboard', () => {
  const file = new URL('../../../bench/scoreboard.json', import.meta.url)
  const { lines } = scoreboardSchema.parse(JSON.parse(readFileSync(file, 'utf8')))

  it('names each line once and has a figure for each', () => {
    expect(new Set(lines.map(({ name }) => name)).size).toBe(lines.length)
    expect(lines.filter(({ figure }) => figure === null)).toEqual([])
  })

  it('lets no hostile statement through', () => {
    const hostile = lines.filter(({ name }) => name.endsWith('hostile-allowed'))
    expect(hostile.map(({ figure, tolerance }) => [figure, tolerance])).toEqual([
      [0, 0],
      [0, 0],
    ])
  })
})
