import { expect, it } from 'vitest'
import { reportFailure } from '../../src/answering/run-question.ts'
import { QuerentError } from '../../src/domain/errors.ts'

it('says what a known failure says, and the next step', () => {
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

it('keeps the words of an unknown failure out of the thread: they may quote data', () => {
  const { outcome } = reportFailure('q', new Error('secret row'))
  expect(JSON.stringify(outcome)).not.toContain('secret row')
})
