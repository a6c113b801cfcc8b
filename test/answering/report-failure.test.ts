import { expect, it } from 'vitest'
import { reportFailure } from '../../src/answering/run-question.ts'
import { QuerentError } from '../../src/domain/errors.ts'

it('shows the message of a known error, and the next step', () => {
  const { outcome } = reportFailure(
    'q',
    new QuerentError('database-unreachable', 'The server at db:5432 does not answer.'),
  )
  expect(outcome).toEqual({
    status: 'failed',
    reason: 'The server at db:5432 does not answer.',
    nextStep: 'Check that the server is running and that its address is right, then ask again.',
  })
})

it('does not show the message of an unknown error, which may contain data', () => {
  const { outcome } = reportFailure('q', new Error('secret row'))
  expect(JSON.stringify(outcome)).not.toContain('secret row')
})
