import { QuerentError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'

/**
 * Logs a run that broke. What has a name and a next step is told to whoever asked, and is only noted here; what nobody
 * foresaw goes to the operator with all there is of it.
 */
export const logFailure = (log: Log, questionId: string, error: unknown): void => {
  if (error instanceof QuerentError && error.code !== 'internal') {
    log.info({ questionId, code: error.code, reason: error.message }, 'a question failed')
  } else {
    log.error({ questionId, error }, 'the run of a question broke')
  }
}
