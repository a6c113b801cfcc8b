import { type ErrorCode, QuerentError } from './errors.ts'
import type { ModelUsage } from './usage.ts'

/** A model call that came to nothing. `usage` is what it cost all the same: refused and malformed replies count. */
export class ModelError extends QuerentError {
  override readonly name = 'ModelError'
  readonly usage: ModelUsage

  constructor(code: ErrorCode, message: string, options: { usage: ModelUsage; cause?: unknown }) {
    super(code, message, options)
    this.usage = options.usage
  }
}
