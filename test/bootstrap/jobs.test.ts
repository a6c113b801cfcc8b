import { expect, it } from 'vitest'
import { z } from 'zod'
import { isPermanentFailure } from '../../src/bootstrap/jobs.ts'
import { QuerentError } from '../../src/domain/errors.ts'

it.each([
  ['a setting that is wrong', new QuerentError('bad-configuration', 'set it'), true],
  ['a database of no such name', new QuerentError('unknown-database', 'name it'), true],
  ['data that does not fit', z.string().safeParse(1).error, true],
  ['a store that is away', new QuerentError('store-unavailable', 'start it'), false],
  ['a database that is away', new QuerentError('database-unreachable', 'start it'), false],
  ['a process that stops', new QuerentError('cancelled', 'the process is stopping'), false],
  ['a connection that broke', Object.assign(new Error('read'), { code: 'ECONNRESET' }), false],
  ['something that nobody foresaw', new TypeError('x is not a function'), false],
])('%s', (_, error, isPermanent) => {
  expect(isPermanentFailure(error)).toBe(isPermanent)
})
