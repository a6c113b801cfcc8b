import { QuerentError } from '../../src/core/errors.ts'

/** Worth another try within the same run: somebody else's service was briefly away. */
export const isTransient = (error: unknown): boolean =>
  error instanceof QuerentError &&
  (error.code === 'database-unreachable' || error.code === 'store-unavailable')
