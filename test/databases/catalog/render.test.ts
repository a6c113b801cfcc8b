import { describe, expect, it } from 'vitest'
import { renderDdl, renderMarkdown, renderMSchema } from '../../../src/databases/catalog/render-schema.ts'
import type { RenderSchema, ValueMatch } from '../../../src/domain/question-context.ts'
import { everything, harbourCatalog } from './harbour-catalog.ts'

const matches: readonly ValueMatch[] = [
  { keyword: 'split', table: 'ports', column: 'name', value: 'Split', score: 0.99 },
  { keyword: 'break', table: 'Ship Visits', column: 'cargo', value: 'line\nbreak', score: 0.8 },
]

const renderings: readonly (readonly [string, RenderSchema])[] = [
  ['DDL', renderDdl],
  ['M-Schema', renderMSchema],
  ['Markdown', renderMarkdown],
]

describe.each(renderings)('%s', (_name, render) => {
  it('tells all that is known', () => {
    expect(render(harbourCatalog, everything(harbourCatalog), { matches })).toMatchSnapshot()
  })

  it('shows the linked part alone, without keys that lead out of it', () => {
    const part = { tables: [{ table: 'Ship Visits', keep: ['port_id', 'arrived'] }] }
    expect(render(harbourCatalog, part)).toMatchSnapshot()
  })

  it('is shuffled by a seed, tables and columns, and loses nothing by it', () => {
    const plain = render(harbourCatalog, everything(harbourCatalog))
    const orders = [1, 2, 3, 4, 5].map(seed => render(harbourCatalog, everything(harbourCatalog), { seed }))
    expect(orders[0]).toBe(render(harbourCatalog, everything(harbourCatalog), { seed: 1 }))
    expect(new Set([plain, ...orders]).size).toBeGreaterThan(4)
    const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.sort()
    for (const order of orders) expect(words(order)).toEqual(words(plain))
  })

  it('never lets a comment or a value begin a line of its own', () => {
    const text = render(harbourCatalog, everything(harbourCatalog), { matches })
    expect(text.split('\n').filter(line => /^\s*(\)?; DROP|break|line$)/.test(line))).toEqual([])
  })
})
