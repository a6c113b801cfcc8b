import { expect, it } from 'vitest'
import { nearestName } from '../../../../graphs/answer/repair/rename-tables.ts'

it.each([
  ['MAKERS', ['makers', 'marker'], 'makers'],
  ['makerCities', ['maker_city', 'maker_id'], 'maker_city'],
  ['fulname', ['full_name', 'city'], 'full_name'],
  ['stuidos', ['studios', 'makers'], 'studios'],
  ['address_2', ['address_1'], null],
  ['section', ['section_id'], null],
  ['maker_id', ['maker'], null],
  ['ct', ['cs', 'ca'], null],
  ['colour_rad', ['colour_red', 'colour_rod'], null],
  ['price', ['city'], null],
  ['anything', [], null],
])('%s among %j is %s', (wanted, names, meant) => {
  expect(nearestName(wanted, names)).toBe(meant)
})
