import { expect } from 'vitest'
import { SqlError } from '../../src/domain/errors.ts'

/** What a statement failed with. The test fails where it did not fail, or with something else. */
export const sqlErrorOf = async (work: Promise<unknown>): Promise<SqlError> => {
  const outcome = await work.then(
    () => 'nothing was thrown',
    error => error,
  )
  expect(outcome).toBeInstanceOf(SqlError)
  return outcome as SqlError
}
