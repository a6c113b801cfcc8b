import { describe, expect, it } from 'vitest'
import { drawBarChart } from '../../src/charts/report-charts.ts'

const bars = [
  { category: 'easy', value: 0.9 },
  { category: 'hard', value: 0.5 },
]

const titles = { title: 'EX', xTitle: 'difficulty', yTitle: 'share' }

const countBars = (svg: string): number => [...svg.matchAll(/aria-roledescription="bar"/g)].length

describe('a bar chart', () => {
  it('has a bar for each category, in the order given', async () => {
    const svg = await drawBarChart({ ...titles, most: 1, series: [{ name: 'a', bars }] })
    expect(svg).toMatch(/^<svg/)
    expect(countBars(svg)).toBe(2)
    expect(svg.indexOf('>easy<')).toBeLessThan(svg.indexOf('>hard<'))
    expect(svg).not.toContain('>a<')
  })

  it('sets several series side by side, and names them', async () => {
    const series = [
      { name: 'now', bars },
      { name: 'then <b>', bars },
    ]
    const svg = await drawBarChart({ ...titles, series })
    expect(countBars(svg)).toBe(4)
    expect(svg).toContain('>now<')
    expect(svg).toContain('then &lt;b&gt;')
  })
})
