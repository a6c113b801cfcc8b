import { describe, expect, it } from 'vitest'
import { renderDdl, renderMarkdown, renderMSchema } from '../../../src/databases/catalog/render-schema.ts'
import type { RenderSchema, ValueMatch } from '../../../src/domain/question-context.ts'
import { crewCatalog, everything, harborCatalog } from './harbor-catalog.ts'

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
    expect(render(harborCatalog, everything(harborCatalog), { matches })).toMatchSnapshot()
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
    const text = render(harborCatalog, everything(harborCatalog), { matches })
    expect(text.split('\n').filter(line => /^\s*(\)?; DROP|break|line$)/.test(line))).toEqual([])
  })
})

describe('what is shown of values', () => {
  const shown = (given: readonly ValueMatch[] = []): string =>
    renderDdl(crewCatalog, everything(crewCatalog), { matches: given })
  const lineOf = (column: string, text: string): string =>
    text.split('\n').find(line => line.trim().startsWith(column)) ?? ''

  it.each(renderings)(
    'has no value of a personal column, and the codes of natural keys, in %s',
    (_, render) => {
      expect(render(crewCatalog, everything(crewCatalog))).toMatchSnapshot()
    },
  )

  it('calls a value named in the question only if the question spells it out', () => {
    const match = { table: 'crew', column: 'rank', value: 'Second Mate', score: 0.9 }
    const named = /named in the question: 'Second Mate'/
    expect(lineOf('"rank"', shown([{ ...match, keyword: 'second mate' }]))).toMatch(named)
    expect(lineOf('"rank"', shown([{ ...match, keyword: 'mate' }]))).not.toMatch(/named in the question/)
    expect(lineOf('"rank"', shown([{ ...match, keyword: 'second mates' }]))).not.toMatch(
      /named in the question/,
    )
  })

  it('shows of a personal column the one value that was asked about, and nothing beside it', () => {
    const match = { table: 'crew', column: 'last_name', value: 'Haugen', score: 0.99 }
    const neighbor = { ...match, keyword: 'haugen', value: 'Haugland', score: 0.7 }
    expect(lineOf('last_name', shown([{ ...match, keyword: 'haugen' }, neighbor]))).toBe(
      "  last_name text, -- named in the question: 'Haugen'",
    )
  })
})
