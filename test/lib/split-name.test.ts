import { describe, expect, it } from 'vitest'
import { splitName } from '../../src/lib/fold-text.ts'

describe('splitName', () => {
  it.each([
    ['ShippingCountry', ['shipping', 'country']],
    ['shipping_country', ['shipping', 'country']],
    ['shipping country', ['shipping', 'country']],
    ['T_ORDER_ID', ['t', 'order', 'id']],
    ['orderID', ['order', 'id']],
    ['HTTPStatus2', ['http', 'status', '2']],
    ['XMLHttpRequest', ['xml', 'http', 'request']],
    ['address1', ['address', '1']],
    ['Q1_2026', ['q', '1', '2026']],
    ['2ndAddress', ['2nd', 'address']],
    ['the_2nd_try', ['the', '2nd', 'try']],
    ['GrößeInMeter', ['grosse', 'in', 'meter']],
    ['TÊTE', ['tete']],
    ['国名', ['国名']],
    ['A', ['a']],
    ['countrycode', ['countrycode']],
    ['__', []],
    ['', []],
  ])('%s', (name, words) => {
    expect(splitName(name)).toEqual(words)
  })
})
