import { describe, expect, it } from 'vitest'
import { sayReady } from '../../simulator/say-ready.ts'

const said = (database: string) =>
  sayReady({ url: 'http://127.0.0.1:1', database, tables: 1, seconds: '6.0' }).join('\n')

describe('what a demo says when it is ready', () => {
  it('proposes a question to the sample company', () => {
    expect(said('sample-company')).toContain('@querent how many orders were placed last month by region?')
  })

  it('proposes none that a database of others may not know', () => {
    expect(said('shop')).not.toContain('region')
    expect(said('shop')).toContain('shop: 1 table; ready')
    expect(said('shop')).toContain('Home tab')
  })
})
