import { expect, it } from 'vitest'
import { reportFailure } from '../../src/answering/run-question.ts'
import { QuerentError } from '../../src/domain/errors.ts'

it('keeps the code and the message of a known failure', () => {
  const { outcome } = reportFailure(
    'q',
    new QuerentError('database-unreachable', 'The server at db:5432 does not answer.'),
  )
  expect(outcome).toEqual({
    status: 'failed',
    why: { code: 'error', error: 'database-unreachable', message: 'The server at db:5432 does not answer.' },
  })
})

it('does not show the message of an unknown error, which may contain data', () => {
  const { outcome } = reportFailure('q', new Error('secret row'))
  expect(JSON.stringify(outcome)).not.toContain('secret row')
})
