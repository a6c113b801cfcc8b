import { expect, it } from 'vitest'
import { QuerentError } from '../../src/domain/errors.ts'
import { translateOutage } from '../../src/store/transactions.ts'

const withCode = (code: string): Error => Object.assign(new Error('it broke'), { code })

it.each([
  ['nobody listens', withCode('ECONNREFUSED')],
  ['the connection was reset', withCode('ECONNRESET')],
  ['an administrator ended it', withCode('57P01')],
  ['the server starts', withCode('57P03')],
  ['there are too many connections', withCode('53300')],
  ['it ended without a word', new Error('Connection terminated unexpectedly')],
  ['no address of it answers', new AggregateError([withCode('ECONNREFUSED')], '')],
])('%s: the store is away', (_, error) => {
  expect(translateOutage(error)).toMatchObject({ code: 'store-unavailable', cause: error })
})

it('a full disk: it says to make room', () => {
  expect(translateOutage(withCode('53100'))).toMatchObject({
    code: 'store-unavailable',
    message: expect.stringContaining('make room on the disk'),
  })
})

it.each([
  ['a row is there already', withCode('23505')],
  ['a statement was cancelled', withCode('57014')],
  ['our own errors', new QuerentError('internal', 'Connection terminated')],
  ['anything else', new TypeError('x is not a function')],
])('%s: it stays what it is', (_, error) => {
  expect(translateOutage(error)).toBe(error)
})
