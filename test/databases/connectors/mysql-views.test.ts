import { describe, expect, it } from 'vitest'
import { unqualifyViewQuery } from '../../../src/databases/connectors/mysql/catalog.ts'

describe('plainViewQuery', () => {
  it.each([
    [
      'select `shop`.`orders`.`id` AS `id` from `shop`.`orders`',
      'select `orders`.`id` AS `id` from `orders`',
    ],
    ['select `o`.`id` AS `id` from `shop`.`orders` `o`', 'select `o`.`id` AS `id` from `orders` `o`'],
    ['select `o`.`shop` AS `id` from `shop`.`orders` `o`', 'select `o`.`shop` AS `id` from `orders` `o`'],
    ['select `other`.`t`.`id` AS `id` from `other`.`t`', 'select `other`.`t`.`id` AS `id` from `other`.`t`'],
    ["select '`shop`.' AS `s` from `shop`.`orders`", "select '`shop`.' AS `s` from `orders`"],
  ])('writes %s as %s', (query, plain) => {
    expect(unqualifyViewQuery(query, 'shop')).toBe(plain)
  })

  it.each([
    ['what is not told', ''],
    ['an alias called like the database', 'select `shop`.`id` AS `id` from `shop`.`orders` `shop`'],
    ['a column called like the database', 'select `o`.`id` AS `shop` from `shop`.`orders` `o`'],
    ['what cannot be read', "select 'open from shop.orders"],
  ])('gives nothing for %s', (_, query) => {
    expect(unqualifyViewQuery(query, 'shop')).toBeNull()
  })
})
