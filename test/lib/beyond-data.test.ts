import { describe, expect, it } from 'vitest'
import { findBeyondData } from '../../src/lib/beyond-data.ts'

const nothing = (): boolean => false

describe('what no data can answer', () => {
  it.each([
    ['How much revenue will we make next quarter?', 'forecast'],
    ['predict sales for December', 'forecast'],
    ['Which shop will be our next star?', 'forecast'],
    ['how many croissants are going to sell tomorrow', 'forecast'],
    ['why did orders drop in October?', 'cause'],
    ['How come Rye sells so badly', 'cause'],
    ['what caused the drop in March?', 'cause'],
    ['Should we close the Rye shop?', 'opinion'],
    ['is it worth opening on Sundays?', 'opinion'],
    ['what would you recommend', 'opinion'],
  ])('%s', (question, asks) => {
    expect(findBeyondData(question, nothing)).toBe(asks)
  })

  it.each([
    'Which contracts will expire next month?',
    'reasons for returns by category',
    'appointments tomorrow',
    'deliveries due next week',
    'revenue by month',
    'which products should arrive today',
    'who recommended us most often',
  ])('leaves alone: %s', question => {
    expect(findBeyondData(question, nothing)).toBeNull()
  })

  it('answers what is forecast if the database has forecasts', () => {
    expect(findBeyondData('show the forecast by month', word => word === 'forecast')).toBeNull()
  })
})
