import { describe, expect, it } from 'vitest'
import { renderDdl, renderMarkdown, renderMSchema } from '../../../src/databases/catalog/render-schema.ts'
import type { RenderSchema } from '../../../src/domain/question-context.ts'
import { crewCatalog, everything, harborCatalog } from './harbor-catalog.ts'

const renderings: readonly (readonly [string, RenderSchema])[] = [
  ['DDL', renderDdl],
  ['M-Schema', renderMSchema],
  ['Markdown', renderMarkdown],
]

describe.each(renderings)('%s', (_name, render) => {
  it('tells all that is known', () => {
    expect(render(harborCatalog, everything(harborCatalog))).toMatchSnapshot()
  })

  it('shows the linked part alone, without keys that lead out of it', () => {
    const part = { tables: [{ table: 'Ship Visits', keep: ['port_id', 'arrived'] }] }
    expect(render(harborCatalog, part)).toMatchSnapshot()
  })

  it('is shuffled by a seed, tables and columns, and loses nothing by it', () => {
    const plain = render(harborCatalog, everything(harborCatalog))
    const orders = [1, 2, 3, 4, 5].map(seed => render(harborCatalog, everything(harborCatalog), { seed }))
    expect(orders[0]).toBe(render(harborCatalog, everything(harborCatalog), { seed: 1 }))
    expect(new Set([plain, ...orders]).size).toBeGreaterThan(4)
    const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.sort()
    for (const order of orders) expect(words(order)).toEqual(words(plain))
  })

  it('never lets a comment or a value begin a line of its own', () => {
    const text = render(harborCatalog, everything(harborCatalog))
    expect(text.split('\n').filter(line => /^\s*(\)?; DROP|break|line$)/.test(line))).toEqual([])
  })
})

describe('what is shown of values', () => {
  it.each(renderings)(
    'has no value of a personal column, and the codes of natural keys, in %s',
    (_, render) => {
      expect(render(crewCatalog, everything(crewCatalog))).toMatchSnapshot()
    },
  )
})
