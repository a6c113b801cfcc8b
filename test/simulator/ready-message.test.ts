import { describe, expect, it } from 'vitest'
import { formatReadyMessage } from '../../simulator/ready-message.ts'

const said = (database: string) =>
  formatReadyMessage({ url: 'http://127.0.0.1:1', database, tables: 1, seconds: '6.0' }).join('\n')

describe('the message of a demo that is ready', () => {
  it('suggests a question for the sample company', () => {
    expect(said('sample-company')).toContain('@querent how many orders were placed last month by region?')
  })

  it('suggests no question for another database', () => {
    expect(said('shop')).not.toContain('region')
    expect(said('shop')).toContain('shop: 1 table; ready')
    expect(said('shop')).toContain('Home tab')
  })
})
